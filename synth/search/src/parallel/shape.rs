//! Input of the search: the kernel's loops with their multiplications, and the indices of its arrays.

use std::collections::BTreeMap;

use sluice_dialects::sluice::{BANKS, JAM, LOOP};
use sluice_dialects::{arith, memref, scf, sluice};
use sluice_ir::algebra::FloatOp;
use sluice_ir::{Body, Context, Diagnostics, Exact, Module, OperationId, ValueId, View};
use sluice_transform::{index_form, mean_trip_count, trip_count};

/// A loop of the kernel.
pub(super) struct LoopShape {
    pub(super) op: OperationId,
    /// Name of the loop counter.
    pub(super) name: String,
    /// Index of the enclosing loop.
    pub(super) parent: Option<usize>,
    /// Mean number of iterations; 0 if unknown.
    pub(super) trip_count: Exact,
    /// True if each run of the loop has this number of iterations.
    pub(super) is_constant: bool,
    /// Number of multiplications directly in its body, after loop-invariant code motion.
    pub(super) n_multiplications: i64,
    pub(super) is_innermost: bool,
    /// True if the user gave a directive, which is kept.
    pub(super) is_fixed: bool,
}

/// An access. For each dimension, the loops whose counters are in the index, with their coefficients; `None` if the index is not
/// a linear sum of counters.
pub(super) struct AccessShape {
    pub(super) array: usize,
    pub(super) writes: bool,
    /// The innermost enclosing loop.
    pub(super) around: Option<usize>,
    pub(super) dims: Vec<Option<Vec<(usize, i64)>>>,
    /// Key that identifies the accessed cell: the index expressions as text.
    pub(super) cell: String,
}

/// An array that may be split into banks.
pub(super) struct ArrayShape {
    pub(super) value: ValueId,
    pub(super) name: String,
    pub(super) sizes: Vec<i64>,
    /// True if the user gave banks, or if it has users other than accesses.
    pub(super) is_fixed: bool,
}

/// The loops, arrays and accesses of a kernel.
pub(super) struct Shape {
    pub(super) loops: Vec<LoopShape>,
    pub(super) arrays: Vec<ArrayShape>,
    pub(super) accesses: Vec<AccessShape>,
}

impl Shape {
    /// Returns a loop and the loops around it, outermost first.
    pub(super) fn path(&self, number: usize) -> Vec<usize> {
        let mut path: Vec<usize> =
            std::iter::successors(Some(number), |n| self.loops[*n].parent).collect();
        path.reverse();
        path
    }

    /// Returns whether `inner` is `outer` or a loop inside it.
    pub(super) fn is_inside(&self, inner: usize, outer: usize) -> bool {
        std::iter::successors(Some(inner), |n| self.loops[*n].parent).any(|n| n == outer)
    }
}

/// Reads a kernel; `None` if the trial without copies does not compile, or a loop is not an `scf.for`.
pub(super) fn shape(
    context: &Context,
    module: &Module,
    function: OperationId,
    unflattened: &dyn Fn(&mut Module, &mut Diagnostics),
) -> Option<Shape> {
    let body = module.inner().inner(function);
    let ops: Vec<OperationId> = body
        .walk_all()
        .into_iter()
        .filter(|op| View::new(context, body, *op).name() == scf::For::NAME)
        .collect();
    let number_of: BTreeMap<OperationId, usize> =
        ops.iter().enumerate().map(|(n, op)| (*op, n)).collect();
    let mut loops = Vec::new();
    let mut counters = BTreeMap::new();
    for (number, op) in ops.iter().enumerate() {
        let variable = body.arguments(body.entry_block(*op, 0)?)[0];
        counters.insert(variable, number);
        let name = body.value_name(variable).map(|name| context.text(name));
        let around =
            std::iter::successors(body.parent_operation(*op), |op| body.parent_operation(*op));
        let inside = body.walk(*op).into_iter();
        loops.push(LoopShape {
            op: *op,
            name: name.map_or_else(|| format!("loop{number}"), str::to_owned),
            parent: around.filter_map(|op| number_of.get(&op).copied()).next(),
            trip_count: mean_trip_count(context, body, *op).unwrap_or_default(),
            is_constant: trip_count(context, body, *op).is_some(),
            n_multiplications: 0,
            is_innermost: inside.filter(|inner| number_of.contains_key(inner)).count()
                == usize::from(body.walk(*op).contains(op)),
            is_fixed: [JAM, sluice::UNROLL]
                .iter()
                .any(|key| body.attribute_named(context, *op, key).is_some()),
        });
    }
    count_multiplications(context, module, function, &ops, &mut loops, unflattened)?;
    let (arrays, accesses) = accesses(context, module, function, &number_of, &counters);
    Some(Shape {
        loops,
        arrays,
        accesses,
    })
}

