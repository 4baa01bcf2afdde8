//! The dividers with which a device file is calibrated equal those that binding builds: the same results in the same cycle under
//! Verilator, the same number of register bits and of adders.

use std::collections::BTreeMap;
use std::fmt::Write;

use sluice_dialects::context;
use sluice_flow::calibration::{Case, Grid, TARGETS, cases};
use sluice_rtl_out::Options;
use sluice_testbenches::passes::{after_passes, parsed, scheduled_division};
use sluice_testbenches::{sweep, verilator};

/// A divider of the calibration grid: operation, width, quotient bits per cycle.
struct Divider {
    case: Case,
    operation: &'static str,
    width: u32,
    latency: u32,
}

/// Returns every third divider of the full grid; all in a sweep.
fn dividers() -> Vec<Divider> {
    let classes = [
        ("divide_signed_", "divsi"),
        ("divide_unsigned_", "divui"),
        ("remainder_signed_", "remsi"),
        ("remainder_unsigned_", "remui"),
    ];
    let mut found = Vec::new();
    for case in cases(&TARGETS[0], Grid::Full) {
        for (class, operation) in classes {
            let Some((width, bits)) = case
                .name
                .strip_prefix(class)
                .and_then(|rest| rest.split_once("_by_"))
            else {
                continue;
            };
            let number = |text: &str| -> u32 { text.parse().expect("a case says its width") };
            let (width, bits) = (number(width), number(bits));
            found.push(Divider {
                operation,
                width,
                latency: 1 + width.saturating_sub(2).div_ceil(bits),
                case: case.clone(),
            });
        }
    }
    sweep::every_nth(3, found)
}

/// Returns the name and the text of the module that binding builds.
fn emitted(divider: &Divider) -> (String, String) {
    let Divider {
        operation,
        width,
        latency,
        ..
    } = divider;
    let scheduled = scheduled_division(operation, *width, *latency);
    let bound = after_passes(&scheduled, &["bind", "tidy-circuit"]);
    let context = context();
    let circuit = parsed(&context, &bound);
    let verilog = sluice_rtl_out::emit(&context, &circuit, "dividers", Options::default())
        .unwrap_or_else(|found| panic!("{}", found.to_text(&context)));
    let start = verilog
        .find("module sluice_")
        .expect("the divider is a module of its own");
    let text = &verilog[start..];
    let end = text.find("endmodule").expect("modules end") + "endmodule".len();
    let name = text["module ".len()..]
        .split([' ', '('])
        .next()
        .expect("modules have names");
    (name.to_owned(), text[..end].to_owned() + "\n")
}

/// Returns the number of register bits in a module.
fn register_bits(text: &str) -> u32 {
    let mut bits = 0;
    let words: Vec<(usize, &str)> = text.match_indices("reg ").collect();
    for (at, word) in words {
        let is_word = text[..at].ends_with([' ', '\n', ';', '(']) || at == 0;
        if !is_word {
            continue;
        }
        let rest = text[at + word.len()..].trim_start();
        let (width, names) = match rest
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(":0]"))
        {
            Some((top, names)) => (top.parse::<u32>().expect("a range is numbers") + 1, names),
            None => (1, rest),
        };
        let names = names.split([';', ')']).next().unwrap_or_default();
        bits += width * u32::try_from(names.split(',').count()).expect("few registers");
    }
    bits
}

/// Returns the number of additions and subtractions in a module.
fn sums(text: &str) -> usize {
    // Both texts write the increment of the dividend's magnitude after a bracket.
    text.matches(" + ").count() + text.matches(" - ").count()
}

#[test]
fn as_many_registers_and_sums() {
    for divider in dividers().iter().filter(|divider| divider.width > 2) {
        let (_, text) = emitted(divider);
        let Divider { case, width, .. } = divider;
        // The calibrated module also has registers for the operands, the start and the result.
        let frame = 3 * width + 1;
        assert_eq!(
            register_bits(&case.verilog) - frame,
            register_bits(&text),
            "register bits of {}:\n{}\n{text}",
            case.name,
            case.verilog
        );
        assert_eq!(
            sums(&case.verilog),
            sums(&text),
            "sums of {}:\n{}\n{text}",
            case.name,
            case.verilog
        );
    }
}

