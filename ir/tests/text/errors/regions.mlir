"t.r"() ({
^a:
  "t.e"() : () -> ()
^a: //~ error: redefinition of block '^a'
  "t.e"() : () -> ()
}) : () -> ()
"t.r"() ({
  %0 = "t.x"() : () -> i32
}) : () -> ()
"t.u"(%0) : (i32) -> () //~ error: use of undeclared SSA value name
%out = "t.x"() : () -> i32
module {
  "t.u"(%out) : (i32) -> () //~ error: 't.u' op using value defined outside the region
}
module {
  "t.u"(%below) : (i32) -> () //~ error: 't.u' op using value defined outside the region
}
%below = "t.x"() : () -> i32
"t.open"() ({ //~ error: expected operation name in quotes
