func.func private @parallel_without_dimensions(%a: memref<4xi32>, %v: i32) -> i32 {
  affine.parallel () = () to () {
    affine.store %v, %a[0] : memref<4xi32>
  }
  %r = affine.parallel () = () to () reduce ("addi") -> (i32) {
    %x = affine.load %a[1] : memref<4xi32>
    affine.yield %x : i32
  }
  return %r : i32
}
