//! The iterations that a data set runs of each loop of a kernel.

use std::collections::BTreeSet;

use sluice_dialects::{affine, cf, func, scf};
use sluice_ir::{BlockId, RegionId, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::interpreter::Outcomes;

use crate::coverage::known_trip_count;

/// A loop of the source with the iterations that were run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopRun {
    /// Its induction variable or its operation, and its place: "loop `%i` at fir.mlir:3:5".
    pub name: String,
    /// Iterations over all entries.
    pub iterations: u64,
}

/// Returns the loops of the kernel and of the functions that it calls, with the iterations that `outcomes` counted, in the order of the text.
/// Loops whose constant bounds allow no iteration are left out: no data run them.
pub fn loop_runs(compiled: &Compiled, outcomes: &Outcomes) -> Vec<LoopRun> {
    let context = &compiled.context;
    let mut found = Vec::new();
    for function in reached_functions(compiled) {
        let body = function.inner();
        for region in function.regions() {
            loops_of_blocks(function, *region, outcomes, &mut found);
        }
        for op in body.walk_all() {
            let op = View::new(context, body, op);
            if is_loop(op.name()) {
                if is_always_empty(op) {
                    continue;
                }
                let name = format!("{} at {}", named(op), place(op));
                let iterations = outcomes.iterations(op);
                found.push((position(op), LoopRun { name, iterations }));
            } else {
                for region in op.regions() {
                    loops_of_blocks(op, *region, outcomes, &mut found);
                }
            }
        }
    }
    found.sort_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, run)| run).collect()
}

fn is_loop(name: &str) -> bool {
    [
        affine::For::NAME,
        affine::Parallel::NAME,
        scf::For::NAME,
        scf::While::NAME,
        scf::Parallel::NAME,
        scf::Forall::NAME,
    ]
    .contains(&name)
}

fn is_always_empty(op: View<'_>) -> bool {
    let has_trip_count = matches!(op.name(), affine::For::NAME | scf::For::NAME);
    has_trip_count && known_trip_count(op) == Some(0)
}

/// The kernel and the functions that it calls, each once.
fn reached_functions(compiled: &Compiled) -> Vec<View<'_>> {
    let (context, module) = (&compiled.context, &compiled.source);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut pending = vec![compiled.top.as_str()];
    while let Some(name) = pending.pop() {
        let Some(function) = module.lookup_symbol(context, name) else {
            continue;
        };
        if !seen.insert(name) {
            continue;
        }
        let function = View::new(context, module.inner(), function);
        let body = function.inner();
        let ops = body.walk_all().into_iter();
        let calls = ops.map(|op| View::new(context, body, op));
        let calls = calls.filter(|op| op.name() == func::Call::NAME);
        let callee = |op: View<'_>| op.attribute("callee")?.as_flat_symbol(context);
        pending.extend(calls.filter_map(callee));
        found.push(function);
    }
    found
}

/// Adds the loops that branches between the blocks of a region make: each block that a branch leads back to.
fn loops_of_blocks(
    parent: View<'_>,
    region: RegionId,
    outcomes: &Outcomes,
    found: &mut Vec<((u32, u32), LoopRun)>,
) {
    let body = parent.inner();
    let blocks = body.blocks(region);
    let [first, _, ..] = blocks else {
        return;
    };
    // A depth-first search from the entry: a branch to a block on the path leads back.
    let mut visited = BTreeSet::from([*first]);
    let mut path: Vec<(BlockId, usize)> = vec![(*first, 0)];
    let mut back: Vec<(BlockId, View<'_>, usize)> = Vec::new();
    while let Some((block, next)) = path.last_mut() {
        let branch = body.last_operation(*block);
        let branch = branch.map(|op| View::new(parent.context, body, op));
        let edge = branch.and_then(|op| Some((op, *targets(op).get(*next)?)));
        let outcome = *next;
        *next += 1;
        match edge {
            None => {
                path.pop();
            }
            Some((op, target)) if path.iter().any(|(on_path, _)| *on_path == target) => {
                back.push((target, op, outcome));
            }
            Some((_, target)) => {
                if visited.insert(target) {
                    path.push((target, 0));
                }
            }
        }
    }
    let headers: BTreeSet<BlockId> = back.iter().map(|(header, ..)| *header).collect();
    for header in headers {
        let own = back.iter().filter(|(of, ..)| *of == header);
        let iterations = own
            .clone()
            .map(|(_, op, outcome)| outcomes.count(*op, *outcome))
            .sum();
        let first = body.operations(header).next();
        let shown = first.map_or(parent, |op| View::new(parent.context, body, op));
        let name = format!("loop of blocks at {}", place(shown));
        found.push((position(shown), LoopRun { name, iterations }));
    }
}

/// The blocks that a terminator may branch to, in the order in which the interpreter counts them.
fn targets(op: View<'_>) -> Vec<BlockId> {
    match op.name() {
        cf::Switch::NAME => cf::switch_cases(op).iter().map(|case| case.block).collect(),
        _ => op.successors().to_vec(),
    }
}

fn named(op: View<'_>) -> String {
    let block = op.entry_block(0).filter(|_| op.name() != scf::While::NAME);
    let arguments = block.map_or(&[][..], |block| op.inner().arguments(block));
    let n_counters = match op.name() {
        affine::Parallel::NAME | scf::Parallel::NAME | scf::Forall::NAME => arguments.len(),
        _ => 1,
    };
    let names: Vec<String> = arguments
        .iter()
        .take(n_counters)
        .filter_map(|value| op.inner().value_name(*value))
        .map(|name| format!("`%{}`", op.context.text(name)))
        .collect();
    match names[..] {
        [] => format!("`{}`", op.name()),
        _ => format!("loop {}", names.join(", ")),
    }
}

fn position(op: View<'_>) -> (u32, u32) {
    let place = op.location().file_line_column(op.context);
    place.map_or((0, 0), |(_, line, column)| (line, column))
}

fn place(op: View<'_>) -> String {
    match op.location().file_line_column(op.context) {
        Some((file, line, column)) => format!("{file}:{line}:{column}"),
        None => "an unknown place".to_owned(),
    }
}
