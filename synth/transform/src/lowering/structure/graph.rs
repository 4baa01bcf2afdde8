//! The control flow graph of a region: blocks are nodes, and block arguments are assigned on edges.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{cf, cf::switch_cases};
use sluice_ir::bits::Bits;
use sluice_ir::definition::Traits;
use sluice_ir::{
    BlockId, Body, Context, Location, OperationId, RegionId, Type, ValueDefinition, ValueId, View,
};

use super::Refusal;
use super::live::forget_dead;
use super::set::Set;
use super::tree::{Assignment, Facts, Source, Step, Variable, Variables};
use crate::build::constant_of;

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        usize::try_from(self.0).expect("`usize` has 32 bits at least")
    }
}

/// A control flow edge with its assignments.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Edge {
    pub(super) target: NodeId,
    pub(super) assignments: Vec<Assignment>,
    /// The variables live after the edge in the original block graph; the others are dropped. None if not computed.
    pub(super) keep: Option<Set>,
}

impl Edge {
    pub(super) fn to(target: NodeId) -> Self {
        Self {
            target,
            assignments: Vec::new(),
            keep: None,
        }
    }
}

/// How a node selects one of its edges.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// The node has at most one edge.
    Only,
    /// Takes the first edge if the bit is set, else the second.
    Condition(Source),
    /// Takes the edge with the value of the source; the edge without a value is the default.
    Cases(Source, Vec<Option<Bits>>),
    /// Takes the edge whose number equals the variable: with two edges, 1 and 0 as an `i1`; otherwise counted from 0 as an index.
    Number(Variable, Vec<i64>),
}

#[derive(Debug)]
pub(super) struct Node {
    /// The steps that execute in the node.
    pub(super) work: Vec<Step>,
    pub(super) choice: Choice,
    pub(super) edges: Vec<Edge>,
    pub(super) location: Location,
}

#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    pub(super) variables: Variables,
    /// The variables that stand for values of the source, without those that record which edge to take.
    pub(super) values: Set,
    bit: Type,
    index: Type,
}

impl Graph {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(node);
        NodeId(number)
    }

    /// Adds an empty node without outgoing edges.
    pub(super) fn add_end(&mut self) -> NodeId {
        self.add(Node {
            work: Vec::new(),
            choice: Choice::Only,
            edges: Vec::new(),
            location: Location::UNKNOWN,
        })
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(super) fn edges(&self, id: NodeId) -> &[Edge] {
        &self.node(id).edges
    }

    /// Adds a variable that records which of `n` edges is taken; returns it and the number of each edge.
    pub(super) fn number_ways(&mut self, n: usize) -> (Variable, Vec<i64>) {
        if n <= 2 {
            let variable = self.variables.add(self.bit, None);
            return (variable, (0..n).map(|i| i64::from(i == 0)).collect());
        }
        let variable = self.variables.add(self.index, None);
        let count = i64::try_from(n).expect("nodes have numbers of 32 bits");
        (variable, (0..count).collect())
    }

    pub(super) fn is_bit(&self, variable: Variable) -> bool {
        self.variables.of(variable).ty == self.bit
    }

    /// Adds a variable of one bit.
    pub(super) fn add_bit(&mut self) -> Variable {
        self.variables.add(self.bit, None)
    }
}

/// Builds the assignment `variable = number`.
pub(super) fn assign_number(variable: Variable, number: i64) -> Assignment {
    Assignment {
        variable,
        source: Source::Number(number),
    }
}

/// Builds an assignment that marks the variable as dead on this path.
pub(super) fn forget(variable: Variable) -> Assignment {
    Assignment {
        variable,
        source: Source::Nothing,
    }
}

/// Returns whether an operation makes a constant, which has the same value at every place.
pub(super) fn is_constant(context: &Context, body: &Body, op: OperationId) -> bool {
    let definition = body.definition(context, op);
    definition.is_some_and(|d| d.has(Traits::CONSTANT_LIKE))
        && body.n_operands(op) == 0
        && body.regions(op).is_empty()
}

