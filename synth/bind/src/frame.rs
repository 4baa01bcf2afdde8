//! Frames: one for each block that runs on its own token, with the token chain and its flags.

use std::collections::BTreeMap;

use sluice_dialects::predicate::Predicate;
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

/// Whether a counter is smaller than the chain that it replaces: a flip-flop and about three look-up tables a bit, against a flip-flop for
/// each cycle but the last.
fn is_worth_counting(n_cycles: usize) -> bool {
    let n_between = n_cycles.saturating_sub(1);
    let width_bits = (usize::BITS - n_between.leading_zeros()) as usize;
    n_between > 4 * width_bits
}

/// One block in time: `token[t]` is a register that is set in the cycle that is virtual time `t`.
pub(crate) struct Frame {
    /// The enclosing frame, and the start time of the compound operation that this frame belongs to.
    pub(crate) parent: Option<(FrameId, u32)>,
    /// Initiation interval; `None` for a sequential block.
    pub(crate) ii: Option<u32>,
    /// Depth in cycles of a pipelined loop that issues a token every II without gaps until the last one.
    pub(crate) steady_depth: Option<u32>,
    /// True for the pipeline of a unit, where every cycle has a token.
    pub(crate) always_runs: bool,
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
            always_runs: false,
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
        if self.always_runs {
            return circuit.flag(true);
        }
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

    /// Puts counters in the place of long parts of the token chain that nothing but the chain reads: an interval that is far longer than an
    /// iteration needs is a wait. Called once, when all uses of tokens but those as `outputs` are
    /// there.
    ///
    /// In a loop that counts tokens are an interval apart or more, since it is entered when it has drained. So in a part that is no longer
    /// than the interval there is one token at a time, and a number says where it is.
    pub(crate) fn count_long_waits(&mut self, circuit: &mut Circuit<'_>, outputs: &[ValueId]) {
        let (Some(ii), Some(_)) = (self.ii, self.steady_depth) else {
            return;
        };
        let mut begin = 0;
        while begin < self.tokens.len() {
            let is_link = |t: usize| {
                let body = &circuit.body;
                let (token, next) = (self.tokens[t], self.tokens.get(t + 1));
                let next = next.and_then(|next| body.defining_operation(*next));
                let mut uses = body.uses(token).map(|(user, _)| user);
                let is_read_by_next = uses.next().is_some_and(|user| Some(user) == next);
                is_read_by_next && uses.next().is_none() && !outputs.contains(&token)
            };
            let end = (begin + 1..self.tokens.len())
                .find(|t| !is_link(*t))
                .unwrap_or(self.tokens.len() - 1);
            let end = end.min(begin + ii as usize);
            if is_worth_counting(end - begin) {
                self.count(circuit, begin, end);
            }
            begin = end.max(begin + 1);
        }
    }

    /// A counter in the place of the tokens between two: it begins with their number, and the last one follows when it is at 1.
    fn count(&mut self, circuit: &mut Circuit<'_>, begin: usize, end: usize) {
        let n_between = (end - begin - 1) as u64;
        let width_bits = u64::BITS - n_between.leading_zeros();
        let around = std::mem::replace(&mut circuit.location, self.origin.location);
        let name = format!("{}_wait{}", self.origin.name, begin + 1);
        let left = circuit.wire(width_bits);
        let zero = circuit.constant(Bits::zero(width_bits));
        let waits = circuit.compare(Predicate::Ne, left, zero);
        let step = circuit.zext(waits, width_bits);
        let fewer = circuit.comb("sub", &[left, step]);
        let all = circuit.constant(Bits::from_u64(width_bits, n_between));
        let next = circuit.mux(self.tokens[begin], all, fewer);
        let counter = circuit.register(
            next,
            RegisterOptions {
                enable: None,
                reset: Some(Bits::zero(width_bits)),
                preset: None,
                name: &name,
            },
        );
        circuit.connect(left, counter);
        let one = circuit.constant(Bits::from_u64(width_bits, 1));
        let ends = circuit.compare(Predicate::Eq, counter, one);
        circuit.location = around;
        // Queries for the cycle of the loop find the wait in the place of its tokens.
        circuit.name(waits, &format!("{name}_runs"));
        circuit.note_text(waits, FRAME, &self.origin.name);
        circuit.note_number(waits, TIME, begin + 1);
        circuit.note_number(waits, BLOCK, self.origin.block);
        if let Some(operation) = self.origin.operation {
            circuit.note_number(waits, OPERATION, operation);
        }
        let made = |circuit: &Circuit<'_>, token: ValueId| {
            let op = circuit.body.defining_operation(token);
            op.expect("a token is a register")
        };
        let last = made(circuit, self.tokens[end]);
        circuit.body.set_operand(last, 0, ends);
        for t in (begin + 1..end).rev() {
            let token = made(circuit, self.tokens[t]);
            circuit.body.erase(token);
        }
    }

    /// The virtual time of the iteration before the one at virtual time `t`, if tokens come without a gap and that is within its
    /// depth. There it has no token at virtual time `t` of the first iteration: a loop is entered when it has drained.
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
