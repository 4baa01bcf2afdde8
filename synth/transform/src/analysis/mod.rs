//! Analyses that passes query: values, ranges, conditions, dependences, trip counts.

pub(crate) mod accessed_extents;
pub(crate) mod annotate;
pub(crate) mod chosen_memories;
pub(crate) mod conditions;
pub(crate) mod demand;
pub(crate) mod dependence;
pub(crate) mod dependence_vectors;
pub(crate) mod evaluate;
pub(crate) mod exclusive;
pub(crate) mod graph_demand;
pub(crate) mod graph_ranges;
pub(crate) mod linear;
pub(crate) mod linear_system;
pub(crate) mod nest_counts;
pub(crate) mod nest_shape;
pub(crate) mod offsets;
pub(crate) mod transitive_operands;
pub(crate) mod value_ranges;
