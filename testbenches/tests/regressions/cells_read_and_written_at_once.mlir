// Read-modify-writes in loops without an order, and a scope of local memories.
func.func @cells_read_and_written_at_once(%A: memref<16xi8>, %H: memref<8xi32>, %M: memref<4xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i8
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %a = memref.load %A[%i] : memref<16xi8>
    %bin = arith.andi %a, %c7 : i8
    %at = arith.index_castui %bin : i8 to index
    %n = memref.atomic_rmw addi %one, %H[%at] : (i32, memref<8xi32>) -> i32
    %wide = arith.extsi %a : i8 to i32
    %low = memref.atomic_rmw mins %wide, %M[%c0] : (i32, memref<4xi32>) -> i32
    %top = memref.atomic_rmw maxu %wide, %M[%c1] : (i32, memref<4xi32>) -> i32
    scf.reduce
  }
  %before = memref.atomic_rmw assign %one, %M[%c3] : (i32, memref<4xi32>) -> i32
  %old = memref.generic_atomic_rmw %M[%c0] : memref<4xi32> {
  ^bb0(%now: i32):
    %twice = arith.addi %now, %now : i32
    memref.atomic_yield %twice : i32
  }
  %sum = memref.alloca_scope -> (i32) {
    %t = memref.alloca() : memref<4xi32>
    memref.store %old, %t[%c1] : memref<4xi32>
    %v = memref.load %t[%c1] : memref<4xi32>
    %w = arith.addi %v, %before : i32
    memref.alloca_scope.return %w : i32
  }
  return %sum, %before : i32, i32
}
