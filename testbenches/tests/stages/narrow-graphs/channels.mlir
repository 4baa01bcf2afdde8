// passes: narrow-graphs

// Arguments and results keep their widths, `index` as i64; a buffer on the way of a condition's value, and one in front of the data, hide
// nothing; a negative number keeps its sign.
handshake.func @channels(%x: i32, %k: index, %t: tuple<i8, index>) -> (i32, index, tuple<i8, index>, i32) {
  %source = source
  %limit = constant %source {value = 200 : i32} : i32
  %minus = constant %source {value = -3 : i32} : i32
  %a = buffer [2] seq %x : i32
  %small = arith.cmpi ult, %a, %limit : i32
  %b = buffer [2] fifo %x : i32
  %yes, %no = cond_br %small, %b : i32
  %sum = arith.addi %yes, %minus : i32
  %c = buffer [1] seq %sum : i32
  %j = join %no : i32
  %k1 = arith.addi %k, %k : index
  return %c, %k1, %t, %minus : i32, index, tuple<i8, index>, i32
}

//> module {
//>   handshake.func @channels(%arg0: i32, %arg1: i64, %arg2: tuple<i8, i64>, ...) -> (i32, i64, tuple<i8, i64>, i32) attributes {argNames = ["x", "k", "t"], resNames = ["out0", "out1", "out2", "out3"]} {
//>     %0 = buffer [2] seq %arg0 : i32
//>     %1 = source
//>     %2 = constant %1 {value = 200 : i32} : i32
//>     %3 = arith.cmpi ult, %0, %2 : i32
//>     %4 = buffer [2] fifo %arg0 : i32
//>     %5 = arith.trunci %4 : i32 to i8
//>     %trueResult, %falseResult = cond_br %3, %5 : i8
//>     %6 = arith.trunci %falseResult : i8 to i1
//>     %7 = arith.extui %trueResult : i8 to i9
//>     %8 = source
//>     %9 = constant %8 {value = -3 : i9} : i9
//>     %10 = arith.addi %7, %9 : i9
//>     %11 = buffer [1] seq %10 : i9
//>     %12 = join %6 : i1
//>     %13 = arith.addi %arg1, %arg1 : i64
//>     %14 = arith.extsi %11 : i9 to i32
//>     %15 = source
//>     %16 = constant %15 {value = -3 : i32} : i32
//>     return %14, %13, %arg2, %16 : i32, i64, tuple<i8, i64>, i32
//>   }
//> }
