//! Any bytes as MLIR bytecode: a result or an error, printed and written again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::WriteOptions;

fuzz_target!(|data: &[u8]| {
    let mut options = Options {
        allow_unregistered: true,
        ..Options::default()
    };
    // Damage to the magic number alone is not worth the time.
    let mut file = b"ML\xefR".to_vec();
    file.extend_from_slice(data.strip_prefix(b"ML\xefR").unwrap_or(data));
    run(file.clone(), "fuzz", &options);
    options.bytecode = Some(WriteOptions::default());
    run(file, "fuzz", &options);
});
