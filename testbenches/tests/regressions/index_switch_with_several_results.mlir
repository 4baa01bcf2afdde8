// The types of several results stand without parentheses, as upstream writes them.
func.func @choose(%a: i8, %x: i8) -> (i8, i3) {
  %i = arith.index_castui %a : i8 to index
  %c = arith.trunci %x : i8 to i3
  %d = arith.constant 1 : i3
  %r:2 = scf.index_switch %i -> i8, i3
  case 0 {
    scf.yield %x, %c : i8, i3
  }
  case 255 {
    scf.yield %a, %d : i8, i3
  }
  default {
    %s = arith.addi %a, %x : i8
    scf.yield %s, %c : i8, i3
  }
  return %r#0, %r#1 : i8, i3
}
