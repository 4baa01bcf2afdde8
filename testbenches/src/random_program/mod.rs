//! Random programs of the input dialects, free of undefined behaviour: divisors are odd, shift amounts and indices masked.

use std::fmt::Write;

use sluice_flow::data::Random;

/// Words of each memory; a power of two, so that any masked value is an index.
const WORDS: u64 = 16;

struct Generator {
    random: Random,
    text: String,
    n_values: u32,
    width: u32,
    /// Values of the program's width, visible here.
    values: Vec<String>,
    /// `index` values below [`WORDS`].
    indices: Vec<String>,
    indent: usize,
    budget: u32,
}

/// The text of a kernel `@kernel`; equal seeds give equal programs.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let widths = [1, 3, 7, 8, 13, 16, 31, 32, 33, 64, 70, 96];
    let width = widths[pick(&mut random, widths.len())];
    let budget = 8 + u32::try_from(random.next_u64() % 24).expect("small");
    let mut generator = Generator {
        random,
        text: String::new(),
        n_values: 0,
        width,
        values: vec!["%a".to_owned(), "%b".to_owned()],
        indices: Vec::new(),
        indent: 1,
        budget,
    };
    let ty = format!("i{width}");
    let memory = format!("memref<{WORDS}x{ty}>");
    let _ = writeln!(
        generator.text,
        "func.func @kernel(%a: {ty}, %b: {ty}, %M: {memory}, %N: {memory}) -> ({ty}, {ty}) {{"
    );
    generator.line("%zero = arith.constant 0 : index");
    generator.line("%one = arith.constant 1 : index");
    generator.indices.push("%zero".to_owned());
    generator.block(0);
    let (x, y) = (generator.value(), generator.value());
    generator.line(&format!("return {x}, {y} : {ty}, {ty}"));
    generator.text + "}\n"
}

