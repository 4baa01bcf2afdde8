//! Models of modules that are written elsewhere: what a `hw.module.extern` computes, as functions in Rust.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_ir::algebra::TermId;
use sluice_ir::bits::Bits;

/// Outputs, in the order of the ports, from the state and the inputs without clocks.
pub type Outputs = Arc<dyn Fn(&Bits, &[Bits]) -> Vec<Bits> + Send + Sync>;

/// The next state from the state and the inputs without clocks.
pub type Next = Arc<dyn Fn(&Bits, &[Bits]) -> Bits + Send + Sync>;

/// What a function of a flattened module gives for its inputs.
pub type Computed = Arc<dyn Fn(&[Bits]) -> Vec<Bits> + Send + Sync>;

/// What a module does.
#[derive(Clone)]
pub struct Model {
    pub(super) outputs: Outputs,
    pub(super) state: Option<State>,
}

#[derive(Clone)]
pub(super) struct State {
    pub(super) first: Bits,
    pub(super) clock: String,
    pub(super) next: Next,
    /// Whether outputs follow from the state alone.
    pub(super) is_moore: bool,
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
