// passes: handshake-to-hw

// Whoever looks for addresses that wait would not see the one in the register.
handshake.func @late(%a: i3, %b: i8, %c: i3) -> i8 {
  %m:3 = memory[ld = 1, st = 1] (%sd, %sa, %la) {id = 0 : i32, lsq = true} : memref<8xi8>, (i8, i3, i3) -> (i8, none, none)
  %before = source
  %known:2 = sync %a, %before : i3, none
  %late = buffer [1] seq %known#0 : i3
  %waiting = buffer [2] fifo %late {sluice.pending} : i3
  %always = source
  %sd, %sa = store [%waiting] %b, %always : i3, i8
  %ld, %la = load [%c] %m#0, %known#1 : i3, i8
  sink %m#1 : none
  sink %m#2 : none
  return %ld : i8
}

// Sixteen at most.
handshake.func @many(%a: i3, %b: i8, %c: i3) -> i8 {
  %m:3 = memory[ld = 1, st = 1] (%sd, %sa, %la) {id = 0 : i32, lsq = true} : memref<8xi8>, (i8, i3, i3) -> (i8, none, none)
  %before = source
  %known:2 = sync %a, %before : i3, none
  %waiting = buffer [17] fifo %known#0 {sluice.pending} : i3
  %always = source
  %sd, %sa = store [%waiting] %b, %always : i3, i8
  %ld, %la = load [%c] %m#0, %known#1 : i3, i8
  sink %m#1 : none
  sink %m#2 : none
  return %ld : i8
}

// The last store port alone.
handshake.func @first(%a: i3, %b: i8, %c: i3) -> none {
  %m:2 = memory[ld = 0, st = 2] (%sd, %sa, %td, %ta) {id = 0 : i32, lsq = true} : memref<8xi8>, (i8, i3, i8, i3) -> (none, none)
  %before = source
  %known:2 = sync %a, %before : i3, none
  %waiting = buffer [2] fifo %known#0 {sluice.pending} : i3
  %always = source
  %copies:2 = fork [2] %b : i8
  %sd, %sa = store [%waiting] %copies#0, %always : i3, i8
  %td, %ta = store [%c] %copies#1, %known#1 : i3, i8
  sink %m#1 : none
  return %m#0 : none
}

//> kernel.mlir:9:14: error: `handshake.buffer`: expected a `handshake.sync` in front of addresses that wait
//>       %waiting = buffer [2] fifo %late {sluice.pending} : i3
//>                  ^
//> kernel.mlir:23:14: error: `handshake.buffer`: expected at most 16 addresses that wait
//>       %waiting = buffer [17] fifo %known#0 {sluice.pending} : i3
//>                  ^
//> kernel.mlir:34:10: error: `handshake.memory`: expected addresses that wait at the last ports that store alone
//>       %m:2 = memory[ld = 0, st = 2] (%sd, %sa, %td, %ta) {id = 0 : i32, lsq = true} : memref<8xi8>, (i8, i3, i8, i3) -> (non...
//>              ^
//> 3 errors
