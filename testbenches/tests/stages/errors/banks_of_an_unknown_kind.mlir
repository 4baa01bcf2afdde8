func.func @set(%a: memref<8x4xi32> {sluice.banks = {dim = 1, factor = 2, kind = "cyclick"}}, %x: i32) { //~ error: no kind of banks is called `cyclick`; did you mean `cyclic`?
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
