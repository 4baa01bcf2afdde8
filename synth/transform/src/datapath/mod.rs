//! Data path transformations: bit widths, products, divisions, selections.

pub(crate) mod balance;
pub(crate) mod division;
mod emitter;
pub(crate) mod expand;
pub(crate) mod expand_meanings;
pub(crate) mod extremes;
pub(crate) mod factor;
pub(crate) mod factors;
pub(crate) mod floats;
pub(crate) mod if_convert;
pub(crate) mod narrow;
pub(crate) mod powers;
pub(crate) mod reassociate;
mod total;
pub(crate) mod wide_operations;
