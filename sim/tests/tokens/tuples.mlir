// Parts of a token that are put together and taken apart again, one of them wide: all in cycle 1 = e.
//
// run 1 -2
// -> -2 1; 2 cycles
handshake.func @tuples(%a: i8, %b: i100, %start: none) -> (i100, i8, none) {
  %pair = pack %a, %b : tuple<i8, i100>
  %same = br %pair : tuple<i8, i100>
  %parts:2 = unpack %same : tuple<i8, i100>
  return %parts#1, %parts#0, %start : i100, i8, none
}
