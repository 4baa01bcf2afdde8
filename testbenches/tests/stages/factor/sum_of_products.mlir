// passes: canonicalise, factor, canonicalise

// What every term of what is added has as a factor multiplies the sum.
func.func @twice_weighted(%a: memref<8xi32>, %b: memref<8xi32>, %w: i32, %start: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %start) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %weighted = arith.muli %w, %x : i32
    %first = arith.muli %weighted, %y : i32
    %second = arith.muli %w, %y : i32
    %both = arith.subi %first, %second : i32
    %next = arith.addi %acc, %both : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

// A term without the factor keeps it in the loop.
func.func @once_weighted(%a: memref<8xi32>, %b: memref<8xi32>, %w: i32, %start: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %start) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %weighted = arith.muli %w, %x : i32
    %square = arith.muli %y, %y : i32
    %both = arith.addi %weighted, %square : i32
    %next = arith.addi %acc, %both : i32
    scf.yield %next : i32
  }
  return %sum : i32
}

//> module {
//>   func.func @twice_weighted(%arg0: memref<8xi32>, %arg1: memref<8xi32>, %arg2: i32, %arg3: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %c0_i32) -> (i32) {
//>       %3 = memref.load %arg0[%arg4] : memref<8xi32>
//>       %4 = memref.load %arg1[%arg4] : memref<8xi32>
//>       %5 = arith.muli %4, %3 : i32
//>       %6 = arith.subi %5, %4 : i32
//>       %7 = arith.addi %arg5, %6 : i32
//>       scf.yield %7 : i32
//>     }
//>     %1 = arith.muli %arg2, %0 : i32
//>     %2 = arith.addi %arg3, %1 : i32
//>     return %2 : i32
//>   }
//>   func.func @once_weighted(%arg0: memref<8xi32>, %arg1: memref<8xi32>, %arg2: i32, %arg3: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %arg3) -> (i32) {
//>       %1 = memref.load %arg0[%arg4] : memref<8xi32>
//>       %2 = memref.load %arg1[%arg4] : memref<8xi32>
//>       %3 = arith.muli %arg2, %1 : i32
//>       %4 = arith.muli %2, %2 : i32
//>       %5 = arith.addi %3, %4 : i32
//>       %6 = arith.addi %arg5, %5 : i32
//>       scf.yield %6 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
