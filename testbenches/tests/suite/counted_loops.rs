//! `mem2reg`, `uplift-while-to-for` and `widen-addresses` on random functions: results and memories are the same before and
//! after.

use std::fmt::Write as _;

use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_ir::bits::Bits;
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::{Argument, Interpreter, Outcome};
use sluice_testbenches::passes::{after_passes, parsed};
use sluice_verify::check::{difference, interpret, simulate};
use sluice_verify::data::{Random, Ranges, random_case};

/// Returns the outcome of a function; `None` if it is undefined or does not end within the step limit.
fn outcome(text: &str, arguments: &[Argument]) -> Option<Outcome> {
    let context = sluice_dialects::context();
    let module = parsed(&context, text);
    let mut interpreter = Interpreter::new(&context, &module);
    interpreter.step_limit = 3000;
    interpreter.run("f", arguments).ok()
}

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    let last = u64::try_from(all.len() - 1).expect("a small number");
    all[usize::try_from(random.up_to(last)).expect("a small number")]
}

/// Number of random loops.
const N_LOOPS: u64 = 1500;
/// Runs of each loop, with different bounds.
const N_RUNS: u64 = 12;

const PREDICATES: [&str; 9] = ["ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

/// Returns a loop that counts in four bits, which wrap soon, or in `index`; it records each value in a memory and in a checksum.
fn counting_loop(random: &mut Random) -> String {
    let predicate = pick(random, &PREDICATES);
    let step: i64 = pick(random, &[-3, -2, -1, -1, 1, 1, 2, 3]);
    let offset: i64 = pick(random, &[0, 0, 1, -1, step]);
    let counter = pick(random, &["i4", "i4", "i4", "i64"]);
    let widened = match counter {
        "i4" => pick(random, &[None, None, Some("extsi"), Some("extui")]),
        _ => None,
    };
    let runs_first = pick(random, &[false, true]);
    let is_swapped = pick(random, &[false, true]);
    let (first, limit) = (random.up_to(15), random.up_to(15));
    let signed = |number: u64, width: u32| Bits::from_u64(width, number).to_i64().expect("small");
    let is_constant = [pick(random, &[false, true]), pick(random, &[false, true])];
    let ty = match widened {
        Some(_) => pick(random, &["i8", "i64"]),
        None => counter,
    };
    let mut text =
        format!("func.func @f(%m: memref<16xi32>, %s: i4, %n: i8) -> ({counter}, i32) {{\n");
    let mut line = |words: String| writeln!(text, "{words}").expect("strings grow");
    let first = signed(first, 4);
    line(match (is_constant[0], counter) {
        (true, _) => format!("%first = arith.constant {first} : {counter}"),
        (_, "i4") => {
            "%zero4 = arith.constant 0 : i4\n%first = arith.addi %s, %zero4 : i4".to_owned()
        }
        _ => "%first = arith.extui %s : i4 to i64".to_owned(),
    });
    let limit = signed(limit, 4);
    line(match (is_constant[1], ty) {
        (true, _) => format!("%limit = arith.constant {limit} : {ty}"),
        (_, "i4") => "%limit = arith.trunci %n : i8 to i4".to_owned(),
        (_, "i64") => {
            let cast = pick(random, &["extsi", "extui"]);
            format!("%limit = arith.{cast} %n : i8 to i64")
        }
        _ => "%zero8 = arith.constant 0 : i8\n%limit = arith.addi %n, %zero8 : i8".to_owned(),
    });
    line(format!("%step = arith.constant {step} : {counter}"));
    line(format!("%offset = arith.constant {offset} : {ty}"));
    line("%prime = arith.constant 31 : i32\n%none = arith.constant 7 : i32".to_owned());
    line(format!(
        "%r:2 = scf.while (%i = %first, %k = %none) : ({counter}, i32) -> ({counter}, i32) {{"
    ));
    let low = match counter {
        "i4" => "%low = arith.addi %i, %none4 : i4",
        _ => "%low = arith.trunci %i : i64 to i4",
    };
    let body = format!(
        "%none4 = arith.constant 0 : i4
        {low}
        %at = arith.index_castui %low : i4 to index
        memref.store %k, %m[%at] : memref<16xi32>
        %wide = arith.extui %low : i4 to i32
        %p = arith.muli %k, %prime : i32
        %q = arith.addi %p, %wide : i32
        %next = arith.addi %i, %step : {counter}"
    );
    let tested = match runs_first {
        true => pick(random, &["%i", "%next"]),
        false => "%i",
    };
    if runs_first {
        line(body.clone());
    }
    line(match widened {
        None => format!("%t = arith.addi {tested}, %offset : {ty}"),
        Some(cast) => {
            format!("%x = arith.{cast} {tested} : i4 to {ty}\n%t = arith.addi %x, %offset : {ty}")
        }
    });
    line(match is_swapped {
        true => format!("%c = arith.cmpi {predicate}, %limit, %t : {ty}"),
        false => format!("%c = arith.cmpi {predicate}, %t, %limit : {ty}"),
    });
    let (passed, next) = match runs_first {
        true => ("%next, %q", "%i, %k"),
        false => ("%i, %k", "%next, %q"),
    };
    line(format!(
        "scf.condition(%c) {passed} : {counter}, i32\n}} do {{"
    ));
    line(format!("^bb0(%i: {counter}, %k: i32):"));
    if !runs_first {
        line(body);
    }
    line(format!("scf.yield {next} : {counter}, i32\n}}"));
    line(format!("return %r#0, %r#1 : {counter}, i32\n}}"));
    text
}

#[test]
fn loops_that_count_do_what_they_did() {
    let mut n_counting = 0;
    let mut n_compared = 0;
    for seed in 0..N_LOOPS {
        let mut random = Random::new(seed);
        let text = counting_loop(&mut random);
        let after = after_passes(&text, &["uplift-while-to-for", "widen-addresses"]);
        if after.contains("scf.while") {
            continue;
        }
        n_counting += 1;
        for _ in 0..N_RUNS {
            let arguments = [
                Argument::Memory(vec![Bits::zero(32); 16]),
                Argument::Scalar(random.word(4, None)),
                Argument::Scalar(random.word(8, None)),
            ];
            // A loop that does not end has no result to compare.
            if let Some(expected) = outcome(&text, &arguments) {
                let found = outcome(&after, &arguments);
                assert_eq!(Some(expected), found, "loop {seed}:\n{text}\n{after}");
                n_compared += 1;
            }
        }
    }
    assert!(n_counting > 300, "{n_counting} loops count");
    assert!(n_compared > 2000, "{n_compared} runs end");
}

/// Number of random functions with memory cells.
const N_FUNCTIONS: u64 = 200;

/// Random statements on cells: three memories of one word, and one of two words.
struct Statements<'a> {
    random: &'a mut Random,
    text: String,
    n_values: usize,
}

