// One output is ready while the other waits for the late token: its token would be there twice.
//
// run 1
// -> error: the outputs of `starts` are not ready together
// -> without time: 1
handshake.func @lazy_forks_apart(%a: i8, %start: none) -> (i8, none) {
  %starts:2 = lazy_fork [2] %start : none
  sink %starts#0 : none
  %late = buffer [1] seq %a : i8
  return %late, %starts#1 : i8, none
}
