func.func @compare(%x: i8) -> i1 {
  %y = "arith.cmpi"(%x, %x) {predicate = 99 : i64} : (i8, i8) -> i1 //~ error: attribute 'predicate' failed to satisfy constraint
  return %y : i1
}
