func.func @numbers(%a: index, %b: index, %c: index) -> index {
  %0 = affine.linearize_index [%a, %b, %c] by (2, 3, 5) : index
  %1 = affine.linearize_index disjoint [%a, %b, %c] by (%a, 3, 5) : index
  %2 = affine.linearize_index [%a, %b, %c] by (3, %a) : index
  %3 = affine.linearize_index disjoint [%a] by () {note} : index
  %4 = affine.linearize_index [] by () : index
  return %0 : index
}
// -----
func.func @digits(%a: index, %b: index) {
  %0:3 = affine.delinearize_index %a into (2, 3, 5) : index, index, index
  %1:3 = affine.delinearize_index %a into (%b, 3, 5) : index, index, index
  %2:3 = affine.delinearize_index %a into (3, %b) : index, index, index
  %3 = affine.delinearize_index %a into () : index
  %4:2 = affine.delinearize_index %a into (%b, 4) {note} : index, index
  %5:2 = affine.delinearize_index %a into (%b, %a) : index, index
  %6:2 = "affine.delinearize_index"(%a, %b) <{static_basis = array<i64: 4, -9223372036854775808>}> : (index, index) -> (index, index)
  return
}
// -----
func.func @f(%a: index) {
  %0:4 = affine.delinearize_index %a into (2, 3) : index, index, index, index
  return
}
// -----
func.func @f(%a: index) {
  %0 = affine.delinearize_index %a into (2, 3) : index
  return
}
// -----
func.func @f(%a: index) {
  %0:2 = affine.delinearize_index %a into (2, -3) : index, index
  return
}
// -----
func.func @f(%a: index, %b: index) {
  %0:2 = "affine.delinearize_index"(%a, %b) <{static_basis = array<i64: 4, 5>}> : (index, index) -> (index, index)
  return
}
// -----
func.func @f(%a: index, %b: index, %c: index) {
  %0 = affine.linearize_index [%a, %b, %c] by (2) : index
  return
}
// -----
func.func @f(%a: index) {
  %0 = affine.linearize_index [%a] by (2, 2) : index
  return
}
// -----
func.func @f(%a: i32) {
  %0 = affine.linearize_index [%a] by (4) : i32
  return
}
// -----
func.func @f(%a: index) {
  %0 = affine.delinearize_index %a into (4) : i32
  return
}
// -----
func.func @subscripts(%m: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %0:2 = affine.delinearize_index %i into (2, 4) : index, index
    %1 = affine.linearize_index [%0#1, %0#0] by (4, 2) : index
    %2 = affine.load %m[%1] : memref<8xi32>
    affine.store %2, %m[%0#0] : memref<8xi32>
  }
  return
}
// -----
func.func @f(%m: memref<8xi32>, %s: memref<8xindex>, %i: index) {
  affine.for %k = 0 to 8 {
    %n = affine.load %s[%k] : memref<8xindex>
    %0:2 = affine.delinearize_index %n into (2, 4) : index, index
    %1 = affine.load %m[%0#0] : memref<8xi32>
  }
  return
}
