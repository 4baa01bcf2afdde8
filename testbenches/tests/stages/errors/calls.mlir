func.func private @callee(%x: i32) -> i32 {
  return %x : i32
}
func.func @caller(%x: i64, %i: i32) -> i64 {
  %a = func.call @callee(%x) : (i64) -> i64 //~ error: expected operand type 'i32', but provided 'i64'
  %r = func.call @callee(%i) : (i32) -> i64 //~ error: result type mismatch at index 0
  %b = func.call @nobody(%x) : (i64) -> i64 //~ error: 'nobody' does not reference a valid function
  return %b : i64
}
