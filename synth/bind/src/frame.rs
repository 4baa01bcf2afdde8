//! Frames: one for each block that runs on a token of its own, with the token chain and its flags.

use std::collections::BTreeMap;

use sluice_ir::ValueId;

use crate::circuit::{Circuit, RegisterOptions};
use sluice_ir::bits::Bits;

/// Number of a frame; frame 0 is the function's entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct FrameId(pub(crate) usize);

/// One block in time: `token[t]` is a register that is set in the cycle that is virtual time `t`.
pub(crate) struct Frame {
    /// The frame around and the start time of the compound operation that this frame belongs to.
    pub(crate) parent: Option<(FrameId, u32)>,
    /// Initiation interval; `None` for a sequential block.
    pub(crate) ii: Option<u32>,
    name: String,
    /// What `token[0]` registers.
    entry: ValueId,
    tokens: Vec<ValueId>,
    firsts: Vec<ValueId>,
    /// What sets the first-iteration flag together with `token[0]`.
    pub(crate) first_entry: Option<ValueId>,
    /// Per compound operation by start time: the signal one cycle before the frame goes on.
    pub(crate) stretches: BTreeMap<u32, ValueId>,
}

impl Frame {
    /// A frame whose entry is connected later.
    pub(crate) fn new(
        circuit: &mut Circuit<'_>,
        name: &str,
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
            name: name.to_owned(),
            entry,
            tokens: Vec::new(),
            firsts: Vec::new(),
            first_entry: None,
            stretches,
        }
    }

    /// Says what starts the frame: `token[0]` is set one cycle after it.
    pub(crate) fn connect_entry(&mut self, circuit: &mut Circuit<'_>, entry: ValueId) {
        circuit.connect(self.entry, entry);
        self.entry = entry;
    }

    /// The signal that `token[t]` registers.
    pub(crate) fn source(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        match t.checked_sub(1) {
            None => self.entry,
            Some(before) => match self.stretches.get(&before) {
                Some(leave) => *leave,
                None => self.token(circuit, before),
            },
        }
    }

    /// `token[t]`.
    pub(crate) fn token(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        while self.tokens.len() <= t as usize {
            let next =
                u32::try_from(self.tokens.len()).expect("a frame is shallower than 2^32 cycles");
            let source = self.source(circuit, next);
            let name = format!("{}_t{next}", self.name);
            let token = circuit.register(
                source,
                RegisterOptions {
                    enable: None,
                    reset: Some(Bits::zero(1)),
                    preset: None,
                    name: &name,
                },
            );
            self.tokens.push(token);
        }
        self.tokens[t as usize]
    }

    /// Set at virtual time `t` of the first iteration.
    pub(crate) fn first(&mut self, circuit: &mut Circuit<'_>, t: u32) -> ValueId {
        while self.firsts.len() <= t as usize {
            let next = self.firsts.len();
            let source = match next {
                0 => self.first_entry.expect("only loops have first iterations"),
                _ => self.firsts[next - 1],
            };
            let name = format!("{}_first{next}", self.name);
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
