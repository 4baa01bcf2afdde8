// passes: canonicalise

// A branch that is known goes one way, the other way disappears, and what follows just one block continues it.
func.func @blocks(%x: i8) -> i8 {
  %false = arith.constant false
  cf.cond_br %false, ^never(%x : i8), ^always
^never(%a: i8):
  %b = arith.addi %a, %x : i8
  cf.br ^end(%b : i8)
^always:
  %c = arith.muli %x, %x : i8
  cf.br ^end(%c : i8)
^end(%r: i8):
  return %r : i8
}

//> module {
//>   func.func @blocks(%arg0: i8) -> i8 {
//>     %0 = arith.muli %arg0, %arg0 : i8
//>     return %0 : i8
//>   }
//> }
