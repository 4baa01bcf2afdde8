//! Computes the size of a hierarchy (calls, instances) after all references are replaced by copies, before anything is copied.
//!
//! Complexity: linear in the operations of the module.

use std::collections::BTreeMap;

use sluice_dialects::{func, handshake, hw, sluice};
use sluice_ir::limits::{Excess, Limit};
use sluice_ir::{Context, Diagnostics, Location, Module, OperationId, View};

/// A kind of hierarchy.
#[derive(Clone, Copy)]
pub struct Hierarchy {
    /// The operation that holds a body, such as a function.
    pub holder: &'static str,
    /// The operation that refers to a holder, such as a call.
    pub reference: &'static str,
    /// The attribute of the reference that names the holder.
    pub attribute: &'static str,
    /// The verb for a reference, used in messages: `calls`.
    pub verb: &'static str,
    /// The noun for everything below a holder, used in messages.
    pub below: &'static str,
    /// The limit on the references below one holder, each counted as often as it is copied.
    pub references: Option<Limit>,
    /// The limit on the operations below one holder.
    pub operations: Limit,
    /// True if holders that refer to themselves are reported here, instead of by a later check.
    pub reports_cycles: bool,
}

/// Functions that are inlined.
pub const FUNCTIONS: Hierarchy = Hierarchy {
    holder: func::Func::NAME,
    reference: func::Call::NAME,
    attribute: "callee",
    verb: "calls",
    below: "all that it calls",
    references: None,
    operations: Limit::Operations,
    reports_cycles: true,
};

/// Modules of circuits, which elaboration flattens.
pub const MODULES: Hierarchy = Hierarchy {
    holder: hw::Module::NAME,
    reference: hw::Instance::NAME,
    attribute: "moduleName",
    verb: "has",
    below: "all that it is made of",
    references: Some(Limit::Instances),
    operations: Limit::ElaboratedOperations,
    reports_cycles: true,
};

/// Dataflow graphs, which become one.
pub const GRAPHS: Hierarchy = Hierarchy {
    holder: handshake::Func::NAME,
    reference: handshake::Instance::NAME,
    attribute: "module",
    verb: "has",
    below: "all that it is made of",
    references: Some(Limit::Instances),
    operations: Limit::Operations,
    reports_cycles: false,
};

/// All references from one holder to another.
struct Edge {
    to: usize,
    n_references: u128,
    /// Location of the first reference.
    location: Location,
    /// Nesting depth, in regions, of the deepest reference.
    depth: u128,
}

#[derive(Clone, Copy, Default)]
struct Size {
    operations: u128,
    references: u128,
    depth: u128,
}

struct Holder<'a> {
    name: &'a str,
    location: Location,
    own: Size,
    edges: Vec<Edge>,
    /// True if references to this holder are replaced by copies.
    is_copied: bool,
}

/// Checks the expanded size of every holder, and that no holder refers to itself directly or indirectly.
///
/// Each finding is an error at the holder or the reference, with the chain of references as notes.
pub fn check_expansion(
    context: &Context,
    module: &Module,
    hierarchy: Hierarchy,
    diagnostics: &mut Diagnostics,
) {
    let holders = holders(context, module, hierarchy);
    let sizes = match sizes(&holders) {
        Ok(sizes) => sizes,
        Err(_) if !hierarchy.reports_cycles => return,
        Err(cycle) => return report_cycle(&holders, &cycle, hierarchy, diagnostics),
    };
    let excess = |size: &Size| -> Option<Excess> {
        let limits = &context.limits;
        let references = hierarchy.references;
        let checked = references.map_or(Ok(()), |limit| limits.check(limit, size.references));
        checked
            .and_then(|()| limits.check(hierarchy.operations, size.operations))
            .and_then(|()| limits.check(Limit::NestingLevels, size.depth))
            .err()
    };
    // If several holders exceed a limit, the topmost is reported: most of the others would exceed it for the same reason.
    let worst = (0..holders.len()).filter_map(|i| Some((i, excess(&sizes[i])?)));
    let Some((worst, excess)) = worst.max_by_key(|(i, excess)| (excess.count, *i)) else {
        return;
    };
    let name = holders[worst].name;
    let below = hierarchy.below;
    let verb = match excess.limit {
        Limit::NestingLevels => "is nested",
        _ => "has",
    };
    let message = format!("`@{name}` with {below} {verb} {excess}");
    let error = diagnostics.error(holders[worst].location, message);
    for (location, note) in chain(&holders, &sizes, worst, excess.limit, hierarchy) {
        error.note(location, note);
    }
}

