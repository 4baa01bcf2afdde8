//! Models of extern modules: the behaviour of a `hw.module.extern` as functions in Rust.

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_ir::algebra::TermId;
use sluice_ir::bits::Bits;

/// Computes the outputs, in port order, from the state and the inputs without clocks.
pub type Outputs = Arc<dyn Fn(&Bits, &[Bits]) -> Vec<Bits> + Send + Sync>;

/// Computes the next state from the state and the inputs without clocks.
pub type Next = Arc<dyn Fn(&Bits, &[Bits]) -> Bits + Send + Sync>;

/// Computes values of a flattened module from its inputs.
pub type Computed = Arc<dyn Fn(&[Bits]) -> Vec<Bits> + Send + Sync>;

/// The behaviour of an extern module.
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
    /// Whether outputs depend on the state alone.
    pub(super) is_moore: bool,
}

impl Model {
    /// Creates a model whose outputs depend only on the inputs.
    pub fn pure(outputs: impl Fn(&[Bits]) -> Vec<Bits> + Send + Sync + 'static) -> Self {
        Self {
            outputs: Arc::new(move |_, inputs| outputs(inputs)),
            state: None,
        }
    }

    /// Creates a model whose outputs depend only on a state, which is updated at the rising edges of the input called `clock`.
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

    /// Creates a model as [`Model::with_state`], whose outputs also depend on the inputs.
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

    /// Returns whether outputs depend on a state alone, so there is no combinational path from an input.
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
    /// Binds a model to all instances of the extern module of this name.
    pub fn bind(&mut self, module: &str, model: Model) {
        self.by_module.insert(module.to_owned(), model);
    }

    pub(super) fn get(&self, module: &str) -> Option<&Model> {
        self.by_module.get(module)
    }
}

/// Variables that a function computes; results of other widths are truncated or zero-extended.
pub struct Call {
    /// Numbers of the variables.
    pub variables: Vec<u32>,
    /// The arguments of the function.
    pub inputs: Vec<TermId>,
    /// The function.
    pub function: Computed,
}
