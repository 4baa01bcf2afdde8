//! Loop, memory and data path transformations, with the dependence, range and bit-width analyses they use.
//!
//! Every pass is a function on a body, or on the module if the pass needs all functions. The result of the passes is the
//! synthesis form of `docs/SYNTHESIS.md`. Only `flow` knows their order.

mod analysis;
mod build;
mod circuits;
mod datapath;
mod loops;
mod lowering;
mod memory;

pub use analysis::accessed_extents::accessed_extents;
pub use analysis::annotate::annotate;
pub use analysis::exclusive::free_guards;
pub use analysis::linear::{index_form, mean_trip_count, trip_count};
pub use analysis::linear_system::{LinearSystem, Row};
pub use analysis::nest_shape::nest_shape;
pub use analysis::value_ranges::{Range, value_ranges};
pub use build::erase_dead;
pub use circuits::arcs::lower_arcs;
pub use circuits::flatten_modules::flatten_modules;
pub use circuits::specialise::{has_parametric_types, specialise_modules};
pub use circuits::split_values::split_values;
pub use datapath::balance::balance;
pub use datapath::expand::expand;
pub use datapath::expand_meanings::{expand_meanings, has_meanings};
pub use datapath::extremes::split_extremes;
pub use datapath::factor::factor;
pub use datapath::factors::factors;
pub use datapath::floats::{Expansion, expand_floats, has_float_operations, keep_units_whole};
pub use datapath::if_convert::{hoist_from_guards, if_convert};
pub use datapath::narrow::{channel_type, interface_type, narrow, narrow_graph};
pub use datapath::reassociate::{Unit, has_free_order, reassociate};
pub use datapath::wide_operations::{Splitting, split_wide};
pub use loops::coalesce::{KeptApart, Limits, Units, coalesce};
pub use loops::counting::uplift_while;
pub use loops::first_values::first_values;
pub use loops::jam::jam;
pub use loops::predict::{predict, predictable_loops};
pub use loops::restructure::{Reordering, legal_reorderings, reorder, reorderings, restructure};
pub use loops::speculate::{Staleness, speculable_loops, speculate};
pub use loops::unroll::{pure_trip_count, unroll, unroll_by};
pub use lowering::canonicalise::{STRUCTURED_PATTERNS, canonicalise};
pub use lowering::check_bounds::check_bounds;
pub use lowering::copies::copies;
pub use lowering::expanded_size::{FUNCTIONS, GRAPHS, Hierarchy, MODULES, check_expansion};
pub use lowering::float_words::{float_words, has_floats};
pub use lowering::inline::inline;
pub use lowering::legality::{check_legality, check_structure};
pub use lowering::licm::licm;
pub use lowering::lower_affine::{holds_affine, lower_affine};
pub use lowering::lower_linalg::{StructuredLoops, has_structured, lower_linalg};
pub use lowering::mem2reg::mem2reg;
pub use lowering::memory_results::{is_named, results_to_arguments};
pub use lowering::normalise::normalise;
pub use lowering::outline::{ELASTIC, STATIC, mark_others, outline, regular_loops};
pub use lowering::parallel::{lower_forall, lower_parallel, parallel_to_nest};
pub use lowering::structure::lift_cf_to_scf;
pub use lowering::tensors::{bufferize, elementwise_to_linalg, has_tensors};
pub use lowering::versions::for_version;
pub use lowering::widen_addresses::widen_addresses;
pub use memory::bank::bank;
pub use memory::bypass::{bypass, can_bypass};
pub use memory::flatten::flatten_memrefs;
pub use memory::forward::forward;
pub use memory::merge_branches::merge_branches;
pub use memory::promote::promote;
pub use memory::reuse::{
    CopyChoice, CopySizes, FillPolicy, ReadGroup, copies_of_all, local_bits, reuse, window_loops,
};
pub use memory::share_accesses::share_accesses;
pub use memory::streams::{StreamRequests, streams};
