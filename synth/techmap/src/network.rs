//! A network of gates, carry chains and multiplier blocks, with structural hashing and constant folding.

use rustc_hash::FxHashMap;

/// The index of a node in the network.
pub type NodeId = u32;

/// A node or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Signal(u32);

impl Signal {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);

    pub fn of(node: NodeId) -> Self {
        Self(node << 1)
    }

    pub fn constant(value: bool) -> Self {
        Self(u32::from(value))
    }

    pub fn node(self) -> NodeId {
        self.0 >> 1
    }

    pub fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn not(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub fn is_constant(self) -> bool {
        self.node() == 0
    }
}

/// The kind of a node. All operands have smaller ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// False.
    Constant,
    /// An input, a register bit, or a bit that a memory reads.
    Source,
    And(Signal, Signal),
    Xor(Signal, Signal),
    /// Condition, value if it is true, value if it is false.
    Mux(Signal, Signal, Signal),
    /// A result of a block: the number of the block and the index of the result.
    Result(u32, u32),
}

impl Node {
    /// Returns the operands of a gate; none for blocks and sources.
    pub fn operands(self) -> impl Iterator<Item = Signal> {
        let list = match self {
            Self::Constant | Self::Source | Self::Result(..) => [None; 3],
            Self::And(a, b) | Self::Xor(a, b) => [Some(a), Some(b), None],
            Self::Mux(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        list.into_iter().flatten()
    }
}

/// A block: a cell that is not a gate.
#[derive(Clone, Debug)]
pub enum Block {
    /// A carry chain: result `i` depends on the operand bits up to `i`; the last result is the carry.
    Chain(Vec<[Signal; 2]>),
    /// A multiplier block: each result depends on all operands.
    Product(Vec<Signal>),
}

/// The network of a circuit.
#[derive(Debug)]
pub struct Network {
    pub nodes: Vec<Node>,
    pub blocks: Vec<Block>,
    /// The first result of each block.
    pub(crate) first_results: Vec<NodeId>,
    known: FxHashMap<Node, NodeId>,
}

impl Network {
    pub fn new() -> Self {
        Self {
            nodes: vec![Node::Constant],
            blocks: Vec::new(),
            first_results: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^31 gates");
        self.nodes.push(node);
        id
    }

    fn gate(&mut self, node: Node) -> Signal {
        if let Some(id) = self.known.get(&node) {
            return Signal::of(*id);
        }
        let id = self.push(node);
        self.known.insert(node, id);
        Signal::of(id)
    }

    pub fn source(&mut self) -> Signal {
        Signal::of(self.push(Node::Source))
    }

    pub fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Signal::FALSE || a == b.not() {
            Signal::FALSE
        } else if a == Signal::TRUE || a == b {
            b
        } else {
            self.gate(Node::And(a, b))
        }
    }

    pub fn or(&mut self, a: Signal, b: Signal) -> Signal {
        self.and(a.not(), b.not()).not()
    }

    pub fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let flip = a.inverted() ^ b.inverted();
        let (a, b) = (Signal::of(a.node()), Signal::of(b.node()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let plain = if a == b {
            Signal::FALSE
        } else if a == Signal::FALSE {
            b
        } else {
            self.gate(Node::Xor(a, b))
        };
        if flip { plain.not() } else { plain }
    }

    pub fn mux(&mut self, condition: Signal, a: Signal, b: Signal) -> Signal {
        let (condition, a, b) = if condition.inverted() {
            (condition.not(), b, a)
        } else {
            (condition, a, b)
        };
        if condition == Signal::FALSE || a == b {
            return b;
        }
        if a == b.not() {
            return self.xor(condition, b);
        }
        if a == Signal::FALSE || a == condition.not() {
            return self.and(condition.not(), b);
        }
        if a == Signal::TRUE || a == condition {
            return self.or(condition, b);
        }
        if b == Signal::FALSE || b == condition {
            return self.and(condition, a);
        }
        if b == Signal::TRUE || b == condition.not() {
            return self.or(condition.not(), a);
        }
        if a.inverted() {
            self.gate(Node::Mux(condition, a.not(), b.not())).not()
        } else {
            self.gate(Node::Mux(condition, a, b))
        }
    }

    /// Returns the conjunction of all signals, as a balanced tree.
    pub fn all(&mut self, signals: &[Signal]) -> Signal {
        let mut level = signals.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => self.and(*a, *b),
                    _ => pair[0],
                })
                .collect();
        }
        level.first().copied().unwrap_or(Signal::TRUE)
    }

    /// Returns the disjunction of all signals, as a balanced tree.
    pub fn any(&mut self, signals: &[Signal]) -> Signal {
        let inverted: Vec<Signal> = signals.iter().map(|signal| signal.not()).collect();
        self.all(&inverted).not()
    }

    /// Adds a block and returns its results.
    pub fn block(&mut self, block: Block, n_results: usize) -> Vec<Signal> {
        let number = u32::try_from(self.blocks.len()).expect("fewer than 2^32 blocks");
        self.blocks.push(block);
        let results: Vec<NodeId> = (0..n_results)
            .map(|i| {
                self.push(Node::Result(
                    number,
                    u32::try_from(i).expect("a word is short"),
                ))
            })
            .collect();
        self.first_results
            .push(results.first().copied().unwrap_or_default());
        results.into_iter().map(Signal::of).collect()
    }
}