/// Returns a module that runs each calibrated divider next to the emitted one, with a sticky bit of `wrong` for each.
fn bench(dividers: &[Divider]) -> String {
    let mut text = String::new();
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    let mut body = String::new();
    for (i, divider) in dividers.iter().enumerate() {
        let (name, module) = emitted(divider);
        modules.insert(name.clone(), module);
        text += &divider
            .case
            .verilog
            .replacen("module t(", &format!("module t{i}("), 1);
        let (top, latency) = (divider.width - 1, divider.latency);
        let _ = write!(
            body,
            "reg [7:0] n{i}; wire go{i} = n{i} == 0; wire [{top}:0] q{i}, r{i}; reg [{top}:0] kept{i};
always @(posedge clock) begin
  n{i} <= reset | n{i} == {period} ? 8'd0 : n{i} + 8'd1;
  if (n{i} == {latency}) kept{i} <= r{i};
  wrong[{i}] <= ~reset & (wrong[{i}] | n{i} == {after} & kept{i} != q{i});
  if (~reset & n{i} == {after}) checked[{i}] <= 1'b1;
end
t{i} calibrated{i}(.clk(clock), .clk_in(clock), .clk_out(clock), .go_port(go{i}), .a_port(a[{top}:0]), .b_port(b[{top}:0]), .q(q{i}));
{name} emitted{i}(.clock(clock), .start(go{i}), .left(a[{top}:0]), .right(b[{top}:0]), .result(r{i}));
",
            after = latency + 2,
            period = latency + 3,
        );
    }
    for module in modules.values() {
        text += module;
    }
    let last = dividers.len() - 1;
    let _ = write!(
        text,
        "module bench(input clock, input reset, input [63:0] a, input [63:0] b, output reg [{last}:0] wrong, output reg [{last}:0] checked);
{body}endmodule\n"
    );
    text
}

/// Tests random operands of random sizes, both signs and zero included; prints the wrong dividers, and the number of checks.
const MAIN: &str = r#"#include "Vdut.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
static uint64_t state = 1;
static uint64_t next() {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return state;
}
static uint64_t operand() {
    uint64_t value = next() >> (next() % 65 % 64);
    return next() & 1 ? value : 0 - value;
}
int main() {
    Vdut bench;
    bench.reset = 1;
    for (int cycle = 0; cycle < 10000; ++cycle) {
        bench.a = operand(); bench.b = next() % 16 ? operand() : 0;
        bench.clock = 0; bench.eval();
        bench.clock = 1; bench.eval();
        bench.reset = cycle < 1;
    }
    printf("%llx %llx\n", (unsigned long long)bench.wrong, (unsigned long long)bench.checked);
}
"#;

#[test]
fn the_same_answers_in_the_same_cycle() {
    if !verilator::available_or_excused() {
        return;
    }
    let dividers = dividers();
    assert!(
        !dividers.is_empty() && dividers.len() <= 64,
        "a bit for each"
    );
    let folder = tempfile::tempdir().expect("a folder for the model");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder can be written");
    };
    write("bench.v", &bench(&dividers));
    write("main.cpp", MAIN);
    verilator::build(
        folder.path(),
        "bench",
        &["-Wno-lint", "-Wno-style", "bench.v"],
    )
    .expect("a model can be built");
    let said = verilator::run(folder.path(), &[]).expect("the model runs");
    let mut words = said
        .split_whitespace()
        .map(|word| u64::from_str_radix(word, 16).expect("the model prints two numbers"));
    let (wrong, checked) = (words.next().unwrap_or(!0), words.next().unwrap_or(0));
    let all = u64::MAX >> (64 - dividers.len());
    assert_eq!(checked, all, "every divider was compared");
    let names: Vec<&str> = dividers
        .iter()
        .enumerate()
        .filter(|(i, _)| wrong >> i & 1 == 1)
        .map(|(_, divider)| divider.case.name.as_str())
        .collect();
    assert!(
        names.is_empty(),
        "calibrated and emitted dividers differ: {names:?}"
    );
}
