// Every operation, type and attribute of the dialect.
func.func @all(%a: i16, %b: i16, %i: index, %t: !fixed.token) -> i16 attributes {fixed.format = #fixed.format<16, 8>} {
  %0 = fixed.add %a, %b : i16
  %1 = fixed.add %0, %b saturate(low) : i16
  %2 = fixed.add %1, %b saturate(none) {note = "wraps"} : i16
  %3 = fixed.mul %2, %b as <16, 8> : i16
  %4 = fixed.mul %3, %b as <16, 0, to_even> : i16
  %5 = fixed.clamp %4 in [%a to %b] : i16
  %c = fixed.constant 5 : i16
  %p:2 = fixed.pick %i of (%a, %b), (%5, %c) : (i16, i16), (i16, i16) -> i16, i16
  fixed.pick %i of (), () : (), () ->
  %s = fixed.pack %a, %b : i16, i16 -> <format = <16, 8, to_nearest>, depth = 2, names = ["x", "y"]>
  %f = fixed.first %s : !fixed.stream<depth = 2, names = ["x", "y"], format = <16, 8, to_nearest>>
  fixed.filter 4 {
    %x = fixed.add %a, %b : i16
  }
  %d = fixed.filter 4 after %t -> !fixed.token weights [1 : i16, 2 : i16] attributes {name = "f"} {
    fixed.yield %a, %t : i16, !fixed.token
  }
  %k = fixed.x %a in %f : i16
  cf.br ^end
^end:
  fixed.fork ^one or ^two, ^two
^one:
  return %k : i16
^two:
  return %p#1 : i16
}
