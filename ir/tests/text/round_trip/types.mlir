// options: default
"t.a"() : () -> (i1, i32, si8, ui64, index, f16, bf16, f32, f64, f80, f128, tf32, none, f8E5M2, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, i0, i16777215)
"t.a"() : () -> (complex<f32>, complex<i7>, tuple<>, tuple<i1, tuple<f32>>, () -> (), (i1) -> i2, (i1) -> (i2, i3), () -> (() -> i1))
"t.a"() : () -> (vector<4xf32>, vector<[4]xf32>, vector<2x[4]xi8>, vector<f32>, vector<4 x f32>)
"t.a"() : () -> (tensor<f32>, tensor<?x4xf32>, tensor<*xi1>, tensor<4xf32, "enc">, tensor<0x4xf32>, tensor<0x0x?xi1>, tensor<4x!t.ty>)
"t.a"() : () -> (memref<4xf32, affine_map<(d0) -> (d0)>>, memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>, memref<4xf32, "fast">, memref<4xf32, 0>, memref<*xf32, 1 : i32>)
"t.a"() : () -> (!t.foo, !t.foo<a, [b, {c}], (d)>, !t<bar>, !t<"x>y" + z>, !t.a<(i32) -> i32>, !t.x.y.z<1>, !test.box<!test.box<i3>>)
"t.a"() : () -> (tuple<i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1>)
