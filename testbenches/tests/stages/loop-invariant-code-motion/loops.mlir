// passes: loop-invariant-code-motion

// Every kind of loop; what may be undefined stays, since a loop may have no iteration.
func.func @f(%i: i32, %x: index, %p: i1, %m: memref<?x?xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : i32
  scf.parallel (%k) = (%x) to (%x) step (%x) { %a = arith.addi %i, %i : i32 "u.p"(%a) : (i32) -> () scf.reduce }
  scf.forall (%k) in (3) { %a = arith.subi %i, %i : i32 "u.fa"(%a) : (i32) -> () }
  affine.parallel (%k) = (0) to (3) { %a = arith.muli %i, %i : i32 "u.ap"(%a) : (i32) -> () }
  scf.while : () -> () { %a = arith.xori %i, %i : i32 "u.w"(%a) : (i32) -> () scf.condition(%p) } do { %b = arith.ori %i, %i : i32 "u.w2"(%b) : (i32) -> () scf.yield }
  affine.for %k = 0 to 3 { %a = arith.andi %i, %i : i32 "u.af"(%a) : (i32) -> () }
  scf.for %k = %x to %x step %x {
    %a = arith.divui %i, %i : i32
    %b = arith.remsi %i, %i : i32
    %c = arith.remui %i, %c3 : i32
    %d = memref.dim %m, %x : memref<?x?xi32>
    %e = memref.dim %m, %c1 : memref<?x?xi32>
    %f = memref.dim %m, %c2 : memref<?x?xi32>
    "u.sf"(%a, %b, %c, %d, %e, %f) : (i32, i32, i32, index, index, index) -> ()
  }
  return
}

//> module {
//>   func.func @f(%arg0: i32, %arg1: index, %arg2: i1, %arg3: memref<?x?xi32>) {
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %c3_i32 = arith.constant 3 : i32
//>     %0 = arith.addi %arg0, %arg0 : i32
//>     scf.parallel (%arg4) = (%arg1) to (%arg1) step (%arg1) {
//>       "u.p"(%0) : (i32) -> ()
//>       scf.reduce
//>     }
//>     %1 = arith.subi %arg0, %arg0 : i32
//>     scf.forall (%arg4) in (3) {
//>       "u.fa"(%1) : (i32) -> ()
//>     }
//>     %2 = arith.muli %arg0, %arg0 : i32
//>     affine.parallel (%arg4) = (0) to (3) {
//>       "u.ap"(%2) : (i32) -> ()
//>     }
//>     %3 = arith.xori %arg0, %arg0 : i32
//>     %4 = arith.ori %arg0, %arg0 : i32
//>     scf.while : () -> () {
//>       "u.w"(%3) : (i32) -> ()
//>       scf.condition(%arg2)
//>     } do {
//>       "u.w2"(%4) : (i32) -> ()
//>       scf.yield
//>     }
//>     %5 = arith.andi %arg0, %arg0 : i32
//>     affine.for %arg4 = 0 to 3 {
//>       "u.af"(%5) : (i32) -> ()
//>     }
//>     %6 = arith.remui %arg0, %c3_i32 : i32
//>     %dim = memref.dim %arg3, %c1 : memref<?x?xi32>
//>     scf.for %arg4 = %arg1 to %arg1 step %arg1 {
//>       %7 = arith.divui %arg0, %arg0 : i32
//>       %8 = arith.remsi %arg0, %arg0 : i32
//>       %dim_0 = memref.dim %arg3, %arg1 : memref<?x?xi32>
//>       %dim_1 = memref.dim %arg3, %c2 : memref<?x?xi32>
//>       "u.sf"(%7, %8, %6, %dim_0, %dim, %dim_1) : (i32, i32, i32, index, index, index) -> ()
//>     }
//>     return
//>   }
//> }
