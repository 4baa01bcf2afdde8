//! Deterministic inputs for the workloads whose instructions and memory are recorded: texts and scheduling problems.

use std::fmt::Write;

/// A linear congruential generator: x(n + 1) = a x(n) + c modulo 2^64; the upper half is used.
///
/// Source: Knuth, The Art of Computer Programming, volume 2, section 3.3.4 (the constants of MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
        const INCREMENT: u64 = 1_442_695_040_888_963_407;
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let upper = usize::try_from(self.0 >> 32).expect("32 bits fit");
        upper % bound
    }
}

/// Returns a module with functions of `n_operations` operations each: constants, comparisons and arithmetic, all used.
pub fn text((n_functions, n_operations): (usize, usize)) -> String {
    const BINARY: [&str; 6] = ["addi", "subi", "muli", "xori", "andi", "ori"];
    let mut numbers = Numbers(1);
    let mut text = "module {\n".to_owned();
    let mut line = |part: std::fmt::Arguments<'_>| {
        text.write_fmt(part).expect("strings accept text");
    };
    for function in 0..n_functions {
        line(format_args!(
            "  func.func @f{function}(%arg0: i32, %arg1: i32) -> i32 {{\n"
        ));
        let mut values = vec!["%arg0".to_owned(), "%arg1".to_owned()];
        let mut last = values[0].clone();
        while values.len() < n_operations + 2 {
            let number = values.len() - 2;
            let value = format!("%{number}");
            let recent = values.len() - 1 - numbers.below(values.len().min(24));
            let other = &values[recent];
            match numbers.below(12) {
                0 => line(format_args!(
                    "    {value} = arith.constant {} : i32\n",
                    numbers.below(50)
                )),
                1 => line(format_args!(
                    "    {value} = arith.maxsi {last}, {other} {{note = {number} : i16}} : i32\n"
                )),
                _ => {
                    let name = BINARY[numbers.below(BINARY.len())];
                    line(format_args!(
                        "    {value} = arith.{name} {last}, {other} : i32\n"
                    ));
                }
            }
            last.clone_from(&value);
            values.push(value);
        }
        line(format_args!("    return {last} : i32\n  }}\n"));
    }
    text += "}\n";
    text
}

/// Returns scheduling problems of loops: chains of operations that join, one recurrence in each loop, and few units.
pub fn problems(n_loops: usize) -> String {
    let mut numbers = Numbers(2);
    let loops = (0..n_loops).map(|number| problem(number, &mut numbers));
    loops.collect::<Vec<_>>().join("---\n")
}

fn problem(number: usize, numbers: &mut Numbers) -> String {
    let n_operations = 12 + number;
    let mut text = format!(
        "problem: loop{number}\nclock_period_ns: 5\ninitiation: every\nresources:\n  \
         r0: {{count: 2, name: \"ports\"}}\n  r1: {{count: 1, name: \"multiplier\"}}\noperations:\n"
    );
    for operation in 0..n_operations {
        let what = match numbers.below(4) {
            0 => "class: load, latency: 1, input_delay_ns: 1, output_delay_ns: 1.5, resource: r0",
            1 => "class: multiply, latency: 3, input_delay_ns: 2, output_delay_ns: 1, resource: r1",
            _ => "class: add, input_delay_ns: 1.7",
        };
        text += &format!("  o{operation}: {{{what}, width: 32, name: \"o{operation}\"}}\n");
    }
    text += "dependences:\n";
    for operation in 1..n_operations {
        for _ in 0..2 {
            let from = operation - 1 - numbers.below(operation.min(5));
            text += &format!("  - o{from} -> o{operation}\n");
        }
    }
    let (last, first) = (n_operations - 1, numbers.below(3));
    text + &format!("  - {{from: o{last}, to: o{first}, distance: 4}}\n")
}
