// passes: factors
// config: limits: {multiply: 1}

// One multiplier for all products: as wide as the widest factors on each side, signed.
func.func @limited(%a: i16, %b: i8) -> (i32, i33) {
  %sa = arith.extsi %a : i16 to i32
  %sb = arith.extsi %b : i8 to i32
  %ub = arith.extui %b : i8 to i33
  %one = arith.muli %sb, %sa : i32
  %other = arith.muli %ub, %ub : i33
  return %one, %other : i32, i33
}

//> module {
//>   func.func @limited(%arg0: i16, %arg1: i8) -> (i32, i33) {
//>     %0 = arith.extsi %arg0 : i16 to i32
//>     %1 = arith.extsi %arg1 : i8 to i32
//>     %2 = arith.extui %arg1 : i8 to i33
//>     %3 = arith.muli %1, %0 {sluice.factors = array<i64: 9, 16, 33>, sluice.signed_factors} : i32
//>     %4 = arith.muli %2, %2 {sluice.factors = array<i64: 9, 16, 33>, sluice.signed_factors} : i33
//>     return %3, %4 : i32, i33
//>   }
//> }
