fsm.machine @counter(%go: i1, %n: i8) -> (i8, i1) attributes {initialState = "idle", argNames = ["go", "n"], resNames = ["count", "busy"]} {
  %count = fsm.variable "count" {initValue = 0 : i8} : i8
  %false = hw.constant false
  %true = hw.constant true
  fsm.state @idle output {
    fsm.output %count, %false : i8, i1
  } transitions {
    fsm.transition @busy guard {
      fsm.return %go
    } action {
      %one = hw.constant 1 : i8
      fsm.update %count, %one : i8
    }
  }
  fsm.state @busy output {
    fsm.output %count, %true : i8, i1
  } transitions {
    fsm.transition @idle guard {
      %0 = comb.icmp eq %count, %n : i8
      fsm.return %0
    }
    fsm.transition @busy
  }
}
func.func @software(%go: i1, %n: i8) -> i8 {
  %m = fsm.instance "m" @counter
  %0:2 = fsm.trigger %m(%go, %n) : (i1, i8) -> (i8, i1)
  return %0#0 : i8
}
hw.module @hardware(in %go : i1, in %n : i8, in %c : !seq.clock, in %r : i1, out o : i8) {
  %0:2 = fsm.hw_instance "m" @counter(%go, %n), clock %c, reset %r : (i1, i8) -> (i8, i1)
  hw.output %0#0 : i8
}
// -----
fsm.machine @quiet() attributes {initialState = "a"} {
  fsm.state @a transitions {
    fsm.transition @a
  }
  fsm.state @b {kept}
}
// -----
fsm.machine @e() attributes {initialState = "nowhere"} {
  fsm.state @a
}
// -----
fsm.machine @e() -> i1 attributes {initialState = "a"} {
  fsm.state @a
}
// -----
fsm.machine @e(%x: i1) -> i8 attributes {initialState = "a"} {
  fsm.state @a output {
    fsm.output %x : i1
  }
}
// -----
fsm.machine @e() attributes {initialState = "a"} {
  fsm.state @a transitions {
    fsm.transition @b
  }
}
// -----
fsm.machine @e(%x: i1) attributes {initialState = "a"} {
  fsm.state @a transitions {
    fsm.transition @a action {
      fsm.update %x, %x : i1
    }
  }
}
// -----
fsm.machine @e(%x: i1) attributes {initialState = "a"} {
  %v = fsm.variable "v" {initValue = false} : i1
  fsm.state @a transitions {
    fsm.transition @a guard {
      fsm.update %v, %x : i1
      fsm.return %x
    }
  }
}
// -----
fsm.machine @e(%x: i1) attributes {initialState = "a"} {
  %v = fsm.variable "v" {initValue = false} : i1
  fsm.state @a transitions {
    fsm.transition @a action {
      fsm.update %v, %x : i1
      fsm.update %v, %x : i1
    }
  }
}
// -----
fsm.machine @e(%x: i1) attributes {initialState = "a", argNames = ["x", "y"]} {
  fsm.state @a
}
// -----
func.func @e() {
  %m = fsm.instance "m" @nowhere
  return
}
// -----
fsm.machine @m(%x: i1) attributes {initialState = "a"} {
  fsm.state @a
}
func.func @e(%x: i8) {
  %m = fsm.instance "m" @m
  fsm.trigger %m(%x) : (i8) -> ()
  return
}
