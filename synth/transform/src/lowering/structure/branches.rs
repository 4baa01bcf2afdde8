//! Turns branches of an acyclic graph into conditionals: nodes that only one edge leads to go into the branch of that edge.
//!
//! If the branches meet in one node, the sequence continues there. If they meet in several, a variable records which node comes
//! next, and a second conditional after the first one tests it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use sluice_ir::Location;
use sluice_ir::bits::Bits;
use sluice_ir::types::INDEX_WIDTH_BITS;

use super::components::Scope;
use super::graph::{Choice, Edge, Graph, Node, NodeId, assign_number};
use super::set::Set;
use super::tree::{Assignment, Case, If, Keep, Sequence, Source, Step, Switch, Test, Variable};
use super::{MAX_LEVELS, Refusal};

/// The nodes where a sequence may end, with the assignments on the edge to each.
pub(super) type Exits = BTreeMap<NodeId, Vec<Assignment>>;

/// Converts a graph to sequences of steps, and adds nodes that choose by a variable.
pub(super) struct Sequencer<'a> {
    pub(super) graph: &'a mut Graph,
}

/// Edges of a node that lead to the same node with the same assignments.
struct Arm {
    /// The indices of the edges.
    edges: Vec<usize>,
    target: NodeId,
    assignments: Vec<Assignment>,
    keep: Option<Set>,
    /// True if no other edge leads to the target.
    owns_target: bool,
}

/// Where the branches of a node meet.
struct Meeting {
    /// For each exit node, the assignments on the edge to it.
    exits: Exits,
    /// Where the sequence continues.
    next: Next,
    /// The variable of an earlier choice that already tells where the branches without steps lead.
    is_known: Option<Variable>,
}

enum Next {
    /// At a node inside the scope.
    Here(NodeId),
    /// At a new node that chooses by the variable; the last of the nodes may be outside the scope.
    Choice(Variable, Vec<i64>, Vec<NodeId>),
    /// Outside the scope, at the node where all branches lead.
    Leave(NodeId),
    /// No branch continues.
    Over,
}

