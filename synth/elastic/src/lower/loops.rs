//! Lowers loops: a select channel tells whether a token comes from outside or from the previous iteration.

use std::collections::BTreeSet;

use sluice_dialects::{arith, sluice};
use sluice_ir::{ValueId, View};

use super::domains::{DomainId, Gate};
use super::order::Scope;
use super::{Lowered, Lowering, refused};

/// The signed less-than predicate of `arith.cmpi`.
const SLT: i64 = 2;

impl<'a> Lowering<'a, '_> {
    /// Lowers a counting loop. Its bounds are compared once before it, unless it is known to run, and at the end of every
    /// iteration, so that its domain has as many tokens as iterations.
    pub(super) fn for_loop(
        &mut self,
        domain: DomainId,
        view: View<'a>,
        scope: &mut Scope,
    ) -> Lowered<()> {
        let block = view.entry_block(0);
        let block = block.ok_or_else(|| refused(view, "a loop has a body"))?;
        let bounds: Vec<ValueId> = view.operands().take(3).collect();
        let inits: Vec<ValueId> = view.operands().skip(3).collect();
        let waited = self.wait(scope, view.id, domain);
        let runs = (!self.is_known_to_run(view)).then(|| {
            let ends = self.values(domain, &bounds[..2]);
            let runs = self.less(ends[0], ends[1]);
            self.real_channel(domain, runs)
        });
        let outside = match runs {
            None => domain,
            Some(condition) => {
                let gate = Gate::Branch {
                    condition,
                    side: true,
                    other: None,
                };
                self.open(Some(domain), gate)
            }
        };
        let flag = self.context.integer_type(1);
        let select = self.graph.wire(flag);
        let around = self.open(Some(outside), Gate::Loop { select });
        let arguments = self.source.arguments(block).to_vec();
        let low = self.real(outside, bounds[0]);
        let (counter_back, counter) = self.carried(around, low);
        self.define(around, arguments[0], counter);
        let waiting = self.waiting_for_start(view, arguments[0], &arguments[1..]);
        let mut backs = Vec::new();
        for (i, (init, argument)) in inits.iter().zip(&arguments[1..]).enumerate() {
            let init = match waiting.contains(&i) {
                true => self.real(outside, *init),
                false => self.value(outside, *init),
            };
            let (back, channel) = self.carried(around, init);
            self.define(around, *argument, channel);
            backs.push(back);
        }
        let entries = Self::entries(&waited, domain);
        let mut inside = self.scope(view, &[(block, around)], Some(around), entries);
        let end = self.block(around, block, &mut inside)?;
        self.graph.location = view.location();
        let yielded: Vec<ValueId> = end.map_or_else(Vec::new, |end| end.operands().collect());
        let yielded = self.values(around, &yielded);
        let again = self.is_not_last(outside, around, counter, &bounds);
        let step = self.value(around, bounds[2]);
        let next = self.arithmetic(
            arith::Addi::NAME,
            &[counter, step],
            self.width_bits(counter),
        );
        self.select(around, again);
        // The loop condition is registered before it controls values that leave an iteration.
        let again = self.graph.chain(again);
        let mut results = Vec::new();
        for (back, value) in backs.into_iter().zip(yielded) {
            let (yes, no) = self.branch(around, again, value);
            self.graph.connect(back, yes);
            results.push(no);
        }
        self.domains[around.0].carried.push((counter_back, next));
        let mut tokens = self.finished_loop(inside, again);
        self.close(around, again);
        if let Some(runs) = runs {
            for (result, init) in results.iter_mut().zip(&inits) {
                let init = self.value(domain, *init);
                let skipped = self.not_entered(outside, runs, init);
                *result = self.graph.mux(runs, &[skipped, *result]);
            }
            for (track, token) in &mut tokens {
                let skipped = self.not_entered(outside, runs, waited[track]);
                *token = self.graph.mux(runs, &[skipped, *token]);
            }
        }
        self.results(domain, view, &results);
        self.done(scope, view.id, &tokens);
        Ok(())
    }

    /// Lowers a loop that tests first: its head has one more token than its body.
    pub(super) fn while_loop(
        &mut self,
        domain: DomainId,
        view: View<'a>,
        scope: &mut Scope,
    ) -> Lowered<()> {
        let broken = || refused(view, "a loop has a head and a body");
        let before = view.entry_block(0).ok_or_else(broken)?;
        let after = view.entry_block(1).ok_or_else(broken)?;
        let waited = self.wait(scope, view.id, domain);
        let inits: Vec<ValueId> = view.operands().collect();
        let mut inits = self.values(domain, &inits);
        // Constants need real tokens here: a loop whose condition depended only on constants would start again by itself.
        for init in &mut inits {
            *init = self.real_channel(domain, *init);
        }
        let flag = self.context.integer_type(1);
        let select = self.graph.wire(flag);
        let around = self.open(Some(domain), Gate::Loop { select });
        let mut backs = Vec::new();
        for (init, argument) in inits.iter().zip(self.source.arguments(before).to_vec()) {
            let (back, channel) = self.carried(around, *init);
            self.define(around, argument, channel);
            backs.push(back);
        }
        // The condition of the body is only known once the head is lowered; nothing enters the body before.
        let again_later = self.graph.wire(flag);
        let gate = Gate::Branch {
            condition: again_later,
            side: true,
            other: None,
        };
        let body = self.open(Some(around), gate);
        let entries = Self::entries(&waited, domain);
        let blocks = [(before, around), (after, body)];
        let mut inside = self.scope(view, &blocks, Some(around), entries);
        let end = self
            .block(around, before, &mut inside)?
            .ok_or_else(broken)?;
        self.graph.location = view.location();
        let again = self.real(around, end.operand(0));
        self.graph.connect(again_later, again);
        if let Gate::Branch { condition, .. } = &mut self.domains[body.0].gate {
            *condition = again;
        }
        self.select(around, again);
        // The registered condition controls values that leave an iteration; computations of the body on them do not wait for it.
        let late = self.graph.chain(again);
        let passed: Vec<ValueId> = end.operands().skip(1).collect();
        let passed = self.values(around, &passed);
        let arguments = self.source.arguments(after).to_vec();
        for (value, argument) in passed.iter().zip(&arguments) {
            self.define(around, *argument, *value);
        }
        let results: Vec<ValueId> = passed
            .iter()
            .map(|value| self.branch(around, late, *value).1)
            .collect();
        let mut gated = BTreeSet::new();
        let end = self.speculated(around, body, after, &mut inside, &mut gated)?;
        let end = end.ok_or_else(broken)?;
        self.graph.location = view.location();
        for (back, value) in backs.into_iter().zip(end.operands()) {
            let channel = match gated.contains(&value) {
                true => self.value(body, value),
                false => {
                    let value = self.value(around, value);
                    self.branch(around, late, value).0
                }
            };
            self.graph.connect(back, channel);
        }
        let tokens = self.finished_loop(inside, late);
        self.close(around, late);
        self.results(domain, view, &results);
        self.done(scope, view.id, &tokens);
        Ok(())
    }

    fn results(&mut self, domain: DomainId, view: View<'a>, channels: &[ValueId]) {
        for (result, channel) in view.results().iter().zip(channels) {
            self.define(domain, *result, *channel);
        }
    }

    /// Returns a value on the side on which the branch domain is not entered.
    fn not_entered(&mut self, branch: DomainId, condition: ValueId, value: ValueId) -> ValueId {
        match self.graph.is_sourced(value) {
            true => value,
            false => self.branch(branch, condition, value).1,
        }
    }

    /// Returns whether another iteration follows: `counter < high - step`, so that the decision need not wait for the next
    /// counter.
    ///
    /// The difference is computed once before the loop, with an additional bit if it may not fit.
    fn is_not_last(
        &mut self,
        outside: DomainId,
        around: DomainId,
        counter: ValueId,
        bounds: &[ValueId],
    ) -> ValueId {
        let width_bits = self.width_bits(counter);
        let known = (self.constant_of(bounds[1]), self.constant_of(bounds[2]));
        if let (Some(high), Some(step)) = known {
            let wide = high.sext(width_bits + 1).sub(&step.sext(width_bits + 1));
            let limit = wide.trunc(width_bits);
            if limit.sext(width_bits + 1) == wide {
                let always = self.graph.source();
                let limit = self.graph.constant(limit, always);
                return self.less(counter, limit);
            }
        }
        let wider = width_bits + 1;
        let ends = self.values(outside, &bounds[1..]);
        let mut wide = |value| self.arithmetic(arith::Extsi::NAME, &[value], wider);
        let ends = [wide(ends[0]), wide(ends[1])];
        let counter = wide(counter);
        let limit = self.arithmetic(arith::Subi::NAME, &ends, wider);
        let limit = self.enter(around, limit);
        self.less(counter, limit)
    }

    fn width_bits(&self, channel: ValueId) -> u32 {
        let ty = self.graph.body.ty(channel);
        ty.integer_width_bits(self.context).unwrap_or(1)
    }

    fn arithmetic(&mut self, name: &str, operands: &[ValueId], width_bits: u32) -> ValueId {
        let ty = self.context.integer_type(width_bits);
        let op = self.graph.operation(name, operands, &[ty], &[]);
        self.graph.body.result(op, 0)
    }

    fn less(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let flag = self.context.integer_type(1);
        let predicate = [("predicate", self.context.i64_attribute(SLT))];
        let op = self
            .graph
            .operation(arith::Cmpi::NAME, &[a, b], &[flag], &predicate);
        self.graph.body.result(op, 0)
    }

    /// Returns whether a loop always has an iteration when it is reached.
    fn is_known_to_run(&self, view: View<'a>) -> bool {
        let count = view.attribute(sluice::TRIP_COUNT);
        if let Some(count) = count.and_then(|a| a.as_exact(self.context)) {
            return count.is_positive();
        }
        let bound = |i: usize| self.constant_of(view.operand(i));
        match (bound(0), bound(1)) {
            (Some(low), Some(high)) => low.slt(&high),
            _ => false,
        }
    }
}
