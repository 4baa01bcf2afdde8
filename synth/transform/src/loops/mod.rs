//! Loop transformations: recognition of counted loops, unrolling, fusion, interchange, flattening, speculation.

pub(crate) mod coalesce;
pub(crate) mod counting;
pub(crate) mod first_values;
pub(crate) mod jam;
pub(crate) mod predict;
pub(crate) mod restructure;
pub(crate) mod speculate;
pub(crate) mod unroll;
