// passes: canonicalise, if-convert, canonicalise, annotate, share-accesses, free-guards, canonicalise

// Loads and stores of the branches of a conditional are one of each, at an address that is chosen.
func.func @both(%c: memref<16xi1>, %i: memref<16xindex>, %a: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %n = %c0 to %c16 step %c1 {
    %which = memref.load %c[%n] : memref<16xi1>
    %at = memref.load %i[%n] : memref<16xindex>
    scf.if %which {
      %old = memref.load %a[%at] : memref<64xi32>
      %one = arith.constant 1 : i32
      %new = arith.addi %old, %one : i32
      memref.store %new, %a[%at] : memref<64xi32>
    } else {
      %old = memref.load %a[%n] : memref<64xi32>
      %two = arith.constant 2 : i32
      %new = arith.muli %old, %two : i32
      memref.store %new, %a[%n] : memref<64xi32>
    }
  }
  return
}

// Three branches, chosen by what a number is; the last has no load: a condition stays.
func.func @three(%k: memref<16xi8>, %a: memref<64xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %k0 = arith.constant 0 : i8
  %k1 = arith.constant 1 : i8
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %kind = memref.load %k[%n] : memref<16xi8>
    %is0 = arith.cmpi eq, %kind, %k0 : i8
    %x = scf.if %is0 -> i32 {
      %v = memref.load %a[%n] : memref<64xi32>
      scf.yield %v : i32
    } else {
      %is1 = arith.cmpi eq, %kind, %k1 : i8
      %y = scf.if %is1 -> i32 {
        %m = arith.addi %n, %c5 : index
        %v = memref.load %a[%m] : memref<64xi32>
        scf.yield %v : i32
      } else {
        scf.yield %zero : i32
      }
      scf.yield %y : i32
    }
    memref.store %x, %b[%n] : memref<16xi32>
  }
  return
}

// What one branch stores, the other may read without waiting for it; a store behind both waits for both.
func.func @apart(%c: memref<16xi1>, %i: memref<16xindex>, %a: memref<64xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %which = memref.load %c[%n] : memref<16xi1>
    %at = memref.load %i[%n] : memref<16xindex>
    %x = scf.if %which -> i32 {
      memref.store %zero, %a[%at] : memref<64xi32>
      scf.yield %zero : i32
    } else {
      %v = memref.load %a[%n] : memref<64xi32>
      scf.yield %v : i32
    }
    memref.store %x, %b[%n] : memref<16xi32>
  }
  return
}

// Both conditions may hold: the loads stay two.
func.func @not_exclusive(%c: memref<16xi8>, %a: memref<64xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %k0 = arith.constant 10 : i8
  %k1 = arith.constant 20 : i8
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %kind = memref.load %c[%n] : memref<16xi8>
    %above = arith.cmpi sgt, %kind, %k0 : i8
    %below = arith.cmpi slt, %kind, %k1 : i8
    %x = scf.if %above -> i32 {
      %v = memref.load %a[%n] : memref<64xi32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    }
    %y = scf.if %below -> i32 {
      %m = arith.addi %n, %c5 : index
      %v = memref.load %a[%m] : memref<64xi32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    }
    %sum = arith.addi %x, %y : i32
    memref.store %sum, %b[%n] : memref<16xi32>
  }
  return
}

// What one load gives is stored whatever its condition says: it is a zero where that does not hold, and not what the other load reads.
func.func @looked_at(%c: memref<16xi1>, %a: memref<64xi32>, %b: memref<16xi32>, %d: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %true = arith.constant true
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %which = memref.load %c[%n] : memref<16xi1>
    %m = arith.addi %n, %c5 : index
    %not = arith.xori %which, %true : i1
    %x = scf.if %which -> i32 {
      %v = memref.load %a[%n] : memref<64xi32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    } {sluice.guard}
    %y = scf.if %not -> i32 {
      %v = memref.load %a[%m] : memref<64xi32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    } {sluice.guard}
    %z = arith.select %which, %zero, %y : i32
    memref.store %x, %b[%n] : memref<16xi32>
    memref.store %z, %d[%n] : memref<16xi32>
  }
  return
}

