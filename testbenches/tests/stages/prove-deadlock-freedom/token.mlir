// passes: prove-deadlock-freedom

// The register has no token: nothing says that the first iteration is the first.
handshake.func @token(%a: i8, %start: none) -> (i8, none) {
  %select = buffer [1] seq %again#0 {sluice.cut = "data"} : i1
  %x = mux %select [%a, %back] : i1, i8
  %room = buffer [1] seq %x : i8
  %both:4 = fork [4] %room : i8
  %next = arith.andi %both#0, %both#1 : i8
  %more = arith.cmpi ult, %both#2, %both#3 : i8
  %again:2 = fork [2] %more : i1
  %back, %out = cond_br %again#1, %next : i8
  return %out, %start : i8, none
}

//> kernel.mlir:7:11: error: deadlock: these channels can wait for one another
//>       %room = buffer [1] seq %x : i8
//>               ^
//> kernel.mlir:7:11: note: `both` waits for a token of `room`
//>       %room = buffer [1] seq %x : i8
//>               ^
//> kernel.mlir:6:8: note: `room` waits for a token of `x`
//>       %x = mux %select [%a, %back] : i1, i8
//>            ^
//> kernel.mlir:5:13: note: `x` waits for a token of `select`
//>       %select = buffer [1] seq %again#0 {sluice.cut = "data"} : i1
//>                 ^
//> kernel.mlir:11:14: note: `select` waits for a token of `again#0`
//>       %again:2 = fork [2] %more : i1
//>                  ^
//> kernel.mlir:10:11: note: `again` waits for a token of `more`
//>       %more = arith.cmpi ult, %both#2, %both#3 : i8
//>               ^
//> kernel.mlir:8:13: note: `more` waits for a token of `both#3`
//>       %both:4 = fork [4] %room : i8
//>                 ^
