// pipeline: builtin.module(loop-invariant-code-motion)
func.func @f(%i: i32, %x: index, %p: i1) {
  scf.parallel (%k) = (%x) to (%x) step (%x) { %a = arith.addi %i, %i : i32 "u.p"(%a) : (i32) -> () scf.reduce }
  scf.forall (%k) in (3) { %a = arith.subi %i, %i : i32 "u.fa"(%a) : (i32) -> () }
  affine.parallel (%k) = (0) to (3) { %a = arith.muli %i, %i : i32 "u.ap"(%a) : (i32) -> () }
  scf.while : () -> () { %a = arith.xori %i, %i : i32 "u.w"(%a) : (i32) -> () scf.condition(%p) } do { %b = arith.ori %i, %i : i32 "u.w2"(%b) : (i32) -> () scf.yield }
  affine.for %k = 0 to 3 { %a = arith.andi %i, %i : i32 "u.af"(%a) : (i32) -> () }
  scf.for %k = %x to %x step %x { %a = arith.divui %i, %i : i32 "u.sf"(%a) : (i32) -> () }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    %r = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<4xi32>) -> i32
  }
  return
}
func.func @g(%m: memref<4xi32>, %n: memref<4xi32>, %src: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    memref.copy %src, %m : memref<4xi32> to memref<4xi32>
  }
  return
}
func.func @h(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    %w = arith.addi %v, %one : i32
    affine.store %w, %m[0] : memref<4xi32>
  }
  return
}
func.func @u(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    "x.writes"(%m) : (memref<4xi32>) -> ()
  }
  return
}
func.func @alias(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %mm = memref.cast %m : memref<4xi32> to memref<?xi32>
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %mm[%c0] : memref<?xi32>
  }
  return
}
// -----
func.func @f(%i: i32, %x: index, %p: i1, %m: memref<?x?xi32>, %um: memref<*xi32>, %c4: i32, %t: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %cm1 = arith.constant -1 : i32
  %z = arith.constant 0 : i32
  scf.for %k = %x to %x step %x {
    %c = arith.divui %i, %c7 : i32 "u.divui7"(%c) : (i32) -> ()
    %d = arith.divsi %i, %c7 : i32 "u.divsi7"(%d) : (i32) -> ()
    %e = arith.divsi %i, %cm1 : i32 "u.divsim1"(%e) : (i32) -> ()
    %e2 = arith.divui %i, %cm1 : i32 "u.divuim1"(%e2) : (i32) -> ()
    %f = arith.ceildivui %i, %c7 : i32 "u.ceildivui7"(%f) : (i32) -> ()
    %g = arith.ceildivsi %i, %c7 : i32 "u.ceildivsi7"(%g) : (i32) -> ()
    %h = arith.floordivsi %i, %c7 : i32 "u.floordivsi7"(%h) : (i32) -> ()
    %h2 = arith.ceildivsi %i, %i : i32 "u.ceildivsi"(%h2) : (i32) -> ()
    %h3 = arith.ceildivui %i, %i : i32 "u.ceildivui"(%h3) : (i32) -> ()
    %j = index.divs %x, %x "u.idivs"(%j) : (index) -> ()
    %j2 = index.divu %x, %x "u.idivu"(%j2) : (index) -> ()
    %j3 = index.rems %x, %x "u.irems"(%j3) : (index) -> ()
    %j4 = index.ceildivs %x, %x "u.iceildivs"(%j4) : (index) -> ()
    %j5 = index.shl %x, %x "u.ishl"(%j5) : (index) -> ()
    %j6 = arith.shli %i, %i : i32 "u.shli"(%j6) : (i32) -> ()
    %l = memref.dim %m, %x : memref<?x?xi32> "u.dimx"(%l) : (index) -> ()
    %l2 = memref.dim %m, %c1 : memref<?x?xi32> "u.dim1"(%l2) : (index) -> ()
    %l3 = memref.dim %um, %c1 : memref<*xi32> "u.udim1"(%l3) : (index) -> ()
    %n = memref.load %m[%c0, %c0] : memref<?x?xi32> "u.load"(%n) : (i32) -> ()
    %o = memref.cast %m : memref<?x?xi32> to memref<4x4xi32> "u.cast"(%o) : (memref<4x4xi32>) -> ()
    %q = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<?x?xi32> to memref<2x2xi32, strided<[?, 1]>> "u.subview"(%q) : (memref<2x2xi32, strided<[?, 1]>>) -> ()
    %s = memref.alloc() : memref<4xi32> "u.alloc"(%s) : (memref<4xi32>) -> ()
    %u = memref.alloca() : memref<4xi32> "u.alloca"(%u) : (memref<4xi32>) -> ()
    %v = memref.rank %um : memref<*xi32> "u.rank"(%v) : (index) -> ()
    %w = affine.apply affine_map<(d0) -> (d0 mod 3)>(%x) "u.apply"(%w) : (index) -> ()
    %y = math.ipowi %i, %i : i32 "u.ipowi"(%y) : (i32) -> ()
    %aa = builtin.unrealized_conversion_cast %i : i32 to i64 "u.ucc"(%aa) : (i64) -> ()
    %ab = ub.poison : i32 "u.poison"(%ab) : (i32) -> ()
    %cc = func.constant @f : (i32, index, i1, memref<?x?xi32>, memref<*xi32>, i32, memref<3xindex>) -> () "u.fconst"(%cc) : ((i32, index, i1, memref<?x?xi32>, memref<*xi32>, i32, memref<3xindex>) -> ()) -> ()
    %ep = memref.extract_aligned_pointer_as_index %m : memref<?x?xi32> -> index "u.ptr"(%ep) : (index) -> ()
    %md:6 = memref.extract_strided_metadata %m : memref<?x?xi32> -> memref<i32>, index, index, index, index, index "u.md"(%md#1) : (index) -> ()
    %mn = memref.transpose %m (i, j) -> (j, i) : memref<?x?xi32> to memref<?x?xi32, strided<[1, ?]>> "u.tr"(%mn) : (memref<?x?xi32, strided<[1, ?]>>) -> ()
    %cl = memref.collapse_shape %m [[0, 1]] : memref<?x?xi32> into memref<?xi32> "u.cs"(%cl) : (memref<?xi32>) -> ()
    %dl:2 = affine.delinearize_index %x into (%c0, %c1) : index, index "u.dl"(%dl#0) : (index) -> ()
    %nn = affine.min affine_map<(d0) -> (d0, 3)>(%x) "u.min"(%nn) : (index) -> ()
  }
  return
}
func.func @regions(%i: i32, %x: index, %p: i1, %m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %x to %x step %x {
    %a = scf.if %p -> i32 { %v = arith.addi %i, %i : i32 scf.yield %v : i32 } else { scf.yield %i : i32 } "u.if"(%a) : (i32) -> ()
    %a2 = scf.if %p -> i32 { %v = arith.divui %i, %i : i32 scf.yield %v : i32 } else { scf.yield %i : i32 } "u.ifdiv"(%a2) : (i32) -> ()
    %a3 = scf.if %p -> i32 { %v = memref.load %m[%c0] : memref<4xi32> scf.yield %v : i32 } else { scf.yield %i : i32 } "u.ifload"(%a3) : (i32) -> ()
    %b = scf.for %q = %c0 to %c4 step %c1 iter_args(%z = %i) -> i32 { %v = arith.addi %z, %i : i32 scf.yield %v : i32 } "u.for1"(%b) : (i32) -> ()
    %b2 = scf.for %q = %c0 to %c4 step %c4 iter_args(%z = %i) -> i32 { %v = arith.addi %z, %i : i32 scf.yield %v : i32 } "u.for4"(%b2) : (i32) -> ()
    %b3 = scf.for %q = %x to %c4 step %c1 iter_args(%z = %i) -> i32 { %v = arith.addi %z, %i : i32 scf.yield %v : i32 } "u.forx"(%b3) : (i32) -> ()
    %c = affine.for %q = 0 to 4 iter_args(%z = %i) -> i32 { %v = arith.addi %z, %i : i32 affine.yield %v : i32 } "u.afor"(%c) : (i32) -> ()
    %c2 = affine.for %q = 0 to 4 step 2 iter_args(%z = %i) -> i32 { %v = arith.addi %z, %i : i32 affine.yield %v : i32 } "u.afor2"(%c2) : (i32) -> ()
    %d = affine.if affine_set<(d0) : (d0 >= 0)>(%x) -> i32 { affine.yield %i : i32 } else { %v = arith.addi %i, %i : i32 affine.yield %v : i32 } "u.aif"(%d) : (i32) -> ()
    %e = scf.while (%z = %i) : (i32) -> i32 { scf.condition(%p) %z : i32 } do { ^bb0(%z: i32): scf.yield %z : i32 } "u.while"(%e) : (i32) -> ()
    %f = scf.index_switch %x -> i32 case 0 { scf.yield %i : i32 } default { %v = arith.addi %i, %i : i32 scf.yield %v : i32 } "u.sw"(%f) : (i32) -> ()
    %g = scf.execute_region -> i32 { %v = arith.addi %i, %i : i32 scf.yield %v : i32 } "u.er"(%g) : (i32) -> ()
    %h = scf.parallel (%q) = (%c0) to (%c4) step (%c1) init (%i) -> i32 { scf.reduce(%i : i32) { ^bb0(%l: i32, %r: i32): %s = arith.addi %l, %r : i32 scf.reduce.return %s : i32 } } "u.par"(%h) : (i32) -> ()
    %j = affine.parallel (%q) = (0) to (4) reduce ("addi") -> i32 { affine.yield %i : i32 } "u.apar"(%j) : (i32) -> ()
    scf.forall (%q) in (3) { }
    %al = memref.alloca_scope -> i32 { memref.alloca_scope.return %i : i32 } "u.as"(%al) : (i32) -> ()
    scf.if %p { }
    scf.for %q = %c0 to %c4 step %c1 { }
    affine.for %q = 0 to 4 { }
  }
  return
}
func.func @order(%i: i32, %x: index, %p: i1) {
  scf.for %k = %x to %x step %x {
    "u.1"() : () -> ()
    scf.for %l = %x to %x step %x {
      %a = arith.addi %i, %i : i32
      %b = arith.muli %a, %a : i32
      %c = arith.index_cast %k : index to i32
      %d = arith.addi %c, %b : i32
      "u.2"(%d) : (i32) -> ()
      scf.if %p { %e = arith.subi %i, %i : i32 "u.3"(%e) : (i32) -> () }
      "u.reg"() ({ %e = arith.subi %i, %b : i32 "u.4"(%e) : (i32) -> () }) : () -> ()
    }
  }
  return
}
// -----
func.func @operands_of_regions(%i: i32, %x: index, %v: vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %splat = arith.constant dense<3> : vector<4xi32>
  %some = arith.constant dense<[1, 0, 2, 3]> : vector<4xi32>
  affine.for %k = 0 to 10 {
    %a = affine.if affine_set<(d0) : (d0 >= 5)>(%k) -> i32 { affine.yield %i : i32 } else { affine.yield %i : i32 }
    "u.changes"(%a) : (i32) -> ()
    %b = affine.if affine_set<(d0) : (d0 >= 5)>(%x) -> i32 {
      %s = arith.addi %i, %i : i32
      affine.yield %s : i32
    } else { affine.yield %i : i32 }
    %c = arith.muli %b, %b : i32
    "u.stays"(%c) : (i32) -> ()
    %d = arith.divsi %v, %splat : vector<4xi32>
    %e = arith.divsi %v, %some : vector<4xi32>
    "u.vectors"(%d, %e) : (vector<4xi32>, vector<4xi32>) -> ()
    %f = affine.if affine_set<(d0) : (d0 >= 5)>(%x) -> i32 {
      %s = arith.index_cast %k : index to i32
      affine.yield %s : i32
    } else { affine.yield %i : i32 }
    "u.inner"(%f) : (i32) -> ()
  }
  return
}
// -----
func.func @nests(%i: i32, %x: index, %m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.parallel (%a) = (0) to (4) {
    scf.forall (%b) in (2) {
      affine.for %c = 0 to 4 {
        %0 = arith.addi %i, %i : i32
        %1 = arith.index_cast %a : index to i32
        %2 = arith.muli %0, %1 : i32
        %3 = affine.load %m[0] : memref<4xi32>
        %4 = arith.addi %2, %3 : i32
        affine.store %4, %m[0] : memref<4xi32>
        %5 = memref.cast %m : memref<4xi32> to memref<?xi32>
        %6 = memref.dim %5, %c0 : memref<?xi32>
        %7 = memref.dim %5, %c1 : memref<?xi32>
        "u.use"(%6, %7) : (index, index) -> ()
        "u.region"() ({
          %8 = arith.subi %i, %i : i32
          scf.for %d = %c0 to %x step %c1 {
            %9 = arith.xori %i, %8 : i32
            "u.use"(%9) : (i32) -> ()
          }
        }) : () -> ()
      }
    }
  }
  return
}
// -----
func.func @effects(%i: i32, %x: index, %m: memref<4xi32>, %n: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %x step %c1 {
    %a = memref.atomic_rmw addi %i, %m[%c0] : (i32, memref<4xi32>) -> i32
    %b = memref.generic_atomic_rmw %m[%c0] : memref<4xi32> {
    ^bb0(%old: i32):
      memref.atomic_yield %i : i32
    }
    memref.copy %n, %m : memref<4xi32> to memref<4xi32>
    %c = memref.alloc() : memref<4xi32>
    %d = affine.load %m[0] : memref<4xi32>
    %e = func.call @g(%i) : (i32) -> i32
    %f = "u.pure"(%i) : (i32) -> i32
    %g = scf.execute_region -> i32 { scf.yield %i : i32 }
    "u.use"(%a, %b, %c, %d, %e, %f, %g) : (i32, i32, memref<4xi32>, i32, i32, i32, i32) -> ()
  }
  return
}
func.func private @g(i32) -> i32
