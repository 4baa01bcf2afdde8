// passes: narrow, tidy, copies

// Values that change places at the end of an iteration need registers of their own.
func.func @swap(%x: i8, %y: i8) -> (i8, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (i8, i8) {
    scf.yield %b, %a : i8, i8
  }
  return %r#0, %r#1 : i8, i8
}

//> module {
//>   func.func @swap(%arg0: i8, %arg1: i8) -> (i8, i8) {
//>     %c0_i4 = arith.constant 0 : i4
//>     %c5_i4 = arith.constant 5 : i4
//>     %c1_i4 = arith.constant 1 : i4
//>     %0:2 = scf.for %arg2 = %c0_i4 to %c5_i4 step %c1_i4 iter_args(%arg3 = %arg0, %arg4 = %arg1) -> (i8, i8)  : i4 {
//>       %1 = builtin.unrealized_conversion_cast %arg4 : i8 to i8
//>       %2 = builtin.unrealized_conversion_cast %arg3 : i8 to i8
//>       scf.yield %1, %2 : i8, i8
//>     }
//>     return %0#0, %0#1 : i8, i8
//>   }
//> }
