func.func @unknown(%x: i8) -> i8 {
  %y = "magic.spell"(%x) : (i8) -> i8 //~ error: `magic.spell` has no hardware yet: lower the dialect `magic` to func, arith, affine, scf and memref first
  return %y : i8
}
