func.func @f(%a: i8, %b: i1) {
  test.attributes @x of i32 <5> yellow //~ error: custom op 'test.attributes' expected string or keyword containing one of the following enum values for attribute 'colour' [red, green, blue]
  test.clauses fast fast //~ error: `fast` clause can appear at most once
  test.groups [%a, %b] : i8 last %b //~ error: 2 operands present, but expected 1
  test.same %a %a : i8 //~ error: expected ','
  test.same %a, %a modes<fast> {modes = 1} : i8 //~ error: 'modes' is an inferred attribute
  %0 = test.clauses //~ error: cannot name an operation with no results
  %1:3 = test.apply() : () -> (i1, i2) //~ error: operation defines 2 results but was provided 3 to bind
  test.pair of %b and %a //~ error: use of value '%b' expects different type than prior uses
  test.branch //~ error: expected block name
}
