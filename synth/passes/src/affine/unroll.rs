//! The `affine-loop-unroll` pass: loops take several iterations at once, or become all of their iterations.
//!
//! Source: MLIR, `loopUnrollByFactor`. Iterations that are left over run in a loop of their own. Differs: a carried value that the
//! loop only passes on has its own value in each iteration, where version 19 takes the first one.

use sluice_dialects::affine;
use sluice_ir::affine::{AffineExpr, AffineMap};
use sluice_ir::limits::Limit;
use sluice_ir::{Body, Builder, Context, Diagnostics, Exact, OperationId, ValueId, ValueMap, View};

use super::{Loop, loops, promote};
use crate::canonicalize::maps::Composed;
use crate::emit::value;
use crate::pipeline::Options;

/// Iterations at once, if the options do not name another number.
pub(crate) const FACTOR: i64 = 4;

/// Unrolls the affine loops of a body that the options name.
pub(crate) fn unroll(
    context: &Context,
    body: &mut Body,
    options: &Options,
    found: &mut Diagnostics,
) {
    let full = options.flag("unroll-full");
    let mut unroller = Unroller {
        context,
        body,
        cleans_up: options.flag("cleanup-unroll"),
        found,
    };
    if let (true, Some(threshold)) = (full, options.number("unroll-full-threshold")) {
        let counted = loops(context, unroller.body);
        let counted = counted.into_iter().filter(|op| {
            unroller
                .trip_count(*op)
                .is_some_and(|count| count <= Exact::from(threshold))
        });
        for op in counted.collect::<Vec<_>>() {
            unroller.fully(op);
        }
        return;
    }
    let factor = options.number("unroll-factor").unwrap_or(FACTOR);
    for _ in 0..options.number("unroll-num-reps").unwrap_or(1) {
        let mut innermost = loops(context, unroller.body);
        let body = &*unroller.body;
        innermost.retain(|op| {
            let inside = body.walk(*op).into_iter().filter(|inner| inner != op);
            let mut names = inside.map(|inner| context.operation_text(body.name(inner)));
            names.all(|name| name != affine::For::NAME)
        });
        let mut is_changed = false;
        for op in innermost {
            let known = unroller.trip_count(op).and_then(Exact::to_i64);
            is_changed |= match (full, known) {
                (true, _) => unroller.fully(op),
                (false, Some(count))
                    if options.flag("unroll-up-to-factor") && count > 0 && count < factor =>
                {
                    unroller.by(op, count)
                }
                (false, _) => unroller.by(op, factor),
            };
        }
        if !is_changed {
            break;
        }
    }
}

struct Unroller<'a> {
    context: &'a Context,
    body: &'a mut Body,
    /// True if iterations that are left over are unrolled too.
    cleans_up: bool,
    found: &'a mut Diagnostics,
}

