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
