// pipeline: builtin.module(scf-forall-to-parallel)
func.func @known(%m: memref<8x4xi32>, %v: i32) {
  scf.forall (%i, %j) in (8, 4) {
    memref.store %v, %m[%i, %j] : memref<8x4xi32>
  }
  return
}
// -----
func.func @strided(%m: memref<?xi32>, %v: i32, %a: index, %b: index) {
  scf.forall (%i, %j) = (%a, 1) to (%b, 9) step (2, %a) {
    %k = arith.addi %i, %j : index
    memref.store %v, %m[%k] : memref<?xi32>
  }
  return
}
// -----
func.func @nested(%m: memref<?xi32>, %n: index) {
  scf.forall (%i) in (%n) {
    %v = "demo.work"(%i) ({
      scf.forall (%k) in (3) {
        "demo.deep"(%k, %i) : (index, index) -> ()
      }
      "demo.end"() : () -> ()
    }) : (index) -> i32
    scf.forall (%j) in (%i) {
      memref.store %v, %m[%j] : memref<?xi32>
    }
  }
  return
}
// -----
func.func @empty() {
  scf.forall (%i, %j) in (0, 5) {
  }
  scf.forall (%i, %j, %k) in (1, 2, 3) {
    %s = arith.addi %i, %j : index
    %t = arith.addi %s, %k : index
    "demo.use"(%t, %s, %s) : (index, index, index) -> ()
  }
  return
}
