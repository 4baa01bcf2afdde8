//! Transformations of modules that are given as circuits: arcs, parameters, instances, splitting of values.

pub(crate) mod arcs;
pub(crate) mod flatten_modules;
pub(crate) mod maker;
pub(crate) mod specialise;
pub(crate) mod split_values;