/// Returns the references on the path downwards that contribute most to the size.
fn chain(
    holders: &[Holder<'_>],
    sizes: &[Size],
    from: usize,
    limit: Limit,
    hierarchy: Hierarchy,
) -> Vec<(Location, String)> {
    let weight = |edge: &Edge| {
        let to = &sizes[edge.to];
        match limit {
            Limit::NestingLevels => edge.depth.saturating_add(to.depth),
            Limit::Instances => edge
                .n_references
                .saturating_mul(to.references.saturating_add(1)),
            _ => edge.n_references.saturating_mul(to.operations),
        }
    };
    let mut steps = Vec::new();
    let mut at = from;
    while let Some(edge) = holders[at].edges.iter().max_by_key(|edge| weight(edge)) {
        let times = match edge.n_references {
            1 => "once".to_owned(),
            n => format!("{n} times"),
        };
        let (name, verb, to) = (holders[at].name, hierarchy.verb, holders[edge.to].name);
        steps.push((edge.location, format!("`@{name}` {verb} `@{to}` {times}")));
        at = edge.to;
    }
    if let Some(n_left_out) = steps.len().checked_sub(MAX_STEPS).filter(|n| *n > 0) {
        let last = steps.split_off(steps.len() - 1);
        steps.truncate(MAX_STEPS - 1);
        for (location, note) in last {
            steps.push((
                location,
                format!("and {n_left_out} steps further down {note}"),
            ));
        }
    }
    steps
}

/// Maximum number of steps of a chain that a message lists.
const MAX_STEPS: usize = 8;

fn report_cycle(
    holders: &[Holder<'_>],
    cycle: &[(usize, Location)],
    hierarchy: Hierarchy,
    diagnostics: &mut Diagnostics,
) {
    let [(first, location), rest @ ..] = cycle else {
        return;
    };
    let name = |holder: usize| holders[holder].name;
    let (verb, first) = (hierarchy.verb, *first);
    let what = match verb {
        "calls" => "itself",
        _ => "an instance of itself",
    };
    let message = format!("`@{}` {verb} {what}: it would never end", name(first));
    let error = diagnostics.error(*location, message);
    let targets = rest.iter().map(|(holder, _)| *holder).chain([first]);
    if !rest.is_empty() {
        for ((from, location), to) in cycle.iter().zip(targets).take(MAX_STEPS) {
            error.note(
                *location,
                format!("`@{}` {verb} `@{}`", name(*from), name(to)),
            );
        }
    }
}

fn holders<'a>(context: &'a Context, module: &'a Module, hierarchy: Hierarchy) -> Vec<Holder<'a>> {
    let inner = module.inner();
    let view = |op: OperationId| View::new(context, inner, op);
    let ops: Vec<OperationId> = module.top_level_operations();
    let ops: Vec<_> = ops
        .into_iter()
        .filter(|op| view(*op).name() == hierarchy.holder)
        .collect();
    let numbers: BTreeMap<&str, usize> = (ops.iter().enumerate())
        .filter_map(|(i, op)| Some((view(*op).symbol_name()?, i)))
        .collect();
    let single = |op: OperationId| {
        let view = view(op);
        let region = view.regions().first();
        region.is_some_and(|region| view.inner().blocks(*region).len() == 1)
    };
    let is_function = hierarchy.holder == FUNCTIONS.holder;
    ops.iter()
        .map(|op| {
            let view = view(*op);
            let mut holder = Holder {
                name: view.symbol_name().unwrap_or_default(),
                location: view.location(),
                own: Size::default(),
                edges: Vec::new(),
                is_copied: !is_function
                    || (single(*op) && view.attribute(sluice::NO_INLINE).is_none()),
            };
            read_body(view, hierarchy, &numbers, &mut holder);
            holder
        })
        .collect()
}

fn read_body(
    of: View<'_>,
    hierarchy: Hierarchy,
    numbers: &BTreeMap<&str, usize>,
    holder: &mut Holder<'_>,
) {
    let (context, body) = (of.context, of.inner());
    let mut edges: BTreeMap<usize, Edge> = BTreeMap::new();
    // A worklist of operations with their nesting depth.
    let mut open: Vec<(OperationId, u128)> = Vec::new();
    let push = |open: &mut Vec<_>, regions: &[sluice_ir::RegionId], depth: u128| {
        let blocks = regions.iter().flat_map(|region| body.blocks(*region));
        open.extend(
            blocks
                .flat_map(|block| body.operations(*block))
                .map(|op| (op, depth)),
        );
    };
    push(&mut open, of.regions(), 1);
    while let Some((op, depth)) = open.pop() {
        holder.own.operations += 1;
        holder.own.depth = holder.own.depth.max(depth);
        let view = View::new(context, body, op);
        if view.name() == hierarchy.reference {
            let named = view.attribute(hierarchy.attribute);
            let named = named.and_then(|name| name.as_flat_symbol(context));
            if let Some(to) = named.and_then(|name| numbers.get(name)) {
                holder.own.references += 1;
                let edge = edges.entry(*to).or_insert(Edge {
                    to: *to,
                    n_references: 0,
                    location: view.location(),
                    depth: 0,
                });
                edge.n_references += 1;
                edge.depth = edge.depth.max(depth);
                // `pop` returns the operations in reverse order, so the last assignment is the first reference.
                edge.location = view.location();
            }
        }
        if !body.is_isolated(op) {
            push(&mut open, view.regions(), depth + 1);
        }
    }
    holder.edges = edges.into_values().collect();
}

/// Returns the expanded size of each holder, or a cycle of holders with the locations of the references.
fn sizes(holders: &[Holder<'_>]) -> Result<Vec<Size>, Vec<(usize, Location)>> {
    let mut sizes: Vec<Option<Size>> = vec![None; holders.len()];
    let mut is_on_way = vec![false; holders.len()];
    for start in 0..holders.len() {
        if sizes[start].is_some() {
            continue;
        }
        // The current path of the depth-first search: each holder with the index of the edge to follow next.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        is_on_way[start] = true;
        while let Some((at, next)) = way.last_mut() {
            let (at, holder) = (*at, &holders[*at]);
            if let Some(edge) = holder.edges.get(*next) {
                *next += 1;
                if is_on_way[edge.to] {
                    let begin = way.iter().position(|(on_way, _)| *on_way == edge.to);
                    let cycle = &way[begin.unwrap_or(0)..];
                    let place = |(from, next): &(usize, usize)| {
                        (*from, holders[*from].edges[next - 1].location)
                    };
                    return Err(cycle.iter().map(place).collect());
                }
                if sizes[edge.to].is_none() {
                    is_on_way[edge.to] = true;
                    way.push((edge.to, 0));
                }
                continue;
            }
            let mut size = holder.own;
            for edge in &holder.edges {
                let to = sizes[edge.to].unwrap_or_default();
                if holders[edge.to].is_copied {
                    let times = |n: u128| edge.n_references.saturating_mul(n);
                    size.operations = size.operations.saturating_add(times(to.operations));
                    size.references = size.references.saturating_add(times(to.references));
                    size.depth = size.depth.max(edge.depth.saturating_add(to.depth));
                }
            }
            sizes[at] = Some(size);
            is_on_way[at] = false;
            way.pop();
        }
    }
    Ok(sizes.into_iter().map(Option::unwrap_or_default).collect())
}
