// passes: sroa

// Two elements become two memories.
func.func @kernel(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %a, %m[%c0] : memref<2xi32>
  memref.store %b, %m[%c1] : memref<2xi32>
  %x = memref.load %m[%c0] : memref<2xi32>
  %y = memref.load %m[%c1] : memref<2xi32>
  %z = arith.subi %x, %y : i32
  return %z : i32
}

//> module {
//>   func.func @kernel(%arg0: i32, %arg1: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %alloca = memref.alloca() : memref<i32>
//>     %alloca_0 = memref.alloca() : memref<i32>
//>     memref.store %arg0, %alloca_0[] : memref<i32>
//>     memref.store %arg1, %alloca[] : memref<i32>
//>     %0 = memref.load %alloca_0[] : memref<i32>
//>     %1 = memref.load %alloca[] : memref<i32>
//>     %2 = arith.subi %0, %1 : i32
//>     return %2 : i32
//>   }
//> }
