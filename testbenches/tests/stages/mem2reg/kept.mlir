// passes: mem2reg

// A memory stays whose word an access names by a value, that a function is given, or of which something is said.
func.func private @reads(memref<1xi32>)

func.func @kept(%i: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %named = memref.alloca() : memref<4xi32>
  %given = memref.alloca() : memref<1xi32>
  %wished = memref.alloca() {sluice.storage = {kind = "registers"}} : memref<1xi32>
  memref.store %x, %named[%c0] : memref<4xi32>
  memref.store %x, %given[%c0] : memref<1xi32>
  memref.store %x, %wished[%c0] : memref<1xi32>
  func.call @reads(%given) : (memref<1xi32>) -> ()
  %a = memref.load %named[%i] : memref<4xi32>
  %b = memref.load %wished[%c0] : memref<1xi32>
  %sum = arith.addi %a, %b : i32
  return %sum : i32
}

//> module {
//>   func.func private @reads(memref<1xi32>)
//>   func.func @kept(%arg0: index, %arg1: i32) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %alloca = memref.alloca() : memref<4xi32>
//>     %alloca_0 = memref.alloca() : memref<1xi32>
//>     %alloca_1 = memref.alloca() {sluice.storage = {kind = "registers"}} : memref<1xi32>
//>     memref.store %arg1, %alloca[%c0] : memref<4xi32>
//>     memref.store %arg1, %alloca_0[%c0] : memref<1xi32>
//>     memref.store %arg1, %alloca_1[%c0] : memref<1xi32>
//>     call @reads(%alloca_0) : (memref<1xi32>) -> ()
//>     %0 = memref.load %alloca[%arg0] : memref<4xi32>
//>     %1 = memref.load %alloca_1[%c0] : memref<1xi32>
//>     %2 = arith.addi %0, %1 : i32
//>     return %2 : i32
//>   }
//> }
