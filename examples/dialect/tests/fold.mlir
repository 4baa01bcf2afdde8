func.func @fold(%a: i16, %b: i16) -> (i16, i16, i16, i16) {
  %zero = fixed.constant 0 : i16
  %one = fixed.constant 256 : i16
  %large = fixed.constant 32767 : i16
  %0 = fixed.add %a, %zero : i16
  %1 = fixed.mul %0, %one as <16, 8> : i16
  %2 = fixed.mul %a, %one as <16, 4> : i16
  %3 = fixed.add %large, %one : i16
  %s = fixed.pack %b, %a : i16, i16 -> <format = <16, 8>>
  %4 = fixed.first %s : !fixed.stream<format = <16, 8>>
  return %1, %2, %3, %4 : i16, i16, i16, i16
}
