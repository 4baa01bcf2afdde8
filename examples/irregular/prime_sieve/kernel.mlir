// The primes below n, which is at most 128, by the sieve of Eratosthenes. Returns how many there are.
func.func @prime_sieve(%n: i32, %primes: memref<32xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %end = arith.index_cast %n : i32 to index
  %composite = memref.alloca() : memref<128xi1>
  scf.for %i = %zero to %end step %one {
    memref.store %false, %composite[%i] : memref<128xi1>
  }
  %count = scf.for %i = %two to %end step %one iter_args(%found = %none) -> (i32) {
    %crossed = memref.load %composite[%i] : memref<128xi1>
    %now = scf.if %crossed -> (i32) {
      scf.yield %found : i32
    } else {
      %at = arith.index_cast %found : i32 to index
      %prime = arith.index_cast %i : index to i32
      memref.store %prime, %primes[%at] : memref<32xi32>
      %square = arith.muli %i, %i : index
      scf.for %multiple = %square to %end step %i {
        memref.store %true, %composite[%multiple] : memref<128xi1>
      }
      %more = arith.addi %found, %unit : i32
      scf.yield %more : i32
    }
    scf.yield %now : i32
  }
  return %count : i32
}
