//! The region of a named operation, which its name, attributes and types give, so that the text form leaves it out.

use std::collections::BTreeMap;

use sluice_ir::{Attribute, Body, Builder, Context, Type, ValueId, View};

use super::enums::{BINARY_FUNCTIONS, TYPE_FUNCTIONS, UNARY_FUNCTIONS};
use super::named::computation;
use super::scalar::{Computation, Scalar};
use super::structured::word_type;
use super::{Broadcast, Transpose, Yield};

/// How to build the region.
#[derive(Clone, Copy)]
pub(super) struct Implied {
    computation: Computation,
    is_unsigned: bool,
}

impl Implied {
    /// Returns the region of the operation with this full name and these attributes; `None` for operations with regions of their
    /// own.
    pub(super) fn of(
        context: &Context,
        name: &str,
        attribute: impl Fn(&str) -> Option<Attribute>,
    ) -> Option<Self> {
        let function = attribute("fun").and_then(|function| {
            let unary = UNARY_FUNCTIONS.value(context, function);
            unary.or_else(|| BINARY_FUNCTIONS.value(context, function))
        });
        let cast = attribute("cast").and_then(|cast| TYPE_FUNCTIONS.value(context, cast));
        let computation = match name {
            Transpose::NAME | Broadcast::NAME => Computation::Copy,
            _ => computation(name, function)?,
        };
        Some(Self {
            computation,
            is_unsigned: cast == Some(1) || name.ends_with("unsigned"),
        })
    }

    /// Checks the number of operands.
    ///
    /// # Errors
    /// The message.
    pub(super) fn check(self, n_inputs: usize, n_outputs: usize) -> Result<(), String> {
        let wanted = self.computation.n_inputs();
        if (wanted, 1) == (n_inputs, n_outputs) {
            return Ok(());
        }
        let plural = if wanted == 1 { "" } else { "s" };
        Err(format!(
            "expects {wanted} input{plural} and 1 output, found {n_inputs} and {n_outputs}"
        ))
    }

    /// Builds the region with its terminator; the last argument is the word of the output. Returns false if the computation has no
    /// meaning for words of these types.
    pub(super) fn build(self, builder: &mut Builder<'_>, arguments: &[ValueId]) -> bool {
        let mut scalar = Scalar {
            builder,
            is_unsigned: self.is_unsigned,
        };
        let value = arguments
            .split_last()
            .and_then(|(output, inputs)| scalar.compute(self.computation, inputs, *output));
        builder.operation(Yield::NAME, value.as_slice(), &[], &[]);
        value.is_some()
    }
}

/// Returns true if the region of an operation is the one that its text form implies.
pub(super) fn has_implied_region(view: View<'_>) -> bool {
    let context = view.context;
    let Some(implied) = Implied::of(context, view.name(), |name| view.attribute(name)) else {
        return false;
    };
    let types: Vec<Type> = view
        .operand_types()
        .map(|ty| word_type(context, ty))
        .collect();
    let mut wanted = Body::new();
    let region = wanted.add_top_region();
    let block = wanted.append_block(region);
    let location = view.location();
    for ty in &types {
        wanted.add_argument(block, *ty, location);
    }
    let arguments = wanted.arguments(block).to_vec();
    let mut builder = Builder::at_end(context, &mut wanted, block, location);
    if !implied.build(&mut builder, &arguments) {
        return false;
    }
    let Some(found) = view.entry_block(0) else {
        return false;
    };
    let body = view.inner();
    let found_arguments = body.arguments(found);
    if found_arguments.len() != arguments.len() {
        return false;
    }
    let pairs = arguments.into_iter().zip(found_arguments.iter().copied());
    let mut same: BTreeMap<ValueId, ValueId> = pairs.collect();
    let mut found = body.operations(found);
    for op in wanted.operations(block) {
        let Some(other) = found.next() else {
            return false;
        };
        let (op, other) = (
            View::new(context, &wanted, op),
            View::new(context, body, other),
        );
        let operands = op.operands().map(|value| same.get(&value).copied());
        let is_same = op.name() == other.name()
            && operands.eq(other.operands().map(Some))
            && op.result_types().eq(other.result_types())
            && own_attributes(op) == own_attributes(other)
            && other.regions().is_empty();
        if !is_same {
            return false;
        }
        let results = op.results().iter().copied();
        same.extend(results.zip(other.results().iter().copied()));
    }
    found.next().is_none()
}

/// Returns the attributes that are not the default ones.
fn own_attributes(view: View<'_>) -> Vec<(sluice_ir::Name, Attribute)> {
    use sluice_ir::definition::Presence;
    let context = view.context;
    let specs = view.definition().map_or(&[][..], |known| known.attributes);
    let is_default = |name: sluice_ir::Name, attribute: Attribute| {
        specs.iter().any(|spec| match spec.presence {
            Presence::Default(default) => {
                context.text(name) == spec.name && default(context) == attribute
            }
            _ => false,
        })
    };
    let all = view.attributes().iter().copied();
    all.filter(|(name, attribute)| !is_default(*name, *attribute))
        .collect()
}
