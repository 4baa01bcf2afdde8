// passes: normalise

// The blocks of a region that runs once become conditionals where it stands, in a loop too.
func.func @absolutes(%a: memref<8xi8>) {
  %zero = arith.constant 0 : i8
  affine.for %i = 0 to 8 {
    %size = scf.execute_region -> i8 {
      %x = affine.load %a[%i] : memref<8xi8>
      %negative = arith.cmpi slt, %x, %zero : i8
      cf.cond_br %negative, ^turn, ^done(%x : i8)
    ^turn:
      %y = arith.subi %zero, %x : i8
      cf.br ^done(%y : i8)
    ^done(%z: i8):
      scf.yield %z : i8
    }
    affine.store %size, %a[%i] : memref<8xi8>
  }
  return
}

//> module {
//>   func.func @absolutes(%arg0: memref<8xi8>) {
//>     %c0_i8 = arith.constant 0 : i8
//>     affine.for %arg1 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg1] : memref<8xi8>
//>       %1 = arith.cmpi slt, %0, %c0_i8 : i8
//>       %2 = scf.if %1 -> (i8) {
//>         %3 = arith.subi %c0_i8, %0 : i8
//>         scf.yield %3 : i8
//>       } else {
//>         scf.yield %0 : i8
//>       }
//>       affine.store %2, %arg0[%arg1] : memref<8xi8>
//>     }
//>     return
//>   }
//> }
