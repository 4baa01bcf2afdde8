// A loop that counts to n. The condition selects what comes next; the first selection is there after reset.
//
// The counter goes through one register, all else is combinational: iteration i is in cycle 1 + i, the one that leaves in 1 + n = e.
// `done` is 1 in e + 1: n + 2 cycles.
//
// run 0
// -> 0; 2 cycles
// run 5
// -> 5; 7 cycles
// run 255
// -> -1; 257 cycles
handshake.func @count(%n: i8, %start: none) -> (i8, none) {
  %begins:2 = fork [2] %start : none
  %zero = constant %begins#0 {value = 0 : i8} : i8
  %select = buffer [1] seq %mores#2 {initValues = [0]} : i1
  %selects:2 = fork [2] %select : i1
  %i = mux %selects#0 [%zero, %next_i] : i1, i8
  %end = mux %selects#1 [%n, %next_end] : i1, i8
  %is:2 = fork [2] %i : i8
  %ends:2 = fork [2] %end : i8
  %more = arith.cmpi ult, %is#0, %ends#0 : i8
  %mores:3 = fork [3] %more : i1
  %i_in, %i_out = cond_br %mores#0, %is#1 : i8
  %end_in, %end_out = cond_br %mores#1, %ends#1 : i8
  sink %end_out : i8
  %always = source
  %one = constant %always {value = 1 : i8} : i8
  %sum = arith.addi %i_in, %one : i8
  %next_i = buffer [1] seq %sum : i8
  %next_end = buffer [1] seq %end_in : i8
  %results:2 = fork [2] %i_out : i8
  %all = join %results#1, %begins#1 : i8, none
  return %results#0, %all : i8, none
}
