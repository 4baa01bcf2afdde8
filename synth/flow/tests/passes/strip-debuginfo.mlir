// pipeline: builtin.module(strip-debuginfo)
// options: --mlir-print-debuginfo
module {
  func.func @f(%a: i32 loc("a.c":1:2), %p: i1 loc("a.c":1:3)) -> i32 {
    cf.cond_br %p, ^bb1(%a : i32), ^bb1(%a : i32) loc("a.c":2:2)
  ^bb1(%x: i32 loc("a.c":3:3)):
    %y = scf.if %p -> (i32) {
      %z = arith.addi %x, %a : i32 loc(fused["u", "v"])
      scf.yield %z : i32
    } else {
      "demo.inside"() ({
      ^bb0(%q: i32 loc("k.c":1:1)):
        "demo.deep"(%q, %a) : (i32, i32) -> () loc("d.c":1:1)
      }) : () -> ()
      scf.yield %a : i32
    } loc("a.c":5:5)
    return %y : i32
  } loc("a.c":9:9)
}
// -----
#here = loc("k.c":4:5)
module attributes {demo.kept} {
  func.func private @outside(i32 loc("x.c":1:1)) loc(#here)
  module @inner {
    func.func @g() {
      "demo.op"() {place = loc("l.c":1:1)} : () -> () loc(callsite("a" at "b"))
      return loc(#here)
    }
  } loc("m.c":2:2)
} loc("all")
// -----
module {
}
// -----
func.func @loops(%n: index loc("n"), %v: i32) -> i32 {
  %c0 = arith.constant 0 : index loc("zero")
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (i32) {
    %s = arith.addi %a, %v : i32 loc("sum")
    scf.yield %s : i32
  } loc("loop")
  return %r : i32
}
