func.func @all(%a: memref<8x8xi32>, %bytes: memref<64xi8>, %x: i32, %n: index, %tag: memref<1xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %view = memref.view %bytes[%zero][] : memref<64xi8> to memref<4xi32> //~ error: `memref.view` has no hardware yet
  %pointer = memref.extract_aligned_pointer_as_index %a : memref<8x8xi32> -> index //~ error: `memref.extract_aligned_pointer_as_index` has no hardware yet
  memref.prefetch %a[%n, %n], read, locality<3>, data : memref<8x8xi32> //~ error: `memref.prefetch` has no hardware yet
  %old = memref.atomic_rmw addi %x, %a[%n, %n] : (i32, memref<8x8xi32>) -> i32 //~ error: `memref.atomic_rmw` has no hardware yet
  %new = memref.generic_atomic_rmw %a[%n, %n] : memref<8x8xi32> { //~ error: `memref.generic_atomic_rmw` has no hardware yet
  ^bb0(%cell: i32):
    memref.atomic_yield %cell : i32 //~ error: `memref.atomic_yield` has no hardware yet
  }
  memref.alloca_scope { //~ error: `memref.alloca_scope` has no hardware yet
    memref.alloca_scope.return //~ error: `memref.alloca_scope.return` has no hardware yet
  }
  memref.dma_start %a[%n, %n], %a[%n, %n], %n, %tag[%n] : memref<8x8xi32>, memref<8x8xi32>, memref<1xi32> //~ error: `memref.dma_start` has no hardware yet
  memref.dma_wait %tag[%n], %n : memref<1xi32> //~ error: `memref.dma_wait` has no hardware yet
  affine.prefetch %a[%n, %n], read, locality<3>, data : memref<8x8xi32> //~ error: `affine.prefetch` has no hardware yet
  affine.dma_wait %tag[%n], %n : memref<1xi32> //~ error: `affine.dma_wait` has no hardware yet
  affine.parallel () = () to () { //~ error: `affine.parallel` without dimensions
  }
  affine.for %i = 0 to 8 step 0 { //~ error: a step of 0 never ends
  }
  scf.forall (%i) in (8) { //~ error: `scf.forall` has no hardware yet
    scf.forall.in_parallel { //~ error: `scf.forall.in_parallel` has no hardware yet
    }
  }
  return %x : i32
}
