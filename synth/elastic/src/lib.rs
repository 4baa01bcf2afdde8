//! Elastic (dynamically scheduled) circuits: converts control flow to dataflow graphs, whose operations exchange tokens over
//! handshake channels, and converts these graphs to circuits.
//!
//! `docs/ELASTIC.md` defines the graph form and its cycle-accurate meaning.

mod buffers;
mod bundle;
mod channels;
mod circuits;
mod fan_out;
mod graph;
mod imported_graphs;
mod inline;
mod live;
mod longest;
mod lower;
mod pending;
mod proof;
mod sharing;
mod simplify;
mod units;

pub use buffers::{
    Answer, Backs, Exactness, LinearProgram, LoopRuns, Placing, Room, Solve, Target,
    has_no_choices, mean_interval_cycles, place_buffers, place_buffers_exactly,
    place_buffers_for_rooms, tightest_path_share,
};
pub use circuits::{SIGNALS, circuits, surround};
pub use fan_out::materialise;
pub use imported_graphs::simplify_graphs;
pub use inline::inline_instances;
pub use lower::lower_to_handshake;
pub use pending::queue_stores;
pub use proof::{
    Iterated, Iterations, Lack, Verdict, Waiting, is_proved_by_structure, iterations, prove,
    prove_deadlock_freedom,
};
pub use sharing::share_units;
