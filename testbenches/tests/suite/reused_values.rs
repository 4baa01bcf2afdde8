//! Random stencils with data reuse: interpreter, cycle simulator and Verilator agree, and the cycles are as predicted.
//!
//! Half of the programs are searched for what can be kept, the others have windows and copies by directive, which are refused where
//! they cannot hold. `testbenches/sweep` runs more programs.

use std::fmt::Write as _;

use sluice_config::{Config, ReuseChoice};
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Failure, text};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::data::Random;

/// Programs of the gate, and how many of them go through Verilator.
const N_PROGRAMS: u64 = 20;
const N_OUTSIDE: usize = 6;

/// Rows of the arrays; the analysis of reuse does not run all iterations of long loops.
const ROWS: [usize; 2] = [6, 45];
const COLUMNS: usize = 7;
const MEMORIES: [&str; 3] = ["%a", "%b", "%l"];

struct Writer {
    random: Random,
    text: String,
    n_values: usize,
    is_forced: bool,
    /// Whether a load already reads copy 0.
    has_copy: bool,
    ty: String,
    rows: usize,
}

impl Writer {
    fn choose(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("small");
        usize::try_from(self.random.next_u64() % n).expect("small")
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.choose(n) == 0
    }

    fn value(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Returns a subscript: a counter plus a small number, or mirrored.
    fn subscript(&mut self, counter: &str, size: usize) -> String {
        let value = self.value();
        match self.choose(7) {
            0 => {
                let _ = writeln!(
                    self.text,
                    "{value} = arith.subi %c{}, {counter} : index",
                    size - 1
                );
                value
            }
            1 | 2 => {
                self.line(&format!("{value} = arith.addi {counter}, %c1 : index"));
                value
            }
            3 | 4 => {
                self.line(&format!("{value} = arith.subi {counter}, %c1 : index"));
                value
            }
            _ => counter.to_owned(),
        }
    }

    fn cell(&mut self) -> (&'static str, String) {
        let memory = MEMORIES[self.choose(MEMORIES.len())];
        let i = self.subscript("%i", self.rows);
        let j = self.subscript("%j", COLUMNS);
        (memory, format!("[{i}, {j}]"))
    }

    /// Writes two loops with reads of neighbours, sums of them, and stores, one of them sometimes under a condition.
    fn nest(&mut self) {
        let (ty, element) = (
            format!("memref<{}x{COLUMNS}x{}>", self.rows, self.ty),
            self.ty.clone(),
        );
        let last = if self.once_in(4) && self.rows < COLUMNS {
            "%i1"
        } else {
            "%c6"
        };
        let end = self.rows - 1;
        self.line(&format!("scf.for %i = %c1 to %c{end} step %c1 {{"));
        self.line("%i1 = arith.addi %i, %c1 : index");
        self.line(&format!("scf.for %j = %c1 to {last} step %c1 {{"));
        let one = self.cell().0;
        let mut values = Vec::new();
        for _ in 0..2 + self.choose(4) {
            let (other, at) = self.cell();
            let memory = if self.once_in(3) { other } else { one };
            let value = self.value();
            let copied = self.is_forced && !self.has_copy && self.once_in(3);
            self.has_copy |= copied;
            let directive = if copied {
                " {sluice.copy = 0 : i64}"
            } else {
                ""
            };
            self.line(&format!(
                "{value} = memref.load {memory}{at}{directive} : {ty}"
            ));
            values.push(value);
        }
        let mut sum = values[0].clone();
        for other in &values[1..] {
            let value = self.value();
            let operation = ["addi", "subi", "xori", "muli"][self.choose(4)];
            self.line(&format!(
                "{value} = arith.{operation} {sum}, {other} : {element}"
            ));
            sum = value;
        }
        for _ in 0..1 + self.choose(2) {
            let (memory, at) = self.cell();
            let store = format!("memref.store {sum}, {memory}{at} : {ty}");
            if self.once_in(4) {
                let condition = self.value();
                let other = values[self.choose(values.len())].clone();
                self.line(&format!(
                    "{condition} = arith.cmpi slt, {sum}, {other} : {element}"
                ));
                self.line(&format!("scf.if {condition} {{\n{store}\n}}"));
            } else {
                self.line(&store);
            }
        }
        let window = if self.is_forced && self.once_in(2) {
            [" {sluice.window = \"all\"}", " {sluice.window = \"loads\"}"][self.choose(2)]
        } else {
            ""
        };
        self.line(&format!("}}{window}"));
        self.line("}");
    }
}

fn program(seed: u64) -> (String, Config) {
    let mut random = Random::new(seed ^ 0x57e9_c115);
    let width = 1 + random.next_u64() % 12;
    let is_forced = seed % 2 == 1;
    let rows = ROWS[usize::from(seed % 8 >= 5)];
    let mut writer = Writer {
        random,
        text: String::new(),
        n_values: 0,
        is_forced,
        has_copy: false,
        ty: format!("i{width}"),
        rows,
    };
    let ty = format!("memref<{rows}x{COLUMNS}xi{width}>");
    writer.line(&format!("func.func @stencil{seed}(%a: {ty}, %b: {ty}) {{"));
    let constants: std::collections::BTreeSet<usize> = (0..=7).chain([rows - 1, rows]).collect();
    for n in constants {
        writer.line(&format!("%c{n} = arith.constant {n} : index"));
    }
    writer.line(&format!("%l = memref.alloca() : {ty}"));
    writer.line(&format!(
        "scf.for %i = %c0 to %c{rows} step %c1 {{\nscf.for %j = %c0 to %c7 step %c1 {{"
    ));
    writer.line(&format!("%x = memref.load %a[%i, %j] : {ty}"));
    writer.line(&format!("memref.store %x, %l[%i, %j] : {ty}\n}}\n}}"));
    let repeats = writer.once_in(2);
    if repeats {
        writer.line("scf.for %t = %c0 to %c2 step %c1 {");
    }
    for _ in 0..1 + writer.choose(2) {
        writer.nest();
    }
    let fill = [
        "",
        " {sluice.fill = array<i64: 0>}",
        " {sluice.fill_whole = array<i64: 0>}",
    ][writer.choose(3)];
    if repeats {
        let fill = if is_forced { fill } else { "" };
        writer.line(&format!("}}{fill}"));
    }
    writer.line("return\n}");
    let mut config = Config::default();
    config.reuse.choice = if is_forced {
        ReuseChoice::Off
    } else {
        ReuseChoice::Always
    };
    config.reuse.most_bits = Some(64 << writer.choose(8));
    (writer.text, config)
}

#[test]
fn kept_values_are_those_of_the_memories() {
    let n_programs = sweep::cases(N_PROGRAMS);
    let (mut ready, mut seeds, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let (mut n_kept, mut n_refused) = (0, 0);
    for seed in 1..=n_programs {
        let (source, config) = program(seed);
        let compiled = match compile(&source, "stencil.mlir", &config) {
            Ok(compiled) => compiled,
            Err(Failure::Input(why))
                if why.contains("cannot be read from a copy")
                    || why.contains("no load of this loop") =>
            {
                n_refused += 1;
                continue;
            }
            Err(Failure::Input(why) | Failure::Internal(why)) => {
                wrong.push(format!("seed {seed}: {why}\n{source}"));
                continue;
            }
        };
        let scheduled = text(&compiled.context, &compiled.scheduled);
        n_kept += usize::from(scheduled.contains("_copy") || scheduled.contains("window_of"));
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
                "seed {seed}: {:?}: {}\n{source}",
                found.kind, found.fact
            )),
        }
    }
    let is_sweep = sweep::factor() > 1;
    let most = if is_sweep { ready.len() } else { N_OUTSIDE };
    wrong.extend(verilator::wrong(&seeds, &ready, most));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        n_kept * 4 >= ready.len(),
        "values are kept in many programs: {n_kept} of {}, {n_refused} refused",
        ready.len()
    );
    if is_sweep {
        println!(
            "{} programs agree, values are kept in {n_kept}, {n_refused} refused",
            ready.len()
        );
    }
}
