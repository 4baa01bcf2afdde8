// passes: prove-deadlock-freedom

// The load is neither in front of the store nor behind it: where it meets the address, it waits for the data that wait for it.
handshake.func @race(%m: memref<4xi4>, %at: i2, %to: i2, %start: none) -> none {
  %once:2 = fork [2] %start : none
  %word:2 = load [%at] %memory#0, %once#0 : i2, i4
  %known:2 = sync %to, %once#1 : i2, none
  %waiting = buffer [1] fifo %known#0 {sluice.pending} : i2
  %always = source
  %data, %address = store [%waiting] %word#0, %always : i2, i4
  %memory:3 = extmemory[ld = 1, st = 1] (%m : memref<4xi4>) (%data, %address, %word#1) {id = 0 : i32} : (i4, i2, i2) -> (i4, none, none)
  %all = join %memory#1, %memory#2, %known#1 : none, none, none
  return %all : none
}

// Here it is in front.
handshake.func @in_front(%m: memref<4xi4>, %at: i2, %to: i2, %start: none) -> none {
  %word:2 = load [%at] %memory#0, %start : i2, i4
  %known:2 = sync %to, %memory#2 : i2, none
  %waiting = buffer [1] fifo %known#0 {sluice.pending} : i2
  %always = source
  %data, %address = store [%waiting] %word#0, %always : i2, i4
  %memory:3 = extmemory[ld = 1, st = 1] (%m : memref<4xi4>) (%data, %address, %word#1) {id = 0 : i32} : (i4, i2, i2) -> (i4, none, none)
  %all = join %memory#1, %known#1 : none, none
  return %all : none
}

//> module {
//>   handshake.func @race(%arg0: memref<4xi4>, %arg1: i2, %arg2: i2, %arg3: none, ...) -> none attributes {argNames = ["m", "at", "to", "start"], resNames = ["out0"]} {
//>     %0:2 = fork [2] %arg3 : none
//>     %dataResult, %addressResults = load [%arg1] %4#0, %0#0 : i2, i4
//>     %1:2 = sync %arg2, %0#1 : i2, none
//>     %2 = buffer [1] fifo %1#0 {sluice.pending} : i2
//>     %3 = source
//>     %dataResult_0, %addressResult = store [%2] %dataResult, %3 : i2, i4
//>     %4:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<4xi4>) (%dataResult_0, %addressResult, %addressResults) {id = 0 : i32} : (i4, i2, i2) -> (i4, none, none)
//>     %5 = join %4#1, %4#2, %1#1 : none, none, none
//>     return %5 : none
//>   }
//>   handshake.func @in_front(%arg0: memref<4xi4>, %arg1: i2, %arg2: i2, %arg3: none, ...) -> none attributes {argNames = ["m", "at", "to", "start"], resNames = ["out0"], sluice.deadlock_free = "proved: no cycle in 59 waits of 13 channels and 0 loops"} {
//>     %dataResult, %addressResults = load [%arg1] %3#0, %arg3 : i2, i4
//>     %0:2 = sync %arg2, %3#2 : i2, none
//>     %1 = buffer [1] fifo %0#0 {sluice.pending} : i2
//>     %2 = source
//>     %dataResult_0, %addressResult = store [%1] %dataResult, %2 : i2, i4
//>     %3:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<4xi4>) (%dataResult_0, %addressResult, %addressResults) {id = 0 : i32} : (i4, i2, i2) -> (i4, none, none)
//>     %4 = join %3#1, %0#1 : none, none
//>     return %4 : none
//>   }
//> }
