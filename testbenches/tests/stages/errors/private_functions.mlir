func.func private @one(%a: i8) -> i8 {
  return %a : i8
}
func.func private @other(%a: i8) -> i8 {
  return %a : i8
}
//~ error without a place: no function is public: `top` in the configuration chooses one of `@one`, `@other`
