// Streams have no meaning, so this does not compile.
func.func @stream(%a: i16) -> i16 {
  %s = fixed.pack %a : i16 -> <format = <16, 8>>
  %0 = fixed.first %s : !fixed.stream<format = <16, 8>>
  return %0 : i16
}
