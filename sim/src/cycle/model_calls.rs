//! Instances of extern modules that are simulated by models.

use std::sync::Arc;

use sluice_dialects::hw;
use sluice_ir::View;
use sluice_ir::algebra::TermId;

use crate::cycle::aggregates;
use crate::cycle::elaborator::{Elaborator, Failed, Net};
use crate::cycle::flat::Register;
use crate::cycle::models::{Call, Model};

/// Describes the ports of an extern module and how to bind a model, for messages.
pub(crate) fn missing(module: View<'_>, name: &str) -> String {
    let ports = hw::module_ports(module).into_iter().map(|port| {
        let direction = match port.direction {
            hw::Direction::Input => "in",
            hw::Direction::Output => "out",
            hw::Direction::InOut => "inout",
        };
        let ty = sluice_ir::text::print_type(module.context, port.ty);
        format!("{direction} {}: {ty}", port.name)
    });
    let ports: Vec<String> = ports.collect();
    format!(
        "`@{name}` is a `hw.module.extern`, written elsewhere, and has no model; its ports are `{}`. Write a `hw.module @{name}` with these \
         ports into the file in its place, or bind a model in Rust: `Models::bind(\"{name}\", Model::pure(...))`. `compile` writes the \
         instance without it",
        ports.join("`, `")
    )
}

impl<'a> Elaborator<'a> {
    /// Creates the state of an instance that has a model, and the outputs that depend on the state alone.
    pub(crate) fn declare_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let Some(model) = self.bound.get(&(scope, view.id)).cloned() else {
            return Ok(());
        };
        let Some(state) = &model.state else {
            return Ok(());
        };
        let (variable, term) = self.variable(state.first.width());
        self.model_states.insert((scope, view.id), variable);
        if state.is_moore {
            self.call_model(scope, view, &model, term, Vec::new())?;
        }
        Ok(())
    }

    /// Creates the outputs that also depend on inputs.
    pub(crate) fn make_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let Some(model) = self.bound.get(&(scope, view.id)).cloned() else {
            return self.fail(view, "it has no model");
        };
        let inputs = self.model_inputs(scope, view)?;
        let state = match self.model_states.get(&(scope, view.id)).copied() {
            Some(variable) => {
                let width = self.variable_width(variable);
                self.terms.variable(variable, width)
            }
            None => self.number(0, 0),
        };
        self.call_model(scope, view, &model, state, inputs)
    }

    pub(crate) fn model_inputs(
        &mut self,
        scope: usize,
        view: View<'a>,
    ) -> Result<Vec<TermId>, Failed> {
        let mut inputs = Vec::new();
        for operand in view.operands() {
            match self.net(view, (scope, operand))? {
                Net::Clock(_) => {}
                Net::Memory(_) | Net::Term(_) | Net::Array(_) => {
                    inputs.push(self.term(scope, view, operand)?);
                }
            }
        }
        Ok(inputs)
    }

    pub(crate) fn call_model(
        &mut self,
        scope: usize,
        view: View<'a>,
        model: &Model,
        state: TermId,
        mut inputs: Vec<TermId>,
    ) -> Result<(), Failed> {
        let mut variables = Vec::new();
        for result in view.results() {
            let Some(width_bits) = aggregates::width_bits(self.context, view.ty(*result)) else {
                return self.fail(view, "outputs of a model are words");
            };
            let (variable, term) = self.variable(width_bits);
            variables.push(variable);
            self.nets.insert((scope, *result), Net::Term(term));
        }
        inputs.insert(0, state);
        let outputs = Arc::clone(&model.outputs);
        self.calls.push(Call {
            variables,
            inputs,
            function: Arc::new(move |given| outputs(&given[0], &given[1..])),
        });
        Ok(())
    }

    /// Connects the next state of a model.
    pub(crate) fn connect_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let Some(variable) = self.model_states.remove(&(scope, view.id)) else {
            return Ok(());
        };
        let model = self.bound.get(&(scope, view.id)).cloned();
        let Some(state) = model.and_then(|model| model.state) else {
            return Ok(());
        };
        let names = hw::instance_inputs(view);
        let at = names.iter().position(|name| *name == state.clock);
        let Some(operand) = at.and_then(|at| view.operands().nth(at)) else {
            let message = format!(
                "its model has the clock `{}`; inputs are `{}`",
                state.clock,
                names.join("`, `")
            );
            return self.fail(view, message);
        };
        let clock = self.clock_net(scope, view, operand)?;
        let width_bits = state.first.width();
        let mut inputs = self.model_inputs(scope, view)?;
        inputs.insert(0, self.terms.variable(variable, width_bits));
        let (next, term) = self.variable(width_bits);
        let function = Arc::clone(&state.next);
        self.calls.push(Call {
            variables: vec![next],
            inputs,
            function: Arc::new(move |given| vec![function(&given[0], &given[1..])]),
        });
        let enable = self.rise(clock);
        self.registers
            .push(Register::hidden(variable, term, enable, state.first));
        Ok(())
    }
}
