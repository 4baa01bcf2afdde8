func.func @f(%a: memref<4xf32>, %n: index) {
  %0 = memref.realloc %a(%n) : memref<4xf32> to memref<8xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  %0 = memref.realloc %a : memref<4xf32> to memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  %0 = memref.realloc %a : memref<4xf32> to memref<8xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32, 1>, %n: index) {
  %0 = memref.realloc %a : memref<4xf32, 1> to memref<8xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32, strided<[2]>>, %n: index) {
  %0 = memref.realloc %a : memref<4xf32, strided<[2]>> to memref<8xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  %0 = memref.realloc %a : memref<4xf32> to memref<8xf32, strided<[2]>>
  return
}
// -----
func.func @f(%a: memref<4x4xf32>, %n: index) {
  %0 = memref.realloc %a : memref<4x4xf32> to memref<8x4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  memref.prefetch %a[%n, %n], read, locality<3>, data : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  memref.prefetch %a[%n], read, locality<4>, data : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  memref.prefetch %a[%n], rd, locality<3>, data : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  memref.prefetch %a[%n], read, locality<3>, foo : memref<4xf32>
  return
}
// -----
func.func @f(%x: i32, %a: memref<4xi32>, %n: index) {
  %0 = memref.atomic_rmw addf %x, %a[%n] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.atomic_rmw addi %x, %a[%n] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.atomic_rmw addf %x, %a[%n, %n] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xi32>, %n: index) {
  %0 = memref.atomic_rmw addf %x, %a[%n] : (f32, memref<4xi32>) -> f32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.atomic_rmw foo %x, %a[%n] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xf32> {
  ^bb0(%c: f32, %d: f32):
    memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xf32> {
  ^bb0(%c: i32):
    memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%x: i32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %x : i32
  }
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xf32> {
  ^bb0(%c: f32):
    %1 = memref.alloc() : memref<4xf32>
    memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xf32> {
  ^bb0(%c: f32):
    %1 = arith.addf %x, %x : f32
  }
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = "memref.generic_atomic_rmw"(%a, %n) ({
  ^bb0(%c: f32):
    memref.atomic_yield %x : f32
  }) : (memref<4xf32>, index) -> i32
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xvector<2xf32>>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n] : memref<4xvector<2xf32>> {
  ^bb0(%c: vector<2xf32>):
    memref.atomic_yield %c : vector<2xf32>
  }
  return
}
// -----
func.func @f(%x: f32, %a: memref<4xf32>, %n: index) {
  %0 = memref.generic_atomic_rmw %a[%n, %n] : memref<4xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%x: f32) {
  memref.atomic_yield %x : f32
}
// -----
func.func @f(%a: memref<4xf32>) {
  memref.assume_alignment %a, 12 : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  memref.assume_alignment %a, 0 : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %x: f32) {
  %0 = memref.alloca_scope -> (f32) {
    memref.alloca_scope.return
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %x: f32) {
  memref.alloca_scope {
    memref.alloca_scope.return %x : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %x: f32) {
  memref.alloca_scope.return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %t: memref<1xi32>, %n: index) {
  memref.dma_start %a[%n], %b[%n], %n, %t[%n] : memref<4xf32>, memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, 1>, %t: memref<1xi32>, %n: index) {
  memref.dma_start %a[%n], %b[%n], %n, %t[%n], %n : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, 1>, %t: memref<1xi32>, %n: index) {
  memref.dma_start %a[%n, %n], %b[%n], %n, %t[%n] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, 1>, %t: memref<1xi32>, %n: index) {
  memref.dma_start %a[%n], %b[%n], %n, %t[%n, %n] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%n: index) {
  "memref.dma_start"(%n) : (index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index) {
  "memref.dma_start"(%a, %n, %n, %n) : (memref<4xf32>, index, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index, %i: i32) {
  "memref.dma_start"(%a, %i, %a, %n, %n, %a, %n) : (memref<4xf32>, i32, memref<4xf32>, index, index, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index, %i: i32) {
  "memref.dma_start"(%a, %n, %i, %n, %n, %a, %n) : (memref<4xf32>, index, i32, index, index, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index, %i: i32) {
  "memref.dma_start"(%a, %n, %a, %n, %i, %a, %n) : (memref<4xf32>, index, memref<4xf32>, index, i32, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index, %i: i32) {
  "memref.dma_start"(%a, %n, %a, %n, %n, %n, %n) : (memref<4xf32>, index, memref<4xf32>, index, index, index, index) -> ()
  return
}
// -----
func.func @f(%a: memref<4xf32>, %n: index, %i: i32) {
  "memref.dma_start"(%a, %n, %a, %n, %n, %a, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<4xf32>, i32) -> ()
  return
}
// -----
func.func @f(%t: memref<4xf32>, %n: index) {
  memref.dma_wait %t[%n, %n], %n : memref<4xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32, 1>) {
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<4xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32, 1>) {
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<5xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32, 1>) {
  %0 = memref.memory_space_cast %a : memref<4xf32, 1> to memref<*xf32, 2>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<4xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<4xf32, 1>
  return
}
// -----
func.func @f(%a: memref<*xf32>) {
  %0 = memref.cast %a : memref<*xf32> to memref<*xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}
// -----
func.func @f(%a: memref<4xf32>) {
  %0 = memref.cast %a : memref<4xf32> to memref<4x1xf32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<4xi32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xi32>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %b: memref<5xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc() : memref<?xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc(%n) : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloca()[%n] : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc() {alignment = -4 : i64} : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc() {alignment = 4 : i32} : memref<4xf32>
  return
}
// -----
"t.x"() ({
  %0 = memref.alloca() : memref<4xf32>
  "t.y"() : () -> ()
}) : () -> ()
// -----
%0 = memref.alloca() : memref<4xf32>
// -----
func.func @f(%n: index, %a: memref<4xf32>) {
  %0 = memref.load %a[%n, %n] : memref<4xf32>
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>, %x: f32) {
  memref.store %x, %a[] : memref<4xf32>
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>, %x: i32) {
  memref.store %x, %a[%n] : memref<4xf32>
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>, %x: i32) {
  "memref.store"(%x, %a, %n) : (i32, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>) {
  %0 = "memref.load"(%a, %n) : (memref<4xf32>, index) -> i32
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>) {
  %0 = memref.load %a[%n] : memref<?xf32>
  return
}
// -----
func.func @f(%n: index, %a: memref<f32>) {
  %0 = memref.dim %a, %n : memref<f32>
  return
}
// -----
func.func @f(%n: index, %a: f32) {
  %0 = memref.dim %a, %n : f32
  return
}
// -----
func.func @f() {
  %c = arith.constant 7 : index
  %m = memref.alloc() : memref<4xf32>
  %0 = memref.dim %m, %c : memref<4xf32>
  return
}
// -----
memref.global @g : memref<?xf32>
// -----
memref.global @g : memref<*xf32>
// -----
memref.global @g : i32
// -----
memref.global @g : memref<2xf32> = dense<1>
// -----
memref.global @g : memref<2xf32> = dense<1.0> : tensor<2xf32>
// -----
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = dense<1.0> : tensor<3xf32>}> : () -> ()
// -----
"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = 5 : i32}> : () -> ()
// -----
"memref.global"() <{sym_name = "g", type = memref<2xf32>, constant, initial_value}> : () -> ()
// -----
memref.global "private" @g : memref<2xf32> {alignment = 63 : i64}
// -----
memref.global "foo" @g : memref<2xf32>
// -----
memref.global private @g : memref<2xf32>
// -----
func.func @f() {
  %0 = memref.get_global @g : memref<2xf32>
  return
}
// -----
memref.global @g : memref<3xf32>
func.func @f() {
  %0 = memref.get_global @g : memref<2xf32>
  return
}
// -----
func.func @g() {
  %0 = memref.get_global @g : memref<2xf32>
  return
}
// -----
func.func @g(%a: memref<2xf32>) {
  %0 = memref.rank %a : memref<3xf32>
  return
}
// -----
func.func @g(%a: f32) {
  %0 = memref.rank %a : f32
  return
}
// -----
func.func @g(%a: f32) {
  memref.dealloc %a : f32
  return
}
// -----
func.func @f(%n: index, %a: memref<4xf32>) {
  %0 = memref.load %a[%n] {nontemporal = 3 : i32} : memref<4xf32>
  return
}
