// pipeline: builtin.module(func.func(affine-simplify-structures))
func.func @maps(%a: index, %b: index) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1 + 2 - 1)>(%a)
  %1 = affine.apply affine_map<(d0, d1) -> ((d0 + d1 * 4 - d1 * 4) mod 3)>(%a, %b)
  %2 = affine.apply affine_map<(d0) -> ((d0 * 8 + 4) floordiv 4)>(%a)
  %3 = affine.apply affine_map<(d0, d1)[s0] -> ((d0 - d0 mod 4) mod 4 + s0 - s0)>(%a, %b)[%a]
  %4 = affine.apply affine_map<(d0) -> (d0 mod 4 + (d0 floordiv 4) * 4)>(%a)
  %5 = affine.apply affine_map<(d0) -> ((d0 * 2) mod 2)>(%a)
  %6 = affine.apply affine_map<(d0) -> ((d0 floordiv 2) floordiv 3)>(%a)
  %7 = affine.apply affine_map<(d0) -> (d0 - 16 * ((d0) floordiv 16))>(%a)
  "demo.use"(%0, %1, %2, %3, %4, %5, %6, %7) : (index, index, index, index, index, index, index, index) -> ()
  return
}
// -----
func.func @applies(%m: memref<?xi32>, %n: index) {
  affine.for %i = 0 to 10 {
    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 * 2)>(%0)
    %2 = affine.load %m[%1] : memref<?xi32>
    %3 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%1)[%n]
    affine.store %2, %m[%3] : memref<?xi32>
    "demo.use"(%3) : (index) -> ()
  }
  return
}
// -----
func.func @conditions(%n: index, %m: index) {
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 100 == 0, d0 - 200 == 0)>(%i) {
      "demo.never"() : () -> ()
    }
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, s0 - d0 + 3 >= 0)>(%i)[%n] {
      "demo.some"() : () -> ()
    }
    affine.if affine_set<(d0) : (1 == 0)>(%i) {
      "demo.constant"() : () -> ()
    } else {
      "demo.other"() : () -> ()
    }
    affine.if affine_set<(d0) : (0 >= 0)>(%i) {
      "demo.always"() : () -> ()
    }
    affine.if affine_set<(d0, d1) : (d0 * 2 - 4 >= 0, d0 - 2 >= 0, d0 - 2 >= 0)>(%i, %n) {
      "demo.twice"() : () -> ()
    }
    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
    }
  }
  return
}
// -----
func.func @layouts(%x: i32, %n: index) {
  %m = memref.alloc() : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
  affine.for %i = 0 to 16 {
    affine.store %x, %m[%i, %i + 3] : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
  }
  "demo.use"(%n) : (index) -> ()
  return
}
// -----
func.func @extremes(%a: index, %b: index, %m: memref<?xi32>) -> i32 {
  %0 = affine.min affine_map<(d0, d1) -> (d0 + d1 - d1, 4)>(%a, %b)
  %1 = affine.max affine_map<(d0, d1) -> (d0 + 0, d0)>(%a, %b)
  %2 = affine.load %m[%a + %b - %b] : memref<?xi32>
  "demo.use"(%0, %1) {map = affine_map<(d0, d1) -> (d0 + d1 - d1, 4)>} : (index, index) -> ()
  return %2 : i32
}