impl Statements<'_> {
    fn line(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    fn fresh(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn cell(&mut self) -> &'static str {
        const CELLS: [&str; 5] = [
            "%a[%c0] : memref<1xi32>",
            "%b[%c0] : memref<1xi32>",
            "%c[] : memref<i32>",
            "%d[%c0] : memref<2xi32>",
            "%d[%c1] : memref<2xi32>",
        ];
        pick(self.random, &CELLS)
    }

    fn load(&mut self) -> String {
        let (value, cell) = (self.fresh(), self.cell());
        self.line(&format!("{value} = memref.load {cell}"));
        value
    }

    fn store(&mut self) {
        let (a, b, sum) = (self.load(), self.load(), self.fresh());
        let operation = pick(self.random, &["addi", "subi", "muli", "xori"]);
        self.line(&format!("{sum} = arith.{operation} {a}, {b} : i32"));
        let cell = self.cell();
        self.line(&format!("memref.store {sum}, {cell}"));
    }

    fn bit(&mut self) -> String {
        let (a, b, bit) = (self.load(), self.load(), self.fresh());
        self.line(&format!("{bit} = arith.cmpi slt, {a}, {b} : i32"));
        bit
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..=self.random.up_to(2) {
            match self.random.up_to(if depth < 3 { 5 } else { 1 }) {
                0 | 1 => self.store(),
                2 | 3 => {
                    let bit = self.bit();
                    self.line(&format!("scf.if {bit} {{"));
                    self.block(depth + 1);
                    if self.random.up_to(1) == 0 {
                        self.line("} else {");
                        self.block(depth + 1);
                    }
                    self.line("}");
                }
                4 => {
                    let (counter, end) = (self.fresh(), pick(self.random, &["%c0", "%c1", "%c2"]));
                    self.line(&format!("scf.for {counter} = %c0 to {end} step %c1 {{"));
                    self.block(depth + 1);
                    self.line("}");
                }
                _ => {
                    // The loop ends when its fuel is used up, if its cells do not end it before.
                    let (fuel, bit) = (self.fresh(), self.fresh());
                    let (left, both, less) = (self.fresh(), self.fresh(), self.fresh());
                    let result = self.fresh();
                    self.line(&format!(
                        "{result} = scf.while ({fuel} = %three) : (i32) -> i32 {{"
                    ));
                    self.block(depth + 1);
                    let wanted = self.bit();
                    self.line(&format!("{bit} = arith.cmpi sgt, {fuel}, %zero : i32"));
                    self.line(&format!("{both} = arith.andi {bit}, {wanted} : i1"));
                    self.line(&format!("scf.condition({both}) {fuel} : i32"));
                    self.line(&format!("}} do {{\n^bb0({left}: i32):"));
                    self.block(depth + 1);
                    self.line(&format!("{less} = arith.subi {left}, %one : i32"));
                    self.line(&format!("scf.yield {less} : i32\n}}"));
                }
            }
        }
    }
}

