// passes: split-values

// The other bit of the word.
hw.module @bits(in %a : i1, out o : i2) {
  %true = hw.constant true
  %c = comb.concat %a, %n : i1, i1
  %x = comb.extract %c from 1 : (i2) -> i1
  %n = comb.xor %x, %true : i1
  hw.output %c : i2
}

// A field that is made of another one.
hw.module @fields(in %a : i4, out o : i8) {
  %s = hw.struct_create (%a, %f) : !hw.struct<x: i4, y: i4>
  %x = hw.struct_extract %s["x"] : !hw.struct<x: i4, y: i4>
  %f = comb.add %x, %a : i4
  %o = hw.bitcast %s : (!hw.struct<x: i4, y: i4>) -> i8
  hw.output %o : i8
}

// Elements, each made of the one before.
hw.module @elements(in %a : i4, out o : i12) {
  %c1 = hw.constant 1 : i2
  %c0 = hw.constant 0 : i2
  %s = hw.array_create %g, %f, %a : i4
  %x = hw.array_get %s[%c0] : !hw.array<3xi4>, i2
  %y = hw.array_get %s[%c1] : !hw.array<3xi4>, i2
  %f = comb.add %x, %a : i4
  %g = comb.add %y, %a : i4
  %o = hw.bitcast %s : (!hw.array<3xi4>) -> i12
  hw.output %o : i12
}

// The lower half as a whole, and through a choice that is not read in parts.
hw.module @wide(in %a : i8, in %c : i1, out o : i8) {
  %lo = comb.extract %p from 0 : (i8) -> i4
  %hi = comb.extract %a from 4 : (i8) -> i4
  %sum = comb.add %lo, %hi : i4
  %alo = comb.extract %a from 0 : (i8) -> i4
  %p = comb.concat %sum, %alo : i4, i4
  %q = comb.mux %c, %p, %a : i8
  hw.output %q : i8
}

// Carries: through choices, logic, shifts, sums, repeated bits and injected fields.
hw.module @ways(in %a : i4, in %c : i1, out o : i4, out p : i8, out q : i4) {
  %zero = hw.constant 0 : i4
  %one = hw.constant 1 : i4
  %low = comb.extract %m from 0 : (i4) -> i1
  %second = comb.extract %m from 1 : (i4) -> i1
  %third = comb.extract %m from 2 : (i4) -> i1
  %first = comb.extract %a from 0 : (i4) -> i1
  %next = comb.xor %first, %low : i1
  %more = comb.and %second, %c : i1
  %w = comb.concat %third, %more, %next, %first : i1, i1, i1, i1
  %shifted = comb.shl %w, %zero : i4
  %inverted = comb.xor %shifted, %a : i4
  %m = comb.mux %c, %w, %inverted : i4
  %s = hw.struct_create (%a, %half) : !hw.struct<x: i4, y: i4>
  %t = hw.struct_inject %s["x"], %one : !hw.struct<x: i4, y: i4>
  %field = hw.struct_extract %t["x"] : !hw.struct<x: i4, y: i4>
  %half = comb.add %field, %a : i4
  %p = hw.bitcast %t : (!hw.struct<x: i4, y: i4>) -> i8
  %r = comb.replicate %bit : (i1) -> i4
  %sum = comb.add %r, %a : i4
  %part = comb.extract %u from 0 : (i8) -> i2
  %bit = comb.extract %a from 3 : (i4) -> i1
  %high = comb.concat %part, %part : i2, i2
  %u = comb.concat %high, %sum : i4, i4
  %q = comb.extract %u from 4 : (i8) -> i4
  hw.output %m, %p, %q : i4, i8, i4
}

// What follows from itself bit by bit stays as it is.
hw.module @ring(in %a : i1, out o : i2) {
  %c = comb.concat %a, %n : i1, i1
  %x = comb.extract %c from 0 : (i2) -> i1
  %n = comb.xor %x, %a : i1
  hw.output %c : i2
}

