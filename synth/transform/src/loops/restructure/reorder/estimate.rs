//! Estimates the cycles of a nest cheaply, from ports, multipliers and dividers of innermost loops and the latencies of
//! operations between loops. The estimate only ranks candidates; a schedule decides.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{arith, memref, scf, synthesis_form::is_division};
use sluice_ir::{Body, Context, Exact, OperationId, ValueId, View};

use super::super::nest::{counter, operations};
use super::statement::only_computes;
use crate::analysis::linear::{Linear, linear, loop_bounds, trip_count};
use crate::build::name;
use crate::loops::coalesce::Units;

/// Maximum number of outer loop iterations that are evaluated.
const MAX_ITERATIONS: u32 = 1 << 14;

/// Cycles from a read to a write of a short computation, including the control of the loop.
const SHORT: u64 = 4;

/// How the loops of a nest are executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// One after the other.
    Apart,
    /// A division before inner loops overlaps with the inner loops of the previous iteration.
    Ahead,
}

/// Returns the cycles of the loops in their order; `None` if bounds are unknown or there are too many iterations.
pub(super) fn cycles(
    context: &Context,
    body: &Body,
    loops: &[OperationId],
    units: &Units<'_>,
    style: Style,
) -> Option<u64> {
    let mut estimator = Estimator {
        context,
        body,
        units,
        style,
        left: MAX_ITERATIONS,
        known: BTreeMap::new(),
        counters: BTreeMap::new(),
    };
    loops.iter().map(|op| estimator.cycles(*op)).sum()
}

/// Returns the cycles of the longest division or memory-free loop in `op`, including `op` itself; 0 if there is none.
pub(super) fn long_latency(
    context: &Context,
    body: &Body,
    op: OperationId,
    units: &Units<'_>,
) -> u64 {
    let latencies = body.walk(op).into_iter().map(|inner| {
        if is_division(View::new(context, body, inner)) {
            let width = body.ty(body.result(inner, 0)).width_bits(context);
            u64::from(width.map_or(0, |width| (units.division_cycles)(width)))
        } else if only_computes(context, body, inner) {
            let trips = trip_count(context, body, inner).unwrap_or_default();
            trips.to_u64().unwrap_or(u64::MAX)
        } else {
            0
        }
    });
    latencies.max().unwrap_or(0)
}

/// Facts about a loop.
#[derive(Clone)]
struct Facts {
    lower: Vec<Linear>,
    last: Vec<Linear>,
    inner: Vec<OperationId>,
    /// Latency in cycles of the operations directly in an iteration.
    latency: u64,
    /// Initiation interval in cycles if the loop is innermost and pipelined, else 0.
    ii: u64,
    /// Cycles of divisions before the inner loops that overlap with the previous iteration's inner loops; 0 if there are none.
    ahead: u64,
}

struct Estimator<'a> {
    context: &'a Context,
    body: &'a Body,
    units: &'a Units<'a>,
    style: Style,
    left: u32,
    known: BTreeMap<OperationId, Facts>,
    counters: BTreeMap<ValueId, i64>,
}

