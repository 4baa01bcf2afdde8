// options: default
"t.a"() {a = affine_map<() -> ()>, b = affine_map<(i, j)[N] -> (i + j * 2, N)>, c = affine_map<(d0) -> (d0 + 0, d0 * 1, d0 - d0, -d0, 2 * d0 + 3 * d0, 5 mod 3)>} : () -> ()
"t.a"() {a = affine_map<(d0)[s0] -> (d0 floordiv 4, d0 ceildiv 3, d0 mod 8, d0 floordiv s0, d0 mod s0, d0 ceildiv s0, d0 * s0, d0 floordiv 0)>} : () -> ()
"t.a"() {a = affine_map<(d0, d1)[s0] -> (1 + d0, s0 + d0, -1 + d0, d1 + d0, -2 * d0, (d0 * 4) floordiv 4, (d0 * 8 + 4) mod 4, -7 floordiv 2, -7 ceildiv 2, -7 mod 4)>} : () -> ()
"t.a"() {a = affine_map<(d0, d1) -> ((d0 + d1) * 3, d0 - (d1 + 1), d0 - d1 * 5, d0 - (d0 floordiv 8) * 8, (d0 mod 32) mod 8, -(d0 + d1))>} : () -> ()
"t.a"() {a = affine_set<(d0)[N] : (d0 >= 0, -d0 + N - 1 >= 0, d0 mod 2 == 0)>, b = affine_set<(d0) : (d0 <= 5)>, c = affine_set<() : ()>, d = affine_set<(d0, d1) : (d0 >= d1)>} : () -> ()
