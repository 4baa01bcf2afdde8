//! Domains: what runs as often has as many tokens; and the gates between them.

use std::collections::BTreeMap;

use sluice_ir::ValueId;

use super::Lowering;

/// A domain of a function, outer ones before those in them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct DomainId(pub(super) usize);

/// What gates the tokens that enter a domain.
#[derive(Clone, Debug)]
pub(super) enum Gate {
    /// The function: nothing enters.
    Function,
    /// One side of a condition, a channel of the domain around.
    Branch {
        condition: ValueId,
        side: bool,
        /// The domain of the other side, if it was opened before this one: it knows the gates that are there already.
        other: Option<DomainId>,
    },
    /// A loop: `select` is 0 for the first iteration and 1 for the others.
    Loop { select: ValueId },
}

/// A domain.
#[derive(Debug)]
pub(super) struct Domain {
    pub(super) parent: Option<DomainId>,
    pub(super) gate: Gate,
    /// The channels of values of the source.
    pub(super) values: BTreeMap<ValueId, ValueId>,
    /// The channels in here of channels of the domain around.
    entered: BTreeMap<ValueId, ValueId>,
    /// Both sides of what was branched by the condition of this domain.
    branched: BTreeMap<ValueId, (ValueId, ValueId)>,
    /// Stand-ins for what comes back from the iteration before, and the channel of this iteration that comes back if there is
    /// another one.
    pub(super) carried: Vec<(ValueId, ValueId)>,
    /// A token for each time that the domain is run.
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

    /// The channel inside of a domain of a channel of the domain around it.
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

    /// Both sides of a channel, made once for each condition; `keeper` is the domain that remembers them.
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

    /// A channel of a loop that is `first` in the first iteration; the other ones come by the stand-in that is returned first.
    pub(super) fn carried(&mut self, domain: DomainId, first: ValueId) -> (ValueId, ValueId) {
        let Gate::Loop { select } = self.domains[domain.0].gate else {
            unreachable!("only loops carry values");
        };
        let ty = self.graph.body.ty(first);
        let back = self.graph.wire(ty);
        (back, self.graph.mux(select, &[first, back]))
    }

    /// The channel in `domain` of a channel of `from`, a domain around it or itself.
    pub(super) fn bring(&mut self, value: ValueId, from: DomainId, domain: DomainId) -> ValueId {
        if from == domain {
            return value;
        }
        let parent = self.domains[domain.0].parent;
        let parent = parent.expect("a channel goes inwards");
        let outer = self.bring(value, from, parent);
        self.enter(domain, outer)
    }

    /// A token without data for each time that a domain is run.
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

    /// Says what chooses between the first iteration of a loop and the others: whether there was another one after the last.
    pub(super) fn select(&mut self, domain: DomainId, again: ValueId) {
        let chosen = self.graph.starter(again);
        if let Gate::Loop { select } = &mut self.domains[domain.0].gate {
            self.graph.connect(*select, chosen);
            *select = chosen;
        }
    }

    /// Ends a loop: whatever comes back does so if `again` holds.
    pub(super) fn close(&mut self, domain: DomainId, again: ValueId) {
        // Connecting may make no new ones, but what is branched is remembered by the domain of the iteration.
        while let Some((wire, value)) = self.domains[domain.0].carried.pop() {
            let (yes, _) = self.branch(domain, again, value);
            self.graph.connect(wire, yes);
        }
    }
}
