#halves = affine_map<(d0) -> (d0 ceildiv -2)>
func.func @k(%a: memref<4xi32>, %n: index) -> index {
  affine.for %i = 0 to 3 {
    %x = affine.load %a[%i mod 0] : memref<4xi32> //~ error: `mod` by 0 in `(d0) -> (d0 mod 0)`: the divisor must be greater than 0
    affine.store %x, %a[%i floordiv 0] : memref<4xi32> //~ error: `floordiv` by 0 in `(d0) -> (d0 floordiv 0)`: the divisor must be greater than 0
    affine.if affine_set<(d0) : (d0 mod 0 == 0)>(%i) { //~ error: `mod` by 0
      affine.store %x, %a[0] : memref<4xi32>
    }
  }
  %r = affine.apply #halves(%n) //~ error: `ceildiv` by -2 in `(d0) -> (d0 ceildiv -2)`: the divisor must be greater than 0
  return %r : index
}
