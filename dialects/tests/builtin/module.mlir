module attributes {foo = 1} {}
// -----
module @a attributes {foo.b = 1, sym_visibility = "private"} {}
// -----
module @a attributes {sym_visibility = "privat"} {}
// -----
"builtin.module"() ({}) : () -> ()
// -----
"builtin.module"() ({
^bb0(%a: i32):
}) : () -> ()
// -----
"builtin.module"() ({
^bb0:
^bb1:
}) : () -> ()
// -----
%0 = "builtin.unrealized_conversion_cast"() : () -> i32
// -----
%0 = builtin.unrealized_conversion_cast to i32
// -----
%a = "t.x"() : () -> i32
%0:2 = builtin.unrealized_conversion_cast %a : i32 to i32, f32 {t.a}
%1 = builtin.unrealized_conversion_cast to f32
// -----
%a = "t.x"() : () -> i32
builtin.unrealized_conversion_cast %a : i32 to
// -----
%a = "t.x"() : () -> i32
"builtin.unrealized_conversion_cast"(%a) : (i32) -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 * 0x10 + -0xff)>, b = affine_set<(d0) : (d0 - 0x7FFFFFFFFFFFFFFF >= 0)>} : () -> ()
// -----
"t.x"() {a = affine_map<(d0) -> (d0 + 0x8000000000000000)>} : () -> ()
// -----
"t.x"() : () -> () loc("a":0x10:0xA)
// -----
"t.x"() {a = 0x7F : si8, b = 0xFF : i8, c = 0xFF : ui8, d = -0x80 : si8, e = -0x80 : i8, f = -1 : i1} : () -> ()
// -----
"t.x"() {a = 0x80 : si8} : () -> ()
// -----
"t.x"() {a = 0xFFFFFFFFFFFFFFFF : si64} : () -> ()
// -----
"t.x"() {a = -0x81 : i8} : () -> ()
// -----
"t.x"() {a = -0x100 : index} : () -> ()
// -----
"t.x"() {a = -0 : i8} : () -> ()
// -----
"t.x"() {a = array<i8: -0>} : () -> ()
// -----
"t.x"() {a = dense<-0x81> : tensor<1xi8>} : () -> ()
// -----
"t.x"() {a = memref<4xi8, strided<[-9223372036854775808]>>} : () -> ()
// -----
"t.x"() {a = memref<4xi8, strided<[1], offset: -9223372036854775808>>} : () -> ()
// -----
"t.x"() {a = memref<4xi8, strided<[-9223372036854775807], offset: ?>>} : () -> ()
// -----
"t.x"() {a = sparse<1, 1> : tensor<2x2xi8>, b = sparse<[[0, 1], [1, 2]], [1, 2]> : tensor<2x3xi8>} : () -> ()
// -----
"t.x"() {a = sparse<2, 1> : tensor<2x3xi8>} : () -> ()
// -----
"t.x"() {a = sparse<[[0, 1], [1, 3]], [1, 2]> : tensor<2x3xi8>} : () -> ()
// -----
"t.x"() {a = sparse<-1, 1> : tensor<2xi8>} : () -> ()
// -----
#attr = dense_resource<resource> : i32
// -----
"test.op"() {a = dense_resource<resource> : vector<2xi32>, b = dense_resource<resource> : tensor<*xi32>, c = dense_resource<resource> : memref<2xi32>} : () -> ()
