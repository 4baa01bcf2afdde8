func.func @f(%m: memref<4xi32>, %i: index, %c: i1, %a: i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  memref.store %0, %m[%i] nontemporal(true) : memref<4xi32>
  %1 = affine.linearize_index disjoint [%i, %i] by (4, %i) : index
  %2 = affine.linearize_index [%i, %i] by (4, 5) : index
  %3:2 = affine.delinearize_index %i into (%i, 4) : index, index
  "x.places"() {a = loc("f":1:2 to 3:4), b = loc("f":1:2 to :5), c = loc("f":3:7 to 2:1), e = loc("f":0:0), f = loc("f":3:0)} : () -> ()
  "x.numbers"() {a = 1.5 : f4E2M1FN, b = dense<[1.0, 2.0, 1.0]> : vector<3xf6E2M3FN>, c = dense<[true, false, true]> : tensor<3xi1>, d = dense<true> : tensor<3xi1>, e = array<i1: true, false>} : () -> ()
  %4 = arith.trunci %a overflow<nsw> : i32 to i8
  %5 = arith.trunci %a : i32 to i8
  %6 = memref.assume_alignment %m, 16 : memref<4xi32>
  cf.cond_br %c weights([1, 2]), ^bb1, ^bb1
^bb1:
  %7 = arith.divui %a, %a exact : i32
  %10 = arith.extui %a nneg : i32 to i64
  %11 = arith.extui %a : i32 to i64
  %12 = memref.alloc() alignment = 8 : memref<2xi8>
  %8 = arith.divui %a, %a : i32
  %9 = memref.load %m[%i] alignment(16) : memref<4xi32>
  scf.for unsigned %k = %i to %i step %i {
  }
  scf.for %k = %i to %i step %i {
  }
  scf.execute_region no_inline {
    scf.yield
  }
  cf.cond_br %c, ^bb2, ^bb2
^bb2:
  return
}
func.func @g() attributes {no_inline} {
  "func.call"() <{callee = @h, no_inline}> : () -> ()
  call @h() : () -> ()
  return
}
func.func private @h()
memref.global "private" @x : memref<4xi32> = dense<1> alignment = 16
func.func @k(%x: f32) {
  %0 = math.clampf %x to [%x, %x] : f32
  %1 = math.isnan %0 fastmath<ninf> : f32
  %4 = arith.addf %x, %x downward : f32
  %5 = arith.addf %x, %x : f32
  %2, %3 = math.sincos %x fastmath<fast> : f32
  return
}
"x.types"() {a01 = f4E2M1FN, a02 = f6E2M3FN, a03 = f6E3M2FN, a04 = f8E5M2, a05 = f8E4M3, a06 = f8E4M3FN, a07 = f8E5M2FNUZ, a08 = f8E4M3FNUZ, a09 = f8E4M3B11FNUZ, a10 = f8E3M4, a11 = f8E8M0FNU, a12 = tf32} : () -> ()
"x.maps"() {
 a00 = affine_map<() -> ()>,
 a01 = affine_map<() -> (5)>,
 a02 = affine_map<(d0) -> (d0)>,
 a03 = affine_map<(d0, d1) -> (d0, d1)>,
 a04 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
 a05 = affine_map<(d0, d1) -> (d1)>,
 a06 = affine_map<(d0, d1)[s0, s1] -> (s1, s0)>,
 a07 = affine_map<(d0, d1)[s0] -> (d0 + s0)>,
 a08 = affine_map<(d0, d1)[s0] -> (d0 * 7)>,
 a09 = affine_map<(d0, d1)[s0] -> (d0 mod 7)>,
 a10 = affine_map<(d0, d1)[s0] -> (d0 floordiv 7)>,
 a11 = affine_map<(d0, d1)[s0] -> (d0 ceildiv 7)>,
 a12 = affine_map<(d0) -> (-9)>,
 a13 = affine_map<(d0) -> (1000000)>,
 a14 = affine_map<(d0, d1) -> (d0 + d1 * 3, d1)>,
 a15 = affine_map<(d0) -> ()>,
 a16 = affine_map<(d0, d1) -> (d1, d0)>,
 b0 = affine_set<(d0) : (d0 >= 0)>,
 b1 = affine_set<(d0)[s0] : (d0 - s0 == 0, d0 >= 0)>,
 b2 = affine_set<(d0) : (0 == 0)>,
 c0 = strided<[1, ?], offset: 3>,
 c1 = strided<[], offset: ?>,
 d0 = dense<"0x01020304"> : tensor<4xi8>
} : () -> ()
