// passes: prove-deadlock-freedom

// Both choices share a constant: the one that takes another value leaves it, and the fork waits for it in the next iteration.
handshake.func @constant(%a: i8, %start: none) -> (i8, none) {
  %select = buffer [1] seq %again#0 {initValues = [0], sluice.cut = "data"} : i1
  %x = mux %select [%a, %back] : i1, i8
  %room = buffer [1] seq %x : i8
  %both:7 = fork [7] %room : i8
  %trigger = join %both#0 : i8
  %five = constant %trigger {value = 5 : i8} : i8
  %shared:2 = fork [2] %five : i8
  %choice = arith.cmpi slt, %both#1, %both#2 : i8
  %chosen:4 = fork [4] %choice : i1
  %p_true, %p_false = cond_br %chosen#0, %both#3 : i8
  sink %p_false : i8
  %left = mux %chosen#1 [%shared#0, %p_true] : i1, i8
  %q_true, %q_false = cond_br %chosen#2, %both#4 : i8
  sink %q_true : i8
  %right = mux %chosen#3 [%q_false, %shared#1] : i1, i8
  %next = arith.addi %left, %right : i8
  %more = arith.cmpi ult, %both#5, %both#6 : i8
  %again:2 = fork [2] %more : i1
  %back, %out = cond_br %again#1, %next : i8
  return %out, %start : i8, none
}

//> kernel.mlir:12:13: error: deadlock: these channels can wait for one another
//>       %choice = arith.cmpi slt, %both#1, %both#2 : i8
//>                 ^
//> kernel.mlir:12:13: note: `chosen` waits for a token of `choice`
//>       %choice = arith.cmpi slt, %both#1, %both#2 : i8
//>                 ^
//> kernel.mlir:8:13: note: `choice` waits for a token of `both#2`
//>       %both:7 = fork [7] %room : i8
//>                 ^
//> kernel.mlir:8:13: note: `both` waits until `trigger` takes a token of `both#0`, 1 token
//>       %both:7 = fork [7] %room : i8
//>                 ^
//> kernel.mlir:9:14: note: `trigger` waits until `five` takes a token of `trigger`, 1 token
//>       %trigger = join %both#0 : i8
//>                  ^
//> kernel.mlir:10:11: note: `five` waits until `shared` takes a token of `five`, 1 token
//>       %five = constant %trigger {value = 5 : i8} : i8
//>               ^
//> kernel.mlir:11:15: note: `shared` waits until `left` takes a token of `shared#0`, 1 token
//>       %shared:2 = fork [2] %five : i8
//>                   ^
//> kernel.mlir:13:15: note: `left` waits for a token of `chosen#1`
//>       %chosen:4 = fork [4] %choice : i1
//>                   ^
