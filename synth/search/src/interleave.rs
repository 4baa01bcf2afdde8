//! Interleaving of dividers, where one divider limits the II of a loop. Trial schedules decide, since only they show the other
//! limits of the loop.

use std::collections::BTreeMap;

use sluice_dialects::sluice::INTERLEAVE;
use sluice_dialects::{func, sluice, synthesis_form::is_division};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, OperationId, View};
use sluice_oplib::class::OperatorClass;

use crate::objective::judge;
use crate::setting::Setting;

/// A loop whose II is the occupancy of the divisions in its body.
struct Paced {
    function: OperationId,
    /// The divisions that occupy a unit in every cycle.
    divisions: Vec<OperationId>,
    /// Cycles for which a division occupies its unit.
    occupancy: i64,
    /// Maximum number of units for each division.
    most: i64,
}

/// Gives divisions of pipelined loops further units, if that pays. `schedule` brings the module into the scheduled form.
///
/// The rule: take the smallest number of units that allows the next shorter II, as long as the kernel's cost falls, which
/// combines cycles and cells.
pub fn choose(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    schedule: impl Fn(&mut Module, &mut Diagnostics),
) {
    let limits = &setting.config.limits;
    if divisions(context, module).is_empty() {
        return;
    }
    let attempt = |module: &Module| judge(context, module, setting, &schedule);
    let Some(plain) = attempt(module) else {
        return;
    };
    let mut least = plain.cost;
    for paced in paced(context, &plain.module, limits) {
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
            match attempt(&with) {
                Some(judged) if judged.cost.is_less_than(least) => {
                    *module = with;
                    (least, units) = (judged.cost, more);
                }
                Some(_) | None => break,
            }
        }
    }
}

fn ceiling(cycles: i64, units: i64) -> i64 {
    (cycles + units - 1) / units
}

/// Returns every division, with its function.
pub fn divisions(context: &Context, module: &Module) -> Vec<(OperationId, OperationId)> {
    let functions = named(context, module, func::Func::NAME).into_iter();
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

/// Returns, in text order, the loops whose II is the occupancy of a division directly in their body.
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
        let occupancy = number(*op, sluice::OCCUPANCY);
        // A division under a condition has an `scf.if` around it, which has no II.
        let (Some(occupancy), Some(ii)) = (occupancy, number(around, sluice::II)) else {
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
            // With a limit on units, a unit cannot be reserved for one of several operations.
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
