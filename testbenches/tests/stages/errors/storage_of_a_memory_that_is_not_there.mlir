// config: {storage: {line: lut_ram}}
func.func @pass(%x: i32) -> i32 {
  %lines = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %x, %lines[%i] : memref<8xi32>
  }
  %y = affine.load %lines[3] : memref<8xi32>
  return %y : i32
}
//~ error without a place: storage for a memory `line`, which is not there; did you mean `lines`?: local memories and tables are `lines`
