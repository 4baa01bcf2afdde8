// options: default
func.func @formats(%bit: i1, %byte: i8, %box: !test.box<f32>) {
  %0 = test.same %byte, %byte : i8
  %1 = test.same %byte, %byte modes<fast, small> {extra = 1 : i8} : i8
  %2 = test.same %byte, %byte modes<none> : i8
  %3 = test.unbox %box : !test.box<f32>
  test.groups [] last %bit
  test.groups if %bit [%byte, %bit] : i8, i1 last %bit {note}
  test.attributes @name of i32 <5> green
  test.attributes @"a b" of (i1) -> () <-1> blue flag extra [1, 2] attributes {note = "x"}
  test.clauses
  test.clauses limit %bit count(3) fast
  test.clauses fast {note}
  test.pair of %byte and %byte
  %4:2 = test.apply(%byte, %3) : (i8, f32) -> (i1, i2)
  test.apply() : () -> ()
  test.body %bit {
    test.clauses
  }
  %5:2 = test.body %bit -> i8, i1 {
    test.end %0, %bit : i8, i1
  } {note}
  test.body %bit {
    test.end {kept}
  }
  test.branch %bit, ^a or ^a, ^b
^a:
  test.branch ^b
^b:
  test.branch ^b {last}
}