impl Sequencer<'_> {
    /// Returns the steps from `root` through all nodes that it dominates in `scope`, up to one of the exits.
    ///
    /// # Errors
    /// Nesting that is too deep.
    pub(super) fn sequence(
        &mut self,
        scope: &Scope,
        root: NodeId,
        exits: &Exits,
        level: u32,
    ) -> Result<Sequence, Refusal> {
        let mut scope = Cow::Borrowed(scope);
        let mut exits = Cow::Borrowed(exits);
        let (mut root, mut node) = (root, root);
        let mut steps = Sequence::new();
        loop {
            steps.append(&mut self.graph.node_mut(node).work);
            let arms = self.arms(&scope, root, node);
            let next = if let [arm] = arms.as_slice() {
                self.push_edge(&mut steps, arm);
                match scope.dominates(root, arm.target) {
                    true => Next::Here(arm.target),
                    false => Next::Leave(arm.target),
                }
            } else {
                let location = self.graph.node(node).location;
                if level >= MAX_LEVELS {
                    return Err(Refusal::too_deep(location));
                }
                let met = self.ends(&scope, root, &arms);
                let meeting = self.meet(&scope, root, node, &met, &exits);
                let mut branches = Vec::new();
                for arm in &arms {
                    let branch = self.branch(&scope, arm, &meeting, level)?;
                    branches.push((arm.edges.clone(), branch));
                }
                let choice = self.graph.node(node).choice.clone();
                steps.extend(self.choose(choice, branches, location));
                meeting.next
            };
            match next {
                Next::Here(next) => node = next,
                Next::Leave(target) => {
                    push_assignments(&mut steps, exits[&target].clone());
                    return Ok(steps);
                }
                Next::Over => return Ok(steps),
                Next::Choice(variable, numbers, targets) => {
                    let inner = scope.clone();
                    let old_root = root;
                    for target in &targets {
                        if !inner.dominates(old_root, *target) {
                            exits.to_mut().entry(*target).or_default();
                        }
                    }
                    root = self.add_choice(variable, numbers, &targets, node);
                    node = root;
                    let inside = |id| inner.dominates(old_root, id);
                    scope = Cow::Owned(Scope::new(self.graph, root, inside));
                }
            }
        }
    }

    fn add_choice(
        &mut self,
        variable: Variable,
        numbers: Vec<i64>,
        targets: &[NodeId],
        behind: NodeId,
    ) -> NodeId {
        let edges = targets.iter().copied().map(Edge::to);
        let node = Node {
            work: Vec::new(),
            choice: Choice::Number(variable, numbers),
            edges: edges.collect(),
            location: self.graph.node(behind).location,
        };
        self.graph.add(node)
    }

    fn arms(&self, scope: &Scope, root: NodeId, node: NodeId) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        for (number, edge) in self.graph.edges(node).iter().enumerate() {
            let same = arms
                .iter_mut()
                .find(|arm| arm.target == edge.target && arm.assignments == edge.assignments);
            match same {
                Some(arm) => arm.edges.push(number),
                None => arms.push(Arm {
                    edges: vec![number],
                    target: edge.target,
                    assignments: edge.assignments.clone(),
                    keep: edge.keep.clone(),
                    owns_target: false,
                }),
            }
        }
        for arm in &mut arms {
            arm.owns_target = scope.dominates(root, arm.target)
                && scope.n_entering(arm.target) == arm.edges.len();
        }
        arms
    }

    /// Returns the nodes where the branches lead after the nodes that only one branch reaches.
    fn ends(&self, scope: &Scope, root: NodeId, arms: &[Arm]) -> Vec<NodeId> {
        let mut found: BTreeSet<NodeId> = BTreeSet::new();
        for arm in arms {
            if !arm.owns_target {
                found.insert(arm.target);
                continue;
            }
            let mut seen = BTreeSet::from([arm.target]);
            let mut waiting = vec![arm.target];
            while let Some(id) = waiting.pop() {
                for edge in self.graph.edges(id) {
                    if !scope.dominates(arm.target, edge.target) {
                        found.insert(edge.target);
                    } else if seen.insert(edge.target) {
                        waiting.push(edge.target);
                    }
                }
            }
        }
        let mut found: Vec<NodeId> = found.into_iter().collect();
        let is_outside = |id: NodeId| !scope.dominates(root, id);
        found.sort_by_key(|id| (is_outside(*id), scope.order(*id), *id));
        found
    }

    /// Determines how branches from `node` that lead to the nodes `met` end; nodes outside the scope come last.
    fn meet(
        &mut self,
        scope: &Scope,
        root: NodeId,
        node: NodeId,
        met: &[NodeId],
        exits: &Exits,
    ) -> Meeting {
        let n_inside = met.partition_point(|id| scope.dominates(root, *id));
        let (inside, outside) = met.split_at(n_inside);
        let nothing_to_say = |id: &NodeId| Exits::from([(*id, Vec::new())]);
        match (inside, outside) {
            ([next], []) => {
                return Meeting {
                    exits: nothing_to_say(next),
                    next: Next::Here(*next),
                    is_known: None,
                };
            }
            ([], [target]) => {
                return Meeting {
                    exits: nothing_to_say(target),
                    next: Next::Leave(*target),
                    is_known: None,
                };
            }
            ([], _) => {
                return Meeting {
                    exits: outside.iter().map(|id| (*id, exits[id].clone())).collect(),
                    next: Next::Over,
                    is_known: None,
                };
            }
            _ => {}
        }
        if let Some((variable, numbers)) = self.numbers_of_choice(node, met) {
            let say = met.iter().zip(&numbers);
            return Meeting {
                exits: say
                    .map(|(id, number)| (*id, vec![assign_number(variable, *number)]))
                    .collect(),
                next: Next::Choice(variable, numbers, met.to_vec()),
                is_known: Some(variable),
            };
        }
        // With one exit, its assignments follow the choice; with several, they come before it.
        let mut targets = inside.to_vec();
        match outside {
            [] => {}
            [target] => targets.push(*target),
            _ => targets.push(self.graph.add_end()),
        }
        let (variable, numbers) = self.graph.number_ways(targets.len());
        let mut said = Exits::new();
        for (id, number) in inside.iter().zip(&numbers) {
            said.insert(*id, vec![assign_number(variable, *number)]);
        }
        for id in outside {
            let number = numbers[numbers.len() - 1];
            let mut assignments = vec![assign_number(variable, number)];
            if outside.len() > 1 {
                assignments.extend(&exits[id]);
            }
            said.insert(*id, assignments);
        }
        Meeting {
            exits: said,
            next: Next::Choice(variable, numbers, targets),
            is_known: None,
        }
    }

    /// Returns the variable and the number of each node, if `node` chooses by a variable between all of these nodes and others.
    fn numbers_of_choice(&self, node: NodeId, met: &[NodeId]) -> Option<(Variable, Vec<i64>)> {
        let node = self.graph.node(node);
        let Choice::Number(variable, numbers) = &node.choice else {
            return None;
        };
        // Edges that were redirected carry assignments.
        if !node.edges.iter().all(|edge| edge.assignments.is_empty()) {
            return None;
        }
        let number = |id: &NodeId| {
            let way = node.edges.iter().position(|edge| edge.target == *id)?;
            numbers.get(way).copied()
        };
        let found: Option<Vec<i64>> = met.iter().map(number).collect();
        Some((*variable, found?))
    }

    /// Appends the assignments and the steps of an edge.
    fn push_edge(&self, steps: &mut Sequence, arm: &Arm) {
        push_assignments(steps, arm.assignments.clone());
        if let Some(live) = &arm.keep {
            steps.push(Keep::step(live, &self.graph.values));
        }
    }

    fn branch(
        &mut self,
        scope: &Scope,
        arm: &Arm,
        meeting: &Meeting,
        level: u32,
    ) -> Result<Sequence, Refusal> {
        let mut steps = Sequence::new();
        self.push_edge(&mut steps, arm);
        if arm.owns_target {
            steps.extend(self.sequence(scope, arm.target, &meeting.exits, level + 1)?);
        } else if meeting.is_known.is_none() {
            push_assignments(&mut steps, meeting.exits[&arm.target].clone());
        }
        Ok(steps)
    }

    /// Returns the step that takes one of several branches, each with the indices of its edges; returns none if no branch has an
    /// effect.
    fn choose(
        &self,
        choice: Choice,
        mut branches: Vec<(Vec<usize>, Sequence)>,
        location: Location,
    ) -> Option<Step> {
        if branches.iter().all(|(_, steps)| is_idle(steps)) {
            return None;
        }
        let (source, values, default) = match choice {
            Choice::Only => return None,
            Choice::Condition(condition) => return two(condition, branches, location),
            Choice::Number(variable, _) if self.graph.is_bit(variable) => {
                return two(Source::Variable(variable), branches, location);
            }
            Choice::Number(variable, numbers) => {
                let value = |number: i64| Some(Bits::from_i64(INDEX_WIDTH_BITS, number));
                let values: Vec<Option<Bits>> = numbers.into_iter().map(value).collect();
                // The variable has no other values. The default is the branch without effect, or else the last branch.
                let idle = branches.iter().position(|(_, steps)| is_idle(steps));
                let default = idle.unwrap_or(branches.len() - 1);
                (Source::Variable(variable), values, default)
            }
            Choice::Cases(source, values) => {
                let is_default = |edge: &usize| values[*edge].is_none();
                let default = branches
                    .iter()
                    .position(|(edges, _)| edges.iter().any(is_default))?;
                (source, values, default)
            }
        };
        let default = branches.remove(default).1;
        if is_idle(&default) {
            branches.retain(|(_, steps)| !is_idle(steps));
        }
        let mut cases = branches.into_iter().map(|(edges, steps)| Case {
            values: edges
                .iter()
                .filter_map(|edge| values[*edge].clone())
                .collect(),
            steps,
        });
        let first = cases.next()?;
        let others: Vec<Case> = cases.collect();
        if others.is_empty() {
            let test = Test::OneOf(source, first.values);
            return Some(If::step(test, first.steps, default, location));
        }
        let cases = std::iter::once(first).chain(others).collect();
        Some(Switch::step(source, cases, default, location))
    }
}

fn push_assignments(steps: &mut Sequence, assignments: Vec<Assignment>) {
    if !assignments.is_empty() {
        steps.push(Step::Assign(assignments));
    }
}

/// Returns whether a branch has no effect.
fn is_idle(steps: &Sequence) -> bool {
    steps.iter().all(|step| matches!(step, Step::Keep(_)))
}

/// Builds a step that takes the first branch if the bit is set, else the second.
fn two(
    condition: Source,
    mut branches: Vec<(Vec<usize>, Sequence)>,
    location: Location,
) -> Option<Step> {
    let (_, otherwise) = branches.pop()?;
    let (_, then) = branches.pop()?;
    Some(If::step(Test::Holds(condition), then, otherwise, location))
}
