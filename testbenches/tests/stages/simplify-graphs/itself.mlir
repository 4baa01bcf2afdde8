// passes: simplify-graphs

// A fork of itself has never a token, and stays.
handshake.func @itself(%a: i8) -> i8 {
  sink %a : i8
  %d:2 = fork [2] %d#0 : i8
  return %d#1 : i8
}

//> module {
//>   handshake.func @itself(%arg0: i8, ...) -> i8 attributes {argNames = ["a"], resNames = ["out0"]} {
//>     sink %arg0 : i8
//>     %0:2 = fork [2] %0#0 : i8
//>     return %0#1 : i8
//>   }
//> }
