func.func private @f(f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU, f8E4M3, f8E3M4)
func.func @values() {
  %0 = arith.constant 1.5 : f4E2M1FN
  %1 = arith.constant 7.5 : f6E2M3FN
  %2 = arith.constant 28.0 : f6E3M2FN
  %3 = arith.constant 4.0 : f8E8M0FNU
  %4 = arith.constant 15.5 : f8E3M4
  %5 = arith.constant 0.125 : f6E2M3FN
  %6 = arith.constant -0.0 : f4E2M1FN
  %7 = arith.constant dense<[1.0, 2.0]> : vector<2xf6E2M3FN>
  return
}
// -----
func.func @bits() {
  %0 = arith.constant 0xF : f4E2M1FN
  %1 = arith.constant 0x3F : f6E3M2FN
  %2 = arith.constant 0xFF : f8E8M0FNU
  %3 = arith.constant 0x00 : f8E8M0FNU
  %4 = arith.constant 0xFE : f8E8M0FNU
  %5 = arith.constant 0x70 : f8E3M4
  %6 = arith.constant 0x7F : f8E3M4
  %7 = arith.constant 0x01 : f8E3M4
  %8 = arith.constant 0x01 : f6E2M3FN
  return
}
// -----
func.func @rounded() {
  %0 = arith.constant 100.0 : f4E2M1FN
  %1 = arith.constant 5.0 : f4E2M1FN
  %2 = arith.constant 2.5 : f4E2M1FN
  %3 = arith.constant -0.1 : f4E2M1FN
  %4 = arith.constant 1000.0 : f6E2M3FN
  %5 = arith.constant 1.0e-5 : f6E2M3FN
  %6 = arith.constant 3.0 : f8E8M0FNU
  %7 = arith.constant 6.0 : f8E8M0FNU
  %8 = arith.constant 0.0 : f8E8M0FNU
  %9 = arith.constant 1.0e30 : f8E8M0FNU
  %10 = arith.constant 0.3 : f6E3M2FN
  %11 = arith.constant 0.3 : f8E3M4
  return
}
// -----
"x.places"() {
  a = loc("f":1:2 to 3:4),
  b = loc("f":1:2 to :5),
  f = loc("f":3:0 to 3:0),
  g = loc("f":3:0 to :9),
  h = loc("f":3:7 to 2:1),
  j = loc(fused["f":1:2 to 4:3, "g":1:1]),
  k = loc("name"("f":1:2 to 4:3)),
  l = loc(callsite("f":1:2 to :3 at "g":1:1 to 2:1))
} : () -> ()
// -----
"x.places"() {a = loc("f":1:2 to 1:5)} : () -> ()
// -----
"x.places"() {a = loc("f":1:2 to 1:2), b = loc("g":1:2 to :2)} : () -> ()
// -----
"x.places"() {a = loc("f":3)} : () -> ()
// -----
"x.places"() {a = loc("f":3 to 4)} : () -> ()
// -----
"x.places"() {a = loc("f":3:1 to 4)} : () -> ()
// -----
"x.places"() {a = loc("f":3:1 to )} : () -> ()
// -----
"x.places"() {a = loc("f":3:1 to :)} : () -> ()
// -----
"x.places"() {a = loc("f":3:1 to 4:)} : () -> ()
// -----
func.func private @f(f6E1M4FN)
