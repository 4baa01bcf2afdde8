// passes: flatten-memrefs

// Row-major: one dimension and one address.
func.func @pick(%a: memref<3x5xi8>, %i: index, %j: index) -> i8 {
  %x = memref.load %a[%i, %j] : memref<3x5xi8>
  return %x : i8
}

//> module {
//>   func.func @pick(%arg0: memref<15xi8>, %arg1: index, %arg2: index) -> i8 attributes {sluice.arguments = [{name = "a", shape = array<i64: 3, 5>, type = memref<3x5xi8>, width = 8 : i64}, {name = "i", type = index, width = 64 : i64}, {name = "j", type = index, width = 64 : i64}], sluice.results = [{type = i8, width = 8 : i64}]} {
//>     %c5 = arith.constant 5 : index
//>     %0 = arith.muli %arg1, %c5 : index
//>     %1 = arith.addi %0, %arg2 : index
//>     %2 = memref.load %arg0[%1] : memref<15xi8>
//>     return %2 : i8
//>   }
//> }
