// pipeline: builtin.module(func.func(sccp))
func.func @branches(%x: i32, %c: i1) -> (i32, i32, i32) {
  %a = arith.constant 4 : i32
  %b = arith.constant 4 : i32
  %d = arith.constant 5 : i32
  cf.cond_br %c, ^one(%a, %a, %x : i32, i32, i32), ^two
^two:
  cf.br ^one(%b, %d, %a : i32, i32, i32)
^one(%p: i32, %q: i32, %r: i32):
  return %p, %q, %r : i32, i32, i32
}
func.func @switches(%x: i32) -> (i32, i32) {
  %k = arith.constant 9 : i32
  %l = arith.constant 8 : i32
  cf.switch %k : i32, [
    default: ^out(%x : i32),
    9: ^out(%l : i32),
    10: ^never
  ]
^never:
  %m = arith.addi %l, %k : i32
  cf.br ^out(%m : i32)
^out(%r: i32):
  %s = arith.addi %r, %r : i32
  return %r, %s : i32, i32
}
func.func @loop_of_blocks(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %same: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %next = arith.addi %i, %one : i32
  %still = arith.muli %same, %next : i32
  %kept = arith.andi %same, %one : i32
  cf.br ^head(%next, %kept : i32, i32)
^exit:
  return %same : i32
}
func.func @unknown_branch(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  "some.branch"() [^a, ^b] : () -> ()
^a:
  cf.br ^b(%one : i32)
^b(%r: i32):
  return %r : i32
}
func.func @conditional(%c: i1, %x: index) -> (index, index, index) {
  %t = arith.constant true
  %a = arith.constant 1 : index
  %r:3 = scf.if %t -> (index, index, index) {
    scf.yield %a, %x, %a : index, index, index
  } else {
    %b = arith.constant 2 : index
    scf.yield %b, %b, %a : index, index, index
  }
  %s = scf.if %c -> index {
    scf.yield %r#0 : index
  } else {
    scf.yield %a : index
  }
  return %s, %r#1, %r#2 : index, index, index
}
func.func @counted(%n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero, %q = %zero) -> (i32, i32) {
    %s = arith.addi %p, %p : i32
    %t = arith.addi %q, %one : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @while_false(%x: i32) -> i32 {
  %f = arith.constant false
  %k = arith.constant 11 : i32
  %r = scf.while (%p = %k) : (i32) -> i32 {
    scf.condition(%f) %p : i32
  } do {
  ^bb0(%p: i32):
    %n = arith.addi %p, %x : i32
    scf.yield %n : i32
  }
  return %r : i32
}
func.func @while_true(%x: i32) -> i32 {
  %t = arith.constant true
  %k = arith.constant 11 : i32
  %r = scf.while (%p = %k) : (i32) -> i32 {
    scf.condition(%t) %p : i32
  } do {
  ^bb0(%p: i32):
    %n = arith.addi %p, %p : i32
    "some.use"(%n) : (i32) -> ()
    scf.yield %p : i32
  }
  return %r : i32
}
func.func @regions(%x: index) -> (index, index) {
  %two = arith.constant 2 : index
  %r = scf.index_switch %two -> index
  case 1 {
    scf.yield %x : index
  }
  case 2 {
    %c = arith.constant 20 : index
    scf.yield %c : index
  }
  default {
    scf.yield %x : index
  }
  %s = scf.execute_region -> index {
    cf.br ^bb1(%r : index)
  ^bb1(%p: index):
    %t = arith.addi %p, %two : index
    scf.yield %t : index
  }
  return %r, %s : index, index
}
func.func @parallel(%m: memref<10xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0 : i32
  %r = scf.parallel (%i) = (%c0) to (%c10) step (%c1) init (%z) -> i32 {
    %k = arith.addi %z, %z : i32
    scf.reduce(%k : i32) {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %z : i32
      scf.reduce.return %s : i32
    }
  }
  return %r : i32
}
func.func @affine(%n: index, %x: i32) -> (i32, i32, i32, i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %never = affine.for %i = 5 to 3 iter_args(%p = %o) -> i32 {
    affine.yield %x : i32
  }
  %once = affine.for %i = 0 to 4 step 4 iter_args(%p = %o) -> i32 {
    %q = arith.addi %p, %o : i32
    affine.yield %q : i32
  }
  %some = affine.for %i = 0 to %n iter_args(%p = %z) -> i32 {
    %q = arith.addi %p, %p : i32
    affine.yield %q : i32
  }
  %if = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) -> i32 {
    affine.yield %o : i32
  } else {
    affine.yield %z : i32
  }
  return %never, %once, %some, %if : i32, i32, i32, i32
}
func.func @effects_stay(%m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 3 : i32
  %never = "some.condition"() : () -> i1
  %r = scf.if %never -> i32 {
    memref.store %k, %m[%c0] : memref<4xi32>
    scf.yield %k : i32
  } else {
    %d = arith.divsi %k, %k : i32
    %e = arith.addi %d, %d : i32
    %f = arith.addi %e, %d : i32
    scf.yield %f : i32
  }
  return %r : i32
}
func.func @in_unknown_regions(%x: i32) {
  %a = arith.constant 6 : i32
  "some.region"(%a) ({
  ^bb0(%p: i32):
    %b = arith.constant 7 : i32
    %c = arith.muli %a, %b : i32
    %d = arith.muli %p, %b : i32
    "some.use"(%c, %d) : (i32, i32) -> ()
    "some.end"() : () -> ()
  }) : (i32) -> ()
  return
}
func.func @memory(%m: memref<4xi32>) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xi32>
  %i = index.constant 5
  %j = index.add %i, %i
  return %j, %v : index, i32
}
func.func @calls_itself(%n: i32) -> i32 {
  %k = arith.constant 4 : i32
  %r = call @calls_itself(%k) : (i32) -> i32
  return %k : i32
}
