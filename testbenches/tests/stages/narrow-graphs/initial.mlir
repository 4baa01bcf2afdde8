// passes: narrow-graphs

// Tokens after reset keep the bits that are asked for.
handshake.func @initial(%a: i16) -> i8 {
  %kept = buffer [2] seq %a {initValues = [257, -1]} : i16
  %low = arith.trunci %kept : i16 to i8
  return %low : i8
}

// Of which input a token came has as many bits as there are inputs, whoever asks for fewer; a selecting number keeps its sign.
handshake.func @selected(%a: i8, %b: i8, %c: i8, %s: i2, %start: none) -> (i8, i1, i8) {
  %x, %index = control_merge %a, %b, %c : i8, index
  %odd = arith.index_cast %index : index to i1
  %n = arith.extsi %s : i2 to i8
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %two = constant %source {value = 2 : i8} : i8
  %three = constant %source {value = 3 : i8} : i8
  %y = mux %n [%one, %two, %three] : i8, i8
  return %x, %odd, %y : i8, i1, i8
}

//> module {
//>   handshake.func @initial(%arg0: i16, ...) -> i8 attributes {argNames = ["a"], resNames = ["out0"]} {
//>     %0 = arith.trunci %arg0 : i16 to i8
//>     %1 = buffer [2] seq %0 {initValues = [1, -1]} : i8
//>     return %1 : i8
//>   }
//>   handshake.func @selected(%arg0: i8, %arg1: i8, %arg2: i8, %arg3: i2, %arg4: none, ...) -> (i8, i1, i8) attributes {argNames = ["a", "b", "c", "s", "start"], resNames = ["out0", "out1", "out2"]} {
//>     %result, %index = control_merge %arg0, %arg1, %arg2 : i8, i2
//>     %0 = arith.trunci %index : i2 to i1
//>     %1 = arith.extsi %arg3 : i2 to i8
//>     %2 = source
//>     %3 = constant %2 {value = 1 : i2} : i2
//>     %4 = source
//>     %5 = constant %4 {value = -2 : i2} : i2
//>     %6 = source
//>     %7 = constant %6 {value = -1 : i2} : i2
//>     %8 = mux %1 [%3, %5, %7] : i8, i2
//>     %9 = arith.extui %8 : i2 to i8
//>     return %result, %0, %9 : i8, i1, i8
//>   }
//> }
