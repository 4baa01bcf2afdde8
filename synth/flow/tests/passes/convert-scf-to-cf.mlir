// pipeline: builtin.module(convert-scf-to-cf)
func.func @carried(%n: index, %m: memref<?xi32>) -> (i32, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %w = arith.constant 5 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %w) -> (i32, i64) {
    %x = memref.load %m[%i] : memref<?xi32>
    %s = arith.addi %a, %x : i32
    %t = arith.shli %b, %w : i64
    scf.yield %s, %t : i32, i64
  }
  return %r#0, %r#1 : i32, i64
}
// -----
func.func @no_trips(%m: memref<8xi32>, %v: i32) {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c8 to %c8 step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  }
  return
}
// -----
func.func @nested(%n: i16, %m: memref<4xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : i16
  %c2 = arith.constant 2 : i16
  %p = "demo.before"() : () -> i1
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%a = %f) -> (f32) : i16 {
    %q = scf.for %j = %i to %n step %c2 iter_args(%b = %a) -> (f32) : i16 {
      %u = scf.if %p -> (f32) {
        %x = arith.addf %b, %a : f32
        scf.yield %x : f32
      } else {
        "demo.inside"(%j) ({
          %y = arith.constant 1 : i32
          scf.if %p {
            "demo.deep"(%y) : (i32) -> ()
          }
          "demo.end"() : () -> ()
        }) : (i16) -> ()
        scf.yield %b : f32
      }
      scf.yield %u : f32
    }
    "demo.use"(%q) : (f32) -> ()
    scf.yield %q : f32
  }
  return %r : f32
}
// -----
func.func @conditionals(%p: i1, %q: i1, %a: i32, %b: i32) -> i32 {
  scf.if %p {
    "demo.one"() : () -> ()
  }
  scf.if %p {
    "demo.two"() : () -> ()
  } else {
    scf.if %q {
      "demo.three"() : () -> ()
    }
  }
  %r:2 = scf.if %q -> (i32, i32) {
    scf.yield %a, %b : i32, i32
  } else {
    scf.yield %b, %a : i32, i32
  }
  %s = arith.subi %r#0, %r#1 : i32
  return %s : i32
}
// -----
func.func @while(%n: i32) -> (i32, i1) {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %n) : (i32) -> (i32, i1) {
    %b = arith.muli %a, %a : i32
    %p = arith.cmpi slt, %b, %n : i32
    scf.condition(%p) %b, %p : i32, i1
  } do {
  ^bb0(%x: i32, %p: i1):
    %y = arith.addi %x, %c1 : i32
    scf.yield %y : i32
  }
  return %r#0, %r#1 : i32, i1
}
// -----
func.func @do_while(%n: i32, %p: i1) -> i32 {
  %r = scf.while (%a = %n) : (i32) -> i32 {
    %b = arith.muli %a, %a : i32
    scf.if %p {
      "demo.inner"(%b) : (i32) -> ()
    }
    %q = arith.cmpi slt, %b, %n : i32
    scf.condition(%q) %b : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  scf.while : () -> () {
    scf.condition(%p)
  } do {
    "demo.body"() : () -> ()
    scf.yield
  }
  return %r : i32
}
// -----
func.func @region(%p: i1, %a: i32, %b: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %p, ^bb1, ^bb2(%a : i32)
  ^bb1:
    %s = arith.addi %a, %b : i32
    cf.br ^bb2(%s : i32)
  ^bb2(%x: i32):
    scf.yield %x : i32
  }
  scf.execute_region {
    "demo.effect"(%r) : (i32) -> ()
    scf.yield
  }
  %q = scf.execute_region -> i32 {
    cf.cond_br %p, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    scf.yield %r : i32
  }
  return %q : i32
}
// -----
func.func @switches(%i: index, %a: i32, %b: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 2 {
    %s = arith.addi %a, %b : i32
    scf.yield %s : i32
  }
  case -5 {
    %t = scf.index_switch %i -> i32
    default {
      scf.yield %b : i32
    }
    scf.yield %t : i32
  }
  default {
    scf.yield %a : i32
  }
  scf.index_switch %i
  case 0 {
    "demo.zero"(%r) : (i32) -> ()
    scf.yield
  }
  default {
  }
  return %r : i32
}
// -----
func.func @parallel(%n: index, %m: memref<?x?xi32>, %f: memref<?xf32>) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %z = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<?x?xi32>
  }
  %r:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z, %v) -> (f32, i32) {
    %x = memref.load %f[%i] : memref<?xf32>
    %k = arith.index_cast %i : index to i32
    scf.reduce(%x, %k : f32, i32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: i32, %b: i32):
      %s = arith.maxsi %a, %b : i32
      scf.reduce.return %s : i32
    }
  }
  return %r#0, %r#1 : f32, i32
}
// -----
func.func @for_all(%m: memref<8x4xi32>, %v: i32) {
  scf.forall (%i, %j) in (8, 4) {
    memref.store %v, %m[%i, %j] : memref<8x4xi32>
  }
  return
}
// -----
func.func @several_blocks(%p: i1, %n: index, %m: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^bb1(%c0 : index), ^bb2
^bb1(%x: index):
  scf.for %i = %x to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  } {demo.mark = 3 : i32}
  cf.cond_br %p, ^bb2, ^bb1(%n : index)
^bb2:
  scf.if %p {
    memref.store %v, %m[%c0] : memref<8xi32>
  }
  return
}
