func.func private @elsewhere(%x: i8) -> i8
func.func @caller(%x: i8) -> i8 {
  %y = func.call @elsewhere(%x) : (i8) -> i8 //~ error: `@elsewhere` is only declared: give it a body
  return %y : i8
}
