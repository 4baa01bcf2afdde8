// passes: uplift-while-to-for

// By three, it may step over the greatest number and go on from below.
func.func @wraps(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c3 : i32
    scf.yield %next : i32
  }
  return %last : i32
}

// The limit moves.
func.func @moving(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0, %limit = %n) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %limit : i32
    scf.condition(%more) %i, %limit : i32, i32
  } do {
  ^bb0(%i: i32, %limit: i32):
    %next = arith.addi %i, %c1 : i32
    %less = arith.subi %limit, %next : i32
    scf.yield %next, %less : i32, i32
  }
  return %r#0 : i32
}

//> module {
//>   func.func @wraps(%arg0: i32) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c3_i32 = arith.constant 3 : i32
//>     %0 = scf.while (%arg1 = %c0_i32) : (i32) -> i32 {
//>       %1 = arith.cmpi slt, %arg1, %arg0 : i32
//>       scf.condition(%1) %arg1 : i32
//>     } do {
//>     ^bb0(%arg1: i32):
//>       %1 = arith.addi %arg1, %c3_i32 : i32
//>       scf.yield %1 : i32
//>     }
//>     return %0 : i32
//>   }
//>   func.func @moving(%arg0: i32) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0:2 = scf.while (%arg1 = %c0_i32, %arg2 = %arg0) : (i32, i32) -> (i32, i32) {
//>       %1 = arith.cmpi slt, %arg1, %arg2 : i32
//>       scf.condition(%1) %arg1, %arg2 : i32, i32
//>     } do {
//>     ^bb0(%arg1: i32, %arg2: i32):
//>       %1 = arith.addi %arg1, %c1_i32 : i32
//>       %2 = arith.subi %arg2, %1 : i32
//>       scf.yield %1, %2 : i32, i32
//>     }
//>     return %0#0 : i32
//>   }
//> }
