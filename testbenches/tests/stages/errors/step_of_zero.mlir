func.func @still(%a: memref<4xi8>, %x: i8) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  scf.for %i = %zero to %four step %zero { //~ error: a step of 0 never ends
    memref.store %x, %a[%i] : memref<4xi8>
  }
  return
}
