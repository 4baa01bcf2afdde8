//! Units: multipliers and dividers, shared by operations that never start in the same cycle.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_ir::{Location, ValueId};
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::generators::UnitKind;

use crate::frame::FrameId;

/// One operation that runs on a unit.
#[derive(Clone, Debug)]
pub(crate) struct UnitUse {
    /// Set in the cycle in which the operation starts.
    pub(crate) token: ValueId,
    pub(crate) left: ValueId,
    pub(crate) right: ValueId,
    /// Placeholder for the result, connected when the unit is built.
    pub(crate) result: ValueId,
    /// Frame, start time, II and occupancy: they determine the cycles in which the unit is busy.
    pub(crate) frame: FrameId,
    pub(crate) start: u32,
    pub(crate) ii: Option<u32>,
    pub(crate) occupancy_cycles: u32,
    /// True if the operands are registered after their multiplexer.
    pub(crate) registered: bool,
    /// The most operations that may share the unit, if the clock does not allow any number.
    pub(crate) max_sharers: Option<u32>,
    /// True if the operation is rare enough to occupy its unit beyond an iteration; then no other operation of its block uses the
    /// unit.
    pub(crate) alone: bool,
    /// Source location of the operation, for messages and comments.
    pub(crate) location: Location,
}

impl UnitUse {
    /// Returns true if two operations may need the unit in the same cycle.
    ///
    /// Operations of different frames are never active together: a frame waits while a compound operation runs.
    pub(crate) fn collides(&self, other: &Self) -> bool {
        if self.frame != other.frame {
            return false;
        }
        if self.alone || other.alone {
            return true;
        }
        let cycles = |u: &Self| {
            let ii = u.ii;
            (u.start..u.start + u.occupancy_cycles)
                .map(move |t| ii.map_or(t, |ii| t % ii))
                .collect::<Vec<_>>()
        };
        let mine = cycles(self);
        cycles(other).iter().any(|t| mine.contains(t))
    }
}

/// A unit with the operations that run on it.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) kind: UnitKind,
    pub(crate) uses: Vec<UnitUse>,
}

/// The nets for one operand of a unit, each with the tokens that select it.
#[derive(Default)]
struct Sources(Vec<(ValueId, Vec<ValueId>)>);

impl Sources {
    /// Returns 1 if `net` is not yet a source, otherwise 0.
    fn is_new(&self, net: ValueId) -> u32 {
        u32::from(self.0.iter().all(|(known, _)| *known != net))
    }

    fn add(&mut self, token: ValueId, net: ValueId) {
        match self.0.iter_mut().find(|(known, _)| *known == net) {
            Some((_, tokens)) => tokens.push(token),
            None => self.0.push((net, vec![token])),
        }
    }

    /// Returns the net whose token is set: tokens of a unit are never set together.
    fn select_source(&self, circuit: &mut Circuit<'_>) -> ValueId {
        let newest_first = self.0.iter().rev();
        let choices: Vec<(ValueId, ValueId)> = newest_first
            .map(|(net, tokens)| (circuit.any(tokens), *net))
            .collect();
        circuit.select(&choices)
    }
}

/// All units of a function.
#[derive(Default)]
pub(crate) struct Units {
    /// Units by [`UnitKind::alone`].
    by_kind: BTreeMap<UnitKind, Vec<Unit>>,
}

impl Units {
    /// Binds an operation to the first free unit of its kind. Dividers that take turns also run operations that need only one
    /// divider and hold them for longer. A divisor that is held only once can be shared by operations of one frame only if it is
    /// the same net.
    pub(crate) fn bind(&mut self, kind: UnitKind, new: UnitUse) {
        let one_divisor = kind.has_one_divisor();
        let units = self.by_kind.entry(kind.alone()).or_default();
        match units.iter_mut().find(|unit| {
            let one_divisor = one_divisor || unit.kind.has_one_divisor();
            let limits = unit.uses.iter().chain([&new]).filter_map(|u| u.max_sharers);
            let has_room = limits
                .min()
                .is_none_or(|most| unit.uses.len() < most as usize);
            let mut uses = unit.uses.iter();
            has_room
                && uses.all(|known| {
                    let differs =
                        one_divisor && known.frame == new.frame && known.right != new.right;
                    known.registered == new.registered && !differs && !known.collides(&new)
                })
        }) {
            Some(unit) => {
                unit.kind = unit.kind.with_turns_of(&kind);
                unit.uses.push(new);
            }
            None => units.push(Unit {
                kind,
                uses: vec![new],
            }),
        }
    }

    /// Returns every unit, by kind and number.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Unit> {
        self.by_kind.values().flatten()
    }

    /// Builds the units: operand selection, instance, results.
    pub(crate) fn finish(&self, circuit: &mut Circuit<'_>) {
        for unit in self.all() {
            let last = unit.uses.last().expect("a unit is made for an operation");
            circuit.location = last.location;
            let (mut lefts, mut rights) = (Sources::default(), Sources::default());
            for known in unit.uses.iter().rev() {
                let (mut one, mut other) = (known.left, known.right);
                let n_new = |one, other| lefts.is_new(one) + rights.is_new(other);
                if unit.kind.is_commutative() && n_new(other, one) < n_new(one, other) {
                    std::mem::swap(&mut one, &mut other);
                }
                lefts.add(known.token, one);
                rights.add(known.token, other);
            }
            let (mut left, mut right) =
                (lefts.select_source(circuit), rights.select_source(circuit));
            let tokens: Vec<_> = unit.uses.iter().map(|u| u.token).collect();
            let mut start = circuit.any(&tokens);
            if last.registered {
                let name = |name| RegisterOptions {
                    name,
                    ..RegisterOptions::default()
                };
                left = circuit.register(left, name("left_r"));
                right = circuit.register(right, name("right_r"));
                // A pipeline without control has no reset, and its units take operands in every cycle.
                let reset = circuit.has_reset().then(|| Bits::zero(1));
                start = circuit.register(
                    start,
                    RegisterOptions {
                        reset,
                        ..name("start_r")
                    },
                );
            }
            let result = unit
                .kind
                .instantiate(circuit, None, Some(start), left, right);
            for known in &unit.uses {
                circuit.connect(known.result, result);
            }
        }
    }
}
