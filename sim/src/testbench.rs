//! A testbench for the circuit of a kernel: drives the arguments and `start`, models the memories, waits for `done`, collects the
//! results.

use std::fmt;

use sluice_dialects::interface::{ArgumentPorts, Interface};
use sluice_ir::bits::Bits;

use crate::cycle::{CycleSimulator, Observe};
use crate::interpreter::Argument;

/// The results of a run of a circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CircuitOutcome {
    /// Results of the kernel.
    pub results: Vec<Bits>,
    /// Final contents of the memory arguments, in argument order.
    pub memories: Vec<Vec<Bits>>,
    /// Cycles from `start` to `done`.
    pub cycles: u64,
}

/// The reason why a run of a circuit failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestbenchError {
    /// The arguments do not fit the interface.
    Arguments(String),
    /// `done` did not come within the cycle limit.
    TimeOut {
        /// Cycles waited.
        cycles: u64,
        /// The cycle in which `start` was accepted, counted from the reset.
        start: u64,
    },
    /// It is proved that `done` will never come.
    Deadlock {
        /// Cycles that were run before this was proved.
        cycles: u64,
        /// The cycle in which `start` was accepted, counted from the reset.
        start: u64,
    },
    /// The `Watch` stopped the run.
    Stopped(String),
}

impl fmt::Display for TestbenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(what) | Self::Stopped(what) => f.write_str(what),
            Self::Deadlock { cycles, start } => write!(
                f,
                "deadlock: `done` cannot come any more, {cycles} cycles after `start` in cycle {start}"
            ),
            Self::TimeOut { cycles, start } => write!(
                f,
                "time-out: `done` did not come within {cycles} cycles after `start` in cycle {start}"
            ),
        }
    }
}

/// Runs the cycles of a testbench, and can observe each of them.
pub trait Watch {
    /// Called before the run of a data set.
    ///
    /// # Errors
    /// The reason why the data set shall not be run.
    fn data_set(&mut self, _number: usize) -> Result<(), String> {
        Ok(())
    }

    /// Returns the values that the next simulator has to make observable.
    fn observe(&self) -> Observe {
        Observe::Ports
    }

    /// Returns whether the cycles are recorded, to be inspected after they have run.
    fn records(&self) -> bool {
        self.observe() != Observe::Ports
    }

    /// Called with a simulator in its initial state, before its first cycle.
    ///
    /// # Errors
    /// The reason why it shall not be run.
    fn begin(&mut self, _simulator: &CycleSimulator) -> Result<(), String> {
        Ok(())
    }

    /// Called after the run of a data set, whether it succeeded or failed.
    ///
    /// # Errors
    /// The reason why no further data set shall be run.
    fn end(
        &mut self,
        _simulator: &mut CycleSimulator,
        _outcome: Result<&CircuitOutcome, &TestbenchError>,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Runs one cycle; afterwards the outputs are those before the edge that ends it.
    ///
    /// # Errors
    /// The reason why no further cycles shall be run.
    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String>;

    /// Runs until output number `output` is not 0, but at most `max_cycles` cycles; returns the number of cycles run.
    ///
    /// # Errors
    /// As [`Watch::cycle`].
    fn until(
        &mut self,
        simulator: &mut CycleSimulator,
        output: usize,
        max_cycles: u64,
    ) -> Result<u64, String> {
        for done in 1..=max_cycles {
            self.cycle(simulator)?;
            if !simulator.output(output).is_zero() {
                return Ok(done);
            }
        }
        Ok(max_cycles)
    }
}

/// A `Watch` that observes nothing, so the simulator runs at full speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        simulator.run_cycle();
        Ok(())
    }

    fn until(
        &mut self,
        simulator: &mut CycleSimulator,
        output: usize,
        max_cycles: u64,
    ) -> Result<u64, String> {
        Ok(simulator.run_until(output, max_cycles))
    }
}

/// The options of one run.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Cycles after which the run fails with a time-out.
    pub cycle_limit: u64,
    /// Idle cycles between the previous `done`, or the reset, and this `start`.
    pub idle_cycles: u64,
    /// The value on scalar inputs from the cycle after `start` on, where the interface does not require that they hold the
    /// arguments.
    pub noise: Option<Bits>,
    /// The arguments of the next run, if it starts in the cycle of this run's `done`: `start` is held high until then.
    pub next: Option<&'a [Argument]>,
}

impl Run<'_> {
    /// Returns the options of a run that starts at once and fails after `cycle_limit` cycles.
    pub fn within(cycle_limit: u64) -> Self {
        Self {
            cycle_limit,
            idle_cycles: 0,
            noise: None,
            next: None,
        }
    }
}

