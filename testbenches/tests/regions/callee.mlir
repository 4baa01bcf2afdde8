// config: {style: elastic, keep: [scale]}
func.func @scale(%a: memref<16xi32>, %f: i32, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %s = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi32>
    %y = arith.muli %x, %f : i32
    %z = arith.addi %y, %n : i32
    affine.store %z, %a[%i] : memref<16xi32>
    %t = arith.addi %acc, %z : i32
    affine.yield %t : i32
  }
  return %s : i32
}
func.func @top(%a: memref<16xi32>, %x: memref<16xi32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %most = arith.constant 31 : i32
  %first = arith.andi %n, %most : i32
  %r:2 = scf.while (%k = %first, %sum = %zero) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi sgt, %k, %zero : i32
    scf.condition(%go) %k, %sum : i32, i32
  } do {
  ^bb0(%k: i32, %sum: i32):
    %f = memref.load %x[%c0] : memref<16xi32>
    %s = func.call @scale(%a, %f, %k) : (memref<16xi32>, i32, i32) -> i32
    %odd = arith.trunci %s : i32 to i1
    %three = arith.constant 3 : i32
    %d = arith.select %odd, %three, %one : i32
    %k2 = arith.subi %k, %d : i32
    %sum2 = arith.addi %sum, %s : i32
    memref.store %s, %x[%c0] : memref<16xi32>
    scf.yield %k2, %sum2 : i32, i32
  }
  return %r#1 : i32
}
