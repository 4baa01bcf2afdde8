// passes: simplify-graphs narrow-graphs

// An index of a memory of 600 words has ten bits, which the condition says; nothing asks for more of the sum.
handshake.func @loop(%m: memref<600xi32>, %start: none) -> (i8, none) {
  %data:2 = extmemory [ld = 1, st = 0] (%m : memref<600xi32>) (%address) {id = 0 : i32} : (index) -> (i32, none)
  %zero = constant %start {value = 0 : index} : index
  %none = constant %start {value = 0 : i32} : i32
  %one = constant %start {value = 1 : index} : index
  %end = constant %start {value = 600 : index} : index
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %ctl = mux %go [%start, %back] : i1, none
  %i = mux %go [%zero, %next] : i1, index
  %step = mux %go [%one, %step_at] : i1, index
  %n = mux %go [%end, %n_at] : i1, index
  %sum = mux %go [%none, %more] : i1, i32
  %again = arith.cmpi slt, %i, %n : index
  %at, %gone = cond_br %again, %i : index
  %step_at, %step_gone = cond_br %again, %step : index
  %n_at, %n_gone = cond_br %again, %n : index
  %sum_at, %result = cond_br %again, %sum : i32
  %ctl_at, %done = cond_br %again, %ctl : none
  %word, %address = load [%at] %data#0, %ctl_at : index, i32
  %back = join %ctl_at, %data#1 : none, none
  %more = arith.addi %sum_at, %word : i32
  %next = arith.addi %at, %step_at : index
  %low = arith.trunci %result : i32 to i8
  return %low, %done : i8, none
}

//> error: unknown pass `simplify-graphs narrow-graphs`; what fits: `directives`, `inline-callees`, `normalise`, `legality`, `lower-affine`, `outline`, `check-bounds`, `restructure`, `jam`, `unroll`, `bank`, `flatten-memrefs`, `storage`, `canonicalise`, `expand`, `licm`, `merge-branches`, `forward`, `promote`, `factor`, `if-convert`, `predict`, `first-values`, `balance`, `reuse`, `coalesce`, `annotate`, `bypass`, `narrow`, `tidy`, `speculate`, `rewrite`, `split`, `hoist-from-guards`, `copies`, `schedule`, `bind`, `tidy-circuit`, `schedule-callees`, `streams`, `queue-stores`, `lower-to-handshake`, `share-units`, `inline-instances`, `simplify-graphs`, `narrow-graphs`, `materialise`, `place-buffers`, `prove-deadlock-freedom`, `handshake-to-hw`, `merge-equal-nets`, `canonicalize`, `cse`, `loop-invariant-code-motion`, `inline`, `sccp`, `lift-cf-to-scf`, `symbol-dce`
