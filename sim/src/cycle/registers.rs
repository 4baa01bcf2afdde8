//! Registers and register chains as variables of a flattened module.

use sluice_dialects::seq;
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};

use super::aggregates;
use super::clocks::ClockId;
use super::flat::Register;
use crate::cycle::elaborator::{Elaborator, Failed, Net};

/// The operands of a register.
struct Inputs {
    next: ValueId,
    clock: ValueId,
    enable: Option<ValueId>,
    /// Condition and value of the reset.
    reset: Option<(ValueId, ValueId)>,
    /// Whether the reset is asynchronous.
    is_async: bool,
    first: Option<Bits>,
}

impl<'a> Elaborator<'a> {
    /// Returns the number of registers in the chain of an operation.
    fn length(&self, view: View<'a>) -> usize {
        let n = view.attribute("numElements");
        let n = n.and_then(|a| a.as_i64(self.context));
        n.and_then(|n| usize::try_from(n).ok()).unwrap_or(1)
    }

    /// Creates the variables of the registers; the last one drives the result.
    pub(super) fn declare_registers(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let result = view.result(0);
        let Some(width_bits) = aggregates::width_bits(self.context, view.ty(result)) else {
            return self.fail(view, "no values of this type are held in registers");
        };
        let n = self.length(view);
        let row: Vec<u32> = (0..n).map(|_| self.variable(width_bits).0).collect();
        let Some(last) = row.last().copied() else {
            return self.fail(view, "there is one register at least");
        };
        let term = self.terms.variable(last, width_bits);
        self.nets.insert((scope, result), Net::Term(term));
        self.rows.insert((scope, view.id), row);
        Ok(())
    }

    /// Connects the next values of registers.
    pub(super) fn connect_registers(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let group = |number: usize| view.operand_group(number).first().copied();
        let (Some(next), Some(clock)) = (group(0), group(1)) else {
            return self.fail(view, "a register has an input and a clock");
        };
        let inputs = if view.name() == seq::Firreg::NAME {
            let preset = view.attribute("preset");
            Inputs {
                next,
                clock,
                enable: None,
                reset: group(2).zip(group(3)),
                is_async: view.attribute("isAsync").is_some(),
                first: preset.and_then(|a| a.integer(self.context)).cloned(),
            }
        } else {
            let with_enable = view.name() != seq::Compreg::NAME;
            let after = 2 + usize::from(with_enable);
            let first = match group(after + 2) {
                Some(value) => Some(self.first_value(scope, view, value)?),
                None => None,
            };
            Inputs {
                next,
                clock,
                enable: group(2).filter(|_| with_enable),
                reset: group(after).zip(group(after + 1)),
                is_async: false,
                first,
            }
        };
        self.registers(scope, view, &inputs)
    }

    /// Returns the initial value of a register.
    fn first_value(
        &mut self,
        scope: usize,
        view: View<'a>,
        value: ValueId,
    ) -> Result<Bits, Failed> {
        let term = self.term(scope, view, value)?;
        match self.constant_of(term) {
            Some(value) => Ok(value.clone()),
            None => self.fail(view, "what it holds at the start is no constant"),
        }
    }

    fn registers(&mut self, scope: usize, view: View<'a>, inputs: &Inputs) -> Result<(), Failed> {
        let clock = self.clock_net(scope, view, inputs.clock)?;
        let rise = self.rise(clock);
        let mut next = self.term(scope, view, inputs.next)?;
        let width_bits = self.terms.width(&next);
        let enable = match inputs.enable {
            Some(enable) => {
                let enable = self.term(scope, view, enable)?;
                Some(self.gated(enable, rise))
            }
            None => rise,
        };
        let reset = match inputs.reset {
            Some((reset, value)) => {
                let reset = self.term(scope, view, reset)?;
                let value = self.term(scope, view, value)?;
                let mut when = self.gated(reset, rise);
                if inputs.is_async {
                    let rising = self.rising(reset);
                    when = self.terms.or(&when, &rising);
                }
                Some((when, value))
            }
            None => None,
        };
        let name = view.attribute("name").and_then(|a| a.as_str(self.context));
        let given = view.body.value_name(view.result(0));
        let name = name
            .filter(|name| !name.is_empty())
            .or(given.map(|name| self.context.text(name)))
            .unwrap_or("register");
        let path = self.scopes[scope].path.clone();
        let row = self.rows.remove(&(scope, view.id)).unwrap_or_default();
        for (at, variable) in row.iter().enumerate() {
            let part = match at + 1 == row.len() {
                true => name.to_owned(),
                false => format!("{name}_{at}"),
            };
            self.registers.push(Register {
                name: format!("{path}{part}"),
                width_bits,
                variable: *variable,
                next,
                enable,
                reset,
                first: inputs
                    .first
                    .clone()
                    .unwrap_or_else(|| Bits::zero(width_bits)),
            });
            next = self.terms.variable(*variable, width_bits);
        }
        Ok(())
    }

    /// Adds a register for the elaboration itself; it loads `next` at the rising edges of a clock.
    pub(super) fn delayed(
        &mut self,
        name: String,
        next: TermId,
        enable: Option<TermId>,
        clock: ClockId,
    ) -> TermId {
        let width_bits = self.terms.width(&next);
        let (variable, term) = self.variable(width_bits);
        let rise = self.rise(clock);
        let enable = match enable {
            Some(enable) => Some(self.gated(enable, rise)),
            None => rise,
        };
        self.registers.push(Register {
            name,
            width_bits,
            variable,
            next,
            enable,
            reset: None,
            first: Bits::zero(width_bits),
        });
        term
    }

    /// Combines a condition with the rising edges of a clock.
    pub(super) fn gated(&mut self, condition: TermId, rise: Option<TermId>) -> TermId {
        rise.map_or(condition, |rise| self.terms.and(&condition, &rise))
    }
}
