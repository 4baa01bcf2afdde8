//! Verification by simulation: runs kernels and circuits on data and compares the results; data files, stimulus, assertions,
//! coverage.

pub mod assertions;
pub mod check;
pub mod circuit;
pub mod coverage;
pub mod data;
mod data_file;
mod data_words;
mod deadlock;
pub mod drawing;
pub mod exercise;
mod float_words;
mod memory_files;
mod parameters;
mod smaller_arrays;
pub mod stage_arguments;
pub mod stimulus;
mod stimulus_file;
pub mod stimulus_random;
pub mod stimulus_streams;
mod stimulus_streams_file;
