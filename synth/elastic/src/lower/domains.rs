//! Domains: regions of the program with the same execution count, and thus the same number of tokens; and the gates between them.

use std::collections::BTreeMap;

use sluice_ir::ValueId;

use super::Lowering;

/// The index of a domain of a function; outer domains come before inner ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DomainId(pub(super) usize);

/// The gate through which tokens enter a domain.
#[derive(Clone, Debug)]
pub(super) enum Gate {
    /// The function itself, which has no gate.
    Function,
    /// One side of a condition, which is a channel of the enclosing domain.
    Branch {
        condition: ValueId,
        side: bool,
        /// The domain of the other side, if it was opened before this one; it holds the existing gates.
        other: Option<DomainId>,
    },
    /// A loop: `select` is 0 for the first iteration and 1 for the others.
    Loop { select: ValueId },
}

/// A domain with its channels.
#[derive(Debug)]
pub(super) struct Domain {
    pub(super) parent: Option<DomainId>,
    pub(super) gate: Gate,
    /// Maps values of the source to channels.
    pub(super) values: BTreeMap<ValueId, ValueId>,
    /// Maps channels of the enclosing domain to channels of this one.
    entered: BTreeMap<ValueId, ValueId>,
    /// Both sides of each channel that the condition of this domain branches.
    branched: BTreeMap<ValueId, (ValueId, ValueId)>,
    /// Placeholders for values of the previous iteration, each with the channel of this iteration that is passed on if there is
    /// another one.
    pub(super) carried: Vec<(ValueId, ValueId)>,
    /// A dataless token per execution of the domain.
    pub(super) trigger: Option<ValueId>,
}

impl Lowering<'_, '_> {
    pub(super) fn open(&mut self, parent: Option<DomainId>, gate: Gate) -> DomainId {
        self.domains.push(Domain {
            parent,
            gate,
            values: BTreeMap::new(),
            entered: BTreeMap::new(),
            branched: BTreeMap::new(),
            carried: Vec::new(),
            trigger: None,
        });
        DomainId(self.domains.len() - 1)
    }

    /// Returns the channel inside a domain for a channel of the enclosing domain.
    pub(super) fn enter(&mut self, domain: DomainId, outer: ValueId) -> ValueId {
        if self.graph.is_sourced(outer) {
            return outer;
        }
        if let Some(known) = self.domains[domain.0].entered.get(&outer) {
            return *known;
        }
        let inner = match self.domains[domain.0].gate.clone() {
            Gate::Function => outer,
            Gate::Branch {
                condition,
                side,
                other,
            } => {
                let keeper = other.unwrap_or(domain);
                let (yes, no) = self.branch(keeper, condition, outer);
                if side { yes } else { no }
            }
            Gate::Loop { .. } => {
                let (back, inner) = self.carried(domain, outer);
                self.domains[domain.0].carried.push((back, inner));
                inner
            }
        };
        self.domains[domain.0].entered.insert(outer, inner);
        inner
    }

    /// Returns both sides of a channel, created once per condition; the domain `keeper` stores them.
    pub(super) fn branch(
        &mut self,
        keeper: DomainId,
        condition: ValueId,
        value: ValueId,
    ) -> (ValueId, ValueId) {
        if let Some(known) = self.domains[keeper.0].branched.get(&value) {
            return *known;
        }
        let sides = self.graph.branch(condition, value);
        self.domains[keeper.0].branched.insert(value, sides);
        sides
    }

    /// Creates a loop channel that is `first` in the first iteration; the returned placeholder, the first result, supplies the
    /// other values.
    pub(super) fn carried(&mut self, domain: DomainId, first: ValueId) -> (ValueId, ValueId) {
        let Gate::Loop { select } = self.domains[domain.0].gate else {
            unreachable!("only loops carry values");
        };
        let ty = self.graph.body.ty(first);
        let back = self.graph.wire(ty);
        (back, self.graph.mux(select, &[first, back]))
    }

    /// Returns the channel in `domain` for a channel of `from`, which encloses it or is the same domain.
    pub(super) fn bring(&mut self, value: ValueId, from: DomainId, domain: DomainId) -> ValueId {
        if from == domain {
            return value;
        }
        let parent = self.domains[domain.0].parent;
        let parent = parent.expect("a channel goes inwards");
        let outer = self.bring(value, from, parent);
        self.enter(domain, outer)
    }

    /// Returns a dataless token per execution of a domain.
    pub(super) fn trigger(&mut self, domain: DomainId) -> ValueId {
        if let Some(known) = self.domains[domain.0].trigger {
            return known;
        }
        let parent = self.domains[domain.0].parent;
        let outer = self.trigger(parent.expect("the function has a start token"));
        let inner = self.enter(domain, outer);
        self.domains[domain.0].trigger = Some(inner);
        inner
    }

    /// Sets the select channel of a loop: the register that holds whether the previous iteration was followed by another one.
    pub(super) fn select(&mut self, domain: DomainId, again: ValueId) {
        let chosen = self.graph.starter(again);
        if let Gate::Loop { select } = &mut self.domains[domain.0].gate {
            self.graph.connect(*select, chosen);
            *select = chosen;
        }
    }

    /// Ends a loop: carried values are passed on if `again` holds.
    pub(super) fn close(&mut self, domain: DomainId, again: ValueId) {
        // Connecting adds no carried values; `branch` is memoised in the domain of the iteration.
        while let Some((wire, value)) = self.domains[domain.0].carried.pop() {
            let (yes, _) = self.branch(domain, again, value);
            self.graph.connect(wire, yes);
        }
    }
}
