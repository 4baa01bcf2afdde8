func.func @f(%c: i1, %x: f32, %i: i32) {
  %0 = scf.if %c -> f32 {
    scf.yield %i : i32
  } else {
    scf.yield %x : f32
  }
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %x, %x : f32, f32
  }
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  }
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  scf.if %c {
    scf.yield %x : f32
  }
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  scf.if %x {
  }
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  "scf.if"(%c) ({
  ^bb0(%a: i32):
    scf.yield
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  "scf.if"(%c) ({
    scf.yield
  ^bb1:
    scf.yield
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %x: f32, %i: i32) {
  "scf.if"(%c) ({
    "t.x"() : () -> ()
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %x) -> f32 {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %x) -> (f32) {
    scf.yield %x, %x : f32, f32
  }
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %x) -> (i32) {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %x, %b = %x) -> (f32) {
    scf.yield %x : f32
  }
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = scf.for %k = %n to %n step %n iter_args(%a = %x) -> (f32) {
  }
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  "scf.for"(%n, %n, %i) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, i32) -> ()
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%k: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index, f32) -> ()
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%k: index):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%k: index, %a: i32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %x: f32, %i: i32) {
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%k: index, %a: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> i32
  return
}
// -----
func.func @f(%n: index, %x: f32) {
  scf.for %k = %n to %n step %x {
  }
  return
}
// -----
func.func @f(%n: f32) {
  scf.for %k = %n to %n step %n : f32 {
  }
  return
}
// -----
func.func @f(%n: index) {
  %c = arith.constant 0 : index
  scf.for %k = %n to %n step %c {
  }
  return
}
// -----
func.func @f(%n: index) {
  %c = arith.constant -1 : index
  scf.for %k = %n to %n step %c {
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.condition(%c) %z : i32
  } do {
  ^bb0(%y: f32):
    scf.yield %z : i32
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.condition(%c) %z : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %x : f32
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.condition(%c) %z : i32
  } do {
  ^bb0(%y: i32):
    scf.yield
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.yield %z : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %z : i32
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32) -> i32 {
    scf.condition(%c) %z : i32
  } do {
  ^bb0(%y: i32):
    "t.x"() : () -> ()
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  %w = scf.while (%a = %z) : (i32, i32) -> i32 {
    scf.condition(%c) %z : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %z : i32
  }
  return
}
// -----
func.func @f(%c: i1, %z: i32, %x: f32) {
  "scf.while"(%z) ({
  ^bb0(%y: f32):
    scf.condition(%c)
  }, {
    scf.yield %z : i32
  }) : (i32) -> ()
  return
}
// -----
func.func @f(%c: i1) {
  scf.condition(%c)
}
// -----
func.func @f(%c: i1) {
  scf.yield
}
// -----
func.func @f(%c: i1, %i: i32) {
  "t.r"() ({
    scf.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  scf.execute_region {
  }
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  "scf.execute_region"() ({
  }) : () -> ()
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  "scf.execute_region"() ({
  ^bb0(%a: i32):
    scf.yield
  }) : () -> ()
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  %0 = scf.execute_region -> i32 {
    scf.yield
  }
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  %0 = scf.execute_region -> i32 {
    scf.yield %c : i1
  }
  return
}
// -----
func.func @f(%c: i1, %i: i32) {
  %0 = scf.execute_region -> i32 {
    cf.br ^a
  ^a:
    scf.yield %c : i1
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = scf.index_switch %n -> i32
  case 1 {
    scf.yield %i : i32
  }
  case 1 {
    scf.yield %i : i32
  }
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = scf.index_switch %n -> i32
  case 1 {
    scf.yield %n : index
  }
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = scf.index_switch %n -> i32
  case 1 {
    scf.yield %i : i32
  }
  default {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  "scf.index_switch"(%n) <{cases = array<i64: 1>}> ({
    scf.yield
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.index_switch %n
  case 1 {
    "t.x"() : () -> ()
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.index_switch %n
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.index_switch %n
  case 1 {
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.index_switch %n
  case 1 {
    scf.yield {t.a}
  }
  default {
    scf.yield {t.a}
  }
  return
}
// -----
func.func @f(%n: index) {
  scf.index_switch %n
  case 1 {
    %0 = arith.constant 1 : i32
  }
  default {
    scf.yield {t.a}
  }
  return
}
