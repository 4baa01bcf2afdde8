//! `reorder`: affine rescheduling of a nest, which reorders loops and statements, also across statements between the loops.
//!
//! Statements are stores with the operations they need; values pass between statements only through memory. The place of a
//! statement is an order of its loops and a position inside each of them. Legal if every two accesses of one word stay in order,
//! decided exactly. A triangular factorisation computed as `(i, j; k, division)` becomes `(k; i: division; i, j)`: the divisions
//! no longer wait for sums.
//!
//! Source: P. Feautrier, "Some efficient solutions to the affine scheduling problem II", IJPP 1992, and the 2d+1 form of C.
//! Bastoul, "Code generation in the polyhedral model is easier than you think", PACT 2004. Differs: places are permutations found
//! by enumeration, not solutions of a linear program. Statements with different bounds share a loop only if no condition is
//! needed.

mod accumulate;
mod candidates;
mod class;
mod demote;
mod estimate;
mod generate;
mod hoist;
mod order;
mod statement;

use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Context, OperationId};

use self::class::Class;
use self::estimate::Style;
use self::statement::Statement;
use super::nest::{between, counter, statement as words};
use crate::analysis::linear::linear;
use crate::build::name;
use crate::loops::coalesce::Units;

/// The place in the new schedule of a class of statements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// The loops, outermost first, as positions among the counters of the class.
    order: Vec<usize>,
    /// A position before each loop, and one inside the last: smaller numbers come first, equal numbers share the loop.
    positions: Vec<u32>,
}

/// The places of all statements of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reordering {
    places: Vec<Place>,
}

/// Maximum number of orderings per execution style that are passed to trial compilation.
const MAX_REORDERINGS: [(Style, usize); 2] = [(Style::Apart, 2), (Style::Ahead, 2)];

/// Maximum number of classes in a nest that is searched; more have too many places.
const MAX_CLASSES: usize = 5;

/// Minimum latency, in cycles, that makes moving statements worthwhile.
const MIN_LATENCY: u64 = 4;

/// Returns a few legal orderings of the nest of `root` that are estimated to be at least 10% faster than the current one, with
/// their estimated cycles.
///
/// Considers only nests in which a division, or a loop without memory accesses, is beside other loops. For other nests, returns
/// the one ordering in which sums in memory become carried values; its cycles are not estimated: 0.
pub fn reorderings(
    context: &Context,
    body: &Body,
    root: OperationId,
    units: &Units<'_>,
) -> Vec<(u64, Reordering)> {
    if !waits_between_loops(context, body, root, units) {
        let ordering = accumulate::ordering(context, body, root);
        return ordering.into_iter().map(|ordering| (0, ordering)).collect();
    }
    let Some(before) = estimate::cycles(context, body, &[root], units, Style::Apart) else {
        return Vec::new();
    };
    let placed: Vec<(Reordering, Body, Vec<OperationId>)> = legal_reorderings(context, body, root)
        .into_iter()
        .filter_map(|reordering| {
            let mut trial = body.clone();
            let loops = place(context, &mut trial, root, &reordering).ok()?;
            Some((reordering, trial, loops))
        })
        .collect();
    let mut chosen: Vec<(u64, Reordering)> = Vec::new();
    for (style, most) in MAX_REORDERINGS {
        let mut found: Vec<(u64, usize, &Reordering)> = placed
            .iter()
            .filter(|(reordering, _, _)| chosen.iter().all(|(_, known)| known != reordering))
            .filter_map(|(reordering, trial, loops)| {
                let cycles = |style| estimate::cycles(context, trial, loops, units, style);
                let expected = cycles(style)?;
                // Without a division before a loop, both styles are the same.
                let differs = style == Style::Apart || Some(expected) < cycles(Style::Apart);
                let sums = depth_of_sums(context, trial, loops);
                (differs && expected * 10 <= before * 9).then_some((expected, sums, reordering))
            })
            .collect();
        found.sort_by_key(|(cycles, sums, _)| (*cycles, *sums));
        let best = found.into_iter().take(most);
        chosen.extend(best.map(|(cycles, _, reordering)| (cycles, reordering.clone())));
    }
    chosen
}

/// Returns the nesting depth of the reduction loops, summed over all stores to a word that an enclosing loop does not change. The
/// further out the reduction loop is, the more time there is between writing a word and reading it again.
fn depth_of_sums(context: &Context, body: &Body, loops: &[OperationId]) -> usize {
    let stores = loops.iter().flat_map(|op| body.walk(*op));
    let stores = stores.filter(|op| name(context, body, *op) == memref::Store::NAME);
    let depth = |store: OperationId| {
        let around = std::iter::successors(body.parent_operation(store), |op| {
            body.parent_operation(*op)
        });
        let mut around: Vec<OperationId> = around
            .filter(|op| name(context, body, *op) == scf::For::NAME)
            .collect();
        around.reverse();
        let subscripts: Vec<_> = body
            .operands(store)
            .skip(2)
            .map(|v| linear(context, body, v))
            .collect();
        around.iter().position(|op| {
            let own = counter(body, *op);
            subscripts.iter().all(|form| form.coefficient(own) == 0)
        })
    };
    stores.filter_map(depth).sum()
}

/// Returns every ordering of a nest that keeps all dependences; it ignores conditions and divisions that the bounds may need.
pub fn legal_reorderings(context: &Context, body: &Body, root: OperationId) -> Vec<Reordering> {
    let mut demoted = body.clone();
    demote::demote(context, &mut demoted, root);
    let Ok(statements) = statement::read(context, &demoted, root) else {
        return Vec::new();
    };
    if statements.len() < 2 {
        return Vec::new();
    }
    let classes = class::classes(context, &demoted, &statements, |_| true);
    if classes.len() > MAX_CLASSES {
        return Vec::new();
    }
    let roots = [root];
    let outside = order::outside(context, &demoted, &roots);
    let conflicts = order::conflicts(&outside, &statements, &classes);
    let choices = candidates::choices(&classes, &conflicts);
    choices
        .into_iter()
        .map(|places| Reordering { places })
        .collect()
}

