// config: {style: elastic, streams: [y]}
func.func @positive(%x: memref<8xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    %p = arith.cmpi sgt, %a, %zero : i32
    scf.if %p {
      affine.store %a, %y[%i] : memref<8xi32> //~ error: `y` cannot be a stream: it runs under a condition; an access in every iteration would fit
    }
  }
  return
}
