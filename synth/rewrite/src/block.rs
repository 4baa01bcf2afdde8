//! Builds the e-graph of the arithmetic of one block, and saturates it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use egg::{BackoffScheduler, EGraph, Id, Runner, StopReason};
use sluice_dialects::{arith, builtin};
use sluice_ir::algebra::{Concrete, KnownBits, KnownBitsWord};
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Body, Context, OperationId, ValueDefinition, ValueId};
use smallvec::{SmallVec, smallvec};

use crate::RewriteOptions;
use crate::cache::{Cache, DataPathKey, Saturated};
use crate::facts::{DataPath, Facts};
use crate::graph::{BlockGraph, Original, User};
use crate::language::{Node, Op};
use crate::rules;

/// Returns the bits of `value` if it is the result of an `arith.constant` of signless integer type.
fn constant_bits(context: &Context, body: &Body, value: ValueId) -> Option<Bits> {
    let op = body.defining_operation(value)?;
    if context.operation_text(body.name(op)) != arith::Constant::NAME
        || !body.ty(value).is_signless_integer(context)
    {
        return None;
    }
    let bits = body
        .attribute_named(context, op, "value")?
        .integer(context)?;
    (bits.width() > 0).then(|| bits.clone())
}

/// Returns the width of `value` if it is a signless integer of at least one bit.
fn integer_width(context: &Context, body: &Body, value: ValueId) -> Option<u32> {
    let ty = body.ty(value);
    let width = ty
        .integer_width_bits(context)
        .filter(|_| ty.is_signless_integer(context))?;
    (width > 0).then_some(width)
}

/// Returns the operator of an operation of the language on signless integers, and whether its operands are swapped.
fn operator(context: &Context, body: &Body, op: OperationId) -> Option<(Op, bool)> {
    let name = context.operation_text(body.name(op));
    if !name.starts_with("arith.") || body.results(op).len() != 1 {
        return None;
    }
    let predicate = body
        .attribute_named(context, op, "predicate")
        .and_then(|p| p.as_i64(context));
    let found = Op::from_operation(name, predicate)?;
    let mut values = body.operands(op).chain([body.result(op, 0)]);
    values
        .all(|value| integer_width(context, body, value).is_some())
        .then_some(found)
}

/// Returns the value of `op` on concrete operands, if [`rewrite`](crate::rewrite) handles the operation.
pub fn evaluate_operation(
    context: &Context,
    body: &Body,
    op: OperationId,
    operands: &[Bits],
) -> Option<Bits> {
    let result = *body.results(op).first()?;
    if let Some(bits) = constant_bits(context, body, result) {
        return Some(bits);
    }
    let (operator, swapped) = operator(context, body, op)?;
    let width = integer_width(context, body, result)?;
    let mut operands: SmallVec<[&Bits; 3]> = operands.iter().collect();
    if swapped {
        operands.reverse();
    }
    operator.meaning(&mut Concrete::new(), width, &operands)
}

/// Known bits of values, computed from the operations of the language that define them, in any block.
struct OuterFacts<'a> {
    context: &'a Context,
    body: &'a Body,
    known: BTreeMap<ValueId, KnownBitsWord>,
}

impl OuterFacts<'_> {
    /// Limit of the operation depth for known bits.
    const MAX_DEPTH: u32 = 24;

    fn of(&mut self, value: ValueId, depth: u32) -> KnownBitsWord {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let width = integer_width(self.context, self.body, value).expect("leaves are integers");
        let known = self
            .compute(value, width, depth)
            .unwrap_or_else(|| KnownBitsWord::unknown(width));
        self.known.insert(value, known.clone());
        known
    }

    fn compute(&mut self, value: ValueId, width: u32, depth: u32) -> Option<KnownBitsWord> {
        if let Some(bits) = constant_bits(self.context, self.body, value) {
            return Some(KnownBitsWord::known(&bits));
        }
        let op = self
            .body
            .defining_operation(value)
            .filter(|_| depth < Self::MAX_DEPTH)?;
        let is_copy = self.context.operation_text(self.body.name(op))
            == builtin::UnrealizedConversionCast::NAME;
        if is_copy && self.body.n_operands(op) == 1 {
            let source = self.body.operand(op, 0);
            let same = integer_width(self.context, self.body, source) == Some(width);
            return same.then(|| self.of(source, depth + 1));
        }
        let (operator, swapped) = operator(self.context, self.body, op)?;
        let operands: Vec<ValueId> = self.body.operands(op).collect();
        let mut words: Vec<KnownBitsWord> = operands
            .into_iter()
            .map(|operand| self.of(operand, depth + 1))
            .collect();
        if swapped {
            words.reverse();
        }
        operator.meaning(
            &mut KnownBits::new(),
            width,
            &words.iter().collect::<Vec<_>>(),
        )
    }
}

