// passes: factors

// Products of extended values, of which a multiplier block takes the factors; products by constants and of wide values are left.
func.func @extended(%a: i16, %b: i8, %c: i19) -> (i32, i33, i40, i32, i16) {
  %k = arith.constant 77 : i32
  %sa = arith.extsi %a : i16 to i32
  %sb = arith.extsi %b : i8 to i32
  %ua = arith.extui %a : i16 to i33
  %wb = arith.extsi %b : i8 to i33
  %sc = arith.extsi %c : i19 to i40
  %ub = arith.extui %b : i8 to i16
  %wub = arith.extsi %ub : i16 to i40
  %nb = arith.extsi %b : i8 to i16
  %both_signed = arith.muli %sa, %sb : i32
  %mixed = arith.muli %ua, %wb : i33
  %too_wide = arith.muli %sc, %wub : i40
  %by_constant = arith.muli %sa, %k : i32
  %narrow = arith.muli %nb, %nb : i16
  return %both_signed, %mixed, %too_wide, %by_constant, %narrow : i32, i33, i40, i32, i16
}

//> module {
//>   func.func @extended(%arg0: i16, %arg1: i8, %arg2: i19) -> (i32, i33, i40, i32, i16) {
//>     %c77_i32 = arith.constant 77 : i32
//>     %0 = arith.extsi %arg0 : i16 to i32
//>     %1 = arith.extsi %arg1 : i8 to i32
//>     %2 = arith.extui %arg0 : i16 to i33
//>     %3 = arith.extsi %arg1 : i8 to i33
//>     %4 = arith.extsi %arg2 : i19 to i40
//>     %5 = arith.extui %arg1 : i8 to i16
//>     %6 = arith.extsi %5 : i16 to i40
//>     %7 = arith.extsi %arg1 : i8 to i16
//>     %8 = arith.muli %0, %1 {sluice.factors = array<i64: 16, 8, 32>, sluice.signed_factors} : i32
//>     %9 = arith.muli %2, %3 {sluice.factors = array<i64: 17, 8, 33>, sluice.signed_factors} : i33
//>     %10 = arith.muli %4, %6 : i40
//>     %11 = arith.muli %0, %c77_i32 : i32
//>     %12 = arith.muli %7, %7 : i16
//>     return %8, %9, %10, %11, %12 : i32, i33, i40, i32, i16
//>   }
//> }
