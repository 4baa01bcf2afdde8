// options: default
!a = i32
!b = tuple<!a, !a>
!fn = (i32) -> i1
#m = affine_map<(d0) -> (d0)>
#n = [#m, 1]
#map = 5 : i32
%0 = "t.a"() {x = #n, y = #map, z = {s = affine_set<(d0) : (d0 >= 0)>, m = affine_map<(d0) -> (d0 + 9)>}} : () -> !b
%1 = "t.b"() : () -> !a
%2 = "t.c"(%1) : !fn