/// Returns whether an operation is a product of integers or floats.
fn is_product(view: View<'_>) -> bool {
    match view.name() {
        arith::Muli::NAME => !view.ty(view.result(0)).is_index(view.context),
        sluice::Float::NAME => {
            let operation = view.with_site(sluice::float_operation);
            operation.is_some_and(|(op, _)| matches!(op, FloatOp::Mul | FloatOp::Fma))
        }
        _ => false,
    }
}

/// Counts the multiplications in each loop after loop-invariant code motion.
fn count_multiplications(
    context: &Context,
    module: &Module,
    function: OperationId,
    ops: &[OperationId],
    loops: &mut [LoopShape],
    unflattened: &dyn Fn(&mut Module, &mut Diagnostics),
) -> Option<()> {
    let mut trial = module.clone();
    let body = trial.inner_mut().inner_mut(function);
    for (number, op) in (0..).zip(ops) {
        body.set_attribute(*op, context.name(LOOP), context.i64_attribute(number));
    }
    let mut found = Diagnostics::new();
    unflattened(&mut trial, &mut found);
    if found.has_errors() {
        return None;
    }
    let body = trial.inner().inner(function);
    for op in body.walk_all() {
        if !is_product(View::new(context, body, op)) {
            continue;
        }
        let mut around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        let number = around.find_map(|op| body.attribute_named(context, op, LOOP)?.as_i64(context));
        let known = number
            .and_then(|n| usize::try_from(n).ok())
            .and_then(|n| loops.get_mut(n));
        if let Some(known) = known {
            known.n_multiplications += 1;
        }
    }
    Some(())
}

fn accesses(
    context: &Context,
    module: &Module,
    function: OperationId,
    number_of: &BTreeMap<OperationId, usize>,
    counters: &BTreeMap<ValueId, usize>,
) -> (Vec<ArrayShape>, Vec<AccessShape>) {
    let inner = module.inner();
    let body = inner.inner(function);
    let mut arrays: Vec<ArrayShape> = Vec::new();
    let mut accesses = Vec::new();
    for op in body.walk_all() {
        let (memory, first, writes) = match View::new(context, body, op).name() {
            memref::Load::NAME => (0, 1, false),
            memref::Store::NAME => (1, 2, true),
            _ => continue,
        };
        let value = body.operand(op, memory);
        let known = arrays.iter().position(|array| array.value == value);
        let array = known.unwrap_or_else(|| {
            let number = arrays.len();
            arrays.push(array_shape(context, inner, function, body, value, number));
            number
        });
        let forms: Vec<_> = body
            .operands(op)
            .skip(first)
            .map(|index| index_form(context, body, index))
            .collect();
        let dims = forms.iter().map(|(terms, _)| {
            let known = terms
                .iter()
                .map(|(value, coefficient)| Some((*counters.get(value)?, *coefficient)));
            known.collect()
        });
        let mut around =
            std::iter::successors(body.parent_operation(op), |op| body.parent_operation(*op));
        accesses.push(AccessShape {
            array,
            writes,
            around: around.find_map(|op| number_of.get(&op).copied()),
            dims: dims.collect(),
            cell: format!("{forms:?}"),
        });
    }
    (arrays, accesses)
}

fn array_shape(
    context: &Context,
    inner: &Body,
    function: OperationId,
    body: &Body,
    value: ValueId,
    number: usize,
) -> ArrayShape {
    let made = body.defining_operation(value);
    let name = body.value_name(value).map(|name| context.text(name));
    let asked = match made {
        Some(op) => body.attribute_named(context, op, BANKS).is_some(),
        None => is_asked(context, inner, function, body, value),
    };
    let is_memory =
        made.is_none_or(|op| View::new(context, body, op).name() == memref::Alloca::NAME);
    let mut users = body.uses(value);
    let is_accessed_only = users.all(|(user, operand)| {
        matches!(
            (View::new(context, body, user).name(), operand),
            (memref::Load::NAME, 0) | (memref::Store::NAME, 1)
        )
    });
    let shape = body.ty(value).static_shape(context).unwrap_or_default();
    ArrayShape {
        value,
        name: name.map_or_else(|| format!("memory{number}"), str::to_owned),
        sizes: shape
            .into_iter()
            .filter_map(|n| i64::try_from(n).ok())
            .collect(),
        is_fixed: asked || !is_memory || !is_accessed_only,
    }
}

/// Returns whether the user gave banks for an argument.
fn is_asked(
    context: &Context,
    inner: &Body,
    function: OperationId,
    body: &Body,
    value: ValueId,
) -> bool {
    let attributes = inner.attribute_named(context, function, "arg_attrs");
    let attributes = attributes.and_then(|a| a.as_array(context));
    let entry = inner.entry_block(function, 0);
    let position = entry.and_then(|entry| body.arguments(entry).iter().position(|v| *v == value));
    position
        .and_then(|position| attributes?.get(position)?.as_dictionary(context))
        .is_some_and(|own| own.iter().any(|(name, _)| context.text(*name) == BANKS))
}
