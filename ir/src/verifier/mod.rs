//! The verifier: structure, declared constraints, traits, dominance; reports every error, not only the first.
//!
//! Order as MLIR documents it ("Defining Dialects / Operations", section "Verification Ordering"): structure of the operation,
//! declared constraints, traits and rules, `verify`, nested operations, `verify_regions`; last, once per isolated
//! operation, dominance.

mod constraints;
mod dominance;
mod keys;
mod structure;
mod traits;

use rayon::prelude::*;

use crate::body::Body;
use crate::definition::Traits;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::ids::{BlockId, OperationId, RegionId};
use crate::module::Module;
use crate::symbols::SymbolTable;
use crate::text::{PrintOptions, print_operation};
use crate::view::View;

/// Verifies a whole module.
pub fn verify(context: &crate::Context, module: &Module, diagnostics: &mut Diagnostics) {
    verify_operation(module.view(context), diagnostics);
}

/// Verifies one operation and all operations nested in it.
pub fn verify_operation(view: View<'_>, diagnostics: &mut Diagnostics) {
    operation(view, None, diagnostics);
}

fn error<'d>(
    view: View<'_>,
    diagnostics: &'d mut Diagnostics,
    message: impl AsRef<str>,
) -> &'d mut Diagnostic {
    diagnostics.error(
        view.location(),
        format!("'{}' op {}", view.name(), message.as_ref()),
    )
}

/// Verifies `view`; `around` is the operation that contains its body, if it is known.
fn operation(view: View<'_>, around: Option<View<'_>>, diagnostics: &mut Diagnostics) {
    let before = diagnostics.all.len();
    let sound = |diagnostics: &Diagnostics| diagnostics.all.len() == before;
    let definition = view.definition();
    match definition {
        Some(definition) => {
            structure::check(view, definition, diagnostics);
            if sound(diagnostics) {
                constraints::check(view, definition, diagnostics);
            }
            if sound(diagnostics) {
                traits::check(view, definition, around, diagnostics);
            }
            if let (Some(verify), true) = (definition.verify, sound(diagnostics)) {
                verify(view, diagnostics);
            }
        }
        None if !view.context.allow_unregistered => {
            let message = "is not registered; `--allow-unregistered-dialect` accepts it";
            error(view, diagnostics, message);
        }
        None => {}
    }
    if sound(diagnostics) {
        keys::check(view, diagnostics);
    }
    if view.regions().is_empty() {
        return;
    }
    let own = sound(diagnostics);
    for (index, region) in view.regions().iter().enumerate() {
        verify_region(view, index, *region, diagnostics);
    }
    if !own || !sound(diagnostics) {
        return;
    }
    if let Some(definition) = definition {
        traits::check_regions(view, definition, diagnostics);
        if definition.has(Traits::SYMBOL_TABLE) && sound(diagnostics) {
            let table = SymbolTable::new(view, diagnostics);
            if sound(diagnostics) {
                table.verify_uses(diagnostics);
            }
        }
        if let (Some(verify), true) = (definition.verify_regions, sound(diagnostics)) {
            verify(view, diagnostics);
        }
    }
    if sound(diagnostics) && view.body.is_isolated(view.id) {
        dominance::check(view, diagnostics);
    }
}

fn verify_region(owner: View<'_>, index: usize, region: RegionId, diagnostics: &mut Diagnostics) {
    let body = owner.inner();
    let blocks = body.blocks(region);
    if owner.has(Traits::GRAPH_REGION) && blocks.len() > 1 {
        let message = format!("expects graph region #{index} to have 0 or 1 blocks");
        error(owner, diagnostics, message);
        return;
    }
    if let Some(entry) = blocks.first()
        && (blocks
            .iter()
            .filter_map(|block| body.last_operation(*block)))
        .any(|last| body.successors(last).contains(entry))
    {
        let message = "entry block of region may not have predecessors";
        diagnostics.error(owner.location(), message);
        return;
    }
    let may_lack_terminator = blocks.len() <= 1
        && owner
            .definition()
            .is_none_or(|d| d.has(Traits::NO_TERMINATOR));
    for block in blocks {
        verify_block(owner, region, *block, may_lack_terminator, diagnostics);
    }
}

fn verify_block(
    owner: View<'_>,
    region: RegionId,
    block: BlockId,
    may_lack_terminator: bool,
    diagnostics: &mut Diagnostics,
) {
    let body = owner.inner();
    let Some(last) = body.last_operation(block) else {
        if !may_lack_terminator {
            let message = "empty block: expect at least a terminator";
            diagnostics.error(owner.location(), message);
        }
        return;
    };
    let before = diagnostics.all.len();
    let one = |op: OperationId, diagnostics: &mut Diagnostics| {
        let view = View::new(owner.context, body, op);
        if op != last && !view.successors().is_empty() {
            let message = "operation with block successors must terminate its parent block";
            diagnostics.error(view.location(), message);
        }
        operation(view, Some(owner), diagnostics);
    };
    if has_much_to_verify(body, block) {
        // Operations are independent: each thread verifies some of them, and messages stay in order.
        let operations: Vec<OperationId> = body.operations(block).collect();
        let found: Vec<Diagnostics> = operations
            .par_iter()
            .map(|op| {
                let mut found = Diagnostics::new();
                one(*op, &mut found);
                found
            })
            .collect();
        found.into_iter().for_each(|f| diagnostics.append(f));
    } else {
        for op in body.operations(block) {
            one(op, diagnostics);
        }
    }
    let last = View::new(owner.context, body, last);
    for successor in last.successors() {
        if body.parent_region(*successor) != Some(region) {
            let message = "branching to block of a different region";
            error(last, diagnostics, message);
        }
    }
    let is_terminator = last.definition().is_none_or(|d| d.has(Traits::TERMINATOR));
    if !may_lack_terminator && !is_terminator && diagnostics.all.len() == before {
        let message = format!("block with no terminator, has {}", generic_text(last));
        diagnostics.error(last.location(), message);
    }
}

/// Returns true if the separate bodies in a block have enough operations to share the work among threads.
fn has_much_to_verify(body: &Body, block: BlockId) -> bool {
    const MUCH: usize = 4096;
    if rayon::current_num_threads() == 1 {
        return false;
    }
    let mut sum = 0;
    let mut isolated = body.operations(block).filter(|op| body.is_isolated(*op));
    isolated.any(|op| {
        sum += body.inner(op).operation_capacity();
        sum > MUCH
    })
}

/// Returns the generic form of one operation, for messages.
fn generic_text(view: View<'_>) -> String {
    let options = PrintOptions {
        generic: true,
        local_scope: true,
        ..PrintOptions::default()
    };
    let text = print_operation(view.context, view.body, view.id, &options);
    text.trim_end().to_owned()
}
