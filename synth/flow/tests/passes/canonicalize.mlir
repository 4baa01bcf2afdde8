// pipeline: builtin.module(func.func(canonicalize))
func.func @constants(%x: i32, %c: i1) -> (i32, i32, i64) {
  %0 = arith.addi %x, %x : i32
  %k = arith.constant 3 : i32
  %l = arith.constant 3 : i32
  %r = scf.if %c -> i32 {
    %m = arith.constant 4 : i32
    "some.use"(%m) : (i32) -> ()
    scf.yield %k : i32
  } else {
    scf.yield %l : i32
  }
  %n = arith.constant 5 : i64
  %p = arith.addi %n, %n : i64
  return %0, %r, %p : i32, i32, i64
}
func.func @sums(%x: i32) -> (i32, i32, i32, i32, i32) {
  %a = arith.constant 17 : i32
  %b = arith.constant 42 : i32
  %0 = arith.addi %x, %a : i32
  %1 = arith.addi %0, %b : i32
  %2 = arith.subi %0, %b : i32
  %3 = arith.subi %b, %0 : i32
  %4 = arith.subi %a, %x : i32
  %5 = arith.addi %4, %b : i32
  %6 = arith.subi %x, %a : i32
  %7 = arith.subi %6, %b : i32
  return %1, %2, %3, %5, %7 : i32, i32, i32, i32, i32
}
func.func @undone(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {
  %0 = arith.addi %x, %y : i32
  %1 = arith.subi %0, %y : i32
  %2 = arith.subi %x, %y : i32
  %3 = arith.addi %2, %y : i32
  %4 = arith.xori %x, %y : i32
  %5 = arith.xori %4, %x : i32
  %6 = arith.subi %2, %x : i32
  %minus = arith.constant -1 : i32
  %7 = arith.muli %y, %minus : i32
  %8 = arith.addi %x, %7 : i32
  return %1, %3, %5, %6, %8 : i32, i32, i32, i32, i32
}
func.func @bits(%x: i8, %y: i8) -> (i8, i8, i8, i32) {
  %ones = arith.constant -1 : i8
  %n = arith.xori %x, %ones : i8
  %0 = arith.andi %x, %n : i8
  %1 = arith.ori %n, %x : i8
  %k = arith.constant 15 : i8
  %l = arith.constant 60 : i8
  %2 = arith.andi %y, %k : i8
  %3 = arith.andi %2, %l : i8
  %4 = arith.extui %x : i8 to i32
  %5 = arith.extui %y : i8 to i32
  %6 = arith.ori %4, %5 : i32
  return %0, %1, %3, %6 : i8, i8, i8, i32
}
func.func @selections(%c: i1, %d: i1, %x: i32, %y: i32, %z: i32) -> (i1, i1, i32, i32, i32, i32, i32) {
  %t = arith.constant true
  %f = arith.constant false
  %0 = arith.select %c, %t, %f : i1
  %1 = arith.select %c, %f, %t : i1
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %2 = arith.select %c, %one, %zero : i32
  %n = arith.xori %c, %t : i1
  %3 = arith.select %n, %x, %y : i32
  %e = arith.cmpi eq, %x, %y : i32
  %4 = arith.select %e, %x, %y : i32
  %5 = arith.select %c, %x, %y : i32
  %6 = arith.select %c, %z, %5 : i32
  %7 = arith.select %d, %5, %y : i32
  return %0, %1, %2, %3, %4, %6, %7 : i1, i1, i32, i32, i32, i32, i32
}
func.func @extensions(%x: i8, %b: i1) -> (i64, i64, i16, i8, i16, i1, i1) {
  %0 = arith.extui %x : i8 to i32
  %1 = arith.extui %0 : i32 to i64
  %2 = arith.extsi %0 : i32 to i64
  %3 = arith.trunci %0 : i32 to i16
  %4 = arith.trunci %0 : i32 to i8
  %5 = arith.trunci %1 : i64 to i16
  %6 = arith.extsi %b : i1 to i32
  %zero = arith.constant 0 : i32
  %7 = arith.cmpi ne, %6, %zero : i32
  %8 = arith.cmpi slt, %zero, %0 : i32
  return %1, %2, %3, %4, %5, %7, %8 : i64, i64, i16, i8, i16, i1, i1
}
func.func @floats(%x: f32) -> (f32, f32, f32, f32, i1, f64) {
  %minus_zero = arith.constant -0.0 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.addf %x, %minus_zero : f32
  %1 = arith.addf %x, %zero : f32
  %2 = arith.mulf %one, %x : f32
  %3 = arith.negf %x : f32
  %4 = arith.negf %3 : f32
  %5 = arith.cmpf olt, %x, %nan : f32
  %6 = arith.constant 2.5 : f64
  %7 = arith.mulf %6, %6 : f64
  return %0, %1, %2, %4, %5, %7 : f32, f32, f32, f32, i1, f64
}
func.func @elements() -> (vector<3xi32>, vector<3xi1>, tensor<2x2xi8>) {
  %a = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %b = arith.constant dense<2> : vector<3xi32>
  %0 = arith.muli %a, %b : vector<3xi32>
  %1 = arith.cmpi slt, %a, %b : vector<3xi32>
  %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %2 = arith.subi %c, %c : tensor<2x2xi8>
  %3 = arith.addi %c, %c : tensor<2x2xi8>
  return %0, %1, %3 : vector<3xi32>, vector<3xi1>, tensor<2x2xi8>
}
// -----
func.func @blocks(%c: i1, %x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%p: i32):
  %t = arith.constant true
  cf.cond_br %t, ^b, ^never
^never:
  %n = arith.muli %p, %p : i32
  cf.br ^b
^b:
  cf.cond_br %c, ^through, ^other
^through:
  cf.br ^end(%p : i32)
^other:
  "some.use"(%c) : (i1) -> ()
  cf.br ^end(%x : i32)
^end(%r: i32):
  return %r : i32
}
func.func @unneeded_arguments(%c: i1, %x: i32, %y: i32) -> i32 {
  %one = arith.constant 1 : i32
  cf.br ^head(%x, %y : i32, i32)
^head(%p: i32, %q: i32):
  %next = arith.addi %q, %one : i32
  "some.step"() : () -> ()
  cf.cond_br %c, ^head(%p, %next : i32, i32), ^done
^done:
  return %p : i32
}
func.func @same_block(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
^end(%r: i32):
  "some.use"(%r) : (i32) -> ()
  return %r : i32
}
func.func @switches(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  cf.switch %x : i32, [
    default: ^one(%a : i32),
    4: ^two(%b : i32),
    5: ^one(%a : i32)
  ]
^one(%p: i32):
  "some.one"() : () -> ()
  return %p : i32
^two(%q: i32):
  "some.two"() : () -> ()
  return %q : i32
}
// -----
func.func @conditionals(%c: i1, %x: i32, %y: i32) -> (i32, i32) {
  %r:3 = scf.if %c -> (i32, i32, i32) {
    %0 = "some.then"() : () -> i32
    scf.yield %x, %0, %y : i32, i32, i32
  } else {
    %0 = "some.else"() : () -> i32
    scf.yield %y, %0, %x : i32, i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @negated(%c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n {
    "some.then"() : () -> ()
  } else {
    "some.else"() : () -> ()
  }
  return
}
func.func @one_after_the_other(%c: i1) {
  scf.if %c {
    "some.first"() : () -> ()
  }
  scf.if %c {
    "some.second"(%c) : (i1) -> ()
  } else {
    "some.third"(%c) : (i1) -> ()
  }
  return
}
func.func @nested(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      "some.both"() : () -> ()
    }
  }
  return
}
func.func @loops(%n: index, %x: i32, %m: memref<8xi32>) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x, %d = %x) -> (i32, i32, i32, i32) {
    %s = arith.addi %b, %x : i32
    memref.store %s, %m[%i] : memref<8xi32>
    scf.yield %a, %s, %s, %c : i32, i32, i32, i32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %r#1) -> i32 {
    %s = arith.muli %a, %a : i32
    scf.yield %s : i32
  }
  return %r#0, %once, %r#2 : i32, i32, i32
}
func.func @regions(%x: i32) -> (i32, i32) {
  %two = arith.constant 2 : index
  %r = scf.index_switch %two -> i32
  case 2 {
    %s = arith.addi %x, %x : i32
    scf.yield %s : i32
  }
  default {
    scf.yield %x : i32
  }
  %e = scf.execute_region -> i32 {
    %s = arith.muli %x, %x : i32
    scf.yield %s : i32
  }
  return %r, %e : i32, i32
}
