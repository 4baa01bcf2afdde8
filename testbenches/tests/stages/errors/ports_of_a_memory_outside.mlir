handshake.func @stores(%a: memref<8xi8>, %i: index, %c: none) -> (i8, none) {
  %e:2 = extmemory[ld = 1, st = 1] (%a : memref<8xi8>) (%la) {id = 0 : i32} : (index) -> (i8, none) //~ error: 'handshake.extmemory' op number of operands 1 does not match number expected of 3 with 1 address inputs per port
  %ld, %la = load [%i] %e#0, %c : index, i8
  return %ld, %e#1 : i8, none
}

handshake.func @says_nothing(%a: memref<8xi8>, %i: index, %c: none) -> (i8) {
  %e = extmemory[ld = 1, st = 0] (%a : memref<8xi8>) (%la) {id = 0 : i32} : (index) -> (i8) //~ error: 'handshake.extmemory' op number of results 1 does not match number expected of 2 with 1 address inputs per port
  %ld, %la = load [%i] %e, %c : index, i8
  return %ld : i8
}
