//! Predicates: bits that are computed from wider values.
//!
//! A predicate of a mux is the mux of two predicates; a predicate of constants is constant. A predicate of registers becomes an
//! auxiliary register of this graph, whose next value is the predicate of the next values of the registers. All other predicates
//! are free variables, but they change only if their operands change.

use std::collections::BTreeMap;

use sluice_dialects::{comb, hw};
use sluice_ir::definition::FoldResult;
use sluice_ir::{Attribute, Body, Context, OperationId, ValueId, View};

use crate::logic::{Inputs, Literal, Logic, Node};
use crate::stable::Stability;

/// The most predicates that are derived from one operation.
const PARTS: usize = 48;

/// The literals of predicates so far.
#[derive(Debug, Default)]
pub(crate) struct Predicates {
    of: BTreeMap<(OperationId, Vec<ValueId>), Literal>,
    n_parts: BTreeMap<OperationId, usize>,
    /// Auxiliary registers whose next value is still to be set.
    open: Vec<(usize, OperationId, Vec<ValueId>)>,
}

/// The reader of predicates.
struct Parts<'l, 'a> {
    context: &'a Context,
    body: &'a Body,
    logic: &'l mut Logic,
}

/// Reads a bit that is not computed by a gate.
pub(crate) fn read(context: &Context, body: &Body, logic: &mut Logic, value: ValueId) -> Literal {
    let mut parts = Parts {
        context,
        body,
        logic,
    };
    let op = body.defining_operation(value);
    let op = op.filter(|op| {
        let view = View::new(context, body, *op);
        view.name().starts_with("comb.") || view.name() == hw::ArrayGet::NAME
    });
    match op {
        Some(op) => {
            let operands: Vec<ValueId> = body.operands(op).collect();
            parts.bit(op, operands)
        }
        None => parts.free(),
    }
}

/// Sets the next values of auxiliary registers.
pub(crate) fn finish(context: &Context, body: &Body, logic: &mut Logic) {
    while let Some((register, op, operands)) = logic.predicates.open.pop() {
        let mut parts = Parts {
            context,
            body,
            logic,
        };
        let next = parts.next(op, &operands, Vec::new());
        parts.logic.registers[register].next = next;
    }
}

impl<'a> Parts<'_, 'a> {
    fn free(&mut self) -> Literal {
        Literal::new(self.logic.node(Node::Free), false)
    }

    fn maker(&self, value: ValueId) -> Option<View<'a>> {
        let op = self.body.defining_operation(value)?;
        Some(View::new(self.context, self.body, op))
    }

    fn constant(&self, value: ValueId) -> Option<Attribute> {
        let view = self.maker(value)?;
        (view.name() == hw::Constant::NAME).then(|| view.attribute("value"))?
    }

    fn inputs(&self, value: ValueId) -> Option<Inputs> {
        let inputs = self.logic.inputs(self.maker(value)?)?;
        (!inputs.is_set_within_runs(self.body)).then_some(inputs)
    }

    /// Returns the literal of an operation applied to these operands instead of its own.
    fn bit(&mut self, op: OperationId, operands: Vec<ValueId>) -> Literal {
        let key = (op, operands);
        if let Some(known) = self.logic.predicates.of.get(&key) {
            return *known;
        }
        let (op, operands) = &key;
        let parts = self.logic.predicates.n_parts.entry(*op).or_default();
        *parts += 1;
        let may_part = *parts <= PARTS;
        let bit = self.made(*op, operands, may_part);
        self.logic.predicates.of.insert(key, bit);
        bit
    }

    fn made(&mut self, op: OperationId, operands: &[ValueId], may_part: bool) -> Literal {
        if may_part {
            let choice = operands.iter().enumerate().find_map(|(at, operand)| {
                let view = self.maker(*operand)?;
                (view.name() == comb::Mux::NAME).then_some((at, view))
            });
            if let Some((at, view)) = choice
                && let Some(choice) = self.logic.known(view.operand(0))
            {
                let mut side = |side: usize| {
                    let mut operands = operands.to_vec();
                    operands[at] = view.operand(side);
                    self.bit(op, operands)
                };
                let (yes, no) = (side(1), side(2));
                return self.logic.mux(choice, yes, no);
            }
            let constants: Vec<Option<Attribute>> =
                operands.iter().map(|x| self.constant(*x)).collect();
            if let Some(known) = self.folded(op, &constants) {
                return known;
            }
            let is_held = |(operand, constant): (&ValueId, &Option<Attribute>)| {
                constant.is_some() || self.inputs(*operand).is_some()
            };
            if operands.iter().zip(&constants).all(is_held) {
                let first = operands.iter().map(|x| match self.inputs(*x) {
                    Some(inputs) => self.constant(inputs.reset?.1),
                    None => self.constant(*x),
                });
                let first: Vec<Option<Attribute>> = first.collect();
                let first = self.folded(op, &first).map(|first| first.is_inverse());
                let node = self.logic.register();
                let register = self.logic.registers.len() - 1;
                self.logic.registers[register].first = first;
                let open = (register, op, operands.to_vec());
                self.logic.predicates.open.push(open);
                return Literal::new(node, false);
            }
        }
        let free = self.free();
        let kept = Stability::new(self.context, self.body, self.logic).all_kept(operands);
        if kept == Literal::FALSE {
            return free;
        }
        // The value of the bit in the cycle before.
        let node = self.logic.register();
        let register = self.logic.registers.len() - 1;
        let bit = self.logic.mux(kept, Literal::new(node, false), free);
        self.logic.registers[register].next = bit;
        bit
    }

    /// Returns the constant result of an operation on constants; `None` if an operand is not constant.
    fn folded(&self, op: OperationId, constants: &[Option<Attribute>]) -> Option<Literal> {
        let all_known = constants.iter().all(Option::is_some);
        if !all_known {
            return None;
        }
        let view = View::new(self.context, self.body, op);
        let results = sluice_ir::simplify::fold_with(view, constants)?;
        let FoldResult::Constant(result) = results.first()? else {
            return None;
        };
        let bits = result.integer(self.context)?;
        Some(Literal::new(0, !bits.is_zero()))
    }

    /// Returns the predicate in the next cycle, with the next values of the registers among `operands`; `next` has the operands
    /// that are already replaced.
    fn next(&mut self, op: OperationId, operands: &[ValueId], next: Vec<ValueId>) -> Literal {
        let Some(operand) = operands.get(next.len()) else {
            return self.bit(op, next);
        };
        let with = |value: ValueId| -> Vec<ValueId> {
            let mut longer = next.clone();
            longer.push(value);
            longer
        };
        let Some(inputs) = self.inputs(*operand) else {
            return self.next(op, operands, with(*operand));
        };
        let taken = self.next(op, operands, with(inputs.next));
        let enable = inputs.enable.map(|enable| self.logic.known(enable));
        match enable {
            None => taken,
            Some(Some(enable)) => {
                let held = self.next(op, operands, with(*operand));
                self.logic.mux(enable, taken, held)
            }
            Some(None) => self.free(),
        }
    }
}
