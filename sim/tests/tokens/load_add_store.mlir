// Adds x to the first n words of a memory. One token goes round for the order of its accesses.
//
// An iteration that begins in cycle t: the load is asked in t and answers in t + 1, the store is asked in t + 1 and done in t + 2, the
// register gives the token back in t + 3. Iteration i begins in 1 + 3 i, the one that leaves is in 1 + 3 n = e: 3 n + 2 cycles.
//
// run [1, 2, 3, 4] 10 0
// -> [1, 2, 3, 4]; 2 cycles
// run [1, 2, 3, 4] 10 3
// -> [11, 12, 13, 4]; 11 cycles
// run [1, 2, 3, 127] 1 4
// -> [2, 3, 4, -128]; 14 cycles
handshake.func @load_add_store(%m: memref<4xi8>, %x: i8, %n: i3, %start: none) -> none {
  %begins:2 = fork [2] %start : none
  %zero = constant %begins#0 {value = 0 : i3} : i3
  %select = buffer [1] seq %mores#4 {initValues = [0]} : i1
  %selects:4 = fork [4] %select : i1
  %i = mux %selects#0 [%zero, %next_i] : i1, i3
  %end = mux %selects#1 [%n, %next_end] : i1, i3
  %add = mux %selects#2 [%x, %next_add] : i1, i8
  %order = mux %selects#3 [%begins#1, %next_order] : i1, none
  %is:2 = fork [2] %i : i3
  %ends:2 = fork [2] %end : i3
  %more = arith.cmpi ult, %is#0, %ends#0 : i3
  %mores:5 = fork [5] %more : i1
  %i_in, %i_out = cond_br %mores#0, %is#1 : i3
  %end_in, %end_out = cond_br %mores#1, %ends#1 : i3
  %add_in, %add_out = cond_br %mores#2, %add : i8
  %order_in, %order_out = cond_br %mores#3, %order : none
  sink %i_out : i3
  sink %end_out : i3
  sink %add_out : i8
  %always = source
  %one = constant %always {value = 1 : i3} : i3
  %here:3 = fork [3] %i_in : i3
  %sum_i = arith.addi %here#0, %one : i3
  %next_i = buffer [1] seq %sum_i : i3
  %next_end = buffer [1] seq %end_in : i3
  %adds:2 = fork [2] %add_in : i8
  %next_add = buffer [1] seq %adds#1 : i8
  %read_at = arith.trunci %here#1 : i3 to i2
  %write_at = arith.trunci %here#2 : i3 to i2
  %old, %asked = load [%read_at] %port#0, %order_in : i2, i8
  %new = arith.addi %old, %adds#0 : i8
  %stored, %stored_at = store [%write_at] %new, %port#2 : i2, i8
  %port:3 = extmemory[ld = 1, st = 1] (%m : memref<4xi8>) (%stored, %stored_at, %asked) {id = 0 : i32} : (i8, i2, i2) -> (i8, none, none)
  %next_order = buffer [1] seq %port#1 : none
  return %order_out : none
}
