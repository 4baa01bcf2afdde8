// CRC-32 of a buffer of 64 bytes: the reflected polynomial 0xEDB88320 of Ethernet and zip, one bit at a time.
func.func @crc32(%buffer: memref<64xi8>) -> i32 {
  %polynomial = arith.constant 0xEDB88320 : i32
  %all_ones = arith.constant -1 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %remainder = affine.for %i = 0 to 64 iter_args(%crc = %all_ones) -> (i32) {
    %byte = affine.load %buffer[%i] : memref<64xi8>
    %byte_wide = arith.extui %byte : i8 to i32
    %mixed = arith.xori %crc, %byte_wide : i32
    %after_byte = affine.for %bit = 0 to 8 iter_args(%acc = %mixed) -> (i32) {
      %low_bit = arith.andi %acc, %one : i32
      %odd = arith.cmpi ne, %low_bit, %zero : i32
      %shifted = arith.shrui %acc, %one : i32
      %reduced = arith.xori %shifted, %polynomial : i32
      %next = arith.select %odd, %reduced, %shifted : i32
      affine.yield %next : i32
    }
    affine.yield %after_byte : i32
  }
  %checksum = arith.xori %remainder, %all_ones : i32
  return %checksum : i32
}
