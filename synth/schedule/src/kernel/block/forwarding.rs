//! Finds carried values that need no register between their producer and its reader in the next iteration.
//!
//! A register after every combinational result costs a recurrence one cycle per iteration: `p = next[p] ^ i` would start an
//! iteration in every second cycle only. Registers are removed only from the recurrence that determines the II; the others stay,
//! so that paths are no longer than necessary.

use std::collections::BTreeSet;

use sluice_ir::{BlockId, Body, Context, Diagnostics};

use super::{BlockKind, Builder, Extraction, Hardware, extract, is_compound};
use crate::bounds::{recurrence_bound, resource_bound};
use crate::constraints::{Constraints, Origin};
use crate::problem::{DependenceKind, Initiation, OperationId, Problem};

/// Pairs of a combinational operation and a reader in the next iteration that need no register between them.
pub(crate) type Forwarded = BTreeSet<(OperationId, OperationId)>;

impl Builder<'_> {
    /// Returns the pairs that may be forwarded without a combinational loop, however units are shared.
    pub(super) fn forwardable(&self) -> Forwarded {
        let carried = self.problem.dependences.iter().filter(|dependence| {
            dependence.distance == 1
                && !dependence.unchanged
                && dependence.kind == (DependenceKind::Data { chained: true })
                && self.problem.operation(dependence.from).latency_cycles == 0
        });
        let pairs = carried.map(|dependence| (dependence.from, dependence.to));
        pairs
            .filter(|(from, to)| {
                let reader = self.operations[to.index()];
                reader.is_some_and(|op| !is_compound(self.view(op)))
                    && !self.depends_on_shared_unit(*from)
            })
            .collect()
    }
}

/// The least II that recurrences and units allow, and the pairs on the recurrence that determines it, if one does.
struct Bound {
    ii: i64,
    pairs: Forwarded,
}

impl Bound {
    fn of(problem: &Problem) -> Option<Self> {
        let Initiation::Every { min_ii, .. } = problem.initiation else {
            return None;
        };
        let recurrence = recurrence_bound(&Constraints::new(problem)).ok()?;
        let least = resource_bound(problem).ii.max(i64::from(min_ii));
        let edges = recurrence.critical.map_or(Vec::new(), |cycle| cycle.edges);
        let on_recurrence = edges.into_iter().filter_map(|edge| match edge.origin {
            Origin::Dependence(index) => problem.dependences.get(index),
            _ => None,
        });
        let pairs = on_recurrence.map(|dependence| (dependence.from, dependence.to));
        Some(Self {
            ii: recurrence.ii.max(least),
            pairs: match recurrence.ii > least {
                true => pairs.collect(),
                false => Forwarded::new(),
            },
        })
    }
}

/// Returns the problem `plain` with forwarded values, if that lowers the bound of the II, and the original bound: the II found
/// must be below it. Returns none if forwarding does not lower the bound.
pub(crate) fn forwarding(
    context: &Context,
    body: &Body,
    blocks: &[BlockId],
    kind: &BlockKind,
    hardware: &Hardware<'_>,
    plain: &Extraction,
) -> Result<Option<(Extraction, u32)>, Diagnostics> {
    let Some(before) = Bound::of(&plain.problem) else {
        return Ok(None);
    };
    let mut forwarded = Forwarded::new();
    let (mut least, mut pairs) = (before.ii, before.pairs);
    let mut allowed = plain.forwardable.clone();
    let mut best = None;
    loop {
        let known = forwarded.len();
        forwarded.extend(pairs.intersection(&allowed));
        if forwarded.len() == known {
            break;
        }
        let name = plain.problem.name.clone();
        let extraction = extract(context, body, blocks, kind, name, hardware, &forwarded)?;
        let Some(bound) = Bound::of(&extraction.problem) else {
            break;
        };
        pairs = bound.pairs;
        allowed.clone_from(&extraction.forwardable);
        if bound.ii < least {
            least = bound.ii;
            best = Some(extraction);
        }
    }
    let below = u32::try_from(before.ii).unwrap_or(u32::MAX);
    Ok(best.map(|extraction| (extraction, below)))
}