impl Estimator<'_> {
    fn cycles(&mut self, op: OperationId) -> Option<u64> {
        let facts = match self.known.get(&op) {
            Some(facts) => facts.clone(),
            None => {
                let facts = self.facts(op);
                self.known.insert(op, facts.clone());
                facts
            }
        };
        let value = |form: &Linear| {
            let mut sum = Exact::from(form.constant);
            for (value, coefficient) in &form.terms {
                let counter = self.counters.get(value)?;
                sum = sum.plus(Exact::from(counter).times(coefficient));
            }
            Some(sum)
        };
        let all = |forms: &[Linear]| forms.iter().map(value).collect::<Option<Vec<Exact>>>();
        let lower = all(&facts.lower)?.into_iter().max()?;
        let last = all(&facts.last)?.into_iter().min()?;
        let n = last.minus(lower).plus(1);
        if !n.is_positive() {
            return Some(1);
        }
        if facts.inner.is_empty() && facts.ii > 0 {
            let started = n.minus(1).times(facts.ii);
            return started.plus(facts.latency).plus(2).to_u64();
        }
        if n > Exact::from(self.left) {
            return None;
        }
        let mut sum = Exact::ONE;
        let own = counter(self.body, op);
        for at in lower.to_i64()?..=last.to_i64()? {
            self.left = self.left.checked_sub(1)?;
            self.counters.insert(own, at);
            let mut inside = Exact::ZERO;
            for inner in &facts.inner {
                inside = inside.plus(match facts.ahead {
                    0 => self.cycles(*inner)?,
                    _ => self.steps(*inner)?,
                });
            }
            sum = sum.plus(match facts.ahead {
                0 => inside.plus(facts.latency).plus(1),
                ahead => inside.max(ahead.into()),
            });
        }
        // Adds the first division, and the drain of the last iteration.
        sum.plus(Exact::from(facts.ahead).times(2)).to_u64()
    }

    /// Returns the cycles in which the iterations of a loop start.
    fn steps(&mut self, op: OperationId) -> Option<u64> {
        let all = self.cycles(op)?;
        let facts = &self.known[&op];
        let drains = facts.inner.is_empty() && facts.ii > 0 && all > 1;
        Some(if drains {
            all - 2 - facts.latency + facts.ii
        } else {
            all
        })
    }

    fn facts(&self, op: OperationId) -> Facts {
        let (context, body) = (self.context, self.body);
        let (mut inner, mut latency, mut is_pipelined) = (Vec::new(), 0, true);
        let mut loads: BTreeMap<ValueId, BTreeSet<Vec<ValueId>>> = BTreeMap::new();
        let mut stores: BTreeMap<ValueId, u64> = BTreeMap::new();
        let (mut multiplications, mut busy, mut has_statements) = (0, 1, false);
        let mut ahead = 0;
        let own = counter(body, op);
        for direct in operations(body, op) {
            if name(context, body, direct) == scf::For::NAME
                && !only_computes(context, body, direct)
            {
                inner.push(direct);
                continue;
            }
            if only_computes(context, body, direct) {
                is_pipelined = false;
            }
            let long = long_latency(context, body, direct, self.units);
            latency += long;
            if is_division(View::new(context, body, direct)) {
                // Two dividers alternate if that pays.
                busy = busy.max(long.div_ceil(2));
                if inner.is_empty() {
                    ahead += long;
                }
            }
            for op in body.walk(direct) {
                let kind = name(context, body, op);
                let at = usize::from(kind == memref::Store::NAME);
                has_statements |= at == 1;
                if !matches!(kind, memref::Load::NAME | memref::Store::NAME) {
                    let is_index = body
                        .results(op)
                        .iter()
                        .any(|v| body.ty(*v).is_index(context));
                    multiplications += u64::from(kind == arith::Muli::NAME && !is_index);
                    continue;
                }
                let indices: Vec<ValueId> = body.operands(op).skip(at + 1).collect();
                let mut forms = indices.iter().map(|index| linear(context, body, *index));
                // Invariant accesses are hoisted out of the loop.
                if forms.all(|form| form.coefficient(own) == 0) {
                    continue;
                }
                let memory = body.operand(op, at);
                if at == 0 {
                    loads.entry(memory).or_default().insert(indices);
                } else {
                    *stores.entry(memory).or_default() += 1;
                }
            }
        }
        if inner.is_empty() || has_statements {
            latency += SHORT;
        }
        let units = self.units.limits.get("multiply");
        let shared = units.map_or(1, |units| {
            multiplications.div_ceil(u64::from(*units).max(1))
        });
        let read = loads
            .values()
            .map(|all| u64::try_from(all.len()).unwrap_or(0));
        let written = stores.values().copied();
        let ports = read.chain(written).max().unwrap_or(1);
        Facts {
            lower: loop_bounds(context, body, op, false),
            last: loop_bounds(context, body, op, true),
            ahead: match self.style {
                Style::Ahead if !inner.is_empty() => ahead,
                Style::Ahead | Style::Apart => 0,
            },
            inner,
            latency,
            ii: if is_pipelined {
                ports.max(busy).max(shared).max(1)
            } else {
                0
            },
        }
    }
}
