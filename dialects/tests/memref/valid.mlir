func.func @f(%n: index, %a: memref<?x8xf32>, %b: memref<8x16x4xf32, strided<[64, 4, 1]>>, %bytes: memref<2048xi8>, %sh: memref<2xindex>, %u: memref<*xf32>, %x: f32, %i: i32, %tag: memref<1xi32>, %a2: memref<?x8xf32, 1>) {
  %c0 = arith.constant 0 : index
  %0 = memref.subview %b[%n, %n, %n] [%n, 4, 2] [1, %n, 1] : memref<8x16x4xf32, strided<[64, 4, 1]>> to memref<?x4x2xf32, strided<[64, ?, 1], offset: ?>>
  %1 = memref.view %bytes[%n][] : memref<2048xi8> to memref<64x4xf32>
  %2 = memref.view %bytes[%n][%n, %n] : memref<2048xi8> to memref<?x4x?xf32>
  %3 = memref.reinterpret_cast %a to offset: [%n], sizes: [4, %n], strides: [%n, 1] : memref<?x8xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %r0 = memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  %4 = memref.reshape %u(%sh) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  %5 = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  %6 = memref.collapse_shape %5 [[0, 1], [2]] {t.a} : memref<?x4x8xf32> into memref<?x8xf32>
  %7 = memref.transpose %a (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
  %8 = memref.extract_aligned_pointer_as_index %a : memref<?x8xf32> -> index
  %9 = memref.rank %u : memref<*xf32>
  %v1 = memref.alloc() : memref<4xf32>
  %10 = memref.realloc %v1 : memref<4xf32> to memref<8xf32>
  %11 = memref.realloc %10(%n) {alignment = 8 : i64} : memref<8xf32> to memref<?xf32>
  memref.prefetch %a[%n, %c0], read, locality<3>, data : memref<?x8xf32>
  memref.prefetch %a[%n, %c0], write, locality<0>, instr : memref<?x8xf32>
  %12 = memref.atomic_rmw addf %x, %a[%n, %c0] : (f32, memref<?x8xf32>) -> f32
  %13 = memref.generic_atomic_rmw %a[%n, %c0] : memref<?x8xf32> {
  ^bb0(%cur: f32):
    %s = arith.addf %cur, %x : f32
    memref.atomic_yield %s : f32
  }
  %14 = memref.generic_atomic_rmw %v1[%n] : memref<4xf32> {
  ^bb0(%cur: f32):
    memref.atomic_yield %cur : f32
  } {t.a}
  memref.assume_alignment %a, 64 : memref<?x8xf32>
  memref.alloca_scope {
    %q = memref.alloca() : memref<4xf32>
    memref.alloca_scope.return
  }
  %15:2 = memref.alloca_scope -> (f32, i32) {
    memref.alloca_scope.return %x, %i : f32, i32
  } {t.a}
  memref.dma_start %a[%n, %c0], %a2[%n, %c0], %n, %tag[%c0] : memref<?x8xf32>, memref<?x8xf32, 1>, memref<1xi32>
  memref.dma_start %a[%n, %c0], %a2[%n, %c0], %n, %tag[%c0], %n, %n : memref<?x8xf32>, memref<?x8xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %16 = memref.memory_space_cast %a2 : memref<?x8xf32, 1> to memref<?x8xf32>
  %17 = memref.cast %a : memref<?x8xf32> to memref<4x8xf32>
  memref.copy %a, %17 : memref<?x8xf32> to memref<4x8xf32>
  %18 = memref.transpose %b (i, j, k) -> (k, i, j) {t.a} : memref<8x16x4xf32, strided<[64, 4, 1]>> to memref<4x8x16xf32, strided<[1, 64, 4]>>
  return
}
memref.global @e : memref<2xi32>
memref.global constant @g : memref<2xf32> = dense<1.0>
memref.global "private" @g2 : memref<2xf32> = uninitialized {alignment = 64 : i64}
memref.global "nested" constant @g3 : memref<2xf32> = dense<[1.0, 2.0]> {t.a = 1}
memref.global @g4 : memref<f32> = dense<1.0>
memref.global @g5 : memref<2x2xi8, 3> = dense_resource<foo>
