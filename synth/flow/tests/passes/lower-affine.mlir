// pipeline: builtin.module(lower-affine)
func.func @maps(%a: memref<4x4xi8>, %n: index) {
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (4, s0)>(%i)[%n] {
      affine.if affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>(%i, %j) {
        %x = affine.load %a[%i, (%j + %i) mod 4] : memref<4x4xi8>
        affine.store %x, %a[%j, %i] : memref<4x4xi8>
      }
    }
  }
  return
}
// -----
func.func @expressions(%a: index, %b: index) -> (index, index, index, index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 mod 5 + s0 * 3)>(%a)[%b]
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv 5)>(%a)
  %2 = affine.apply affine_map<(d0) -> (d0 ceildiv 5 - 7)>(%a)
  %3 = affine.min affine_map<(d0, d1) -> (d0, d1 + 1, 9)>(%a, %b)
  %4 = affine.max affine_map<(d0, d1) -> (d0 - d1, 2)>(%a, %b)
  %5 = affine.apply affine_map<() -> (42)>()
  return %0, %1, %2, %3, %4, %5 : index, index, index, index, index, index
}
// -----
func.func @carried(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %r = affine.for %i = max affine_map<()[s0] -> (s0, 3)>()[%n] to 100 step 4 iter_args(%s = %x) -> f32 {
    %v = affine.load %m[%i + symbol(%n)] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  return %r : f32
}
// -----
func.func @conditions(%a: index, %b: index, %x: i32) -> i32 {
  %r = affine.if affine_set<(d0, d1)[s0] : (d0 - 3 >= 0, d0 + d1 - s0 == 0)>(%a, %b)[%b] -> i32 {
    %y = arith.addi %x, %x : i32
    affine.yield %y : i32
  } else {
    affine.yield %x : i32
  }
  affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%a) {
    "demo.a"() : () -> ()
  } else {
    "demo.b"() : () -> ()
  }
  return %r : i32
}
// -----
func.func @parallel(%m: memref<8x8xi32>, %n: index) -> (i32, i32, i32, i32) {
  affine.parallel (%i, %j) = (0, 0) to (8, min(symbol(%n), 8)) step (1, 2) {
    %v = affine.load %m[%i, %j] : memref<8x8xi32>
    affine.store %v, %m[%j, %i] : memref<8x8xi32>
  }
  %r:4 = affine.parallel (%i) = (0) to (8) reduce ("addi", "muli", "ori", "andi") -> (i32, i32, i32, i32) {
    %v = affine.load %m[%i, 0] : memref<8x8xi32>
    affine.yield %v, %v, %v, %v : i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}
// -----
func.func @floats(%m: memref<8x8xf32>) -> (f32, f32, f32, f32) {
  %r:4 = affine.parallel (%i, %j) = (0, 0) to (8, 8) reduce ("addf", "mulf", "maximumf", "minimumf") -> (f32, f32, f32, f32) {
    %v = affine.load %m[%i, %j] : memref<8x8xf32>
    affine.yield %v, %v, %v, %v : f32, f32, f32, f32
  }
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}
// -----
func.func @hints(%m: memref<8x8xf32>, %v: vector<4xf32>, %a: index) -> vector<4xf32> {
  affine.prefetch %m[%a, %a + 1], read, locality<3>, data : memref<8x8xf32>
  return %v : vector<4xf32>
}
// -----
func.func @indices(%i: index, %a: index, %b: index) -> (index, index) {
  %0:2 = affine.delinearize_index %i into (%a, %b) : index, index
  return %0#0, %0#1 : index, index
}
// -----
func.func @nested_parallel(%m: memref<8x8xi32>, %n: index) {
  affine.for %k = 0 to 3 {
    affine.parallel (%i) = (%k) to (%k + 8) {
      affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
        %v = affine.load %m[%i, 0] : memref<8x8xi32>
        affine.store %v, %m[0, %i] : memref<8x8xi32>
      }
    }
  }
  return
}
// -----
func.func @f(%x: i32) -> (index, i32, index) {
  %c4 = arith.constant 4 : index
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%c4)
  %1 = affine.min affine_map<(d0) -> (d0 + 1, 9)>(%c4)
  %r = affine.for %i = 0 to 0 iter_args(%s = %x) -> i32 {
    %t = arith.addi %s, %s : i32
    affine.yield %t : i32
  }
  affine.for %i = 0 to %c4 {
    "demo.use"(%i) : (index) -> ()
  }
  affine.for %i = 0 to 0 {
    "demo.use"(%i) : (index) -> ()
  }
  return %0, %r, %1 : index, i32, index
}
