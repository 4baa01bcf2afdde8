func.func @named(%a: i32) -> i32 {
  "foo.op"() : () -> () loc("somewhere")
  return %a : i32
}
//~ error without a place: at `somewhere`: `foo.op` has no hardware yet
