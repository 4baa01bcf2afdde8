//! Orders in which passes visit the operations of a body.

use sluice_ir::{Body, OperationId};

/// Returns the operations of a body in the order of their ends: those inside come before those outside.
pub(crate) fn inner_first(body: &Body) -> Vec<OperationId> {
    let mut found = Vec::new();
    for region in body.top_regions() {
        for block in body.blocks(region) {
            for op in body.operations(*block) {
                visit(body, op, &mut found);
            }
        }
    }
    found
}

fn visit(body: &Body, op: OperationId, found: &mut Vec<OperationId>) {
    if !body.is_isolated(op) {
        for region in body.regions(op) {
            for block in body.blocks(*region) {
                for inner in body.operations(*block) {
                    visit(body, inner, found);
                }
            }
        }
    }
    found.push(op);
}
