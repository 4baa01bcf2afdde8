//! The `affine-loop-fusion` pass: nests over the same points become one nest, where one reads what the other writes, or both read
//! the same.
//!
//! Source: MLIR, `GreedyFusion`. Covers perfect nests of equal constant bounds whose shared elements have the counters as subscripts:
//! these need no more computations, so the tolerance decides nothing. Differs: an operation between the nests that may access the
//! memory keeps them apart.

use sluice_dialects::aliases::{may_alias, may_hold};
use sluice_dialects::{affine, memref};
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::effects::Effects;
use sluice_ir::{BlockId, Body, Builder, Context, OperationId, TypeKind, ValueId, View};

use super::dependence::{Access, accesses};
use super::{Loop, perfect_nest};
use crate::pipeline::Options;

/// Fuses the nests in each block of a body.
pub(crate) fn fuse(context: &Context, body: &mut Body, options: &Options) {
    let (producers, siblings) = (
        !options.is("mode", "sibling"),
        !options.is("mode", "producer"),
    );
    let ops = body.walk_all();
    let mut blocks: Vec<BlockId> = ops.iter().filter_map(|op| body.parent_block(*op)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let phases = [
        (producers, Kind::Producer),
        (siblings, Kind::Sibling),
        (producers, Kind::Producer),
    ];
    for block in blocks {
        for (_, kind) in phases.iter().filter(|(runs, _)| *runs) {
            while fuse_one(context, body, block, *kind) {}
        }
    }
}

/// The reason to fuse two nests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The second one reads what the first one writes.
    Producer,
    /// Both read the same elements.
    Sibling,
}

/// Fuses the first pair of nests of a block that may be fused. Returns true if there is one.
fn fuse_one(context: &Context, body: &mut Body, block: BlockId, kind: Kind) -> bool {
    let mut before: Vec<Nest> = Vec::new();
    let mut pair = None;
    for op in body.operations(block) {
        let Some(nest) = Nest::read(context, body, op) else {
            continue;
        };
        let mut sources = before.iter().rev();
        let source = sources.find(|source| may_fuse(context, body, source, &nest, kind));
        if let Some(source) = source {
            pair = Some((source.clone(), nest));
            break;
        }
        before.push(nest);
    }
    let Some((source, target)) = pair else {
        return false;
    };
    join(context, body, &source, &target);
    true
}

/// A perfect nest with constant bounds, which only loads, stores and computes.
#[derive(Clone)]
struct Nest {
    loops: Vec<OperationId>,
    counters: Vec<ValueId>,
    bounds: Vec<(i64, i64, i64)>,
    accesses: Vec<Access>,
    block: BlockId,
}

impl Nest {
    fn read(context: &Context, body: &Body, op: OperationId) -> Option<Self> {
        if context.operation_text(body.name(op)) != affine::For::NAME {
            return None;
        }
        let loops = perfect_nest(context, body, op);
        let block = body.entry_block(*loops.last()?, 0)?;
        let is_flat = |op: OperationId| body.regions(op).is_empty();
        let bounds = loops.iter().map(|op| {
            let own = Loop::read(View::new(context, body, *op))?;
            let (lower, upper) = (
                own.lower.0.single_constant()?,
                own.upper.0.single_constant()?,
            );
            own.inits.is_empty().then_some((lower, upper, own.step))
        });
        let bounds: Option<Vec<_>> = bounds.collect();
        let counters = loops
            .iter()
            .map(|op| Some(body.arguments(body.entry_block(*op, 0)?)[0]));
        let counters: Option<Vec<ValueId>> = counters.collect();
        body.operations(block).all(is_flat).then_some(())?;
        Some(Self {
            bounds: bounds?,
            counters: counters?,
            accesses: accesses(context, body, op)?,
            block,
            loops,
        })
    }

    /// Returns true if the subscripts of an access of this nest are its counters in order.
    fn is_at_counters(&self, access: &Access) -> bool {
        let own = &access.subscripts;
        let n = self.counters.len();
        let value = |values: &[Option<ValueId>], i: u32| {
            let i = usize::try_from(i).ok()?;
            values.get(i).copied().flatten()
        };
        let values: Vec<Option<ValueId>> = own
            .results
            .iter()
            .map(|result| match result {
                AffineExpr::Dim(i) => value(&own.dims, *i),
                AffineExpr::Symbol(i) => value(&own.symbols, *i),
                _ => None,
            })
            .collect();
        values.len() == n
            && values
                .iter()
                .zip(&self.counters)
                .all(|(value, counter)| *value == Some(*counter))
    }
}

