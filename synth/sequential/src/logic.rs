//! The bits of a circuit as an and-inverter graph: gates, registers, and free variables for everything else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Not;

use rustc_hash::FxHashMap;
use sluice_dialects::{comb, hw, seq};
use sluice_ir::{Body, Context, TypeKind, ValueId, View};

use crate::predicates::{self, Predicates};

/// A node of the graph, or its inverse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) const FALSE: Self = Self(0);

    pub(crate) fn new(node: usize, is_inverse: bool) -> Self {
        let node = u32::try_from(node).expect("nodes are numbered in 31 bits");
        Self(node * 2 + u32::from(is_inverse))
    }

    pub(crate) fn node(self) -> usize {
        (self.0 / 2) as usize
    }

    pub(crate) fn is_inverse(self) -> bool {
        self.0 % 2 == 1
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The kind of a node. Node 0 is constantly false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    /// A free variable: any value in every cycle.
    Free,
    /// The value of a register.
    Held(usize),
    And(Literal, Literal),
}

/// A one-bit register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Register {
    pub(crate) node: usize,
    /// The value after the reset, if it is known.
    pub(crate) first: Option<bool>,
    pub(crate) next: Literal,
}

/// The and-inverter graph of a circuit, in topological order.
#[derive(Debug)]
pub(crate) struct Logic {
    pub(crate) nodes: Vec<Node>,
    pub(crate) registers: Vec<Register>,
    /// Values of one bit, in the order in which they were visited.
    pub(crate) values: Vec<(ValueId, Literal)>,
    of: FxHashMap<ValueId, Literal>,
    ands: FxHashMap<(Literal, Literal), usize>,
    /// Auxiliary registers of this graph: the value of a bit in the cycle before.
    before: BTreeMap<ValueId, usize>,
    pub(crate) predicates: Predicates,
    /// The clock of the registers in this graph; registers with other clocks may have any value.
    pub(crate) clock: Option<ValueId>,
}

/// Returns whether a value is a single bit.
pub(crate) fn is_bit(context: &Context, body: &Body, value: ValueId) -> bool {
    matches!(body.ty(value).kind(context), TypeKind::Integer { .. })
        && body.ty(value).integer_width_bits(context) == Some(1)
}

/// Returns the input that clocks most registers. Other clocks may have no edges during the reset.
pub(crate) fn clock(context: &Context, body: &Body) -> Option<ValueId> {
    let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
    for op in body.walk_all() {
        if let Some(inputs) = Inputs::of(View::new(context, body, op))
            && body.defining_operation(inputs.clock).is_none()
        {
            *uses.entry(inputs.clock).or_default() += 1;
        }
    }
    let most = uses
        .into_iter()
        .max_by_key(|(clock, n)| (*n, std::cmp::Reverse(*clock)));
    most.map(|(clock, _)| clock)
}

/// The operands of a register: its next value, the clock, the enable, the reset and the reset value.
pub(crate) struct Inputs {
    pub(crate) next: ValueId,
    pub(crate) clock: ValueId,
    pub(crate) enable: Option<ValueId>,
    pub(crate) reset: Option<(ValueId, ValueId)>,
}

impl Inputs {
    /// Returns the operands of a `seq.compreg` or `seq.compreg.ce`.
    pub(crate) fn of(view: View<'_>) -> Option<Self> {
        let with_enable = match view.name() {
            seq::Compreg::NAME => false,
            seq::CompregCe::NAME => true,
            _ => return None,
        };
        let sizes = view.operand_group_sizes()?;
        let group = |number: usize| {
            let start = sizes.get(..number)?.iter().sum();
            (*sizes.get(number)? > 0).then(|| view.operand(start))
        };
        let after = 2 + usize::from(with_enable);
        Some(Self {
            next: group(0)?,
            clock: group(1)?,
            enable: group(2).filter(|_| with_enable),
            reset: group(after).zip(group(after + 1)),
        })
    }

