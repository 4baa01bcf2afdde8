//! Registers as variables of a flattened module.

use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::{ValueId, View};

use super::aggregates;
use super::elaborate::{Elaborator, Failed, Net, Register};

/// What a register reads.
struct Inputs {
    next: ValueId,
    clock: ValueId,
    enable: Option<ValueId>,
    /// When, and to what.
    reset: Option<(ValueId, ValueId)>,
}

const NO_POWER_ON: &str = "values at power-on are not simulated";

impl<'a> Elaborator<'a> {
    /// The variable of a register or of a clocked read.
    pub(super) fn declare_register(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let result = view.result(0);
        let Some(width_bits) = aggregates::width_bits(self.context, view.ty(result)) else {
            return self.fail(view, "no values of this type are held in registers");
        };
        let (_, term) = self.variable(width_bits);
        self.nets.insert((scope, result), Net::Term(term));
        Ok(())
    }

    /// What a register takes over.
    pub(super) fn connect_register(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let groups = |view: View<'a>| -> Vec<Option<ValueId>> {
            let sizes = view
                .attribute("operandSegmentSizes")
                .and_then(|a| a.as_dense_array_i64(self.context));
            let mut operands = view.operands();
            sizes
                .unwrap_or_default()
                .into_iter()
                .map(|n| (0..n).filter_map(|_| operands.next()).last())
                .collect()
        };
        match view.name() {
            "seq.compreg" | "seq.compreg.ce" => {
                let groups = groups(view);
                let with_enable = view.name() == "seq.compreg.ce";
                let get = |i: usize| groups.get(i).copied().flatten();
                let (Some(next), Some(clock)) = (get(0), get(1)) else {
                    return self.fail(view, "a register has an input and a clock");
                };
                let first = 2 + usize::from(with_enable);
                if get(first + 2).is_some() {
                    return self.fail(view, NO_POWER_ON);
                }
                let inputs = Inputs {
                    next,
                    clock,
                    enable: get(2).filter(|_| with_enable),
                    reset: get(first).zip(get(first + 1)),
                };
                self.register(scope, view, &inputs)?;
            }
            "seq.firreg" => {
                if view.attribute("isAsync").is_some() {
                    return self.fail(view, "only synchronous resets are simulated");
                }
                if view.attribute("preset").is_some() {
                    return self.fail(view, NO_POWER_ON);
                }
                let operands: Vec<_> = view.operands().collect();
                let get = |i: usize| operands.get(i).copied();
                let inputs = Inputs {
                    next: operands[0],
                    clock: operands[1],
                    enable: None,
                    reset: get(2).zip(get(3)),
                };
                self.register(scope, view, &inputs)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A register and what it takes over.
    fn register(&mut self, scope: usize, view: View<'a>, inputs: &Inputs) -> Result<(), Failed> {
        let gate = self.gate(scope, view, inputs.clock)?;
        let result = self.term(scope, view, view.result(0))?;
        let next = self.term(scope, view, inputs.next)?;
        let enable = match inputs.enable {
            Some(enable) => {
                let enable = self.term(scope, view, enable)?;
                Some(self.gated(enable, gate))
            }
            None => gate,
        };
        let reset = match inputs.reset {
            Some((reset, value)) => {
                let reset = self.term(scope, view, reset)?;
                let value = self.term(scope, view, value)?;
                Some((self.gated(reset, gate), value))
            }
            None => None,
        };
        let name = view.attribute("name");
        let name = name
            .and_then(|a| a.as_str(self.context))
            .unwrap_or("register");
        self.registers.push(Register {
            name: format!("{}{name}", self.scopes[scope].path),
            width_bits: self.terms.width(&result),
            variable: self.variable_of(result),
            next,
            enable,
            reset,
        });
        Ok(())
    }

    /// When the clock of a register or memory runs, always without. All have the same one.
    pub(super) fn gate(
        &mut self,
        scope: usize,
        view: View<'a>,
        clock: ValueId,
    ) -> Result<Option<TermId>, Failed> {
        let Net::Clock(clock) = self.net(view, (scope, clock))? else {
            return self.fail(view, "a clock is expected");
        };
        if *self.clock_root.get_or_insert(clock.root) != clock.root {
            return self.fail(
                view,
                "only circuits with one clock are simulated, this one has several",
            );
        }
        Ok(clock.gate)
    }

    /// A condition under which something happens, with the gate of its clock.
    pub(super) fn gated(&mut self, condition: TermId, gate: Option<TermId>) -> TermId {
        gate.map_or(condition, |gate| self.terms.and(&condition, &gate))
    }
}
