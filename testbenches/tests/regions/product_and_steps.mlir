// config: {style: elastic, loops: {i: {style: static}}}
// config: {style: elastic, loops: {j: {style: static}}}
// config: {style: elastic, loops: {c: {style: static}}}
// config: {loops: {k: {style: elastic}}}
// config: {loops: {c: {style: elastic}}, device: ecp5}
func.func @mixed(%a: memref<16x16xi32>, %x: memref<16xi32>, %y: memref<16xi32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // A product of a matrix and a vector.
  affine.for %i = 0 to 16 {
    %s = affine.for %j = 0 to 16 iter_args(%acc = %zero) -> (i32) {
      %v = affine.load %a[%i, %j] : memref<16x16xi32>
      %w = affine.load %x[%j] : memref<16xi32>
      %p = arith.muli %v, %w : i32
      %t = arith.addi %acc, %p : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<16xi32>
  }
  // The steps that Collatz takes from each.
  %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%all = %zero) -> (i32) {
    %v = memref.load %y[%k] : memref<16xi32>
    %m = arith.constant 63 : i32
    %v1 = arith.andi %v, %m : i32
    %v2 = arith.ori %v1, %one : i32
    %r:2 = scf.while (%c = %v2, %steps = %zero) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi sgt, %c, %one : i32
      scf.condition(%go) %c, %steps : i32, i32
    } do {
    ^bb0(%c: i32, %steps: i32):
      %odd = arith.trunci %c : i32 to i1
      %three = arith.constant 3 : i32
      %up0 = arith.muli %c, %three : i32
      %up = arith.addi %up0, %one : i32
      %down = arith.shrsi %c, %one : i32
      %next = arith.select %odd, %up, %down : i32
      %more = arith.addi %steps, %one : i32
      scf.yield %next, %more : i32, i32
    }
    %t = arith.addi %all, %r#1 : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
