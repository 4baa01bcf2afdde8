//! Combinational delays of operations, for data and for `valid`.

use sluice_dialects::handshake;
use sluice_dialects::sluice::LATENCY;
use sluice_ir::{OperationId, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::implementation::{Implementation, Selection};

use crate::channels::{Channels, Port, is_call, is_memory};
use crate::units::{class_of, gate_ns, shared_unit, unit};

/// Times in ns that differ by less than this are equal.
const ALIKE_NS: f64 = 1e-9;

/// Times in ns after the clock edge at which the signals of a channel are stable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrival {
    pub(super) data_ns: f64,
    pub(super) valid_ns: f64,
}

impl Arrival {
    pub(super) fn latest(self, other: Self) -> Self {
        Self {
            data_ns: self.data_ns.max(other.data_ns),
            valid_ns: self.valid_ns.max(other.valid_ns),
        }
    }

    /// Returns whether neither signal is later than in `other`.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.data_ns <= other.data_ns + ALIKE_NS && self.valid_ns <= other.valid_ns + ALIKE_NS
    }

    /// Returns when a decision based on the data is known, `decision_ns` after the data arrive.
    pub(super) fn decided_ns(self, decision_ns: f64) -> f64 {
        self.valid_ns.max(self.data_ns + decision_ns)
    }

    /// Returns when both signals have arrived.
    pub(super) fn all_ns(self) -> f64 {
        self.data_ns.max(self.valid_ns)
    }
}

/// Delays of a device, in ns.
pub(super) struct Delays<'a> {
    pub(super) device: &'a Device,
    pub(super) clock_period_ns: f64,
}

/// The delays of an operation.
pub(super) struct Stage {
    /// Delay from data to data.
    pub(super) data_ns: f64,
    /// Delay from `valid` to `valid`.
    pub(super) valid_ns: f64,
    /// The index of the operand whose data determine `valid`, if any.
    pub(super) decides: Option<usize>,
    /// Delay from the last registers to the results, if the operation has registers.
    after_ns: Option<f64>,
}

impl Stage {
    /// Returns when the signals of an operand have passed the operation: at its result, or at its registers including the set-up
    /// time.
    pub(super) fn through(&self, operand: usize, arrival: Arrival) -> Arrival {
        let decided_ns = match self.decides == Some(operand) {
            true => arrival.data_ns + self.valid_ns,
            false => 0.0,
        };
        Arrival {
            data_ns: arrival.data_ns + self.data_ns,
            valid_ns: decided_ns.max(arrival.valid_ns + self.valid_ns),
        }
    }

    /// Returns the remaining path delay before an operand, from the remaining delay after the operation.
    pub(super) fn before(&self, operand: usize, left: Arrival) -> Arrival {
        let valid_ns = self.valid_ns + left.valid_ns;
        let data_ns = self.data_ns + left.data_ns;
        Arrival {
            data_ns: match self.decides == Some(operand) {
                true => data_ns.max(valid_ns),
                false => data_ns,
            },
            valid_ns,
        }
    }

    /// Returns when the results of registers arrive.
    pub(super) fn registered(&self) -> Option<Arrival> {
        self.after_ns.map(|data_ns| Arrival {
            data_ns,
            valid_ns: 0.0,
        })
    }
}

