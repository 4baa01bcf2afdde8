// options: default
module attributes {t.x = 1} {
  "t.r"() ({}, {
  ^bb0:
  }) : () -> ()
  "t.r"() ({
    %c = "t.c"() : () -> i1
    "t.t"(%c)[^bb1, ^bb2] <{p = 1 : i32}> ({
    }, {
      "t.in"() : () -> ()
    }) {d = 2} : (i1) -> ()
  ^bb2:
    "t.br"(%c)[^bb3] : (i1) -> ()
  ^bb1:
    "t.br"(%c)[^bb3] : (i1) -> ()
  ^bb3(%x: i1, %y: i8):
    "t.e"(%x, %y) : (i1, i8) -> ()
  }) : () -> ()
  %r:2 = "t.a"() : () -> (i1, i2)
  %x, %y:2 = "t.a"() : () -> (i1, i2, i3)
  "t.u"(%r#1, %x, %y#1, %r#0, %r) : (i2, i1, i3, i1, i1) -> ()
  // A module is a graph region: values may be used before they are defined.
  %0 = "t.x"(%1, %0) : (i32, i32) -> i32
  %1 = "t.y"(%0) : (i32) -> i32
  module @inner {
    "t.r"() ({
      %2 = "t.x"() : () -> i32
    }, {
      %2 = "t.x"() : () -> i64
    }) : () -> ()
  }
}
