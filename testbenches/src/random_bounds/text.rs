//! Printing of a kernel, and its arguments and types.

use std::fmt::Write as _;

use sluice_ir::bits::Bits;
use sluice_sim::interpreter::Argument;

use super::{Counter, Form, Kernel, Loop, Number};
use crate::oracle::{self, Element, Signature};

/// Words of the memory.
const WORDS: u64 = 8;

/// Lines of a kernel under construction.
struct Writer {
    text: String,
    n_values: usize,
}

impl Writer {
    fn line(&mut self, words: &str) {
        writeln!(self.text, "  {words}").expect("strings grow");
    }

    /// Writes an operation with a result; returns its name.
    fn value(&mut self, words: &str) -> String {
        self.n_values += 1;
        let name = format!("%v{}", self.n_values);
        self.line(&format!("{name} = {words}"));
        name
    }

    fn constant(&mut self, bits: &Bits, counter: Counter) -> String {
        let number = bits.to_signed_string();
        self.value(&format!("arith.constant {number} : {}", counter.name()))
    }
}

/// The names of the values that are defined before a loop.
struct Named {
    first: String,
    limit: String,
    step: String,
    offset: String,
}

impl Kernel {
    /// Returns the name of the function.
    pub fn name(&self) -> String {
        format!("k{}", self.seed)
    }

    fn arguments(&self) -> impl Iterator<Item = (String, &Loop, &Number)> {
        let numbered = self.loops.iter().enumerate();
        let all = numbered.flat_map(|(i, one)| {
            let names = [
                ("first", &one.first),
                ("limit", &one.limit),
                ("step", &one.step),
            ];
            names.map(move |(name, number)| (format!("%{name}{i}"), one, number))
        });
        all.filter(|(_, _, number)| number.is_argument)
    }

    /// Returns the data set.
    pub fn data(&self) -> Vec<Argument> {
        let mut all = vec![Argument::Scalar(Bits::from_u64(32, self.initial))];
        if self.has_memory {
            let cells = (0..WORDS).map(|i| Bits::from_u64(32, i)).collect();
            all.push(Argument::Memory(cells));
        }
        let numbers = self.arguments();
        all.extend(numbers.map(|(_, _, number)| Argument::Scalar(number.bits.clone())));
        all
    }

    /// Returns the types for the oracle.
    pub fn signature(&self) -> Signature {
        let element = |counter: Counter| match counter {
            Counter::Index => Element::Index,
            Counter::Integer(width_bits) => Element::Integer { width_bits },
        };
        let word = Element::Integer { width_bits: 32 };
        let mut arguments = vec![oracle::Argument::Scalar(word)];
        if self.has_memory {
            arguments.push(oracle::Argument::Memref {
                shape: vec![WORDS],
                element: word,
            });
        }
        let numbers = self.arguments();
        arguments.extend(numbers.map(|(_, one, _)| oracle::Argument::Scalar(element(one.counter))));
        Signature {
            arguments,
            results: vec![word, element(self.loops[0].counter)],
        }
    }

    /// Returns the text of the function.
    pub fn text(&self) -> String {
        let mut parameters = vec!["%x: i32".to_owned()];
        if self.has_memory {
            parameters.push(format!("%m: memref<{WORDS}xi32>"));
        }
        let numbers = self.arguments();
        parameters.extend(numbers.map(|(name, one, _)| format!("{name}: {}", one.counter.name())));
        let ty = self.loops[0].counter.name();
        let mut out = Writer {
            text: String::new(),
            n_values: 0,
        };
        out.text = format!(
            "func.func @{}({}) -> (i32, {ty}) {{\n",
            self.name(),
            parameters.join(", ")
        );
        let named: Vec<Named> = (0..self.loops.len())
            .map(|i| self.named(&mut out, i))
            .collect();
        let (sum, last) = self.write_loop(&mut out, &named, 0, "%x", None);
        out.line(&format!("return {sum}, {last} : i32, {ty}\n}}"));
        out.text
    }

    fn named(&self, out: &mut Writer, i: usize) -> Named {
        let one = &self.loops[i];
        let mut value = |name: &str, number: &Number| match number.is_argument {
            true => format!("%{name}{i}"),
            false => out.constant(&number.bits, one.counter),
        };
        let (first, limit, step) = (
            value("first", &one.first),
            value("limit", &one.limit),
            value("step", &one.step),
        );
        let offset = out.constant(&one.counter.bits(one.offset.into()), one.counter);
        Named {
            first,
            limit,
            step,
            offset,
        }
    }

