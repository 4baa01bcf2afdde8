// passes: specialise-modules

// Types with parameters: of ports, registers, arrays and structures, and expressions over them.

hw.module @delay<W: i32>(in %clock : !seq.clock, in %reset : i1, in %in : !hw.int<#hw.param.decl.ref<"W">>,
                         out out : !hw.int<#hw.param.decl.ref<"W">>) {
  %a = seq.firreg %in clock %clock : !hw.int<#hw.param.decl.ref<"W">>
  %b = seq.compreg %a, %clock : !hw.int<#hw.param.decl.ref<"W">>
  hw.output %b : !hw.int<#hw.param.decl.ref<"W">>
}

// One that says its number itself, and gives another one.
hw.module @twice<W: i32 = 70>(in %clock : !seq.clock, in %reset : i1, in %in : !hw.int<#hw.param.decl.ref<"W">>, in %half : !hw.int<#hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>,
                              out out : !hw.int<#hw.param.decl.ref<"W">>, out other : !hw.int<#hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>, out n : i32) {
  %d = hw.instance "d" @delay<W: i32 = #hw.param.decl.ref<"W">>(clock: %clock: !seq.clock, reset: %reset: i1, in: %in: !hw.int<#hw.param.decl.ref<"W">>) -> (out: !hw.int<#hw.param.decl.ref<"W">>)
  %e = hw.instance "e" @delay<W: i32 = #hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>(clock: %clock: !seq.clock, reset: %reset: i1, in: %half: !hw.int<#hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>) -> (out: !hw.int<#hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>)
  %sum = comb.add %d, %in : !hw.int<#hw.param.decl.ref<"W">>
  %n = hw.param.value i32 = #hw.param.expr.add<#hw.param.decl.ref<"W">, 1>
  hw.output %sum, %e, %n : !hw.int<#hw.param.decl.ref<"W">>, !hw.int<#hw.param.expr.divu<#hw.param.decl.ref<"W">, 2>>, i32
}

hw.module @pick<N: i32, W: i32>(in %i : i2, in %a : !hw.array<#hw.param.decl.ref<"N">xint<#hw.param.decl.ref<"W">>>,
                                out out : !hw.int<#hw.param.decl.ref<"W">>) {
  %e = hw.array_get %a[%i] : !hw.array<#hw.param.decl.ref<"N">xint<#hw.param.decl.ref<"W">>>, i2
  hw.output %e : !hw.int<#hw.param.decl.ref<"W">>
}

hw.module @fields<W: i32>(in %clock : !seq.clock, in %x : !hw.int<#hw.param.decl.ref<"W">>, in %v : i1,
                          out o : !hw.struct<x: !hw.int<#hw.param.decl.ref<"W">>, v: i1>) {
  %s = hw.struct_create (%x, %v) : !hw.struct<x: !hw.int<#hw.param.decl.ref<"W">>, v: i1>
  %r = seq.compreg %s, %clock : !hw.struct<x: !hw.int<#hw.param.decl.ref<"W">>, v: i1>
  hw.output %r : !hw.struct<x: !hw.int<#hw.param.decl.ref<"W">>, v: i1>
}

// Parameters that no type has stay.
hw.module @offset<BY: i8>(in %a : i8, out o : i8) {
  %by = hw.param.value i8 = #hw.param.decl.ref<"BY">
  %o = comb.add %a, %by : i8
  hw.output %o : i8
}

hw.module @top(in %clock : !seq.clock, in %reset : i1, in %x : i8, in %y : i4, in %z : i100, in %i : i2,
               out o : i8, out p : i4, out q : i4, out r : i32, out s : i100, out t : i8, out u : !hw.struct<x: i8, v: i1>) {
  %o, %p, %r = hw.instance "twice" @twice<W: i32 = 8>(clock: %clock: !seq.clock, reset: %reset: i1, in: %x: i8, half: %y: i4) -> (out: i8, other: i4, n: i32)
  %s = hw.instance "wide" @delay<W: i32 = 100>(clock: %clock: !seq.clock, reset: %reset: i1, in: %z: i100) -> (out: i100)
  %all = hw.array_create %y, %p, %y, %p : i4
  %q = hw.instance "pick" @pick<N: i32 = 4, W: i32 = 4>(i: %i: i2, a: %all: !hw.array<4xi4>) -> (out: i4)
  %t = hw.instance "offset" @offset<BY: i8 = 77>(a: %x: i8) -> (o: i8)
  %bit = comb.extract %x from 0 : (i8) -> i1
  %u = hw.instance "fields" @fields<W: i32 = 8>(clock: %clock: !seq.clock, x: %t: i8, v: %bit: i1) -> (o: !hw.struct<x: i8, v: i1>)
  hw.output %o, %p, %q, %r, %s, %t, %u : i8, i4, i4, i32, i100, i8, !hw.struct<x: i8, v: i1>
}

