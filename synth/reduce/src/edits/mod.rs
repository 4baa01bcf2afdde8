//! The edits: one file for each kind of reduction, and the order in which they are tried.

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

/// A change of a module; it returns `false` if there is nothing to change. The result may be invalid; it is verified afterwards.
pub(crate) type Edit = Box<dyn Fn(&Context, &mut Module) -> bool>;

/// Returns the edits of a family for a module, in the order in which a chunk applies them.
pub(crate) type Find = fn(&Context, &Module) -> Vec<Edit>;

/// All families in the order in which they are tried: those that remove most come first.
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