/// The control flow graph of a region with its entry and its exit.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) graph: Graph,
    pub(super) entry: NodeId,
    /// The node that all terminators without successors lead to.
    pub(super) exit: NodeId,
    /// All nodes reachable from the entry, except the exit.
    pub(super) members: Vec<NodeId>,
    /// The reachable blocks.
    pub(super) reached: BTreeSet<BlockId>,
    /// One of the terminators without successors.
    pub(super) terminator: OperationId,
    /// The values that the terminator passes on.
    pub(super) passed_on: Vec<Source>,
    /// The variable of each value, if it has one.
    pub(super) variable_of: BTreeMap<ValueId, Variable>,
}

/// Builds the graph of a region with several blocks. A branch with a constant condition keeps one edge.
///
/// # Errors
/// Terminators that are not cf branches, different terminators that leave the region, and a region without exit.
pub(super) fn read(context: &Context, body: &Body, region: RegionId) -> Result<Flow, Refusal> {
    let branches = reachable(context, body, region)?;
    let blocks: Vec<BlockId> = branches.iter().map(|(block, _)| *block).collect();
    let reached: BTreeSet<BlockId> = blocks.iter().copied().collect();
    let variables = Variables::default();
    let mut graph = Graph {
        nodes: Vec::new(),
        variables,
        values: Set::default(),
        bit: context.integer_type(1),
        index: context.index_type(),
    };
    let variable_of = find_variables(context, body, &blocks, &mut graph.variables);
    let source = |value: ValueId| match variable_of.get(&value) {
        Some(variable) => Source::Variable(*variable),
        None => Source::Value(value),
    };
    let (terminator, passed_on) = leave_together(context, body, &branches, &mut graph, source)?;
    let mut node_of = BTreeMap::new();
    for (block, branch) in &branches {
        let id = graph.add_end();
        node_of.insert(*block, id);
        let facts = facts_of(body, *block, &variable_of);
        let node = graph.node_mut(id);
        node.work.push(Step::Block(*block, facts));
        node.location = body.location(branch.terminator);
    }
    let exit = graph.add_end();
    for (block, branch) in &branches {
        let mut edges = Vec::new();
        for way in &branch.ways {
            let arguments = body.arguments(way.block).iter();
            let assignments = arguments.zip(&way.operands).map(|(argument, value)| {
                let (variable, source) = (variable_of[argument], source(*value));
                Assignment { variable, source }
            });
            edges.push(Edge {
                target: node_of[&way.block],
                assignments: without_effectless(assignments),
                keep: None,
            });
        }
        if branch.ways.is_empty() {
            let values = body.operands(branch.terminator).map(source);
            let assignments = passed_on.iter().zip(values);
            let assignments = assignments.filter_map(|(to, source)| match to {
                Source::Variable(variable) => Some(Assignment {
                    variable: *variable,
                    source,
                }),
                Source::Value(_) | Source::Number(_) | Source::Nothing => None,
            });
            edges.push(Edge {
                target: exit,
                assignments: without_effectless(assignments),
                keep: None,
            });
        }
        let node = graph.node_mut(node_of[block]);
        node.choice = match &branch.choice {
            ChoiceOf::Only => Choice::Only,
            ChoiceOf::Condition(value) => Choice::Condition(source(*value)),
            ChoiceOf::Cases(value, cases) => Choice::Cases(source(*value), cases.clone()),
        };
        node.edges = edges;
    }
    let mut flow = Flow {
        graph,
        entry: node_of[&blocks[0]],
        exit,
        members: node_of.values().copied().collect(),
        reached,
        terminator,
        passed_on,
        variable_of,
    };
    flow.graph.values = flow.graph.variables.all().collect();
    assign_behind_edges(&mut flow);
    forget_dead(&mut flow);
    Ok(flow)
}

fn without_effectless(assignments: impl Iterator<Item = Assignment>) -> Vec<Assignment> {
    assignments
        .filter(|a| a.source != Source::Variable(a.variable))
        .collect()
}

