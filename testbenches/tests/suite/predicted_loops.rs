//! Random `while` loops whose index advances by data-dependent steps. Iterations at every value of the index give the results of
//! the loop, in a static schedule and in an elastic circuit, with and without speculative iterations.
//!
//! `SLUICE_PREDICTED=N` runs `N` programs.

use sluice_config::{Config, Speculate, Style, Use};
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::{Failure, text};
use sluice_testbenches::random_check::{Prepared, run};
use sluice_testbenches::{sweep, verilator};
use sluice_verify::data::Random;

/// Programs of the gate, and how many of them go through Verilator.
const N_PROGRAMS: u64 = 8;
const N_OUTSIDE: usize = 5;

struct Writer {
    random: Random,
    lines: Vec<String>,
    ty: String,
}

impl Writer {
    fn choose(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("small");
        usize::try_from(self.random.next_u64() % n).expect("small")
    }

    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Defines an `index` subscript below 64, from a value of the loop's type that is below 64, or from a byte.
    fn place(&mut self, name: &str, from: &str, is_byte: bool) {
        let ty = if is_byte {
            "i8".to_owned()
        } else {
            self.ty.clone()
        };
        if is_byte {
            self.line(format!("%{name}_m = arith.andi {from}, %c63_i8 : i8"));
            self.line(format!(
                "%{name} = arith.index_castui %{name}_m : i8 to index"
            ));
        } else {
            self.line(format!(
                "%{name} = arith.index_castui {from} : {ty} to index"
            ));
        }
    }

    /// Writes the reads at the index, the condition of the step, and the stores.
    fn body(&mut self, is_even: bool) {
        let ty = self.ty.clone();
        self.place("here", "%i", false);
        self.line("%x = memref.load %a[%here] : memref<64xi8>".to_owned());
        let read = match self.choose(4) {
            0 => {
                // An indirect read; it also happens in iterations that are skipped.
                self.place("via", "%x", true);
                self.line("%y = memref.load %a[%via] : memref<64xi8>".to_owned());
                "%y"
            }
            1 if is_even => {
                // Out of bounds if the index is odd, which never happens.
                self.line(format!("%odd = arith.andi %i, %one : {ty}"));
                self.line(format!("%far = arith.muli %odd, %hundred : {ty}"));
                self.line(format!("%away = arith.addi %far, %i : {ty}"));
                self.place("there", "%away", false);
                self.line("%y = memref.load %a[%there] : memref<64xi8>".to_owned());
                "%y"
            }
            2 => {
                self.line("%y = memref.load %b[%here] : memref<64xi8>".to_owned());
                "%y"
            }
            _ => "%x",
        };
        self.line(format!("%more = arith.addi %s, {read} : i8"));
        self.line(format!("%is = arith.cmpi slt, {read}, %s : i8"));
        let steps: [i64; 2] = match (is_even, self.choose(3)) {
            (true, _) => [2, 4],
            (false, 0) => [1, 2],
            (false, 1) => [3, 1],
            (false, _) => [4, 3],
        };
        self.line(format!("%big = arith.constant {} : {ty}", steps[0]));
        self.line(format!("%small = arith.constant {} : {ty}", steps[1]));
        match self.choose(3) {
            0 => {
                self.line(format!("%step = arith.select %is, %big, %small : {ty}"));
                self.line(format!("%next = arith.addi %step, %i : {ty}"));
            }
            1 => {
                self.line(format!("%if_big = arith.addi %i, %big : {ty}"));
                self.line(format!("%if_small = arith.addi %i, %small : {ty}"));
                self.line(format!(
                    "%next = arith.select %is, %if_big, %if_small : {ty}"
                ));
            }
            _ => {
                self.line(format!("%next = scf.if %is -> ({ty}) {{"));
                self.line(format!("%if_big = arith.addi %i, %big : {ty}"));
                self.line(format!("scf.yield %if_big : {ty} }} else {{"));
                self.line(format!("%if_small = arith.addi %i, %small : {ty}"));
                self.line(format!("scf.yield %if_small : {ty} }}"));
            }
        }
        match self.choose(4) {
            0 => {
                self.place("to", "%x", true);
                self.line("memref.store %more, %b[%to] : memref<64xi8>".to_owned());
            }
            1 => {
                self.line(
                    "scf.if %is { memref.store %more, %b[%here] : memref<64xi8> }".to_owned(),
                );
            }
            2 => self.line("memref.store %more, %b[%here] : memref<64xi8>".to_owned()),
            _ => {}
        }
    }
}

