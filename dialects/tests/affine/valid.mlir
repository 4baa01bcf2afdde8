func.func @f(%n: index, %m: memref<100xf32>, %z: f32, %i: i32, %b: memref<64x64xf32>, %b2: memref<64x64xf32, 1>, %tag: memref<1xi32>) -> f32 {
  %r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%n)[%n] -> f32 {
    affine.yield %z : f32
  } else {
    affine.yield %z : f32
  }
  %p = affine.parallel (%x, %y) = (0, 0) to (10, min(%n, 20)) step (2, 1) reduce ("addf") -> f32 {
    affine.yield %z : f32
  }
  %q:2 = affine.parallel (%x) = (max(%n, 3, symbol(%n) + 1)) to (min(%n, 20)) reduce ("maximumf", "addi") -> (f32, i32) {
    affine.yield %z, %i : f32, i32
  }
  affine.parallel (%x, %y) = (0, %n) to (10, 5) {
  } {t.a}
  affine.parallel (%x, %y) = (max(%n, 1), max(%n, 2)) to (10, min(5, %n)) {
  }
  affine.parallel () = () to () {
  }
  affine.parallel (%x) = (0) to (symbol(%n)) step (3) {
    affine.prefetch %b[%x, %x + 5], read, locality<3>, data : memref<64x64xf32>
    affine.prefetch %b[%n, symbol(%n)], write, locality<0>, instr {t.a} : memref<64x64xf32>
    %v = affine.vector_load %b[%x, %n] : memref<64x64xf32>, vector<8xf32>
    affine.vector_store %v, %b[%x, %n] : memref<64x64xf32>, vector<8xf32>
    %v2 = affine.vector_load %b[%x, %n] {t.a} : memref<64x64xf32>, vector<2x8xf32>
    affine.vector_store %v2, %b[%x, %n] {t.a} : memref<64x64xf32>, vector<2x8xf32>
  }
  %d:2 = affine.delinearize_index %n into (%n, %n) : index, index
  %e = affine.delinearize_index %n into (%n) {t.a} : index
  %c0 = arith.constant 0 : index
  affine.dma_start %b[%n, %n + 3], %b2[%n, 7], %tag[%c0], %n : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  affine.dma_start %b[%n, symbol(%n)], %b2[%n, 7], %tag[0], %n, %n, %c0 : memref<64x64xf32>, memref<64x64xf32, 1>, memref<1xi32>
  affine.dma_wait %tag[%c0], %n : memref<1xi32>
  affine.dma_wait %tag[%n + 1], %n : memref<1xi32>
  %l = affine.load %m[symbol(%n) * 2 + 3] {t.a} : memref<100xf32>
  affine.store %l, %m[%n - 1] {t.a} : memref<100xf32>
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)> (%n)[%n]
  %a1 = affine.apply affine_map<()[s0] -> (s0)>()[%n]
  %a2 = affine.min affine_map<(d0)[s0] -> (1000, d0 + 512, s0)> (%n)[%n] {t.a}
  %a3 = affine.max affine_map<() -> (3)> ()
  affine.for %k = max affine_map<(d0) -> (d0, 4)>(%n) to min affine_map<(d0)[s0] -> (d0, s0)>(%n)[%n] step 2 {
  } {t.a}
  affine.for %k = affine_map<(d0) -> (d0)>(%n) to affine_map<(d0) -> (d0)>(%n) {
  }
  affine.for %k = -3 to %n {
    "t.x"() : () -> ()
  }
  %f:2 = affine.for %k = 0 to 10 iter_args(%u = %z, %w = %i) -> (f32, i32) {
    affine.yield %u, %w : f32, i32
  }
  affine.for %k = affine_map<() -> (3)>() to affine_map<()[s0] -> (s0)>()[%n] {
  }
  affine.for %k = max affine_map<() -> (3)>() to min affine_map<()[s0] -> (s0)>()[%n] {
  }
  affine.if affine_set<() : (1 == 0)>() {
  } {t.a}
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
  } else {
  } {t.a}
  return %r : f32
}
