// passes: expand-meanings

// Operations of Sluice's dialects have a meaning, too, and stay as they are: later passes know them.
func.func @own(%a: i16, %b: i16) -> i16 {
  %0 = arith.addi %a, %b : i16
  %1 = math.absi %0 : i16
  return %1 : i16
}

//> module {
//>   func.func @own(%arg0: i16, %arg1: i16) -> i16 {
//>     %0 = arith.addi %arg0, %arg1 : i16
//>     %1 = math.absi %0 : i16
//>     return %1 : i16
//>   }
//> }
