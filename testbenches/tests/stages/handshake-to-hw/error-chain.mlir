// passes: handshake-to-hw

// A load of a memory whose address is the answer of an later port, in the same cycle.
handshake.func @f(%a: i3) -> i3 {
  %m:4 = memory[ld = 2, st = 0] (%second, %first) {id = 0 : i32, lsq = false} : memref<8xi3>, (i3, i3) -> (i3, i3, none, none)
  %s0 = source
  %s1 = source
  %p, %first = load [%a] %m#1, %s0 : i3, i3
  %q, %second = load [%p] %m#0, %s1 : i3, i3
  sink %m#2 : none
  sink %m#3 : none
  return %q : i3
}

//> kernel.mlir:5:10: error: a loop without a register: `ready` of result 1 of `handshake.memory` needs `ready` of `%p` needs `ready` of `%second` needs `ready` of result 1 of `handshake.memory`; expected a buffer that cuts it
//>       %m:4 = memory[ld = 2, st = 0] (%second, %first) {id = 0 : i32, lsq = false} : memref<8xi3>, (i3, i3) -> (i3, i3, none,...
//>              ^
