memref.global "private" @declared : memref<4xi8> //~ error: `@declared` is only declared
memref.global "private" @empty : memref<4xi8> = uninitialized //~ error: `@empty` is uninitialized
memref.global "private" @table : memref<4xi8> = dense<1>
func.func @keep(%x: i8) {
  %zero = arith.constant 0 : index
  %m = memref.get_global @table : memref<4xi8>
  memref.store %x, %m[%zero] : memref<4xi8> //~ error: `@table` would keep its value
  return
}
