"t.a"() {a = 256 : i8} : () -> () //~ error: integer constant out of range for attribute
"t.a"() {a = -129 : i8} : () -> () //~ error: integer constant out of range for attribute
"t.a"() {a = -1 : ui8} : () -> () //~ error: negative integer literal not valid for unsigned integer type
"t.a"() {a = 1 : f32} : () -> () //~ error: unexpected decimal integer literal for a floating point value
"t.a"() {a = 0x1FFFFFFFF : f32} : () -> () //~ error: hexadecimal float constant out of range for type
"t.a"() {a = 1e5} : () -> () //~ error: expected '}' in attribute dictionary
"t.a"() {a = [1,]} : () -> () //~ error: expected attribute value
"t.a"() {a = array<i3: 1>} : () -> () //~ error: element type bitwidth must be a multiple of 8
"t.a"() {a = dense<"0x010000"> : tensor<2xi32>} : () -> () //~ error: elements hex data size is invalid for provided type: 'tensor<2xi32>'
"t.a"() {a = dense<[1, 2, 3]> : tensor<2xi32>} : () -> () //~ error: inferred shape of elements literal ([3]) does not match type ([2])
"t.a"() {a = dense<[[1], 2]> : tensor<2xi32>} : () -> () //~ error: tensor literal is invalid
"t.a"() {a = dense<1> : tensor<?xi32>} : () -> () //~ error: elements literal type must have static shape
"t.a"() {a = affine_map<(d0, d1) -> (d0 * d1)>} : () -> () //~ error: non-affine expression
"t.a"() {a = affine_map<(d0) -> (d1)>} : () -> () //~ error: use of undeclared identifier
"t.a"() {s = "\q"} : () -> () //~ error: unknown escape in string literal
"t.a"() {a = distinct[0]<1>, b = distinct[0]<2>} : () -> () //~ error: referenced attribute does not match previous definition
"t.a"() {a = #test.modes<slow>} : () -> () //~ error: expected ::mlir::test::modes to be one of: none, fast, small
"t.a"() {a = 1.0 : i32} : () -> () //~ error: floating point value not valid for specified type
