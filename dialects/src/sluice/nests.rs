//! Attributes for loop flattening and data reuse: requests of choices to passes, and notes of the passes.

use super::{ANYWHERE, LOOPS, keys};

keys! {
    /// The number that identifies a nest after flattening.
    NEST = "sluice.nest": COUNT, on LOOPS, by "spacing";
    /// Least distance between a value and its use in another group of the nest.
    SPACING = "sluice.spacing": COUNT in "steps", on LOOPS, by "spacing";
    /// Least distance between a store and a load of the same cell in one innermost loop.
    ROWS = "sluice.rows": COUNT in "steps", on LOOPS, by "spacing";
    /// 1 gives a division whose quotient is on a recurrence its own step.
    WAITS = "sluice.waits": COUNT, on LOOPS, by "spacing";
    /// Software pipelining of outer loops: a sum of 1, 2, 4, 8, 16 and 32, see `docs/SYNTHESIS.md`.
    ROTATE = "sluice.rotate": COUNT, on LOOPS, by "spacing";
    /// The part of `sluice.rotate` that could be done.
    ROTATED = "sluice.rotated": COUNT, on LOOPS, by "`coalesce`";
    /// 1 cuts iterations of innermost loops into steps of one cycle each.
    PHASES = "sluice.phases": COUNT, on LOOPS, by "spacing";
    /// Steps of the loop in which no operation runs.
    IDLE_STEPS = "sluice.idle_steps": COUNT in "steps", on LOOPS, by "`coalesce`";
    /// Least distances between accesses of the loop, as `sluice.dependences`, until `annotate` runs.
    STEPS = "sluice.steps": LIST, on LOOPS, by "`coalesce`";
    /// The loops that a flattened nest was made of: counter, trip count (-1 if it varies), line, loops inside.
    SHAPE = "sluice.shape": LIST, on LOOPS, by "flattening";
    /// A choice, not a directive, prevents flattening of the loop.
    APART_BY_CHOICE = "sluice.apart_by_choice": ANYTHING, on LOOPS, by "spacing";
    /// The number of a loop in a trial compilation.
    LOOP = "sluice.loop": COUNT, on LOOPS, by "`parallel`";
    /// The loop runs once, or not at all where the loop around it is in its last iteration.
    UNLESS_LAST = "sluice.unless_last": UNIT, on LOOPS, by "`coalesce`";
    /// Sums in the body are balanced.
    BALANCE = "sluice.balance": UNIT, on LOOPS, by "`unroll`, `jam`";
    /// Number of stores of each memory that are kept in registers for later loads.
    BYPASS = "sluice.bypass": COUNT in "stores", on LOOPS, by "spacing";
    /// Loads take values of earlier iterations: of `loads`, or of `all` accesses.
    WINDOW = "sluice.window": LOADS_OR_ALL, on LOOPS, by "reuse";
    /// The number of the window that the load belonged to.
    WINDOW_OF = "sluice.window_of": COUNT, on ANYWHERE, by "`reuse`";
    /// The number of the copy that the load reads, unique in the function.
    COPY = "sluice.copy": COUNT, on ANYWHERE, by "reuse";
    /// Copies that are filled before the loop with what no load fills.
    FILL = "sluice.fill": LIST_OR_NUMBERS, on LOOPS, by "reuse";
    /// Copies that are filled before the loop, by no load.
    FILL_WHOLE = "sluice.fill_whole": LIST_OR_NUMBERS, on LOOPS, by "reuse";
}
