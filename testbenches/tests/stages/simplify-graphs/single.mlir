// passes: simplify-graphs

// What has one input passes it on.
handshake.func @single(%a: i8, %start: none) -> (i8, index, none) {
  %m = merge %start : none
  %ctl, %index = control_merge %m : none, index
  %x = mux %index [%a] : index, i8
  %y = br %x : i8
  return %y, %index, %ctl : i8, index, none
}

//> module {
//>   handshake.func @single(%arg0: i8, %arg1: none, ...) -> (i8, index, none) attributes {argNames = ["a", "start"], resNames = ["out0", "out1", "out2"]} {
//>     %0 = constant %arg1 {value = 0 : index} : index
//>     return %arg0, %0, %arg1 : i8, index, none
//>   }
//> }
