// pipeline: builtin.module(canonicalize)
func.func @sizes(%m: memref<4x?xi32>, %n: index) -> (index, index, index, memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%c1, %n) : memref<?x?xi32>
  %0 = memref.dim %m, %c0 : memref<4x?xi32>
  %1 = memref.dim %m, %c1 : memref<4x?xi32>
  %2 = memref.dim %a, %c1 : memref<?x?xi32>
  return %0, %1, %2, %a : index, index, index, memref<?x?xi32>
}
func.func @casts(%m: memref<4x4xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.cast %m : memref<4x4xi32> to memref<?x4xi32>
  %b = memref.cast %a : memref<?x4xi32> to memref<?x?xi32>
  memref.store %x, %b[%c0, %c0] : memref<?x?xi32>
  %v = memref.load %b[%c0, %c0] : memref<?x?xi32>
  return %v : i32
}
func.func @only_written(%x: i32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  memref.store %x, %m[%c0] : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return
}
// -----
func.func @composed(%m: memref<64xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %b = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%a, %j)
      %v = affine.load %m[%b] : memref<64xi32>
      affine.store %v, %m[%b] : memref<64xi32>
    }
  }
  return
}
func.func @constant_operands(%m: memref<64xi32>) {
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  affine.for %i = 0 to %c10 {
    %v = affine.load %m[%i + symbol(%c3)] : memref<64xi32>
    affine.store %v, %m[%c3] : memref<64xi32>
  }
  return
}
func.func @bounds(%n: index) {
  affine.for %i = max affine_map<()[s0] -> (0, s0, 0)>()[%n] to min affine_map<()[s0] -> (s0, 10, s0)>()[%n] {
    "some.use"(%i) : (index) -> ()
  }
  affine.for %i = max affine_map<() -> (0, 3)>() to min affine_map<() -> (20, 10)>() {
    "some.use"(%i) : (index) -> ()
  }
  return
}
func.func @passes_on(%x: i32, %n: index) -> (i32, i32, i32) {
  %a:2 = affine.for %i = 0 to 10 iter_args(%p = %x, %q = %x) -> (i32, i32) {
    affine.yield %p, %q : i32, i32
  }
  %b = affine.for %i = 5 to 5 iter_args(%p = %x) -> i32 {
    %q = arith.addi %p, %p : i32
    affine.yield %q : i32
  }
  return %a#0, %a#1, %b : i32, i32, i32
}
func.func @condition(%n: index) {
  affine.for %i = 0 to 8 {
    %a = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%a) {
      "some.use"(%i) : (index) -> ()
    } else {
    }
  }
  return
}
// -----
module {
  func.func @in_inner_module(%x: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %a = arith.addi %x, %c1 : i32
    %b = arith.addi %a, %c2 : i32
    return %b : i32
  }
}
%c = arith.constant 4 : i32
%d = arith.addi %c, %c : i32
"some.use"(%d) ({
  %e = arith.constant 4 : i32
  %f = arith.muli %e, %e : i32
  "some.use"(%f) : (i32) -> ()
}) : (i32) -> ()
