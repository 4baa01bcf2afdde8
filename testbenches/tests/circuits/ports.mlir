// Ports that are made of one another as wholes, bit by bit they are not.

// Each bit of the word follows from one input bit.
hw.module @rotate(in %a : i4, in %b : i4, out o : i4) {
  %o = comb.xor %a, %b : i4
  hw.output %o : i4
}

hw.module @word(in %x : i4, in %clock : !seq.clock, out o : i4, out n : i4) {
  %low = comb.extract %r from 0 : (i4) -> i3
  %first = comb.extract %x from 3 : (i4) -> i1
  %shifted = comb.concat %low, %first : i3, i1
  %r = hw.instance "rotate" @rotate(a: %shifted: i4, b: %x: i4) -> (o: i4)
  %n = seq.compreg %r, %clock : i4
  hw.output %r, %n : i4, i4
}

// Both ways of a handshake in one structure, through two modules and instances inside of one of them.
hw.module @source(in %valid : i1, in %back : !hw.struct<ready: i1, data: i8>, out forth : !hw.struct<valid: i1, data: i8>, out taken : i1) {
  %ready = hw.struct_extract %back["ready"] : !hw.struct<ready: i1, data: i8>
  %data = hw.struct_extract %back["data"] : !hw.struct<ready: i1, data: i8>
  %taken = comb.and %ready, %valid : i1
  %forth = hw.struct_create (%valid, %data) : !hw.struct<valid: i1, data: i8>
  hw.output %forth, %taken : !hw.struct<valid: i1, data: i8>, i1
}

hw.module @ready(in %forth : !hw.struct<valid: i1, data: i8>, in %free : i1, out ready : i1) {
  %valid = hw.struct_extract %forth["valid"] : !hw.struct<valid: i1, data: i8>
  %ready = comb.and %valid, %free : i1
  hw.output %ready : i1
}

hw.module @sink<BY: i8>(in %clock : !seq.clock, in %forth : !hw.struct<valid: i1, data: i8>, in %free : i1, in %data : i8, out back : !hw.struct<ready: i1, data: i8>, out held : i8) {
  %ready = hw.instance "ready" @ready(forth: %forth: !hw.struct<valid: i1, data: i8>, free: %free: i1) -> (ready: i1)
  %by = hw.param.value i8 = #hw.param.decl.ref<"BY">
  %sum = comb.add %data, %by : i8
  %back = hw.struct_create (%ready, %sum) : !hw.struct<ready: i1, data: i8>
  %of_source = hw.struct_extract %forth["data"] : !hw.struct<valid: i1, data: i8>
  %held = seq.compreg.ce %of_source, %clock, %ready : i8
  hw.output %back, %held : !hw.struct<ready: i1, data: i8>, i8
}

hw.module @handshake(in %clock : !seq.clock, in %valid : i1, in %free : i1, in %data : i8, out taken : i1, out held : i8) {
  %forth, %taken = hw.instance "source" @source(valid: %valid: i1, back: %back: !hw.struct<ready: i1, data: i8>) -> (forth: !hw.struct<valid: i1, data: i8>, taken: i1)
  %back, %held = hw.instance "sink" @sink<BY: i8 = 5>(clock: %clock: !seq.clock, forth: %forth: !hw.struct<valid: i1, data: i8>, free: %free: i1, data: %data: i8) -> (back: !hw.struct<ready: i1, data: i8>, held: i8)
  hw.output %taken, %held : i1, i8
}

// What goes through comes back.
hw.module @through(in %a : i2, in %b : i2, out x : i2, out y : i2) {
  hw.output %b, %a : i2, i2
}

hw.module @twice(in %a : i2, out o : i2) {
  %x, %y = hw.instance "through" @through(a: %a: i2, b: %y: i2) -> (x: i2, y: i2)
  hw.output %x : i2
}
