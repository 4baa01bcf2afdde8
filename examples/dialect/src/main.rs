//! `sluice` with the dialect `fixed`: every command reads it, `opt` has its passes, and its operations become circuits.

use std::process::ExitCode;

fn main() -> ExitCode {
    sluice_cli::run(sluice_cli::Additions {
        dialects: vec![&fixed_dialect::DIALECT],
        passes: fixed_dialect::passes::all(),
    })
}
