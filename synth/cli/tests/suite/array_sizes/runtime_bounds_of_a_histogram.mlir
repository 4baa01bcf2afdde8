// A conditional store; the innermost loop has a constant bound.
func.func @guard(%n: i6, %m: i6, %A: memref<32x32xi8>, %H: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = arith.constant 3 : i8
  %one = arith.constant 1 : i32
  %in = arith.index_castui %n : i6 to index
  %im = arith.index_castui %m : i6 to index
  scf.for %i = %c0 to %in step %c1 {
    scf.for %j = %c0 to %im step %c1 {
      scf.for %k = %c0 to %c1 step %c1 {
      %a = memref.load %A[%i, %j] : memref<32x32xi8>
      %c = arith.cmpi sgt, %a, %t : i8
      scf.if %c {
        %f = arith.constant 15 : i8
        %b = arith.andi %a, %f : i8
        %at = arith.index_castui %b : i8 to index
        %h = memref.load %H[%at] : memref<16xi32>
        %h1 = arith.addi %h, %one : i32
        memref.store %h1, %H[%at] : memref<16xi32>
      }
      }
    }
  }
  return
}
