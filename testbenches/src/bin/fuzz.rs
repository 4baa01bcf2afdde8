//! The command behind `testbenches/fuzz`: damaged text and bytecode, which must end in a result or an error.
//!
//! Inputs are the conformance cases, the examples and their bytecode, changed by a seeded generator: bytes flipped,
//! removed, repeated, tokens of one file put into another. What panics is written down.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use sluice_flow::opt::{Options, run};
use sluice_ir::bytecode::WriteOptions;

const USAGE: &str = "usage: testbenches/fuzz [--seconds N] [--seed S] [--bytecode] [--out DIR]
Feeds damaged text, or with --bytecode damaged bytecode, to parser, verifier and printers for N (60) seconds from seed S
(1) on. Inputs that panic are written to DIR (target/fuzz).";

/// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }
}

fn corpus(bytecode: bool) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [
        "ir/tests/conformance/cases",
        "ir/tests/text",
        "dialects/tests",
        "examples",
        "testbenches/tests/stages",
    ] {
        let mut todo = vec![root.join(folder)];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).expect("a readable folder");
                todo.extend(entries.map(|entry| entry.expect("a readable folder").path()));
            } else if path.extension().is_some_and(|e| e == "mlir") {
                files.push(path);
            }
        }
    }
    files.sort();
    let texts = files
        .iter()
        .map(|file| std::fs::read(file).expect("a readable file"));
    if !bytecode {
        return texts.collect();
    }
    let options = Options {
        allow_unregistered: true,
        bytecode: Some(WriteOptions::default()),
        ..Options::default()
    };
    texts
        .map(|text| run(text, "-", &options))
        .filter(|answer| !answer.failed)
        .map(|answer| answer.output)
        .collect()
}

/// One to eight changes of a file.
fn damaged(random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut data = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(8) {
        if data.is_empty() {
            break;
        }
        let at = random.below(data.len());
        let length = 1 + random.below(16).min(data.len() - at - 1);
        match random.below(7) {
            0 => data[at] ^= 1 << random.below(8),
            1 => data[at] = u8::try_from(random.below(256)).unwrap_or(0),
            2 => drop(data.drain(at..at + length)),
            3 => {
                let part = data[at..at + length].to_vec();
                let to = random.below(data.len());
                data.splice(to..to, part);
            }
            4 => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                let end = (from + 1 + random.below(40)).min(other.len());
                data.splice(at..at, other[from..end].iter().copied());
            }
            5 => {
                let to = random.below(data.len());
                data.swap(at, to);
            }
            _ => data.truncate(at),
        }
    }
    data
}

/// Reads, verifies and prints in both forms, and as bytecode.
fn try_all(data: &[u8], number: u64) {
    let mut options = Options {
        allow_unregistered: !number.is_multiple_of(3),
        ..Options::default()
    };
    options.print.generic = number.is_multiple_of(2);
    options.print.locations = number.is_multiple_of(5);
    options.bytecode = (number.is_multiple_of(4)).then(WriteOptions::default);
    run(data.to_vec(), "fuzz", &options);
}

fn fuzz(seconds: u64, seed: u64, bytecode: bool, out: &Path) -> Result<u64, String> {
    let corpus = corpus(bytecode);
    let start = Instant::now();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut count, mut faults, mut written) = (0u64, 0u64, 0u64);
    std::panic::set_hook(Box::new(|_| {}));
    while start.elapsed() < Duration::from_secs(seconds) {
        let data = damaged(&mut random, &corpus);
        count += 1;
        let before = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| try_all(&data, count)));
        let slow = before.elapsed() > Duration::from_secs(10);
        if let Err(panic) = result {
            faults += 1;
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            println!("panic: {}", message.unwrap_or_default());
        }
        if slow {
            faults += 1;
            println!("slow: {:?}", before.elapsed());
        }
        if faults > written {
            written = faults;
            std::fs::create_dir_all(out).map_err(|why| format!("{}: {why}", out.display()))?;
            let file = out.join(format!("{seed}-{count}"));
            std::fs::write(&file, &data).map_err(|why| format!("{}: {why}", file.display()))?;
            println!("  {}", file.display());
        }
        if faults >= 20 {
            break;
        }
    }
    println!("{count} inputs, {faults} faults");
    Ok(faults)
}

fn main() -> ExitCode {
    let (mut seconds, mut seed, mut bytecode) = (60, 1, false);
    let mut out = PathBuf::from("target/fuzz");
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let understood = match word.as_str() {
            "--seconds" => number().map(|n| seconds = n).is_some(),
            "--seed" => number().map(|n| seed = n).is_some(),
            "--bytecode" => {
                bytecode = true;
                true
            }
            "--out" => words.next().map(|folder| out = folder.into()).is_some(),
            _ => false,
        };
        if !understood {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    // Regions may nest as deep as the parser lets them.
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    let done = worker.spawn(move || fuzz(seconds, seed, bytecode, &out));
    match done.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(0))) => ExitCode::SUCCESS,
        Ok(Ok(Err(why))) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}
