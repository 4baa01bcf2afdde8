func.func @f(%n: index, %i: i32) {
  "scf.index_switch"(%n) <{cases = array<i64: 1>}> ({
    "t.y"() : () -> ()
  }, {
    scf.yield
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel (%a) = (%n) to (%n) step (%n, %n) {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel () = () to () step () {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  "scf.parallel"(%n, %n, %n) ({
    scf.reduce
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  "scf.parallel"(%n, %n, %n) ({
  ^bb0(%a: i32):
    scf.reduce
  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %c = arith.constant 0 : index
  scf.parallel (%a) = (%n) to (%n) step (%c) {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.parallel (%a) = (%n) to (%n) step (%n) {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%x) -> f32 {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32):
      scf.reduce.return %l : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32, %r: f32):
      scf.reduce.return %l : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32, %r: i32):
      scf.reduce.return %x : f32
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.reduce(%i : i32) {
    ^bb0(%l: i32, %r: i32):
      "t.x"() : () -> ()
    }
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.reduce(%i : i32)
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i) -> i32 {
    scf.yield
  }
  return
}
// -----
func.func @f() {
  scf.reduce
}
// -----
func.func @f(%i: i32) {
  scf.reduce.return %i : i32
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  %0 = scf.parallel (%a) = (%n) to (%n) step (%n) init (%i, %i) -> i32 {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %x: f32) {
  scf.index_switch %n
  default {
  }
  return
}
