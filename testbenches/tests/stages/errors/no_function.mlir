memref.global "private" constant @table : memref<4xi8> = dense<[1, 2, 3, 4]>
//~ error without a place: the file holds no function with a body
