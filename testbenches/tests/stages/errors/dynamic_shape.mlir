func.func @dynamic(%i: index, %a: memref<?xi8>, %b: memref<?x4x?xi8>) -> i8 { //~ error: `a` has a dimension without a size (memref<?xi8>): give its largest size in the configuration, for example `sizes: {a: 64}`
//~^ error: `b` has 2 dimensions without sizes (memref<?x4x?xi8>): give the largest sizes in the configuration, for example `sizes: {b: [64, 4, 64]}`
  %x = memref.load %a[%i] : memref<?xi8>
  %y = memref.load %b[%i, %i, %i] : memref<?x4x?xi8>
  %z = arith.addi %x, %y : i8
  return %z : i8
}
