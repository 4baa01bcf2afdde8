//! `lower-linalg`: structured operations on memrefs become nests of loops.
//!
//! The loops are in the order of the operation, so sums of floats are in the order that the interpreter uses. Each has the name of
//! its dimension for directives, reports and signals: `m`, `n` and `k` of a product of matrices, `d0` and `d1` of `linalg.generic`.

use sluice_dialects::linalg::{self, Structured};
use sluice_dialects::{affine, memref, scf};
use sluice_ir::affine::AffineMap;
use sluice_ir::types::Dimension;
use sluice_ir::{
    Body, Builder, Context, Diagnostics, InsertionPoint, Module, NewOperation, OperationId,
    TypeKind, ValueId, View,
};

use super::lower_affine::expand;
use crate::build::constant;

/// The loops that a structured operation becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructuredLoops {
    /// `affine.for`, `affine.load` and `affine.store`.
    Affine,
    /// `scf.for`, `memref.load` and `memref.store`.
    Scf,
}

/// Returns true if there is a structured operation.
pub fn has_structured(context: &Context, module: &Module) -> bool {
    fn within(context: &Context, body: &Body) -> bool {
        body.walk_all().into_iter().any(|op| {
            let view = View::new(context, body, op);
            linalg::is_structured(view) || body.is_isolated(op) && within(context, view.inner())
        })
    }
    within(context, module.inner())
}

/// Lowers every structured operation of the body.
pub fn lower_linalg(
    context: &Context,
    body: &mut Body,
    loops: StructuredLoops,
    diagnostics: &mut Diagnostics,
) {
    for op in body.walk_all() {
        let view = View::new(context, body, op);
        if linalg::is_structured(view)
            && let Err(message) = lower(context, body, op, loops)
        {
            let view = View::new(context, body, op);
            diagnostics.error(view.location(), format!("`{}` {message}", view.name()));
        }
    }
}

fn lower(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    loops: StructuredLoops,
) -> Result<(), String> {
    let view = View::new(context, body, op);
    let structured = Structured::of(view).ok_or("has no loops that its operands give")?;
    if !view.results().is_empty() {
        return Err("works on tensors; only operations on memrefs become loops".to_owned());
    }
    let extents = structured.extents(view).into_iter();
    let extents = extents.collect::<Option<Vec<_>>>();
    let extents = extents.ok_or("has a loop that is no subscript of an operand")?;
    let operands: Vec<ValueId> = view.operands().collect();
    let block = view.entry_block(0).ok_or("has no region")?;
    let arguments = view.inner().arguments(block).to_vec();
    let mut builder = Builder::before(context, body, op);
    let mut variables = Vec::new();
    for ((source, dim, size), name) in extents.into_iter().zip(&structured.names) {
        let source = operands[source];
        let (inner, variable) = match loops {
            StructuredLoops::Affine => affine_loop(&mut builder, source, dim, size),
            StructuredLoops::Scf => scf_loop(&mut builder, source, dim, size),
        };
        builder
            .body
            .set_value_name(variable, Some(context.name(name)));
        builder.point = inner;
        variables.push(variable);
    }
    let accesses = Accesses {
        loops,
        variables: &variables,
    };
    let maps = structured.maps.iter();
    let places: Vec<(ValueId, &AffineMap)> = operands.iter().copied().zip(maps).collect();
    for (argument, (operand, map)) in arguments.iter().zip(&places) {
        if !builder.body.is_unused(*argument) {
            let word = accesses.load(&mut builder, *operand, map);
            builder.body.replace_all_uses(*argument, word);
        }
    }
    let inside: Vec<OperationId> = builder.body.operations(block).collect();
    let (last, inside) = inside.split_last().ok_or("has an empty region")?;
    for op in inside {
        builder.body.detach(*op);
        builder.insert(*op);
        let view = View::new(context, builder.body, *op);
        if view.is(linalg::Index::DEFINITION) {
            let dim = view.attribute("dim").and_then(|dim| dim.as_i64(context));
            let dim = dim.and_then(|dim| usize::try_from(dim).ok()).unwrap_or(0);
            let result = view.result(0);
            builder.body.replace_all_uses(result, variables[dim]);
            builder.body.erase(*op);
        }
    }
    let values: Vec<ValueId> = builder.body.operands(*last).collect();
    for (value, (operand, map)) in values.into_iter().zip(&places[structured.n_inputs..]) {
        accesses.store(&mut builder, value, *operand, map);
    }
    body.erase(op);
    Ok(())
}

