//! The untimed interpreter, the cycle simulator of circuits, and the token simulator of dataflow graphs.
//!
//! [`interpreter::Interpreter`] runs functions. [`cycle::CycleSimulator`] runs circuits. [`testbench::Testbench`] connects the
//! circuit of a kernel to models of its memories. [`tokens::TokenSimulator`] runs dataflow graphs. `sluice_flow` compiles kernels
//! to circuits; its documentation shows all of these in use.
//!
//! # A circuit, cycle by cycle
//!
//! ```
//! use sluice_ir::Diagnostics;
//! use sluice_ir::bits::Bits;
//! use sluice_ir::text::parse_module;
//! use sluice_sim::cycle::CycleSimulator;
//!
//! let text = "hw.module @sum(in %clock : !seq.clock, in %reset : i1, in %x : i100, out total : i100) {
//!   %zero = hw.constant 0 : i100
//!   %next = comb.add %total, %x : i100
//!   %total = seq.compreg %next, %clock reset %reset, %zero : i100
//!   hw.output %total : i100
//! }";
//! let context = sluice_dialects::context();
//! let mut diagnostics = Diagnostics::new();
//! let module = parse_module(&context, text, "sum.mlir", &mut diagnostics).ok_or("no module")?;
//! let mut simulator = CycleSimulator::new(&context, &module, "sum")
//!     .map_err(|found| found.to_text(&context))?;
//!
//! let x = simulator.input_index("x").ok_or("no input")?;
//! let total = simulator.output_index("total").ok_or("no output")?;
//! simulator.set_input(x, &Bits::from_u64(100, 3));
//! // Outputs follow inputs and registers at once; registers change with the clock edge.
//! simulator.evaluate();
//! assert!(simulator.output(total).is_zero());
//! simulator.clock_edge();
//! simulator.evaluate();
//! assert_eq!(simulator.output(total), Bits::from_u64(100, 3));
//! // Many cycles with the same inputs.
//! simulator.run_cycles(1_000_000);
//! simulator.evaluate();
//! assert_eq!(simulator.output(total), Bits::from_u64(100, 3_000_003));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Observing every cycle
//!
//! A [`testbench::Watch`] runs the cycles of a testbench and can observe each of them. The recorder of waves is a `Watch`. The
//! `Watch` below counts the cycles in which a port is 1.
//!
//! ```
//! use sluice_sim::cycle::CycleSimulator;
//! use sluice_sim::testbench::Watch;
//!
//! struct Busy {
//!     port: usize,
//!     n_cycles: u64,
//! }
//!
//! impl Watch for Busy {
//!     fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
//!         simulator.run_cycle();
//!         self.n_cycles += simulator.output(self.port).low_u64();
//!         Ok(())
//!     }
//! }
//! ```

pub mod cycle;
pub mod interpreter;
pub mod properties;
pub mod testbench;
pub mod tokens;
