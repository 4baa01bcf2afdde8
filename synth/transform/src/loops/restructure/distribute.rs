//! `distribute`: loop distribution, with one loop per set of mutually dependent statements.
//!
//! Source: K. Kennedy, K. McKinley, "Maximizing loop parallelism and improving data locality via loop fusion and distribution",
//! LCPC 1993: strongly connected components of the statements under the dependences that the loop carries or that stay within one
//! iteration. A value that one statement defines and another uses keeps the two together.

use std::collections::BTreeSet;

use sluice_ir::{Body, Context, OperationId};

use super::nest::{carried, carries, dependence, operations, statement, statements, title};
use crate::analysis::dependence_vectors::{
    Dependence, Outside, Reference, dependences, references,
};

/// Splits a loop into one loop per set of statements.
pub(super) fn distribute(
    context: &Context,
    body: &mut Body,
    op: OperationId,
) -> Result<(), String> {
    let graph = Graph::of(context, body, op)?;
    let groups = graph.groups();
    if groups.len() < 2 {
        let words = title(context, body, op);
        if graph.statements.len() < 2 {
            return Err(format!(
                "{words} cannot be distributed: it has one statement only"
            ));
        }
        let why = graph.tie(context, body, op, None);
        return Err(format!(
            "{words} cannot be distributed, all its statements stay together: {why}"
        ));
    }
    split(context, body, op, &graph, &groups);
    Ok(())
}

/// Makes the loop `inner`, directly in `outer`, the only statement of its loop; other statements get separate loops. Returns the
/// new `outer`.
pub(super) fn isolate(
    context: &Context,
    body: &mut Body,
    outer: OperationId,
    inner: OperationId,
) -> Result<OperationId, String> {
    if statements(context, body, outer) == [inner] {
        return Ok(outer);
    }
    let graph = Graph::of(context, body, outer)?;
    let groups = graph.groups();
    let at = graph
        .statements
        .iter()
        .position(|op| *op == inner)
        .expect("a loop is a statement");
    let own = groups
        .iter()
        .position(|group| group.contains(&at))
        .expect("every statement has a group");
    let others: Vec<usize> = groups[own].iter().copied().filter(|s| *s != at).collect();
    if let Some(other) = others.first() {
        return Err(format!(
            "{} is in the way between {} and {}, and cannot have a loop of its own: {}",
            statement(context, body, graph.statements[*other]),
            title(context, body, outer),
            title(context, body, inner),
            graph.tie(context, body, outer, Some(at))
        ));
    }
    let joined = |groups: &[Vec<usize>]| {
        let mut all: Vec<usize> = groups.iter().flatten().copied().collect();
        all.sort_unstable();
        all
    };
    let mut parts = [joined(&groups[..own]), vec![at], joined(&groups[own + 1..])].to_vec();
    parts.retain(|part| !part.is_empty());
    let own = parts
        .iter()
        .position(|part| *part == [at])
        .expect("it is one of them");
    let made = split(context, body, outer, &graph, &parts);
    Ok(made[own])
}

/// The dependence graph of the statements of a loop.
struct Graph {
    statements: Vec<OperationId>,
    references: Vec<Reference>,
    /// The statement that contains each reference.
    owners: Vec<usize>,
    dependences: Vec<Dependence>,
    /// Pairs in which the second statement uses a value of the first.
    uses: BTreeSet<(usize, usize)>,
}

impl Graph {
    fn of(context: &Context, body: &Body, op: OperationId) -> Result<Self, String> {
        if carries(body, op) {
            let what = carried(context, body, op);
            return Err(format!(
                "{what}: keep the value in a memory to distribute it"
            ));
        }
        let statements = statements(context, body, op);
        let (mut all, mut owners) = (Vec::new(), Vec::new());
        for (owner, statement) in statements.iter().enumerate() {
            let found = references(context, body, op, *statement);
            owners.extend(found.iter().map(|_| owner));
            all.extend(found);
        }
        let outside = Outside {
            context,
            body,
            loops: &[op],
        };
        let dependences = dependences(&outside, &all, 1);
        let mut uses = BTreeSet::new();
        for (user, statement) in statements.iter().enumerate() {
            let mut waiting = vec![*statement];
            let mut seen = BTreeSet::new();
            while let Some(next) = waiting.pop() {
                for reader in body.walk(next) {
                    for value in body.operands(reader) {
                        let Some(made) = body.defining_operation(value) else {
                            continue;
                        };
                        if body.parent_operation(made) != Some(op) || !seen.insert(made) {
                            continue;
                        }
                        match statements.iter().position(|s| *s == made) {
                            Some(maker) if maker != user => drop(uses.insert((maker, user))),
                            Some(_) => {}
                            None => waiting.push(made),
                        }
                    }
                }
            }
        }
        Ok(Self {
            statements,
            references: all,
            owners,
            dependences,
            uses,
        })
    }

