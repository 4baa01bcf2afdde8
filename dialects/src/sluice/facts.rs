//! Facts about a kernel that passes compute and later passes rely on.

use super::{ANYWHERE, FUNCTIONS, LOOPS, keys};

keys! {
    /// The number of a memory access, unique in its function, in the order of the text.
    ACCESS = "sluice.access": COUNT, on ANYWHERE, by "`annotate`, `coalesce`";
    /// Dependences between accesses of a block, each as source, sink and distance in iterations.
    DEPENDENCES = "sluice.dependences": LISTS_OF_NUMBERS, on ANYWHERE, by "`annotate`";
    /// Trip count of the loop, if it is known.
    TRIP_COUNT = "sluice.trip_count": COUNT in "iterations", on LOOPS, by "`annotate`";
    /// Number of entries into the loop in one run of the outermost loop.
    ENTRIES = "sluice.entries": COUNT, on LOOPS, by "`annotate`";
    /// Number of entries into the loop without an iteration.
    EMPTY_ENTRIES = "sluice.empty_entries": COUNT, on LOOPS, by "`annotate`";
    /// Iterations of the loop in one run of the outermost loop.
    ITERATIONS = "sluice.iterations": COUNT in "iterations", on LOOPS, by "`annotate`";
    /// The nest of the loop has too many iterations to be counted.
    UNCOUNTED = "sluice.uncounted": ANYTHING, on LOOPS, by "`annotate`";
    /// The operation is a predicated access or division.
    GUARD = "sluice.guard": UNIT, on ANYWHERE, by "`if-convert`";
    /// The condition of the guard holds at most once in this number of iterations.
    EVERY = "sluice.every": POSITIVE in "iterations", on ANYWHERE, by "`coalesce`";
    /// No operation uses the value, or none uses the result of the guard when its condition is false.
    ANY = "sluice.any": UNIT, on ANYWHERE, by "`free-guards`, `mem2reg`";
    /// No operation uses the result of the load when its address is outside of the memory or undefined.
    SPECULATED = "sluice.speculated": UNIT, on ANYWHERE, by "`speculate`, `predict`";
    /// Number of iterations for which the operand has been the same whenever the result is used.
    UNCHANGED = "sluice.unchanged": COUNT in "iterations", on ANYWHERE, by "`coalesce`";
    /// Greatest distance in iterations from which the value may be taken.
    STALE = "sluice.stale": COUNT in "iterations", on ANYWHERE, by "`speculate`";
    /// Number of iterative dividers that take turns with the operands of the division.
    INTERLEAVE = "sluice.interleave": POSITIVE in "units", on ANYWHERE, by "`interleave`";
    /// The arguments of the source: `name`, `type`, `width`, of memories `shape`, of streams `stream`.
    ARGUMENTS = "sluice.arguments": LIST_OF_ENTRIES, on FUNCTIONS, by "`flatten-memrefs`";
    /// The results of the source, described as the arguments are.
    RESULTS = "sluice.results": LIST_OF_ENTRIES, on FUNCTIONS, by "`flatten-memrefs`";
    /// Arrays in banks: `array`, `partition`, `straight`, `chosen`, and `first`, the argument that is bank 0.
    BANKED = "sluice.banked": LIST_OF_ENTRIES, on FUNCTIONS, by "`bank`";
    /// No word is read through an enabled port in a cycle in which it is written.
    NO_COLLISION = "sluice.no_collision": ANYTHING, on ANYWHERE, by "`bind`";
    /// Choices that Sluice made for the kernel, as sentences of the report.
    CHOICES = "sluice.choices": TEXTS, on FUNCTIONS, by "choices";
    /// Copies and banks that `parallel: auto` chose.
    PARALLEL = "sluice.parallel": TEXT, on FUNCTIONS, by "`parallel`";
}
