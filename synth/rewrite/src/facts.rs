//! The e-class analysis: width and known bits of each class.

use egg::{Analysis, DidMerge, EGraph, Id};
use sluice_ir::algebra::{KnownBits, KnownBitsWord};
use sluice_ir::bits::Bits;

use crate::language::{Node, Op};

/// The facts about a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The width of the value; for a width operand, its number.
    pub width: u32,
    /// Known bits of the value; zero bits wide for a width operand.
    pub known: KnownBitsWord,
}

impl Facts {
    /// Returns the facts of a value with these known bits.
    pub fn value(known: KnownBitsWord) -> Self {
        Self {
            width: known.ones.width(),
            known,
        }
    }

    /// Returns the facts of a width operand.
    pub fn number(width: u32) -> Self {
        Self {
            width,
            known: KnownBitsWord::unknown(0),
        }
    }

    /// Returns the value, if all its bits are known.
    pub fn constant(&self) -> Option<&Bits> {
        self.known.value().filter(|value| value.width() > 0)
    }

    /// Returns the facts of an operator on operands, width operand included.
    pub fn of(op: &Op, operands: &[&Self]) -> Option<Self> {
        let (width, words) = match op {
            Op::Width(width) => return Some(Self::number(*width)),
            op if op.takes_width() => (operands[0].width, &operands[1..]),
            _ => (0, operands),
        };
        let words: Vec<&KnownBitsWord> = words.iter().map(|facts| &facts.known).collect();
        op.meaning(&mut KnownBits::new(), width, &words)
            .map(Self::value)
    }
}

/// The e-class analysis, with the facts of the leaves.
#[derive(Clone, Debug, Default)]
pub struct DataPath {
    /// Known bits of each leaf, by number.
    pub leaves: Vec<KnownBitsWord>,
}

impl Analysis<Node> for DataPath {
    type Data = Facts;

    fn make(egraph: &mut EGraph<Node, Self>, node: &Node, _id: Id) -> Facts {
        if let Op::Leaf(number) = node.op {
            let number = usize::try_from(number).expect("a leaf number is an index");
            return Facts::value(egraph.analysis.leaves[number].clone());
        }
        let operands: Vec<&Facts> = node.children.iter().map(|id| &egraph[*id].data).collect();
        Facts::of(&node.op, &operands).expect("every operator but leaves has a meaning")
    }

    fn merge(&mut self, a: &mut Facts, b: Facts) -> DidMerge {
        debug_assert_eq!(a.width, b.width, "equal values have one width");
        let zeros = a.known.zeros.or(&b.known.zeros);
        let ones = a.known.ones.or(&b.known.ones);
        debug_assert!(zeros.and(&ones).is_zero(), "facts of equal values agree");
        let merged = KnownBitsWord { zeros, ones };
        let did = DidMerge(merged != a.known, merged != b.known);
        a.known = merged;
        did
    }

    fn modify(egraph: &mut EGraph<Node, Self>, id: Id) {
        if let Some(value) = egraph[id].data.constant().cloned() {
            let constant = egraph.add(Node::atom(Op::Constant(value)));
            egraph.union(id, constant);
            // A constant needs no other form; removing the others keeps the graph small.
            egraph[id].nodes.retain(|node| node.children.is_empty());
        }
    }
}