/// Cycles before the first check whether `done` can still come.
const FIRST_CYCLES: u64 = 256;

/// The most cycles between two of these checks.
const MAX_CYCLES_APART: u64 = 1 << 16;

/// The circuit of a kernel connected to its memories; it runs one data set after the other.
pub struct Testbench<'a> {
    simulator: &'a mut CycleSimulator,
    interface: &'a Interface,
    start: usize,
    ready: usize,
    done: usize,
    results: Vec<usize>,
    /// Cycles since the reset began.
    cycle: u64,
    /// Whether the next run was already started in the cycle of the last `done`.
    is_started: bool,
}

impl<'a> Testbench<'a> {
    /// Connects a simulator of the kernel, with its memories, to a testbench, and resets it.
    ///
    /// # Errors
    /// Ports that the circuit does not have; errors of `watch`.
    pub fn new(
        simulator: &'a mut CycleSimulator,
        interface: &'a Interface,
        watch: &mut dyn Watch,
    ) -> Result<Self, TestbenchError> {
        let port = |index: Option<usize>, name: &str| {
            let missing = || format!("the circuit has no port `{name}`");
            index.ok_or_else(|| TestbenchError::Arguments(missing()))
        };
        let reset = port(simulator.input_index("reset"), "reset")?;
        let start = port(simulator.input_index("start"), "start")?;
        let ready = port(simulator.output_index("ready"), "ready")?;
        let done = port(simulator.output_index("done"), "done")?;
        let n_results = interface.result_width_bits.len();
        let results: Vec<usize> = (0..n_results)
            .map(|i| port(simulator.output_index(&format!("result{i}")), "result"))
            .collect::<Result<_, _>>()?;
        watch.begin(simulator).map_err(TestbenchError::Stopped)?;
        let mut made = Self {
            simulator,
            interface,
            start,
            ready,
            done,
            results,
            cycle: 0,
            is_started: false,
        };
        made.set(reset, true);
        made.set(start, false);
        made.cycles(2, watch)?;
        made.set(reset, false);
        Ok(made)
    }

    /// Runs the kernel once, after the reset or after the previous run: sets `start`, then waits for `done`.
    ///
    /// # Errors
    /// Arguments that do not fit the interface, no `done`; errors of `watch`.
    pub fn run(
        &mut self,
        arguments: &[Argument],
        run: &Run<'_>,
        watch: &mut dyn Watch,
    ) -> Result<CircuitOutcome, TestbenchError> {
        let outcome = self.until_done(arguments, run, watch);
        let ended = watch.end(self.simulator, outcome.as_ref());
        let outcome = outcome?;
        ended.map_err(TestbenchError::Stopped)?;
        Ok(outcome)
    }

    /// Sets `start` until it is accepted; returns the number of the cycle in which it is accepted.
    fn begin(
        &mut self,
        arguments: &[Argument],
        run: &Run<'_>,
        watch: &mut dyn Watch,
    ) -> Result<u64, TestbenchError> {
        self.check(arguments)?;
        if !self.is_started {
            self.cycles(run.idle_cycles, watch)?;
            self.set_scalars(arguments);
            self.set(self.start, true);
        }
        // The kernel neither reads nor writes memories in the cycle of `start`.
        self.set_memories(arguments)?;
        if !self.is_started {
            // `done` in this cycle still belongs to the previous run, so it is not read.
            self.cycles(1, watch)?;
            let first = self.cycle - 1;
            while !self.is_ready() {
                if self.cycle - first > run.cycle_limit {
                    return Err(TestbenchError::TimeOut {
                        cycles: run.cycle_limit,
                        start: first,
                    });
                }
                self.cycles(1, watch)?;
            }
        }
        let start = self.cycle - 1;
        match run.next {
            Some(next) => {
                self.check(next)?;
                self.set_scalars(next);
            }
            None => {
                if let Some(noise) = &run.noise {
                    self.set_noise(noise);
                }
            }
        }
        self.is_started = run.next.is_some();
        self.set(self.start, self.is_started);
        Ok(start)
    }

    fn until_done(
        &mut self,
        arguments: &[Argument],
        run: &Run<'_>,
        watch: &mut dyn Watch,
    ) -> Result<CircuitOutcome, TestbenchError> {
        let start = self.begin(arguments, run, watch)?;
        let cycles = self.wait(start, run.cycle_limit, watch)?;
        // A start that is not accepted in this cycle is held until it is.
        self.is_started &= self.is_ready();
        let results = self.results.iter();
        Ok(CircuitOutcome {
            results: results.map(|port| self.simulator.output(*port)).collect(),
            memories: gather(self.simulator, self.interface),
            cycles,
        })
    }

