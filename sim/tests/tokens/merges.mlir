// b is at the merge in cycle 1, which is held up until cycle 3; a comes in cycle 2 and does not displace it.
// b goes in cycle 3 and is behind its register in 4, a goes in 4 = e: 5 cycles.
//
// run 1 2
// -> 2 1; 5 cycles
handshake.func @merges(%a: i8, %b: i8, %start: none) -> (i8, i8, none) {
  %begins:3 = fork [3] %start : none
  %late = buffer [1] seq %a : i8
  %either, %which = control_merge %late, %b : i8, i1
  %first = buffer [2] seq %begins#0 : none
  %other = buffer [1] seq %first : none
  %pass = merge %first_pass, %other : none
  %first_pass = buffer [2] seq %begins#1 : none
  %held, %gone = cond_br %which, %both#0 : i8
  %both:2 = sync %either, %pass : i8, none
  sink %both#1 : none
  %kept = buffer [1] seq %held : i8
  return %kept, %gone, %begins#2 : i8, i8, none
}