struct Importer<'a> {
    context: &'a Context,
    body: &'a Body,
    block: BlockId,
    /// Every node in the order of insertion; children are positions in this list.
    nodes: Vec<Node>,
    known_bits: Vec<KnownBitsWord>,
    classes: BTreeMap<ValueId, Id>,
    facts: OuterFacts<'a>,
    leaves: Vec<ValueId>,
    leaf_positions: Vec<usize>,
    user_positions: BTreeMap<OperationId, usize>,
    outer_constants: BTreeMap<Bits, ValueId>,
}

impl Importer<'_> {
    fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        Id::from(self.nodes.len() - 1)
    }

    fn class(&mut self, value: ValueId) -> Id {
        if let Some(class) = self.classes.get(&value) {
            return *class;
        }
        let op = match constant_bits(self.context, self.body, value) {
            Some(bits) => {
                self.outer_constants.entry(bits.clone()).or_insert(value);
                Op::Constant(bits)
            }
            None => self.leaf(value),
        };
        let class = self.add(Node::atom(op));
        self.classes.insert(value, class);
        class
    }

    fn leaf(&mut self, value: ValueId) -> Op {
        let number = u32::try_from(self.leaves.len()).expect("a body holds fewer than 2^32 values");
        let known = self.facts.of(value, 0);
        self.known_bits.push(known);
        let position = match self.body.value_definition(value) {
            ValueDefinition::Result { operation, .. } => {
                self.user_positions.get(&operation).map_or(0, |p| p + 1)
            }
            ValueDefinition::Argument { .. } => 0,
        };
        self.leaves.push(value);
        self.leaf_positions.push(position);
        Op::Leaf(number)
    }

    fn original(&mut self, op: OperationId) -> Option<Original> {
        let value = *self.body.results(op).first()?;
        if let Some(bits) = constant_bits(self.context, self.body, value) {
            let node = Node::atom(Op::Constant(bits));
            let class = self.add(node.clone());
            self.classes.insert(value, class);
            return Some(Original {
                operation: op,
                value,
                node,
                class,
                swapped: false,
            });
        }
        let (operator, swapped) = operator(self.context, self.body, op)?;
        let mut children: SmallVec<[Id; 3]> = smallvec![];
        if operator.takes_width() {
            let width = integer_width(self.context, self.body, value)?;
            children.push(self.add(Node::atom(Op::Width(width))));
        }
        let mut operands: Vec<ValueId> = self.body.operands(op).collect();
        if swapped {
            operands.reverse();
        }
        for operand in operands {
            children.push(self.class(operand));
        }
        let node = Node {
            op: operator,
            children,
        };
        let class = self.add(node.clone());
        self.classes.insert(value, class);
        Some(Original {
            operation: op,
            value,
            node,
            class,
            swapped,
        })
    }

    /// Returns the operation of this block that is or contains `op`; the last one for operations in other blocks.
    fn user_of(&self, op: OperationId) -> usize {
        let mut current = Some(op);
        while let Some(op) = current {
            if self.body.parent_block(op) == Some(self.block) {
                return self.user_positions[&op];
            }
            current = self.body.parent_operation(op);
        }
        self.user_positions.len() - 1
    }
}

/// Returns the operations of a block that rewriting may replace, without constants.
pub(crate) fn arithmetic(context: &Context, body: &Body, block: BlockId) -> Vec<OperationId> {
    let ops = body.operations(block);
    ops.filter(|op| operator(context, body, *op).is_some())
        .collect()
}

