// Where a is larger than b, the difference is stored; elsewhere the place keeps what it held. Returns the sum of what was stored.
func.func @if_loop_store(%n: i32, %a: memref<32xi32>, %b: memref<32xi32>, %c: memref<32xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %end = arith.index_cast %n : i32 to index
  %total = scf.for %i = %zero to %end step %one iter_args(%sum = %none) -> (i32) {
    %x = memref.load %a[%i] : memref<32xi32>
    %y = memref.load %b[%i] : memref<32xi32>
    %larger = arith.cmpi sgt, %x, %y : i32
    %next = scf.if %larger -> (i32) {
      %difference = arith.subi %x, %y : i32
      memref.store %difference, %c[%i] : memref<32xi32>
      %more = arith.addi %sum, %difference : i32
      scf.yield %more : i32
    } else {
      scf.yield %sum : i32
    }
    scf.yield %next : i32
  }
  return %total : i32
}
