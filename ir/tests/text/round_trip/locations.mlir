// options: locations
"t.a"() : () -> () loc(#at_end)
"t.a"() : () -> () loc(unknown)
"t.a"() : () -> () loc("n"("f":3:4))
"t.a"() : () -> () loc(callsite("a" at "f":5:6))
"t.a"() : () -> () loc(fused["x", "x", unknown, "f":7:8])
"t.a"() : () -> () loc(fused<{k = 1}>[unknown, "y"])
func.func @f(%a: i32 loc("p")) -> i32 {
  cf.br ^b(%a : i32)
^b(%b: i32 loc("q")):
  return %b : i32 loc("r")
} loc("fn")
#inner = loc("inner")
#at_end = loc(fused[#inner, #later])
#later = loc("later":1:2)
