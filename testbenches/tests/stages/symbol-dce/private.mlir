// passes: symbol-dce

// Private functions that nothing refers to, and those that only they refer to.
func.func private @alone() {
  func.call @chained() : () -> ()
  return
}
func.func private @chained() {
  return
}
func.func private @used() {
  return
}
func.func @kept() {
  func.call @used() : () -> ()
  return
}

//> module {
//>   func.func private @used() {
//>     return
//>   }
//>   func.func @kept() {
//>     call @used() : () -> ()
//>     return
//>   }
//> }
