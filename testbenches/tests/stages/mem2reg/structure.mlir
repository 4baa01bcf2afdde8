// passes: mem2reg, canonicalise

// A conditional gives what it writes, loops carry it; what nobody reads again is carried nowhere, and a cell that nobody wrote is any value.
func.func @structure(%n: index, %go: i1, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 100 : i32
  %sum = memref.alloca() : memref<1xi32>
  %pair = memref.alloca() : memref<2xi32>
  %scratch = memref.alloca() : memref<i32>
  memref.store %x, %sum[%c0] : memref<1xi32>
  scf.if %go {
    memref.store %x, %pair[%c1] : memref<2xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %old = memref.load %sum[%c0] : memref<1xi32>
    memref.store %old, %scratch[] : memref<i32>
    %again = memref.load %scratch[] : memref<i32>
    %new = arith.addi %old, %again : i32
    memref.store %new, %sum[%c0] : memref<1xi32>
  }
  scf.while : () -> () {
    %now = memref.load %sum[%c0] : memref<1xi32>
    %more = arith.cmpi slt, %now, %limit : i32
    scf.condition(%more)
  } do {
    %now = memref.load %sum[%c0] : memref<1xi32>
    %other = memref.load %pair[%c1] : memref<2xi32>
    %new = arith.muli %now, %other : i32
    memref.store %new, %sum[%c0] : memref<1xi32>
    scf.yield
  }
  %result = memref.load %sum[%c0] : memref<1xi32>
  %other = memref.load %pair[%c1] : memref<2xi32>
  return %result, %other : i32, i32
}

//> module {
//>   func.func @structure(%arg0: index, %arg1: i1, %arg2: i32) -> (i32, i32) {
//>     %c0_i32 = arith.constant {sluice.any} 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c100_i32 = arith.constant 100 : i32
//>     %0 = scf.if %arg1 -> (i32) {
//>       scf.yield %arg2 : i32
//>     } else {
//>       scf.yield %c0_i32 : i32
//>     }
//>     %1 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (i32) {
//>       %3 = arith.addi %arg4, %arg4 : i32
//>       scf.yield %3 : i32
//>     }
//>     %2 = scf.while (%arg3 = %1) : (i32) -> i32 {
//>       %3 = arith.cmpi slt, %arg3, %c100_i32 : i32
//>       scf.condition(%3) %arg3 : i32
//>     } do {
//>     ^bb0(%arg3: i32):
//>       %3 = arith.muli %arg3, %0 : i32
//>       scf.yield %3 : i32
//>     }
//>     return %2, %0 : i32, i32
//>   }
//> }