/// Creates an `affine.for` over a dimension of `source` at the insertion point; returns the place before its terminator, and its
/// counter.
fn affine_loop(
    builder: &mut Builder<'_>,
    source: ValueId,
    dim: usize,
    size: Dimension,
) -> (InsertionPoint, ValueId) {
    let context = builder.context;
    let mut new = NewOperation::new(context.operation_name(affine::For::NAME), builder.location);
    let upper = match size {
        Some(size) => AffineMap::constant(i64::try_from(size).unwrap_or(i64::MAX)),
        None => {
            new.operands.push(size_of(builder, source, dim));
            AffineMap::symbol_identity()
        }
    };
    let n_upper = i32::from(size.is_none());
    for (name, attribute) in [
        (
            "lowerBoundMap",
            context.affine_map_attribute(AffineMap::constant(0)),
        ),
        ("upperBoundMap", context.affine_map_attribute(upper)),
        ("step", context.index_attribute(1)),
        (
            "operandSegmentSizes",
            context.dense_i32_array(&[0, n_upper, 0]),
        ),
    ] {
        new.attributes.push((context.name(name), attribute));
    }
    inside(builder, new, affine::Yield::NAME)
}

fn scf_loop(
    builder: &mut Builder<'_>,
    source: ValueId,
    dim: usize,
    size: Dimension,
) -> (InsertionPoint, ValueId) {
    let context = builder.context;
    let index = context.index_type();
    let zero = constant(builder, index, 0);
    let upper = match size {
        Some(size) => constant(builder, index, i64::try_from(size).unwrap_or(i64::MAX)),
        None => size_of(builder, source, dim),
    };
    let one = constant(builder, index, 1);
    let mut new = NewOperation::new(context.operation_name(scf::For::NAME), builder.location);
    new.operands.extend([zero, upper, one]);
    inside(builder, new, scf::Yield::NAME)
}

/// Creates a loop without carried values.
fn inside(
    builder: &mut Builder<'_>,
    mut new: NewOperation,
    terminator: &str,
) -> (InsertionPoint, ValueId) {
    new.n_regions = 1;
    let made = builder.create(new);
    let block = builder.body.append_block(builder.body.regions(made)[0]);
    let index = builder.context.index_type();
    let variable = builder.body.add_argument(block, index, builder.location);
    builder.point = InsertionPoint::End(block);
    let last = builder.operation(terminator, &[], &[], &[]);
    (InsertionPoint::Before(last), variable)
}

/// Returns the size of a dimension that is only known at run time.
fn size_of(builder: &mut Builder<'_>, source: ValueId, dim: usize) -> ValueId {
    let index = builder.context.index_type();
    let dim = constant(builder, index, i64::try_from(dim).unwrap_or(i64::MAX));
    let op = builder.operation(memref::Dim::NAME, &[source, dim], &[index], &[]);
    builder.body.result(op, 0)
}

/// Loads and stores at the current iteration.
struct Accesses<'a> {
    loops: StructuredLoops,
    variables: &'a [ValueId],
}

impl Accesses<'_> {
    /// Returns the word of an operand: the operand itself if it is a scalar.
    fn load(&self, builder: &mut Builder<'_>, memory: ValueId, map: &AffineMap) -> ValueId {
        let context = builder.context;
        let TypeKind::MemRef { element, .. } = builder.body.ty(memory).kind(context) else {
            return memory;
        };
        let element = *element;
        let op = self.access(builder, &[memory], map, Some(element));
        builder.body.result(op, 0)
    }

    fn store(&self, builder: &mut Builder<'_>, word: ValueId, memory: ValueId, map: &AffineMap) {
        self.access(builder, &[word, memory], map, None);
    }

    fn access(
        &self,
        builder: &mut Builder<'_>,
        first: &[ValueId],
        map: &AffineMap,
        word: Option<sluice_ir::Type>,
    ) -> OperationId {
        let context = builder.context;
        let mut operands = first.to_vec();
        match self.loops {
            StructuredLoops::Affine => {
                operands.extend_from_slice(self.variables);
                let name = match word {
                    Some(_) => affine::Load::NAME,
                    None => affine::Store::NAME,
                };
                let map = context.affine_map_attribute(map.clone());
                builder.operation(name, &operands, word.as_slice(), &[("map", map)])
            }
            StructuredLoops::Scf => {
                let subscripts = map.results.iter();
                let subscripts = subscripts.map(|e| expand(builder, e, self.variables, &[]));
                operands.extend(subscripts.collect::<Vec<_>>());
                let name = match word {
                    Some(_) => memref::Load::NAME,
                    None => memref::Store::NAME,
                };
                builder.operation(name, &operands, word.as_slice(), &[])
            }
        }
    }
}
