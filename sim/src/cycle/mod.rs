//! The cycle simulator: a levelised two-state model of an `hw.module` and the modules that it instantiates.
//!
//! Elaboration flattens the module into terms through the declared meanings of its operations. So the simulator and `rtl-out`
//! agree on what each operation means. The terms become a program on machine words (`sluice-words`). It is interpreted at first,
//! and compiled to machine code when a run is long.

mod aggregates;
mod batch;
mod clock_inputs;
mod clock_signals;
mod clock_terms;
mod clocks;
mod combinational_loops;
mod constant_outputs;
mod contents;
mod derived_clocks;
pub mod elaborate;
mod elaborator;
mod fifos;
pub mod flat;
mod hierarchy;
mod idle_clocks;
mod lowering;
mod masked_memories;
mod memories;
mod memory_ports;
mod model_calls;
mod models;
mod named_signals;
mod nets;
mod recording;
mod registers;
mod signals;
mod stepping;
mod streams;
mod toggles;
mod uninitialised;
mod waves;
mod why;

use sluice_dialects::interface::Interface;
use sluice_ir::algebra::TermId;
use sluice_ir::bits::Bits;
use sluice_ir::limits::Limit;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_words::{Machine, mask};

use crate::cycle::flat::ClockSignal;
use flat::Elaborated;
use lowering::{Lowered, Slots};
use recording::Recording;
use stepping::Stepping;
use uninitialised::Watch;
use why::Parts;

pub use crate::cycle::clocks::IdleClock;
pub use batch::{BatchError, BatchSimulator};
pub use clock_inputs::clock_inputs;
pub use clocks::ClockTiming;
pub use combinational_loops::find_combinational_loops;
pub use contents::Memory;
pub use elaborate::Surroundings;
pub use models::{Model, Models};
pub use signals::{Signal, SignalKind, SourcePlace, Token, ends_path};
pub use sluice_words::{Backend, Clock};
pub use toggles::Toggles;
pub use uninitialised::UninitialisedRead;
pub use waves::{
    Change, Changes, Controller, Moment, ScopeTree, Step, TIME_PER_CYCLE, Variable, VariableKind,
    Variables, Vcd, push_digits,
};
pub use why::{Cause, How, Limits};

/// A port of the simulated module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Name.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
}

/// The values of a circuit that can be observed, besides its ports.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Observe {
    /// Nothing.
    #[default]
    Ports,
    /// Every value with a name.
    Signals,
    /// Every value with a name, and every clock with a name.
    Waves,
    /// Every value, and the values that it is computed from.
    Everything,
}

/// The options of a simulation.
#[derive(Clone, Default)]
pub struct Settings {
    /// How cycles are computed: by bytecode or by machine code.
    pub backend: Backend,
    /// A source of time: with it, long runs measure which form of machine code is faster.
    pub clock: Option<Clock>,
    /// The values that can be observed besides the ports. Observing costs time only in the cycles in which a value is read.
    pub observe: Observe,
    /// Timing of the clocks, and models of extern modules.
    pub surroundings: Surroundings,
    /// Whether reads of memory words that were never written are recorded.
    pub uninitialised: bool,
    /// The seed of random stalls of the streams around a kernel; without it they never stall.
    pub stream_seed: Option<u64>,
    /// Whether [`CycleSimulator::stay_zero`] can be used; it needs a copy of the terms.
    pub foresight: bool,
}

/// A simulation of one module.
///
/// Two-state: registers start with their initial values, or zeros; memories start as zeros or with their given contents.
pub struct CycleSimulator {
    machine: Machine,
    stepping: Stepping,
    clocks: Vec<ClockTiming>,
    inputs: Vec<(Port, Slots)>,
    outputs: Vec<(Port, Slots)>,
    registers: Vec<(String, Slots)>,
    memories: Vec<Memory>,
    watches: Vec<(Watch, [Slots; 3])>,
    signals: Vec<(Signal, Slots)>,
    /// Clocks with a name. For those that are not inputs of the top module, the slots that tell whether they are high.
    clock_signals: Vec<(ClockSignal, Option<Slots>)>,
    idle_clocks: Vec<IdleClock>,
    recording: Option<Recording>,
    /// The number of times a memory has been filled from outside.
    n_fills: u64,
    /// The data for `CycleSimulator::why`, if everything is observed.
    parts: Option<Parts>,
    /// The model for proofs about future cycles, with the slots of every variable.
    foresight: Option<(constant_outputs::Model, Vec<Slots>)>,
    /// Clock cycles since the start.
    pub cycle: u64,
}

impl CycleSimulator {
    /// Elaborates `top`, a module of `module`.
    ///
    /// # Errors
    /// All combinational loops; undriven nets, operations without a meaning.
    pub fn new(context: &Context, module: &Module, top: &str) -> Result<Self, Diagnostics> {
        Self::with_settings(context, module, top, &Settings::default())
    }

