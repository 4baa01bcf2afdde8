// Breadth-first search from a root: the distance of each of 16 nodes, or -1. Returns how many nodes were reached.
func.func @bfs(%starts: memref<17xi32>, %targets: memref<48xi32>, %root: i32, %distances: memref<16xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_nodes = arith.constant 16 : index
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %unknown = arith.constant -1 : i32
  %queue = memref.alloca() : memref<16xi32>
  scf.for %node = %zero to %n_nodes step %one {
    memref.store %unknown, %distances[%node] : memref<16xi32>
  }
  %first = arith.index_cast %root : i32 to index
  memref.store %none, %distances[%first] : memref<16xi32>
  memref.store %root, %queue[%zero] : memref<16xi32>
  %head, %tail = scf.while (%h = %none, %t = %step) : (i32, i32) -> (i32, i32) {
    %waiting = arith.cmpi slt, %h, %t : i32
    scf.condition(%waiting) %h, %t : i32, i32
  } do {
  ^bb0(%h: i32, %t: i32):
    %front = arith.index_cast %h : i32 to index
    %node = memref.load %queue[%front] : memref<16xi32>
    %at = arith.index_cast %node : i32 to index
    %after = arith.addi %at, %one : index
    %distance = memref.load %distances[%at] : memref<16xi32>
    %further = arith.addi %distance, %step : i32
    %start = memref.load %starts[%at] : memref<17xi32>
    %end = memref.load %starts[%after] : memref<17xi32>
    %from = arith.index_cast %start : i32 to index
    %to = arith.index_cast %end : i32 to index
    %grown = scf.for %edge = %from to %to step %one iter_args(%back = %t) -> (i32) {
      %target = memref.load %targets[%edge] : memref<48xi32>
      %place = arith.index_cast %target : i32 to index
      %known = memref.load %distances[%place] : memref<16xi32>
      %new = arith.cmpi eq, %known, %unknown : i32
      %next = scf.if %new -> (i32) {
        memref.store %further, %distances[%place] : memref<16xi32>
        %slot = arith.index_cast %back : i32 to index
        memref.store %target, %queue[%slot] : memref<16xi32>
        %longer = arith.addi %back, %step : i32
        scf.yield %longer : i32
      } else {
        scf.yield %back : i32
      }
      scf.yield %next : i32
    }
    %popped = arith.addi %h, %step : i32
    scf.yield %popped, %grown : i32, i32
  }
  return %tail : i32
}