    /// Writes a loop and its inner loops; returns the final carried value and the last counter.
    fn write_loop(
        &self,
        out: &mut Writer,
        named: &[Named],
        i: usize,
        initial: &str,
        outer: Option<&str>,
    ) -> (String, String) {
        let (one, ty) = (&self.loops[i], self.loops[i].counter.name());
        let Named {
            first,
            limit,
            step,
            offset,
        } = &named[i];
        let (mut first, mut limit) = (first.clone(), limit.clone());
        if let (Some(outer), Some(more)) = (outer, one.from_outer) {
            let more = out.constant(&one.counter.bits(more), one.counter);
            outer.clone_into(&mut first);
            limit = out.value(&format!("arith.addi {outer}, {more} : {ty}"));
        }
        let (c, a, l) = (format!("%i{i}"), format!("%a{i}"), format!("%l{i}"));
        let tested = |out: &mut Writer, counter: &str| {
            let tested = out.value(&format!("arith.addi {counter}, {offset} : {ty}"));
            out.value(&format!(
                "arith.cmpi {}, {tested}, {limit} : {ty}",
                one.predicate
            ))
        };
        match one.form {
            Form::For | Form::AffineFor => {
                let head = match one.form {
                    Form::For => format!("scf.for {c} = {first} to {limit} step {step}"),
                    _ => format!(
                        "affine.for {c} = {} to {} step {}",
                        one.first.bits.to_signed_string(),
                        one.limit.bits.to_signed_string(),
                        one.step.bits.to_signed_string()
                    ),
                };
                let of_type = match (one.form, one.counter) {
                    (Form::For, Counter::Integer(_)) => format!(" : {ty}"),
                    _ => String::new(),
                };
                out.line(&format!(
                    "%r{i}:2 = {head} iter_args({a} = {initial}, {l} = {first}) -> (i32, {ty}){of_type} {{"
                ));
                let next = self.write_body(out, named, i, &a);
                let dialect = if one.form == Form::For {
                    "scf"
                } else {
                    "affine"
                };
                out.line(&format!("{dialect}.yield {next}, {c} : i32, {ty}\n  }}"));
                (format!("%r{i}#0"), format!("%r{i}#1"))
            }
            Form::While { runs_first } => {
                out.line(&format!(
                    "%r{i}:2 = scf.while ({c} = {first}, {a} = {initial}) : ({ty}, i32) -> ({ty}, i32) {{"
                ));
                if runs_first {
                    let sum = self.write_body(out, named, i, &a);
                    let next = out.value(&format!("arith.addi {c}, {step} : {ty}"));
                    let again = tested(out, &next);
                    out.line(&format!(
                        "scf.condition({again}) {next}, {sum} : {ty}, i32\n  }} do {{"
                    ));
                    out.line(&format!("^bb0(%p{i}: {ty}, %q{i}: i32):"));
                    out.line(&format!("scf.yield %p{i}, %q{i} : {ty}, i32\n  }}"));
                } else {
                    let again = tested(out, &c);
                    out.line(&format!(
                        "scf.condition({again}) {c}, {a} : {ty}, i32\n  }} do {{"
                    ));
                    // The second block uses the same names.
                    out.line(&format!("^bb0({c}: {ty}, {a}: i32):"));
                    let sum = self.write_body(out, named, i, &a);
                    let next = out.value(&format!("arith.addi {c}, {step} : {ty}"));
                    out.line(&format!("scf.yield {next}, {sum} : {ty}, i32\n  }}"));
                }
                (format!("%r{i}#1"), format!("%r{i}#0"))
            }
            Form::Blocks { runs_first } => {
                out.line(&format!("cf.br ^head({first}, {initial} : {ty}, i32)"));
                out.line(&format!("^head({c}: {ty}, {a}: i32):"));
                if runs_first {
                    let sum = self.write_body(out, named, i, &a);
                    let next = out.value(&format!("arith.addi {c}, {step} : {ty}"));
                    let again = tested(out, &next);
                    out.line(&format!(
                        "cf.cond_br {again}, ^head({next}, {sum} : {ty}, i32), ^exit"
                    ));
                    out.line("^exit:");
                    (sum, next)
                } else {
                    let again = tested(out, &c);
                    out.line(&format!("cf.cond_br {again}, ^body, ^exit"));
                    out.line("^body:");
                    let sum = self.write_body(out, named, i, &a);
                    let next = out.value(&format!("arith.addi {c}, {step} : {ty}"));
                    out.line(&format!("cf.br ^head({next}, {sum} : {ty}, i32)"));
                    out.line("^exit:");
                    (a, c)
                }
            }
        }
    }

    /// Writes the computation of the carried value in an iteration; every counter affects it.
    fn write_body(&self, out: &mut Writer, named: &[Named], i: usize, carried: &str) -> String {
        let (counter, c) = (self.loops[i].counter, format!("%i{i}"));
        let low = match counter {
            Counter::Index => out.value(&format!("arith.index_cast {c} : index to i32")),
            Counter::Integer(32) => c.clone(),
            Counter::Integer(width) => {
                let cast = if width < 32 { "extsi" } else { "trunci" };
                out.value(&format!("arith.{cast} {c} : i{width} to i32"))
            }
        };
        let prime = out.value("arith.constant 31 : i32");
        let product = out.value(&format!("arith.muli {carried}, {prime} : i32"));
        let mut sum = out.value(&format!("arith.addi {product}, {low} : i32"));
        if i + 1 < self.loops.len() {
            (sum, _) = self.write_loop(out, named, i + 1, &sum, Some(&c));
        } else if self.has_memory {
            let short = out.value(&format!("arith.trunci {low} : i32 to i3"));
            let at = out.value(&format!("arith.index_castui {short} : i3 to index"));
            let old = out.value(&format!("memref.load %m[{at}] : memref<{WORDS}xi32>"));
            sum = out.value(&format!("arith.xori {sum}, {old} : i32"));
            out.line(&format!(
                "memref.store {sum}, %m[{at}] : memref<{WORDS}xi32>"
            ));
        }
        sum
    }

    /// Returns whether LLVM's lowering has the same meaning: counters of `for` loops must not wrap after their last iteration.
    pub fn suits_oracle(&self) -> bool {
        self.loops.iter().all(|one| {
            if !matches!(one.form, Form::For | Form::AffineFor) {
                return true;
            }
            if one.from_outer.is_some() {
                return false;
            }
            let number = |bits: &Bits| {
                let low = bits.sext(128).to_u128().expect("128 bits");
                low.cast_signed()
            };
            let [first, limit, step] = [&one.first, &one.limit, &one.step].map(|n| number(&n.bits));
            // MLIR folds an `affine.for` by its range, computed in 64 bits with wrap-around.
            if matches!(one.form, Form::AffineFor) && limit - first > i64::MAX.into() {
                return false;
            }
            let n = (limit - first + step - 1).div_euclid(step).max(0);
            first + n * step <= one.counter.ends(true).1
        })
    }
}
