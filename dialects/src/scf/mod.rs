//! Dialect scf: structured control flow.

mod conditional;
mod forall;
mod loops;
mod parallel;

use sluice_ir::View;
use sluice_ir::text::RegionPrinting;

use crate::constraints::ANY_TYPE;
use crate::messages::{op_error, quoted};

pub(crate) use loops::check_carried;

pub use conditional::{ExecuteRegion, If, IndexSwitch, index_switch_cases};
pub use forall::{Forall, InParallel, forall_bounds};
pub use loops::{Condition, For, While, is_unsigned};
pub use parallel::{Parallel, Reduce, ReduceReturn};

sluice_ods::dialect! {
    dialect "scf" {
        summary: "Structured control flow",
        groups: [conditional::OPERATIONS, forall::OPERATIONS, loops::OPERATIONS, parallel::OPERATIONS],
    }

    /// Yields values to the enclosing loop or conditional.
    op Yield = "yield" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"])],
        operands: { results: variadic ANY_TYPE },
        assembly: "attr-dict ($results^ `:` type($results))?",
    }
}

/// How to print most regions.
const PLAIN: RegionPrinting = RegionPrinting {
    entry_arguments: false,
    terminators: true,
    empty_block: false,
};

fn region_printing(view: View<'_>) -> RegionPrinting {
    // A terminator without values is implicit.
    RegionPrinting {
        terminators: !view.results().is_empty(),
        ..PLAIN
    }
}

/// Returns the last operation of the entry block of a region.
fn terminator(view: View<'_>, region: usize) -> Option<View<'_>> {
    let body = view.inner();
    let last = body.last_operation(view.entry_block(region)?)?;
    Some(View::new(view.context, body, last))
}
