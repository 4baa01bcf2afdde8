// Names that are keywords of SystemVerilog alone.
func.func @keywords(%A: memref<8xi32>, %i: i32) -> i32 {
  %before = arith.addi %i, %i : i32
  %cross = arith.muli %before, %i : i32
  %mask = arith.constant 7 : i32
  %inside = arith.andi %i, %mask : i32
  %place = arith.index_castui %inside : i32 to index
  %alias = memref.load %A[%place] : memref<8xi32>
  %total = arith.muli %before, %alias : i32
  %bind = arith.xori %total, %cross : i32
  return %bind : i32
}