/// Applies an ordering that [`reorderings`] found to the nest of `root`.
///
/// # Errors
/// A text, if bounds need a condition or a division.
pub fn reorder(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    reordering: &Reordering,
) -> Result<(), String> {
    place(context, body, root, reordering).map(|_| ())
}

/// Applies an ordering; returns the new outermost loops.
fn place(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    reordering: &Reordering,
) -> Result<Vec<OperationId>, String> {
    demote::demote(context, body, root);
    let statements = statement::read(context, body, root)?;
    let classes = class::classes(context, body, &statements, |_| true);
    generate(
        context,
        body,
        root,
        &statements,
        &classes,
        &reordering.places,
    )
}

fn generate(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    statements: &[Statement],
    classes: &[Class],
    places: &[Place],
) -> Result<Vec<OperationId>, String> {
    let around = body.parent_operation(root);
    let mut generator = generate::Generator {
        context,
        body,
        root,
        statements,
        classes,
        places,
    };
    let made = generator.run()?;
    body.erase(root);
    for op in made.iter().rev() {
        hoist::hoist(context, body, *op);
    }
    let outermost = made.into_iter();
    Ok(outermost
        .filter(|op| body.parent_operation(*op) == around)
        .collect())
}

/// Returns whether an operation of long latency is beside a loop.
fn waits_between_loops(
    context: &Context,
    body: &Body,
    root: OperationId,
    units: &Units<'_>,
) -> bool {
    body.walk(root).into_iter().any(|op| {
        name(context, body, op) == scf::For::NAME
            && !statement::only_computes(context, body, op)
            && {
                let (loops, others): (Vec<_>, Vec<_>) = super::nest::operations(body, op)
                    .into_iter()
                    .partition(|op| {
                        name(context, body, *op) == scf::For::NAME
                            && !statement::only_computes(context, body, *op)
                    });
                let long = |op: &OperationId| {
                    estimate::long_latency(context, body, *op, units) >= MIN_LATENCY
                };
                !loops.is_empty() && others.iter().any(long)
            }
    })
}

/// Applies the directive. It gives for each statement, in text order, its loops in the new order with positions between them; `=`
/// means that the statement equals an earlier one and runs with it.
pub(super) fn obey(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    requests: &[String],
) -> Result<(), String> {
    demote::demote(context, body, root);
    let statements = statement::read(context, body, root)?;
    if requests.len() != statements.len() {
        let all: Vec<String> = statements
            .iter()
            .map(|statement| words(context, body, last(statement)))
            .collect();
        return Err(format!(
            "expected {} places, one for each of {}; found {}",
            statements.len(),
            all.join(", "),
            requests.len(),
        ));
    }
    let joins = |at: usize| requests[at].trim() == "=";
    let classes = class::classes(context, body, &statements, joins);
    if let Some(class) = classes.iter().find(|class| joins(class.like)) {
        return Err(format!(
            "no statement does the same as {} on points beside its own: give it a place",
            words(context, body, last(&statements[class.like]))
        ));
    }
    let places = classes
        .iter()
        .map(|class| {
            parse(
                context,
                body,
                &statements[class.like],
                &requests[class.like],
            )
        })
        .collect::<Result<Vec<Place>, String>>()?;
    {
        let roots = [root];
        let outside = order::outside(context, body, &roots);
        let conflicts = order::conflicts(&outside, &statements, &classes);
        let broken = conflicts.iter().find_map(|((a, b), all)| {
            all.iter()
                .find(|conflict| !conflict.holds(&places[*a], &places[*b]))
        });
        if let Some(conflict) = broken {
            let what = between(context, body, conflict.source, conflict.sink);
            return Err(format!(
                "this order is not legal: {what} would run backwards; keep the second after the first"
            ));
        }
    }
    generate(context, body, root, &statements, &classes, &places)
        .map(|_| ())
        .map_err(|why| format!("this order is not legal: {why}"))
}

/// Returns the store of a statement.
fn last(statement: &Statement) -> OperationId {
    *statement
        .operations
        .last()
        .expect("a statement has operations")
}

fn parse(
    context: &Context,
    body: &Body,
    statement: &Statement,
    request: &str,
) -> Result<Place, String> {
    let names: Vec<String> = statement
        .loops
        .iter()
        .map(|op| super::nest::counter_name(context, body, *op).unwrap_or_default())
        .map(str::to_owned)
        .collect();
    let wrong = || {
        format!(
            "the place `{request}` of {}: expected its loops `{}` in some order, with numbers between them, as `{}`",
            words(context, body, last(statement)),
            names.join(" "),
            names.join(" 1 ")
        )
    };
    let (mut order, mut positions, mut position) = (Vec::new(), Vec::new(), 0);
    for word in request.split_whitespace() {
        if let Ok(number) = word.parse::<u32>() {
            position = number;
            continue;
        }
        let word = word.trim_start_matches('%');
        let at = names
            .iter()
            .position(|name| name == word)
            .ok_or_else(wrong)?;
        if order.contains(&at) {
            return Err(wrong());
        }
        order.push(at);
        positions.push(position);
        position = 0;
    }
    positions.push(position);
    if order.len() == names.len() {
        Ok(Place { order, positions })
    } else {
        Err(wrong())
    }
}
