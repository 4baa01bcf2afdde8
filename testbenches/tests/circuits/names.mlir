// Ports and modules whose names are no names in Verilog, or whose legal forms are one: instances call them what their headers do.

// Ports without a name.
hw.module @nameless(in %a : i4, in %b : i4, out "" : i4, out "" : i4) {
  %sum = comb.add %a, %b : i4
  %difference = comb.sub %a, %b : i4
  hw.output %sum, %difference : i4, i4
}

// The legal forms of two names are one.
hw.module @dots(in %a.b : i3, in %a_b : i3, in %wire : i3, out c.d : i3, out c_d : i3, out reg : i3) {
  %one = hw.constant 1 : i3
  %next = comb.add %a.b, %one : i3
  hw.output %next, %a_b, %wire : i3, i3, i3
}

// So are those of two modules.
hw.module @m.n(in %x : i5, out y : i5) {
  hw.output %x : i5
}

hw.module @m_n(in %x : i5, out y : i5) {
  %ones = hw.constant -1 : i5
  %not = comb.xor %x, %ones : i5
  hw.output %not : i5
}

hw.module @wire(in %x : i5, out y : i5) {
  %two = hw.constant 2 : i5
  %sum = comb.add %x, %two : i5
  hw.output %sum : i5
}

hw.module @instances(in %a : i4, in %b : i4, in %p : i3, in %q : i3, in %r : i3, in %x : i5, out o0 : i4, out o1 : i4, out o2 : i3, out o3 : i3, out o4 : i3, out o5 : i5, out o6 : i5, out o7 : i5) {
  %0, %1 = hw.instance "u" @nameless(a: %a: i4, b: %b: i4) -> ("": i4, "": i4)
  %2, %3, %4 = hw.instance "u" @dots(a.b: %p: i3, a_b: %q: i3, wire: %r: i3) -> (c.d: i3, c_d: i3, reg: i3)
  %5 = hw.instance "m.n" @m.n(x: %x: i5) -> (y: i5)
  %6 = hw.instance "m_n" @m_n(x: %x: i5) -> (y: i5)
  %7 = hw.instance "reg" @wire(x: %x: i5) -> (y: i5)
  hw.output %0, %1, %2, %3, %4, %5, %6, %7 : i4, i4, i3, i3, i3, i5, i5, i5
}

// Parameters have names of their own: no port, no value and no keyword is called so.
hw.module @parameters<reg: i4 = 3, "a b": i4 = 2, a: i4 = 1, w: i4 = 6>(in %a : i4, out o : i4) {
  %r = hw.param.value i4 = #hw.param.decl.ref<"reg">
  %s = hw.param.value i4 = #hw.param.decl.ref<"a">
  %t = hw.param.value i4 = #hw.param.decl.ref<"a b">
  %w = hw.param.value i4 = #hw.param.decl.ref<"w">
  %x = comb.add %a, %r, %s, %t, %w : i4
  hw.output %x : i4
}

hw.module @given_parameters(in %a : i4, out o : i4) {
  %x = hw.instance "x" @parameters<reg: i4 = 5, "a b": i4 = 4, a: i4 = 7, w: i4 = 9>(a: %a: i4) -> (o: i4)
  hw.output %x : i4
}
