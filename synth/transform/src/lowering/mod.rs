//! Passes that lower the output of front ends to the few forms that the other passes accept.

pub(crate) mod aliased_arguments;
pub(crate) mod atomics;
pub(crate) mod blocks;
pub(crate) mod canonicalise;
pub(crate) mod check_bounds;
pub(crate) mod copies;
pub(crate) mod expanded_size;
pub(crate) mod float_classes;
pub(crate) mod float_words;
pub(crate) mod inline;
pub(crate) mod legality;
pub(crate) mod licm;
pub(crate) mod lower_affine;
pub(crate) mod mem2reg;
pub(crate) mod memory_results;
pub(crate) mod normalise;
pub(crate) mod outline;
pub(crate) mod parallel;
pub(crate) mod structure;
pub(crate) mod supported;
pub(crate) mod switches;
pub(crate) mod unreachable;
pub(crate) mod unsigned_loops;
pub(crate) mod versions;
pub(crate) mod views;
pub(crate) mod widen_addresses;
