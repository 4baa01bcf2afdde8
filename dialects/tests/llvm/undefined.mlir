func.func @f() {
  %0 = llvm.mlir.undef : i32
  %1 = llvm.mlir.poison : i64
  %2 = llvm.mlir.undef {t.a} : f32
  %3 = llvm.mlir.undef : vector<2xindex>
  return
}
// -----
func.func @f() {
  %0 = "llvm.mlir.undef"() : () -> i32
  %1 = "llvm.mlir.poison"() {t.a = 1 : i32} : () -> i1
  return
}
// -----
func.func @f() {
  %0 = llvm.mlir.undef : index
  return
}
// -----
func.func @f() {
  %0 = llvm.mlir.undef : memref<2xi32>
  return
}
// -----
func.func @f() {
  %0 = llvm.mlir.poison i32
  return
}
// -----
func.func @f(%p: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<external>} {
  return
}
