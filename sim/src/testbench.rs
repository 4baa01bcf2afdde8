//! A testbench in the kernel's terms: memories around a simulated circuit, start, wait for done, results.

use std::fmt;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;

use crate::cycle::{CycleSimulator, Vcd};
use crate::interpreter::Argument;

/// What a run of a circuit left behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CircuitOutcome {
    /// Results of the kernel.
    pub results: Vec<Bits>,
    /// Final contents of the memory arguments, in the order of the arguments.
    pub memories: Vec<Vec<Bits>>,
    /// Cycles from `start` to `done`.
    pub cycles: u64,
}

/// Why a run of a circuit failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestbenchError {
    /// The arguments do not fit the interface.
    Arguments(String),
    /// `done` did not come.
    TimeOut {
        /// Cycles waited.
        cycles: u64,
    },
}

impl fmt::Display for TestbenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(what) => f.write_str(what),
            Self::TimeOut { cycles } => write!(f, "no `done` within {cycles} cycles"),
        }
    }
}

/// Runs the kernel once: reset, start, until done or for `cycle_limit` cycles. The simulator is one of the kernel, with its memories.
///
/// # Errors
/// Arguments that do not fit the interface, no `done`.
pub fn run(
    simulator: &mut CycleSimulator,
    interface: &Interface,
    arguments: &[Argument],
    cycle_limit: u64,
    mut waves: Option<&mut Vcd>,
) -> Result<CircuitOutcome, TestbenchError> {
    let ports = begin(simulator, interface, arguments, waves.as_deref_mut())?;
    let cycles = match waves {
        None => simulator.run_until(ports.done, cycle_limit),
        Some(waves) => {
            let mut cycles = 0;
            while cycles < cycle_limit {
                simulator.run_cycle_into(Some(&mut *waves));
                cycles += 1;
                if ports.is_done(simulator) {
                    break;
                }
            }
            cycles
        }
    };
    if cycles == 0 || !ports.is_done(simulator) {
        return Err(TestbenchError::TimeOut {
            cycles: cycle_limit,
        });
    }
    Ok(CircuitOutcome {
        results: ports.results(simulator),
        memories: gather(simulator, interface),
        cycles,
    })
}

/// The ports of a kernel that runs.
#[derive(Clone, Debug)]
pub struct Started {
    done: usize,
    results: Vec<usize>,
}

impl Started {
    /// Whether the kernel was done in the cycle that was run last.
    pub fn is_done(&self, simulator: &CycleSimulator) -> bool {
        !simulator.output(self.done).is_zero()
    }

    /// The results as they are in the cycle that was run last.
    pub fn results(&self, simulator: &CycleSimulator) -> Vec<Bits> {
        let ports = self.results.iter();
        ports.map(|port| simulator.output(*port)).collect()
    }
}

/// Gives the kernel its arguments, resets it and starts it: the cycle of `start` has been run, and the next is cycle 1 of its latency.
///
/// # Errors
/// Arguments that do not fit the interface.
pub fn begin(
    simulator: &mut CycleSimulator,
    interface: &Interface,
    arguments: &[Argument],
    mut waves: Option<&mut Vcd>,
) -> Result<Started, TestbenchError> {
    let misfit = |what: String| TestbenchError::Arguments(what);
    if arguments.len() != interface.arguments.len() {
        let message = format!(
            "`{}` takes {} arguments, not {}",
            interface.module,
            interface.arguments.len(),
            arguments.len()
        );
        return Err(misfit(message));
    }
    for (ports, argument) in interface.arguments.iter().zip(arguments) {
        let fits = match (ports, argument) {
            (ArgumentPorts::Scalar { name, width_bits }, Argument::Scalar(word))
                if word.width() == *width_bits =>
            {
                if let Some(index) = simulator.input_index(name) {
                    simulator.set_input(index, word);
                }
                true
            }
            (ArgumentPorts::Memory { depth_words, .. }, Argument::Memory(cells))
                if u32::try_from(cells.len()) == Ok(*depth_words) =>
            {
                let contents = scatter(ports, cells);
                let mut memories = ports.memories().into_iter().zip(contents);
                memories.all(|(ports, cells)| simulator.set_memory(&ports.name, &cells))
            }
            _ => false,
        };
        if let (false, ArgumentPorts::Scalar { name, .. } | ArgumentPorts::Memory { name, .. }) =
            (fits, ports)
        {
            return Err(misfit(format!("argument `{name}` does not fit the port")));
        }
    }
    let port = |index: Option<usize>, name: &str| {
        index.ok_or_else(|| misfit(format!("the circuit has no port `{name}`")))
    };
    let reset = port(simulator.input_index("reset"), "reset")?;
    let start = port(simulator.input_index("start"), "start")?;
    let done = port(simulator.output_index("done"), "done")?;
    let n_results = interface.result_width_bits.len();
    let results: Vec<usize> = (0..n_results)
        .map(|i| port(simulator.output_index(&format!("result{i}")), "result"))
        .collect::<Result<_, _>>()?;
    let flag = |value: bool| Bits::from_u64(1, u64::from(value));

    simulator.set_input(reset, &flag(true));
    simulator.set_input(start, &flag(false));
    for _ in 0..2 {
        simulator.run_cycle_into(waves.as_deref_mut());
    }
    simulator.set_input(reset, &flag(false));
    simulator.set_input(start, &flag(true));
    // What `done` says in the cycle of `start` is of the time before.
    simulator.run_cycle_into(waves);
    simulator.set_input(start, &flag(false));
    Ok(Started { done, results })
}

/// The contents of the memories that hold an array: those of its banks, or the array itself.
fn scatter(ports: &ArgumentPorts, cells: &[Bits]) -> Vec<Vec<Bits>> {
    match ports {
        ArgumentPorts::Memory {
            banks: Some(banks),
            width_bits,
            ..
        } => banks.partition.scatter(cells, &Bits::zero(*width_bits)),
        ArgumentPorts::Memory { banks: None, .. } | ArgumentPorts::Scalar { .. } => {
            vec![cells.to_vec()]
        }
    }
}

/// The final contents of the arrays, in the order of the arguments.
fn gather(simulator: &CycleSimulator, interface: &Interface) -> Vec<Vec<Bits>> {
    let mut arrays = Vec::new();
    for ports in &interface.arguments {
        if let ArgumentPorts::Memory { banks, .. } = ports {
            let memories = ports.memories().into_iter();
            let contents: Vec<Vec<Bits>> = memories
                .map(|ports| simulator.memory(&ports.name, ports.width_bits))
                .map(Option::unwrap_or_default)
                .collect();
            arrays.push(match banks {
                Some(banks) => banks.partition.gather(&contents),
                None => contents.into_iter().flatten().collect(),
            });
        }
    }
    arrays
}
