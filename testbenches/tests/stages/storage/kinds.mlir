// passes: directives, inline-callees, normalise, affine-to-scf, bank, flatten-memrefs, storage
// config: {banks: {b: {dim: 0, factor: 2}}, storage: {b: registers, c: {kind: block_ram, ports: true_dual}, d: {kind: lut_ram, reads: 2}, taps: {kind: rom, reads: 2}}}

// Wishes are attributes of the memories they name; those of an array in banks are its banks', and a table has the name of its global too.
memref.global "private" constant @taps : memref<4xi8> = dense<[1, 2, 3, 4]>
func.func @kinds(%p: index) -> i8 {
  %b = memref.alloc() : memref<4xi8>
  %c = memref.alloca() : memref<2x8xi8>
  %d = memref.alloc() : memref<8xi8>
  %e = memref.alloc() : memref<8xi8>
  %t = memref.get_global @taps : memref<4xi8>
  %zero = arith.constant 0 : index
  %x = memref.load %t[%p] : memref<4xi8>
  memref.store %x, %b[%zero] : memref<4xi8>
  memref.store %x, %c[%zero, %p] : memref<2x8xi8>
  memref.store %x, %d[%p] : memref<8xi8>
  memref.store %x, %e[%p] : memref<8xi8>
  return %x : i8
}

//> module {
//>   memref.global "private" constant @taps : memref<4xi8> = dense<[1, 2, 3, 4]>
//>   func.func @kinds(%arg0: index) -> i8 attributes {sluice.arguments = [{name = "p", type = index, width = 64 : i64}], sluice.banked = [{array = "b", chosen = 0 : i64, partition = {shape = array<i64: 4>, splits = [array<i64: 0, 2, 1>]}, straight = 1 : i64}], sluice.results = [{type = i8, width = 8 : i64}]} {
//>     %alloca = memref.alloca() {sluice.storage = {kind = "block_ram", ports = "true_dual"}} : memref<16xi8>
//>     %alloca_0 = memref.alloca() {sluice.storage = {kind = "registers"}} : memref<2xi8>
//>     %alloca_1 = memref.alloca() {sluice.storage = {kind = "registers"}} : memref<2xi8>
//>     %alloca_2 = memref.alloca() {sluice.storage = {kind = "lut_ram", reads = 2 : i64}} : memref<8xi8>
//>     %alloca_3 = memref.alloca() : memref<8xi8>
//>     %0 = memref.get_global @taps : memref<4xi8> {sluice.storage = {kind = "rom", reads = 2 : i64}}
//>     %c0 = arith.constant 0 : index
//>     %1 = memref.load %0[%arg0] : memref<4xi8>
//>     %c0_4 = arith.constant 0 : index
//>     memref.store %1, %alloca_0[%c0_4] : memref<2xi8>
//>     %c8 = arith.constant 8 : index
//>     %2 = arith.muli %c0, %c8 : index
//>     %3 = arith.addi %2, %arg0 : index
//>     memref.store %1, %alloca[%3] : memref<16xi8>
//>     memref.store %1, %alloca_2[%arg0] : memref<8xi8>
//>     memref.store %1, %alloca_3[%arg0] : memref<8xi8>
//>     return %1 : i8
//>   }
//> }
