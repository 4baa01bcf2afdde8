//~ error without a place: the file holds no function with a body, but circuits, which `compile`, `sim`, `why` and `cosim` take
hw.module @wire(in %a : i8, out b : i8) {
  hw.output %a : i8
}
