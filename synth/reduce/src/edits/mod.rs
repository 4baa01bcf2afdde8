//! The edits: one file for each thing that can become less, and the order in which they are tried.

mod accesses;
mod attributes;
mod bounds;
mod branches;
mod carried;
mod constants;
mod functions;
mod interface;
mod operations;
mod place;
mod regions;
mod selections;
mod shapes;
mod types;
mod values;
mod widths;

use sluice_ir::{Context, Module};

/// A change; false where there is nothing to change. It need not leave a valid module: that is looked at afterwards.
pub(crate) type Edit = Box<dyn Fn(&Context, &mut Module) -> bool>;

/// The edits of a family for a module, those that come first in a chunk first.
pub(crate) type Find = fn(&Context, &Module) -> Vec<Edit>;

/// Every family, in the order in which they are tried: what takes most away comes first.
pub(crate) const FAMILIES: &[Find] = &[
    functions::erasures,
    operations::erasures,
    regions::openings,
    branches::directions,
    branches::merges,
    values::by_operands,
    values::by_arguments,
    values::by_results,
    selections::selections,
    operations::erasures,
    carried::removals,
    interface::results,
    interface::arguments,
    values::by_new_arguments,
    values::constant_operands,
    bounds::bounds,
    accesses::subscripts,
    shapes::dimensions,
    shapes::sizes,
    widths::widths,
    constants::values,
    attributes::removals,
];
