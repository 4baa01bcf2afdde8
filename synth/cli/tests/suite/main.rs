//! Tests of the command line as its user sees it.
//!
//! All tests are one program, because each test program links the whole compiler.

mod array_sizes;
mod assertions;
mod book;
mod calibrate;
mod circuits;
mod commands;
mod corner_circuits;
mod cosim;
mod data_forms;
mod deadlocks;
mod designs;
mod device_files;
mod explore;
mod explore_slurm;
mod folders;
mod junit;
mod limits;
mod lsp;
mod models;
mod names;
mod opt;
mod outputs;
mod pages;
mod questions;
mod sabotaged_suites;
mod schedule;
mod sequences;
mod waves;
