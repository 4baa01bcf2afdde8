// passes: control-flow-sink

// The product is needed in one branch only.
func.func @kernel(%p: i1, %a: i32, %b: i32) -> i32 {
  %x = arith.muli %a, %b : i32
  %r = scf.if %p -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}

//> module {
//>   func.func @kernel(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
//>     %0 = scf.if %arg0 -> (i32) {
//>       %1 = arith.muli %arg1, %arg2 : i32
//>       scf.yield %1 : i32
//>     } else {
//>       scf.yield %arg1 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
