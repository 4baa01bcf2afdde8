ssp.library @shared {
  operator_type @Sqrt [latency<9>]
  operator_type @Plain
}
ssp.resource @ports {
  resource_type @Bus [limit<2>]
}
ssp.instance @filter of "ModuloProblem" [II<2>] {
  library @own {
    operator_type @Load [latency<2>]
    operator_type @Mac [latency<1>, #ssp.incDelay<2.5 : f32>, outDelay<1.0 : f64>]
  }
  resource {
    resource_type @Port [limit<1>]
  }
  graph {
    %x = operation<@Load> @x() uses[@Port] [t<0>]
    %y:2 = operation<@own::@Load>(%x [dist<1>], @acc [dist<2>]) uses[@Port, @ports::@Bus] [t<1>]
    %s = operation<@Mac> @acc(%x, %y#1, @acc [dist<1>]) [t<3>, z<0.0 : f32>] {width = 8 : i32}
    operation<@shared::@Sqrt>(%s)
    operation<>()
  }
}
// -----
ssp.instance of "Problem" {
  library {}
  graph {}
} {note = "nothing"}
// -----
ssp.instance @empty of "Problem" {}
// -----
ssp.instance @turned of "Problem" {
  graph {}
  library {}
}
// -----
ssp.instance @far of "Problem" {
  library {}
  graph {
    "ssp.operation"() {dependences = [#ssp.dependence<3>]} : () -> ()
  }
}
// -----
ssp.instance @nobody of "Problem" {
  library {}
  graph {
    operation<>(@nobody)
  }
}
// -----
ssp.instance @untyped of "Problem" {
  library {}
  graph {
    operation<@none>()
  }
}
// -----
ssp.instance @unit of "Problem" {
  library {}
  graph {
    operation<>() uses[@none]
  }
}
// -----
ssp.instance @odd of "Problem" [speed<1>] {
  library {}
  graph {}
}
// -----
ssp.instance @generic of "CyclicProblem" {
  library {
  }
  graph {
    %0 = "ssp.operation"() {sym_name = "a"} : () -> none
    "ssp.operation"(%0) {dependences = [#ssp.dependence<0, [#ssp.dist<4>]>, #ssp.dependence<1, @a>]} : (none) -> ()
  }
}
// -----
ssp.instance "old" of "ModuloProblem" [II<1>] {
  library {
    operator_type @Port [latency<1>, limit<1>]
  }
  graph {
    operation<@Port>()
  }
}
