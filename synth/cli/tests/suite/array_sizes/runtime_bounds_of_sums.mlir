// Sums go through both loops; the lower bound is an argument too.
func.func @red(%n: i8, %m: i8, %lo: i8, %A: memref<20x20xi32>, %D: memref<20x20xi16>) -> (i32, i32) {
  %z = arith.constant 0 : i32
  %in = arith.index_cast %n : i8 to index
  %im = arith.index_cast %m : i8 to index
  %il = arith.index_cast %lo : i8 to index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %il to %in step %c1 iter_args(%s = %z, %t = %z) -> (i32, i32) {
    %q:2 = scf.for %j = %il to %im step %c1 iter_args(%u = %s, %v = %t) -> (i32, i32) {
      %a = memref.load %A[%i, %j] : memref<20x20xi32>
      %b = arith.addi %u, %a : i32
      %c = arith.xori %v, %b : i32
      %d = arith.trunci %c : i32 to i16
      memref.store %d, %D[%j, %i] : memref<20x20xi16>
      scf.yield %b, %c : i32, i32
    }
    scf.yield %q#0, %q#1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
