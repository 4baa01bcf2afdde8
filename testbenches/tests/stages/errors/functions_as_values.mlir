func.func private @other(i32) -> i32
func.func @indirect(%x: i32) -> i32 {
  %f = constant @other : (i32) -> i32 //~ error: `func.constant` has no hardware yet: call functions directly with `func.call`
  %y = call_indirect %f(%x) : (i32) -> i32 //~ error: `func.call_indirect` has no hardware yet: call functions directly with `func.call`
  return %y : i32
}