    /// Runs until `done`, or until a proof that it never comes; returns the number of cycles.
    ///
    /// Complexity: every 256 cycles the registers of one bit are compared with their last values. A proof is tried where they are
    /// equal, and also after 256, 512, 1024 ... cycles. Where they are equal and the proof fails, the interval between
    /// comparisons doubles, up to `MAX_CYCLES_APART`.
    fn wait(
        &mut self,
        start: u64,
        cycle_limit: u64,
        watch: &mut dyn Watch,
    ) -> Result<u64, TestbenchError> {
        let (mut n_cycles, mut bits) = (0, Vec::new());
        let mut each = match self.simulator.has_foresight() {
            true => FIRST_CYCLES,
            false => cycle_limit,
        };
        let mut next = FIRST_CYCLES;
        while n_cycles < cycle_limit {
            let most = each.min(cycle_limit - n_cycles);
            let ran = watch.until(self.simulator, self.done, most);
            let ran = ran.map_err(TestbenchError::Stopped)?;
            n_cycles += ran;
            self.cycle += ran;
            if !self.simulator.output(self.done).is_zero() {
                return Ok(n_cycles);
            }
            if ran < most || n_cycles >= cycle_limit {
                break;
            }
            let stays = self.simulator.bits_stay(&mut bits);
            if !stays && n_cycles < next {
                continue;
            }
            next = n_cycles.saturating_mul(2);
            if self.simulator.stay_zero(&[self.done], &[]) {
                return Err(TestbenchError::Deadlock {
                    cycles: n_cycles,
                    start,
                });
            }
            if stays {
                each = each.saturating_mul(2).min(MAX_CYCLES_APART);
            }
        }
        Err(TestbenchError::TimeOut {
            cycles: cycle_limit,
            start,
        })
    }

    /// Returns whether a start, if there was one, was accepted in the cycle that was run last.
    fn is_ready(&self) -> bool {
        !self.simulator.output(self.ready).is_zero()
    }

    fn set(&mut self, port: usize, value: bool) {
        self.simulator
            .set_input(port, &Bits::from_u64(1, u64::from(value)));
    }

    fn cycles(&mut self, n_cycles: u64, watch: &mut dyn Watch) -> Result<(), TestbenchError> {
        for _ in 0..n_cycles {
            watch
                .cycle(self.simulator)
                .map_err(TestbenchError::Stopped)?;
            self.cycle += 1;
        }
        Ok(())
    }

    /// Checks that the arguments fit the interface of the kernel.
    fn check(&self, arguments: &[Argument]) -> Result<(), TestbenchError> {
        let interface = self.interface;
        if arguments.len() != interface.arguments.len() {
            return Err(TestbenchError::Arguments(format!(
                "`{}` takes {} arguments, not {}",
                interface.module,
                interface.arguments.len(),
                arguments.len()
            )));
        }
        let mut pairs = interface.arguments.iter().zip(arguments);
        match pairs.find(|(ports, argument)| !fits(ports, argument)) {
            Some((ports, _)) => Err(misfit(ports)),
            None => Ok(()),
        }
    }

    fn set_scalars(&mut self, arguments: &[Argument]) {
        for (ports, argument) in self.interface.arguments.iter().zip(arguments) {
            if let (ArgumentPorts::Scalar { name, .. }, Argument::Scalar(word)) = (ports, argument)
                && let Some(index) = self.simulator.input_index(name)
            {
                self.simulator.set_input(index, word);
            }
        }
    }

    fn set_noise(&mut self, noise: &Bits) {
        for ports in &self.interface.arguments {
            if let ArgumentPorts::Scalar { name, width_bits } = ports
                && let Some(index) = self.simulator.input_index(name)
            {
                let copies = noise.replicate(width_bits.div_ceil(noise.width().max(1)));
                self.simulator.set_input(index, &copies.trunc(*width_bits));
            }
        }
    }

