//! The scheduling problem as an explicit value: operations, dependences, resources, clock and initiation.

use std::fmt;

/// Tolerance of the checker when it compares sums of delays with the clock period, in ns.
///
/// It is far below the resolution of any device table and only absorbs the rounding of floating-point sums.
pub const TIMING_TOLERANCE_NS: f64 = 1e-6;

/// Position of an operation in [`Problem::operations`]; printed as `o3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(pub u32);

/// Position of a resource in [`Problem::resources`]; printed as `r1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);

impl OperationId {
    /// Returns the id of the operation at `index`.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a problem holds fewer than 2^32 operations"))
    }

    /// Returns the position in [`Problem::operations`].
    pub fn index(self) -> usize {
        usize::try_from(self.0).expect("a 32-bit index fits an address")
    }
}

impl ResourceId {
    /// Returns the id of the resource at `index`.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a problem holds fewer than 2^32 resources"))
    }

    /// Returns the position in [`Problem::resources`].
    pub fn index(self) -> usize {
        usize::try_from(self.0).expect("a 32-bit index fits an address")
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "o{}", self.0)
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// One block or one loop body to be scheduled.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Name of the problem in reports.
    pub name: String,
    /// Usable clock period in ns, uncertainty already subtracted.
    pub clock_period_ns: f64,
    /// The operations; [`OperationId`] is a position in this list.
    pub operations: Vec<Operation>,
    /// The dependences between operations.
    pub dependences: Vec<Dependence>,
    /// The limited units; [`ResourceId`] is a position in this list.
    pub resources: Vec<Resource>,
    /// How the operations start: once, or again every II cycles.
    pub initiation: Initiation,
}

/// One operation with the timing of its operator class.
///
/// An operation of latency 0 is combinational: its result is available in its start cycle, `input_delay_ns` after its latest
/// operand. An operation of latency L >= 1 captures its operands at the end of its start cycle s, `input_delay_ns` after they
/// arrive, and delivers its result in cycle s + L, `output_delay_ns` after the clock edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Name of the operation in the source, such as `%sum = arith.addi kernel.mlir:12`.
    pub name: String,
    /// The operator class it belongs to.
    pub class: String,
    /// Cycles from start to result; 0 is combinational.
    pub latency_cycles: u32,
    /// Combinational: the whole delay in ns. Otherwise: the delay from the operands to the first register.
    pub input_delay_ns: f64,
    /// Delay from the last register to the result in ns; 0 for a combinational operation.
    pub output_delay_ns: f64,
    /// The kind of limited unit it runs on, if any.
    pub resource: Option<ResourceId>,
    /// Number of successive cycles for which it occupies its unit; 1 is fully pipelined.
    pub occupancy_cycles: u32,
    /// Width of the result in bits, the weight of one cycle of lifetime.
    pub width_bits: u32,
    /// First cycle in which it may start.
    pub earliest: Option<u32>,
    /// Last cycle in which it may start.
    pub latest: Option<u32>,
}

impl Operation {
    /// Returns a combinational operation of the given delay on no limited unit.
    pub fn combinational(name: impl Into<String>, class: impl Into<String>, delay_ns: f64) -> Self {
        Self {
            name: name.into(),
            class: class.into(),
            latency_cycles: 0,
            input_delay_ns: delay_ns,
            output_delay_ns: 0.0,
            resource: None,
            occupancy_cycles: 1,
            width_bits: 1,
            earliest: None,
            latest: None,
        }
    }

    /// Returns the short name for messages: the result in `%sum = arith.addi kernel.mlir:12`, or else the first word.
    pub fn short_name(&self) -> &str {
        match self.name.split_once(" = ") {
            Some((result, _)) => result.trim(),
            None => self.name.split_whitespace().next().unwrap_or(&self.name),
        }
    }

    /// Returns the cycles from the start until the operation has ended: the greatest of its latency, its occupancy of a unit, and
    /// 1.
    pub fn span_cycles(&self) -> u32 {
        let occupancy = if self.resource.is_some() {
            self.occupancy_cycles
        } else {
            1
        };
        self.latency_cycles.max(occupancy).max(1)
    }
}

/// A constraint between the starts of two operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependence {
    /// The operation that comes first.
    pub from: OperationId,
    /// The operation that waits.
    pub to: OperationId,
    /// Number of iterations by which `to` is later than `from`; 0 within one iteration.
    pub distance: u32,
    /// The kind of the dependence: data or order.
    pub kind: DependenceKind,
    /// The value has been the same for `distance` iterations whenever `to` uses it: `to` takes the latest value, which lives no
    /// longer than if the distance were 1.
    pub unchanged: bool,
    /// The result of a combinational `from` may cross the iterations without a register: `to` may use it in the cycle in which it
    /// appears.
    pub forwarded: bool,
}

