//! `reorder`: every statement of a nest at a place of its own, loops in another order across what stands between them.
//!
//! Statements are stores with what they need; values go from one to the other through memory only. A statement's place is an order of
//! its loops with a position inside each of them. Legal if every two accesses of one cell stay in order, decided exactly. What a
//! triangular factorisation computes as `(i, j; k, division)` becomes `(k; i: division; i, j)`: the divisions no longer wait for sums.
//!
//! Source: P. Feautrier, "Some efficient solutions to the affine scheduling problem II", IJPP 1992, and the 2d+1 form of C. Bastoul,
//! "Code generation in the polyhedral model is easier than you think", PACT 2004. Differs: places are permutations that are tried, not
//! solutions of a linear program, and statements whose bounds differ share a loop only where no condition is needed.

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

/// Where a class of statements runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Its loops, outermost first, as positions among its counters.
    order: Vec<usize>,
    /// In front of each loop, and inside of the last: what has a smaller number there comes first, what has the same shares the loop.
    positions: Vec<u32>,
}

/// Places of all statements of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reordering {
    places: Vec<Place>,
}

/// Orderings that are handed to a trial, of each way to run them.
const MOST_REORDERINGS: [(Style, usize); 2] = [(Style::Apart, 2), (Style::Ahead, 2)];

/// Statements that do different things in a nest that is searched; more have too many places.
const MOST_CLASSES: usize = 5;

/// The least latency that is worth moving statements for, in cycles.
const LEAST_LATENCY: u64 = 4;

/// Legal orderings of the nest of `root` that look at least a tenth faster than what is there, with the cycles that they are expected to
/// take; few of them.
///
/// Only for nests in which a division, or a loop that only computes, stands beside other loops. In others, the one ordering in which sums
/// that go through memory become carried values, whose cycles are not guessed: 0.
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
    for (style, most) in MOST_REORDERINGS {
        let mut found: Vec<(u64, usize, &Reordering)> = placed
            .iter()
            .filter(|(reordering, _, _)| chosen.iter().all(|(_, known)| known != reordering))
            .filter_map(|(reordering, trial, loops)| {
                let cycles = |style| estimate::cycles(context, trial, loops, units, style);
                let expected = cycles(style)?;
                // Where no division stands in front of a loop, the ways are the same.
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

/// How many loops stand around the one that adds up, over all stores to cells that stay the same in a loop around them: the further out
/// that one is, the more time there is from writing a cell to reading it again.
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

/// Every ordering of a nest that is known to keep all dependences; conditions and divisions that the bounds would need are not seen yet.
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
    if classes.len() > MOST_CLASSES {
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

/// Gives the statements of the nest of `root` the places of an ordering that [`reorderings`] found for it.
///
/// # Errors
/// In words, where bounds would need a condition or a division.
pub fn reorder(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    reordering: &Reordering,
) -> Result<(), String> {
    place(context, body, root, reordering).map(|_| ())
}

/// The same; the outermost loops that were made.
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

/// Whether an operation of long latency stands beside a loop.
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
                    estimate::long_latency(context, body, *op, units) >= LEAST_LATENCY
                };
                !loops.is_empty() && others.iter().any(long)
            }
    })
}

/// Obeys the directive: for each statement, in text order, its loops in the new order with positions between them; `=` for one that
/// does the same as another and runs with it.
pub(super) fn obey(
    context: &Context,
    body: &mut Body,
    root: OperationId,
    wishes: &[String],
) -> Result<(), String> {
    demote::demote(context, body, root);
    let statements = statement::read(context, body, root)?;
    if wishes.len() != statements.len() {
        let all: Vec<String> = statements
            .iter()
            .map(|statement| words(context, body, last(statement)))
            .collect();
        return Err(format!(
            "expected {} places, one for each of {}; found {}",
            statements.len(),
            all.join(", "),
            wishes.len(),
        ));
    }
    let joins = |at: usize| wishes[at].trim() == "=";
    let classes = class::classes(context, body, &statements, joins);
    if let Some(class) = classes.iter().find(|class| joins(class.like)) {
        return Err(format!(
            "no statement does the same as {} on points beside its own: give it a place",
            words(context, body, last(&statements[class.like]))
        ));
    }
    let places = classes
        .iter()
        .map(|class| parse(context, body, &statements[class.like], &wishes[class.like]))
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
                "these places do not hold: {what} would run backwards; keep the second behind the first"
            ));
        }
    }
    generate(context, body, root, &statements, &classes, &places)
        .map(|_| ())
        .map_err(|why| format!("these places do not hold: {why}"))
}

/// The store of a statement.
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
    wish: &str,
) -> Result<Place, String> {
    let names: Vec<String> = statement
        .loops
        .iter()
        .map(|op| super::nest::counter_name(context, body, *op).unwrap_or_default())
        .map(str::to_owned)
        .collect();
    let wrong = || {
        format!(
            "the place `{wish}` of {}: expected its loops `{}` in some order, with numbers between them, as `{}`",
            words(context, body, last(statement)),
            names.join(" "),
            names.join(" 1 ")
        )
    };
    let (mut order, mut positions, mut position) = (Vec::new(), Vec::new(), 0);
    for word in wish.split_whitespace() {
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
