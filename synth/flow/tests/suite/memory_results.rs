//! Tests the port names of memories that a kernel returns.

use sluice_config::Config;
use sluice_flow::pipeline::compile;

fn names(text: &str) -> (Vec<String>, Vec<u32>) {
    let compiled = compile(text, "kernel.mlir", &Config::default()).expect("it compiles");
    let interface = compiled.interface;
    (interface.sources, interface.result_width_bits)
}

#[test]
fn returned_memories_have_names_of_their_own() {
    let text = "func.func @f(%a: memref<4xi8>, %returned1: memref<4xi8>, %p: i1, %x: i16) -> (memref<4xi8>, memref<4xi8>, i16, memref<4xi8>) {
  %sum = memref.alloc() : memref<4xi8>
  affine.for %i = 0 to 4 {
    %y = affine.load %a[%i] : memref<4xi8>
    affine.store %y, %sum[%i] : memref<4xi8>
  }
  %m = arith.select %p, %a, %returned1 : memref<4xi8>
  return %m, %m, %x, %sum : memref<4xi8>, memref<4xi8>, i16, memref<4xi8>
}
";
    // The scalar result is `result0`: no memory may have this name.
    let sources = ["a", "returned1", "p", "x", "returned0", "returned1_", "sum"];
    assert_eq!(names(text), (sources.map(str::to_owned).to_vec(), vec![16]));
}
