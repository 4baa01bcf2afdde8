//! Common code of the builders that `dialect!` generates.

use smallvec::SmallVec;

use crate::body::NewOperation;
use crate::builder::Builder;
use crate::context::Context;
use crate::definition::{OperationDefinition, Site, Traits};
use crate::ids::{Attribute, BlockId, Name, OperationId, Type, ValueId};

/// Creates a declared operation: operands, results and successors by group, attributes by name.
///
/// `results` is `None` if the declaration infers them.
///
/// # Panics
/// If the operands do not fit an `infer` function: an error of the caller, who requests an invalid operation.
pub fn build(
    builder: &mut Builder<'_>,
    definition: &'static OperationDefinition,
    operands: &[&[ValueId]],
    attributes: &[(&str, Option<Attribute>)],
    results: Option<&[&[Type]]>,
    successors: &[&[BlockId]],
    n_regions: usize,
) -> OperationId {
    let context = builder.context;
    let sizes = |groups: &mut dyn Iterator<Item = usize>| {
        let sizes: Vec<i32> = groups
            .map(|n| i32::try_from(n).expect("fewer than 2^31 operands"))
            .collect();
        context.dense_i32_array(&sizes)
    };
    let mut new = NewOperation::new(context.operation_name_of(definition), builder.location);
    new.operands = operands.iter().copied().flatten().copied().collect();
    new.successors = successors.iter().copied().flatten().copied().collect();
    new.n_regions = n_regions;
    new.attributes = attributes
        .iter()
        .filter_map(|(name, a)| a.map(|a| (context.name(name), a)))
        .collect();
    if definition.has(Traits::ATTR_SIZED_OPERAND_SEGMENTS) {
        let sizes = sizes(&mut operands.iter().map(|g| g.len()));
        new.attributes
            .push((context.name("operandSegmentSizes"), sizes));
    }
    new.result_types = match results {
        Some(groups) => {
            if definition.has(Traits::ATTR_SIZED_RESULT_SEGMENTS) {
                let sizes = sizes(&mut groups.iter().map(|g| g.len()));
                new.attributes
                    .push((context.name("resultSegmentSizes"), sizes));
            }
            groups.iter().copied().flatten().copied().collect()
        }
        None => infer(builder, definition, &new),
    };
    builder.create(new)
}

fn infer(
    builder: &Builder<'_>,
    definition: &OperationDefinition,
    new: &NewOperation,
) -> SmallVec<[Type; 2]> {
    let operand_types: Vec<Type> = new.operands.iter().map(|v| builder.body.ty(*v)).collect();
    match definition.infer {
        Some(infer) => {
            let site = Site {
                context: builder.context,
                operand_types: &operand_types,
                result_types: &[],
                attributes: &new.attributes,
            };
            infer(site).unwrap_or_else(|why| panic!("`{}` cannot be built: {why}", definition.name))
        }
        None => operand_types.first().copied().into_iter().collect(),
    }
}

/// Creates a declared operation from all its operands, result types and attributes.
pub fn build_generic(
    builder: &mut Builder<'_>,
    definition: &'static OperationDefinition,
    operands: &[ValueId],
    result_types: &[Type],
    attributes: &[(Name, Attribute)],
    n_regions: usize,
) -> OperationId {
    let context = builder.context;
    let mut new = NewOperation::new(context.operation_name_of(definition), builder.location);
    new.operands = operands.iter().copied().collect();
    new.result_types = result_types.iter().copied().collect();
    new.attributes = attributes.to_vec();
    new.n_regions = n_regions;
    builder.create(new)
}

/// Returns the attribute that holds the sizes of groups of operands.
pub fn sizes(context: &Context, groups: &[&[ValueId]]) -> Attribute {
    let sizes = groups.iter().map(|group| i32::try_from(group.len()));
    let sizes: Result<Vec<i32>, _> = sizes.collect();
    context.dense_i32_array(&sizes.expect("fewer than 2^31 operands"))
}
