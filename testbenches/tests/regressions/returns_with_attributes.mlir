func.func @returns_with_attributes(%p: i1, %x: i32) -> i32 {
  cf.cond_br %p, ^one, ^other
^one:
  %y = arith.addi %x, %x : i32
  return {from = "one"} %y : i32
^other:
  return {from = "other"} %x : i32
}
