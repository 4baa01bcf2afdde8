//! The `sluice` command: the only room with input and output.

mod commands;
mod output;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

/// MLIR kernels to verified Verilog.
///
/// Exit codes: 0 done, 1 the input is wrong or a check failed, 2 usage, 70 a fault of Sluice.
#[derive(Parser)]
#[command(
    name = "sluice",
    version,
    about,
    long_about,
    disable_help_subcommand = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}