    fn set_memories(&mut self, arguments: &[Argument]) -> Result<(), TestbenchError> {
        for (ports, argument) in self.interface.arguments.iter().zip(arguments) {
            let Argument::Memory(cells) = argument else {
                continue;
            };
            let contents = scatter(ports, cells);
            let mut memories = ports.memories().into_iter().zip(contents);
            if !memories.all(|(ports, cells)| self.simulator.set_memory(&ports.name, &cells)) {
                return Err(misfit(ports));
            }
            // After a start in the cycle of `done`, the input of a stream still offers the first word of the previous run:
            // replace it.
            if let ArgumentPorts::Memory {
                stream: true, name, ..
            } = ports
                && let (Some(index), Some(first)) =
                    (self.simulator.input_index(name), cells.first())
            {
                self.simulator.set_input(index, first);
            }
        }
        Ok(())
    }
}

/// Runs the kernel once: reset, `start`, then until `done` or for `cycle_limit` cycles. `simulator` simulates the kernel with its
/// memories.
///
/// # Errors
/// Arguments that do not fit the interface, no `done`.
pub fn run(
    simulator: &mut CycleSimulator,
    interface: &Interface,
    arguments: &[Argument],
    cycle_limit: u64,
) -> Result<CircuitOutcome, TestbenchError> {
    let run = Run::within(cycle_limit);
    Testbench::new(simulator, interface, &mut Unwatched)?.run(arguments, &run, &mut Unwatched)
}

/// The ports of a kernel that was started with `begin`.
#[derive(Clone, Debug)]
pub struct Started {
    done: usize,
    results: Vec<usize>,
}

impl Started {
    /// Returns whether `done` was set in the cycle that was run last.
    pub fn is_done(&self, simulator: &CycleSimulator) -> bool {
        !simulator.output(self.done).is_zero()
    }

    /// Returns the results in the cycle that was run last.
    pub fn results(&self, simulator: &CycleSimulator) -> Vec<Bits> {
        let ports = self.results.iter();
        ports.map(|port| simulator.output(*port)).collect()
    }
}

/// Sets the arguments, resets the kernel and starts it. The cycle of `start` has been run; the next cycle is cycle 1 of the
/// latency.
///
/// # Errors
/// Arguments that do not fit the interface.
pub fn begin(
    simulator: &mut CycleSimulator,
    interface: &Interface,
    arguments: &[Argument],
) -> Result<Started, TestbenchError> {
    let mut bench = Testbench::new(simulator, interface, &mut Unwatched)?;
    bench.begin(arguments, &Run::within(u64::MAX), &mut Unwatched)?;
    let Testbench { done, results, .. } = bench;
    Ok(Started { done, results })
}

fn fits(ports: &ArgumentPorts, argument: &Argument) -> bool {
    match (ports, argument) {
        (ArgumentPorts::Scalar { width_bits, .. }, Argument::Scalar(word)) => {
            word.width() == *width_bits
        }
        (
            ArgumentPorts::Memory {
                depth_words,
                width_bits,
                ..
            },
            Argument::Memory(cells),
        ) => {
            u32::try_from(cells.len()) == Ok(*depth_words)
                && cells.iter().all(|cell| cell.width() == *width_bits)
        }
        (ArgumentPorts::Scalar { .. }, Argument::Memory(_))
        | (ArgumentPorts::Memory { .. }, Argument::Scalar(_)) => false,
    }
}

fn misfit(ports: &ArgumentPorts) -> TestbenchError {
    let (ArgumentPorts::Scalar { name, .. } | ArgumentPorts::Memory { name, .. }) = ports;
    TestbenchError::Arguments(format!("argument `{name}` does not fit the port"))
}

/// Returns the arguments in the form that the graph of an elastic kernel takes: one argument for each bank of an array.
pub fn banked(interface: &Interface, arguments: &[Argument]) -> Vec<Argument> {
    let pairs = interface.arguments.iter().zip(arguments);
    pairs
        .flat_map(|(ports, argument)| match argument {
            Argument::Memory(cells) => {
                let contents = scatter(ports, cells).into_iter();
                contents.map(Argument::Memory).collect()
            }
            Argument::Scalar(_) => vec![argument.clone()],
        })
        .collect()
}

/// Returns the contents of the memories that hold an array: of each of its banks, or of the array itself.
pub fn scatter(ports: &ArgumentPorts, cells: &[Bits]) -> Vec<Vec<Bits>> {
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

/// Returns the final contents of the arrays, in argument order.
fn gather(simulator: &CycleSimulator, interface: &Interface) -> Vec<Vec<Bits>> {
    let mut arrays = Vec::new();
    for ports in &interface.arguments {
        if let ArgumentPorts::Memory { banks, .. } = ports {
            let memories = ports.memories().into_iter();
            let contents: Vec<Vec<Bits>> = memories
                .map(|ports| simulator.memory(&ports.name))
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
