//! Pass options: the known options, their valid values, and values that Sluice does not support.

use std::fmt;

use sluice_ir::suggestion::did_you_mean;

use super::parse::{Fault, Names, Parsed};

/// The valid values of an option.
#[derive(Clone, Copy)]
pub enum OptionKind {
    /// A number of at least this value.
    Number(i64),
    /// Numbers of at least this value, separated by commas.
    Numbers(i64),
    /// `true` or `false`. The name alone means `true`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Function passes, separated by commas.
    Passes,
    /// The only supported value, and the reason.
    Only(&'static str, &'static str),
}

/// An option of a pass.
struct Known {
    pass: &'static str,
    name: &'static str,
    kind: OptionKind,
}

/// All options. An option that is not restricted to one value behaves as in mlir-opt.
const KNOWN: &[Known] = &[
    Known {
        pass: "canonicalize",
        name: "max-iterations",
        kind: OptionKind::Number(-1),
    },
    Known {
        pass: "canonicalize",
        name: "region-simplify",
        kind: OptionKind::Word(&["disabled", "normal"]),
    },
    Known {
        pass: "canonicalize",
        name: "test-convergence",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "canonicalize",
        name: "top-down",
        kind: OptionKind::Only("true", "operations are visited in the order of the text"),
    },
    Known {
        pass: "canonicalize",
        name: "max-num-rewrites",
        kind: OptionKind::Only("-1", "rewrites are not counted"),
    },
    Known {
        pass: "canonicalize",
        name: "disable-patterns",
        kind: OptionKind::Only("", "patterns have other names here"),
    },
    Known {
        pass: "canonicalize",
        name: "enable-patterns",
        kind: OptionKind::Only("", "patterns have other names here"),
    },
    Known {
        pass: "inline",
        name: "default-pipeline",
        kind: OptionKind::Passes,
    },
    Known {
        pass: "inline",
        name: "max-iterations",
        kind: OptionKind::Number(0),
    },
    Known {
        pass: "inline",
        name: "inlining-threshold",
        kind: OptionKind::Only("4294967295", "every call that can be inlined is"),
    },
    Known {
        pass: "one-shot-bufferize",
        name: "bufferize-function-boundaries",
        kind: OptionKind::Only(
            "true",
            "a function that keeps tensors could not be compiled",
        ),
    },
    Known {
        pass: "one-shot-bufferize",
        name: "function-boundary-type-conversion",
        kind: OptionKind::Only(
            "identity-layout-map",
            "arguments and results are whole memories",
        ),
    },
    Known {
        pass: "one-shot-bufferize",
        name: "allow-return-allocs-from-loops",
        kind: OptionKind::Only(
            "true",
            "a loop leaves its tensors in the memories where it begins",
        ),
    },
    Known {
        pass: "inline",
        name: "op-pipelines",
        kind: OptionKind::Only("", "use `default-pipeline`"),
    },
    Known {
        pass: "arith-expand",
        name: "include-bf16",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-unroll",
        name: "unroll-factor",
        kind: OptionKind::Number(1),
    },
    Known {
        pass: "affine-loop-unroll",
        name: "unroll-full",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-unroll",
        name: "unroll-full-threshold",
        kind: OptionKind::Number(0),
    },
    Known {
        pass: "affine-loop-unroll",
        name: "unroll-num-reps",
        kind: OptionKind::Number(1),
    },
    Known {
        pass: "affine-loop-unroll",
        name: "unroll-up-to-factor",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-unroll",
        name: "cleanup-unroll",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-normalize",
        name: "promote-single-iter",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "scf-parallel-loop-tiling",
        name: "parallel-loop-tile-sizes",
        kind: OptionKind::Numbers(1),
    },
    Known {
        pass: "scf-parallel-loop-tiling",
        name: "no-min-max-bounds",
        kind: OptionKind::Only("false", "the bounds of a tile are a minimum"),
    },
    Known {
        pass: "print-op-stats",
        name: "json",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "scf-for-loop-peeling",
        name: "skip-partial",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "scf-for-loop-peeling",
        name: "peel-front",
        kind: OptionKind::Only("false", "a loop may have no first iteration"),
    },
    Known {
        pass: "affine-loop-fusion",
        name: "mode",
        kind: OptionKind::Word(&["greedy", "producer", "sibling"]),
    },
    Known {
        pass: "affine-loop-fusion",
        name: "fusion-maximal",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-fusion",
        name: "fusion-compute-tolerance",
        kind: OptionKind::Only("0.3", "nests of equal bounds need no more computations"),
    },
    Known {
        pass: "affine-loop-fusion",
        name: "fusion-local-buf-threshold",
        kind: OptionKind::Only("0", "memories stay in their memory space"),
    },
    Known {
        pass: "affine-loop-unroll-jam",
        name: "unroll-jam-factor",
        kind: OptionKind::Number(1),
    },
    Known {
        pass: "affine-parallelize",
        name: "max-nested",
        kind: OptionKind::Number(0),
    },
    Known {
        pass: "affine-parallelize",
        name: "parallel-reductions",
        kind: OptionKind::Flag,
    },
    Known {
        pass: "affine-loop-tile",
        name: "tile-size",
        kind: OptionKind::Number(1),
    },
    Known {
        pass: "affine-loop-tile",
        name: "tile-sizes",
        kind: OptionKind::Numbers(1),
    },
    Known {
        pass: "affine-loop-tile",
        name: "separate",
        kind: OptionKind::Only("false", "a loop over points has a minimum as its bound"),
    },
    Known {
        pass: "affine-loop-tile",
        name: "cache-size",
        kind: OptionKind::Only("512", "sizes of tiles are options; the default is 4"),
    },
];

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Several numbers.
    Numbers(Vec<i64>),
    /// A Boolean.
    Flag(bool),
    /// A word.
    Word(&'static str),
    /// Passes with their options, which run on a function.
    Passes(Vec<super::PassCall>),
}

