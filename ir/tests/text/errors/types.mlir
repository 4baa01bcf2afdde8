"t.a"() : () -> memref<4xf32, affine_map<(d0, d1) -> (d0)>> //~ error: memref layout mismatch between rank and affine map
"t.a"() : () -> vector<0xf32> //~ error: vector types must have positive constant sizes
"t.a"() : () -> tensor<2xtensor<3xi1>> //~ error: invalid tensor element type
"t.a"() : () -> !t.foo<[a>> //~ error: unbalanced '[' character in pretty dialect name
"t.a"() : () -> !test.nope //~ error: in dialect `test`
"t.a"() : () -> !unknown //~ error: undefined symbol alias id 'unknown'
"t.a"() : () -> complex<index> //~ error: invalid element type for complex
"t.a"() : () -> !builtin.unknown //~ error: dialect 'builtin' provides no type parsing hook
"t.a"() : () -> () -> () //~ error: expected
!a.b = i32 //~ error: type names with a '.' are reserved for dialect-defined names
!c = i32
!c = i64 //~ error: redefinition of type alias id 'c'
"t.a"() : i32 -> () //~ error: expected function type
"t.a"() : () -> memref<4x(i32) -> i32> //~ error: invalid memref element type
