//! The channel graph used for register placement: channels, token dependences, loops, and where buffers are allowed.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::handshake;
use sluice_ir::{OperationId, ValueId};

use crate::channels::{Channels, Use, is_memory};

use super::loops::{Loop, loops};

/// A channel.
pub(super) struct Wire {
    pub(super) channel: ValueId,
    pub(super) user: Use,
    /// Width in bits, including `valid`.
    pub(super) width_bits: u32,
    /// True if a buffer is allowed: not between an access and its port, and not on channels that always have a token.
    pub(super) is_free: bool,
    /// The innermost loop that produces one token per iteration on the channel.
    pub(super) inside: Option<usize>,
}

/// A dependence of one channel's token on that of another.
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) latency_cycles: u32,
    /// The loop to whose next iteration it leads.
    pub(super) again: Option<usize>,
    /// True if it leaves a loop.
    pub(super) leaves: bool,
}

/// A loop with its position in the loop nest.
pub(super) struct Nested {
    pub(super) this: Loop,
    pub(super) parent: Option<usize>,
    pub(super) depth: u32,
    /// Minimum number of cycles between iterations, because a unit is busy for that long.
    pub(super) busy_cycles: u32,
    /// True if iterations may take different paths.
    has_choices: bool,
}

/// The channel graph.
pub(super) struct Network<'a> {
    pub(super) channels: Channels<'a>,
    pub(super) wires: Vec<Wire>,
    pub(super) ways: Vec<Way>,
    pub(super) loops: Vec<Nested>,
    /// The channels that the return waits for.
    pub(super) last: Vec<usize>,
    numbers: BTreeMap<ValueId, usize>,
}

impl<'a> Network<'a> {
    pub(super) fn of(channels: Channels<'a>) -> Self {
        let always: BTreeSet<ValueId> = channels.sourced().into_iter().collect();
        let loops = nested(channels);
        let mut network = Self {
            channels,
            wires: Vec::new(),
            ways: Vec::new(),
            loops,
            last: Vec::new(),
            numbers: BTreeMap::new(),
        };
        for channel in all(channels) {
            let Some(user) = channels
                .user(channel)
                .filter(|_| !always.contains(&channel))
            else {
                continue;
            };
            let is_dropped = channels.view(user.0).name() == handshake::Sink::NAME;
            network.numbers.insert(channel, network.wires.len());
            network.wires.push(Wire {
                channel,
                user,
                width_bits: channels.width_bits(channel) + 1,
                is_free: !is_dropped && !channels.is_wired(channel),
                inside: network.inside(channel),
            });
        }
        let mut ways = Vec::new();
        for (to, wire) in network.wires.iter().enumerate() {
            let Some((op, result)) = channels.maker(wire.channel) else {
                continue;
            };
            for passage in channels.passages(op, result) {
                let before = channels.view(op).operand(passage.operand);
                if let Some(from) = network.number(before) {
                    ways.push(Way {
                        from,
                        to,
                        latency_cycles: passage.latency_cycles,
                        again: network.again((op, passage.operand)),
                        leaves: network.wires[from].inside != wire.inside
                            && channels.view(op).name() == handshake::ConditionalBranch::NAME,
                    });
                }
            }
        }
        network.ways = ways;
        let is_last = |wire: &Wire| channels.view(wire.user.0).name() == handshake::Return::NAME;
        let numbered = network.wires.iter().enumerate();
        network.last = numbered
            .filter(|(_, wire)| is_last(wire))
            .map(|(i, _)| i)
            .collect();
        network
    }

    /// Returns the index of a channel; `None` for one that always has a token.
    pub(super) fn number(&self, channel: ValueId) -> Option<usize> {
        self.numbers.get(&channel).copied()
    }

    /// Returns the innermost loop of an operation.
    pub(super) fn around(&self, op: OperationId) -> Option<usize> {
        let loops = self.loops.iter().enumerate();
        let around = loops.filter(|(_, nested)| nested.this.operations.contains(&op));
        around
            .min_by_key(|(_, nested)| nested.this.operations.len())
            .map(|(i, _)| i)
    }

    fn inside(&self, channel: ValueId) -> Option<usize> {
        let (op, result) = self.channels.maker(channel)?;
        let view = self.channels.view(op);
        if is_memory(view) {
            let passages = self.channels.passages(op, result);
            let request = view.operand(passages.first()?.operand);
            return self.around(self.channels.maker(request)?.0);
        }
        let own = self.around(op)?;
        let starter = self.channels.view(self.loops[own].this.starter);
        let again = self.channels.root(starter.operand(0));
        let is_exit = view.name() == handshake::ConditionalBranch::NAME
            && result == 1
            && self.channels.root(view.operand(0)) == again;
        match is_exit {
            true => self.loops[own].parent,
            false => Some(own),
        }
    }

    /// Returns the loop whose next iteration a token starts that passes through this operand.
    fn again(&self, at: Use) -> Option<usize> {
        self.loops.iter().position(|nested| {
            nested.this.starter == at.0 || nested.this.heads.contains(&at.0) && at.1 >= 2
        })
    }

    /// Returns whether iterations of a loop may take different paths.
    pub(super) fn chooses(&self, inside: Option<usize>) -> bool {
        inside.is_some_and(|i| self.loops[i].has_choices)
    }
}

/// Returns all channels: arguments and results.
fn all(channels: Channels<'_>) -> Vec<ValueId> {
    let body = channels.body;
    let blocks = body.top_regions().flat_map(|region| body.blocks(region));
    let arguments = blocks.flat_map(|block| body.arguments(*block)).copied();
    let is_channel = |value: &ValueId| {
        let user = channels.user(*value);
        user.is_some_and(|(user, index)| {
            !(is_memory(channels.view(user)) && index == 0) || channels.maker(*value).is_some()
        })
    };
    let results = channels.operations().into_iter();
    let results = results.flat_map(|op| body.results(op).to_vec());
    arguments.filter(is_channel).chain(results).collect()
}

fn nested(channels: Channels<'_>) -> Vec<Nested> {
    let found = loops(channels);
    let parents: Vec<Option<usize>> = found
        .iter()
        .map(|this| {
            let around = found.iter().enumerate().filter(|(_, other)| {
                other.starter != this.starter
                    && other.operations.len() > this.operations.len()
                    && this
                        .heads
                        .iter()
                        .all(|head| other.operations.contains(head))
            });
            around
                .min_by_key(|(_, other)| other.operations.len())
                .map(|(i, _)| i)
        })
        .collect();
    let depth = |i: usize| {
        let around = std::iter::successors(parents[i], |outer| parents[*outer]);
        u32::try_from(around.count()).unwrap_or(u32::MAX)
    };
    let depths: Vec<u32> = (0..found.len()).map(depth).collect();
    let heads: BTreeSet<OperationId> = found.iter().flat_map(|l| l.heads.clone()).collect();
    let chooses =
        |op: &OperationId| channels.view(*op).name() == handshake::Mux::NAME && !heads.contains(op);
    found
        .into_iter()
        .zip(parents)
        .zip(depths)
        .map(|((this, parent), depth)| Nested {
            busy_cycles: channels.busy_cycles(&this.operations),
            has_choices: this.operations.iter().any(chooses),
            this,
            parent,
            depth,
        })
        .collect()
}