/// The constraint that a dependence adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependenceKind {
    /// `to` reads the result of `from`: `s_to + II * distance >= s_from + gap`.
    ///
    /// The gap is the latency of `from`, plus 1 where a register is needed between the two. A register is needed when `chained`
    /// is false. It is also needed when `from` is combinational, the distance is at least 1 and the dependence is not
    /// [`forwarded`](Dependence::forwarded): a value that crosses an iteration boundary leaves a combinational operation through
    /// a register. Where the gap is met exactly and there is no register, `to` sees the result in the same cycle and its delay
    /// adds to the path.
    Data {
        /// True if `to` may use the result in the cycle in which it appears.
        chained: bool,
    },
    /// No value flows; `s_to + II * distance >= s_from + min_gap_cycles`.
    Order {
        /// Least difference of the starts; a negative value states a greatest distance in the other direction.
        min_gap_cycles: i64,
    },
}

impl Dependence {
    /// Returns a data dependence within one iteration that may be chained.
    pub fn data(from: OperationId, to: OperationId) -> Self {
        Self {
            from,
            to,
            distance: 0,
            kind: DependenceKind::Data { chained: true },
            unchanged: false,
            forwarded: false,
        }
    }

    /// Returns a data dependence on the value of `distance` iterations earlier.
    pub fn carried(from: OperationId, to: OperationId, distance: u32) -> Self {
        Self {
            from,
            to,
            distance,
            kind: DependenceKind::Data { chained: true },
            unchanged: false,
            forwarded: false,
        }
    }

    /// Returns an order dependence without data: `from` comes before `to`.
    pub fn order(from: OperationId, to: OperationId, distance: u32, min_gap_cycles: i64) -> Self {
        Self {
            from,
            to,
            distance,
            kind: DependenceKind::Order { min_gap_cycles },
            unchanged: false,
            forwarded: false,
        }
    }
}

/// A kind of unit that is available in a limited number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name in messages, such as ``read port of `%A` ``.
    pub name: String,
    /// Number of units.
    pub count: u32,
}

/// How often the operations start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiation {
    /// The operations run once, as in a block. All distances are 0.
    Once,
    /// A new iteration starts every II cycles, as in a pipelined loop.
    Every {
        /// Least II to try.
        min_ii: u32,
        /// Greatest II to accept.
        max_ii: u32,
        /// True if `min_ii` is the only II to accept, whatever `max_ii` says.
        fixed: bool,
    },
}

impl Initiation {
    /// Returns the initiation of a pipelined loop with any II from 1 on.
    pub fn pipelined() -> Self {
        Self::Every {
            min_ii: 1,
            max_ii: u32::MAX,
            fixed: false,
        }
    }
}

/// A solution as plain numbers, ready to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Start cycle of each operation in iteration 0.
    pub start: Vec<u32>,
    /// Unit of its resource on which each operation runs, counted from 0; none without a resource.
    pub unit: Vec<Option<u32>>,
    /// The initiation interval; none for [`Initiation::Once`].
    pub ii: Option<u32>,
    /// Cycles of one iteration: the greatest `start + span_cycles`.
    pub length_cycles: u32,
}

impl Schedule {
    /// Returns the start cycle of an operation.
    pub fn start_of(&self, operation: OperationId) -> u32 {
        self.start[operation.index()]
    }

    /// Returns the stage of an operation: start div II; 0 without an II.
    pub fn stage_of(&self, operation: OperationId) -> u32 {
        self.ii.map_or(0, |ii| self.start_of(operation) / ii)
    }

    /// Returns the slot of an operation: start mod II; the start itself without an II.
    pub fn slot_of(&self, operation: OperationId) -> u32 {
        self.ii
            .map_or(self.start_of(operation), |ii| self.start_of(operation) % ii)
    }
}

impl Problem {
    /// Returns the operation with this id.
    pub fn operation(&self, id: OperationId) -> &Operation {
        &self.operations[id.index()]
    }

    /// Returns the resource with this id.
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.index()]
    }

    /// Returns all operation ids in order.
    pub fn operation_ids(&self) -> impl Iterator<Item = OperationId> + use<> {
        (0..self.operations.len()).map(OperationId::from_index)
    }
}
