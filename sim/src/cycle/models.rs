//! Models of modules that are written elsewhere: what a `hw.module.extern` computes, as functions in Rust.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_dialects::hw;
use sluice_ir::View;
use sluice_ir::algebra::TermId;
use sluice_ir::bits::Bits;

use super::aggregates;
use super::elaborate::{Elaborator, Failed, Net};
use super::flat::Register;

/// Outputs, in the order of the ports, from the state and the inputs without clocks.
pub type Outputs = Arc<dyn Fn(&Bits, &[Bits]) -> Vec<Bits> + Send + Sync>;

/// The next state from the state and the inputs without clocks.
pub type Next = Arc<dyn Fn(&Bits, &[Bits]) -> Bits + Send + Sync>;

/// What a function of a flattened module gives for its inputs.
pub type Computed = Arc<dyn Fn(&[Bits]) -> Vec<Bits> + Send + Sync>;

/// What a module does.
#[derive(Clone)]
pub struct Model {
    outputs: Outputs,
    state: Option<State>,
}

#[derive(Clone)]
struct State {
    first: Bits,
    clock: String,
    next: Next,
    /// Whether outputs follow from the state alone.
    is_moore: bool,
}

impl Model {
    /// Outputs that follow from the inputs.
    pub fn pure(outputs: impl Fn(&[Bits]) -> Vec<Bits> + Send + Sync + 'static) -> Self {
        Self {
            outputs: Arc::new(move |_, inputs| outputs(inputs)),
            state: None,
        }
    }

    /// Outputs that follow from a state, which is replaced at the rising edges of the input called `clock`.
    pub fn with_state(
        first: Bits,
        clock: &str,
        next: impl Fn(&Bits, &[Bits]) -> Bits + Send + Sync + 'static,
        outputs: impl Fn(&Bits) -> Vec<Bits> + Send + Sync + 'static,
    ) -> Self {
        let mut model = Self::of_both(first, clock, next, move |state, _| outputs(state));
        if let Some(state) = &mut model.state {
            state.is_moore = true;
        }
        model
    }

    /// As [`Model::with_state`], with outputs that follow from the inputs too.
    pub fn of_both(
        first: Bits,
        clock: &str,
        next: impl Fn(&Bits, &[Bits]) -> Bits + Send + Sync + 'static,
        outputs: impl Fn(&Bits, &[Bits]) -> Vec<Bits> + Send + Sync + 'static,
    ) -> Self {
        Self {
            outputs: Arc::new(outputs),
            state: Some(State {
                first,
                clock: clock.to_owned(),
                next: Arc::new(next),
                is_moore: false,
            }),
        }
    }

    /// Whether outputs follow from a state alone, and from no input in the same moment.
    pub(super) fn follows_from_state(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.is_moore)
    }
}

/// Models by the name of their modules.
#[derive(Clone, Default)]
pub struct Models {
    by_module: BTreeMap<String, Model>,
}

impl Models {
    /// Instances of the extern module of that name behave so.
    pub fn bind(&mut self, module: &str, model: Model) {
        self.by_module.insert(module.to_owned(), model);
    }

    pub(super) fn get(&self, module: &str) -> Option<&Model> {
        self.by_module.get(module)
    }
}

/// Variables that a function gives; results of other widths are cut or filled with zeros.
pub struct Call {
    /// Numbers of the variables.
    pub variables: Vec<u32>,
    /// What it is given.
    pub inputs: Vec<TermId>,
    /// The function.
    pub function: Computed,
}

/// The ports of an extern module and how a model is bound, for messages.
pub(super) fn missing(module: View<'_>, name: &str) -> String {
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
    /// The state of an instance that has a model; what follows from it alone.
    pub(super) fn declare_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
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

    /// Outputs that follow from inputs too.
    pub(super) fn make_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
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

    fn model_inputs(&mut self, scope: usize, view: View<'a>) -> Result<Vec<TermId>, Failed> {
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

    fn call_model(
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

    /// What the state of a model takes over.
    pub(super) fn connect_model(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
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
