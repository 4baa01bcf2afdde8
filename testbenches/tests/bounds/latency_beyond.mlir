// latency: more than 2^126
func.func @k(%a: memref<4xi32>) {
  affine.for %i = 0 to 9223372036854775807 {
    affine.for %j = 0 to 9223372036854775807 {
      affine.for %l = 0 to 9223372036854775807 {
        %x = affine.load %a[%i mod 4] : memref<4xi32>
        affine.store %x, %a[(%j + %l) mod 4] : memref<4xi32>
      }
    }
  }
  return
}