fn program(seed: u64) -> (String, Config) {
    let mut random = Random::new(seed ^ 0x0005_ca11);
    let mut draw = |n: u64| random.next_u64() % n;
    let ty = ["i8", "i9", "i16", "i32", "i40"][usize::try_from(draw(5)).expect("small")];
    let is_even = draw(2) == 0;
    let first = 2 * draw(4);
    let last = 20 + 2 * draw(20);
    let (stops, is_second) = (draw(3) == 0, draw(2) == 0);
    let mut config = Config {
        predict: Use::Everywhere,
        style: [Style::Static, Style::Elastic][usize::try_from(draw(2)).expect("small")],
        speculate: match draw(3) {
            0 => Speculate::Never,
            1 => Speculate::Everywhere(u32::try_from(1 + draw(4)).expect("small")),
            _ => Speculate::WhereFaster,
        },
        ..Config::default()
    };
    if draw(3) == 0 {
        config.lsq = Use::Everywhere;
    }
    let mut writer = Writer {
        random,
        lines: Vec::new(),
        ty: ty.to_owned(),
    };
    writer.body(is_even);
    let body = std::mem::take(&mut writer.lines).join("\n");
    let again = match stops {
        true => {
            "%low = arith.cmpi slt, %next, %last : TY\n%goes = arith.cmpi ne, %x, %c63_i8 : i8\n%again = arith.andi %low, %goes : i1"
        }
        false => "%again = arith.cmpi slt, %next, %last : TY",
    };
    // A store after the condition, in iterations that are followed by another one.
    let second = match is_second {
        true => {
            "%at = arith.index_castui %j : TY to index\nmemref.store %t, %b[%at] : memref<64xi8>"
        }
        false => "",
    };
    let source = format!(
        "func.func @walk{seed}(%a: memref<64xi8>, %b: memref<64xi8>) -> (i8, TY) {{
%c63_i8 = arith.constant 63 : i8
%one = arith.constant 1 : TY
%hundred = arith.constant 100 : TY
%zero = arith.constant 0 : i8
%first = arith.constant {first} : TY
%last = arith.constant {last} : TY
%r:2 = scf.while (%i = %first, %s = %zero) : (TY, i8) -> (TY, i8) {{
{body}
{again}
scf.condition(%again) %next, %more : TY, i8
}} do {{
^bb0(%j: TY, %t: i8):
{second}
scf.yield %j, %t : TY, i8
}}
return %r#1, %r#0 : i8, TY
}}
"
    );
    (source.replace("TY", ty), config)
}

#[test]
fn iterations_at_every_value_of_an_index_mean_the_same() {
    let n_programs = sweep::cases(N_PROGRAMS);
    let (mut ready, mut seeds, mut wrong, mut n_predicted) =
        (Vec::new(), Vec::new(), Vec::new(), 0);
    for seed in 1..=n_programs {
        let (source, config) = program(seed);
        let compiled = match compile(&source, "walk.mlir", &config) {
            Ok(compiled) => compiled,
            Err(Failure::Input(why) | Failure::Internal(why)) => {
                wrong.push(format!("seed {seed}: {why}\n{source}"));
                continue;
            }
        };
        let plain = Config {
            predict: Use::Never,
            ..compiled.config.clone()
        };
        let plain = compile(&source, "walk.mlir", &plain);
        n_predicted += usize::from(plain.is_ok_and(|plain| {
            text(&plain.context, &plain.circuit) != text(&compiled.context, &compiled.circuit)
        }));
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
        n_predicted * 10 >= ready.len() * 9,
        "iterations run at every value in most programs: {n_predicted} of {}",
        ready.len()
    );
}
