//! The stages and the whole, against expected texts and against one another.
//!
//! One program for all of them: each test program holds the whole compiler.

mod architecture;
mod calibrated_dividers;
mod choices;
mod circuits;
mod control_flow;
mod counted_loops;
mod divided_nests;
mod dividers;
mod division;
mod elastic_circuits;
mod elastic_graphs;
mod elastic_memories;
mod elastic_proofs;
mod elastic_random;
mod elastic_starts;
mod elastic_verilog;
mod equal_nets;
mod exact_buffers;
mod examples_agree_with_oracle;
mod examples_end_to_end;
mod exchange;
mod flattening;
mod forwarded_values;
mod given_graphs;
mod latency_formulas;
mod lifted_blocks;
mod mutations;
mod powers;
mod predicted_loops;
mod random_circuits;
mod random_programs;
mod regions;
mod regressions;
mod reordered_nests;
mod reused_values;
mod same_bytes;
mod spared_room;
mod split_extremes;
mod stages;
mod storage;
mod stream_kernels;
mod timing_closure;
mod unit_limits;
mod wide_operations;
