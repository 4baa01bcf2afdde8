func.func @kernel(%taken: i1, %m: memref<4xi4>) {
  %zero = arith.constant 0 : i4
  %one = arith.constant 1 : index
  scf.if %taken {
    %first = arith.constant 0 : index
    %end = arith.constant 2 : index
    scf.for %i = %first to %end step %one {
      affine.store %zero, %m[0] : memref<4xi4>
      affine.for %j = affine_map<(d0) -> (d0)>(%one) to 3 {
        %word = affine.load %m[0] : memref<4xi4>
        affine.store %word, %m[%j] : memref<4xi4>
      }
    }
  }
  return
}
