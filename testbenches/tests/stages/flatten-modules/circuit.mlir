// passes: flatten-modules

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

//> module {
//>   hw.module @rotate(in %a : i4, in %b : i4, out o : i4) {
//>     %0 = comb.xor %a, %b : i4
//>     hw.output %0 : i4
//>   }
//>   hw.module @word(in %x : i4, in %clock : !seq.clock, out o : i4, out n : i4) {
//>     %0 = comb.extract %3 from 0 : (i4) -> i3
//>     %1 = comb.extract %x from 3 : (i4) -> i1
//>     %2 = comb.concat %0, %1 : i3, i1
//>     %3 = comb.xor %2, %x : i4
//>     %n = seq.compreg %3, %clock : i4
//>     hw.output %3, %n : i4, i4
//>   }
//>   hw.module @source(in %valid : i1, in %back : !hw.struct<ready: i1, data: i8>, out forth : !hw.struct<valid: i1, data: i8>, out taken : i1) {
//>     %ready = hw.struct_extract %back["ready"] : !hw.struct<ready: i1, data: i8>
//>     %data = hw.struct_extract %back["data"] : !hw.struct<ready: i1, data: i8>
//>     %0 = comb.and %ready, %valid : i1
//>     %1 = hw.struct_create (%valid, %data) : !hw.struct<valid: i1, data: i8>
//>     hw.output %1, %0 : !hw.struct<valid: i1, data: i8>, i1
//>   }
//>   hw.module @ready(in %forth : !hw.struct<valid: i1, data: i8>, in %free : i1, out ready : i1) {
//>     %valid = hw.struct_extract %forth["valid"] : !hw.struct<valid: i1, data: i8>
//>     %0 = comb.and %valid, %free : i1
//>     hw.output %0 : i1
//>   }
//>   hw.module @sink<BY: i8>(in %clock : !seq.clock, in %forth : !hw.struct<valid: i1, data: i8>, in %free : i1, in %data : i8, out back : !hw.struct<ready: i1, data: i8>, out held : i8) {
//>     %ready.ready = hw.instance "ready" @ready(forth: %forth: !hw.struct<valid: i1, data: i8>, free: %free: i1) -> (ready: i1)
//>     %0 = hw.param.value i8 = #hw.param.decl.ref<"BY">
//>     %1 = comb.add %data, %0 : i8
//>     %2 = hw.struct_create (%ready.ready, %1) : !hw.struct<ready: i1, data: i8>
//>     %data_0 = hw.struct_extract %forth["data"] : !hw.struct<valid: i1, data: i8>
//>     %held = seq.compreg.ce %data_0, %clock, %ready.ready : i8
//>     hw.output %2, %held : !hw.struct<ready: i1, data: i8>, i8
//>   }
//>   hw.module @handshake(in %clock : !seq.clock, in %valid : i1, in %free : i1, in %data : i8, out taken : i1, out held : i8) {
//>     %ready = hw.struct_extract %5["ready"] : !hw.struct<ready: i1, data: i8>
//>     %data_0 = hw.struct_extract %5["data"] : !hw.struct<ready: i1, data: i8>
//>     %0 = comb.and %ready, %valid : i1
//>     %1 = hw.struct_create (%valid, %data_0) : !hw.struct<valid: i1, data: i8>
//>     %valid_1 = hw.struct_extract %1["valid"] : !hw.struct<valid: i1, data: i8>
//>     %2 = comb.and %valid_1, %free : i1
//>     %3 = hw.param.value i8 = 5
//>     %4 = comb.add %data, %3 : i8
//>     %5 = hw.struct_create (%2, %4) : !hw.struct<ready: i1, data: i8>
//>     %data_2 = hw.struct_extract %1["data"] : !hw.struct<valid: i1, data: i8>
//>     %sink.held = seq.compreg.ce %data_2, %clock, %2 : i8
//>     hw.output %0, %sink.held : i1, i8
//>   }
//>   hw.module @through(in %a : i2, in %b : i2, out x : i2, out y : i2) {
//>     hw.output %b, %a : i2, i2
//>   }
//>   hw.module @twice(in %a : i2, out o : i2) {
//>     hw.output %a : i2
//>   }
//> }
