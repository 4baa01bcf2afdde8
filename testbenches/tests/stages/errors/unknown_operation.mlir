func.func @unknown(%x: i8) -> i8 {
  %y = "magic.spell"(%x) : (i8) -> i8 //~ error: operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used
  return %y : i8
}
