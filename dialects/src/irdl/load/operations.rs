//! Checks of the operations of a loaded dialect: number of values, attributes, types, regions.

use sluice_ir::definition::Arity;
use sluice_ir::text::print_attribute;
use sluice_ir::{AttributeKind, Diagnostics, Type, View};

use super::program::{Constraint, Run};

/// Operands or results: for each group, the number of its values and the constraint on their types.
#[derive(Default)]
pub(super) struct Values {
    pub(super) arities: Vec<Arity>,
    pub(super) variables: Vec<usize>,
}

/// One region.
pub(super) struct Region {
    /// Constraints on the types of its arguments, if the definition states them.
    pub(super) arguments: Option<Vec<usize>>,
    /// Number of its blocks, if the definition states it.
    pub(super) n_blocks: Option<usize>,
}

/// The constraints on an operation.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) constraints: Vec<Constraint>,
    pub(super) operands: Values,
    pub(super) results: Values,
    /// Name and constraint.
    pub(super) attributes: Vec<(String, usize)>,
    pub(super) regions: Vec<Region>,
}

/// An error at the operation, or at a location in it.
struct Broken {
    location: sluice_ir::Location,
    message: String,
}

impl Checks {
    /// Reports the errors of an operation: one for itself and one for its regions.
    pub(super) fn verify(&self, view: View<'_>, diagnostics: &mut Diagnostics) {
        let mut run = Run::new(view.context, &self.constraints);
        if let Err(message) = self.values_and_attributes(view, &mut run) {
            diagnostics.error(view.location(), message);
        }
        if let Err(Broken { location, message }) = self.regions(view, &mut run) {
            let error = diagnostics.error(location, message);
            if location != view.location() {
                error.note(view.location(), "see the operation");
            }
        }
    }

    fn values_and_attributes(&self, view: View<'_>, run: &mut Run<'_>) -> Result<(), String> {
        let operands = self
            .operands
            .sizes(view, "operand", view.operands().len())?;
        let results = self.results.sizes(view, "result", view.results().len())?;
        for (name, variable) in &self.attributes {
            let Some(attribute) = view.attribute(name) else {
                let name = print_attribute(view.context, view.context.string_attribute(name));
                let op = view.name();
                return Err(format!(
                    "'{op}' op attribute {name} is expected but not provided"
                ));
            };
            run.check(*variable, attribute)?;
        }
        self.operands
            .types(view, &operands, view.operand_types(), run)?;
        self.results.types(view, &results, view.result_types(), run)
    }

    fn regions(&self, view: View<'_>, run: &mut Run<'_>) -> Result<(), Broken> {
        let here = view.location();
        let broken = |location, message| Err(Broken { location, message });
        let n_regions = view.regions().len();
        if n_regions != self.regions.len() {
            let message = format!(
                "'{}' op unexpected number of regions: expected {} but got {n_regions}",
                view.name(),
                self.regions.len()
            );
            return broken(here, message);
        }
        let body = view.inner();
        for (index, (wanted, region)) in self.regions.iter().zip(view.regions()).enumerate() {
            let blocks = body.blocks(*region);
            if let Some(n_blocks) = wanted.n_blocks.filter(|n| *n != blocks.len()) {
                let message = format!(
                    "expected region {index} to have {n_blocks} block(s) but got {}",
                    blocks.len()
                );
                return broken(here, message);
            }
            let Some(variables) = &wanted.arguments else {
                continue;
            };
            let arguments = blocks.first().map(|entry| body.arguments(*entry));
            let arguments = arguments.unwrap_or_default();
            if arguments.len() != variables.len() {
                let first = arguments.first();
                let message = format!(
                    "expected region {index} to have {} arguments but got {}",
                    variables.len(),
                    arguments.len()
                );
                return broken(
                    first.map_or(here, |value| body.value_location(*value)),
                    message,
                );
            }
            for (variable, argument) in variables.iter().zip(arguments) {
                let ty = view.context.type_attribute(body.ty(*argument));
                if let Err(message) = run.check(*variable, ty) {
                    return broken(body.value_location(*argument), message);
                }
            }
        }
        Ok(())
    }
}

impl Values {
    /// Returns the number of values of each group, from `n_found` values.
    fn sizes(&self, view: View<'_>, what: &str, n_found: usize) -> Result<Vec<usize>, String> {
        let n_groups = self.arities.len();
        let n_single = self.arities.iter().filter(|a| **a == Arity::Single).count();
        match n_groups - n_single {
            0 if n_found != n_groups => Err(format!(
                "op expects exactly {n_groups} {what}s, but got {n_found}"
            )),
            0 => Ok(vec![1; n_groups]),
            1 => {
                let Some(rest) = n_found.checked_sub(n_single) else {
                    return Err(format!(
                        "op expects at least {n_single} {what}s, but got {n_found}"
                    ));
                };
                if rest > 1 && self.arities.contains(&Arity::Optional) {
                    return Err(format!(
                        "op expects at most {n_groups} {what}s, but got {n_found}"
                    ));
                }
                let size = |arity: &Arity| if *arity == Arity::Single { 1 } else { rest };
                Ok(self.arities.iter().map(size).collect())
            }
            _ => self.written_sizes(view, what, n_found),
        }
    }

    /// Returns the group sizes in the attribute `operand_segment_sizes` (or in that of the results).
    fn written_sizes(
        &self,
        view: View<'_>,
        what: &str,
        n_found: usize,
    ) -> Result<Vec<usize>, String> {
        let name = format!("{what}_segment_sizes");
        let context = view.context;
        let Some(attribute) = view.attribute(&name) else {
            return Err(format!("'{name}' attribute is expected but not provided"));
        };
        let written = match attribute.kind(context) {
            AttributeKind::DenseArray { element, .. }
                if element.is_signless_integer(context)
                    && element.integer_width_bits(context) == Some(32) =>
            {
                attribute.as_dense_array_i64(context)
            }
            _ => None,
        };
        let Some(written) = written else {
            return Err(format!(
                "'{name}' attribute is expected to be a dense i32 array"
            ));
        };
        let speaks = format!("'{name}' attribute for specifying {what} segments must have");
        if written.len() != self.arities.len() {
            return Err(format!(
                "{speaks} {} elements, but got {}",
                self.arities.len(),
                written.len()
            ));
        }
        let mut sizes = Vec::new();
        for (i, (size, arity)) in written.iter().zip(&self.arities).enumerate() {
            let wanted = match arity {
                _ if *size < 0 => return Err(format!("{speaks} non-negative values")),
                Arity::Single if *size != 1 => "1",
                Arity::Optional if *size > 1 => "0 or 1",
                _ => {
                    sizes.push(usize::try_from(*size).unwrap_or(usize::MAX));
                    continue;
                }
            };
            return Err(format!(
                "element {i} in '{name}' attribute must be equal to {wanted}"
            ));
        }
        if sizes.iter().copied().fold(0, usize::saturating_add) != n_found {
            return Err(format!(
                "sum of elements in '{name}' attribute must be equal to the number of {what}s"
            ));
        }
        Ok(sizes)
    }

    /// Checks the types of the values against the constraints of their groups.
    fn types(
        &self,
        view: View<'_>,
        sizes: &[usize],
        mut types: impl Iterator<Item = Type>,
        run: &mut Run<'_>,
    ) -> Result<(), String> {
        for (variable, size) in self.variables.iter().zip(sizes) {
            for ty in types.by_ref().take(*size) {
                run.check(*variable, view.context.type_attribute(ty))?;
            }
        }
        Ok(())
    }
}
