func.func @stencil(%a: memref<2048xi32>, %f: memref<9xi32>, %o: memref<2048xi32>) {
  %z = arith.constant 0 : i32
  affine.for %r = 0 to 30 { affine.for %c = 0 to 62 {
    %s = affine.for %k1 = 0 to 3 iter_args(%x = %z) -> (i32) {
      %t = affine.for %k2 = 0 to 3 iter_args(%y = %x) -> (i32) {
        %w = affine.load %f[%k1 * 3 + %k2] : memref<9xi32>
        %v = affine.load %a[(%r + %k1) * 64 + %c + %k2] : memref<2048xi32>
        %m = arith.muli %w, %v : i32
        %n = arith.addi %y, %m : i32
        affine.yield %n : i32
      }
      affine.yield %t : i32
    }
    affine.store %s, %o[%r * 64 + %c] : memref<2048xi32>
  } }
  return
}
