//! The `sluice` command: the only room with input and output.

mod commands;
mod companion;
mod faults;
mod models;
mod output;
mod tools;

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

/// Trials make and drop many small modules, on every thread at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack of every thread in bytes: what is nested deeply is walked by recursion.
pub(crate) const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let arguments = commands::from_mlir_spelling(std::env::args_os());
    let arguments = Arguments::parse_from(arguments);
    // Passes run in threads of this pool; one that cannot be had leaves the default.
    let _ = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .build_global();
    let run = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || arguments.command.run());
    let outcome = match run.map(std::thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        // The panic has written its message.
        Ok(Err(_)) => Err(output::fault()),
        Err(why) => Err(output::input(format!("error: no thread: {why}"))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}
