//! How long an operation takes in its cycle, for data and for `valid`.

use sluice_dialects::handshake;
use sluice_dialects::sluice::LATENCY;
use sluice_ir::{OperationId, ValueId};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::implementation::{Implementation, Selection};

use crate::channels::{Channels, Port, is_call, is_memory};
use crate::units::{class_of, gate_ns, shared_unit, unit};

/// Times in ns nearer to each other than this are alike.
const ALIKE_NS: f64 = 1e-9;

/// Times in ns after the edge at which signals of a channel are stable.
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

    /// Whether nothing of it is later than in another one.
    pub(super) fn is_within(self, other: Self) -> bool {
        self.data_ns <= other.data_ns + ALIKE_NS && self.valid_ns <= other.valid_ns + ALIKE_NS
    }

    /// When it is known what the data decide, which takes so long from them on.
    pub(super) fn decided_ns(self, decision_ns: f64) -> f64 {
        self.valid_ns.max(self.data_ns + decision_ns)
    }

    /// When all of it is there.
    pub(super) fn all_ns(self) -> f64 {
        self.data_ns.max(self.valid_ns)
    }
}

/// Delays of a device, in ns.
pub(super) struct Delays<'a> {
    pub(super) device: &'a Device,
    pub(super) clock_period_ns: f64,
}

/// What an operation does to the signals that go through it.
pub(super) struct Stage {
    /// From data to data.
    pub(super) data_ns: f64,
    /// From `valid` to `valid`.
    pub(super) valid_ns: f64,
    /// Whether an operand's data decide on `valid`: the number of that operand.
    pub(super) decides: Option<usize>,
    /// From the last registers to the results, where it has registers.
    after_ns: Option<f64>,
}

impl Stage {
    /// What has to be stable a set-up time before the edge, or goes out: the signals of an operand behind the operation.
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

    /// What is left of a path in front of an operand, if some is left behind the operation.
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

    /// When the results of registers are there.
    pub(super) fn registered(&self) -> Option<Arrival> {
        self.after_ns.map(|data_ns| Arrival {
            data_ns,
            valid_ns: 0.0,
        })
    }
}

impl Delays<'_> {
    /// What an operation does on the way to a result, or to its first registers.
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
            // An access is wired to its port: all of the way to the memory counts here.
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
            handshake::Buffer::NAME if channels.is_queue(op) => Stage {
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
            // Its operands are captured, and its results stand in registers; whether they are there is seen in the cycle of `done`.
            _ if is_call(view) => Stage {
                valid_ns: gate_ns,
                after_ns: Some(gate_ns),
                ..wire
            },
            _ => match class_of(channels, op) {
                // Whose turn it is decides which operands the unit gets; a result is that of the unit, or waits in a slot.
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

    /// From `ready` of what an operation makes to `ready` of what it takes.
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

    /// From data that decide on `ready` of a channel to where they are as good as a `valid`: addresses are compared with those that wait.
    pub(super) fn decision_ns(&self, channels: Channels<'_>, channel: ValueId) -> f64 {
        let user = channels.user(channel).map(|(op, i)| (channels.view(op), i));
        let Some((memory, operand)) = user.filter(|(view, _)| is_memory(*view)) else {
            return 0.0;
        };
        let compared = channels.compared(memory, operand);
        let Some((_, first)) = compared.first() else {
            return 0.0;
        };
        // All addresses of a memory have its width; the one that comes is compared as well.
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
