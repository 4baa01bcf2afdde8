//! Lowers conditionals: tokens go to the side that runs, and results come from that side.

use sluice_ir::{ValueId, View};

use super::domains::{DomainId, Gate};
use super::order::Scope;
use super::{Lowered, Lowering};

impl<'a> Lowering<'a, '_> {
    pub(super) fn conditional(
        &mut self,
        domain: DomainId,
        view: View<'a>,
        scope: &mut Scope,
    ) -> Lowered<()> {
        let condition = self.real(domain, view.operand(0));
        let waited = self.wait(scope, view.id, domain);
        let mut sides = Vec::new();
        let mut first = None;
        for (region, side) in [(0, true), (1, false)] {
            let gate = Gate::Branch {
                condition,
                side,
                other: first,
            };
            let inner = self.open(Some(domain), gate);
            first = first.or(Some(inner));
            let entries = Self::entries(&waited, domain);
            let block = view.entry_block(region);
            let blocks: Vec<_> = block.map(|block| (block, inner)).into_iter().collect();
            let mut inside = self.scope(view, &blocks, None, entries);
            let mut results = Vec::new();
            if let Some(block) = block
                && let Some(end) = self.block(inner, block, &mut inside)?
            {
                let yielded: Vec<ValueId> = end.operands().collect();
                results = self.values(inner, &yielded);
            }
            let tokens = self.finished(&inside, inner);
            sides.push((results, tokens));
        }
        self.graph.location = view.location();
        let (on_true, on_false) = (sides.remove(0), sides.remove(0));
        for (i, result) in view.results().iter().enumerate() {
            let chosen = self.graph.mux(condition, &[on_false.0[i], on_true.0[i]]);
            self.define(domain, *result, chosen);
        }
        let mut tokens = waited;
        for (track, token) in &mut tokens {
            *token = self
                .graph
                .mux(condition, &[on_false.1[track], on_true.1[track]]);
        }
        self.done(scope, view.id, &tokens);
        Ok(())
    }

    /// Returns a value with one token per execution of the domain, instead of one that always has a token.
    pub(super) fn real(&mut self, domain: DomainId, value: ValueId) -> ValueId {
        let channel = self.value(domain, value);
        self.real_channel(domain, channel)
    }

    pub(super) fn real_channel(&mut self, domain: DomainId, channel: ValueId) -> ValueId {
        if !self.graph.is_sourced(channel) {
            return channel;
        }
        let trigger = self.trigger(domain);
        self.graph.triggered(channel, trigger)
    }
}
