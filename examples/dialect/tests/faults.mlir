// Wrong uses, with the message of each.
func.func @faults(%a: i16, %b: i32, %c: i1, %i: index) {
  // expected-error@+1 {{'fixed.mul' op has a format of 16 bits, but another result}}
  %0 = fixed.mul %b, %b as <16, 8> : i32
  // expected-error@+1 {{operand #0 must be fixed-point number (`iN`) and not bit, but got 'i1'}}
  %1 = fixed.clamp %c in [%c to %c] : i1
  // expected-error@+1 {{attribute 'taps' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive whose maximum value is 64}}
  "fixed.filter"() <{taps = 65 : i32}> ({ "fixed.yield"() : () -> () }) : () -> ()
  // expected-error@+1 {{attribute 'weights' failed to satisfy constraint: array of TypedAttr instance with at least 1 elements}}
  "fixed.filter"() <{taps = 4 : i32, weights = []}> ({ "fixed.yield"() : () -> () }) : () -> ()
  // expected-error@+1 {{'fixed.pick' op has a case of other types than the result}}
  %2 = fixed.pick %i of (%a), (%b) : (i16), (i32) -> i16
  // expected-error@+1 {{operand count (1) does not match with the total size (2) specified in attribute 'case_sizes'}}
  "fixed.pick"(%i, %a) <{case_sizes = array<i32: 2>}> : (index, i16) -> ()
  // expected-error@+1 {{'case_sizes' attribute cannot have negative elements}}
  "fixed.pick"(%i, %a) <{case_sizes = array<i32: -1, 2>}> : (index, i16) -> ()
  // expected-warning@+1 {{'fixed.add_sat' op is deprecated: write `fixed.add`}}
  %3 = fixed.add_sat %a, %a : i16
  // expected-error@+1 {{attribute 'fixed.colour' is not known to dialect 'fixed'; there is 'fixed.format'}}
  %4 = arith.constant {fixed.colour = 1 : i32} 5 : i16
  return
}

// -----

// expected-error@+1 {{17 digits of a fraction do not fit 16 bits}}
func.func private @format(!fixed.stream<format = <16, 17>>)

// -----

// expected-error@+1 {{parameter 'format' is missing}}
func.func private @missing(!fixed.stream<depth = 2>)

// -----

// expected-error@+1 {{expected one of `format`, `depth`, `names`}}
func.func private @unknown(!fixed.stream<size = 2>)

// -----

// expected-error@+1 {{expected valid keyword}}
func.func private @comma(!fixed.stream<format = <16, 8>,>)

// -----

func.func @parent(%a: i16) {
  // expected-error@+1 {{'fixed.yield' op expects parent op 'fixed.filter'}}
  fixed.yield %a : i16
}

// -----

func.func @word(%a: i16) -> i16 {
  // expected-error@+1 {{expected}}
  %0 = fixed.clamp %a in [%a until %a] : i16
  return %0 : i16
}
