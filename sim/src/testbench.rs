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

/// One memory argument: port numbers of the simulator and contents.
struct Memory {
    cells: Vec<Bits>,
    width_bits: u32,
    raddr: Option<usize>,
    ren: Option<usize>,
    rdata: Option<usize>,
    waddr: Option<usize>,
    wen: Option<usize>,
    wdata: Option<usize>,
}

/// Runs the kernel once: reset, start, until done or for `cycle_limit` cycles.
///
/// The memories have one cycle of read latency; a read and a write of one cell in one cycle give the old contents.
pub fn run(
    simulator: &mut CycleSimulator,
    interface: &Interface,
    arguments: &[Argument],
    cycle_limit: u64,
    mut waves: Option<&mut Vcd>,
) -> Result<CircuitOutcome, TestbenchError> {
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
    let mut inputs: Vec<Bits> = simulator
        .inputs()
        .iter()
        .map(|p| Bits::zero(p.width_bits))
        .collect();
    let mut memories = Vec::new();
    for (ports, argument) in interface.arguments.iter().zip(arguments) {
        match (ports, argument) {
            (ArgumentPorts::Scalar { name, width_bits }, Argument::Scalar(word))
                if word.width() == *width_bits =>
            {
                if let Some(index) = simulator.input_index(name) {
                    inputs[index] = word.clone();
                }
            }
            (ArgumentPorts::Memory { depth_words, .. }, Argument::Memory(cells))
                if u32::try_from(cells.len()) == Ok(*depth_words) =>
            {
                let contents = scatter(ports, cells);
                for (ports, cells) in ports.memories().into_iter().zip(contents) {
                    let name = ports.name;
                    let output = |suffix: &str| simulator.output_index(&format!("{name}_{suffix}"));
                    memories.push(Memory {
                        cells,
                        width_bits: ports.width_bits,
                        raddr: output("raddr"),
                        ren: output("ren"),
                        rdata: simulator.input_index(&format!("{name}_rdata")),
                        waddr: output("waddr"),
                        wen: output("wen"),
                        wdata: output("wdata"),
                    });
                }
            }
            (ArgumentPorts::Scalar { name, .. } | ArgumentPorts::Memory { name, .. }, _) => {
                return Err(misfit(format!("argument `{name}` does not fit the port")));
            }
        }
    }
    let port = |index: Option<usize>, name: &str| {
        index.ok_or_else(|| misfit(format!("the circuit has no port `{name}`")))
    };
    let reset = port(simulator.input_index("reset"), "reset")?;
    let start = port(simulator.input_index("start"), "start")?;
    let done = port(simulator.output_index("done"), "done")?;
    let flag = |value: bool| Bits::from_u64(1, u64::from(value));

    inputs[reset] = flag(true);
    for _ in 0..2 {
        cycle(simulator, &inputs, waves.as_deref_mut());
        simulator.clock_edge();
    }
    inputs[reset] = flag(false);
    inputs[start] = flag(true);
    for cycles in 0..=cycle_limit {
        cycle(simulator, &inputs, waves.as_deref_mut());
        if cycles > 0 && !simulator.output(done).is_zero() {
            let n_results = interface.result_width_bits.len();
            let results = (0..n_results)
                .map(|i| {
                    port(simulator.output_index(&format!("result{i}")), "result")
                        .map(|p| simulator.output(p))
                })
                .collect::<Result<_, _>>()?;
            return Ok(CircuitOutcome {
                results,
                memories: gather(interface, memories),
                cycles,
            });
        }
        for memory in &mut memories {
            serve(simulator, memory, &mut inputs);
        }
        simulator.clock_edge();
        inputs[start] = flag(false);
    }
    Err(TestbenchError::TimeOut {
        cycles: cycle_limit,
    })
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
fn gather(interface: &Interface, memories: Vec<Memory>) -> Vec<Vec<Bits>> {
    let mut memories = memories.into_iter().map(|memory| memory.cells);
    let mut arrays = Vec::new();
    for ports in &interface.arguments {
        if let ArgumentPorts::Memory { banks, .. } = ports {
            let n_memories = banks.as_ref().map_or(1, |banks| banks.memories.len());
            let contents: Vec<Vec<Bits>> = memories.by_ref().take(n_memories).collect();
            arrays.push(match banks {
                Some(banks) => banks.partition.gather(&contents),
                None => contents.into_iter().flatten().collect(),
            });
        }
    }
    arrays
}

fn cycle(simulator: &mut CycleSimulator, inputs: &[Bits], waves: Option<&mut Vcd>) {
    for (index, value) in inputs.iter().enumerate() {
        simulator.set_input(index, value);
    }
    simulator.evaluate();
    if let Some(waves) = waves {
        waves.sample(simulator, inputs);
    }
}

/// What a memory does at the clock edge: the read data of the next cycle, then the write.
fn serve(simulator: &CycleSimulator, memory: &mut Memory, inputs: &mut [Bits]) {
    let position = |address: Bits, n: usize| {
        address
            .to_u64()
            .and_then(|a| usize::try_from(a).ok())
            .filter(|a| *a < n)
    };
    if let (Some(ren), Some(raddr), Some(rdata)) = (memory.ren, memory.raddr, memory.rdata) {
        // Read data is there in one cycle only: anything else is noise that no circuit may depend on.
        inputs[rdata] = if simulator.output(ren).is_zero() {
            Bits::from_u64(memory.width_bits.min(64), 0x5a5a_5a5a_5a5a_5a5a).zext(memory.width_bits)
        } else {
            position(simulator.output(raddr), memory.cells.len()).map_or_else(
                || Bits::zero(memory.width_bits),
                |at| memory.cells[at].clone(),
            )
        };
    }
    if let (Some(wen), Some(waddr), Some(wdata)) = (memory.wen, memory.waddr, memory.wdata)
        && !simulator.output(wen).is_zero()
        && let Some(at) = position(simulator.output(waddr), memory.cells.len())
    {
        memory.cells[at] = simulator.output(wdata);
    }
}
