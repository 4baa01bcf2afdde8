// config: {keep: [first]}
func.func @passes(%a: memref<8xi8>, %n: index) -> (i8, index) {
  %part = memref.subview %a[2] [2] [1] : memref<8xi8> to memref<2xi8, strided<[1], offset: 2>> //~ error: `func.call` of what `memref.subview` shows has no hardware: load from it and store into it
  %x = func.call @first(%part) : (memref<2xi8, strided<[1], offset: 2>>) -> i8
  %whole = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<8xi8> to memref<?xi8, strided<[1]>> //~ error: `memref.extract_aligned_pointer_as_index` of what `memref.reinterpret_cast` shows has no hardware
  %pointer = memref.extract_aligned_pointer_as_index %whole : memref<?xi8, strided<[1]>> -> index //~ error: `memref.extract_aligned_pointer_as_index` has no hardware yet
  return %x, %pointer : i8, index
}
func.func private @first(%m: memref<2xi8, strided<[1], offset: 2>>) -> i8 { //~ error: argument of a kernel: a memref with a layout has no port
  %zero = arith.constant 0 : index
  %x = memref.load %m[%zero] : memref<2xi8, strided<[1], offset: 2>>
  return %x : i8
}
