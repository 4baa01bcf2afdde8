//! One kernel whose local memory is implemented in every way: interpreter and cycle simulator agree, and Verilator too. The
//! cycles are as predicted, and as the ports allow.

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_kernel::compiled::{Compiled, Failure};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::verilator;

/// Two reads of a line and of a table in an iteration, then a read and a write of one cell with a data-dependent index.
const KERNEL: &str = r#"
memref.global "private" constant @taps : memref<8xi16> = dense<[1, -2, 3, 5, -7, 11, 13, -17]>
func.func @weigh(%a: memref<64xi16>, %out: memref<64xi32>) {
  %table = memref.get_global @taps : memref<8xi16>
  %line = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<64xi16>
    %wide = arith.extsi %x : i16 to i32
    affine.store %wide, %line[%i] : memref<16xi32>
  }
  affine.for %j = 0 to 64 {
    %x = affine.load %line[%j mod 16] : memref<16xi32>
    %y = affine.load %line[(%j * 3 + 1) mod 16] : memref<16xi32>
    %c = affine.load %table[%j mod 8] : memref<8xi16>
    %d = affine.load %table[(%j * 5) mod 8] : memref<8xi16>
    %cd = arith.addi %c, %d : i16
    %wide = arith.extsi %cd : i16 to i32
    %xy = arith.addi %x, %y : i32
    %sum = arith.addi %xy, %wide : i32
    affine.store %sum, %out[%j] : memref<64xi32>
  }
  affine.for %k = 0 to 64 {
    %x = affine.load %a[%k] : memref<64xi16>
    %c15 = arith.constant 15 : i16
    %low = arith.andi %x, %c15 : i16
    %at = arith.index_castui %low : i16 to index
    %old = memref.load %line[%at] : memref<16xi32>
    %three = arith.constant 3 : i32
    %new = arith.addi %old, %three : i32
    memref.store %new, %line[%at] : memref<16xi32>
  }
  affine.for %l = 0 to 16 {
    %x = affine.load %line[%l] : memref<16xi32>
    affine.store %x, %out[%l] : memref<64xi32>
  }
  return
}
"#;

/// The requested storage, and the II of the loop with two reads.
const WAYS: &[(&str, i64)] = &[
    ("{taps: {kind: rom, reads: 2}}", 2),
    ("{line: {kind: lut_ram, reads: 2}}", 2),
    ("{line: lut_ram, taps: {kind: rom, reads: 2}}", 2),
    (
        "{line: {kind: lut_ram, reads: 2}, table: {kind: rom, reads: 2}}",
        1,
    ),
    (
        "{line: {kind: block_ram, reads: 2}, taps: {kind: rom, reads: 2}}",
        1,
    ),
    (
        "{line: {kind: block_ram, ports: true_dual}, taps: {kind: rom, reads: 2}}",
        1,
    ),
    ("{line: registers, taps: {kind: rom, reads: 2}}", 1),
];

/// Compiles the kernel with a number in its name, because all of them are in one Verilator model.
fn compiled(storage: &str, number: u64) -> Compiled {
    let kernel = KERNEL.replace("@weigh", &format!("@weigh{number}"));
    let text = format!("device: ecp5\nreuse: off\nstorage: {storage}\n");
    let config = Config::from_yaml(&text, "kernel.yaml").expect("a configuration");
    match compile(&kernel, "weigh.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{storage}: {why}"),
    }
}

/// Returns the initiation interval of the loop with this counter.
fn interval(compiled: &Compiled, counter: &str) -> Option<i64> {
    let (context, inner) = (&compiled.context, compiled.scheduled.inner());
    let functions = compiled.scheduled.top_level_operations().into_iter();
    let functions = functions.filter(|op| inner.entry_block(*op, 0).is_some());
    functions
        .flat_map(|function| {
            let body = inner.inner(function);
            let all = body.walk_all().into_iter();
            all.map(move |op| View::new(context, body, op))
        })
        .filter(|view| view.name() == "scf.for")
        .find_map(|view| {
            let block = view.entry_block(0)?;
            let variable = view.body.arguments(block).first()?;
            let name = context.text(view.body.value_name(*variable)?);
            let ii = view.attribute("sluice.ii")?.as_i64(context)?;
            (name == counter).then_some(ii)
        })
}

#[test]
fn every_kind_of_memory_gives_the_same() {
    let mut prepared = Vec::new();
    for (seed, (storage, ii)) in (1..).zip(WAYS) {
        let compiled = compiled(storage, seed);
        assert_eq!(interval(&compiled, "j"), Some(*ii), "{storage}");
        let (cases, expected) = match run(&compiled, seed) {
            Ok(done) => done,
            Err(why) => panic!("{storage}: {why:?}"),
        };
        prepared.push(Prepared {
            compiled,
            cases,
            expected,
        });
    }
    if !verilator::available_or_excused() {
        return;
    }
    let all: Vec<&Prepared> = prepared.iter().collect();
    let findings = verilator::check(&all).expect("the kernels share a model");
    for ((storage, _), finding) in WAYS.iter().zip(findings) {
        assert_eq!(finding, None, "{storage}");
    }
}