fn pick(random: &mut Random, n: usize) -> usize {
    usize::try_from(random.next_u64() % u64::try_from(n).expect("small")).expect("small")
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.indent));
    }

    fn name(&mut self) -> String {
        self.n_values += 1;
        format!("%v{}", self.n_values)
    }

    fn choose(&mut self, n: usize) -> usize {
        pick(&mut self.random, n)
    }

    fn value(&mut self) -> String {
        let i = self.choose(self.values.len());
        self.values[i].clone()
    }

    fn block(&mut self, depth: u32) {
        let n = 2 + self.choose(4);
        for _ in 0..n {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.choose(if depth < 3 { 12 } else { 8 }) {
                0..=3 => self.arithmetic(),
                4 => self.load(),
                5 => self.store(),
                6 => self.constant(),
                7 => self.selection(),
                8 | 9 => self.counted_loop(depth),
                10 => self.conditional(depth),
                _ => self.while_loop(),
            }
        }
    }

    fn constant(&mut self) {
        let name = self.name();
        let value = if self.width == 1 {
            self.random.next_u64() % 2
        } else {
            self.random.next_u64() % 4
        };
        let value = if self.width == 1 {
            (value == 1).to_string()
        } else {
            format!("{value} : i{}", self.width)
        };
        self.line(&format!("{name} = arith.constant {value}"));
        self.values.push(name);
    }

    fn binary(&mut self, operation: &str, a: &str, b: &str) -> String {
        let name = self.name();
        self.line(&format!(
            "{name} = arith.{operation} {a}, {b} : i{}",
            self.width
        ));
        name
    }

    fn number(&mut self, value: u64) -> String {
        let name = self.name();
        let text = if self.width == 1 {
            (value % 2 == 1).to_string()
        } else {
            format!("{value} : i{}", self.width)
        };
        self.line(&format!("{name} = arith.constant {text}"));
        name
    }

    fn arithmetic(&mut self) {
        const PLAIN: &[&str] = &[
            "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
        ];
        let (a, b) = (self.value(), self.value());
        let made = match self.choose(14) {
            10 if self.width > 1 => {
                // An amount below the width: masked to the largest power of two that is not above it.
                let mask = u64::from((self.width + 1).next_power_of_two() / 2) - 1;
                let mask = self.number(mask.min(u64::from(self.width) / 2));
                let amount = self.binary("andi", &b, &mask);
                let operation = ["shli", "shrui", "shrsi"][self.choose(3)];
                self.binary(operation, &a, &amount)
            }
            11 => {
                let one = self.number(1);
                let divisor = self.binary("ori", &b, &one);
                let operation = ["divui", "remui"][self.choose(2)];
                self.binary(operation, &a, &divisor)
            }
            12 if self.width > 3 => {
                // A small positive divisor never overflows.
                let (three, one) = (self.number(3), self.number(1));
                let small = self.binary("andi", &b, &three);
                let divisor = self.binary("ori", &small, &one);
                let operation = ["divsi", "remsi"][self.choose(2)];
                self.binary(operation, &a, &divisor)
            }
            13 => {
                let wide = self.width + 5;
                let (x, y) = (self.name(), self.name());
                let extension = ["extsi", "extui"][self.choose(2)];
                let w = self.width;
                self.line(&format!("{x} = arith.{extension} {a} : i{w} to i{wide}"));
                self.line(&format!("{y} = arith.{extension} {b} : i{w} to i{wide}"));
                let (sum, made) = (self.name(), self.name());
                let operation = ["addi", "muli", "subi"][self.choose(3)];
                self.line(&format!("{sum} = arith.{operation} {x}, {y} : i{wide}"));
                self.line(&format!("{made} = arith.trunci {sum} : i{wide} to i{w}"));
                made
            }
            n => self.binary(PLAIN[n % PLAIN.len()], &a, &b),
        };
        self.values.push(made);
    }

    fn condition(&mut self) -> String {
        const PREDICATES: &[&str] = &[
            "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
        ];
        let (a, b, name) = (self.value(), self.value(), self.name());
        let predicate = PREDICATES[self.choose(PREDICATES.len())];
        self.line(&format!(
            "{name} = arith.cmpi {predicate}, {a}, {b} : i{}",
            self.width
        ));
        name
    }

    fn selection(&mut self) {
        let condition = self.condition();
        let (a, b, name) = (self.value(), self.value(), self.name());
        self.line(&format!(
            "{name} = arith.select {condition}, {a}, {b} : i{}",
            self.width
        ));
        self.values.push(name);
    }

    /// An index: a loop variable, or a value of the data made small.
    fn index(&mut self) -> String {
        if self.choose(3) > 0 || self.width < 4 {
            let i = self.choose(self.indices.len());
            return self.indices[i].clone();
        }
        let value = self.value();
        let (small, index) = (self.name(), self.name());
        let w = self.width;
        if w == 4 {
            self.line(&format!(
                "{index} = arith.index_castui {value} : i4 to index"
            ));
        } else {
            self.line(&format!("{small} = arith.trunci {value} : i{w} to i4"));
            self.line(&format!(
                "{index} = arith.index_castui {small} : i4 to index"
            ));
        }
        index
    }

    fn memory(&mut self) -> String {
        format!(
            "{} : memref<{WORDS}xi{}>",
            ["%M[INDEX]", "%N[INDEX]"][self.choose(2)],
            self.width
        )
    }

    fn load(&mut self) {
        let index = self.index();
        let place = self.memory().replace("INDEX", &index);
        let name = self.name();
        self.line(&format!("{name} = memref.load {place}"));
        self.values.push(name);
    }

    fn store(&mut self) {
        let index = self.index();
        let place = self.memory().replace("INDEX", &index);
        let value = self.value();
        self.line(&format!("memref.store {value}, {place}"));
    }

    /// What is defined inside `body` is not visible behind it.
    fn nested(&mut self, body: impl FnOnce(&mut Self)) {
        let (n_values, n_indices) = (self.values.len(), self.indices.len());
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.values.truncate(n_values);
        self.indices.truncate(n_indices);
    }

    fn counted_loop(&mut self, depth: u32) {
        let (upper, variable, result, carried) =
            (self.name(), self.name(), self.name(), self.name());
        let n = self.random.next_u64() % (WORDS + 1);
        let init = self.value();
        let w = self.width;
        self.line(&format!("{upper} = arith.constant {n} : index"));
        self.line(&format!(
            "{result} = scf.for {variable} = %zero to {upper} step %one iter_args({carried} = {init}) -> (i{w}) {{"
        ));
        self.nested(|g| {
            g.values.push(carried);
            g.indices.push(variable);
            g.block(depth + 1);
            let passed = g.value();
            g.line(&format!("scf.yield {passed} : i{w}"));
        });
        self.line("}");
        self.values.push(result);
    }

    fn conditional(&mut self, depth: u32) {
        let condition = self.condition();
        let result = self.name();
        let w = self.width;
        self.line(&format!("{result} = scf.if {condition} -> (i{w}) {{"));
        for branch in 0..2 {
            self.nested(|g| {
                g.block(depth + 1);
                let passed = g.value();
                g.line(&format!("scf.yield {passed} : i{w}"));
            });
            self.line(if branch == 0 { "} else {" } else { "}" });
        }
        self.values.push(result);
    }

    /// A loop whose end depends on the data, and that ends: its counter only falls.
    fn while_loop(&mut self) {
        if self.width < 3 {
            return self.arithmetic();
        }
        let (start, w) = (self.value(), self.width);
        let (mask, one, zero) = (self.number(3), self.number(1), self.number(0));
        let count = self.binary("andi", &start, &mask);
        let init = self.value();
        let (result, left, carried) = (self.name(), self.name(), self.name());
        self.line(&format!(
            "{result}:2 = scf.while ({left} = {count}, {carried} = {init}) : (i{w}, i{w}) -> (i{w}, i{w}) {{"
        ));
        self.nested(|g| {
            let more = g.name();
            g.line(&format!("{more} = arith.cmpi ne, {left}, {zero} : i{w}"));
            g.line(&format!(
                "scf.condition({more}) {left}, {carried} : i{w}, i{w}"
            ));
        });
        self.line("} do {");
        let (inner_left, inner_carried) = (self.name(), self.name());
        self.nested(|g| {
            g.line(&format!("^bb0({inner_left}: i{w}, {inner_carried}: i{w}):"));
            g.values.push(inner_carried);
            g.arithmetic();
            g.store();
            let fewer = g.binary("subi", &inner_left, &one);
            let passed = g.value();
            g.line(&format!("scf.yield {fewer}, {passed} : i{w}, i{w}"));
        });
        self.line("}");
        self.values.push(format!("{result}#1"));
    }
}
