//! The `sluice` command: the only crate with input and output.
//!
//! A program of your own gets the whole command with its dialects and passes: [`run`] in its `main`.

mod clock;
mod commands;
mod companion;
mod faults;
mod files;
mod identity;
mod limiting;
mod models;
mod output;
mod pipes;
mod processes;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser};

use commands::Command;
use output::Done;
use sluice_dialects::irdl::DefinitionFile;
use sluice_dialects::registry::{More, extend};
use sluice_ir::definition::Dialect;
use sluice_ir::limits::{Limit, Limits, shortened};
use sluice_passes::OwnPass;

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

/// Returns the description of the command line.
fn command() -> clap::Command {
    Arguments::command()
}

/// Trial compilations create and drop many small modules, on every thread at once.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Dialects and passes in addition to those of Sluice.
#[derive(Default)]
pub struct Additions {
    /// Dialects. Files may use them in every command; operations with a meaning compile to circuits.
    pub dialects: Vec<&'static Dialect>,
    /// Passes for `opt`.
    pub passes: Vec<OwnPass>,
}

/// Runs the command that the arguments of the program name; the `main` of a program.
pub fn run(additions: Additions) -> ExitCode {
    let arguments = commands::from_mlir_spelling(std::env::args_os());
    let arguments = Arguments::parse_from(arguments);
    let limits = arguments.command.limiting().limits();
    clock::watch_memory(&limits);
    let n_threads = arguments.command.n_threads();
    let run = threads(n_threads, &limits).and_then(|stack_bytes| {
        let thread = std::thread::Builder::new().stack_size(stack_bytes);
        let limits = limits.clone();
        let run = thread.spawn(move || {
            add(additions, arguments.command.definitions(), &limits)?;
            arguments.command.run()
        });
        run.map_err(|why| output::input(format!("error: no thread: {why}")))
    });
    let outcome = run.and_then(|thread| {
        // The panic hook has printed the message.
        thread.join().unwrap_or_else(|_| Err(output::fault()))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let most_chars = limits.size(Limit::MessageChars);
            let lines = failure.message.lines();
            let lines: Vec<_> = lines.map(|line| shortened(line, most_chars)).collect();
            output::error(&lines.join("\n"));
            ExitCode::from(failure.code)
        }
    }
}

/// Adds dialects and passes to all that follows.
fn add(additions: Additions, definitions: &[PathBuf], limits: &Limits) -> Done<()> {
    let mut more = More {
        dialects: additions.dialects,
        definitions: Vec::new(),
    };
    for path in definitions {
        more.definitions.push(DefinitionFile {
            name: path.display().to_string(),
            source: output::read_bytes(path, limits)?,
        });
    }
    if !more.dialects.is_empty() || !more.definitions.is_empty() {
        extend(more).map_err(output::input)?;
    }
    if !additions.passes.is_empty() {
        sluice_passes::extend(additions.passes).map_err(output::input)?;
    }
    Ok(())
}

/// Creates the threads that run passes: as many as asked, otherwise one for each core, or fewer (with a note) if the system does
/// not allow as many. Returns the stack size of one more thread, in bytes.
fn threads(asked: Option<usize>, limits: &Limits) -> Done<usize> {
    let n_threads = limiting::n_threads(asked, limits)?;
    let stack_bytes = limiting::stack_bytes(n_threads + 1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .stack_size(stack_bytes)
        .build_global();
    pool.map_err(|why| output::input(format!("error: no thread: {why}")))?;
    Ok(stack_bytes)
}
