func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.load %m[%w] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.store %z, %m[%w + 1] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.apply affine_map<(d0) -> (d0)>(%w)
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.apply affine_map<()[s0] -> (s0)>()[%k]
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.min affine_map<(d0) -> (d0, 1)>(%w)
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.max affine_map<()[s0] -> (s0, 1)>()[%w]
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.for %l = 0 to %w {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.for %l = 0 to affine_map<(d0) -> (d0)>(%w) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.for %l = affine_map<()[s0] -> (s0)>()[%k] to 10 {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.if affine_set<(d0) : (d0 >= 0)>(%w) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.if affine_set<()[s0] : (s0 >= 0)>()[%k] {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.parallel (%l) = (0) to (%w) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.prefetch %m[%w], read, locality<3>, data : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.vector_load %m[%w] : memref<100xf32>, vector<8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.vector_store %v, %m[%w] : memref<100xf32>, vector<8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.dma_start %b[%w, 0], %b2[0, 0], %tag[0], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.dma_start %b[0, 0], %b2[%w, 0], %tag[0], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.dma_start %b[0, 0], %b2[0, 0], %tag[%w], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    affine.dma_wait %tag[%w], %n : memref<1xi32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.apply affine_map<(d0) -> (d0)>(%k)
    %a2 = affine.load %m[%a] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a = affine.apply affine_map<(d0) -> (d0)>(%k)
    %a2 = affine.load %m[symbol(%a)] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %c = arith.constant 3 : index
    %a2 = affine.load %m[symbol(%c)] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %c = arith.constant 3 : index
    %al = memref.alloc(%n) : memref<?xf32>
    %c0 = arith.constant 0 : index
    %d = memref.dim %al, %c0 : memref<?xf32>
    %a2 = affine.load %m[symbol(%d)] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %c0 = arith.constant 0 : index
    %d = memref.dim %m, %c0 : memref<100xf32>
    %a2 = affine.load %m[symbol(%d)] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %a2 = affine.load %m[%j] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    %s = arith.addi %k, %k : index
    %a2 = affine.load %m[%s] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    scf.for %l = %n to %n step %n {
      %a2 = affine.load %m[%l] : memref<100xf32>
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %j = memref.load %p[%n] : memref<10xindex>
  affine.for %k = 0 to 10 {
    %w = memref.load %p[%k] : memref<10xindex>
    scf.for %l = %n to %n step %n {
      affine.for %q = 0 to %l {
      }
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.load %m[%n, %n] : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.load %m[] : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.store %z, %b[%n] : memref<64x64xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.load"(%m, %n) <{map = affine_map<(d0, d1) -> (d0)>}> : (memref<100xf32>, index) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<100xf32>, index) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0)>}> : (memref<100xf32>, index) -> i32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.load"(%m, %n) : (memref<100xf32>, index) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.load"(%m, %n) <{map = 3}> : (memref<100xf32>, index) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.load"(%m, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<100xf32>, i32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.store"(%z, %m, %n) <{map = affine_map<(d0, d1) -> (d0)>}> : (f32, memref<100xf32>, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.store"(%i, %m, %n) <{map = affine_map<(d0) -> (d0)>}> : (i32, memref<100xf32>, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.store"(%z, %m, %n) <{map = affine_map<(d0) -> (d0, d0)>}> : (f32, memref<100xf32>, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.apply affine_map<(d0) -> (d0, d0)>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.apply affine_map<(d0) -> (d0)>(%n, %n)
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0)>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.apply"(%n) <{map = affine_map<(d0, d1) -> (d0)>}> : (index) -> index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.apply"(%n) <{map = affine_map<(d0) -> (d0, d0)>}> : (index) -> index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.min affine_map<(d0) -> ()>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.min affine_map<(d0) -> (d0)>(%n, %n)
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.min"(%n) <{map = affine_map<(d0, d1) -> (d0)>}> : (index) -> index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = "affine.max"(%n) <{map = affine_map<(d0) -> ()>}> : (index) -> index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to 10 step 0 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to 10 step -1 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = affine_map<(d0) -> (d0, 1)>(%n) to 10 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to affine_map<(d0) -> (d0, 1)>(%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to affine_map<(d0) -> (d0)>() {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to affine_map<()[s0] -> (s0)>() {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to max affine_map<(d0) -> (d0)>(%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = %z to 10 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = x to 10 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.for %k = 0 to 10 iter_args(%u = %z) -> (f32, f32) {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.for %k = 0 to 10 iter_args(%u = %z) -> f32 {
    affine.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.for %k = 0 to 10 iter_args(%u = %z) -> f32 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.for %k = 0 to 10 iter_args(%u = %z) -> i32 {
    affine.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to 10 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.for %k = 0 to 10 {
    "t.x"() : () -> ()
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (1)>}> ({
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: i32):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> ()>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.for"(%n) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 1, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.if affine_set<(d0) : (d0 >= 0)>() {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.if affine_set<(d0)[s0] : (d0 >= 0)>(%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.if"(%n) ({
    affine.yield
  }, {}) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.if"() ({
    affine.yield
  }, {}) {condition = affine_set<(d0) : (d0 >= 0)>} : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
    affine.yield %i : i32
  } else {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.if affine_map<(d0) -> (d0)>(%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0, 1) to (2) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x, %y) = (0, 1) to (2) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0) to (2) step (1, 1) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0) to (2) step (0) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0) to (2) step (-1) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (min(%n, 1)) to (2) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0) to (max(%n, 2)) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("foo") -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("addi") -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("addf", "addf") -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("addf") -> f32 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("addf") -> f32 {
    affine.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.parallel (%x) = (0) to (2) reduce ("addf") {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %r = affine.parallel (%x) = (0) to (2) reduce ("assign") -> f32 {
    affine.yield %z : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = dense<2> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = affine_map<() -> (0, 0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"(%n) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = ["x"], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = 1, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1 : i32], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (1)>}> ({
  ^bb0(%k: index):
    affine.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.prefetch %m[%n, %n], read, locality<3>, data : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.prefetch %m[%n], rd, locality<3>, data : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.prefetch %m[%n], read, locality<9>, data : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.prefetch %m[%n], read, locality<3>, foo : memref<100xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.vector_load %m[%n] : memref<100xf32>, vector<8xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.vector_load %m[%n, %n] : memref<100xf32>, vector<8xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.vector_store %v, %m[%n] : memref<100xf32>, vector<8xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.vector_store %v, %m[%n, %n] : memref<100xf32>, vector<8xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %a = affine.vector_load %m[%n] : memref<100xf32>, f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %d:2 = affine.delinearize_index %n into (%n) : index, index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %d = affine.delinearize_index %n into () : index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.delinearize_index"(%n) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  %d = affine.delinearize_index %n into (%i) : index
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_start %b[0, 0], %b2[0, 0], %tag[0], %n, %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_start %b[0, 0], %b2[0, 0], %tag[0], %n : memref<64x64xf32>, memref<64x64xf32, 1>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_start %b[0], %b2[0, 0], %tag[0], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_start %b[0, 0], %b2[0, 0], %tag[0, 0], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_start %b[0, 0], %z[0, 0], %tag[0], %n : memref<64x64xf32>, f32, memref<1xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_wait %tag[0, 0], %n : memref<1xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.dma_wait %z[0], %n : f32
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  "affine.dma_wait"(%z, %n) {tag_map = affine_map<() -> (0)>} : (f32, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>, %p: memref<10xindex>, %v: vector<8xf32>) {
  affine.yield
  return
}