fn function_with_cells(random: &mut Random) -> String {
    let mut statements = Statements {
        random,
        text: String::new(),
        n_values: 0,
    };
    statements.line("func.func @f(%x: i32, %y: i32) -> (i32, i32, i32, i32, i32) {");
    for (name, number) in [("%c0", 0), ("%c1", 1), ("%c2", 2)] {
        statements.line(&format!("{name} = arith.constant {number} : index"));
    }
    for (name, number) in [("%zero", 0), ("%one", 1), ("%three", 3)] {
        statements.line(&format!("{name} = arith.constant {number} : i32"));
    }
    for (name, ty) in [
        ("%a", "1xi32"),
        ("%b", "1xi32"),
        ("%c", "i32"),
        ("%d", "2xi32"),
    ] {
        statements.line(&format!("{name} = memref.alloca() : memref<{ty}>"));
    }
    statements.line("memref.store %x, %a[%c0] : memref<1xi32>");
    statements.line("memref.store %y, %b[%c0] : memref<1xi32>");
    // A read before the first write would make the function undefined, so all cells are written.
    for cell in [
        "%c[] : memref<i32>",
        "%d[%c0] : memref<2xi32>",
        "%d[%c1] : memref<2xi32>",
    ] {
        if statements.random.up_to(7) > 0 {
            statements.line(&format!("memref.store %x, {cell}"));
        }
    }
    statements.block(0);
    let results: Vec<String> = (0..5).map(|_| statements.load()).collect();
    statements.line(&format!(
        "return {} : i32, i32, i32, i32, i32\n}}",
        results.join(", ")
    ));
    statements.text
}

