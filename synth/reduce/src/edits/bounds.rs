//! Edits of bounds and steps of `affine.for`, which are attributes. Those of `scf.for` are constants, which have their own edits.

use sluice_dialects::affine;
use sluice_ir::affine::AffineMap;
use sluice_ir::{Body, Context, Module, OperationId, ValueId, View};

use super::Edit;
use super::operations::outer_first;
use super::place::{functions, of_body, rebuild};

/// A change of a loop.
#[derive(Clone, Copy)]
enum Less {
    /// The lower bound becomes this constant.
    Lower(i64),
    /// The upper bound becomes this constant.
    Upper(i64),
    /// The step becomes 1.
    Step,
}

/// Returns edits of each loop: an upper bound 1, 2 or 4 above the lower one, half-way, or one less; a lower bound of 0; a step of
/// 1.
pub(super) fn bounds(context: &Context, module: &Module) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (function, body) in functions(context, module) {
        for op in outer_first(body) {
            let view = View::new(context, body, op);
            if view.name() != affine::For::NAME {
                continue;
            }
            let bound = |name: &str| {
                let map = view.attribute(name)?.as_affine_map(context)?;
                map.single_constant()
            };
            let (lower, upper) = (bound("lowerBoundMap"), bound("upperBoundMap"));
            let from = lower.unwrap_or(0);
            let mut all = vec![Less::Upper(from + 1), Less::Upper(from + 2)];
            all.push(Less::Upper(from.saturating_add(4)));
            if let Some(upper) = upper {
                all.push(Less::Upper(from.midpoint(upper)));
                all.push(Less::Upper(upper.saturating_sub(1)));
            }
            all.extend([Less::Lower(0), Less::Step]);
            for less in all {
                edits.push(of_body(function, move |context, body| {
                    !body.is_erased(op) && apply(context, body, op, less)
                }));
            }
        }
    }
    edits
}

fn apply(context: &Context, body: &mut Body, op: OperationId, less: Less) -> bool {
    let view = View::new(context, body, op);
    let groups = [0, 1, 2].map(|group| view.operand_group(group).to_vec());
    let [lower, upper, carried] = groups;
    let (name, attribute, lower, upper) = match less {
        Less::Step => {
            let step = view.attribute("step").and_then(|a| a.as_i64(context));
            let name = context.name("step");
            if step.is_none_or(|step| step == 1) {
                return false;
            }
            body.set_attribute(op, name, context.index_attribute(1));
            return true;
        }
        Less::Lower(value) => ("lowerBoundMap", constant(value), Vec::new(), upper),
        Less::Upper(value) => ("upperBoundMap", constant(value), lower, Vec::new()),
    };
    let sizes: Option<Vec<i32>> = [lower.len(), upper.len(), carried.len()]
        .into_iter()
        .map(|n| i32::try_from(n).ok())
        .collect();
    let Some(sizes) = sizes else {
        return false;
    };
    let operands: Vec<ValueId> = [lower, upper, carried].concat();
    let attributes = [
        (name, context.affine_map_attribute(attribute)),
        ("operandSegmentSizes", context.dense_i32_array(&sizes)),
    ];
    // If possible, the operation is changed in place, because other edits refer to it.
    if operands.len() == body.n_operands(op) {
        for (name, attribute) in attributes {
            let name = context.name(name);
            body.set_attribute(op, name, attribute);
        }
    } else {
        rebuild(context, body, op, &operands, |_| true, &attributes);
    }
    true
}

fn constant(value: i64) -> AffineMap {
    AffineMap::constant(value)
}
