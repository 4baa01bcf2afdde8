// options: source
func.func @names(%count: i32, %0: i32, %arg0: i32) -> i32 {
  %sum, %carry = arith.addui_extended %count, %0 : i32, i1
  %pair:2 = "t.two"() : () -> (i32, i32)
  %7 = arith.addi %pair#0, %pair#1 : i32
  %true = arith.constant true
  %c5_i32 = arith.constant 5 : i32
  %8 = arith.constant 5 : i32
  %r = scf.if %true -> (i32) {
    %sum_0 = arith.addi %sum, %arg0 : i32
    scf.yield %sum_0 : i32
  } else {
    %sum_0 = arith.subi %sum, %8 : i32
    scf.yield %sum_0 : i32
  }
  return %r : i32
}
