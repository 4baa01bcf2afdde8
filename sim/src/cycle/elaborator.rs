//! The state of elaboration.

use std::collections::BTreeMap;

use sluice_dialects::seq::Image;
use sluice_ir::algebra::{TermId, Terms};
use sluice_ir::bits::Bits;
use sluice_ir::{Body, Context, Diagnostics, OperationId, ValueId, View};

use crate::cycle::Observe;
use crate::cycle::clocks::{ClockId, Clocks};
use crate::cycle::flat::{ClockSignal, MemoryModel, Probe, Register, Table, UnclockedRead};
use crate::cycle::models::{Call, Model, Models};

/// The kind of a net of one instance.
#[derive(Clone)]
pub(crate) enum Net {
    Term(TermId),
    Clock(ClockId),
    Memory(usize),
    Array(Vec<Bits>),
}

/// A value of one module instance.
pub(crate) type Place = (usize, ValueId);

/// An operation of one module instance.
pub(crate) type Instance = (usize, OperationId);

pub(crate) struct Elaborator<'a> {
    pub(crate) context: &'a Context,
    pub(crate) modules: BTreeMap<&'a str, OperationId>,
    pub(crate) inner: &'a Body,
    pub(crate) scopes: Vec<Scope<'a>>,
    pub(crate) nets: BTreeMap<Place, Net>,
    pub(crate) terms: Terms,
    pub(crate) variables: Vec<u32>,
    pub(crate) registers: Vec<Register>,
    pub(crate) memories: Vec<MemoryModel>,
    pub(crate) tables: Vec<Table>,
    pub(crate) unclocked_reads: Vec<UnclockedRead>,
    pub(crate) calls: Vec<Call>,
    pub(crate) probes: Vec<Probe>,
    pub(crate) clocks: Clocks,
    pub(crate) models: &'a Models,
    pub(crate) images: &'a BTreeMap<Image, Vec<Bits>>,
    /// Variables of register chains, by operation.
    pub(crate) rows: BTreeMap<Instance, Vec<u32>>,
    pub(crate) read_ports: BTreeMap<Instance, ReadPort>,
    pub(crate) fifos: BTreeMap<Instance, Fifo>,
    /// Models of instances, and the variables of their states.
    pub(crate) bound: BTreeMap<Instance, Model>,
    pub(crate) model_states: BTreeMap<Instance, u32>,
    /// The operations that each clock drives.
    pub(crate) clock_users: BTreeMap<ClockId, Users>,
    pub(crate) observe: Observe,
    /// Clocks with a name, if waves are observed.
    pub(crate) clock_signals: Vec<ClockSignal>,
    pub(crate) diagnostics: Diagnostics,
}

pub(crate) type Failed = ();

/// One module instance, or the computation of initial values.
pub(crate) struct Scope<'a> {
    pub(crate) module: View<'a>,
    pub(crate) path: String,
    /// The scope around it, and the instance operation there.
    pub(crate) parent: Option<Instance>,
    /// Scopes of the instances inside.
    pub(crate) children: BTreeMap<OperationId, usize>,
    /// Values of the parameters of the module.
    pub(crate) parameters: BTreeMap<String, Bits>,
}

/// The state of a FIFO.
pub(crate) struct Fifo {
    pub(crate) memory: usize,
    pub(crate) depth: u32,
    pub(crate) latency: u32,
    pub(crate) count: u32,
    pub(crate) read_at: u32,
    pub(crate) write_at: u32,
    /// The read data, where the read latency is 1 or more.
    pub(crate) data: Option<u32>,
}

/// The registers of a read port: variables whose inputs are not connected yet.
#[derive(Default)]
pub(crate) struct ReadPort {
    pub(crate) addresses: Vec<u32>,
    pub(crate) enables: Vec<u32>,
    /// The read data, where they are held in a register.
    pub(crate) data: Option<u32>,
}

/// The operations that a clock drives: their number, and the first.
#[derive(Clone, Copy)]
pub(crate) struct Users {
    pub(crate) n: usize,
    pub(crate) first: Instance,
}
