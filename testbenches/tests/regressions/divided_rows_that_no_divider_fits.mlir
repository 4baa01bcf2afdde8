// Each row has a divisor of its own: the division is beside the inner loop, in a loop of its own.
func.func @divided_rows_that_no_divider_fits(%a: memref<64xi40>, %b: memref<8xi40>) {
  %one = arith.constant 1 : i40
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i * 8] : memref<64xi40>
    %y = affine.load %b[%i] : memref<8xi40>
    %d = arith.ori %y, %one : i40
    %q = arith.divui %x, %d : i40
    affine.for %j = 0 to 8 {
      %v = affine.load %a[%i * 8 + %j] : memref<64xi40>
      %w = arith.addi %v, %q : i40
      affine.store %w, %a[%i * 8 + %j] : memref<64xi40>
    }
  }
  return
}
