//! Tests of the stages and of the whole compiler, against expected texts and against other engines.
//!
//! All tests are in one program, because each test program contains the whole compiler.

mod architecture;
mod calibrated_dividers;
mod choices;
mod circuits;
mod control_flow;
mod corner_circuits;
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
mod exact_arithmetic;
mod exact_buffers;
mod examples_agree_with_oracle;
mod examples_end_to_end;
mod exchange;
mod flattening;
mod forwarded_values;
mod import_cycles;
mod imported_graphs;
mod kernel_path;
mod latency_formulas;
mod lifted_blocks;
mod memory_effects;
mod memory_passes;
mod mutations;
mod omitted_buffers;
mod plain_words;
mod powers;
mod predicted_loops;
mod products;
mod random_bounds;
mod random_circuits;
mod random_floats;
mod random_programs;
mod regions;
mod regressions;
mod reordered_nests;
mod reused_values;
mod rotated_banks;
mod same_bytes;
mod split_extremes;
mod split_values;
mod stages;
mod storage;
mod strangers;
mod stream_kernels;
mod stream_limits;
mod tensors;
mod timing_closure;
mod unit_limits;
mod wide_operations;

/// The allocator of `sluice`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
