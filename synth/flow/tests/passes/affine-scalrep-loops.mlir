// pipeline: builtin.module(func.func(affine-scalrep))
func.func @earlier_iteration(%m: memref<20xf32>, %x: f32, %n: memref<20xf32>) {
  affine.store %x, %m[0] : memref<20xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %m[0] : memref<20xf32>
    %s = arith.addf %v, %v : f32
    affine.store %s, %m[%i] : memref<20xf32>
  }
  affine.store %x, %m[15] : memref<20xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %m[15] : memref<20xf32>
    %s = arith.addf %v, %v : f32
    affine.store %s, %m[%i] : memref<20xf32>
  }
  return
}
// -----
func.func @loads_around(%m: memref<20xf32>) -> f32 {
  %a = affine.load %m[0] : memref<20xf32>
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%t = %z) -> f32 {
    %v = affine.load %m[0] : memref<20xf32>
    %w = affine.load %m[%i] : memref<20xf32>
    %s = arith.addf %v, %w : f32
    %u = arith.addf %s, %t : f32
    affine.yield %u : f32
  }
  %b = affine.load %m[0] : memref<20xf32>
  %s = arith.addf %a, %b : f32
  %y = arith.addf %s, %r : f32
  return %y : f32
}
// -----
func.func @composed(%m: memref<20xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    %a = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.store %x, %m[%a] : memref<20xf32>
    %v = affine.load %m[%i + 1] : memref<20xf32>
    affine.store %v, %m[%i] : memref<20xf32>
    %b = affine.apply affine_map<(d0) -> (d0 - 1)>(%a)
    %w = affine.load %m[%b] : memref<20xf32>
    affine.store %w, %m[%i + 3] : memref<20xf32>
  }
  return
}
// -----
func.func @in_branches(%m: memref<20xf32>, %x: f32, %y: f32, %p: i1) -> f32 {
  affine.store %x, %m[0] : memref<20xf32>
  scf.if %p {
    affine.store %y, %m[0] : memref<20xf32>
  }
  %v = affine.load %m[0] : memref<20xf32>
  affine.store %x, %m[1] : memref<20xf32>
  scf.if %p {
    %w = affine.load %m[1] : memref<20xf32>
    affine.store %w, %m[2] : memref<20xf32>
  }
  return %v : f32
}