impl Delays<'_> {
    /// Returns the delays of an operation on the path to a result, or to its first registers.
    pub(super) fn of(&self, channels: Channels<'_>, op: OperationId, result: usize) -> Stage {
        let view = channels.view(op);
        let gate_ns = self.gate_ns();
        let wire = Stage {
            data_ns: 0.0,
            valid_ns: 0.0,
            decides: None,
            after_ns: None,
        };
        match view.name() {
            handshake::Mux::NAME => Stage {
                data_ns: self.choice_ns(channels, op),
                valid_ns: gate_ns,
                decides: Some(0),
                ..wire
            },
            handshake::ConditionalBranch::NAME => Stage {
                valid_ns: gate_ns,
                decides: Some(0),
                ..wire
            },
            // An access is wired to its port, so it includes the whole path to the memory.
            handshake::Load::NAME if result == 0 => wire,
            handshake::Load::NAME | handshake::Store::NAME => Stage {
                data_ns: self.port().input_delay_ns,
                valid_ns: gate_ns + self.port().input_delay_ns,
                ..wire
            },
            handshake::Fork::NAME
            | handshake::Join::NAME
            | handshake::Sync::NAME
            | handshake::Merge::NAME
            | handshake::ControlMerge::NAME => Stage {
                valid_ns: gate_ns,
                ..wire
            },
            handshake::Buffer::NAME if channels.is_fifo(op) => Stage {
                data_ns: gate_ns,
                valid_ns: gate_ns,
                ..wire
            },
            handshake::Buffer::NAME => Stage {
                after_ns: Some(0.0),
                ..wire
            },
            _ if is_memory(view) => Stage {
                after_ns: Some(self.port().output_delay_ns),
                ..wire
            },
            // A call's operands are captured and its results are registered; their validity is derived from `done` in the same
            // cycle.
            _ if is_call(view) => Stage {
                valid_ns: gate_ns,
                after_ns: Some(gate_ns),
                ..wire
            },
            _ => match class_of(channels, op) {
                // The arbitration selects the unit's operands; a result comes from the unit or from a slot.
                Some((class, _)) if channels.shared(op).is_some() => {
                    let sharers = channels.sharers(op);
                    let widths = sharers.iter().filter_map(|op| class_of(channels, *op));
                    let width_bits = widths.map(|(_, width_bits)| width_bits).max();
                    let width_bits = width_bits.unwrap_or(1).max(1);
                    let period_ns = self.clock_period_ns;
                    let shared =
                        shared_unit(self.device, class, width_bits, sharers.len(), period_ns);
                    let data_ns = shared.choice_ns + shared.way.input_delay_ns;
                    Stage {
                        data_ns,
                        valid_ns: shared.turn_ns + data_ns,
                        after_ns: Some(shared.way.output_delay_ns + gate_ns),
                        ..wire
                    }
                }
                Some((class, width_bits)) => {
                    let way = unit(self.device, class, width_bits.max(1), self.clock_period_ns);
                    let is_pipelined = channels.number(op, LATENCY).unwrap_or(0) > 0;
                    Stage {
                        data_ns: way.input_delay_ns,
                        valid_ns: if view.operands().len() > 1 {
                            gate_ns
                        } else {
                            0.0
                        },
                        after_ns: is_pipelined.then_some(way.output_delay_ns),
                        ..wire
                    }
                }
                None => wire,
            },
        }
    }

    /// Returns the delay from `ready` of the results to `ready` of the operands.
    pub(super) fn gates_ns(&self, channels: Channels<'_>, op: OperationId) -> f64 {
        let view = channels.view(op);
        match view.name() {
            handshake::Fork::NAME => {
                let levels = view.results().len().max(2).ilog2();
                self.gate_ns() * f64::from(levels.max(1))
            }
            handshake::Branch::NAME => 0.0,
            _ if is_memory(view) => {
                let n_ports = Port::all(channels, view).len().max(1);
                self.gate_ns() * f64::from(n_ports.ilog2() + 2)
            }
            _ if view.operands().len() + view.results().len() <= 2 => 0.0,
            _ if channels.shared(op).is_some() => {
                let n_sharers = channels.sharers(op).len().max(1);
                self.gate_ns() * f64::from(n_sharers.ilog2() + 1)
            }
            _ => self.gate_ns(),
        }
    }

    /// Returns the delay from data that determine `ready` of a channel to an equivalent of `valid`: the comparison of addresses
    /// with pending store addresses.
    pub(super) fn decision_ns(&self, channels: Channels<'_>, channel: ValueId) -> f64 {
        let user = channels.user(channel).map(|(op, i)| (channels.view(op), i));
        let Some((memory, operand)) = user.filter(|(view, _)| is_memory(*view)) else {
            return 0.0;
        };
        let compared = channels.compared(memory, operand);
        let Some((_, first)) = compared.first() else {
            return 0.0;
        };
        // All addresses of a memory have the same width; the address that is just arriving is compared as well.
        let width_bits = channels.width_bits(memory.operand(first.address()));
        let slots = compared
            .iter()
            .map(|(queue, _)| channels.number(*queue, "slots"));
        let n_addresses: u32 = slots.map(|slots| slots.unwrap_or(1) + 1).sum();
        let class = OperatorClass::CompareEqual;
        let way = unit(self.device, class, width_bits.max(1), self.clock_period_ns);
        way.input_delay_ns + self.gate_ns() * f64::from(n_addresses.ilog2() + 1)
    }

    pub(super) fn gate_ns(&self) -> f64 {
        gate_ns(self.device, self.clock_period_ns)
    }

    fn choice_ns(&self, channels: Channels<'_>, mux: OperationId) -> f64 {
        let view = channels.view(mux);
        let width_bits = channels.width_bits(view.result(0)).max(1);
        let n_inputs = u32::try_from(view.operands().len() - 1).unwrap_or(2);
        let choice = self
            .device
            .mux(Selection::FirstThatHolds, n_inputs, width_bits);
        choice.unwrap_or(Implementation::FREE).input_delay_ns
    }

    fn port(&self) -> Implementation {
        let mut reads = self.device.implementations(OperatorClass::MemoryRead, 1);
        reads.pop().unwrap_or(Implementation::FREE)
    }
}
