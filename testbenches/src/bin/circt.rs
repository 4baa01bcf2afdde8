//! The program of `testbenches/circt_examples`: runs CIRCT's modules of hw, comb and seq and graphs of handshake on the cycle
//! simulator and under Verilator.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sluice_testbenches::circt_examples::{examples, reason, subject};
use sluice_testbenches::module_check::{Prepared, compare, complaints, prepare, simulated};
use sluice_testbenches::verilator;

const USAGE: &str = "usage: testbenches/circt_examples CHECKOUT [--cycles N] [--no-verilator]
Runs every hw.module of CIRCT's tests of hw, comb, seq and arc, and of arcilator's, and the circuit of every handshake.func of its tests of
handshake, with random inputs for N cycles (200), and compares with Verilator.";

/// Folders of a CIRCT checkout with such modules.
const FOLDERS: [&str; 10] = [
    "test/Dialect/HW",
    "test/Dialect/Comb",
    "test/Dialect/Seq",
    "test/Dialect/Arc",
    "test/arcilator",
    "integration_test/arcilator",
    "integration_test/Dialect/Seq",
    "test/Dialect/Handshake",
    "test/Conversion/HandshakeToHW",
    "integration_test/Dialect/Handshake",
];

/// Modules in one Verilator model.
const BATCH: usize = 300;

/// The counts of results for the modules of a folder.
#[derive(Default)]
struct Row {
    n_files: usize,
    n_modules: usize,
    n_simulated: usize,
    n_written: usize,
    n_equal: usize,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            found.push(path);
        }
    }
}

fn main() -> ExitCode {
    let mut checkout = None;
    let (mut n_cycles, mut with_verilator) = (200, true);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cycles" => match arguments.next().and_then(|text| text.parse().ok()) {
                Some(n) => n_cycles = n,
                None => return usage(),
            },
            "--no-verilator" => with_verilator = false,
            _ if checkout.is_none() && !argument.starts_with('-') => {
                checkout = Some(PathBuf::from(argument));
            }
            _ => return usage(),
        }
    }
    let Some(checkout) = checkout else {
        return usage();
    };
    if with_verilator && !verilator::available() {
        eprintln!("error: Verilator is missing: install `verilator`, or add --no-verilator");
        return ExitCode::from(1);
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut prepared, mut n_wrong) = (Vec::new(), 0);
    for folder in FOLDERS {
        let mut row = Row::default();
        let mut paths = Vec::new();
        files(&checkout.join(folder), &mut paths);
        for path in paths {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            let name = path
                .strip_prefix(&checkout)
                .unwrap_or(&path)
                .display()
                .to_string();
            let (found, wrong) = examples(&text);
            n_wrong += wrong;
            row.n_files += usize::from(!found.is_empty());
            for example in found {
                row.n_modules += 1;
                let place = format!("{name} @{}", example.top);
                let made = subject(&example, &name).and_then(|subject| {
                    simulated(
                        &subject,
                        sluice_verify::circuit::Backend::Bytecode,
                        n_cycles,
                    )?;
                    row.n_simulated += 1;
                    prepare(&subject, n_cycles)
                });
                match made {
                    Ok(module) => {
                        row.n_written += 1;
                        prepared.push((rows.len(), place, module));
                    }
                    Err(why) => refused.entry(reason(&why)).or_default().push(place),
                }
            }
        }
        rows.push(row);
    }
    let mut differ = Vec::new();
    if with_verilator {
        let all: Vec<&Prepared> = prepared.iter().map(|(_, _, module)| module).collect();
        let mut sound = Vec::new();
        for (found, one) in complaints(&all).into_iter().zip(&prepared) {
            match found {
                None => sound.push(one),
                Some(what) => differ.push(format!("{}: {what}", one.1)),
            }
        }
        for batch in sound.chunks(BATCH) {
            let modules: Vec<&Prepared> = batch.iter().map(|(_, _, module)| module).collect();
            let found = match compare(&modules, n_cycles) {
                Ok(found) => found,
                Err(why) => vec![Some(why); modules.len()],
            };
            for ((row, place, _), found) in batch.iter().zip(found) {
                match found {
                    None => rows[*row].n_equal += 1,
                    Some(what) => differ.push(format!("{place}: {what}")),
                }
            }
        }
    }
    print_table(&rows);
    println!("\nmodules that are meant to be refused, left out: {n_wrong}\n");
    let mut reasons: Vec<_> = refused.into_iter().collect();
    reasons.sort_by_key(|(_, places)| usize::MAX - places.len());
    for (why, places) in reasons {
        println!("{:4}  {why}  ({})", places.len(), places[0]);
    }
    for what in &differ {
        println!("differs: {what}");
    }
    ExitCode::from(u8::from(!differ.is_empty()))
}

fn print_table(rows: &[Row]) {
    println!("| folder | files | modules | simulated | written as Verilog | equal |");
    println!("|---|---|---|---|---|---|");
    let mut total = Row::default();
    for (folder, row) in FOLDERS.iter().zip(rows) {
        print_row(folder, row);
        total.n_files += row.n_files;
        total.n_modules += row.n_modules;
        total.n_simulated += row.n_simulated;
        total.n_written += row.n_written;
        total.n_equal += row.n_equal;
    }
    print_row("all", &total);
}

fn print_row(folder: &str, row: &Row) {
    println!(
        "| {folder} | {} | {} | {} | {} | {} |",
        row.n_files, row.n_modules, row.n_simulated, row.n_written, row.n_equal
    );
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}
