//! The `sluice` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    sluice_cli::run(sluice_cli::Additions::default())
}
