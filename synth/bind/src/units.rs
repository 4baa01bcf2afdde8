//! Units: multipliers and dividers, shared by operations that never start in the same cycle.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_ir::{Location, ValueId};

use crate::circuit::{Circuit, RegisterOptions};
use crate::frame::FrameId;
use crate::generators::UnitKind;

/// One operation that a unit carries out.
#[derive(Clone, Debug)]
pub(crate) struct UnitUse {
    /// Set in the cycle in which the operation starts.
    pub(crate) token: ValueId,
    pub(crate) left: ValueId,
    pub(crate) right: ValueId,
    /// Stand-in for the result, connected when the unit is made.
    pub(crate) result: ValueId,
    /// Block, start time, initiation interval and occupancy: when the unit is busy.
    pub(crate) frame: FrameId,
    pub(crate) start: u32,
    pub(crate) ii: Option<u32>,
    pub(crate) occupancy_cycles: u32,
    /// Whether the operands are registered behind their selection.
    pub(crate) registered: bool,
    /// Whether it is rare enough for its unit to be busy beyond an iteration; no other operation of its block uses the unit then.
    pub(crate) alone: bool,
    /// The operation's place, for messages and comments.
    pub(crate) location: Location,
}

impl UnitUse {
    /// Whether two operations may need the unit in the same cycle.
    ///
    /// Operations of different frames are never active together: a frame waits while a compound runs.
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

/// A unit with the operations it carries out.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) kind: UnitKind,
    pub(crate) uses: Vec<UnitUse>,
}

/// All units of a function.
#[derive(Default)]
pub(crate) struct Units {
    by_kind: BTreeMap<UnitKind, Vec<Unit>>,
}

impl Units {
    /// Binds an operation to the first unit of its kind that is free.
    pub(crate) fn bind(&mut self, kind: UnitKind, new: UnitUse) {
        let units = self.by_kind.entry(kind.clone()).or_default();
        match units.iter_mut().find(|unit| {
            let mut uses = unit.uses.iter();
            uses.all(|known| known.registered == new.registered && !known.collides(&new))
        }) {
            Some(unit) => unit.uses.push(new),
            None => units.push(Unit {
                kind,
                uses: vec![new],
            }),
        }
    }

    /// Every unit, by kind and number.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Unit> {
        self.by_kind.values().flatten()
    }

    /// Makes the units: operand selection, instance, results.
    pub(crate) fn finish(&self, circuit: &mut Circuit<'_>) {
        for unit in self.all() {
            let last = unit.uses.last().expect("a unit is made for an operation");
            circuit.location = last.location;
            let (mut left, mut right) = (last.left, last.right);
            for known in unit.uses.iter().rev().skip(1) {
                left = circuit.mux(known.token, known.left, left);
                right = circuit.mux(known.token, known.right, right);
            }
            let tokens: Vec<_> = unit.uses.iter().map(|u| u.token).collect();
            let mut start = circuit.any(&tokens);
            if last.registered {
                let name = |name| RegisterOptions {
                    name,
                    ..RegisterOptions::default()
                };
                left = circuit.register(left, name("left_r"));
                right = circuit.register(right, name("right_r"));
                let reset = Some(Bits::zero(1));
                start = circuit.register(
                    start,
                    RegisterOptions {
                        reset,
                        ..name("start_r")
                    },
                );
            }
            let result = unit.kind.instantiate(circuit, start, left, right);
            for known in &unit.uses {
                circuit.connect(known.result, result);
            }
        }
    }
}
