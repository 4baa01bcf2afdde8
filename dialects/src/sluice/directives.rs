//! Directives of a user for loops, memories and functions.

use sluice_ir::definition::KeyPlaces;

use super::{ANYWHERE, FUNCTIONS, LOOPS, keys};
use crate::memref;

/// Local memories.
const MEMORIES: KeyPlaces = KeyPlaces::Operations {
    kind: "local memories",
    names: &[memref::Alloc::NAME, memref::Alloca::NAME],
};

keys! {
    /// Iterations of the loop may overlap, if it is true or absent.
    PIPELINE = "sluice.pipeline": FLAG, on LOOPS, by "the user";
    /// The initiation interval that the loop must have.
    FIXED_II = "sluice.fixed_ii": POSITIVE in "cycles", on LOOPS, by "the user";
    /// Unroll factor: number of iterations that become one.
    UNROLL = "sluice.unroll": POSITIVE in "iterations", on LOOPS, by "the user";
    /// Unroll-and-jam factor: number of iterations that become one, with the loops inside fused.
    JAM = "sluice.jam": POSITIVE in "iterations", on LOOPS, by "the user";
    /// False prevents flattening of the loop with the loops in it.
    FLATTEN = "sluice.flatten": FLAG, on LOOPS, by "the user";
    /// Loop distribution: one loop for each set of statements that depend on each other in a cycle.
    DISTRIBUTE = "sluice.distribute": FLAG_OR_UNIT, on LOOPS, by "the user";
    /// Loop fusion: this loop and the next one become one loop.
    FUSE = "sluice.fuse": FLAG_OR_UNIT, on LOOPS, by "the user";
    /// The place of each statement of the nest: its loops in the new order with positions between them, as `k 1 i j`.
    REORDER = "sluice.reorder": TEXTS, on LOOPS, by "the user";
    /// Loop interchange: the counters of the nest from the outermost loop to the innermost.
    INTERCHANGE = "sluice.interchange": TEXTS, on LOOPS, by "the user";
    /// Tile size: iterations of a tile.
    TILE = "sluice.tile": POSITIVE in "iterations", on LOOPS, by "the user";
    /// Loop peeling: number of iterations that leave the loop and run before it.
    PEEL_FIRST = "sluice.peel_first": POSITIVE in "iterations", on LOOPS, by "the user";
    /// Loop peeling: number of iterations that leave the loop and run after it.
    PEEL_LAST = "sluice.peel_last": POSITIVE in "iterations", on LOOPS, by "the user";
    /// Number of iterations started speculatively, before the exit condition is known.
    SPECULATE = "sluice.speculate": COUNT in "iterations", on LOOPS, by "the user, `speculate`";
    /// `static` if a schedule runs the loop or operation of an elastic kernel, `elastic` if tokens do.
    STYLE = "sluice.style": STATIC_OR_ELASTIC, on ANYWHERE, by "the user, `outline`, `split`";
    /// Directives for each dimension of a loop with several.
    OF_DIMENSIONS = "sluice.of_dimensions": LIST_OF_ENTRIES, on LOOPS, by "`directives`";
    /// The partition of the array into banks.
    BANKS = "sluice.banks": ENTRIES_OR_LIST, on ANYWHERE, by "the user";
    /// The name of a local memory that is split into banks.
    ARRAY = "sluice.array": TEXT, on MEMORIES, by "`directives`";
    /// The storage of the memory: `kind`, and where not 1 `reads` (read ports) and `ports` (`true_dual`).
    STORAGE = "sluice.storage": ENTRIES, on ANYWHERE, by "the user, `storage`";
    /// The function is not inlined: it stays a separate instance.
    NO_INLINE = "sluice.no_inline": UNIT, on FUNCTIONS, by "the user, `outline`";
}
