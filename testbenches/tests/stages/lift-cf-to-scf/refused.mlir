// passes: lift-cf-to-scf
func.func @never_returns(%n: i32) -> i32 {
  cf.br ^a(%n : i32)
^a(%x: i32):
  %y = arith.addi %x, %n : i32
  cf.br ^a(%y : i32)
}

func.func @another_dialect(%c: i1) {
  cf.br ^a
^a:
  "other.branch"(%c)[^a, ^b] : (i1) -> ()
^b:
  return
}

func.func @leaves_in_two_ways(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  "other.stop"() : () -> ()
^b:
  return
}

//> kernel.mlir:3:3: error: no path leaves these blocks: structured control flow needs a way out
//>       cf.br ^a(%n : i32)
//>       ^
//> kernel.mlir:12:3: error: `other.branch` chooses between blocks in a way of its own: only `cf.br`, `cf.cond_br` and `cf.switch` become structured
//>       "other.branch"(%c)[^a, ^b] : (i1) -> ()
//>       ^
//> kernel.mlir:22:3: error: `func.return` here and `other.stop` elsewhere leave the blocks in different ways: structured control flow has one
//>       return
//>       ^
//> kernel.mlir:20:3: note: the other way out
//>       "other.stop"() : () -> ()
//>       ^
//> 3 errors
