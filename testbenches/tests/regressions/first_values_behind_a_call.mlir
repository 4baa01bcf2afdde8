// The first iteration's values of a rotated nest were read in front of a call that writes them.
func.func private @helper(%b: memref<6xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %b[%c0] : memref<6xi32>
  memref.store %x, %b[%c1] : memref<6xi32>
  return
}
func.func @first_values_behind_a_call(%a: memref<6xi32>, %b: memref<6xi32>, %m: memref<48xi32>, %k: i32) {
  affine.for %i = 0 to 6 {
    %x = affine.load %a[%i] : memref<6xi32>
    %y = arith.addi %x, %k : i32
    affine.store %y, %a[%i] : memref<6xi32>
  }
  func.call @helper(%b, %k) : (memref<6xi32>, i32) -> ()
  affine.for %i = 0 to 6 {
    %x = affine.load %b[%i] : memref<6xi32>
    %scaled = arith.muli %x, %k : i32
    affine.for %j = 0 to 8 {
      %y = affine.load %m[%i * 8 + %j] : memref<48xi32>
      %z = arith.muli %scaled, %y : i32
      affine.store %z, %m[%i * 8 + %j] : memref<48xi32>
    }
  }
  return
}
