func.func @alignment(%m: memref<4xi32>, %i: index) -> i32 {
  %0 = memref.assume_alignment %m, 16 : memref<4xi32>
  %1 = "memref.assume_alignment"(%m) <{alignment = 4 : i32}> : (memref<4xi32>) -> memref<4xi32>
  %2 = memref.load %0[%i] {alignment = 16 : i64} : memref<4xi32>
  memref.store %2, %m[%i] {alignment = 8 : i64, nontemporal = true} : memref<4xi32>
  return %2 : i32
}
// -----
func.func @distinct(%m: memref<4xi32>, %n: memref<?xi8>) {
  %0:2 = memref.distinct_objects %m, %n : memref<4xi32>, memref<?xi8>
  %1 = memref.distinct_objects %m {note} : memref<4xi32>
  return
}
// -----
func.func @kinds(%m: memref<4xi32>, %i: index, %v: i32) {
  %0 = memref.atomic_rmw xori %v, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xi32>) {
  %0 = memref.assume_alignment %m, 3 : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>) {
  %0 = "memref.assume_alignment"(%m) <{alignment = 4 : i32}> : (memref<4xi32>) -> memref<?xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>) {
  %0, %1 = memref.assume_alignment %m, 4 : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index) {
  %0 = memref.load %m[%i] {alignment = 3 : i64} : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %v: i32) {
  memref.store %v, %m[%i] {alignment = 4 : i32} : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>) {
  %0:2 = memref.distinct_objects %m : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %n: memref<?xi8>) {
  %0 = "memref.distinct_objects"(%m, %n) : (memref<4xi32>, memref<?xi8>) -> (memref<4xi32>)
  return
}
// -----
func.func @f(%n: memref<?xi8>) {
  %0 = "memref.distinct_objects"(%n) : (memref<?xi8>) -> (memref<4xi32>)
  return
}
// -----
func.func @f() {
  "memref.distinct_objects"() : () -> ()
  return
}
// -----
func.func @f(%m: i32) {
  %0 = memref.distinct_objects %m : i32
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %v: f32) {
  %0 = memref.atomic_rmw xori %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %v: i32) {
  %0 = "memref.atomic_rmw"(%v, %m, %i) <{kind = 16 : i64}> : (i32, memref<4xi32>, index) -> i32
  return
}