#[test]
fn cells_that_are_values_hold_what_they_held() {
    let mut n_compared = 0;
    for seed in 0..N_FUNCTIONS {
        let mut random = Random::new(seed);
        let text = function_with_cells(&mut random);
        let after = after_passes(&text, &["mem2reg"]);
        assert!(
            !after.contains("memref"),
            "function {seed}:\n{text}\n{after}"
        );
        for _ in 0..3 {
            let arguments = [(); 2].map(|()| Argument::Scalar(random.word(32, None)));
            if let Some(expected) = outcome(&text, &arguments) {
                let found = outcome(&after, &arguments);
                assert_eq!(Some(expected), found, "function {seed}:\n{text}\n{after}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 200, "{n_compared} runs are defined");
}

/// Sums of rows, written in `affine`.
const ROWS: &str = "
func.func @rows(%a: memref<96xi32>, %out: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 12 {
      %x = affine.load %a[%i * 12 + %j] : memref<96xi32>
      %sum = affine.load %out[%i] : memref<8xi32>
      %new = arith.addi %sum, %x : i32
      affine.store %new, %out[%i] : memref<8xi32>
    }
  }
  return
}
";

/// The same in the form in which a C compiler emits it first: blocks, and variables in memory.
const ROWS_IN_BLOCKS: &str = "
func.func @rows(%a: memref<96xi32>, %out: memref<8xi32>) {
  %i = memref.alloca() : memref<1xi32>
  %j = memref.alloca() : memref<1xi32>
  %at = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %twelve = arith.constant 12 : i32
  memref.store %zero, %i[%at] : memref<1xi32>
  cf.br ^rows
^rows:
  %row = memref.load %i[%at] : memref<1xi32>
  %in_rows = arith.cmpi slt, %row, %eight : i32
  cf.cond_br %in_rows, ^row, ^end
^row:
  memref.store %zero, %j[%at] : memref<1xi32>
  cf.br ^columns
^columns:
  %column = memref.load %j[%at] : memref<1xi32>
  %is_over = arith.cmpi sge, %column, %twelve : i32
  cf.cond_br %is_over, ^next_row, ^column
^column:
  %i0 = memref.load %i[%at] : memref<1xi32>
  %j0 = memref.load %j[%at] : memref<1xi32>
  %start = arith.muli %i0, %twelve : i32
  %cell = arith.addi %start, %j0 : i32
  %cell_at = arith.index_cast %cell : i32 to index
  %x = memref.load %a[%cell_at] : memref<96xi32>
  %row_at = arith.index_cast %i0 : i32 to index
  %sum = memref.load %out[%row_at] : memref<8xi32>
  %new = arith.addi %sum, %x : i32
  memref.store %new, %out[%row_at] : memref<8xi32>
  %next_column = arith.addi %j0, %one : i32
  memref.store %next_column, %j[%at] : memref<1xi32>
  cf.br ^columns
^next_row:
  %i1 = memref.load %i[%at] : memref<1xi32>
  %next = arith.addi %i1, %one : i32
  memref.store %next, %i[%at] : memref<1xi32>
  cf.br ^rows
^end:
  return
}
";

/// The same as a decreasing `do` loop inside a `do` loop that tests for inequality.
const ROWS_DOWN: &str = "
func.func @rows(%a: memref<96xi32>, %out: memref<8xi32>) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %eight = arith.constant 8 : i8
  %eleven = arith.constant 11 : i8
  %twelve = arith.constant 12 : i8
  cf.br ^row(%zero : i8)
^row(%i: i8):
  %row_at = arith.index_castui %i : i8 to index
  %start = arith.muli %i, %twelve : i8
  cf.br ^column(%eleven : i8)
^column(%j: i8):
  %cell = arith.addi %start, %j : i8
  %cell_at = arith.index_castui %cell : i8 to index
  %x = memref.load %a[%cell_at] : memref<96xi32>
  %sum = memref.load %out[%row_at] : memref<8xi32>
  %new = arith.addi %sum, %x : i32
  memref.store %new, %out[%row_at] : memref<8xi32>
  %next_j = arith.subi %j, %one : i8
  %more = arith.cmpi sge, %next_j, %zero : i8
  cf.cond_br %more, ^column(%next_j : i8), ^end_of_row
^end_of_row:
  %next_i = arith.addi %i, %one : i8
  %again = arith.cmpi ne, %next_i, %eight : i8
  cf.cond_br %again, ^row(%next_i : i8), ^end
^end:
  return
}
";

/// Sums of three neighbours, of which two are kept in registers.
const NEIGHBOURS: &str = "
func.func @rows(%a: memref<66xi32>, %out: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<66xi32>
    %y = affine.load %a[%i + 1] : memref<66xi32>
    %z = affine.load %a[%i + 2] : memref<66xi32>
    %xy = arith.addi %x, %y : i32
    %xyz = arith.addi %xy, %z : i32
    affine.store %xyz, %out[%i] : memref<64xi32>
  }
  return
}
";

/// The same in blocks.
const NEIGHBOURS_IN_BLOCKS: &str = "
func.func @rows(%a: memref<66xi32>, %out: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n = arith.constant 64 : i32
  cf.br ^test(%zero : i32)
^test(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addi %i, %one : i32
  %last = arith.addi %i, %two : i32
  %at0 = arith.index_cast %i : i32 to index
  %at1 = arith.index_cast %next : i32 to index
  %at2 = arith.index_cast %last : i32 to index
  %x = memref.load %a[%at0] : memref<66xi32>
  %y = memref.load %a[%at1] : memref<66xi32>
  %z = memref.load %a[%at2] : memref<66xi32>
  %xy = arith.addi %x, %y : i32
  %xyz = arith.addi %xy, %z : i32
  memref.store %xyz, %out[%at0] : memref<64xi32>
  cf.br ^test(%next : i32)
^end:
  return
}
";

/// Returns the cycles of a kernel; circuit and interpreter must agree on random data.
fn cycles(source: &str) -> u64 {
    let compiled = match compile(source, "rows.mlir", &Config::default()) {
        Ok(compiled) => compiled,
        Err(Failure::Input(message) | Failure::Internal(message)) => panic!("{message}"),
    };
    let mut random = Random::new(5);
    let case = random_case(&compiled.interface, &Ranges::new(), &mut random);
    let expected = interpret(&compiled, &case).expect("the kernel is defined for all data");
    let found = simulate(&compiled, &case).expect("the circuit finishes");
    let difference = difference(&compiled, &expected, &found.results, &found.memories);
    assert_eq!(difference, None);
    found.cycles
}

#[test]
fn kernels_in_blocks_take_the_cycles_of_affine_ones() {
    let expected = cycles(ROWS);
    assert!(expected < 8 * 12 + 10, "{expected}: a cycle per word");
    assert_eq!(cycles(ROWS_IN_BLOCKS), expected);
    assert_eq!(cycles(ROWS_DOWN), expected);
    let expected = cycles(NEIGHBOURS);
    assert!(expected < 64 + 10, "{expected}: a cycle per sum");
    assert_eq!(cycles(NEIGHBOURS_IN_BLOCKS), expected);
}
