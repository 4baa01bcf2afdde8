// passes: canonicalise, coalesce, canonicalise

// Every cell that the first store writes is written again before anything reads it: it is left out. The second store stays, since the
// row reads what it wrote.
func.func @twice(%a: memref<4xi16>, %b: memref<4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi16>
    memref.store %x, %b[%i] : memref<4xi16>
    %sum = scf.for %j = %c0 to %i step %c1 iter_args(%s = %x) -> (i16) {
      %y = memref.load %b[%j] : memref<4xi16>
      %new = arith.addi %s, %y : i16
      scf.yield %new : i16
    }
    memref.store %sum, %b[%i] : memref<4xi16>
  }
  return
}

//> module {
//>   func.func @twice(%arg0: memref<4xi16>, %arg1: memref<4xi16>) {
//>     %c0 = arith.constant 0 : index
//>     %c14 = arith.constant 14 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i16 = arith.constant 0 : i16
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:8 = scf.for %arg2 = %c0 to %c14 step %c1 iter_args(%arg3 = %c0_i16, %arg4 = %false, %arg5 = %true, %arg6 = %false, %arg7 = %c0_i2, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %true) -> (i16, i1, i1, i1, i2, i1, i2, i1) {
//>       %1 = arith.index_castui %arg7 : i2 to index
//>       %2 = arith.index_castui %arg9 : i2 to index
//>       %3 = arith.xori %arg10, %true : i1
//>       %4 = arith.andi %arg4, %3 : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i2
//>       %c-1 = arith.constant -1 : index
//>       %7 = arith.addi %1, %c-1 : index
//>       %8 = arith.cmpi eq, %5, %7 : index
//>       %9 = arith.andi %arg4, %arg10 : i1
//>       %10 = arith.cmpi slt, %c0, %1 : index
//>       %11 = arith.andi %arg5, %10 : i1
//>       %12 = arith.cmpi eq, %c0, %7 : index
//>       %13 = arith.xori %10, %true : i1
//>       %14 = arith.andi %arg5, %13 : i1
//>       %15 = arith.xori %arg8, %true : i1
//>       %16 = arith.andi %arg6, %15 : i1
//>       %17 = arith.addi %1, %c1 : index
//>       %18 = arith.index_cast %17 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %19 = arith.cmpi eq, %arg7, %c-2_i2 : i2
//>       %20 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<4xi16>
//>       %21 = memref.load %arg1[%2] {sluice.access = 1 : i64} : memref<4xi16>
//>       %22 = arith.addi %arg3, %21 : i16
//>       scf.if %arg6 {
//>         memref.store %arg3, %arg1[%1] {sluice.access = 2 : i64} : memref<4xi16>
//>       } {sluice.guard}
//>       %23 = arith.select %arg5, %20, %arg3 : i16
//>       %24 = arith.select %arg4, %22, %23 : i16
//>       %25 = arith.ori %4, %11 : i1
//>       %26 = arith.ori %9, %14 : i1
//>       %27 = arith.select %16, %18, %arg7 : i2
//>       %28 = arith.andi %16, %19 : i1
//>       %29 = arith.xori %16, %true : i1
//>       %30 = arith.andi %29, %arg8 : i1
//>       %31 = arith.ori %28, %30 : i1
//>       %32 = arith.select %4, %6, %arg9 : i2
//>       %33 = arith.select %11, %c0_i2, %32 : i2
//>       %34 = arith.andi %4, %8 : i1
//>       %35 = arith.andi %11, %12 : i1
//>       %36 = arith.ori %34, %35 : i1
//>       %37 = arith.xori %25, %true : i1
//>       %38 = arith.andi %37, %arg10 : i1
//>       %39 = arith.ori %36, %38 : i1
//>       scf.yield %24, %25, %16, %26, %27, %31, %33, %39 : i16, i1, i1, i1, i2, i1, i2, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 2, 1, 2>]}
//>     return
//>   }
//> }
