// A ring without a token: the join waits for the register, the register for the join.
//
// run
// -> deadlock in cycle 1: these wait for one another
// ->   `boths` for a token of `both`
// ->   `both` for a token of `back`
// ->   `back` for a token of `boths#0`
// -> without time: deadlock: these wait for one another
// ->   `boths` for a token of `both`
// ->   `both` for a token of `back`
// ->   `back` for a token of `boths#0`
handshake.func @waits_for_itself(%start: none) -> none {
  %both = join %start, %back : none, none
  %boths:2 = fork [2] %both : none
  %back = buffer [1] seq %boths#0 : none
  return %boths#1 : none
}