//> module {
//>   hw.module @bits(in %a : i1, out o : i2) {
//>     %true = hw.constant true
//>     %0 = comb.concat %a, %2 : i1, i1
//>     %1 = comb.extract %0 from 1 : (i2) -> i1
//>     %2 = comb.xor %a, %true : i1
//>     hw.output %0 : i2
//>   }
//>   hw.module @fields(in %a : i4, out o : i8) {
//>     %0 = hw.struct_create (%a, %1) : !hw.struct<x: i4, y: i4>
//>     %x = hw.struct_extract %0["x"] : !hw.struct<x: i4, y: i4>
//>     %1 = comb.add %a, %a : i4
//>     %2 = hw.bitcast %0 : (!hw.struct<x: i4, y: i4>) -> i8
//>     hw.output %2 : i8
//>   }
//>   hw.module @elements(in %a : i4, out o : i12) {
//>     %c1_i2 = hw.constant 1 : i2
//>     %c0_i2 = hw.constant 0 : i2
//>     %0 = hw.array_create %4, %3, %a : i4
//>     %1 = hw.array_get %0[%c0_i2] : !hw.array<3xi4>, i2
//>     %2 = hw.array_get %0[%c1_i2] : !hw.array<3xi4>, i2
//>     %3 = comb.add %a, %a : i4
//>     %4 = comb.add %3, %a : i4
//>     %5 = hw.bitcast %0 : (!hw.array<3xi4>) -> i12
//>     hw.output %5 : i12
//>   }
//>   hw.module @wide(in %a : i8, in %c : i1, out o : i8) {
//>     %0 = comb.extract %4 from 0 : (i8) -> i4
//>     %1 = comb.extract %a from 4 : (i8) -> i4
//>     %2 = comb.add %3, %1 : i4
//>     %3 = comb.extract %a from 0 : (i8) -> i4
//>     %4 = comb.concat %2, %3 : i4, i4
//>     %5 = comb.mux %c, %4, %a : i8
//>     hw.output %5 : i8
//>   }
//>   hw.module @ways(in %a : i4, in %c : i1, out o : i4, out p : i8, out q : i4) {
//>     %c0_i4 = hw.constant 0 : i4
//>     %c1_i4 = hw.constant 1 : i4
//>     %0 = comb.extract %a from 0 : (i4) -> i1
//>     %1 = comb.xor %12, %0 : i1
//>     %2 = comb.mux %c, %12, %1 : i1
//>     %3 = comb.extract %18 from 0 : (i4) -> i1
//>     %4 = comb.extract %a from 1 : (i4) -> i1
//>     %5 = comb.xor %13, %4 : i1
//>     %6 = comb.mux %c, %13, %5 : i1
//>     %7 = comb.extract %18 from 1 : (i4) -> i1
//>     %8 = comb.extract %a from 2 : (i4) -> i1
//>     %9 = comb.xor %14, %8 : i1
//>     %10 = comb.mux %c, %14, %9 : i1
//>     %11 = comb.extract %18 from 2 : (i4) -> i1
//>     %12 = comb.extract %a from 0 : (i4) -> i1
//>     %13 = comb.xor %12, %2 : i1
//>     %14 = comb.and %6, %c : i1
//>     %15 = comb.concat %10, %14, %13, %12 : i1, i1, i1, i1
//>     %16 = comb.shl %15, %c0_i4 : i4
//>     %17 = comb.xor %16, %a : i4
//>     %18 = comb.mux %c, %15, %17 : i4
//>     %19 = hw.struct_create (%a, %21) : !hw.struct<x: i4, y: i4>
//>     %20 = hw.struct_inject %19["x"], %c1_i4 : !hw.struct<x: i4, y: i4>
//>     %x = hw.struct_extract %20["x"] : !hw.struct<x: i4, y: i4>
//>     %21 = comb.add %c1_i4, %a : i4
//>     %22 = hw.bitcast %20 : (!hw.struct<x: i4, y: i4>) -> i8
//>     %23 = comb.replicate %27 : (i1) -> i4
//>     %24 = comb.add %23, %a : i4
//>     %25 = comb.extract %24 from 0 : (i4) -> i2
//>     %26 = comb.extract %29 from 0 : (i8) -> i2
//>     %27 = comb.extract %a from 3 : (i4) -> i1
//>     %28 = comb.concat %25, %25 : i2, i2
//>     %29 = comb.concat %28, %24 : i4, i4
//>     %30 = comb.extract %29 from 4 : (i8) -> i4
//>     hw.output %18, %22, %30 : i4, i8, i4
//>   }
//>   hw.module @ring(in %a : i1, out o : i2) {
//>     %0 = comb.concat %a, %2 : i1, i1
//>     %1 = comb.extract %0 from 0 : (i2) -> i1
//>     %2 = comb.xor %2, %a : i1
//>     hw.output %0 : i2
//>   }
//> }
