// config: {loops: {i: {unroll: 4}}}
func.func @blocks(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^loop(%zero : i32)
^loop(%i: i32):  //~ error: `i` is an argument of a block: `affine.for`, `affine.parallel`, `scf.for`, `scf.parallel`, `scf.forall` and `scf.while` take directives, loops of blocks do not
  %next = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^loop(%next : i32), ^end
^end:
  return %next : i32
}
