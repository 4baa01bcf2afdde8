// passes: forward

// What a cell holds is not known any more after an operation that may write it, and a store that may be read stays.
func.func @atomic_and_unknown(%m: memref<4xi32>, %n: memref<4xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<4xi32>
  %r = memref.atomic_rmw addi %x, %m[%c0] : (i32, memref<4xi32>) -> i32
  "x.w"(%m) : (memref<4xi32>) -> ()
  %v = memref.load %m[%c0] : memref<4xi32>
  return %v : i32
}
func.func @cast(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %al = memref.alloc() : memref<4xi32>
  %ca = memref.cast %al : memref<4xi32> to memref<?xi32>
  memref.store %x, %al[%c0] : memref<4xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %ca[%c0] : memref<?xi32>
  %v = memref.load %al[%c0] : memref<4xi32>
  return %v : i32
}
func.func @copy_reads(%m: memref<4xi32>, %n: memref<4xi32>, %x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<4xi32>
  memref.copy %m, %n : memref<4xi32> to memref<4xi32>
  memref.store %y, %m[%c0] : memref<4xi32>
  %v = memref.load %m[%c0] : memref<4xi32>
  %w = memref.load %n[%c0] : memref<4xi32>
  %s = arith.addi %v, %w : i32
  return %s : i32
}
func.func @other_memory(%m: memref<4xi32>, %n: memref<4xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<4xi32>
  %r = memref.atomic_rmw addi %x, %n[%c0] : (i32, memref<4xi32>) -> i32
  %v = memref.load %m[%c0] : memref<4xi32>
  return %v : i32
}
func.func @region(%m: memref<4xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<4xi32>
  "x.region"() ({
    %v = memref.load %m[%c0] : memref<4xi32>
    "x.use"(%v) : (i32) -> ()
  }) : () -> ()
  %w = memref.load %m[%c0] : memref<4xi32>
  return %w : i32
}

//> module {
//>   func.func @atomic_and_unknown(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     memref.store %arg2, %arg0[%c0] : memref<4xi32>
//>     %0 = memref.atomic_rmw addi %arg2, %arg0[%c0] : (i32, memref<4xi32>) -> i32
//>     "x.w"(%arg0) : (memref<4xi32>) -> ()
//>     %1 = memref.load %arg0[%c0] : memref<4xi32>
//>     return %1 : i32
//>   }
//>   func.func @cast(%arg0: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %alloc = memref.alloc() : memref<4xi32>
//>     %cast = memref.cast %alloc : memref<4xi32> to memref<?xi32>
//>     memref.store %arg0, %alloc[%c0] : memref<4xi32>
//>     %0 = arith.addi %arg0, %arg0 : i32
//>     memref.store %0, %cast[%c0] : memref<?xi32>
//>     %1 = memref.load %alloc[%c0] : memref<4xi32>
//>     return %1 : i32
//>   }
//>   func.func @copy_reads(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i32, %arg3: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     memref.store %arg2, %arg0[%c0] : memref<4xi32>
//>     memref.copy %arg0, %arg1 : memref<4xi32> to memref<4xi32>
//>     memref.store %arg3, %arg0[%c0] : memref<4xi32>
//>     %0 = memref.load %arg1[%c0] : memref<4xi32>
//>     %1 = arith.addi %arg3, %0 : i32
//>     return %1 : i32
//>   }
//>   func.func @other_memory(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     memref.store %arg2, %arg0[%c0] : memref<4xi32>
//>     %0 = memref.atomic_rmw addi %arg2, %arg1[%c0] : (i32, memref<4xi32>) -> i32
//>     return %arg2 : i32
//>   }
//>   func.func @region(%arg0: memref<4xi32>, %arg1: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     memref.store %arg1, %arg0[%c0] : memref<4xi32>
//>     "x.region"() ({
//>       %1 = memref.load %arg0[%c0] : memref<4xi32>
//>       "x.use"(%1) : (i32) -> ()
//>     }) : () -> ()
//>     %0 = memref.load %arg0[%c0] : memref<4xi32>
//>     return %0 : i32
//>   }
//> }