impl Unroller<'_> {
    fn view(&self, op: OperationId) -> View<'_> {
        View::new(self.context, self.body, op)
    }

    fn trip_count(&self, op: OperationId) -> Option<Exact> {
        let view = self.view(op);
        Loop::read(view)?.trip_count(view)
    }

    /// Replaces a loop with a known trip count by its iterations. Returns true if it does.
    fn fully(&mut self, op: OperationId) -> bool {
        match self.trip_count(op).and_then(Exact::to_i64) {
            None => false,
            Some(0) => true,
            Some(1) => promote(self.context, self.body, op),
            Some(count) => self.by(op, count),
        }
    }

    /// Unrolls a loop. Returns true if it does.
    fn by(&mut self, op: OperationId, factor: i64) -> bool {
        let view = self.view(op);
        let (Some(bounds), Some(block)) = (Loop::read(view), view.entry_block(0)) else {
            return false;
        };
        let count = bounds.trip_count(view);
        if factor == 1 {
            return count != Some(Exact::ONE) || promote(self.context, self.body, op);
        }
        if self.body.operations(block).count() < 2 {
            return true;
        }
        if count.is_some_and(|count| count < Exact::from(factor)) {
            return self.cleans_up && self.fully(op);
        }
        let copies = u128::try_from(factor).unwrap_or(0);
        let all = copies.saturating_mul(self.body.walk(op).len() as u128);
        if let Err(excess) = self.context.limits.check(Limit::UnrolledOperations, all) {
            let message = format!("{factor} iterations at once are {excess}: unroll less");
            self.found.error(self.body.location(op), message);
            return false;
        }
        let trips = bounds.trips(view);
        if !trips.as_ref().is_some_and(|trips| divides(factor, trips)) {
            if bounds.lower.0.results.len() != 1 || bounds.upper.0.results.len() != 1 {
                return false;
            }
            if self.cleans_up && count.is_some() {
                return self.fully(op);
            }
            if split(self.context, self.body, op, bounds, trips, factor).is_none() {
                return false;
            }
        }
        self.repeat(op, factor);
        promote(self.context, self.body, op);
        true
    }

    /// Repeats the body of a loop, whose step becomes `factor` steps.
    fn repeat(&mut self, op: OperationId, factor: i64) -> Option<()> {
        let context = self.context;
        let view = self.view(op);
        let mut bounds = Loop::read(view)?;
        let block = view.entry_block(0)?;
        let arguments = self.body.arguments(block).to_vec();
        let inside: Vec<OperationId> = self.body.operations(block).collect();
        let (last, originals) = inside.split_last()?;
        let first_yield: Vec<ValueId> = self.body.operands(*last).collect();
        let mut carried = first_yield.clone();
        let uses_variable = !self.body.is_unused(arguments[0]);
        let index = context.index_type();
        for copy in 1..factor {
            let mut values = ValueMap::default();
            if uses_variable {
                let offset = AffineExpr::Constant(copy * bounds.step);
                let map = AffineMap {
                    n_dims: 1,
                    n_symbols: 0,
                    results: vec![AffineExpr::Dim(0) + offset],
                };
                let attributes = [("map", context.affine_map_attribute(map))];
                let mut builder = Builder::before(context, self.body, *last);
                builder.location = builder.body.location(op);
                let name = affine::Apply::NAME;
                let variable = value(&mut builder, name, &arguments[..1], index, &attributes);
                values.insert(arguments[0], variable);
            }
            values.extend(arguments[1..].iter().copied().zip(carried));
            for made in self.body.copy_all(context, originals, &mut values) {
                self.body.insert_before(*last, made);
            }
            carried = first_yield
                .iter()
                .map(|v| values.get(v).copied().unwrap_or(*v))
                .collect();
        }
        self.body.set_operands(*last, &carried);
        bounds.step = bounds.step.saturating_mul(factor);
        bounds.write(context, self.body, op);
        Some(())
    }
}

/// Ends a loop after a number of iterations that the factor divides, and adds a loop of the others after it.
pub(super) fn split(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    mut bounds: Loop,
    trips: Option<Composed>,
    factor: i64,
) -> Option<()> {
    let view = View::new(context, body, op);
    let width = bounds.step.checked_mul(factor)?;
    let mut lower = Composed::new(&bounds.lower.0, &bounds.lower.1)?;
    lower.compose(view);
    lower.canonicalise(view);
    let mut middle = lower.join(trips?, |lower, trips| {
        let repetitions = trips[0].clone().floor_div(AffineExpr::Constant(factor));
        lower.clone() + repetitions * AffineExpr::Constant(width)
    });
    middle.canonicalise(view);
    super::simplify::composed(&mut middle);
    middle.canonicalise(view);
    let middle = (middle.map(), middle.operands());

    let results = body.results(op).to_vec();
    let mut values = ValueMap::default();
    let rest = body.copy(context, op, &mut values);
    body.insert_after(op, rest);
    let uses: Vec<_> = results
        .iter()
        .flat_map(|result| body.uses(*result))
        .collect();
    for (user, operand) in uses {
        let old = body.operand(user, operand);
        body.set_operand(user, operand, values[&old]);
    }
    let others = Loop {
        lower: middle.clone(),
        inits: results,
        ..bounds.clone()
    };
    others.write(context, body, rest);
    promote(context, body, rest);
    bounds.upper = middle;
    bounds.write(context, body, op);
    Some(())
}

/// Returns true if a factor certainly divides the number of iterations.
pub(super) fn divides(factor: i64, trips: &Composed) -> bool {
    trips.results.iter().all(|trips| match trips {
        AffineExpr::Constant(count) => count % factor == 0,
        trips => trips
            .largest_known_divisor()
            .is_multiple_of(factor.unsigned_abs()),
    })
}
