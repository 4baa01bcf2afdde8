// Loops whose iterations may run at the same time, with bounds that are known and not, and powers.
func.func @powers_in_parallel(%A: memref<4x6xi32>, %n: i8, %e: i8) -> i32 {
  %low = arith.constant 3 : i8
  %some = arith.andi %n, %low : i8
  %bound = arith.index_castui %some : i8 to index
  %two = arith.constant 2 : i32
  %few = arith.extui %some : i8 to i32
  scf.forall (%i, %j) in (%bound, 6) {
    %x = memref.load %A[%i, %j] : memref<4x6xi32>
    %y = math.ipowi %x, %few : i32
    memref.store %y, %A[%i, %j] : memref<4x6xi32>
  }
  scf.forall (%i, %j) = (1, 0) to (4, 6) step (2, 3) {
    %x = memref.load %A[%i, %j] : memref<4x6xi32>
    %three = arith.constant 3 : i32
    %y = math.ipowi %x, %three : i32
    memref.store %y, %A[%i, %j] : memref<4x6xi32>
  }
  %wide = arith.extsi %e : i8 to i32
  %power = math.ipowi %two, %wide : i32
  return %power : i32
}
