//! Stability: conditions under which a value is certainly equal to a value in the cycle before. A predicate of stable operands
//! does not change.
//!
//! `x` now equals `y` a cycle before in four cases: both are the same constant; the register `x` kept `y` or loaded it; a mux `x`
//! or `y` selects an input for which it holds; both are the same operation on operands for which it holds.

use std::collections::BTreeMap;

use sluice_dialects::{comb, hw};
use sluice_ir::{Body, Context, ValueId, View};

use crate::logic::{Literal, Logic, is_bit};

/// The most pairs of values that are compared for one bit; beyond them nothing is assumed.
const PAIRS: usize = 400;

/// Compares the values of a cycle with those of the cycle before.
pub(crate) struct Stability<'l, 'a> {
    pub(crate) context: &'a Context,
    pub(crate) body: &'a Body,
    pub(crate) logic: &'l mut Logic,
    /// Results for pairs of a value now and a value before, and for pairs of two values before.
    crossed: BTreeMap<(ValueId, ValueId), Literal>,
    before: BTreeMap<(ValueId, ValueId), Literal>,
}

impl<'l, 'a> Stability<'l, 'a> {
    pub(crate) fn new(context: &'a Context, body: &'a Body, logic: &'l mut Logic) -> Self {
        Self {
            context,
            body,
            logic,
            crossed: BTreeMap::new(),
            before: BTreeMap::new(),
        }
    }

    fn maker(&self, value: ValueId) -> Option<View<'a>> {
        let op = self.body.defining_operation(value)?;
        Some(View::new(self.context, self.body, op))
    }

    fn choice(&self, value: ValueId) -> Option<[ValueId; 3]> {
        let view = self
            .maker(value)
            .filter(|view| view.name() == comb::Mux::NAME)?;
        Some([view.operand(0), view.operand(1), view.operand(2)])
    }

    /// Returns a condition under which `x` now certainly equals `y` a cycle before. The bits on which `x` depends combinationally
    /// must have been read already.
    pub(crate) fn is_kept(&mut self, x: ValueId, y: ValueId) -> Literal {
        if let Some(known) = self.crossed.get(&(x, y)) {
            return *known;
        }
        if self.crossed.len() > PAIRS {
            return Literal::FALSE;
        }
        let kept = self.kept(x, y);
        self.crossed.insert((x, y), kept);
        kept
    }

    fn kept(&mut self, x: ValueId, y: ValueId) -> Literal {
        if is_bit(self.context, self.body, x) {
            let Some(now) = self.logic.known(x) else {
                return Literal::FALSE;
            };
            let before = self.logic.before(y);
            return !self.logic.xor(now, before);
        }
        let Some(view) = self.maker(x) else {
            return Literal::FALSE;
        };
        if let Some([choice, yes, no]) = self.choice(x) {
            let Some(choice) = self.logic.known(choice) else {
                return Literal::FALSE;
            };
            let yes = self.is_kept(yes, y);
            let no = self.is_kept(no, y);
            return self.logic.mux(choice, yes, no);
        }
        if let Some(inputs) = self.logic.inputs(view) {
            if inputs.is_set_within_runs(self.body) {
                return Literal::FALSE;
            }
            let taken = self.was_equal(inputs.next, y);
            return match inputs.enable {
                None => taken,
                Some(enable) => {
                    let enable = self.logic.before(enable);
                    let held = self.was_equal(x, y);
                    self.logic.mux(enable, taken, held)
                }
            };
        }
        if let Some([choice, yes, no]) = self.choice(y) {
            let choice = self.logic.before(choice);
            let yes = self.is_kept(x, yes);
            let no = self.is_kept(x, no);
            return self.logic.mux(choice, yes, no);
        }
        let is_pure = view.name().starts_with("comb.")
            || matches!(
                view.name(),
                hw::Constant::NAME | hw::AggregateConstant::NAME | hw::ArrayGet::NAME
            );
        if x != y || !is_pure {
            return Literal::FALSE;
        }
        let operands: Vec<ValueId> = view.operands().collect();
        self.all_kept(&operands)
    }

    /// Returns a condition under which all of these values certainly equal those in the cycle before.
    pub(crate) fn all_kept(&mut self, values: &[ValueId]) -> Literal {
        let mut all = !Literal::FALSE;
        for value in values {
            let kept = self.is_kept(*value, *value);
            all = self.logic.and(all, kept);
        }
        all
    }

    /// Returns a condition under which `x` and `y` were certainly equal in the cycle before.
    fn was_equal(&mut self, x: ValueId, y: ValueId) -> Literal {
        if x == y {
            return !Literal::FALSE;
        }
        if let Some(known) = self.before.get(&(x, y)) {
            return *known;
        }
        if self.before.len() > PAIRS {
            return Literal::FALSE;
        }
        let equal = match (self.choice(x), self.choice(y)) {
            (Some([choice, yes, no]), _) => {
                let choice = self.logic.before(choice);
                let yes = self.was_equal(yes, y);
                let no = self.was_equal(no, y);
                self.logic.mux(choice, yes, no)
            }
            (None, Some([choice, yes, no])) => {
                let choice = self.logic.before(choice);
                let yes = self.was_equal(x, yes);
                let no = self.was_equal(x, no);
                self.logic.mux(choice, yes, no)
            }
            (None, None) => Literal::FALSE,
        };
        self.before.insert((x, y), equal);
        equal
    }
}
