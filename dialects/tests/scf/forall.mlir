func.func @f(%n: index, %x: f32) {
  scf.forall (%i) in (%n) {
  }
  scf.forall (%i, %j) in (%n, 8) {
    scf.forall.in_parallel {
    }
  }
  scf.forall (%i, %j) = (0, %n) to (%n, 8) step (1, 2) {
    %0 = arith.addi %i, %j : index
  } {t.c}
  scf.forall (%i) = (0) to (%n) step (1) {
  } {t.a}
  scf.forall () in () {
  }
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %x) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  %1:2 = scf.forall (%i) in (%n) shared_outs(%o = %x, %p = %0) -> (tensor<4xf32>, tensor<4xf32>) {
  }
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %x) -> (tensor<5xf32>) {
  }
  return
}
// -----
func.func @f(%n: index, %x: f32) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %x) -> (f32) {
  }
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  scf.forall (%i) in (%n) shared_outs(%o = %x) {
  }
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  scf.forall (%i, %j) in (%n) {
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    scf.forall.in_parallel {
      "t.x"() : () -> ()
    }
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.forall.in_parallel {
  }
}
// -----
func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
  } {t.c}
  return
}
// -----
func.func @f(%n: index) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    scf.forall.in_parallel {}
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: i32):
    scf.forall.in_parallel {}
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index):
    scf.forall.in_parallel {}
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 3>}> ({
  ^bb0(%i: index):
    scf.forall.in_parallel {}
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  %0 = "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %o: tensor<5xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> ()
  return
}
// -----
func.func @f(%n: index, %x: tensor<4xf32>) {
  %0 = "scf.forall"(%n, %x) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    scf.forall.in_parallel {}
  }) : (index, tensor<4xf32>) -> tensor<5xf32>
  return
}
// -----
func.func @f(%n: index) {
  scf.forall (%i) = (0) to (%n) {
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.forall (%i) in (%n) {
    scf.forall.in_parallel {
      ^bb0:
    } {t.a}
  }
  return
}
// -----
func.func @f(%n: index, %c: i1, %i: i32) -> i32 {
  %e = scf.execute_region -> i32 {
    cf.cond_br %c, ^x, ^y(%i : i32)
  ^x:
    cf.br ^y(%i : i32)
  ^y(%k: i32):
    scf.yield %k : i32
  } {t.a}
  scf.execute_region {
    scf.yield
  }
  %g:2 = scf.execute_region -> (i32, i1) {
    scf.yield %i, %c : i32, i1
  }
  return %e : i32
}
// -----
func.func @f(%n: index, %c: i1, %i: i32) {
  scf.parallel (%a) = (%n) to (%n) step (%n) {
    scf.reduce
  } {t.b}
  %0:2 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i, %i) -> (i32, i32) {
    scf.reduce(%i, %i : i32, i32) {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %l : i32
    }, {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %r : i32
    } {t.a}
  }
  scf.for %k = %n to %n step %n {
    "t.x"() : () -> ()
  } {t.a}
  scf.if %c {
  } else {
  } {t.a}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {t.a}
  %w:2 = scf.while (%x = %i, %y = %c) : (i32, i1) -> (i1, i32) {
    scf.condition(%c) {t.a} %y, %x : i1, i32
  } do {
  ^bb0(%y: i1, %x: i32):
    scf.yield {t.a} %x, %y : i32, i1
  }
  %s:2 = scf.index_switch %n {t.a} -> i32, i1
  case 2 {
    scf.yield %i, %c : i32, i1
  }
  case -3 {
    scf.yield %i, %c : i32, i1
  }
  default {
    scf.yield %i, %c : i32, i1
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel (%a) = (%n) to (%n) step (%n) {
    scf.reduce(%i : i32, i32) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel (%a) = (%n) to (%n, %n) step (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel (%a, %b) = (%n) to (%n) step (%n) {
  }
  return
}
