// passes: handshake-to-hw, tidy-circuit

// An instance becomes part of the graph that holds it.
handshake.func @first(%x: tuple<i4, none, i2>) -> i4 {
  %p:3 = unpack %x : tuple<i4, none, i2>
  sink %p#1 : none
  sink %p#2 : i2
  return %p#0 : i4
}
handshake.func @top(%x: tuple<i4, none, i2>) -> i4 {
  %c = instance @first(%x) : (tuple<i4, none, i2>) -> i4
  return %c : i4
}

//> module {
//>   hw.module @top(in %clock : !seq.clock, in %reset : i1, in %x : i6, in %x_valid : i1, in %out0_ready : i1, out x_ready : i1, out out0 : i4, out out0_valid : i1) {
//>     %0 = comb.extract %x from 2 {sluice.data = [1]} : (i6) -> i4
//>     hw.output %out0_ready, %0, %x_valid : i1, i4, i1
//>   }
//> }
