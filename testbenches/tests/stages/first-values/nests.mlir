// passes: lower-affine, flatten-memrefs, canonicalise, promote, first-values, canonicalise

// A nest fills a matrix that a product accumulates into: the sums start with the value.
func.func @product(%a: memref<4x3xi32>, %b: memref<3x2xi32>, %c: memref<4x2xi32>, %start: i32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.store %start, %c[%i, %j] : memref<4x2xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 3 {
        %x = affine.load %a[%i, %k] : memref<4x3xi32>
        %y = affine.load %b[%k, %j] : memref<3x2xi32>
        %z = affine.load %c[%i, %j] : memref<4x2xi32>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<4x2xi32>
      }
    }
  }
  return
}

// The loops are in another order and count in another way, but the words are the same.
func.func @other_order(%x: memref<4x6xi32>, %y: memref<4x6xi32>, %start: i32) {
  affine.for %i = 0 to 24 {
    affine.store %start, %y[%i floordiv 6, %i mod 6] : memref<4x6xi32>
  }
  affine.for %j = 0 to 6 {
    affine.for %i = 0 to 4 {
      affine.store %start, %x[%i, -%j + 5] : memref<4x6xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 step 2 {
      affine.for %k = 0 to 2 {
        %z = affine.load %x[%i, %j + %k] : memref<4x6xi32>
        %s = arith.addi %z, %z : i32
        affine.store %s, %x[%i, %j + %k] : memref<4x6xi32>
      }
    }
  }
  return
}

// The nest covers a part of the words only, so the fill stays.
func.func @part(%x: memref<4x6xi32>, %start: i32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      affine.store %start, %x[%i, %j] : memref<4x6xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %z = affine.load %x[%i, %j] : memref<4x6xi32>
      %s = arith.addi %z, %z : i32
      affine.store %s, %x[%i, %j] : memref<4x6xi32>
    }
  }
  return
}
