module @outer {
  module @inner {
    func.func @g(%a: i8) -> i8 {
      %0 = arith.addi %a, %a : i8
      %1 = arith.addi %a, %a : i8
      %2 = arith.muli %0, %1 : i8
      return %2 : i8
    }
    func.func private @dead(%a: i8) -> i8 {
      %0 = arith.addi %a, %a : i8
      %1 = arith.addi %a, %a : i8
      %2 = arith.muli %0, %1 : i8
      return %2 : i8
    }
    module @deepest {
      func.func @h(%a: i8) -> (i8, i8) {
        %0 = arith.addi %a, %a : i8
        %1 = arith.addi %a, %a : i8
        return %0, %1 : i8, i8
      }
    }
  }
  "foreign.op"() ({
    %0 = arith.constant 1 : i8
    %1 = arith.constant 1 : i8
    "foreign.use"(%0, %1) : (i8, i8) -> ()
  }) : () -> ()
  func.func private @ping() { func.call @pong() : () -> () return }
  func.func private @pong() { func.call @ping() : () -> () return }
  func.func private @twice(%a: i8) -> i8 {
    %zero = arith.constant 0 : i8
    %0 = arith.addi %a, %zero : i8
    %1 = arith.addi %0, %0 : i8
    %2 = arith.addi %0, %0 : i8
    %3 = arith.muli %1, %2 : i8
    return %3 : i8
  }
  func.func @f(%a: i8, %n: index, %m: memref<4xi8>) -> (i8, i8) {
    %0 = call @twice(%a) : (i8) -> i8
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i8
    %1 = arith.addi %0, %zero : i8
    scf.for %i = %c0 to %n step %c1 {
      %2 = arith.xori %a, %1 : i8
      memref.store %2, %m[%i] : memref<4xi8>
    }
    cf.br ^next
  ^next:
    %3 = arith.addi %1, %1 : i8
    return %1, %3 : i8, i8
  }
}
