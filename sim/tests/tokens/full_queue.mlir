// A loop that gives away its counter in each iteration, to what waits for the end of the loop: the queue takes two.
//
// run 1
// -> 0; 3 cycles
// run 2
// -> 0; 4 cycles; left on `kept`: 1, before 0
// run 3
// -> deadlock in cycle 4: these wait for one another
// ->   `return0` for a token of `all`
// ->   `all` for a token of `i_out`
// ->   `i_in` until `given` takes a token of `i_in`, 1 token
// ->   `given` until `kept` takes a token of `given#1`, 1 token
// ->   `kept` until `return0` takes a token of `kept`, 2 tokens
// -> without time: 0; left on `kept`: 2, before 0
handshake.func @full_queue(%n: i8, %start: none) -> (i8, none) {
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
  %given:2 = fork [2] %i_in : i8
  %always = source
  %one = constant %always {value = 1 : i8} : i8
  %sum = arith.addi %given#0, %one : i8
  %next_i = buffer [1] seq %sum : i8
  %next_end = buffer [1] seq %end_in : i8
  %kept = buffer [2] fifo %given#1 : i8
  %all = join %i_out, %begins#1 : i8, none
  return %kept, %all : i8, none
}
