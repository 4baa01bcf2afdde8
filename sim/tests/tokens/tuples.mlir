// Parts of a token that are taken apart and put together again, lazily forked: all in cycle 1 = e.
//
// run 1 -2
// -> -2 1; 2 cycles
handshake.func @tuples(%a: i8, %b: i100, %start: none) -> (i100, i8, none) {
  %pair = pack %a, %b : tuple<i8, i100>
  %same = br %pair : tuple<i8, i100>
  %parts:2 = unpack %same : tuple<i8, i100>
  %starts:2 = lazy_fork [2] %start : none
  sink %starts#1 : none
  return %parts#1, %parts#0, %starts#0 : i100, i8, none
}
