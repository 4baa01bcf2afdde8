// Both outputs are ready in the same cycle, as one join takes them: cycle 1 = e.
//
// run 1
// -> 1; 2 cycles
handshake.func @lazy_forks(%a: i8, %start: none) -> (i8, none) {
  %starts:2 = lazy_fork [2] %start : none
  %all = join %starts#0, %starts#1 : none, none
  return %a, %all : i8, none
}
