//! The program of `testbenches/bounds`: runs random loops with bounds near powers of two on all engines.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sluice_testbenches::random_bounds::{Engines, Kernel, Report, run};
use sluice_testbenches::random_check::keep_panics;

const USAGE: &str = "usage: testbenches/bounds [--count N] [--seed S] [--threads T] [--verilator EVERY] [--no-oracle] [--print]
Runs N random loops (1000) with bounds near powers of two, from seed S (1) on, through interpreter, cycle simulator in every style and
mlir-cpu-runner, and every EVERY-th (0: none) through Verilator. `--print` prints the kernel of seed S instead.";

/// Kernels that are run together in one call of each external tool.
const BATCH: u64 = 100;

struct Options {
    count: u64,
    seed: u64,
    threads: u64,
    engines: Engines,
    print: bool,
}

fn options() -> Option<Options> {
    let mut options = Options {
        count: 1000,
        seed: 1,
        threads: 2,
        engines: Engines {
            verilator: 0,
            oracle: true,
        },
        print: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next()?.parse::<u64>().ok();
        match argument.as_str() {
            "--count" => options.count = number()?,
            "--seed" => options.seed = number()?,
            "--threads" => options.threads = number()?.max(1),
            "--verilator" => options.engines.verilator = number()?,
            "--no-oracle" => options.engines.oracle = false,
            "--print" => options.print = true,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if options.print {
        let kernel = Kernel::new(options.seed);
        print!("{}", kernel.text());
        println!("// arguments: {:?}", kernel.data());
        return ExitCode::SUCCESS;
    }
    keep_panics();
    let next = AtomicU64::new(options.seed);
    let end = options.seed.saturating_add(options.count);
    let report = Mutex::new(Report::default());
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= end {
                        break;
                    }
                    let found = run(first..end.min(first + BATCH), options.engines);
                    for (seed, why) in &found.wrong {
                        println!("seed {seed}: {why}");
                    }
                    report.lock().expect("no thread fails with it").add(found);
                }
            });
        }
    });
    let report = report.into_inner().expect("no thread fails with it");
    println!(
        "{} kernels compared, {} do not end; {} circuits simulated, {} run by mlir-cpu-runner, {} by Verilator: {} faults",
        report.n_compared,
        report.n_endless,
        report.n_simulated,
        report.n_oracle,
        report.n_verilated,
        report.wrong.len()
    );
    match report.wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
