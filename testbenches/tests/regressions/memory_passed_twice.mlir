// A callee that stays an instance took two arguments for two memories and wrote both in one cycle.
func.func private @structured(%a: memref<8xi16>, %x: i16, %b: memref<8xi16>) -> i16 {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  memref.store %x, %a[%one] : memref<8xi16>
  %y = memref.load %b[%one] : memref<8xi16>
  memref.store %y, %b[%two] : memref<8xi16>
  return %y : i16
}
func.func private @branching(%a: memref<8xi16>, %b: memref<8xi16>, %c: i1) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %x = memref.load %a[%one] : memref<8xi16>
  cf.cond_br %c, ^left, ^right
^left:
  %cast = memref.cast %b : memref<8xi16> to memref<8xi16>
  %y = func.call @structured(%cast, %x, %b) : (memref<8xi16>, i16, memref<8xi16>) -> i16
  memref.store %y, %a[%three] : memref<8xi16>
  return
^right:
  memref.store %x, %b[%three] : memref<8xi16>
  return
}
func.func @passes_a_memory_twice(%m: memref<8xi16>, %n: memref<8xi16>, %x: i16, %c: i1) -> i16 {
  %y = func.call @structured(%m, %x, %m) : (memref<8xi16>, i16, memref<8xi16>) -> i16
  %z = func.call @structured(%m, %y, %n) : (memref<8xi16>, i16, memref<8xi16>) -> i16
  func.call @branching(%n, %n, %c) : (memref<8xi16>, memref<8xi16>, i1) -> ()
  return %z : i16
}
