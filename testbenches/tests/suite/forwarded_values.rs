//! Random loops in which a loop-carried value goes through a memory read. Such a value is passed on without a register if that
//! reduces the II, and the results stay the same.
//!
//! `SLUICE_FORWARDED=N` runs `N` programs.

use std::fmt::Write as _;

use sluice_config::{Config, Style};
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Failure, text};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::data::Random;

/// Programs of the gate, and how many of them go through Verilator.
const N_PROGRAMS: u64 = 8;
const N_OUTSIDE: usize = 4;

const OPERATIONS: &[&str] = &["addi", "subi", "xori", "andi", "ori", "muli"];

/// Devices with clock periods in ns at which every operation fits.
const CLOCKS: &[(&str, f64)] = &[
    ("generic", 4.0),
    ("generic", 5.0),
    ("generic", 8.0),
    ("xilinx7", 8.0),
    ("ecp5", 12.0),
    ("ecp5", 20.0),
];

struct Writer {
    random: Random,
    lines: Vec<String>,
}

impl Writer {
    fn choose(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("small");
        usize::try_from(self.random.next_u64() % n).expect("small")
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.choose(all.len())]
    }

    /// Returns a new value: an operation on two known ones.
    fn operation(&mut self, known: &mut Vec<String>) -> String {
        let name = format!("%v{}", self.lines.len());
        let any = |writer: &mut Self| known[writer.choose(known.len())].clone();
        let (left, right) = (any(self), any(self));
        let line = match self.choose(5) {
            0 => {
                let is = format!("%is{}", self.lines.len());
                let predicate = self.of(&["slt", "ule", "eq"]);
                self.lines.push(format!(
                    "{is} = arith.cmpi {predicate}, {left}, {right} : i8"
                ));
                format!("{name} = arith.select {is}, {left}, {right} : i8")
            }
            _ => {
                let operation = self.of(OPERATIONS);
                format!("{name} = arith.{operation} {left}, {right} : i8")
            }
        };
        self.lines.push(line);
        known.push(name.clone());
        name
    }
}

/// Returns a program with one to three loop-carried values; each iteration reads a table at an address computed from them.
fn program(seed: u64) -> (String, Config) {
    let mut writer = Writer {
        random: Random::new(seed ^ 0x00f0_4a2d),
        lines: Vec::new(),
    };
    let n_states = 1 + writer.choose(3);
    let is_while = writer.choose(3) == 0;
    let mut known: Vec<String> = (0..n_states).map(|n| format!("%s{n}")).collect();
    known.push("%k".to_owned());
    let mut address = known[writer.choose(n_states)].clone();
    if writer.choose(2) == 0 {
        address = writer.operation(&mut known);
    }
    let lines = &mut writer.lines;
    lines.push(format!("%at = arith.index_castui {address} : i8 to index"));
    lines.push("%read = memref.load %table[%at] : memref<256xi8>".to_owned());
    known.push("%read".to_owned());
    if writer.choose(3) == 0 {
        let guard = writer.operation(&mut known);
        let lines = &mut writer.lines;
        lines.push(format!("%is = arith.cmpi slt, {guard}, %k : i8"));
        lines.push(format!(
            "scf.if %is {{ memref.store {guard}, %out[%at] : memref<256xi8> }}"
        ));
    }
    let mut next = Vec::new();
    for n in 0..n_states {
        let value = format!("%next{n}");
        let other = known[writer.choose(known.len())].clone();
        let made = if n == 0 || writer.choose(2) == 0 {
            "%read".to_owned()
        } else {
            writer.operation(&mut known)
        };
        let operation = writer.of(&OPERATIONS[..3]);
        writer
            .lines
            .push(format!("{value} = arith.{operation} {made}, {other} : i8"));
        next.push(value);
    }
    let initial: Vec<&str> = (0..n_states)
        .map(|_| writer.of(&["%first", "%zero", "%seven"]))
        .collect();
    let types = vec!["i8"; n_states].join(", ");
    let pairs = |left: &str, right: &[&str]| {
        let all = right.iter().enumerate();
        let all = all.map(|(n, value)| format!("%{left}{n} = {value}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let states: Vec<String> = (0..n_states).map(|n| format!("%s{n}")).collect();
    let body = writer.lines.join("\n");
    let mut source = format!(
        "func.func @round{seed}(%table: memref<256xi8>, %out: memref<256xi8>, %first: i8) -> ({types}) {{
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c40 = arith.constant 40 : index
%zero = arith.constant 0 : i8
%one = arith.constant 1 : i8
%seven = arith.constant 7 : i8
%forty = arith.constant 40 : i8
"
    );
    let results = match is_while {
        true => {
            let declared: Vec<String> = states.iter().map(|s| format!("{s}: i8")).collect();
            write!(
                source,
                "%r:{all} = scf.while ({carried}, %n = %zero) : ({types}, i8) -> ({types}, i8) {{
%again = arith.cmpi ult, %n, %forty : i8
scf.condition(%again) {states}, %n : {types}, i8
}} do {{
^bb0({declared}, %k: i8):
{body}
%more = arith.addi %k, %one : i8
scf.yield {next}, %more : {types}, i8
}}
",
                all = n_states + 1,
                carried = pairs("s", &initial),
                states = states.join(", "),
                declared = declared.join(", "),
                next = next.join(", "),
            )
        }
        false => write!(
            source,
            "%r:{n_states} = scf.for %i = %c0 to %c40 step %c1 iter_args({carried}) -> ({types}) {{
%k = arith.index_cast %i : index to i8
{body}
scf.yield {next} : {types}
}}
",
            carried = pairs("s", &initial),
            next = next.join(", "),
        ),
    };
    results.expect("strings grow");
    let results: Vec<String> = (0..n_states).map(|n| format!("%r#{n}")).collect();
    let results = results.join(", ");
    writeln!(source, "return {results} : {types}\n}}").expect("strings grow");
    let (device, period_ns) = writer.of(CLOCKS);
    let config = Config {
        style: Style::Static,
        clock_period_ns: Some(period_ns),
        device: device.to_owned(),
        ..Config::default()
    };
    (source, config)
}

#[test]
fn values_without_a_register_between_iterations_mean_the_same() {
    let n_programs = sweep::cases(N_PROGRAMS);
    let (mut ready, mut seeds, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let mut n_forwarded = 0;
    for seed in 1..=n_programs {
        let (source, config) = program(seed);
        let compiled = match compile(&source, "round.mlir", &config) {
            Ok(compiled) => compiled,
            Err(Failure::Input(why) | Failure::Internal(why)) => {
                wrong.push(format!("seed {seed}: {why}\n{config:?}\n{source}"));
                continue;
            }
        };
        // With a register between the read and the computation, they would take two cycles.
        let scheduled = text(&compiled.context, &compiled.scheduled);
        n_forwarded += usize::from(scheduled.contains("sluice.ii = 1 : i64"));
        match run(&compiled, seed) {
            Ok((cases, expected)) => {
                seeds.push(format!("seed {seed}"));
                ready.push(Prepared {
                    compiled,
                    cases,
                    expected,
                });
            }
            Err(found) => wrong.push(format!(
                "seed {seed}: {:?}: {}\n{config:?}\n{source}",
                found.kind, found.fact
            )),
        }
    }
    wrong.extend(verilator::wrong(&seeds, &ready, N_OUTSIDE));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        n_forwarded * 3 >= ready.len(),
        "values are forwarded in many programs: {n_forwarded} of {}",
        ready.len()
    );
}
