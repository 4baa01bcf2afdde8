//! The program of `testbenches/circuits`: runs random circuits on both backends of the cycle simulator and under Verilator.

use std::process::ExitCode;

use sluice_testbenches::circuit_check::{batch, check};
use sluice_testbenches::verilator;

const USAGE: &str = "usage: testbenches/circuits [--count N] [--seed S] [--cycles C] [--no-verilator] [--print]
Runs N random circuits (500), from seed S (1) on, for C cycles (1000) on bytecode, machine code and Verilator, and compares the state
after every cycle. `--print` prints the circuit of seed S instead.";

/// Circuits in one Verilator model.
const BATCH: u64 = 25;

fn main() -> ExitCode {
    let (mut count, mut seed, mut cycles) = (500, 1, 1000);
    let (mut with_verilator, mut print) = (true, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        let fits = match argument.as_str() {
            "--count" => number().map(|n| count = n),
            "--seed" => number().map(|n| seed = n),
            "--cycles" => number().map(|n| cycles = n),
            "--no-verilator" => {
                with_verilator = false;
                Some(())
            }
            "--print" => {
                print = true;
                Some(())
            }
            _ => None,
        };
        if fits.is_none() {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    if print {
        print!("{}", batch(seed, 1));
        return ExitCode::SUCCESS;
    }
    if with_verilator && !verilator::available() {
        eprintln!("error: Verilator is missing: install `verilator`, or add --no-verilator");
        return ExitCode::from(1);
    }
    let (mut faults, mut in_doubt) = (0, Vec::new());
    for first in (seed..seed + count).step_by(BATCH as usize) {
        let n = BATCH.min(seed + count - first);
        match check(first, n, cycles, with_verilator) {
            Ok(found) => {
                in_doubt.extend(found.in_doubt);
                if let Some(fault) = found.fault {
                    faults += 1;
                    println!("fault: {fault}");
                }
            }
            Err(why) => {
                faults += 1;
                println!("fault: seeds {first} to {}: {why}", first + n - 1);
            }
        }
    }
    if !in_doubt.is_empty() {
        let n = in_doubt.len();
        println!(
            "Verilator differs from itself, with fewer of its optimisations, for {n}: seeds {in_doubt:?}"
        );
    }
    println!("{count} circuits for {cycles} cycles, faults: {faults}");
    ExitCode::from(u8::from(faults > 0))
}
