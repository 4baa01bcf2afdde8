func.func @f(%m: memref<4xi32>, %i: index, %c: i1, %a: i32) {
  %0 = memref.load %m[%i] : memref<4xi32>
  memref.store %0, %m[%i] {nontemporal = true} : memref<4xi32>
  %1 = affine.linearize_index disjoint [%i, %i] by (4, %i) : index
  %2 = affine.linearize_index [%i, %i] by (4, 5) : index
  %3:2 = affine.delinearize_index %i into (%i, 4) : index, index
  "x.places"() {a = loc("f":1:2 to 3:4), b = loc("f":1:2 to :5), c = loc("f":3:7 to 2:1), e = loc("f":0:0), f = loc("f":3:0)} : () -> ()
  "x.numbers"() {a = 1.5 : f4E2M1FN, b = dense<[1.0, 2.0, 1.0]> : vector<3xf6E2M3FN>, c = dense<[true, false, true]> : tensor<3xi1>, d = dense<true> : tensor<3xi1>, e = array<i1: true, false>} : () -> ()
  %4 = arith.trunci %a overflow<nsw> : i32 to i8
  %5 = arith.trunci %a : i32 to i8
  %6 = memref.assume_alignment %m, 16 : memref<4xi32>
  cf.cond_br %c weights([1, 2]), ^bb1, ^bb1
^bb1:
  cf.cond_br %c, ^bb2, ^bb2
^bb2:
  return
}
func.func @g() attributes {no_inline} {
  call @h() {no_inline} : () -> ()
  call @h() : () -> ()
  return
}
func.func private @h()
memref.global "private" @x : memref<4xi32> = dense<1> {alignment = 16 : i64}
