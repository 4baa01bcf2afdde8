//! A module without instances: its variables, registers and memories, and one graph with all their expressions.

use rustc_hash::FxHashMap;
use sluice_dialects::storage::Storage;
use sluice_ir::Location;
use sluice_ir::algebra::{TermId, Terms};
use sluice_ir::bits::Bits;

use super::Port;
use super::clocks::{ClockTiming, Timing};
use super::models::Call;
use super::signals::Signal;
use crate::cycle::SourcePlace;
use crate::cycle::clocks::IdleClock;
use crate::cycle::signals::SignalKind;

/// A register: its variable, its next value, and its conditions.
#[derive(Clone)]
pub struct Register {
    /// Name, with the instances around it; empty for a register that is not part of the module.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// Number of its variable.
    pub variable: u32,
    /// Its next value.
    pub next: TermId,
    /// When it loads the next value; always if absent.
    pub enable: Option<TermId>,
    /// The condition and the value of its reset.
    pub reset: Option<(TermId, TermId)>,
    /// Its initial value.
    pub first: Bits,
}

impl Register {
    /// Creates a register that is not part of the module and has no reset.
    pub(super) fn hidden(variable: u32, next: TermId, enable: Option<TermId>, first: Bits) -> Self {
        Self {
            name: String::new(),
            width_bits: first.width(),
            variable,
            next,
            enable,
            reset: None,
            first,
        }
    }
}

/// A memory with its ports.
#[derive(Clone)]
pub struct MemoryModel {
    /// Name, with the instances around it.
    pub name: String,
    /// Where it is declared.
    pub place: Location,
    /// The storage kind that the source requests.
    pub storage: Option<Storage>,
    /// Size of each dimension; the last one varies fastest.
    pub shape: Vec<u64>,
    /// Initial contents.
    pub words: Vec<Bits>,
    /// Whether the initial contents are given.
    pub is_filled: bool,
    /// Read ports: variable of the data, address, enable.
    pub reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Write ports: address, data, enable.
    pub writes: Vec<(TermId, TermId, TermId)>,
}

/// A table of constants with a combinational read.
#[derive(Clone)]
pub struct Table {
    /// Number of its variable.
    pub variable: u32,
    /// The words.
    pub words: Vec<Bits>,
    /// The address of the read.
    pub address: TermId,
}

/// A combinational read of a memory.
#[derive(Clone)]
pub struct UnclockedRead {
    /// Number of its variable.
    pub variable: u32,
    /// Number of the memory.
    pub memory: usize,
    /// The address of the read.
    pub address: TermId,
}

/// A read of a memory.
pub struct Probe {
    /// Number of the memory.
    pub memory: usize,
    /// The address of the read.
    pub address: TermId,
    /// The condition of the read; always if absent.
    pub when: Option<TermId>,
}

/// A flattened module.
pub struct Elaborated {
    /// Every value.
    pub terms: Terms,
    /// Inputs are the first variables, in this order.
    pub inputs: Vec<Port>,
    /// The inputs that are clocks.
    pub clocks: Vec<ClockTiming>,
    /// Outputs and their drivers.
    pub outputs: Vec<(Port, TermId)>,
    /// Width of each variable.
    pub variables: Vec<u32>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<MemoryModel>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Combinational reads of memories.
    pub unclocked_reads: Vec<UnclockedRead>,
    /// Variables computed by functions of models.
    pub calls: Vec<Call>,
    /// All reads of memories.
    pub probes: Vec<Probe>,
    /// The control data for the stepping of the machine.
    pub timing: Timing,
    /// Every value with a name, if signals are observed.
    pub signals: Vec<Signal>,
    /// Clocks with a name, if waves are observed.
    pub(super) clock_signals: Vec<ClockSignal>,
    /// Clocks without edges, unless data inputs change.
    pub(super) idle_clocks: Vec<IdleClock>,
    /// The origin of each term in the source, if everything is observed.
    pub(super) origins: FxHashMap<TermId, Origin>,
}

/// The origin of a term in the source.
#[derive(Clone, Default, Debug)]
pub(crate) struct Origin {
    /// The name with the instances around it, if it has one.
    pub(crate) name: Option<String>,
    /// The operation; empty for a port.
    pub(crate) operation: String,
    pub(crate) place: Option<SourcePlace>,
}

/// How a clock is shown in waves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// By time: the clock input of the top module with this number.
    Root(usize),
    /// By a term that tells whether it is high.
    Level(TermId),
}

/// A clock that has a name.
#[derive(Clone, Debug)]
pub(crate) struct ClockSignal {
    pub(crate) scope: Vec<String>,
    pub(crate) name: String,
    pub(crate) kind: SignalKind,
    pub(crate) shown: Shown,
}

impl ClockSignal {
    /// Returns the term that tells whether it is high, unless it is an input of the top module.
    pub(crate) fn level(&self) -> Option<TermId> {
        match self.shown {
            Shown::Root(_) => None,
            Shown::Level(level) => Some(level),
        }
    }
}
