// Follows a list of at most `most` nodes from its head and adds up their values; next is -1 behind the last one.
func.func @linked_list(%next: memref<32xi32>, %values: memref<32xi32>, %head: i32, %most: i32) -> (i32, i32) {
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  cf.br ^look(%head, %none, %none : i32, i32, i32)
^look(%node: i32, %sum: i32, %count: i32):
  %is_node = arith.cmpi sge, %node, %none : i32
  cf.cond_br %is_node, ^room, ^end
^room:
  %fewer = arith.cmpi slt, %count, %most : i32
  cf.cond_br %fewer, ^visit, ^end
^visit:
  %at = arith.index_cast %node : i32 to index
  %value = memref.load %values[%at] : memref<32xi32>
  %after = memref.load %next[%at] : memref<32xi32>
  %larger = arith.addi %sum, %value : i32
  %counted = arith.addi %count, %unit : i32
  cf.br ^look(%after, %larger, %counted : i32, i32, i32)
^end:
  return %sum, %count : i32, i32
}
