// Unions: members begin at their offsets, without one at the lowest bit.

hw.module @low(in %v : i9, out o : i5, out p : i9) {
  %u = hw.bitcast %v : (i9) -> !hw.union<a: i9, b: i5>
  %b = hw.union_extract %u["b"] : !hw.union<a: i9, b: i5>
  %a = hw.union_extract %u["a"] : !hw.union<a: i9, b: i5>
  hw.output %b, %a : i5, i9
}

hw.module @made(in %v : i5, in %w : i9, out o : i9, out p : i9) {
  %u = hw.union_create "b", %v : !hw.union<a: i9, b: i5>
  %x = hw.union_create "a", %w : !hw.union<a: i9, b: i5>
  %o = hw.bitcast %u : (!hw.union<a: i9, b: i5>) -> i9
  %p = hw.bitcast %x : (!hw.union<a: i9, b: i5>) -> i9
  hw.output %o, %p : i9, i9
}

hw.module @offsets(in %v : i3, in %w : i12, out o : i12, out p : i3, out q : i2, out r : i12) {
  %u = hw.union_create "b", %v : !hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>
  %o = hw.bitcast %u : (!hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>) -> i12
  %x = hw.bitcast %w : (i12) -> !hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>
  %p = hw.union_extract %x["b"] : !hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>
  %q = hw.union_extract %x["c"] : !hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>
  %r = hw.union_extract %x["a"] : !hw.union<a: i12, b: i3 offset 4, c: i2 offset 5>
  hw.output %o, %p, %q, %r : i12, i3, i2, i12
}

// The offset makes the union wider than any member.
hw.module @wide_offset(in %v : i3, in %w : i4, out o : i7, out p : i4) {
  %u = hw.union_create "b", %v : !hw.union<a: i4, b: i3 offset 4>
  %o = hw.bitcast %u : (!hw.union<a: i4, b: i3 offset 4>) -> i7
  %x = hw.union_create "a", %w : !hw.union<a: i4, b: i3 offset 4>
  %p = hw.union_extract %x["a"] : !hw.union<a: i4, b: i3 offset 4>
  hw.output %o, %p : i7, i4
}

// Members without bits.
hw.module @empty_member(in %v : i4, in %n : i0, out o : i4, out p : i0, out q : i4) {
  %u = hw.union_create "a", %v : !hw.union<a: i4, z: i0>
  %p = hw.union_extract %u["z"] : !hw.union<a: i4, z: i0>
  %x = hw.union_create "z", %n : !hw.union<a: i4, z: i0>
  %o = hw.union_extract %u["a"] : !hw.union<a: i4, z: i0>
  %q = hw.union_extract %x["a"] : !hw.union<a: i4, z: i0>
  hw.output %o, %p, %q : i4, i0, i4
}

// Unions in structures in arrays, structures and arrays in unions.
!pair = !hw.struct<tag: i2, body: !hw.union<x: i6, y: !hw.struct<p: i2, q: i1>>>
hw.module @in_array(in %a : !hw.array<3x!pair>, in %i : i2, out t : i2, out x : i6, out q : i1, out p : i2) {
  %e = hw.array_get %a[%i] : !hw.array<3x!pair>, i2
  %t = hw.struct_extract %e["tag"] : !pair
  %b = hw.struct_extract %e["body"] : !pair
  %x = hw.union_extract %b["x"] : !hw.union<x: i6, y: !hw.struct<p: i2, q: i1>>
  %y = hw.union_extract %b["y"] : !hw.union<x: i6, y: !hw.struct<p: i2, q: i1>>
  %q = hw.struct_extract %y["q"] : !hw.struct<p: i2, q: i1>
  %p = hw.struct_extract %y["p"] : !hw.struct<p: i2, q: i1>
  hw.output %t, %x, %q, %p : i2, i6, i1, i2
}

hw.module @of_arrays(in %v : !hw.array<4xi2>, in %i : i2, out o : i11, out e : i2) {
  %u = hw.union_create "b", %v : !hw.union<a: i11, b: !hw.array<4xi2> offset 2>
  %o = hw.bitcast %u : (!hw.union<a: i11, b: !hw.array<4xi2> offset 2>) -> i11
  %b = hw.union_extract %u["b"] : !hw.union<a: i11, b: !hw.array<4xi2> offset 2>
  %e = hw.array_get %b[%i] : !hw.array<4xi2>, i2
  hw.output %o, %e : i11, i2
}

// Held in a register, chosen, and through an instance.
hw.module @below(in %u : !hw.union<a: i9, b: i5>, in %c : !seq.clock, out v : !hw.union<a: i9, b: i5>, out b : i5) {
  %r = seq.compreg %u, %c : !hw.union<a: i9, b: i5>
  %b = hw.union_extract %r["b"] : !hw.union<a: i9, b: i5>
  hw.output %r, %b : !hw.union<a: i9, b: i5>, i5
}

hw.module @held(in %v : i5, in %w : i9, in %s : i1, in %c : !seq.clock, out o : i9, out p : i5, out q : i5) {
  %u = hw.union_create "b", %v : !hw.union<a: i9, b: i5>
  %x = hw.union_create "a", %w : !hw.union<a: i9, b: i5>
  %m = comb.mux %s, %u, %x : !hw.union<a: i9, b: i5>
  %r, %b = hw.instance "i" @below(u: %m: !hw.union<a: i9, b: i5>, c: %c: !seq.clock) -> (v: !hw.union<a: i9, b: i5>, b: i5)
  %o = hw.bitcast %r : (!hw.union<a: i9, b: i5>) -> i9
  %q = hw.union_extract %m["b"] : !hw.union<a: i9, b: i5>
  hw.output %o, %b, %q : i9, i5, i5
}
