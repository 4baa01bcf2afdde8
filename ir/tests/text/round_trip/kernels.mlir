// options: default
func.func private @declared(i32 {t.a = 1}, f32) -> (i32 {t.r}, f32) attributes {t.k = "v"}
func.func @loops(%n: index, %m: memref<100xi32>, %z: i32) -> i32 {
  %false = arith.constant false
  %total = affine.for %i = 0 to 10 iter_args(%acc = %z) -> (i32) {
    %v = affine.load %m[%i * 2 + 3] : memref<100xi32>
    %next = arith.addi %acc, %v overflow<nsw, nuw> : i32
    affine.yield %next : i32
  }
  affine.for %i = 0 to %n step 2 {
    affine.store %total, %m[%i + symbol(%n)] : memref<100xi32>
  }
  %other:2 = scf.while (%a = %z, %b = %total) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ult, %a, %b : i32
    scf.condition(%more) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    scf.yield %b, %a : i32, i32
  }
  scf.if %false {
    func.call @none() : () -> ()
  }
  call @none() : () -> ()
  cf.cond_br %false, ^a(%z : i32), ^b
^a(%x: i32):
  return %x : i32
^b:
  return %other#1 : i32
}
func.func private @none()
hw.module @circuit(in %a: i8, in %clk: !seq.clock, out x: i8) {
  %n = comb.add %r, %a : i8
  %r = seq.compreg %n, %clk : i8
  hw.output %r : i8
}