//> module {
//>   hw.module @delay_W_4(in %clock : !seq.clock, in %reset : i1, in %in : i4, out out : i4) {
//>     %a = seq.firreg %in clock %clock : i4
//>     %b = seq.compreg %a, %clock : i4
//>     hw.output %b : i4
//>   }
//>   hw.module @delay_W_8(in %clock : !seq.clock, in %reset : i1, in %in : i8, out out : i8) {
//>     %a = seq.firreg %in clock %clock : i8
//>     %b = seq.compreg %a, %clock : i8
//>     hw.output %b : i8
//>   }
//>   hw.module @delay_W_100(in %clock : !seq.clock, in %reset : i1, in %in : i100, out out : i100) {
//>     %a = seq.firreg %in clock %clock : i100
//>     %b = seq.compreg %a, %clock : i100
//>     hw.output %b : i100
//>   }
//>   hw.module @twice_W_8(in %clock : !seq.clock, in %reset : i1, in %in : i8, in %half : i4, out out : i8, out other : i4, out n : i32) {
//>     %d.out = hw.instance "d" @delay_W_8(clock: %clock: !seq.clock, reset: %reset: i1, in: %in: i8) -> (out: i8)
//>     %e.out = hw.instance "e" @delay_W_4(clock: %clock: !seq.clock, reset: %reset: i1, in: %half: i4) -> (out: i4)
//>     %0 = comb.add %d.out, %in : i8
//>     %1 = hw.param.value i32 = 9
//>     hw.output %0, %e.out, %1 : i8, i4, i32
//>   }
//>   hw.module @pick_N_4_W_4(in %i : i2, in %a : !hw.array<4xi4>, out out : i4) {
//>     %0 = hw.array_get %a[%i] : !hw.array<4xi4>, i2
//>     hw.output %0 : i4
//>   }
//>   hw.module @fields_W_8(in %clock : !seq.clock, in %x : i8, in %v : i1, out o : !hw.struct<x: i8, v: i1>) {
//>     %0 = hw.struct_create (%x, %v) : !hw.struct<x: i8, v: i1>
//>     %r = seq.compreg %0, %clock : !hw.struct<x: i8, v: i1>
//>     hw.output %r : !hw.struct<x: i8, v: i1>
//>   }
//>   hw.module @offset<BY: i8>(in %a : i8, out o : i8) {
//>     %0 = hw.param.value i8 = #hw.param.decl.ref<"BY">
//>     %1 = comb.add %a, %0 : i8
//>     hw.output %1 : i8
//>   }
//>   hw.module @top(in %clock : !seq.clock, in %reset : i1, in %x : i8, in %y : i4, in %z : i100, in %i : i2, out o : i8, out p : i4, out q : i4, out r : i32, out s : i100, out t : i8, out u : !hw.struct<x: i8, v: i1>) {
//>     %twice.out, %twice.other, %twice.n = hw.instance "twice" @twice_W_8(clock: %clock: !seq.clock, reset: %reset: i1, in: %x: i8, half: %y: i4) -> (out: i8, other: i4, n: i32)
//>     %wide.out = hw.instance "wide" @delay_W_100(clock: %clock: !seq.clock, reset: %reset: i1, in: %z: i100) -> (out: i100)
//>     %0 = hw.array_create %y, %twice.other, %y, %twice.other : i4
//>     %pick.out = hw.instance "pick" @pick_N_4_W_4(i: %i: i2, a: %0: !hw.array<4xi4>) -> (out: i4)
//>     %offset.o = hw.instance "offset" @offset<BY: i8 = 77>(a: %x: i8) -> (o: i8)
//>     %1 = comb.extract %x from 0 : (i8) -> i1
//>     %fields.o = hw.instance "fields" @fields_W_8(clock: %clock: !seq.clock, x: %offset.o: i8, v: %1: i1) -> (o: !hw.struct<x: i8, v: i1>)
//>     hw.output %twice.out, %twice.other, %pick.out, %twice.n, %wide.out, %offset.o, %fields.o : i8, i4, i4, i32, i100, i8, !hw.struct<x: i8, v: i1>
//>   }
//> }
