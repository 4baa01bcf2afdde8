//! The compilation pipeline: the order of the passes, from text and options to the results.
//!
//! Absent: files, clocks, the environment, processes and printing. Those are in `cli`.
//!
//! # A kernel, from its text to its cycles
//!
//! [`pipeline::compile`] returns the circuit with its Verilog and ports; [`check`](sluice_verify::check) runs it on data sets and
//! compares.
//!
//! ```
//! use sluice_verify::check::{difference, interpret, predicted_cycles, simulate};
//! use sluice_config::Config;
//! use sluice_verify::data::Case;
//! use sluice_flow::pipeline::compile;
//! use sluice_ir::bits::Bits;
//! use sluice_sim::interpreter::Argument;
//!
//! let text = "func.func @add(%a: memref<4xi32>, %b: i32) {
//!   affine.for %i = 0 to 4 {
//!     %x = affine.load %a[%i] : memref<4xi32>
//!     %y = arith.addi %x, %b : i32
//!     affine.store %y, %a[%i] : memref<4xi32>
//!   }
//!   return
//! }";
//! let compiled = compile(text, "add.mlir", &Config::default())?;
//! assert!(compiled.verilog.contains("module add"));
//!
//! let word = |value| Bits::from_i64(32, value);
//! let case = Case {
//!     arguments: vec![
//!         Argument::Memory([1, 2, 3, 4].map(word).to_vec()),
//!         Argument::Scalar(word(-1)),
//!     ],
//!     ..Case::default()
//! };
//! let expected = interpret(&compiled, &case)?;
//! let found = simulate(&compiled, &case)?;
//! assert_eq!(found.memories[0], [0, 1, 2, 3].map(word));
//! assert_eq!(difference(&compiled, &expected, &found.results, &found.memories), None);
//! assert_eq!(Some(found.cycles), predicted_cycles(&compiled));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A circuit on sequences of inputs
//!
//! [`Circuit`](sluice_verify::circuit::Circuit) reads modules that do not come from a kernel,
//! [`Stimulus`](sluice_verify::stimulus::Stimulus) reads their inputs. An [`Asserting`](sluice_verify::assertions::Asserting)
//! around the watch checks properties of the ports in every cycle.
//!
//! ```
//! use sluice_verify::assertions::asserting;
//! use sluice_verify::circuit::{Circuit, Settings};
//! use sluice_config::render;
//! use sluice_verify::stimulus::{Head, Stimulus};
//! use sluice_sim::testbench::Unwatched;
//!
//! # use sluice_ir::limits::Limits;
//! let text = "hw.module @sum(in %clock : !seq.clock, in %reset : i1, in %x : i8, out total : i8) {
//!   %zero = hw.constant 0 : i8
//!   %next = comb.add %total, %x : i8
//!   %total = seq.compreg %next, %clock reset %reset, %zero : i8
//!   hw.output %total : i8
//! }";
//! let circuit = Circuit::read(text, "sum.mlir", None)
//!     .map_err(|failure| format!("{failure:?}"))?
//!     .ok_or("no circuit")?;
//! let mut simulator = circuit
//!     .simulator(&Settings::default())
//!     .map_err(|failure| format!("{failure:?}"))?;
//!
//! let yaml = "
//! module: sum
//! reset: reset
//! cases:
//!   - inputs: {x: [1, 2, 3]}
//!     outputs: {total: [0, 1, null, 6]}
//! expect: {assert: total == past(total) + past(x)}
//! ";
//! let read = || -> Result<_, Vec<_>> {
//!     let head = Head::read(yaml, "data.yaml")?.unwrap_or_default();
//!     let mut no_files = |_: &str| Err("there are no files".to_owned());
//!     Stimulus::read(yaml, "data.yaml", head, &simulator, &mut no_files, &Limits::default())
//! };
//! let stimulus = read().map_err(|errors| render(&errors))?;
//! let mut unwatched = Unwatched;
//! let mut watch = asserting(&stimulus.assertions, &stimulus.head.resets, &simulator, None, &mut unwatched)
//!     .map_err(|errors| render(&errors))?;
//! let cycles = stimulus.sequences[0].run(&stimulus.head, &mut simulator, &mut watch)?;
//! assert_eq!((cycles, watch.n_cycles()), (4, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data sets from a file, one run after the other
//!
//! [`DataFile`](sluice_verify::data::DataFile) reads the files that `docs/TESTBENCHES.md` describes;
//! [`random_case`](sluice_verify::data::random_case) generates random data sets.
//!
//! ```
//! use sluice_verify::check::{Manner, against_golden, simulate_all};
//! use sluice_config::{Config, render};
//! use sluice_verify::data::{DataFile, Idle};
//! use sluice_flow::pipeline::compile;
//! use sluice_ir::limits::Limits;
//! use sluice_sim::testbench::Unwatched;
//!
//! let text = "func.func @last(%a: memref<2x2xi8>) -> i8 {
//!   %one = arith.constant 1 : index
//!   %x = memref.load %a[%one, %one] : memref<2x2xi8>
//!   return %x : i8
//! }";
//! let compiled = compile(text, "last.mlir", &Config::default())?;
//! let yaml = "
//! cases:
//!   - inputs: {a: {file: image.hex}}
//!     expect: {result: 0x2a}
//!   - inputs: {a: [[1, 2], [3, -4]]}
//!     expect: {result: -4}
//! ";
//! // The caller provides the files; here there is one.
//! let mut files = |name: &str| match name {
//!     "image.hex" => Ok(b"// an image\n1 2 @3 2a @2 0".to_vec()),
//!     _ => Err("there is no such file".to_owned()),
//! };
//! let data = DataFile::read(yaml, "data.yaml", &compiled.interface, &mut files, &Limits::default())
//!     .map_err(|errors| render(&errors))?;
//!
//! let manner = Manner {
//!     idle: Some(Idle { most_cycles: 3, seed: 1 }),
//!     ..Manner::default()
//! };
//! let found = simulate_all(&compiled, &data.cases, &manner, &mut Unwatched)
//!     .map_err(|(number, why)| format!("data set {number}: {why}"))?;
//! for (case, found) in data.cases.iter().zip(&found) {
//!     assert_eq!(against_golden(&compiled, case, found), None);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A circuit, cycle by cycle
//!
//! [`Circuit`](sluice_verify::circuit::Circuit) is a text with `hw.module`s and without a kernel.
//!
//! ```
//! use sluice_verify::circuit::{Bits, Circuit, Settings};
//!
//! let text = "hw.module @count(in %clock : !seq.clock, in %up : i1, out value : i8) {
//!   %one = hw.constant 1 : i8
//!   %next = comb.add %value, %one : i8
//!   %value = seq.compreg.ce %next, %clock, %up : i8
//!   hw.output %value : i8
//! }";
//! let circuit = Circuit::read(text, "count.mlir", None)?.ok_or("no circuit")?;
//! let mut simulator = circuit.simulator(&Settings::default())?;
//! let up = simulator.input_index("up").ok_or("no input")?;
//! let value = simulator.output_index("value").ok_or("no output")?;
//! for cycle in 0..10 {
//!     simulator.set_input(up, &Bits::from_u64(1, cycle % 2));
//!     simulator.run_cycle();
//!     assert_eq!(simulator.output(value), Bits::from_u64(8, cycle / 2));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod calibration;
mod directives;
pub mod diverge;
mod expected;
pub mod explore;
pub mod failing;
mod forms;
pub mod graphs;
pub mod opt;
pub mod passes;
pub mod pipeline;
pub mod reduction;
mod run_passes;
pub mod schedule_problem;
pub mod storage;
mod tidy;
mod unit_count;
