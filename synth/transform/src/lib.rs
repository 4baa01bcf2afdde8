//! Loop and memory transformations, dependences, width analysis.
//!
//! Every pass is a function on a body (or, where it must see all functions, on the module). What they leave behind is the
//! synthesis form of `docs/SYNTHESIS.md`; their order is known to `flow` alone.

mod alias;
mod annotate;
mod arcs;
mod atomics;
mod balance;
mod bank;
mod blocks;
mod build;
mod bypass;
mod canonicalise;
mod cells;
mod check_bounds;
mod chosen_memories;
mod coalesce;
mod conditions;
mod copies;
mod counting;
mod demand;
mod dependence;
mod dependence_vectors;
mod division;
mod evaluate;
mod exclusive;
mod expand;
mod expansion;
mod factor;
mod first_values;
mod flatten;
mod flatten_modules;
mod forward;
mod graph_demand;
mod graph_ranges;
mod if_convert;
mod inline;
mod jam;
pub mod legality;
mod licm;
mod linear;
mod linear_system;
mod lower_affine;
mod made_of;
mod maker;
mod memory_results;
mod merge_branches;
mod narrow;
mod nest_counts;
mod nest_shape;
mod normalise;
mod offsets;
mod outline;
mod parallel;
mod pieces;
mod powers;
mod predict;
mod promote;
mod restructure;
mod reuse;
mod share_accesses;
mod specialise;
mod speculate;
mod split;
mod split_values;
mod streams;
mod structure;
mod supported;
mod switches;
mod unroll;
mod value_ranges;
mod views;
mod widen_addresses;

pub use annotate::annotate;
pub use arcs::lower_arcs;
pub use balance::{BALANCE, balance};
pub use bank::{ARRAY, BANKED, BANKS, bank};
pub use build::erase_dead;
pub use bypass::{BYPASS, bypass, can_bypass};
pub use canonicalise::{STRUCTURED_PATTERNS, canonicalise};
pub use cells::mem2reg;
pub use check_bounds::check_bounds;
pub use coalesce::{
    FLATTEN, KeptApart, Limits, NEST, PHASES, ROTATE, ROWS, SPACING, Units, WAITS, coalesce,
};
pub use copies::copies;
pub use counting::uplift_while;
pub use exclusive::free_guards;
pub use expand::expand;
pub use expansion::{FUNCTIONS, GRAPHS, Hierarchy, MODULES, check_expansion};
pub use factor::factor;
pub use first_values::first_values;
pub use flatten::flatten_memrefs;
pub use flatten_modules::flatten_modules;
pub use forward::forward;
pub use if_convert::{hoist_from_guards, if_convert};
pub use inline::inline;
pub use jam::{JAM, jam};
pub use licm::licm;
pub use linear::{index_form, trip_count};
pub use lower_affine::{holds_affine, lower_affine};
pub use memory_results::{is_named, results_to_arguments};
pub use merge_branches::merge_branches;
pub use narrow::{channel_type, interface_type, narrow, narrow_graph};
pub use nest_counts::UNCOUNTED;
pub use nest_shape::{SHAPE, nest_shape};
pub use normalise::normalise;
pub use outline::{ELASTIC, STATIC, STYLE, mark_others, outline, regular_loops};
pub use parallel::OF_DIMENSIONS;
pub use pieces::{Splitting, split_wide};
pub use predict::{predict, predictable_loops};
pub use promote::promote;
pub use restructure::{
    DISTRIBUTE, FUSE, INTERCHANGE, PEEL_FIRST, PEEL_LAST, REORDER, Reordering, TILE,
    legal_reorderings, reorder, reorderings, restructure,
};
pub use reuse::{
    COPY, CopyChoice, Crowd, FILL, FILL_WHOLE, Taste, WINDOW, copies_of_all, local_bits, reuse,
    window_loops,
};
pub use share_accesses::share_accesses;
pub use specialise::{has_parametric_types, specialise_modules};
pub use speculate::{SPECULATE, Staleness, speculable_loops, speculate};
pub use split::split_extremes;
pub use split_values::split_values;
pub use streams::{StreamWishes, streams};
pub use structure::lift_cf_to_scf;
pub use unroll::{pure_rounds, unroll, unroll_by};
pub use widen_addresses::widen_addresses;