/// Moves assignments from an edge into its target, if no other edge leads to that node.
fn assign_behind_edges(flow: &mut Flow) {
    let mut n_edges: BTreeMap<NodeId, usize> = BTreeMap::new();
    for edge in flow.members.iter().flat_map(|id| flow.graph.edges(*id)) {
        *n_edges.entry(edge.target).or_default() += 1;
    }
    let mut moved = Vec::new();
    for id in &flow.members {
        for edge in &mut flow.graph.node_mut(*id).edges {
            if n_edges[&edge.target] == 1 && !edge.assignments.is_empty() {
                moved.push((edge.target, std::mem::take(&mut edge.assignments)));
            }
        }
    }
    for (target, assignments) in moved {
        let work = &mut flow.graph.node_mut(target).work;
        work.insert(0, Step::Assign(assignments));
    }
}

/// The end of a block.
struct Branch {
    terminator: OperationId,
    choice: ChoiceOf,
    ways: Vec<Way>,
}

enum ChoiceOf {
    Only,
    Condition(ValueId),
    Cases(ValueId, Vec<Option<Bits>>),
}

struct Way {
    block: BlockId,
    operands: Vec<ValueId>,
}

/// Returns the reachable blocks in text order with their ends.
fn reachable(
    context: &Context,
    body: &Body,
    region: RegionId,
) -> Result<Vec<(BlockId, Branch)>, Refusal> {
    let blocks = body.blocks(region);
    let mut found: BTreeMap<BlockId, Branch> = BTreeMap::new();
    let mut waiting = vec![blocks[0]];
    while let Some(block) = waiting.pop() {
        if found.contains_key(&block) {
            continue;
        }
        let Some(terminator) = body.last_operation(block) else {
            let parent = body.region_parent(region);
            let location = parent.map_or(Location::UNKNOWN, |op| body.location(op));
            return Err(Refusal::new(location, "a block without a terminator"));
        };
        let branch = read_branch(View::new(context, body, terminator))?;
        waiting.extend(branch.ways.iter().map(|way| way.block));
        found.insert(block, branch);
    }
    let in_order = blocks.iter();
    Ok(in_order
        .filter_map(|block| Some((*block, found.remove(block)?)))
        .collect())
}

fn read_branch(view: View<'_>) -> Result<Branch, Refusal> {
    let (context, body) = (view.context, view.body);
    let way = |i: usize| Way {
        block: view.successors()[i],
        operands: view
            .successor_operands(i)
            .map_or_else(Vec::new, |operands| operands.to_vec()),
    };
    let branch = |choice, ways| Branch {
        terminator: view.id,
        choice,
        ways,
    };
    let only = |way| branch(ChoiceOf::Only, vec![way]);
    Ok(match view.name() {
        cf::Br::NAME => only(way(0)),
        cf::CondBr::NAME => {
            let condition = view.operand(0);
            match constant_of(context, body, condition) {
                Some(bit) => only(way(usize::from(bit.is_zero()))),
                None => branch(ChoiceOf::Condition(condition), vec![way(0), way(1)]),
            }
        }
        cf::Switch::NAME => {
            let flag = view.operand(0);
            let cases = switch_cases(view);
            let known = constant_of(context, body, flag);
            let mut values = Vec::new();
            let mut ways = Vec::new();
            for case in cases {
                // If several cases have the same value, the first applies.
                if case.value.is_some() && values.contains(&case.value) {
                    continue;
                }
                values.push(case.value);
                ways.push(Way {
                    block: case.block,
                    operands: case.operands,
                });
            }
            match known {
                Some(_) => {
                    let taken = values.iter().position(|value| *value == known);
                    only(ways.swap_remove(taken.unwrap_or(0)))
                }
                None if ways.len() == 1 => only(ways.swap_remove(0)),
                None => branch(ChoiceOf::Cases(flag, values), ways),
            }
        }
        _ if view.successors().is_empty() => branch(ChoiceOf::Only, Vec::new()),
        name => {
            let message = format!(
                "`{name}` chooses between blocks in a way of its own: only `cf.br`, `cf.cond_br` and `cf.switch` become structured"
            );
            return Err(Refusal::new(view.location(), message));
        }
    })
}

