//! Frames: one for each block that runs on its own token, with the token chain and its flags.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BLOCK, FRAME, OPERATION, TIME};
use sluice_ir::bits::Bits;
use sluice_ir::{Location, ValueId};
use sluice_netlist::circuit::{Circuit, RegisterOptions};

/// Index of a frame; frame 0 is the function's entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct FrameId(pub(crate) usize);

/// The name of a frame, and the operation that contains its block.
pub(crate) struct Origin {
    /// Name, unique in the circuit.
    pub(crate) name: String,
    /// Source location of the operation.
    pub(crate) location: Location,
    /// The index of the operation in the function, outer before inner, in text order; none for a block of the function itself.
    pub(crate) operation: Option<usize>,
    /// The index of its block among those of the operation or function.
    pub(crate) block: usize,
}

/// The timing of one block: register `token[t]` is set in the cycle of virtual time `t`.
pub(crate) struct Frame {
    /// The enclosing frame, and the start time of the compound operation that this frame belongs to.
    pub(crate) parent: Option<(FrameId, u32)>,
    /// Initiation interval; `None` for a sequential block.
    pub(crate) ii: Option<u32>,
    /// Depth in cycles of a pipelined loop that issues a token every II without gaps until the last one.
    pub(crate) steady_depth: Option<u32>,
    origin: Origin,
    /// The signal that `token[0]` registers.
    entry: ValueId,
    tokens: Vec<ValueId>,
    firsts: Vec<ValueId>,
    /// The signal that sets the first-iteration flag together with `token[0]`.
    pub(crate) first_entry: Option<ValueId>,
    /// For each compound operation by start time: the signal one cycle before the frame continues.
    pub(crate) stretches: BTreeMap<u32, ValueId>,
}

impl Frame {
    /// Creates a frame whose entry is connected later.
    pub(crate) fn new(
        circuit: &mut Circuit<'_>,
        origin: Origin,
        parent: Option<(FrameId, u32)>,
        ii: Option<u32>,
        compound_starts: &[u32],
    ) -> Self {
        let entry = circuit.wire(1);
        let stretches = compound_starts
            .iter()
            .map(|t| (*t, circuit.wire(1)))
            .collect();
        Self {
            parent,
            ii,
            steady_depth: None,
            origin,
            entry,
            tokens: Vec::new(),
            firsts: Vec::new(),
            first_entry: None,
            stretches,
        }
    }

    /// Connects the signal that starts the frame: `token[0]` is set one cycle later.
    pub(crate) fn connect_entry(&mut self, circuit: &mut Circuit<'_>, entry: ValueId) {
        circuit.connect(self.entry, entry);
        self.entry = entry;
    }

    /// Returns the signal that `token[t]` registers.
    pub(crate) fn source(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        match t.checked_sub(1) {
            None => self.entry,
            Some(before) => match self.stretches.get(&before) {
                Some(leave) => *leave,
                None => self.token(circuit, before),
            },
        }
    }

    /// Returns `token[t]`.
    pub(crate) fn token(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        while self.tokens.len() <= t as usize {
            let next =
                u32::try_from(self.tokens.len()).expect("a frame is shallower than 2^32 cycles");
            let source = self.source(circuit, next);
            let name = format!("{}_t{next}", self.origin.name);
            let around = std::mem::replace(&mut circuit.location, self.origin.location);
            let token = circuit.register(
                source,
                RegisterOptions {
                    enable: None,
                    reset: Some(Bits::zero(1)),
                    preset: None,
                    name: &name,
                },
            );
            circuit.location = around;
            circuit.note_text(token, FRAME, &self.origin.name);
            circuit.note_number(token, TIME, next as usize);
            circuit.note_number(token, BLOCK, self.origin.block);
            if let Some(operation) = self.origin.operation {
                circuit.note_number(token, OPERATION, operation);
            }
            self.tokens.push(token);
        }
        self.tokens[t as usize]
    }

    /// Returns the virtual time of the previous iteration when the current one is at `t`, if tokens come without gaps and that
    /// time is within the depth. At virtual time `t` of the first iteration there is no such token, because a loop is entered
    /// only after it has drained.
    fn before(&self, t: u32) -> Option<u32> {
        let behind = t + self.ii?;
        (behind < self.steady_depth?).then_some(behind)
    }

    /// Returns the signal that is set in the last cycle of a loop without gaps between tokens. `None` for other loops, and if
    /// that cycle is no later than the issue of the last iteration.
    pub(crate) fn drained(&mut self, circuit: &mut Circuit<'_>) -> Option<ValueId> {
        let end = self.steady_depth?.checked_sub(1)?;
        let next = end.checked_sub(self.ii?)?;
        let (last, following) = (self.token(circuit, end), self.token(circuit, next));
        let none_follows = circuit.not(following);
        Some(circuit.and(last, none_follows))
    }

    /// Returns the signal that is set at virtual time `t` of the first iteration.
    pub(crate) fn first(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        if let Some(behind) = self.before(t) {
            let (token, older) = (self.token(circuit, t), self.token(circuit, behind));
            let is_first = circuit.not(older);
            return circuit.and(token, is_first);
        }
        let told = (0..t).rev().find(|t| self.before(*t).is_some());
        if let (Some(told), true) = (told, self.firsts.is_empty()) {
            // The chain starts at the last time at which the tokens identify the first iteration.
            let start = self.first(circuit, told);
            self.firsts = vec![start; told as usize + 1];
        }
        while self.firsts.len() <= t as usize {
            let next = self.firsts.len();
            let source = match next {
                0 => self.first_entry.expect("only loops have first iterations"),
                _ => self.firsts[next - 1],
            };
            let name = format!("{}_first{next}", self.origin.name);
            let first = circuit.register(
                source,
                RegisterOptions {
                    enable: None,
                    reset: Some(Bits::zero(1)),
                    preset: None,
                    name: &name,
                },
            );
            self.firsts.push(first);
        }
        self.firsts[t as usize]
    }
}