    /// Elaborates `top` as [`CycleSimulator::new`], with settings.
    ///
    /// # Errors
    /// As [`CycleSimulator::new`]; clocks and models that do not fit the module.
    pub fn with_settings(
        context: &Context,
        module: &Module,
        top: &str,
        settings: &Settings,
    ) -> Result<Self, Diagnostics> {
        let flat = elaborate::elaborate(
            context,
            module,
            top,
            &settings.surroundings,
            settings.observe,
        )?;
        Ok(Self::of(flat, Vec::new(), settings))
    }

    /// Elaborates the module of a kernel, and connects memories to its interface.
    ///
    /// These memories have one cycle of read latency. A read and a write of one cell in the same cycle return the old contents.
    /// In a cycle after one without a read, the read data are noise.
    ///
    /// # Errors
    /// As [`CycleSimulator::new`].
    pub fn of_kernel(
        context: &Context,
        module: &Module,
        interface: &Interface,
        settings: &Settings,
    ) -> Result<Self, Diagnostics> {
        let top = &interface.module;
        let place = module.body.location(module.operation);
        let checked = (context.limits).check(Limit::SimulatedWords, interface.n_words());
        if let Err(excess) = checked {
            let mut found = Diagnostics::new();
            found.error(place, format!("the memories of the kernel have {excess}"));
            return Err(found);
        }
        let mut flat = elaborate::elaborate(
            context,
            module,
            top,
            &settings.surroundings,
            settings.observe,
        )?;
        let memories = memories::attach(&mut flat, interface, place, settings.stream_seed);
        Ok(Self::of(flat, memories, settings))
    }

    fn of(mut flat: Elaborated, outside: Vec<(String, u32)>, settings: &Settings) -> Self {
        let memories = Memory::all(&flat, &outside);
        let watches = match settings.uninitialised {
            true => {
                let n_inside = flat.memories.len() - outside.len();
                uninitialised::attach(&mut flat, n_inside)
            }
            false => Vec::new(),
        };
        let foresight = settings
            .foresight
            .then(|| constant_outputs::Model::of(&flat));
        let ports = |list: Vec<Port>, slots: Vec<Slots>| list.into_iter().zip(slots).collect();
        let (clocks, inputs) = (std::mem::take(&mut flat.clocks), flat.inputs.clone());
        let outputs = flat.outputs.iter().map(|(port, _)| port.clone()).collect();
        let timing = flat.timing.clone();
        let signals = std::mem::take(&mut flat.signals);
        let clock_signals = std::mem::take(&mut flat.clock_signals);
        let idle_clocks = std::mem::take(&mut flat.idle_clocks);
        let mut parts = (settings.observe == Observe::Everything).then(|| Parts::new(&mut flat));
        let mut observe: Vec<TermId> = signals.iter().map(|signal| signal.term).collect();
        observe.extend(clock_signals.iter().filter_map(ClockSignal::level));
        observe.extend(parts.iter().flat_map(Parts::all_terms));
        let Lowered {
            program,
            inputs: of_inputs,
            outputs: of_outputs,
            registers,
            places,
            pending,
            advance,
            observed,
        } = lowering::lower(flat, observe.into_iter());
        if let Some(parts) = &mut parts {
            parts.set_slots(&observed);
        }
        let signals = signals.into_iter().map(|signal| {
            let slots = observed[&signal.term];
            (signal, slots)
        });
        let clock_signals = clock_signals.into_iter().map(|clock| {
            let slots = clock.level().map(|level| observed[&level]);
            (clock, slots)
        });
        let place = |variable: u32| places[variable as usize];
        let watches = watches.into_iter().map(|watch| {
            let slots = [watch.is_found, watch.address, watch.cycle].map(place);
            (watch, slots)
        });
        let watches = watches.collect();
        let foresight = foresight.flatten().map(|model| (model, places));
        Self {
            machine: Machine::new(program, settings.backend).with_clock(settings.clock),
            stepping: Stepping {
                n_parts: 1 + u64::from(timing.has_halves),
                pending,
                advance,
                settles_after_edges: timing.settles_after_edges,
                is_dirty: true,
                is_unsettled: false,
            },
            clocks,
            inputs: ports(inputs, of_inputs),
            outputs: ports(outputs, of_outputs),
            registers,
            memories,
            watches,
            signals: signals.collect(),
            clock_signals: clock_signals.collect(),
            idle_clocks,
            recording: None,
            n_fills: 0,
            parts,
            foresight,
            cycle: 0,
        }
    }

    /// Returns the inputs that are clocks, with their periods and phases in cycles.
    pub fn clocks(&self) -> &[ClockTiming] {
        &self.clocks
    }

