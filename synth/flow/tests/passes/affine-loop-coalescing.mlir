// pipeline: builtin.module(func.func(affine-loop-coalescing))
func.func @three() {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 34 step 1 {
        "demo.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
// -----
func.func @three_from() {
  affine.for %i = 0 to 16 {
    affine.for %j = 1 to 8 {
      affine.for %k = 2 to 34 step 4 {
        "demo.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
// -----
func.func @imperfect() {
  affine.for %i = 0 to 4 {
    "demo.before"(%i) : (index) -> ()
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 6 {
        "demo.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
// -----
func.func @carried(%a: f32) -> f32 {
  %r = affine.for %i = 0 to 4 iter_args(%x = %a) -> f32 {
    %s = affine.for %j = 0 to 5 iter_args(%y = %x) -> f32 {
      %t = arith.addf %y, %y : f32
      affine.yield %t : f32
    }
    affine.yield %s : f32
  }
  return %r : f32
}
// -----
func.func @sequence() {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      "demo.a"(%i, %j) : (index, index) -> ()
    }
    affine.for %j = 0 to 6 step 2 {
      affine.for %k = 0 to 3 {
        "demo.b"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
// -----
func.func @sizes(%m: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<?x?xf32>
  %b = memref.dim %m, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %a {
    affine.for %j = 0 to %b {
      %x = affine.load %m[%i, %j] : memref<?x?xf32>
      "demo.use"(%i, %j, %x) : (index, index, f32) -> ()
    }
  }
  return
}
// -----
func.func @one_open(%n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 12 {
      affine.for %k = 0 to 5 {
        "demo.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}
