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

// The limit may be an unsigned number that `index` takes for a negative one: the loop would run where it does not.
func.func @far_above(%n: i64) -> i64 {
  %c5 = arith.constant 5 : i64
  %c1 = arith.constant 1 : i64
  %last = scf.while (%i = %c5) : (i64) -> i64 {
    %more = arith.cmpi ugt, %i, %n : i64
    scf.condition(%more) %i : i64
  } do {
  ^bb0(%i: i64):
    %next = arith.subi %i, %c1 : i64
    scf.yield %next : i64
  }
  return %last : i64
}

// What is tested first is the greatest unsigned number.
func.func @before_zero(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%i = %c0) : (index) -> index {
    %before = arith.subi %i, %c1 : index
    %more = arith.cmpi ult, %before, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return %last : index
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
//>   func.func @far_above(%arg0: i64) -> i64 {
//>     %c5_i64 = arith.constant 5 : i64
//>     %c1_i64 = arith.constant 1 : i64
//>     %0 = scf.while (%arg1 = %c5_i64) : (i64) -> i64 {
//>       %1 = arith.cmpi ugt, %arg1, %arg0 : i64
//>       scf.condition(%1) %arg1 : i64
//>     } do {
//>     ^bb0(%arg1: i64):
//>       %1 = arith.subi %arg1, %c1_i64 : i64
//>       scf.yield %1 : i64
//>     }
//>     return %0 : i64
//>   }
//>   func.func @before_zero(%arg0: index) -> index {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %0 = scf.while (%arg1 = %c0) : (index) -> index {
//>       %1 = arith.subi %arg1, %c1 : index
//>       %2 = arith.cmpi ult, %1, %arg0 : index
//>       scf.condition(%2) %arg1 : index
//>     } do {
//>     ^bb0(%arg1: index):
//>       %1 = arith.addi %arg1, %c1 : index
//>       scf.yield %1 : index
//>     }
//>     return %0 : index
//>   }
//> }
