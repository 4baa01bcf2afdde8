// passes: handshake-to-hw

// A load of a memory whose address is the answer of an earlier port, in the same cycle.
handshake.func @f(%a: i3) -> i3 {
  %m:4 = memory[ld = 2, st = 0] (%first, %second) {id = 0 : i32, lsq = false} : memref<8xi3>, (i3, i3) -> (i3, i3, none, none)
  %s0 = source
  %s1 = source
  %p, %first = load [%a] %m#0, %s0 : i3, i3
  %q, %second = load [%p] %m#1, %s1 : i3, i3
  sink %m#2 : none
  sink %m#3 : none
  return %q : i3
}

//> kernel.mlir:5:10: error: a loop without a register: `ready` of `%m` needs `ready` of `%p` needs `ready` of `%second` needs `ready` of `%m`; expected a buffer that cuts it
//>       %m:4 = memory[ld = 2, st = 0] (%first, %second) {id = 0 : i32, lsq = false} : memref<8xi3>, (i3, i3) -> (i3, i3, none,...
//>              ^
