//! Reads a function for the simulation: accesses and loops, with bounds and addresses as linear forms of counters.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{memref, scf, synthesis_form::guarded_access};
use sluice_ir::{BlockId, Body, Context, OperationId, ValueId, View};

use super::{Node, Probe, Sum, TracedAccess, TracedMemory, start_of, sum_of};
use crate::analysis::dependence::access_of;
use crate::analysis::linear::{Linear, loop_bounds};
use crate::build::constant_i64;

/// Collects accesses, loops and memories.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) body: &'a Body,
    pub(super) accesses: Vec<TracedAccess>,
    pub(super) memories: Vec<TracedMemory>,
    pub(super) wild: BTreeSet<ValueId>,
    /// The slots of the counters of the enclosing loops.
    pub(super) slots: BTreeMap<ValueId, usize>,
    pub(super) all_slots: BTreeMap<ValueId, usize>,
    pub(super) probes: &'a [Probe],
}

impl Reader<'_> {
    /// Returns the nodes of a block.
    pub(super) fn block(&mut self, block: BlockId) -> Vec<Node> {
        let mut nodes = Vec::new();
        for op in self.body.operations(block) {
            let view = View::new(self.context, self.body, op);
            if let Some(inner) = guarded_access(view) {
                nodes.extend(self.access(inner, true));
                continue;
            }
            match view.name() {
                memref::Load::NAME | memref::Store::NAME => nodes.extend(self.access(op, false)),
                memref::Alloca::NAME | memref::GetGlobal::NAME => {}
                scf::For::NAME => match self.loop_node(op) {
                    Some(node) => nodes.push(node),
                    None => self.is_wild(op),
                },
                _ => self.is_wild(op),
            }
        }
        nodes
    }

    /// Marks the memories that this operation, or one inside it, uses as unknown.
    fn is_wild(&mut self, op: OperationId) {
        for op in self.body.walk(op).into_iter().chain([op]) {
            let operands = self.body.operands(op);
            let memories: Vec<ValueId> = operands
                .filter(|value| self.words_of(*value).is_some())
                .collect();
            self.wild.extend(memories);
        }
    }

    fn words_of(&self, value: ValueId) -> Option<u64> {
        self.body.ty(value).n_elements(self.context)?.to_u64()
    }

    fn access(&mut self, op: OperationId, conditional: bool) -> Option<Node> {
        let access = access_of(self.context, self.body, op);
        let known = access.and_then(|access| Some((self.words_of(access.memory)?, access)));
        let Some((words, access)) = known else {
            self.is_wild(op);
            return None;
        };
        let memory = self
            .memories
            .iter()
            .position(|m| m.value == access.memory)
            .unwrap_or_else(|| {
                self.memories.push(TracedMemory {
                    value: access.memory,
                    words,
                    is_wild: false,
                });
                self.memories.len() - 1
            });
        let address = self.sum(&access.address);
        self.accesses.push(TracedAccess {
            op,
            memory,
            address: access.address,
            writes: access.writes,
            conditional,
        });
        Some(Node::Access {
            access: self.accesses.len() - 1,
            address,
        })
    }

    fn sum(&self, form: &Linear) -> Option<Sum> {
        sum_of(&self.slots, form)
    }

    /// Determines how the accesses of each memory shift with the counter of an outermost loop; a memory without a unique shift is
    /// wild.
    pub(super) fn moves_of(
        &mut self,
        node: &Node,
        counter: usize,
        outermost: OperationId,
        moves: &mut BTreeMap<(OperationId, usize), i64>,
    ) {
        match node {
            Node::Access { access, address } => {
                let memory = self.accesses[*access].memory;
                let factor = address.as_ref().map(|sum| {
                    let own = sum.terms.iter().filter(|(slot, _)| *slot == counter);
                    own.map(|(_, factor)| factor).sum::<i64>()
                });
                let step = start_of(self.context, self.body, outermost).map_or(1, |start| start.2);
                let known = factor.and_then(|factor: i64| factor.checked_mul(step));
                let agrees =
                    known.is_some_and(|n| *moves.entry((outermost, memory)).or_insert(n) == n);
                if !agrees {
                    self.wild.insert(self.memories[memory].value);
                }
            }
            Node::Loop { inside, .. } => {
                for node in inside {
                    self.moves_of(node, counter, outermost, moves);
                }
            }
        }
    }

    fn loop_node(&mut self, op: OperationId) -> Option<Node> {
        let (context, body) = (self.context, self.body);
        let view = View::new(context, body, op);
        let block = view.entry_block(0)?;
        let counter = *body.arguments(block).first()?;
        if !body.ty(counter).is_index(context) {
            return None;
        }
        let step = constant_i64(context, body, view.operand(2)).filter(|step| *step > 0)?;
        let bounds = |is_upper: bool| -> Option<Vec<Sum>> {
            let forms = loop_bounds(context, body, op, is_upper);
            let sums: Option<Vec<Sum>> = forms.iter().map(|form| self.sum(form)).collect();
            sums.filter(|sums| !sums.is_empty())
        };
        let (lower, last) = (bounds(false)?, bounds(true)?);
        let mut probes = Vec::new();
        for (number, probe) in self.probes.iter().enumerate() {
            if probe.loop_op == op {
                let words = self.words_of(probe.memory).unwrap_or(0);
                probes.push((number, words, self.sum(&probe.address)));
            }
        }
        let slot = self.all_slots.len();
        self.all_slots.insert(counter, slot);
        self.slots.insert(counter, slot);
        let inside = self.block(block);
        self.slots.remove(&counter);
        Some(Node::Loop {
            loop_op: op,
            slot,
            lower,
            last,
            step,
            probes,
            inside,
        })
    }
}
