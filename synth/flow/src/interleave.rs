//! Dividers taken in turn where one alone sets the pace of a loop: by trial, since only the schedule knows what else binds it.

use std::collections::BTreeMap;

use sluice_dialects::synthesis_form::{INTERLEAVE, is_division};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_oplib::class::OperatorClass;

/// One more divider must save at least this share of the kernel's cycles: one in so many.
const SHARE: i64 = 16;

/// A loop whose interval is that of divisions in its body.
struct Paced {
    function: OperationId,
    /// The divisions that hold a unit in every cycle.
    divisions: Vec<OperationId>,
    /// Cycles that one unit is held.
    occupancy: i64,
    /// Most units for each of them.
    most: i64,
}

/// Gives divisions of pipelined loops further units, where that pays. `schedule` brings the module into the scheduled form; `limits` are
/// the user's, by operator class.
///
/// The rule: the smallest number of units that makes the next shorter interval is taken as long as each further unit saves at least one
/// in [`SHARE`] of the cycles of the kernel.
pub(crate) fn choose(
    context: &Context,
    module: &mut Module,
    top: &str,
    limits: &BTreeMap<String, u32>,
    schedule: impl Fn(&mut Module, &mut Diagnostics),
) {
    if divisions(context, module).is_empty() {
        return;
    }
    let attempt = |module: &Module| {
        let (mut trial, mut found) = (module.clone(), Diagnostics::new());
        schedule(&mut trial, &mut found);
        let cycles = (!found.has_errors()).then(|| cycles(context, &trial, top));
        cycles.flatten().map(|cycles| (trial, cycles))
    };
    let Some((scheduled, mut best)) = attempt(module) else {
        return;
    };
    for paced in paced(context, &scheduled, limits) {
        let mut units = 1;
        loop {
            let interval = ceiling(paced.occupancy, units);
            let Some(more) =
                (units + 1..=paced.most).find(|n| ceiling(paced.occupancy, *n) < interval)
            else {
                break;
            };
            let mut with = module.clone();
            set(context, &mut with, &paced, more);
            let n_more = (more - units) * i64::try_from(paced.divisions.len()).unwrap_or(i64::MAX);
            let needed = best.saturating_mul(n_more) / SHARE;
            match attempt(&with) {
                Some((_, cycles)) if best - cycles >= needed.max(1) => {
                    *module = with;
                    (best, units) = (cycles, more);
                }
                Some(_) | None => break,
            }
        }
    }
}

fn ceiling(cycles: i64, units: i64) -> i64 {
    (cycles + units - 1) / units
}

/// Every division, with its function.
fn divisions(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let functions = named(context, module, "func.func").into_iter();
    functions
        .flat_map(|function| {
            let body = module.inner().inner(function);
            let all = body.walk_all().into_iter();
            all.filter(|op| is_division(View::new(context, body, *op)))
                .map(|op| (function, op))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn cycles(context: &Context, module: &Module, top: &str) -> Option<i64> {
    let op = module.lookup_symbol(context, top)?;
    View::new(context, module.inner(), op)
        .attribute("sluice.cycles")?
        .as_i64(context)
}

/// The loops whose interval is the time that a division directly in their body holds its unit, in the order of the text.
fn paced(context: &Context, module: &Module, limits: &BTreeMap<String, u32>) -> Vec<Paced> {
    let all = divisions(context, module);
    let mut found: BTreeMap<(OperationId, OperationId), Paced> = BTreeMap::new();
    let class = |function: OperationId, op: OperationId| {
        let view = View::new(context, module.inner().inner(function), op);
        OperatorClass::of_operation(view.name(), None)
    };
    for (function, op) in &all {
        let body = module.inner().inner(*function);
        let number = |op, name: &str| body.attribute_named(context, op, name)?.as_i64(context);
        let Some(around) = body.parent_operation(*op) else {
            continue;
        };
        let occupancy = number(*op, "sluice.occupancy");
        // A division in a guard has an `scf.if` around it, and no interval.
        let (Some(occupancy), Some(ii)) = (occupancy, number(around, "sluice.ii")) else {
            continue;
        };
        if occupancy != ii || ii < 2 {
            continue;
        }
        let limit = class(*function, *op).and_then(|class| limits.get(class.name()).copied());
        let alike = all
            .iter()
            .filter(|(other, division)| class(*other, *division) == class(*function, *op));
        let most = match limit {
            None => occupancy,
            // A limited unit is not given to one of several operations.
            Some(limit) if alike.count() == 1 => occupancy.min(i64::from(limit)),
            Some(_) => 1,
        };
        let paced = found.entry((*function, around)).or_insert(Paced {
            function: *function,
            divisions: Vec::new(),
            occupancy,
            most,
        });
        paced.divisions.push(*op);
        paced.most = paced.most.min(most);
    }
    found.into_values().collect()
}

fn set(context: &Context, module: &mut Module, paced: &Paced, units: i64) {
    let body = module.inner_mut().inner_mut(paced.function);
    for op in &paced.divisions {
        body.set_attribute(*op, context.name(INTERLEAVE), context.i64_attribute(units));
    }
}
