// The greatest common divisors of 8 pairs of unsigned integers by Euclid's algorithm. gcd(a, 0) = a.
func.func @gcd_many(%a: memref<8xi32>, %b: memref<8xi32>, %divisors: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = arith.constant 8 : index
  %none = arith.constant 0 : i32
  scf.for %i = %zero to %length step %one {
    %first = memref.load %a[%i] : memref<8xi32>
    %second = memref.load %b[%i] : memref<8xi32>
    %divisor, %rest = scf.while (%x = %first, %y = %second) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %y, %none : i32
      scf.condition(%more) %x, %y : i32, i32
    } do {
    ^bb0(%x: i32, %y: i32):
      %remainder = arith.remui %x, %y : i32
      scf.yield %y, %remainder : i32, i32
    }
    memref.store %divisor, %divisors[%i] : memref<8xi32>
  }
  return
}
