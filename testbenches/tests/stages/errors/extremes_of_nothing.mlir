func.func @nothing(%a: memref<4xi8>, %x: i8) -> index {
  %least = affine.min affine_map<() -> ()>() //~ error: `affine.min` of a map without results has no value
  affine.for %i = max affine_map<() -> ()>() to 4 { //~ error: `affine.for` of a map without results has no value
    affine.store %x, %a[%i] : memref<4xi8>
  }
  affine.parallel (%i) = (0) to (min()) { //~ error: `affine.parallel` of a map without results has no value
    affine.store %x, %a[%i] : memref<4xi8>
  }
  return %least : index
}
