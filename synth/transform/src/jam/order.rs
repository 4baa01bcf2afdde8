//! Which accesses change places when a loop is jammed: direction vectors of the fused loops, one distance of the jammed loop at a time.

use sluice_ir::{Body, Context, OperationId, ValueId};

use crate::build::name;
use crate::linear::{Linear, Loop, is_invariant, linear, loop_of, range_of};

/// Two accesses that would change places.
pub(super) struct Conflict {
    /// What must come first.
    pub(super) first: OperationId,
    /// What would come before it.
    pub(super) second: OperationId,
    /// Iterations of the jammed loop between them.
    pub(super) distance: i64,
}

/// The loops inside of `op` that jamming fuses: those that stand in it or in one another, not in conditionals.
pub(super) fn fused_loops(context: &Context, body: &Body, op: OperationId) -> Vec<OperationId> {
    let mut found = Vec::new();
    let mut waiting = vec![op];
    while let Some(around) = waiting.pop() {
        let inner: Vec<OperationId> = body
            .entry_block(around, 0)
            .map(|block| body.operations(block).collect())
            .unwrap_or_default();
        for inner in inner {
            if name(context, body, inner) == "scf.for" {
                found.push(inner);
                waiting.push(inner);
            }
        }
    }
    found
}

/// An access with the place where it runs: fused loops around it, outermost first, and the segment of each block it is in. A segment is
/// a fused loop or what stands between two.
struct Access {
    op: OperationId,
    memory: ValueId,
    writes: bool,
    indices: Vec<Linear>,
    loops: Vec<OperationId>,
    segments: Vec<usize>,
}

fn collect(
    context: &Context,
    body: &Body,
    around: OperationId,
    loops: &[OperationId],
    segments: &[usize],
    found: &mut Vec<Access>,
) {
    let Some(block) = body.entry_block(around, 0) else {
        return;
    };
    let mut segment = 0;
    for op in body.operations(block) {
        if name(context, body, op) == "scf.for" {
            let (mut inner, mut at) = (loops.to_vec(), segments.to_vec());
            inner.push(op);
            at.push(segment + 1);
            collect(context, body, op, &inner, &at, found);
            segment += 2;
            continue;
        }
        for inner in body.walk(op).into_iter().chain([op]) {
            let (memory, first, writes) = match name(context, body, inner) {
                "memref.load" => (0, 1, false),
                "memref.store" => (1, 2, true),
                _ => continue,
            };
            if found.iter().any(|access: &Access| access.op == inner) {
                continue;
            }
            let mut segments = segments.to_vec();
            segments.push(segment);
            let indices = body.operands(inner).skip(first);
            found.push(Access {
                op: inner,
                memory: body.operand(inner, memory),
                writes,
                indices: indices.map(|v| linear(context, body, v)).collect(),
                loops: loops.to_vec(),
                segments,
            });
        }
    }
}

/// The pair of accesses with the smallest distance that change places when `op` is jammed by `factor`.
pub(super) fn conflict(
    context: &Context,
    body: &Body,
    op: OperationId,
    factor: i64,
) -> Option<Conflict> {
    let mut all = Vec::new();
    collect(context, body, op, &[], &[], &mut all);
    let jammed = loop_of(context, body, op)?;
    let check = Check {
        context,
        body,
        op,
        step: jammed.step,
        variable: jammed.variable,
        range: jammed.range,
    };
    let mut found: Option<Conflict> = None;
    for first in &all {
        for second in &all {
            if first.memory != second.memory || !(first.writes || second.writes) {
                continue;
            }
            let below = found.as_ref().map_or(factor, |known| known.distance);
            let distance =
                (1..below).find(|distance| check.change_places(first, second, *distance));
            if let Some(distance) = distance {
                found = Some(Conflict {
                    first: first.op,
                    second: second.op,
                    distance,
                });
            }
        }
    }
    found
}

/// How the counters of a common loop differ between two accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Equal,
    /// The first access is in a later iteration.
    Later,
    Any,
}

/// A term of an equation: its coefficient, and the smallest and largest value of what it multiplies, if known.
type Term = (i64, Option<(i64, i64)>);

struct Check<'a> {
    context: &'a Context,
    body: &'a Body,
    op: OperationId,
    step: Option<i64>,
    variable: ValueId,
    range: Option<(i64, i64)>,
}

