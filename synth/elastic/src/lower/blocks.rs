//! Lowers the operations of a block.

use std::collections::BTreeSet;

use sluice_dialects::sluice::PENDING;
use sluice_dialects::{arith, builtin, func, memref, scf, synthesis_form::is_division};
use sluice_ir::{BlockId, ValueId, View};

use super::domains::DomainId;
use super::order::{Scope, Track};
use super::{Lowered, Lowering, refused};

/// Returns whether an operation terminates a block.
fn is_end(view: View<'_>) -> bool {
    matches!(
        view.name(),
        scf::Yield::NAME | scf::Condition::NAME | func::Return::NAME
    )
}

impl<'a> Lowering<'a, '_> {
    /// Lowers the operations of a block; returns its terminator.
    pub(super) fn block(
        &mut self,
        domain: DomainId,
        block: BlockId,
        scope: &mut Scope,
    ) -> Lowered<Option<View<'a>>> {
        let ops: Vec<_> = self.source.operations(block).collect();
        for op in ops {
            let view = self.view(op);
            if is_end(view) {
                return Ok(Some(view));
            }
            self.operation(domain, view, scope)?;
        }
        Ok(None)
    }

    /// As [`Lowering::block`], for a block that runs if a condition holds in the enclosing domain. Computations that take at most
    /// a cycle or use a pipelined unit, and need nothing else of the block, execute in the enclosing domain, before the condition
    /// is known. `gated` receives the values that are defined in the domain of the block.
    pub(super) fn speculated(
        &mut self,
        around: DomainId,
        domain: DomainId,
        block: BlockId,
        scope: &mut Scope,
        gated: &mut BTreeSet<ValueId>,
    ) -> Lowered<Option<View<'a>>> {
        let ops: Vec<_> = self.source.operations(block).collect();
        for op in ops {
            let view = self.view(op);
            if is_end(view) {
                return Ok(Some(view));
            }
            let only_computes = view.name().starts_with("arith.")
                || view.name() == builtin::UnrealizedConversionCast::NAME;
            let is_free = only_computes && !is_division(view);
            if is_free && view.operands().all(|operand| !gated.contains(&operand)) {
                self.operation(around, view, scope)?;
            } else {
                self.operation(domain, view, scope)?;
                gated.extend(view.results());
            }
        }
        Ok(None)
    }

    fn operation(&mut self, domain: DomainId, view: View<'a>, scope: &mut Scope) -> Lowered<()> {
        self.graph.location = view.location();
        match view.name() {
            arith::Constant::NAME
            | memref::Alloca::NAME
            | memref::Alloc::NAME
            | memref::GetGlobal::NAME => {}
            // Casts of subscripts: channels already have the address width.
            arith::IndexCastui::NAME | builtin::UnrealizedConversionCast::NAME => {
                let channel = self.value(domain, view.operand(0));
                self.domains[domain.0]
                    .values
                    .insert(view.result(0), channel);
            }
            memref::Load::NAME if self.passes_by(view.operand(0)) => self.take(domain, view)?,
            memref::Store::NAME if self.passes_by(view.operand(1)) => self.give(domain, view),
            memref::Load::NAME => self.load_operation(domain, view, scope),
            memref::Store::NAME => self.store_operation(domain, view, scope),
            scf::If::NAME => self.conditional(domain, view, scope)?,
            scf::For::NAME => self.for_loop(domain, view, scope)?,
            scf::While::NAME => self.while_loop(domain, view, scope)?,
            func::Call::NAME => self.call(domain, view, scope)?,
            name if name.starts_with("arith.") => self.computation(domain, view),
            name => {
                let message = format!(
                    "`{name}` has no elastic circuit; `style: static` compiles it where a schedule can"
                );
                return Err(refused(view, message));
            }
        }
        Ok(())
    }

    fn computation(&mut self, domain: DomainId, view: View<'a>) {
        let operands: Vec<ValueId> = view.operands().collect();
        let operands = self.values(domain, &operands);
        let types: Vec<_> = view.result_types().collect();
        let attributes: Vec<_> = view
            .attributes()
            .iter()
            .map(|(name, value)| (self.context.text(*name), *value))
            .collect();
        let op = self
            .graph
            .operation(view.name(), &operands, &types, &attributes);
        let results = self.graph.body.results(op).to_vec();
        for (value, channel) in view.results().iter().zip(results) {
            self.define(domain, *value, channel);
        }
    }

    fn load_operation(&mut self, domain: DomainId, view: View<'a>, scope: &mut Scope) {
        let mut tokens = self.wait(scope, view.id, domain);
        let memory = view.operand(0);
        if let Some(word) = self.handed_on(domain, memory) {
            return self.define(domain, view.result(0), word);
        }
        let address = self.address(domain, memory, view.operand(1));
        let order = tokens.get(&Track::Cells(memory)).copied();
        let (word, done) = self.load(domain, memory, address, order);
        self.keep_words(memory, word);
        self.define(domain, view.result(0), word);
        for token in tokens.values_mut() {
            *token = done;
        }
        self.done(scope, view.id, &tokens);
    }

    fn store_operation(&mut self, domain: DomainId, view: View<'a>, scope: &mut Scope) {
        let mut tokens = self.wait(scope, view.id, domain);
        let memory = view.operand(1);
        let data = self.value(domain, view.operand(0));
        let address = self.address(domain, memory, view.operand(2));
        let order = tokens[&Track::Cells(memory)];
        let known = match view.attribute(PENDING) {
            Some(_) => {
                let last = tokens.get(&Track::Writes(memory)).copied();
                let (known, done) = self.pending_store(memory, address, data, order, last);
                tokens
                    .entry(Track::Writes(memory))
                    .and_modify(|token| *token = done);
                known
            }
            None => self.store(memory, address, data, order),
        };
        tokens.insert(Track::Cells(memory), known);
        self.done(scope, view.id, &tokens);
    }
}
