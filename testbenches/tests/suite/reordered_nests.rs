//! Random imperfect nests whose statements get any legal order, faster or not: interpreter, cycle simulator and Verilator agree.

use std::fmt::Write as _;

use rayon::prelude::*;
use sluice_config::{Config, Reorder};
use sluice_flow::pipeline::compile_watched;
use sluice_kernel::compiled::Failure;
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::data::Random;

/// Number of nests in the gate, each with one order; a sweep multiplies it. Verilator simulates one nest of `VERILATED`.
const N_NESTS: u64 = 8;
const VERILATED: u64 = 8;

/// Rows and columns of the arrays.
const SIZE: u64 = 5;

/// Generates a nest: loops, and statements on two arrays at any depth.
struct Generator {
    random: Random,
    text: String,
    n_values: u64,
    n_statements: u64,
}

impl Generator {
    fn choose(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn value(&mut self) -> String {
        self.n_values += 1;
        format!("%t{}", self.n_values)
    }

    /// Returns an index that is in range: a counter or a constant.
    fn index(&mut self, counters: &[String]) -> String {
        let n = u64::try_from(counters.len()).expect("few loops");
        match self.choose(n + 1) {
            0 if n < 2 => (self.random.next_u64() % SIZE).to_string(),
            at => counters[usize::try_from(at % n).expect("few loops")].clone(),
        }
    }

    fn cell(&mut self, counters: &[String]) -> (String, &'static str) {
        let first = self.index(counters);
        if self.choose(3) == 0 {
            return (format!("%x[{first}]"), "memref<5xi8>");
        }
        let second = self.index(counters);
        (format!("%A[{first}, {second}]"), "memref<5x5xi8>")
    }

    fn statement(&mut self, counters: &[String]) {
        self.n_statements += 1;
        let pad = "  ".repeat(counters.len() + 1);
        let mut sum: Option<String> = None;
        let (target, ty) = self.cell(counters);
        for at in 0..1 + self.choose(3) {
            let loaded = self.value();
            let (cell, ty) = if at == 0 && self.choose(2) == 0 {
                (target.clone(), ty)
            } else {
                self.cell(counters)
            };
            let _ = writeln!(self.text, "{pad}{loaded} = affine.load {cell} : {ty}");
            sum = Some(match sum {
                None => loaded,
                Some(before) => {
                    let made = self.value();
                    let name = ["arith.muli", "arith.subi", "arith.xori"]
                        [usize::try_from(self.random.next_u64() % 3).expect("small")];
                    let _ = writeln!(self.text, "{pad}{made} = {name} {before}, {loaded} : i8");
                    made
                }
            });
        }
        let value = sum.expect("a statement loads something");
        let made = self.value();
        let _ = writeln!(self.text, "{pad}{made} = arith.addi {value}, %s : i8");
        let _ = writeln!(self.text, "{pad}affine.store {made}, {target} : {ty}");
    }

    /// Generates a loop-carried sum that is stored after the loop.
    fn sum(&mut self, counters: &mut Vec<String>) {
        let pad = "  ".repeat(counters.len() + 1);
        let (target, ty) = self.cell(counters);
        let (first, term, sum, next) = (self.value(), self.value(), self.value(), self.value());
        let _ = writeln!(self.text, "{pad}{first} = affine.load {target} : {ty}");
        let counter = format!("%c{}", counters.len());
        let range = self.range(counters);
        let _ = writeln!(
            self.text,
            "{pad}{sum} = affine.for {counter} = {range} iter_args({sum}_w = {first}) -> (i8) {{"
        );
        counters.push(counter);
        let (cell, cell_ty) = self.cell(counters);
        counters.pop();
        let _ = writeln!(self.text, "{pad}  {term} = affine.load {cell} : {cell_ty}");
        let _ = writeln!(self.text, "{pad}  {next} = arith.subi {sum}_w, {term} : i8");
        let _ = writeln!(self.text, "{pad}  affine.yield {next} : i8\n{pad}}}");
        let _ = writeln!(self.text, "{pad}affine.store {sum}, {target} : {ty}");
        self.n_statements += 1;
    }

    fn range(&mut self, counters: &[String]) -> String {
        let Some(n) = u64::try_from(counters.len()).ok().filter(|n| *n > 0) else {
            return format!("0 to {SIZE}");
        };
        let outer = counters[usize::try_from(self.choose(n)).expect("few loops")].clone();
        match self.choose(5) {
            0 => format!("0 to affine_map<(o) -> (o)>({outer})"),
            1 => format!("0 to affine_map<(o) -> (o + 1)>({outer})"),
            2 => format!("affine_map<(o) -> (o)>({outer}) to {SIZE}"),
            3 => format!("affine_map<(o) -> (o + 1)>({outer}) to {SIZE}"),
            _ => format!("{} to {SIZE}", self.random.next_u64() % 2),
        }
    }

    fn nest(&mut self, counters: &mut Vec<String>) {
        let pad = "  ".repeat(counters.len() + 1);
        let counter = format!("%c{}", counters.len());
        let range = self.range(counters);
        let _ = writeln!(self.text, "{pad}affine.for {counter} = {range} {{");
        counters.push(counter);
        let depth = counters.len();
        for at in 0..1 + self.choose(3) {
            match self.choose(4) {
                0 | 1 if depth < 3 && self.n_statements < 4 => self.nest(counters),
                2 if depth < 3 && self.n_statements < 4 => self.sum(counters),
                _ if at == 0 || self.n_statements < 4 => self.statement(counters),
                _ => {}
            }
        }
        counters.pop();
        let _ = writeln!(self.text, "{pad}}}");
    }
}

fn kernel(seed: u64) -> String {
    let name = format!("nest{seed}");
    let mut generator = Generator {
        random: Random::new(seed),
        text: format!("func.func @{name}(%A: memref<5x5xi8>, %x: memref<5xi8>, %s: i8) {{\n"),
        n_values: 0,
        n_statements: 0,
    };
    generator.nest(&mut Vec::new());
    generator.text + "  return\n}\n"
}

/// Compiles and simulates the nest of a seed in one legal order; also returns whether that differs from the original order.
fn check(seed: u64) -> Result<(Prepared, bool), String> {
    let source = kernel(seed);
    let attempt = |reorder: Reorder| {
        let config = Config {
            reorder,
            ..Config::default()
        };
        let mut form = String::new();
        let compiled = compile_watched(
            &source,
            "kernel.mlir",
            &config,
            &mut |name, module, context| {
                if name == "restructure" {
                    form = sluice_kernel::compiled::text(context, module);
                }
            },
        );
        let message = |failure: Failure| match failure {
            Failure::Input(why) | Failure::Internal(why) => format!("seed {seed}: {why}\n{source}"),
        };
        compiled.map(|compiled| (compiled, form)).map_err(message)
    };
    let number = seed.wrapping_mul(0x9e37_79b9) >> 3;
    let (_, plain) = attempt(Reorder::Never)?;
    let (compiled, moved) = attempt(Reorder::Legal(number))?;
    let (cases, expected) = run(&compiled, seed).map_err(|found| {
        let (kind, fact) = (found.kind, found.fact);
        format!("seed {seed}: {kind:?}: {fact}\n{moved}\n{source}")
    })?;
    let prepared = Prepared {
        compiled,
        cases,
        expected,
    };
    Ok((prepared, plain != moved))
}

#[test]
fn any_legal_order_means_the_same() {
    let n_nests = sweep::cases(N_NESTS);
    let results: Vec<_> = (0..n_nests)
        .into_par_iter()
        .map(|seed| {
            let keep = seed % VERILATED == 0;
            check(seed).map(|(prepared, moved)| (keep.then_some(prepared), moved))
        })
        .collect();
    let (mut wrong, mut prepared, mut n_moved) = (Vec::new(), Vec::new(), 0);
    for result in results {
        match result {
            Ok((kept, moved)) => {
                prepared.extend(kept);
                n_moved += u64::from(moved);
            }
            Err(why) => wrong.push(why),
        }
    }
    if verilator::available_or_excused() {
        let all: Vec<&Prepared> = prepared.iter().collect();
        let findings = verilator::check(&all).expect("the kernels share a model");
        for found in findings.into_iter().flatten() {
            wrong.push(format!("Verilator: {:?}: {}", found.kind, found.fact));
        }
    }
    println!("{n_moved} of {n_nests} nests have another order");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        n_moved * 5 > n_nests,
        "many nests have another order: {n_moved} of {n_nests}"
    );
}