impl Check<'_> {
    /// Whether `second`, `distance` iterations of the jammed loop later, may touch a cell of `first` and would run before it.
    fn change_places(&self, first: &Access, second: &Access, distance: i64) -> bool {
        let n_common = first
            .loops
            .iter()
            .zip(&second.loops)
            .take_while(|(a, b)| a == b)
            .count();
        // In the same iteration of the common loops, what stands behind comes later, and copies of one segment are in order.
        let is_behind = second.segments.get(n_common) < first.segments.get(n_common);
        let equal = is_behind.then(|| vec![Direction::Equal; n_common]);
        let later = (0..n_common).map(|level| {
            let mut directions = vec![Direction::Any; n_common];
            directions[..level].fill(Direction::Equal);
            directions[level] = Direction::Later;
            directions
        });
        later
            .chain(equal)
            .any(|directions| self.may_touch(first, second, distance, &directions))
    }

    fn may_touch(
        &self,
        first: &Access,
        second: &Access,
        distance: i64,
        directions: &[Direction],
    ) -> bool {
        if first.indices.len() != second.indices.len() {
            return true;
        }
        first
            .indices
            .iter()
            .zip(&second.indices)
            .all(|(a, b)| self.has_solution(first, a, b, distance, directions))
    }

    /// Whether two indices may be equal: `a` in iteration `i` of the jammed loop and `b` in iteration `i + distance`.
    ///
    /// Source: U. Banerjee's bounds and the GCD test, with direction vectors, as in R. Allen, K. Kennedy, "Optimizing compilers for
    /// modern architectures", 2001, chapter 3.
    fn has_solution(
        &self,
        first: &Access,
        a: &Linear,
        b: &Linear,
        distance: i64,
        directions: &[Direction],
    ) -> bool {
        let Some(step) = self.step else { return true };
        let mut terms: Vec<Term> = Vec::new();
        let mut constant = i128::from(a.constant) - i128::from(b.constant);
        let (ka, kb) = (a.coefficient(self.variable), b.coefficient(self.variable));
        constant -= i128::from(kb) * i128::from(step) * i128::from(distance);
        terms.push((ka - kb, self.range));
        let mut common = vec![self.variable];
        for (op, direction) in first.loops.iter().zip(directions) {
            let Some(known) = loop_of(self.context, self.body, *op) else {
                return true;
            };
            common.push(known.variable);
            let (ka, kb) = (a.coefficient(known.variable), b.coefficient(known.variable));
            match direction {
                Direction::Equal => terms.push((ka - kb, known.range)),
                Direction::Later => {
                    let Some(later) = later(&known) else {
                        return false;
                    };
                    let step = known.step.unwrap_or(1);
                    terms.push((ka - kb, known.range));
                    match ka.checked_mul(step) {
                        Some(per_iteration) => terms.push((per_iteration, later)),
                        None => return true,
                    }
                }
                Direction::Any => {
                    terms.push((ka, known.range));
                    terms.push((-kb, known.range));
                }
            }
        }
        for value in a.terms.keys().chain(b.terms.keys()) {
            if common.contains(value) {
                continue;
            }
            let (ka, kb) = (a.coefficient(*value), b.coefficient(*value));
            let range = self.range_of(*value);
            if is_invariant(self.body, self.op, *value) {
                terms.push((ka - kb, range));
                common.push(*value);
            } else {
                // What is made inside is another value in another iteration.
                terms.push((ka, range));
                terms.push((-kb, range));
                common.push(*value);
            }
        }
        solvable(constant, &terms)
    }

    fn range_of(&self, value: ValueId) -> Option<(i64, i64)> {
        let form = Linear {
            constant: 0,
            terms: [(value, 1)].into(),
        };
        range_of(self.context, self.body, &form, 0)
    }
}

/// The iterations by which one of two iterations of a loop may be later; `None` if there are no two, and an unknown range where the bounds
/// are unknown.
#[expect(
    clippy::option_option,
    reason = "no two iterations, and an unknown number of them, are different things"
)]
fn later(known: &Loop) -> Option<Option<(i64, i64)>> {
    let most = match (known.trip_count, known.range, known.step) {
        (Some(n), ..) => Some(n - 1),
        (None, Some((low, high)), Some(step)) => Some((high - low) / step),
        _ => None,
    };
    match most {
        Some(most) if most < 1 => None,
        Some(most) => Some(Some((1, most))),
        None => Some(None),
    }
}

/// Whether `constant + sum of terms = 0` may have a solution in integers, by the greatest common divisor and by bounds.
fn solvable(constant: i128, terms: &[Term]) -> bool {
    let gcd = terms.iter().fold(0u64, |g, (coefficient, _)| {
        gcd(g, coefficient.unsigned_abs())
    });
    if gcd == 0 {
        return constant == 0;
    }
    if constant % i128::from(gcd) != 0 {
        return false;
    }
    let (mut low, mut high) = (constant, constant);
    for (coefficient, range) in terms.iter().filter(|(coefficient, _)| *coefficient != 0) {
        let Some((first, last)) = range else {
            return true;
        };
        let (a, b) = (
            i128::from(*coefficient) * i128::from(*first),
            i128::from(*coefficient) * i128::from(*last),
        );
        low += a.min(b);
        high += a.max(b);
    }
    low <= 0 && high >= 0
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