/// Options of one pass, sorted by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(&'static str, Value)>);

impl Options {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }

    /// Returns the number of an option, if it is given.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Number(number) => Some(*number),
            Value::Numbers(_) | Value::Flag(_) | Value::Word(_) | Value::Passes(_) => None,
        }
    }

    /// Returns the numbers of an option, if it is given.
    pub fn numbers(&self, name: &str) -> Option<&[i64]> {
        match self.get(name)? {
            Value::Numbers(numbers) => Some(numbers),
            Value::Number(_) | Value::Flag(_) | Value::Word(_) | Value::Passes(_) => None,
        }
    }

    /// Returns true if a flag is given and set.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Value::Flag(true))
    }

    /// Returns the value of a flag, or `default` if it is not given.
    pub fn flag_or(&self, name: &str, default: bool) -> bool {
        let given = self.get(name);
        given.map_or(default, |given| *given == Value::Flag(true))
    }

    /// Returns true if an option has this word as its value.
    pub fn is(&self, name: &str, word: &str) -> bool {
        matches!(self.get(name), Some(Value::Word(given)) if *given == word)
    }

    /// Returns the passes of an option, if it is given.
    pub fn passes(&self, name: &str) -> Option<&[super::PassCall]> {
        match self.get(name)? {
            Value::Passes(passes) => Some(passes),
            Value::Number(_) | Value::Numbers(_) | Value::Flag(_) | Value::Word(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                f.write_str(&numbers.join(","))
            }
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Word(word) => f.write_str(word),
            Self::Passes(passes) => {
                for (position, pass) in passes.iter().enumerate() {
                    f.write_str(if position > 0 { "," } else { "" })?;
                    write!(f, "{pass}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        for (position, (name, value)) in self.0.iter().enumerate() {
            f.write_str(if position > 0 { " " } else { "{" })?;
            write!(f, "{name}={value}")?;
        }
        f.write_str("}")
    }
}

/// Parses the options between braces; `column` is the column of the first character.
pub(super) fn read_options(
    pass: &'static str,
    text: &[char],
    column: usize,
    names: Names<'_>,
) -> Parsed<Options> {
    let mut options = Options::default();
    let mut at = 0;
    while at < text.len() {
        if text[at].is_whitespace() {
            at += 1;
            continue;
        }
        let start = at;
        at = end_of_option(text, at);
        let given: String = text[start..at].iter().collect();
        let column = column + start;
        let (name, value) = match given.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (given.as_str(), None),
        };
        let (name, value) = read_option(pass, name, value, column, names)?;
        // As upstream: the last value of an option that is given twice counts.
        options.0.retain(|(known, _)| *known != name);
        options.0.extend(value.map(|value| (name, value)));
    }
    options.0.sort_by_key(|(name, _)| *name);
    Ok(options)
}

/// Returns the end of the option that begins at `start`: the next space outside braces, parentheses and quotes.
fn end_of_option(text: &[char], start: usize) -> usize {
    let (mut depth, mut quote) = (0usize, None);
    let mut at = start;
    while let Some(c) = text.get(at) {
        match (quote, c) {
            (Some(end), _) if end == *c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(*c),
            (None, '{' | '(') => depth += 1,
            (None, '}' | ')') => depth = depth.saturating_sub(1),
            (None, c) if c.is_whitespace() && depth == 0 => break,
            (None, _) => {}
        }
        at += 1;
    }
    at
}

fn unquoted(value: &str) -> &str {
    for (open, close) in [('"', '"'), ('\'', '\''), ('{', '}')] {
        let inner = value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner {
            return inner;
        }
    }
    value
}

/// Returns the options of a pass: those of the table, or those that the program declares with the pass.
fn options_of(pass: &str) -> Vec<(&'static str, OptionKind)> {
    let known = KNOWN.iter().filter(|known| known.pass == pass);
    let known = known.map(|known| (known.name, known.kind));
    let own = crate::own().iter().filter(|own| own.pass.name == pass);
    known
        .chain(own.flat_map(|own| own.options).copied())
        .collect()
}

/// Parses an option with its value. The value is `None` if it equals the only supported behaviour.
fn read_option(
    pass: &'static str,
    name: &str,
    value: Option<&str>,
    column: usize,
    names: Names<'_>,
) -> Parsed<(&'static str, Option<Value>)> {
    let fault = |message: String| Err(Fault { column, message });
    let of_pass = options_of(pass);
    let Some((known_name, kind)) = of_pass.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = of_pass.iter().map(|(known, _)| *known).collect();
        let hint = match names.is_empty() {
            true => "it has none".to_owned(),
            false => did_you_mean(name, &names),
        };
        return fault(format!("`{pass}` has no option `{name}`; {hint}"));
    };
    let name = *known_name;
    let Some(given) = value.map(unquoted).or(match kind {
        OptionKind::Flag | OptionKind::Only("true", _) => Some("true"),
        OptionKind::Number(_)
        | OptionKind::Numbers(_)
        | OptionKind::Word(_)
        | OptionKind::Passes
        | OptionKind::Only(..) => None,
    }) else {
        return fault(format!(
            "option `{name}` of `{pass}` needs a value: `{name}=...`"
        ));
    };
    let value = match kind {
        OptionKind::Number(least) => match given.parse::<i64>() {
            Ok(number) if number >= *least => Value::Number(number),
            _ => {
                return fault(format!(
                    "`{name}` is a number from {least} on, not `{given}`"
                ));
            }
        },
        OptionKind::Numbers(least) => {
            let numbers = given.split(',').map(|number| number.trim().parse::<i64>());
            let numbers = numbers.collect::<Result<Vec<i64>, _>>();
            match numbers {
                Ok(numbers) if numbers.iter().all(|number| number >= least) => {
                    Value::Numbers(numbers)
                }
                _ => {
                    return fault(format!(
                        "`{name}` is numbers from {least} on, separated by commas, not `{given}`"
                    ));
                }
            }
        }
        OptionKind::Flag => match flag(given) {
            Some(flag) => Value::Flag(flag),
            None => return fault(format!("`{name}` is `true` or `false`, not `{given}`")),
        },
        OptionKind::Word(words) => match words.iter().find(|word| **word == given) {
            Some(word) => Value::Word(word),
            None => {
                let hint = did_you_mean(given, words);
                return fault(format!("`{name}` of `{pass}` cannot be `{given}`; {hint}"));
            }
        },
        OptionKind::Passes => Value::Passes(passes(given, column, names)?),
        OptionKind::Only(only, why) => {
            let is_same = given == *only || (flag(given).is_some() && flag(given) == flag(only));
            if !is_same {
                return fault(format!(
                    "`{name}={given}` of `{pass}` is not supported: {why}"
                ));
            }
            return Ok((name, None));
        }
    };
    Ok((name, Some(value)))
}

fn flag(given: &str) -> Option<bool> {
    match given {
        "true" | "TRUE" | "True" | "1" => Some(true),
        "false" | "FALSE" | "False" | "0" => Some(false),
        _ => None,
    }
}

/// Parses passes that run on a function.
fn passes(text: &str, column: usize, names: Names<'_>) -> Parsed<Vec<super::PassCall>> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let fault = |message: String| Fault { column, message };
    let pipeline = super::parse::whole(&format!("any({text})"), names);
    let pipeline = pipeline.map_err(|inner| fault(inner.message))?;
    let calls = pipeline.elements.into_iter().map(|element| match element {
        super::Element::Pass(call) if crate::runs_on_bodies(call.name) => Ok(call),
        super::Element::Pass(call) => Err(fault(format!(
            "`{}` does not run on one function alone",
            call.name
        ))),
        super::Element::Nested(nested) => {
            let message = format!("`{}(...)`: passes run on a function here", nested.anchor);
            Err(fault(message))
        }
    });
    calls.collect()
}
