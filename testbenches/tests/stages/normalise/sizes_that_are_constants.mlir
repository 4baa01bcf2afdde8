// passes: normalise

// A local memory is as large as a constant or the dimension of another memory says.
func.func @sized(%a: memref<6x3xi8>, %i: index) -> i8 {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %n = memref.dim %a, %one : memref<6x3xi8>
  %b = memref.alloc(%five, %n) : memref<?x?xi8>
  %x = memref.load %a[%i, %i] : memref<6x3xi8>
  memref.store %x, %b[%i, %one] : memref<?x?xi8>
  %m = memref.dim %b, %one : memref<?x?xi8>
  %y = memref.load %b[%one, %m] : memref<?x?xi8>
  %rank = memref.rank %b : memref<?x?xi8>
  %z = memref.load %b[%one, %rank] : memref<?x?xi8>
  %sum = arith.addi %y, %z : i8
  return %sum : i8
}

//> module {
//>   func.func @sized(%arg0: memref<6x3xi8>, %arg1: index) -> i8 {
//>     %alloca = memref.alloca() : memref<5x3xi8>
//>     %c1 = arith.constant 1 : index
//>     %c5 = arith.constant 5 : index
//>     %c3 = arith.constant 3 : index
//>     %0 = memref.load %arg0[%arg1, %arg1] : memref<6x3xi8>
//>     memref.store %0, %alloca[%arg1, %c1] : memref<5x3xi8>
//>     %c3_0 = arith.constant 3 : index
//>     %1 = memref.load %alloca[%c1, %c3_0] : memref<5x3xi8>
//>     %c2 = arith.constant 2 : index
//>     %2 = memref.load %alloca[%c1, %c2] : memref<5x3xi8>
//>     %3 = arith.addi %1, %2 : i8
//>     return %3 : i8
//>   }
//> }