/// Chooses one terminator for all exits of the region, and the values that it passes on: new variables if there are several
/// exits.
fn leave_together(
    context: &Context,
    body: &Body,
    branches: &[(BlockId, Branch)],
    graph: &mut Graph,
    source: impl Fn(ValueId) -> Source,
) -> Result<(OperationId, Vec<Source>), Refusal> {
    let mut leaving = branches
        .iter()
        .filter(|(_, branch)| branch.ways.is_empty())
        .map(|(_, branch)| View::new(context, body, branch.terminator));
    let Some(first) = leaving.next() else {
        let place = branches[0].1.terminator;
        let message = "no path leaves these blocks: structured control flow needs a way out";
        return Err(Refusal::new(body.location(place), message));
    };
    let mut others = leaving.peekable();
    if others.peek().is_none() {
        return Ok((first.id, first.operands().map(source).collect()));
    }
    for other in others {
        let is_alike = other.name() == first.name()
            && says_the_same(other, first)
            && other.operand_types().eq(first.operand_types())
            && other.results().is_empty()
            && other.regions().is_empty();
        if !is_alike {
            let message = format!(
                "`{}` here and `{}` elsewhere leave the blocks in different ways: structured control flow has one",
                other.name(),
                first.name()
            );
            let mut refusal = Refusal::new(other.location(), message);
            refusal.note = Some((first.location(), "the other way out".to_owned()));
            return Err(refusal);
        }
    }
    let types = first.operand_types();
    let variables = types.map(|ty| Source::Variable(graph.variables.add(ty, None)));
    Ok((first.id, variables.collect()))
}

/// Returns whether two operations of one name have the same inherent attributes; discardable attributes are ignored.
fn says_the_same(one: View<'_>, other: View<'_>) -> bool {
    match one.definition() {
        Some(known) => (0..known.attributes.len())
            .all(|i| one.inherent_attribute(i) == other.inherent_attribute(i)),
        None => one.attributes() == other.attributes(),
    }
}

/// Creates variables for all block arguments, and for results (except constants) that another block or the terminator reads.
fn find_variables(
    context: &Context,
    body: &Body,
    blocks: &[BlockId],
    variables: &mut Variables,
) -> BTreeMap<ValueId, Variable> {
    let mut found = BTreeMap::new();
    let home = |value: ValueId| body.defining_block(value);
    let mut leaves: BTreeSet<ValueId> = BTreeSet::new();
    for block in blocks {
        for op in body.operations(*block) {
            let is_last = body.next(op).is_none();
            for inner in body.walk(op) {
                let read = body.operands(inner);
                leaves.extend(read.filter(|value| is_last || home(*value) != Some(*block)));
            }
        }
    }
    for block in blocks {
        for argument in body.arguments(*block) {
            found.insert(
                *argument,
                variables.add(body.ty(*argument), Some(*argument)),
            );
        }
        let ops = body.operations(*block);
        let ops = ops.filter(|op| !is_constant(context, body, *op));
        for result in ops.flat_map(|op| body.results(op)) {
            if leaves.contains(result) {
                found.insert(*result, variables.add(body.ty(*result), Some(*result)));
            }
        }
    }
    found
}

/// Returns the effect of the operations of a block on variables.
fn facts_of(body: &Body, block: BlockId, variable_of: &BTreeMap<ValueId, Variable>) -> Facts {
    let mut facts = Facts::default();
    for op in body.operations(block) {
        if body.next(op).is_none() {
            break;
        }
        for inner in body.walk(op) {
            let read = body.operands(inner).filter(|value| {
                let is_own = matches!(
                    body.value_definition(*value),
                    ValueDefinition::Result { operation, .. } if body.parent_block(operation) == Some(block)
                );
                !is_own
            });
            for variable in read.filter_map(|value| variable_of.get(&value)) {
                facts.reads.insert(*variable);
            }
        }
        let made = body.results(op).iter();
        for variable in made.filter_map(|value| variable_of.get(value)) {
            facts.kills.insert(*variable);
        }
    }
    facts.assigns.clone_from(&facts.kills);
    facts
}
