// Values whose parts are made of one another: in a ring as wholes, and not as what they are.

hw.module @bits(in %a : i1, out o : i2) {
  %true = hw.constant true
  %c = comb.concat %a, %n : i1, i1
  %x = comb.extract %c from 1 : (i2) -> i1
  %n = comb.xor %x, %true : i1
  hw.output %c : i2
}

// A sum bit by bit, with all carries in one word.
hw.module @carries(in %a : i4, in %b : i4, out sum : i4, out carry : i1) {
  %none = hw.constant false
  %c = comb.concat %c4, %c3, %c2, %c1, %none : i1, i1, i1, i1, i1
  %in0 = comb.extract %c from 0 : (i5) -> i1
  %in1 = comb.extract %c from 1 : (i5) -> i1
  %in2 = comb.extract %c from 2 : (i5) -> i1
  %in3 = comb.extract %c from 3 : (i5) -> i1
  %a0 = comb.extract %a from 0 : (i4) -> i1
  %a1 = comb.extract %a from 1 : (i4) -> i1
  %a2 = comb.extract %a from 2 : (i4) -> i1
  %a3 = comb.extract %a from 3 : (i4) -> i1
  %b0 = comb.extract %b from 0 : (i4) -> i1
  %b1 = comb.extract %b from 1 : (i4) -> i1
  %b2 = comb.extract %b from 2 : (i4) -> i1
  %b3 = comb.extract %b from 3 : (i4) -> i1
  %s0, %c1 = hw.instance "bit0" @full_adder(a: %a0: i1, b: %b0: i1, c: %in0: i1) -> (sum: i1, carry: i1)
  %s1, %c2 = hw.instance "bit1" @full_adder(a: %a1: i1, b: %b1: i1, c: %in1: i1) -> (sum: i1, carry: i1)
  %s2, %c3 = hw.instance "bit2" @full_adder(a: %a2: i1, b: %b2: i1, c: %in2: i1) -> (sum: i1, carry: i1)
  %s3, %c4 = hw.instance "bit3" @full_adder(a: %a3: i1, b: %b3: i1, c: %in3: i1) -> (sum: i1, carry: i1)
  %sum = comb.concat %s3, %s2, %s1, %s0 : i1, i1, i1, i1
  hw.output %sum, %c4 : i4, i1
}

hw.module private @full_adder(in %a : i1, in %b : i1, in %c : i1, out sum : i1, out carry : i1) {
  %sum = comb.xor %a, %b, %c : i1
  %both = comb.and %a, %b : i1
  %one = comb.or %a, %b : i1
  %through = comb.and %one, %c : i1
  %carry = comb.or %both, %through : i1
  hw.output %sum, %carry : i1, i1
}

// Fields of a structure in a structure, elements of an array of structures.
hw.module @nested(in %a : i4, in %b : i4, out o : i16, out p : i16) {
  %one = hw.constant true
  %zero = hw.constant false
  %inner = hw.struct_create (%a, %next) : !hw.struct<x: i4, y: i4>
  %outer = hw.struct_create (%inner, %last) : !hw.struct<first: !hw.struct<x: i4, y: i4>, second: i8>
  %first = hw.struct_extract %outer["first"] : !hw.struct<first: !hw.struct<x: i4, y: i4>, second: i8>
  %x, %y = hw.struct_explode %first : !hw.struct<x: i4, y: i4>
  %next = comb.add %x, %b : i4
  %last = comb.concat %y, %x : i4, i4
  %o = hw.bitcast %outer : (!hw.struct<first: !hw.struct<x: i4, y: i4>, second: i8>) -> i16
  %list = hw.array_create %high, %inner : !hw.struct<x: i4, y: i4>
  %changed = hw.array_inject %list[%zero], %first : !hw.array<2x!hw.struct<x: i4, y: i4>>, i1
  %element = hw.array_get %changed[%zero] : !hw.array<2x!hw.struct<x: i4, y: i4>>, i1
  %high = hw.struct_inject %element["y"], %b : !hw.struct<x: i4, y: i4>
  %p = hw.bitcast %changed : (!hw.array<2x!hw.struct<x: i4, y: i4>>) -> i16
  hw.output %o, %p : i16, i16
}

// Through choices, logic, shifts, sums, repeated bits and injected fields.
hw.module @ways(in %a : i4, in %b : i8, in %c : i1, out o : i4, out p : i8, out q : i4, out r : i8) {
  %one = hw.constant 1 : i4
  %two = hw.constant 2 : i8
  %low = comb.extract %m from 0 : (i4) -> i1
  %second = comb.extract %m from 1 : (i4) -> i1
  %third = comb.extract %m from 2 : (i4) -> i1
  %first = comb.extract %a from 0 : (i4) -> i1
  %next = comb.xor %first, %low : i1
  %more = comb.and %second, %c : i1
  %w = comb.concat %third, %more, %next, %first : i1, i1, i1, i1
  %shifted = comb.shl %w, %one : i4
  %inverted = comb.xor %shifted, %a : i4
  %m = comb.mux %c, %w, %inverted : i4
  %s = hw.struct_create (%a, %half) : !hw.struct<x: i4, y: i4>
  %t = hw.struct_inject %s["x"], %one : !hw.struct<x: i4, y: i4>
  %field = hw.struct_extract %t["x"] : !hw.struct<x: i4, y: i4>
  %half = comb.add %field, %a : i4
  %p = hw.bitcast %t : (!hw.struct<x: i4, y: i4>) -> i8
  %part = comb.extract %u from 0 : (i8) -> i2
  %bit = comb.extract %a from 3 : (i4) -> i1
  %repeated = comb.replicate %bit : (i1) -> i4
  %sum = comb.add %repeated, %a : i4
  %high = comb.concat %part, %part : i2, i2
  %u = comb.concat %high, %sum : i4, i4
  %q = comb.extract %u from 4 : (i8) -> i4
  %product = comb.mul %b, %z : i8
  %difference = comb.sub %product, %two : i8
  %right = comb.shru %difference, %two : i8
  %lowest = comb.extract %right from 0 : (i8) -> i2
  %left = comb.shl %y, %two : i8
  %y = comb.concat %a, %lowest, %lowest : i4, i2, i2
  %of_left = comb.extract %left from 0 : (i8) -> i3
  %z = comb.concat %b5, %b0 : i3, i5
  %b0 = comb.extract %b from 0 : (i8) -> i5
  %b5 = comb.extract %product from 0 : (i8) -> i3
  %r = comb.concat %of_left, %z5 : i3, i5
  %z5 = comb.extract %z from 3 : (i8) -> i5
  hw.output %m, %p, %q, %r : i4, i8, i4, i8
}
