//! libFuzzer target: arbitrary bytes as MLIR text must give a result or an error, in every output format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::WriteOptions;

fuzz_target!(|data: &[u8]| {
    let mut options = Options {
        allow_unregistered: true,
        ..Options::default()
    };
    // Bytecode has its own target.
    if data.starts_with(b"ML\xefR") {
        return;
    }
    run(data.to_vec(), "fuzz", &options);
    options.print.generic = true;
    options.print.locations = true;
    run(data.to_vec(), "fuzz", &options);
    options.bytecode = Some(WriteOptions::default());
    run(data.to_vec(), "fuzz", &options);
});