    fn edges(&self) -> BTreeSet<(usize, usize)> {
        let carried = self.dependences.iter();
        let mut edges: BTreeSet<(usize, usize)> = carried
            .map(|found| (self.owners[found.source], self.owners[found.sink]))
            .collect();
        for (maker, user) in &self.uses {
            edges.extend([(*maker, *user), (*user, *maker)]);
        }
        edges
    }

    /// Returns the sets of mutually dependent statements in topological order; ties follow text order.
    fn groups(&self) -> Vec<Vec<usize>> {
        let n = self.statements.len();
        let edges = self.edges();
        let mut reaches = vec![vec![false; n]; n];
        for (a, b) in &edges {
            reaches[*a][*b] = true;
        }
        for middle in 0..n {
            let onward = reaches[middle].clone();
            for row in &mut reaches {
                if row[middle] {
                    row.iter_mut().zip(&onward).for_each(|(r, o)| *r |= o);
                }
            }
        }
        let mut left: BTreeSet<usize> = (0..n).collect();
        let mut groups = Vec::new();
        while !left.is_empty() {
            let is_free = |s: &&usize| {
                let mut others = left.iter();
                !others.any(|other| reaches[*other][**s] && !reaches[**s][*other])
            };
            let first = *left.iter().find(is_free).expect("groups form no circle");
            let group: Vec<usize> = left
                .iter()
                .copied()
                .filter(|s| *s == first || (reaches[first][*s] && reaches[*s][first]))
                .collect();
            left.retain(|s| !group.contains(s));
            groups.push(group);
        }
        groups
    }

    /// Explains why statements cannot be separated, or why statement `of` cannot: a dependence backwards in the text, or a value.
    fn tie(&self, context: &Context, body: &Body, op: OperationId, of: Option<usize>) -> String {
        let outside = Outside {
            context,
            body,
            loops: &[op],
        };
        let concerns = |a: usize, b: usize| a != b && of.is_none_or(|of| a == of || b == of);
        let backward = self.dependences.iter().find(|found| {
            let (source, sink) = (self.owners[found.source], self.owners[found.sink]);
            source > sink && concerns(source, sink)
        });
        if let Some(found) = backward {
            return dependence(&outside, &self.references, found);
        }
        match self.uses.iter().find(|(a, b)| concerns(*a, *b)) {
            Some((maker, user)) => format!(
                "{} makes a value that {} uses",
                statement(context, body, self.statements[*maker]),
                statement(context, body, self.statements[*user])
            ),
            None => "they depend on each other through the statements between them".to_owned(),
        }
    }
}

/// Replaces `op` by one loop per set of statements, in this order.
fn split(
    context: &Context,
    body: &mut Body,
    op: OperationId,
    graph: &Graph,
    groups: &[Vec<usize>],
) -> Vec<OperationId> {
    let all = operations(body, op);
    let owner = |inner: &OperationId| graph.statements.iter().position(|s| s == inner);
    let owners: Vec<Option<usize>> = all.iter().map(owner).collect();
    let mut made = Vec::new();
    for group in groups {
        let copy = body.copy(context, op, &mut std::collections::BTreeMap::new());
        body.insert_before(op, copy);
        let inner = operations(body, copy);
        for (inner, owner) in inner.into_iter().zip(&owners).rev() {
            let is_needed = match owner {
                Some(owner) => group.contains(owner),
                None => body
                    .results(inner)
                    .iter()
                    .any(|value| !body.is_unused(*value)),
            };
            if !is_needed {
                body.erase(inner);
            }
        }
        made.push(copy);
    }
    body.erase(op);
    made
}
