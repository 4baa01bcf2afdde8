// The loads in front of the innermost loop run an iteration ahead; those of the first iteration, under the condition that there is one,
// are first values of carried ones.
func.func @rows(%A: memref<5x5xi8>, %x: memref<5xi8>, %s: i8) {
  affine.for %i = 0 to 5 {
    %d = affine.load %A[%i, %i] : memref<5x5xi8>
    %old = affine.load %x[%i] : memref<5xi8>
    %new = arith.subi %old, %d : i8
    affine.store %new, %x[%i] : memref<5xi8>
    affine.for %j = affine_map<(i) -> (i + 1)>(%i) to 5 {
      %below = affine.load %A[%j, %i] : memref<5x5xi8>
      %above = affine.load %A[%i, %j] : memref<5x5xi8>
      affine.for %k = affine_map<(j) -> (j)>(%j) to 5 {
        %a = affine.load %A[%k, %j] : memref<5x5xi8>
        %mixed = arith.xori %a, %below : i8
        %less = arith.subi %mixed, %above : i8
        %sum = arith.addi %less, %s : i8
        affine.store %sum, %A[%k, %j] : memref<5x5xi8>
      }
    }
  }
  return
}
