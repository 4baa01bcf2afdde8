// passes: handshake-to-hw

handshake.func @f(%a: i8) -> i8 {
  %c = arith.addi %a, %d#0 : i8
  %d:2 = fork [2] %c : i8
  return %d#1 : i8
}

//> kernel.mlir:4:8: error: a loop without a register: `ready` of `%c` needs `ready` of `%d` needs `ready` of `%c`; expected a buffer that cuts it
//>       %c = arith.addi %a, %d#0 : i8
//>            ^