    /// Returns the used clocks that have no edges unless data inputs change.
    pub fn idle_clocks(&self) -> &[IdleClock] {
        &self.idle_clocks
    }

    /// Returns the inputs without the clocks.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.inputs.iter().map(|(port, _)| port)
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &Port> {
        self.outputs.iter().map(|(port, _)| port)
    }

    /// Returns the number of the input called `name`.
    pub fn input_index(&self, name: &str) -> Option<usize> {
        self.inputs().position(|port| port.name == name)
    }

    /// Returns the number of the output called `name`.
    pub fn output_index(&self, name: &str) -> Option<usize> {
        self.outputs().position(|port| port.name == name)
    }

    /// Sets input number `index`; takes effect at the next [`CycleSimulator::evaluate`].
    pub fn set_input(&mut self, index: usize, value: &Bits) {
        if self.is_recording() && self.input(index) != *value {
            self.note_input(index, value);
        }
        let slots = self.inputs[index].1;
        for (limb, slot) in (slots.first..slots.first + slots.n_limbs()).enumerate() {
            self.machine.set_slot(slot, value.limb(limb));
        }
        self.stepping.is_dirty = true;
    }

    /// Returns the last value that was set for input number `index`.
    pub fn input(&self, index: usize) -> Bits {
        self.value(self.inputs[index].1)
    }

    /// Computes every output from inputs, registers and memories.
    pub fn evaluate(&mut self) {
        self.stepping.show(&mut self.machine);
    }

    /// Returns output number `index` as of the last [`CycleSimulator::evaluate`], or before the last edge of
    /// [`CycleSimulator::run_cycle`].
    pub fn output(&self, index: usize) -> Bits {
        self.value(self.outputs[index].1)
    }

    /// Applies the clock edges of a tick: registers and memories take their evaluated next values.
    pub fn clock_edge(&mut self) {
        self.note_state();
        self.edges();
        self.cycle += 1;
    }

    /// Applies the clock edges at the end of a tick.
    fn edges(&mut self) {
        // Settling after the edges computes outputs again, but the outputs must keep their values from before the edges.
        let mut shown = Vec::new();
        if self.stepping.settles_after_edges {
            for (_, slots) in &self.outputs {
                let all = slots.first..slots.first + slots.n_limbs();
                shown.extend(all.map(|slot| (slot, self.machine.slot(slot))));
            }
        }
        self.stepping.run(&mut self.machine, 1);
        for (slot, value) in shown {
            self.machine.set_slot(slot, value);
        }
    }

    /// Runs [`CycleSimulator::evaluate`] and [`CycleSimulator::clock_edge`] in one step.
    pub fn run_cycle(&mut self) {
        self.note_state();
        if self.stepping.is_plain() {
            self.machine.cycle();
            self.cycle += 1;
        } else {
            self.evaluate();
            self.edges();
            self.cycle += 1;
        }
    }

    /// Runs `n_cycles` cycles with the same inputs; outputs are not computed.
    pub fn run_cycles(&mut self, n_cycles: u64) {
        let mut left = n_cycles;
        while left > 0 {
            let n = self.note_state().min(left);
            self.stepping.run(&mut self.machine, n);
            self.cycle += n;
            left -= n;
        }
    }

    /// Runs until output number `index`, of at most 64 bits, is not 0 before an edge, but at most `n_cycles` cycles; returns the
    /// number of cycles run.
    pub fn run_until(&mut self, index: usize, n_cycles: u64) -> u64 {
        if !self.stepping.is_plain() {
            for done in 1..=n_cycles {
                self.run_cycle();
                if !self.output(index).is_zero() {
                    return done;
                }
            }
            return n_cycles;
        }
        let slot = self.outputs[index].1.first;
        let mut done = 0;
        while done < n_cycles {
            let n = self.note_state().min(n_cycles - done);
            let ran = self.machine.run_until(slot, n);
            self.cycle += ran;
            done += ran;
            if self.machine.slot(slot) != 0 {
                break;
            }
        }
        done
    }

    /// Returns every value with a name, instance after instance, if signals are observed.
    pub fn signals(&self) -> impl ExactSizeIterator<Item = &Signal> {
        self.signals.iter().map(|(signal, _)| signal)
    }

    /// Computes the outputs, and the signals if they are observed, before the next edge.
    pub fn settle(&mut self) {
        if self.signals.is_empty() || !self.stepping.is_plain() {
            self.evaluate();
        }
        if !self.signals.is_empty() {
            self.machine.observe();
        }
    }

    /// Returns signal number `index` as of the last [`CycleSimulator::settle`].
    pub fn signal(&self, index: usize) -> Bits {
        self.value(self.signals[index].1)
    }

    /// Returns the limbs of signal number `index`, the least significant first; valid only inside [`CycleSimulator::replay`].
    pub fn limbs(&self, index: usize) -> &[u64] {
        let slots = self.signals[index].1;
        self.machine
            .slots(slots.first..slots.first + slots.n_limbs())
    }

