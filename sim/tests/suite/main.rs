//! Tests of the simulators on files.

mod properties;
mod token_buffers;
mod token_cycles;
mod token_files;
mod token_forms;
mod token_values;
mod token_worklist;
