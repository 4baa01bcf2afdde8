// A loop that counts down and never runs: from its start to its limit it is almost 2^64.
func.func @span_of_a_loop_that_never_runs(%x: i32) -> (i32, index) {
  %v1 = arith.constant -9223372036854775806 : index
  %v2 = arith.constant 9223372036854775806 : index
  %v3 = arith.constant -1 : index
  %v4 = arith.constant 0 : index
  %r0:2 = scf.while (%i0 = %v1, %a0 = %x) : (index, i32) -> (index, i32) {
  %v5 = arith.addi %i0, %v4 : index
  %v6 = arith.cmpi sge, %v5, %v2 : index
  scf.condition(%v6) %i0, %a0 : index, i32
  } do {
  ^bb0(%i0: index, %a0: i32):
  %v7 = arith.index_cast %i0 : index to i32
  %v8 = arith.constant 31 : i32
  %v9 = arith.muli %a0, %v8 : i32
  %v10 = arith.addi %v9, %v7 : i32
  %v11 = arith.addi %i0, %v3 : index
  scf.yield %v11, %v10 : index, i32
  }
  return %r0#1, %r0#0 : i32, index
}