//> module {
//>   func.func @both(%arg0: memref<16xi1>, %arg1: memref<16xindex>, %arg2: memref<64xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     scf.for %arg3 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg3] {sluice.access = 0 : i64} : memref<16xi1>
//>       %1 = memref.load %arg1[%arg3] {sluice.access = 1 : i64} : memref<16xindex>
//>       %2 = arith.select %0, %1, %arg3 : index
//>       %3 = memref.load %arg2[%2] {sluice.access = 2 : i64} : memref<64xi32>
//>       %c1_i32 = arith.constant 1 : i32
//>       %4 = arith.addi %3, %c1_i32 : i32
//>       %c2_i32 = arith.constant 2 : i32
//>       %5 = arith.muli %3, %c2_i32 : i32
//>       %6 = arith.select %0, %4, %5 : i32
//>       memref.store %6, %arg2[%2] {sluice.access = 5 : i64} : memref<64xi32>
//>     } {sluice.dependences = [array<i64: 2, 5, 0>, array<i64: 5, 2, 1>, array<i64: 5, 5, 1>], sluice.trip_count = 16 : i64}
//>     return
//>   }
//>   func.func @three(%arg0: memref<16xi8>, %arg1: memref<64xi32>, %arg2: memref<16xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c5 = arith.constant 5 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i8 = arith.constant 0 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg3 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg3] {sluice.access = 0 : i64} : memref<16xi8>
//>       %1 = arith.cmpi eq, %0, %c0_i8 : i8
//>       %true = arith.constant true
//>       %2 = arith.xori %1, %true : i1
//>       %3 = arith.cmpi eq, %0, %c1_i8 : i8
//>       %4 = arith.addi %arg3, %c5 : index
//>       %5 = arith.andi %2, %3 : i1
//>       %6 = arith.select %1, %arg3, %4 : index
//>       %7 = arith.ori %1, %5 : i1
//>       %8 = scf.if %7 -> (i32) {
//>         %11 = memref.load %arg1[%6] {sluice.access = 1 : i64} : memref<64xi32>
//>         scf.yield %11 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %9 = arith.select %3, %8, %c0_i32 : i32
//>       %10 = arith.select %1, %8, %9 : i32
//>       memref.store %10, %arg2[%arg3] {sluice.access = 3 : i64} : memref<16xi32>
//>     } {sluice.dependences = [], sluice.trip_count = 16 : i64}
//>     return
//>   }
//>   func.func @apart(%arg0: memref<16xi1>, %arg1: memref<16xindex>, %arg2: memref<64xi32>, %arg3: memref<16xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg4 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg4] {sluice.access = 0 : i64} : memref<16xi1>
//>       %1 = memref.load %arg1[%arg4] {sluice.access = 1 : i64} : memref<16xindex>
//>       scf.if %0 {
//>         memref.store %c0_i32, %arg2[%1] {sluice.access = 2 : i64} : memref<64xi32>
//>       } {sluice.guard}
//>       %true = arith.constant true
//>       %2 = arith.xori %0, %true : i1
//>       %3 = scf.if %2 -> (i32) {
//>         %5 = memref.load %arg2[%arg4] {sluice.access = 3 : i64} : memref<64xi32>
//>         scf.yield %5 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %4 = arith.select %0, %c0_i32, %3 : i32
//>       memref.store %4, %arg3[%arg4] {sluice.access = 4 : i64} : memref<16xi32>
//>     } {sluice.dependences = [array<i64: 2, 2, 1>, array<i64: 2, 3, 1>, array<i64: 3, 2, 1>], sluice.trip_count = 16 : i64}
//>     return
//>   }
//>   func.func @not_exclusive(%arg0: memref<16xi8>, %arg1: memref<64xi32>, %arg2: memref<16xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c5 = arith.constant 5 : index
//>     %c16 = arith.constant 16 : index
//>     %c10_i8 = arith.constant 10 : i8
//>     %c20_i8 = arith.constant 20 : i8
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg3 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg3] {sluice.access = 0 : i64} : memref<16xi8>
//>       %1 = arith.cmpi sgt, %0, %c10_i8 : i8
//>       %2 = arith.cmpi slt, %0, %c20_i8 : i8
//>       %3 = scf.if %1 -> (i32) {
//>         %9 = memref.load %arg1[%arg3] {sluice.access = 1 : i64} : memref<64xi32>
//>         scf.yield %9 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %4 = arith.select %1, %3, %c0_i32 : i32
//>       %5 = arith.addi %arg3, %c5 : index
//>       %6 = scf.if %2 -> (i32) {
//>         %9 = memref.load %arg1[%5] {sluice.access = 2 : i64} : memref<64xi32>
//>         scf.yield %9 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %7 = arith.select %2, %6, %c0_i32 : i32
//>       %8 = arith.addi %4, %7 : i32
//>       memref.store %8, %arg2[%arg3] {sluice.access = 3 : i64} : memref<16xi32>
//>     } {sluice.dependences = [], sluice.trip_count = 16 : i64}
//>     return
//>   }
//>   func.func @looked_at(%arg0: memref<16xi1>, %arg1: memref<64xi32>, %arg2: memref<16xi32>, %arg3: memref<16xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c5 = arith.constant 5 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg4 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg4] {sluice.access = 0 : i64} : memref<16xi1>
//>       %1 = arith.addi %arg4, %c5 : index
//>       %2 = arith.select %0, %arg4, %1 : index
//>       %3 = memref.load %arg1[%2] {sluice.access = 1 : i64} : memref<64xi32>
//>       %4 = arith.select %0, %3, %c0_i32 : i32
//>       %5 = arith.select %0, %c0_i32, %3 : i32
//>       memref.store %4, %arg2[%arg4] {sluice.access = 3 : i64} : memref<16xi32>
//>       memref.store %5, %arg3[%arg4] {sluice.access = 4 : i64} : memref<16xi32>
//>     } {sluice.dependences = [], sluice.trip_count = 16 : i64}
//>     return
//>   }
//> }
