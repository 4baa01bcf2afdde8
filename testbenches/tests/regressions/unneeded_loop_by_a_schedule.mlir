func.func @unneeded_loop_by_a_schedule(%x: i31) -> i31 {
  %begin = arith.constant 0 : index
  %end = arith.constant 5 : index
  %step = arith.constant 1 : index
  scf.for %round = %begin to %end step %step {
    %last = scf.for %i = %begin to %end step %step iter_args(%a = %x) -> (i31) {
      %b = arith.muli %a, %x : i31
      scf.yield %b : i31
    }
  }
  return %x : i31
}
