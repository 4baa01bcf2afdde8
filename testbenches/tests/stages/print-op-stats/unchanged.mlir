// passes: print-op-stats

// The pass changes nothing.
func.func @kernel(%a: i32) -> i32 {
  return %a : i32
}

//> module {
//>   func.func @kernel(%arg0: i32) -> i32 {
//>     return %arg0 : i32
//>   }
//> }