    /// Returns whether its reset is not an input of the module, so it may also happen during a run.
    pub(crate) fn is_set_within_runs(&self, body: &Body) -> bool {
        let signal = self.reset.map(|(signal, _)| signal);
        signal.is_some_and(|signal| body.defining_operation(signal).is_some())
    }
}

impl Logic {
    /// Reads a module; `reset` is low from the first state on.
    pub(crate) fn of(context: &Context, body: &Body, reset: Option<ValueId>) -> Self {
        let mut logic = Self {
            nodes: vec![Node::Free],
            registers: Vec::new(),
            values: Vec::new(),
            of: FxHashMap::default(),
            ands: FxHashMap::default(),
            before: BTreeMap::new(),
            predicates: Predicates::default(),
            clock: clock(context, body),
        };
        if let Some(reset) = reset {
            logic.of.insert(reset, Literal::FALSE);
        }
        let all = body.walk_all();
        let mut held = Vec::new();
        for op in &all {
            let view = View::new(context, body, *op);
            if let Some(inputs) = logic.inputs(view)
                && is_bit(context, body, view.result(0))
            {
                let node = logic.register();
                logic.say(view.result(0), Literal::new(node, false));
                held.push((node, inputs));
            }
        }
        let mut reader = Reader { context, body };
        for op in &all {
            for value in body.results(*op) {
                if is_bit(context, body, *value) {
                    reader.literal(&mut logic, *value);
                }
            }
        }
        for (register, (node, inputs)) in held.into_iter().enumerate() {
            let own = Literal::new(node, false);
            let mut next = reader.literal(&mut logic, inputs.next);
            if let Some(enable) = inputs.enable {
                let enable = reader.literal(&mut logic, enable);
                next = logic.mux(enable, next, own);
            }
            if let Some((signal, value)) = inputs.reset {
                let value = reader.literal(&mut logic, value);
                if Some(signal) == reset {
                    logic.registers[register].first =
                        (value.node() == 0).then(|| value.is_inverse());
                } else {
                    let signal = reader.literal(&mut logic, signal);
                    next = logic.mux(signal, value, next);
                }
            }
            logic.registers[register].next = next;
        }
        predicates::finish(context, body, &mut logic);
        for (value, register) in logic.before.clone() {
            logic.registers[register].next = reader.literal(&mut logic, value);
        }
        logic
    }

    /// Returns the operands of a register of the clock.
    pub(crate) fn inputs(&self, view: View<'_>) -> Option<Inputs> {
        Inputs::of(view).filter(|inputs| Some(inputs.clock) == self.clock)
    }

    pub(crate) fn node(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a register that keeps its value until its next value is set.
    pub(crate) fn register(&mut self) -> usize {
        let node = self.node(Node::Held(self.registers.len()));
        self.registers.push(Register {
            node,
            first: None,
            next: Literal::new(node, false),
        });
        node
    }

    /// Returns for each node whether it is a bit of the circuit or the value of a register of the graph.
    pub(crate) fn named(&self) -> Vec<bool> {
        let nodes = self.nodes.iter().enumerate();
        let mut named: Vec<bool> = nodes
            .map(|(number, node)| number == 0 || matches!(node, Node::Held(_)))
            .collect();
        for (_, literal) in &self.values {
            named[literal.node()] = true;
        }
        named
    }

    /// Returns the literal of a bit that has been read already.
    pub(crate) fn known(&self, value: ValueId) -> Option<Literal> {
        self.of.get(&value).copied()
    }

    /// Returns the value of a bit in the cycle before.
    pub(crate) fn before(&mut self, value: ValueId) -> Literal {
        let register = match self.before.get(&value) {
            Some(known) => *known,
            None => {
                self.register();
                let register = self.registers.len() - 1;
                self.before.insert(value, register);
                register
            }
        };
        Literal::new(self.registers[register].node, false)
    }

    fn say(&mut self, value: ValueId, literal: Literal) {
        self.of.insert(value, literal);
        self.values.push((value, literal));
    }

    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        if a == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == !Literal::FALSE || a == b {
            return b;
        }
        if let Some(known) = self.ands.get(&(a, b)) {
            return Literal::new(*known, false);
        }
        let node = self.node(Node::And(a, b));
        self.ands.insert((a, b), node);
        Literal::new(node, false)
    }

    fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub(crate) fn mux(&mut self, choice: Literal, yes: Literal, no: Literal) -> Literal {
        let yes = self.and(choice, yes);
        let no = self.and(!choice, no);
        self.or(yes, no)
    }

    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        self.mux(a, !b, b)
    }
}

/// Reads values, operands first.
struct Reader<'a> {
    context: &'a Context,
    body: &'a Body,
}

impl<'a> Reader<'a> {
    /// Returns the gate or constant that computes a bit; `None` for other operations.
    fn gate(&self, value: ValueId) -> Option<View<'a>> {
        let op = self.body.defining_operation(value)?;
        let view = View::new(self.context, self.body, op);
        let is_gate = matches!(
            view.name(),
            comb::And::NAME | comb::Or::NAME | comb::Xor::NAME | comb::Mux::NAME
        );
        let is_constant = view.name() == hw::Constant::NAME;
        (is_gate || is_constant).then_some(view)
    }

    fn literal(&mut self, logic: &mut Logic, value: ValueId) -> Literal {
        // Values, with whether their operands have been read.
        let mut open = vec![(value, false)];
        while let Some((value, is_ready)) = open.pop() {
            if logic.of.contains_key(&value) {
                continue;
            }
            let gate = self.gate(value);
            if !is_ready {
                open.push((value, true));
                let needed = match gate {
                    Some(view) => view.operands().collect(),
                    None => self.bits_around(value),
                };
                let missing = needed.into_iter().filter(|x| !logic.of.contains_key(x));
                open.extend(missing.map(|x| (x, false)));
                continue;
            }
            let Some(view) = gate else {
                let literal = predicates::read(self.context, self.body, logic, value);
                logic.say(value, literal);
                continue;
            };
            // On a combinational loop, which is not simulated, an operand may still be missing.
            let operands: Option<Vec<Literal>> =
                view.operands().map(|x| logic.of.get(&x).copied()).collect();
            let literal = match operands {
                Some(operands) => self.meaning(logic, view, &operands),
                None => Literal::new(logic.node(Node::Free), false),
            };
            logic.say(value, literal);
        }
        logic.of[&value]
    }

    /// Returns the bits on which a value depends combinationally through wider values.
    fn bits_around(&self, value: ValueId) -> Vec<ValueId> {
        let mut bits = Vec::new();
        let mut seen = BTreeSet::from([value]);
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let Some(op) = self.body.defining_operation(value) else {
                continue;
            };
            let view = View::new(self.context, self.body, op);
            if !view.name().starts_with("comb.") && view.name() != hw::ArrayGet::NAME {
                continue;
            }
            for operand in view.operands().filter(|x| seen.insert(*x)) {
                match is_bit(self.context, self.body, operand) {
                    true => bits.push(operand),
                    false => open.push(operand),
                }
            }
        }
        bits
    }

    fn meaning(&self, logic: &mut Logic, view: View<'_>, x: &[Literal]) -> Literal {
        let all = |logic: &mut Logic, with: fn(&mut Logic, Literal, Literal) -> Literal| {
            let mut literals = x.iter().copied();
            let first = literals.next().unwrap_or(Literal::FALSE);
            literals.fold(first, |a, b| with(logic, a, b))
        };
        match (view.name(), x) {
            (comb::And::NAME, _) => all(logic, Logic::and),
            (comb::Or::NAME, _) => all(logic, Logic::or),
            (comb::Xor::NAME, _) => all(logic, Logic::xor),
            (comb::Mux::NAME, [choice, yes, no]) => logic.mux(*choice, *yes, *no),
            _ => {
                let number = view.attribute("value");
                let is_set = number
                    .and_then(|a| a.integer(self.context))
                    .is_some_and(|bits| !bits.is_zero());
                Literal::new(0, is_set)
            }
        }
    }
}
