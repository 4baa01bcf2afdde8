func.func @f(%a: i32, %b: i1) -> i32 {
  %x = arith.addi %a, %b : i32 //~ error: use of value '%b' expects different type than prior uses: 'i32' vs 'i1'
  %y = arith.addi %x, %x : i32
  %z = arith.nope %y : i32 //~ error: custom op 'arith.nope' is unknown
  %w = arith.addi %z, %undefined : i32 //~ error: use of undeclared SSA value name
  "t.r"(%w) ({
    %q = "t.x"() {a = 1, a = 2} : () -> i32 //~ error: duplicate key 'a' in dictionary attribute
    "t.u"(%q, %a) : (i32) -> () //~ error: expected 2 operand types but had 1
  }) : (i32) -> ()
  %y = arith.addi %a, %a : i32 //~ error: redefinition of SSA value '%y'
  return %y : i32
}
func.func @g(%a: i32) {
  return
^a:
  cf.br ^nowhere //~ error: reference to an undefined block
} //~ error: expected operation name in quotes
}
func.func @h(%t: i16777216) { //~ error: integer bitwidth is limited to 16777215 bits
  %0 = "fine"() : () -> i32
}
"t.last"() : () -> () loc(#never) //~ error: operation location alias was never defined