/// Adds the arithmetic of `block`, without `excluded` operations, to an e-graph and saturates it; `None` if there is no
/// arithmetic.
pub(crate) fn import(
    context: &Context,
    body: &Body,
    block: BlockId,
    excluded: &BTreeSet<OperationId>,
    options: &RewriteOptions,
    cache: &Cache,
) -> Option<BlockGraph> {
    let is_arithmetic = |op: &OperationId| {
        (operator(context, body, *op).is_some() && !excluded.contains(op))
            || body
                .results(*op)
                .first()
                .is_some_and(|value| constant_bits(context, body, *value).is_some())
    };
    let (arithmetic, others): (Vec<_>, Vec<_>) = body.operations(block).partition(is_arithmetic);
    if others.is_empty()
        || !arithmetic
            .iter()
            .any(|op| operator(context, body, *op).is_some() && !excluded.contains(op))
    {
        return None;
    }
    let mut importer = Importer {
        context,
        body,
        block,
        nodes: Vec::new(),
        known_bits: Vec::new(),
        classes: BTreeMap::new(),
        facts: OuterFacts {
            context,
            body,
            known: BTreeMap::new(),
        },
        leaves: Vec::new(),
        leaf_positions: Vec::new(),
        user_positions: others
            .iter()
            .enumerate()
            .map(|(position, op)| (*op, position))
            .collect(),
        outer_constants: BTreeMap::new(),
    };
    let mut originals: Vec<Original> = arithmetic
        .iter()
        .map(|op| {
            importer
                .original(*op)
                .expect("the operation was found to be arithmetic")
        })
        .collect();
    let mut users: Vec<User> = others
        .iter()
        .map(|op| User {
            operation: *op,
            demands: Vec::new(),
        })
        .collect();
    let own: BTreeMap<OperationId, usize> = originals
        .iter()
        .enumerate()
        .map(|(i, o)| (o.operation, i))
        .collect();
    for (number, original) in originals.iter().enumerate() {
        for (owner, operand) in body.uses(original.value) {
            if !own.contains_key(&owner) {
                users[importer.user_of(owner)]
                    .demands
                    .push((number, owner, operand));
            }
        }
    }
    for user in &mut users {
        user.demands.sort_unstable();
    }
    let Importer {
        nodes,
        known_bits,
        leaves,
        leaf_positions,
        outer_constants,
        ..
    } = importer;
    let key = DataPathKey {
        nodes,
        leaves: known_bits,
        iteration_limit: options.iteration_limit,
        node_limit: options.node_limit.max(12 * originals.len()),
        match_limit: options.match_limit,
    };
    let saturated = cache.saturated(key, saturate);
    let class_at = |position: Id| saturated.classes[usize::from(position)];
    for original in &mut originals {
        original.class = class_at(original.class);
        for child in &mut original.node.children {
            *child = class_at(*child);
        }
    }
    let mut graph = BlockGraph {
        saturated,
        block,
        originals,
        users,
        leaves,
        recurrent: Vec::new(),
        leaf_positions,
        outer_constants,
    };
    graph.mark_recurrent(context, body);
    Some(graph)
}

/// Saturates the e-graph of a data path.
fn saturate(key: &DataPathKey) -> Saturated {
    // egg records times, which are not used here. Its real clock would first calibrate itself, for up to 200 ms in each process.
    let (clock, _) = quanta::Clock::mock();
    quanta::with_clock(&clock, || saturated(key))
}

fn saturated(key: &DataPathKey) -> Saturated {
    let mut egraph = EGraph::new(DataPath::default());
    egraph.analysis.leaves.clone_from(&key.leaves);
    let mut classes: Vec<Id> = Vec::with_capacity(key.nodes.len());
    for node in &key.nodes {
        let mut node = node.clone();
        for child in &mut node.children {
            *child = classes[usize::from(*child)];
        }
        classes.push(egraph.add(node));
    }
    egraph.rebuild();
    let runner: Runner<Node, DataPath> = Runner::new(DataPath::default())
        .with_egraph(egraph)
        .with_iter_limit(key.iteration_limit)
        .with_node_limit(key.node_limit)
        .with_time_limit(Duration::MAX)
        .with_scheduler(
            BackoffScheduler::default()
                .with_initial_match_limit(key.match_limit)
                .with_ban_length(2),
        );
    let runner = runner.run(rules::compiled());
    let limited = !matches!(runner.stop_reason, Some(StopReason::Saturated));
    Saturated::new(runner.egraph, classes, limited)
}

impl BlockGraph {
    /// Returns the saturated e-graph.
    pub(crate) fn egraph(&self) -> &EGraph<Node, DataPath> {
        &self.saturated.egraph
    }

    /// Returns the facts of a class.
    pub(crate) fn facts(&self, class: Id) -> &Facts {
        &self.egraph()[class].data
    }

    /// Returns operation name, width for the cost model and true if an operand is constant; `None` for leaves and constants.
    pub(crate) fn cost_key(&self, node: &Node) -> Option<(&'static str, u32, bool)> {
        let (name, _) = node.op.operation()?;
        let values = node.value_children();
        let width = match &node.op {
            op if op.takes_width() => self.facts(node.children[0]).width,
            Op::Select => self.facts(values[1]).width,
            _ => self.facts(values[0]).width,
        };
        Some((
            name,
            width,
            values.iter().any(|id| self.facts(*id).constant().is_some()),
        ))
    }
}