fn may_fuse(context: &Context, body: &Body, source: &Nest, target: &Nest, kind: Kind) -> bool {
    if source.bounds != target.bounds {
        return false;
    }
    let mut is_shared = false;
    for a in &source.accesses {
        for b in &target.accesses {
            let is_same = a.memory == b.memory;
            if !is_same
                && may_alias(context, body, a.memory, b.memory)
                && (a.is_store || b.is_store)
            {
                return false;
            }
            let meets = source.is_at_counters(a) && target.is_at_counters(b);
            match (kind, a.is_store, b.is_store) {
                _ if !is_same => {}
                (Kind::Sibling, false, false) => is_shared |= meets,
                (Kind::Producer, false, false) => {}
                (Kind::Sibling, ..) => return false,
                (Kind::Producer, ..) if !meets => return false,
                (Kind::Producer, is_store, _) => is_shared |= is_store && !b.is_store,
            }
        }
    }
    is_shared
        && (kind == Kind::Sibling || has_one_consumer(context, body, source, target))
        && may_move(context, body, source, target.loops[0])
}

/// Returns true if no other loop uses what the source writes.
fn has_one_consumer(context: &Context, body: &Body, source: &Nest, target: &Nest) -> bool {
    let stores = source.accesses.iter().filter(|access| access.is_store);
    let mut users = stores.flat_map(|store| body.uses(store.memory).map(|(user, _)| user));
    users.all(|user| {
        let is_inside = |nest: &Nest| body.is_ancestor(nest.loops[0], user);
        let around = std::iter::successors(Some(user), |op| body.parent_operation(*op));
        let is_in_loop = around
            .skip(1)
            .any(|op| context.operation_text(body.name(op)) == affine::For::NAME);
        is_inside(source) || is_inside(target) || !is_in_loop
    })
}

/// Returns true if a nest may run right before `target`, which comes later in its block.
fn may_move(context: &Context, body: &Body, source: &Nest, target: OperationId) -> bool {
    let mut next = body.next(source.loops[0]);
    while let Some(op) = next.filter(|op| *op != target) {
        let effects = Effects::of(context, body, op);
        let conflicts = source.accesses.iter().any(|access| {
            may_hold(context, body, &effects.writes, access.memory)
                || (access.is_store && may_hold(context, body, &effects.reads, access.memory))
        });
        if conflicts {
            return false;
        }
        next = body.next(op);
    }
    true
}

/// Moves the operations of the source to the start of the innermost block of the target.
fn join(context: &Context, body: &mut Body, source: &Nest, target: &Nest) -> Option<()> {
    for (old, new) in source.counters.iter().zip(&target.counters) {
        body.replace_all_uses(*old, *new);
    }
    let first = body.first_operation(target.block)?;
    let last = body.last_operation(source.block)?;
    for op in body.operations(source.block).collect::<Vec<_>>() {
        if op != last {
            body.move_before(first, op);
        }
    }
    body.erase(source.loops[0]);
    let mut memories: Vec<ValueId> = Vec::new();
    for access in source.accesses.iter().filter(|access| access.is_store) {
        if !memories.contains(&access.memory) {
            memories.push(access.memory);
        }
    }
    for memory in memories {
        keep_one_element(context, body, memory, target);
    }
    Some(())
}

/// Replaces a local memory of which only the nest uses the element of its iteration by a memory of one element.
fn keep_one_element(
    context: &Context,
    body: &mut Body,
    memory: ValueId,
    target: &Nest,
) -> Option<()> {
    let op = body.defining_operation(memory)?;
    if context.operation_text(body.name(op)) != memref::Alloc::NAME {
        return None;
    }
    let users: Vec<(OperationId, usize)> = body.uses(memory).collect();
    for (user, _) in &users {
        let access = Access::read(context, body, *user)?;
        let is_inside = body.parent_block(*user) == Some(target.block);
        if !is_inside || !target.is_at_counters(&access) || access.memory != memory {
            return None;
        }
    }
    let TypeKind::MemRef {
        shape,
        element,
        layout: None,
        memory_space,
    } = body.ty(memory).kind(context)
    else {
        return None;
    };
    let ty = context.ty(TypeKind::MemRef {
        shape: shape.iter().map(|_| Some(1)).collect(),
        element: *element,
        layout: None,
        memory_space: *memory_space,
    });
    let subscripts = AffineMap {
        n_dims: 0,
        n_symbols: 0,
        results: vec![AffineExpr::Constant(0); shape.len()],
    };
    let region = body.top_regions().next()?;
    let first = body.first_operation(*body.blocks(region).first()?)?;
    let mut builder = Builder::before(context, body, first);
    builder.location = builder.body.location(op);
    let sizes = context.dense_i32_array(&[0, 0]);
    let made = builder.operation(
        memref::Alloc::NAME,
        &[],
        &[ty],
        &[("operandSegmentSizes", sizes)],
    );
    let made = body.result(made, 0);
    for (user, operand) in users {
        let mut operands: Vec<ValueId> = body.operands(user).take(operand).collect();
        operands.push(made);
        body.set_operands(user, &operands);
        let map = context.affine_map_attribute(subscripts.clone());
        body.set_attribute(user, context.name("map"), map);
    }
    body.erase(op);
    Some(())
}
