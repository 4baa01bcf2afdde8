// What a conversion between types of two lowerings does to the value is not said: the interpreter kept all bits, and the circuit did not.
func.func @converted(%x: i32, %i: index, %y: i8) -> (i8, i64, index, i32, i8) {
  %narrow = builtin.unrealized_conversion_cast %x : i32 to i8 //~ error: `builtin.unrealized_conversion_cast` to another type says nothing of its value: use `arith.trunci`
  %wide = builtin.unrealized_conversion_cast %x : i32 to i64 //~ error: use `arith.extsi` or `arith.extui`
  %index = builtin.unrealized_conversion_cast %x : i32 to index //~ error: use `arith.index_cast` or `arith.index_castui`
  %two:2 = builtin.unrealized_conversion_cast %x, %y : i32, i8 to i8, i32 //~ error: use operations of `arith`
  %same = builtin.unrealized_conversion_cast %y : i8 to i8
  %sum = arith.addi %two#0, %same : i8
  return %narrow, %wide, %index, %two#1, %sum : i8, i64, index, i32, i8
}
