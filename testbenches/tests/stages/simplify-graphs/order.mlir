// passes: simplify-graphs

// The load waits for the store by its address alone: the constant keeps its trigger.
handshake.func @by_address(%m: memref<4xi8>, %at: index, %x: i8, %start: none) -> (i8, none) {
  %word, %written, %read = extmemory [ld = 1, st = 1] (%m : memref<4xi8>) (%data, %cell, %asked) {id = 0 : i32} : (i8, index, index) -> (i8, none, none)
  %data, %cell = store [%at] %x, %start : index, i8
  %zero = constant %written {value = 0 : index} : index
  %address = arith.addi %at, %zero : index
  %y, %asked = load [%address] %word, %start : index, i8
  return %y, %read : i8, none
}

// The store waits for the load by the condition that selects its order.
handshake.func @by_condition(%m: memref<4xi8>, %at: index, %x: i8, %start: none) -> (i8, none) {
  %word, %written, %read = extmemory [ld = 1, st = 1] (%m : memref<4xi8>) (%data, %cell, %asked) {id = 0 : i32} : (i8, index, index) -> (i8, none, none)
  %y, %asked = load [%at] %word, %start : index, i8
  %small = arith.cmpi ult, %y, %x : i8
  %yes, %no = cond_br %small, %start : none
  %order = mux %small [%no, %yes] : i1, none
  %data, %cell = store [%at] %x, %order : index, i8
  return %y, %written : i8, none
}

//> module {
//>   handshake.func @by_address(%arg0: memref<4xi8>, %arg1: index, %arg2: i8, %arg3: none, ...) -> (i8, none) attributes {argNames = ["m", "at", "x", "start"], resNames = ["out0", "out1"]} {
//>     %0:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<4xi8>) (%dataResult, %addressResult, %addressResults) {id = 0 : i32} : (i8, index, index) -> (i8, none, none)
//>     %dataResult, %addressResult = store [%arg1] %arg2, %arg3 : index, i8
//>     %1 = constant %0#1 {value = 0 : index} : index
//>     %2 = arith.addi %arg1, %1 : index
//>     %dataResult_0, %addressResults = load [%2] %0#0, %arg3 : index, i8
//>     return %dataResult_0, %0#2 : i8, none
//>   }
//>   handshake.func @by_condition(%arg0: memref<4xi8>, %arg1: index, %arg2: i8, %arg3: none, ...) -> (i8, none) attributes {argNames = ["m", "at", "x", "start"], resNames = ["out0", "out1"]} {
//>     %0:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<4xi8>) (%dataResult_0, %addressResult, %addressResults) {id = 0 : i32} : (i8, index, index) -> (i8, none, none)
//>     %dataResult, %addressResults = load [%arg1] %0#0, %arg3 : index, i8
//>     %1 = arith.cmpi ult, %dataResult, %arg2 : i8
//>     %trueResult, %falseResult = cond_br %1, %arg3 : none
//>     %2 = mux %1 [%falseResult, %trueResult] : i1, none
//>     %dataResult_0, %addressResult = store [%arg1] %arg2, %2 : index, i8
//>     return %dataResult, %0#1 : i8, none
//>   }
//> }
