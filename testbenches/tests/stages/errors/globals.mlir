memref.global "private" @declared : memref<4xi8> //~ error: `@declared` is only declared
memref.global "private" @empty : memref<4xi8> = uninitialized //~ error: `@empty` is uninitialized
memref.global "private" @table : memref<4xi8> = dense<1>
func.func @keep(%x: i8) {
  %zero = arith.constant 0 : index
  %m = memref.get_global @table : memref<4xi8>
  %d = memref.get_global @declared : memref<4xi8>
  %e = memref.get_global @empty : memref<4xi8>
  %y = memref.load %d[%zero] : memref<4xi8>
  memref.copy %e, %d : memref<4xi8> to memref<4xi8> //~ error: `@declared` would keep its value
  memref.store %x, %m[%zero] : memref<4xi8> //~ error: `@table` would keep its value
  return
}