    /// Appends the inputs, each as bytes, the least significant first, padded to a multiple of four bytes.
    pub fn append_inputs(&self, bytes: &mut Vec<u8>) {
        for (_, slots) in &self.inputs {
            self.append(*slots, bytes);
        }
    }

    /// Appends the outputs, as [`CycleSimulator::output`] returns them, in the format of `CycleSimulator::append_inputs`.
    pub fn append_outputs(&self, bytes: &mut Vec<u8>) {
        for (_, slots) in &self.outputs {
            self.append(*slots, bytes);
        }
    }

    fn append(&self, slots: Slots, bytes: &mut Vec<u8>) {
        let mut left = slots.width_bits;
        for slot in slots.first..slots.first + slots.n_limbs() {
            let limb = self.machine.slot(slot) & mask(left.min(64));
            let n_bytes = if left > 32 { 8 } else { 4 };
            bytes.extend_from_slice(&limb.to_le_bytes()[..n_bytes]);
            left = left.saturating_sub(64);
        }
    }

    /// Returns the state, inputs included. Two simulations with equal states behave equally under equal inputs.
    pub fn state(&self) -> &[u64] {
        self.machine.state()
    }

    /// Returns whether [`CycleSimulator::stay_zero`] can prove anything about future cycles.
    pub fn has_foresight(&self) -> bool {
        self.foresight.is_some()
    }

    /// Returns whether these outputs are proved to be 0 from this cycle on for ever. The inputs `free` may then have any value in
    /// every cycle, and the others stay as they are. `false` means that nothing is proved; without [`Settings::foresight`] the
    /// result is always `false`.
    ///
    /// Complexity: evaluates a few million terms at most.
    pub fn stay_zero(&self, outputs: &[usize], free: &[usize]) -> bool {
        let Some((model, places)) = &self.foresight else {
            return false;
        };
        let widths: Vec<u32> = places.iter().map(|slots| slots.width_bits).collect();
        let present = constant_outputs::Present {
            value: &|variable| self.value(places[variable]),
            word: &|memory, address| self.word_in(memory, address),
            free,
        };
        model.stay_zero(outputs, &widths, &present)
    }

    /// Returns whether all registers of one bit are equal to `before`, and stores their present values there. Equal values indicate
    /// that nothing changes any more, or that everything moves in every cycle.
    pub fn bits_stay(&self, before: &mut Vec<u64>) -> bool {
        let bits = self.foresight.iter().flat_map(|(model, places)| {
            let bits = model.bits().map(|variable| places[variable].first);
            bits.map(|slot| self.machine.slot(slot))
        });
        let now: Vec<u64> = bits.collect();
        let stay = *before == now;
        *before = now;
        stay
    }

    /// Returns why cycles are interpreted although machine code was requested.
    pub fn why_not_native(&self) -> Option<&str> {
        self.machine.why_not_native()
    }

    /// Returns whether a tick is one step of the machine: all edges are rising edges of clock inputs.
    pub fn has_plain_ticks(&self) -> bool {
        self.stepping.is_plain() && self.stepping.n_parts == 1
    }

    /// Returns whether signals that drive clocks or asynchronous resets failed to settle.
    pub fn is_unsettled(&self) -> bool {
        self.stepping.is_unsettled
    }

    /// Returns, for each memory port, the first read of a word that had not been written; empty without
    /// [`Settings::uninitialised`].
    pub fn uninitialised_reads(&self) -> Vec<UninitialisedRead> {
        let found = self.watches.iter();
        let found = found.filter(|(_, [is_found, ..])| !self.value(*is_found).is_zero());
        let mut reads: Vec<UninitialisedRead> = found
            .map(|(watch, [_, address, cycle])| UninitialisedRead {
                memory: watch.memory.clone(),
                place: watch.place,
                address: self.value(*address),
                cycle: self.value(*cycle).low_u64() / self.stepping.n_parts,
            })
            .collect();
        reads.sort_by_key(|read| read.cycle);
        reads
    }

    /// Returns the named registers with their values, for waves.
    pub fn registers(&self) -> impl Iterator<Item = (&str, Bits)> {
        let named = self.registers.iter();
        named.map(|(name, slots)| (name.as_str(), self.value(*slots)))
    }

    fn value(&self, slots: Slots) -> Bits {
        if slots.width_bits <= 64 {
            return Bits::from_u64(slots.width_bits, self.machine.slot(slots.first));
        }
        let slots_of = slots.first..slots.first + slots.n_limbs();
        let limbs: Vec<u64> = slots_of.map(|slot| self.machine.slot(slot)).collect();
        Bits::from_limbs(slots.width_bits, &limbs)
    }
}
