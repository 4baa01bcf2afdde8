//! libFuzzer target: arbitrary bytes as MLIR bytecode must give a result or an error; a result is printed and written again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::WriteOptions;

fuzz_target!(|data: &[u8]| {
    let mut options = Options {
        allow_unregistered: true,
        ..Options::default()
    };
    // The magic number is always present: inputs with a wrong one are rejected at once and test nothing.
    let mut file = b"ML\xefR".to_vec();
    file.extend_from_slice(data.strip_prefix(b"ML\xefR").unwrap_or(data));
    run(file.clone(), "fuzz", &options);
    options.bytecode = Some(WriteOptions::default());
    run(file, "fuzz", &options);
});
