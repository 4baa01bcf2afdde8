//! A flattened module: variables, registers and memories around one graph of terms.

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
use crate::cycle::clocks::StandingClock;
use crate::cycle::signals::SignalKind;

/// A register: its variable, what it takes over, and when.
#[derive(Clone)]
pub struct Register {
    /// Name, with the instances around it; empty for what is not part of the module.
    pub name: String,
    /// Width in bits.
    pub width_bits: u32,
    /// Number of its variable.
    pub variable: u32,
    /// What it takes over.
    pub next: TermId,
    /// When it takes that over, always without.
    pub enable: Option<TermId>,
    /// When it is reset, and to what.
    pub reset: Option<(TermId, TermId)>,
    /// What it holds at the start.
    pub first: Bits,
}

impl Register {
    /// One that is not part of the module and has no reset.
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
    /// Where it was declared.
    pub place: Location,
    /// What is said of how it is held.
    pub storage: Option<Storage>,
    /// Words of each dimension, the last one varies fastest.
    pub shape: Vec<u64>,
    /// First contents.
    pub words: Vec<Bits>,
    /// Whether these were said.
    pub is_filled: bool,
    /// Variable of the data, address, enable.
    pub reads: Vec<(u32, TermId, Option<TermId>)>,
    /// Address, data, enable.
    pub writes: Vec<(TermId, TermId, TermId)>,
}

/// A combinational look-up: its variable, the words, the address.
#[derive(Clone)]
pub struct Table {
    /// Number of its variable.
    pub variable: u32,
    /// The words.
    pub words: Vec<Bits>,
    /// Which word.
    pub address: TermId,
}

/// A combinational read of a memory: its variable, the memory, the address.
#[derive(Clone)]
pub struct UnclockedRead {
    /// Number of its variable.
    pub variable: u32,
    /// Number of the memory.
    pub memory: usize,
    /// Which word.
    pub address: TermId,
}

/// A read of a memory.
pub struct Probe {
    /// Number of the memory.
    pub memory: usize,
    /// Which word.
    pub address: TermId,
    /// When, always without.
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
    /// Outputs and what drives them.
    pub outputs: Vec<(Port, TermId)>,
    /// Width of each variable.
    pub variables: Vec<u32>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<MemoryModel>,
    /// Constant tables.
    pub tables: Vec<Table>,
    /// Reads of memories without a clock.
    pub unclocked_reads: Vec<UnclockedRead>,
    /// Variables that functions give.
    pub calls: Vec<Call>,
    /// All reads of memories.
    pub probes: Vec<Probe>,
    /// What happens in a tick.
    pub timing: Timing,
    /// Every value that has a name, where that was asked for.
    pub signals: Vec<Signal>,
    /// Clocks that have a name, where these are shown.
    pub(super) clock_signals: Vec<ClockSignal>,
    /// Clocks that no edge comes to unless inputs change.
    pub(super) standing_clocks: Vec<StandingClock>,
    /// What each term is in the source, where that was asked for.
    pub(super) origins: FxHashMap<TermId, Origin>,
}

/// What a term is in the source.
#[derive(Clone, Default, Debug)]
pub(crate) struct Origin {
    /// The name with the instances around it, if it has one.
    pub(crate) name: Option<String>,
    /// The operation; empty for a port.
    pub(crate) operation: String,
    pub(crate) place: Option<SourcePlace>,
}

/// What a clock is shown by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// The time, as a clock of the top module with this number.
    Root(usize),
    /// Whether it is high.
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
    /// What says whether it is high, where that is no input of the top.
    pub(crate) fn level(&self) -> Option<TermId> {
        match self.shown {
            Shown::Root(_) => None,
            Shown::Level(level) => Some(level),
        }
    }
}
