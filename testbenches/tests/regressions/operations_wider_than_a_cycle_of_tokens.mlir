// A remainder and a product that become loops, which a schedule runs, between tokens, in the branches of a loop.
func.func @operations_wider_than_a_cycle_of_tokens(%a: i70, %b: i70, %words: memref<8xi70>, %out: memref<8xi70>) -> i70 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i70
  %one = arith.constant 1 : i70
  %divisor = arith.ori %b, %one : i70
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %a) -> (i70) {
    %word = memref.load %words[%i] : memref<8xi70>
    %odd = arith.ori %word, %one : i70
    %more = arith.cmpi ult, %sum, %odd : i70
    %next = scf.if %more -> (i70) {
      %rest = arith.remui %divisor, %odd : i70
      scf.yield %rest : i70
    } else {
      %product = arith.muli %sum, %odd : i70
      scf.yield %product : i70
    }
    memref.store %next, %out[%i] : memref<8xi70>
    %all = arith.addi %next, %sum : i70
    scf.yield %all : i70
  }
  return %sum : i70
}
