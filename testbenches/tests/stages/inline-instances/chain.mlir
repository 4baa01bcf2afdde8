// passes: inline-instances

// Functions that others have instances of become part of them; one that is only declared stays.
handshake.func private @outside(%arg0: i8) -> i8

handshake.func @inner(%x: i8) -> i8 {
  %y = arith.muli %x, %x : i8
  return %y : i8
}

handshake.func @outer(%a: i8) -> i8 {
  %b = instance @inner(%a) : (i8) -> i8
  %c = instance @inner(%b) : (i8) -> i8
  return %c : i8
}

//> module {
//>   handshake.func private @outside(i8, ...) -> i8 attributes {argNames = ["arg0"], resNames = ["out0"]}
//>   handshake.func @outer(%arg0: i8, ...) -> i8 attributes {argNames = ["a"], resNames = ["out0"]} {
//>     %0 = arith.muli %arg0, %arg0 : i8
//>     %1 = arith.muli %0, %0 : i8
//>     return %1 : i8
//>   }
//> }
