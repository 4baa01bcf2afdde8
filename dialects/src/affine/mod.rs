//! Dialect affine: loops, conditionals and accesses with affine bounds, conditions and subscripts.

mod access;
mod conditional;
mod dma;
mod loops;
mod maps;
mod parallel;
mod scope;

use sluice_ir::affine::AffineMap;
use sluice_ir::text::{OperationState, ParseResult, Parser, RegionPrinting, UnresolvedOperand};
use sluice_ir::{Diagnostics, View};

use crate::constraints::ANY_TYPE;
use crate::messages::op_error;

pub use access::{Load, Prefetch, Store, VectorLoad, VectorStore};
pub use conditional::If;
pub use dma::{DmaStart, DmaWait};
pub use loops::{For, constant_trip_count};
pub use maps::{Apply, Base, DelinearizeIndex, LinearizeIndex, Max, Min, bases, index_map};
pub use parallel::{Parallel, groups, groups_attribute};
pub use scope::is_symbol;

sluice_ods::dialect! {
    dialect "affine" {
        summary: "Affine loops and accesses",
        materialize_constant: crate::arith::materialize,
        groups: [
            access::OPERATIONS, conditional::OPERATIONS, dma::OPERATIONS, loops::OPERATIONS, maps::OPERATIONS,
            parallel::OPERATIONS
        ],
    }

    /// Yields values to the enclosing loop or conditional.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        operands: { operands: variadic ANY_TYPE },
        assembly: "attr-dict ($operands^ `:` type($operands))?",
        verify: verify_yield,
    }
}

fn resolve_indices(
    parser: &mut Parser<'_>,
    operands: &[UnresolvedOperand],
    state: &mut OperationState,
) -> ParseResult<()> {
    let index = parser.context().index_type();
    parser.resolve_operands_of_type(operands, index, state)
}

fn map_of(view: View<'_>, name: &str) -> AffineMap {
    let map = view
        .attribute(name)
        .and_then(|a| a.as_affine_map(view.context))
        .cloned();
    map.unwrap_or(AffineMap {
        n_dims: 0,
        n_symbols: 0,
        results: Vec::new(),
    })
}

/// Returns how many operands a map takes.
fn n_inputs(map: &AffineMap) -> usize {
    usize::try_from(u64::from(map.n_dims) + u64::from(map.n_symbols)).unwrap_or(usize::MAX)
}

fn printing(view: View<'_>) -> RegionPrinting {
    RegionPrinting {
        entry_arguments: false,
        terminators: !view.results().is_empty(),
        empty_block: false,
    }
}

fn verify_yield(view: View<'_>, diagnostics: &mut Diagnostics) {
    let parent = view.body.parent_operation(view.id).map(|op| view.at(op));
    let parent = parent.filter(|parent| {
        matches!(
            parent.name(),
            "affine.for" | "affine.if" | "affine.parallel"
        )
    });
    let message = match parent {
        None => "only terminates affine.if/for/parallel regions",
        Some(parent) if parent.results().len() != view.operands().len() => {
            "parent of yield must have same number of results as the yield operands"
        }
        Some(parent) if !parent.result_types().eq(view.operand_types()) => {
            "types mismatch between yield op and its parent"
        }
        Some(_) => return,
    };
    op_error(view, diagnostics, message);
}
