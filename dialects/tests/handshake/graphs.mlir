handshake.func @flow(%a: i32, %s: index, %p: i1, %ctrl: none) -> (i32, none) {
  %0:3 = fork [3] %a : i32
  %1:2 = lazy_fork [2] %ctrl : none
  %2 = merge %0#0, %0#1 : i32
  %3 = mux %s [%2, %0#2] : index, i32
  %4, %5 = control_merge %1#0, %1#1 : none, index
  %6 = br %3 : i32
  %7, %8 = cond_br %p, %6 : i32
  sink %5 : index
  %9 = buffer [2] seq %7 {initValues = [1, 2]} : i32
  %10 = buffer [8] fifo %8 : i32
  %11 = source
  %12 = never : i32
  %13 = constant %11 {value = 7 : i32} : i32
  %14 = join %9, %10, %12 : i32, i32, i32
  %15:2 = sync %13, %14 : i32, none
  %16 = pack %15#0, %15#1 : tuple<i32, none>
  %17:2 = unpack %16 : tuple<i32, none>
  return %17#0, %4 : i32, none
}
// -----
handshake.func private @declared(%x: i32, %c: none, ...) -> (i32, none)
handshake.func @calls(%x: i32, %c: none) -> (i32, none) attributes {argNames = ["first", "go"], resNames = ["r", "done"]} {
  %0:2 = instance @declared(%x, %c) : (i32, none) -> (i32, none)
  return %0#0, %0#1 : i32, none
}
// -----
handshake.func @memories(%m: memref<10xi32>, %i: index, %d: i32, %c: none) -> (i32, none) {
  %0:3 = extmemory[ld = 1, st = 1] (%m : memref<10xi32>) (%3, %4, %2) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %1, %2 = load [%i] %0#0, %c : index, i32
  %3, %4 = store [%i] %d, %c : index, i32
  %5:3 = memory[ld = 1, st = 1] (%8, %9, %7) {id = 1 : i32, lsq = false} : memref<10xi32>, (i32, index, index) -> (i32, none, none)
  %6, %7 = load [%i] %5#0, %c : index, i32
  %8, %9 = store [%i] %d, %c : index, i32
  %10 = join %0#1, %0#2, %5#1, %5#2 : none, none, none, none
  return %1, %10 : i32, none
}
// -----
handshake.func @cycle(%a: i32, %c: none) -> (i32, none) {
  %0 = merge %a, %1#1 : i32
  %1:2 = fork [2] %0 : i32
  return %1#0, %c : i32, none
}
// -----
handshake.func @e(%a: i32, %s: i1) -> i32 {
  %0 = mux %s [%a, %a, %a] : i1, i32
  return %0 : i32
}
// -----
handshake.func @e(%a: i32) -> i32 {
  %0 = buffer [2] seq %a {initValues = [1]} : i32
  return %0 : i32
}
// -----
handshake.func @e(%a: i32) -> i32 {
  %0 = buffer [2] fifo %a {initValues = [1, 2]} : i32
  return %0 : i32
}
// -----
handshake.func @e(%a: i32) -> i32 {
  %0 = buffer [0] fifo %a : i32
  return %0 : i32
}
// -----
handshake.func @e(%c: none) -> i32 {
  %0 = constant %c {value = 7 : i16} : i32
  return %0 : i32
}
// -----
handshake.func @e(%a: i32) -> (i32, i32) {
  return %a : i32
}
// -----
handshake.func @e(%a: i32) -> i16 {
  return %a : i32
}
// -----
handshake.func @e(%m: memref<10xi32>, %c: none) -> none {
  return %c : none
}
// -----
handshake.func @e(%a: i32) -> i32 {
  %0 = instance @nowhere(%a) : (i32) -> i32
  return %0 : i32
}
// -----
handshake.func private @f(%a: i16) -> i32
handshake.func @e(%a: i32) -> i32 {
  %0 = instance @f(%a) : (i32) -> i32
  return %0 : i32
}
// -----
handshake.func @e(%i: index, %d: i32) -> none {
  %0:2 = memory[ld = 0, st = 2] (%d, %i) {id = 1 : i32, lsq = false} : memref<10xi32>, (i32, index) -> (none, none)
  return %0#0 : none
}
// -----
handshake.func @e(%i: index, %d: i32) -> none {
  %0 = memory[ld = 0, st = 1] (%d, %i) {id = 1 : i32, lsq = false} : memref<?xi32>, (i32, index) -> none
  return %0 : none
}
// -----
handshake.func @e(%p: i1, %d: i32) -> i32 {
  %0, %1 = cond_br %p, %d, %d : i32
  return %0 : i32
}
