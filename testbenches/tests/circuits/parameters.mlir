// Types with parameters: of ports, registers, arrays, structures and memories, and expressions over them. A top without a number is given 3.

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
