//! The line-oriented text form of problems and schedules: printed with `Display`, read back with `FromStr`.
//!
//! ```text
//! problem dot product
//! clock_period_ns 8.5
//! initiation every min_ii=1 max_ii=64
//! resource r0 count=1 name=read port of `%A`
//! operation o0 class=load latency=1 input_delay=0.8 output_delay=2.1 resource=r0 width=32 name=%a = memref.load k.mlir:3
//! operation o1 class=add input_delay=2.5 width=32 name=%sum = arith.addi k.mlir:4
//! data o0 -> o1
//! data o1 -> o1 distance=1
//! order o0 -> o1 distance=1 min_gap=-2
//! ```
//!
//! A key left out has the default 0, `occupancy` 1 and `width` 1. `unchained` on a data line demands a register.
//! `name=` takes the rest of the line. Everything after `//` at the start of a line is a comment.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
    Schedule,
};

/// A line that is not part of a problem text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseProblemError {
    /// Line number, counted from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "problem {}", escape(&self.name))?;
        writeln!(f, "clock_period_ns {}", self.clock_period_ns)?;
        match self.initiation {
            Initiation::Once => writeln!(f, "initiation once")?,
            Initiation::Every {
                min_ii,
                max_ii,
                fixed,
            } => {
                write!(f, "initiation every min_ii={min_ii} max_ii={max_ii}")?;
                writeln!(f, "{}", if fixed { " fixed" } else { "" })?;
            }
        }
        for (index, resource) in self.resources.iter().enumerate() {
            let id = ResourceId::from_index(index);
            writeln!(
                f,
                "resource {id} count={} name={}",
                resource.count,
                escape(&resource.name)
            )?;
        }
        for (index, operation) in self.operations.iter().enumerate() {
            write_operation(f, OperationId::from_index(index), operation)?;
        }
        for dependence in &self.dependences {
            write_dependence(f, dependence)?;
        }
        Ok(())
    }
}

fn write_operation(
    f: &mut fmt::Formatter<'_>,
    id: OperationId,
    operation: &Operation,
) -> fmt::Result {
    write!(f, "operation {id} class={}", escape_word(&operation.class))?;
    if operation.latency_cycles != 0 {
        write!(f, " latency={}", operation.latency_cycles)?;
    }
    write!(f, " input_delay={}", operation.input_delay_ns)?;
    if operation.output_delay_ns != 0.0 {
        write!(f, " output_delay={}", operation.output_delay_ns)?;
    }
    if let Some(resource) = operation.resource {
        write!(f, " resource={resource}")?;
    }
    if operation.occupancy_cycles != 1 {
        write!(f, " occupancy={}", operation.occupancy_cycles)?;
    }
    write!(f, " width={}", operation.width_bits)?;
    if let Some(earliest) = operation.earliest {
        write!(f, " earliest={earliest}")?;
    }
    if let Some(latest) = operation.latest {
        write!(f, " latest={latest}")?;
    }
    writeln!(f, " name={}", escape(&operation.name))
}

fn write_dependence(f: &mut fmt::Formatter<'_>, dependence: &Dependence) -> fmt::Result {
    let word = match dependence.kind {
        DependenceKind::Data { .. } => "data",
        DependenceKind::Order { .. } => "order",
    };
    write!(f, "{word} {} -> {}", dependence.from, dependence.to)?;
    if dependence.distance != 0 {
        write!(f, " distance={}", dependence.distance)?;
    }
    match dependence.kind {
        DependenceKind::Data { chained: true } => writeln!(f),
        DependenceKind::Data { chained: false } => writeln!(f, " unchained"),
        DependenceKind::Order { min_gap_cycles } => writeln!(f, " min_gap={min_gap_cycles}"),
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ii {
            Some(ii) => writeln!(f, "schedule ii={ii} length={}", self.length_cycles)?,
            None => writeln!(f, "schedule length={}", self.length_cycles)?,
        }
        for (index, start) in self.start.iter().enumerate() {
            write!(f, "start {}={start}", OperationId::from_index(index))?;
            match self.unit.get(index).copied().flatten() {
                Some(unit) => writeln!(f, " unit={unit}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn escape_word(text: &str) -> String {
    escape(text).replace(' ', "\\s").replace('\t', "\\t")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('s') => out.push(' '),
            Some('t') => out.push('\t'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

impl FromStr for Problem {
    type Err = ParseProblemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut problem = Problem {
            name: String::new(),
            clock_period_ns: 0.0,
            operations: Vec::new(),
            dependences: Vec::new(),
            resources: Vec::new(),
            initiation: Initiation::Once,
        };
        let mut seen = BTreeMap::new();
        for (index, raw) in text.lines().enumerate() {
            let line = index + 1;
            let content = raw.trim();
            if content.is_empty() || content.starts_with("//") {
                continue;
            }
            let (keyword, rest) = content
                .split_once(char::is_whitespace)
                .unwrap_or((content, ""));
            let at_line = |message: String| ParseProblemError { line, message };
            if matches!(keyword, "problem" | "clock_period_ns" | "initiation")
                && seen.insert(keyword, line).is_some()
            {
                return Err(at_line(format!("a second `{keyword}` line")));
            }
            parse_line(&mut problem, keyword, rest.trim()).map_err(at_line)?;
        }
        for keyword in ["problem", "clock_period_ns", "initiation"] {
            if !seen.contains_key(keyword) {
                let line = text.lines().count() + 1;
                return Err(ParseProblemError {
                    line,
                    message: format!("no `{keyword}` line"),
                });
            }
        }
        Ok(problem)
    }
}

fn parse_line(problem: &mut Problem, keyword: &str, rest: &str) -> Result<(), String> {
    match keyword {
        "problem" => problem.name = unescape(rest),
        "clock_period_ns" => problem.clock_period_ns = number(keyword, rest)?,
        "initiation" => problem.initiation = parse_initiation(rest)?,
        "resource" => {
            let (id, mut fields) = identified(rest, 'r', problem.resources.len())?;
            let count = fields.required("count")?;
            problem.resources.push(Resource {
                name: fields.name(&id),
                count,
            });
            fields.finish()?;
        }
        "operation" => {
            let (id, mut fields) = identified(rest, 'o', problem.operations.len())?;
            let resource = fields
                .words
                .remove("resource")
                .map(|word| parse_id(&word, 'r').map(ResourceId))
                .transpose()?;
            problem.operations.push(Operation {
                class: unescape(&fields.words.remove("class").unwrap_or_default()),
                latency_cycles: fields.or("latency", 0)?,
                input_delay_ns: fields.or("input_delay", 0.0)?,
                output_delay_ns: fields.or("output_delay", 0.0)?,
                resource,
                occupancy_cycles: fields.or("occupancy", 1)?,
                width_bits: fields.or("width", 1)?,
                earliest: fields.optional("earliest")?,
                latest: fields.optional("latest")?,
                name: fields.name(&id),
            });
            fields.finish()?;
        }
        "data" | "order" => problem.dependences.push(parse_dependence(keyword, rest)?),
        _ => {
            return Err(format!(
                "unknown line `{keyword}`; expected problem, clock_period_ns, initiation, resource, operation, data or order"
            ));
        }
    }
    Ok(())
}

fn parse_initiation(rest: &str) -> Result<Initiation, String> {
    let (word, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let mut fields = Fields::parse(tail)?;
    let initiation = match word {
        "once" => Initiation::Once,
        "every" => Initiation::Every {
            min_ii: fields.or("min_ii", 1)?,
            max_ii: fields.or("max_ii", u32::MAX)?,
            fixed: fields.flag("fixed"),
        },
        _ => {
            return Err(format!(
                "unknown initiation `{word}`; expected `once` or `every`"
            ));
        }
    };
    fields.finish()?;
    Ok(initiation)
}

fn parse_dependence(keyword: &str, rest: &str) -> Result<Dependence, String> {
    let mut words = rest.splitn(4, char::is_whitespace);
    let (Some(from), Some("->"), Some(to)) = (words.next(), words.next(), words.next()) else {
        return Err(format!("expected `{keyword} o0 -> o1`"));
    };
    let mut fields = Fields::parse(words.next().unwrap_or(""))?;
    let kind = match keyword {
        "data" => DependenceKind::Data {
            chained: !fields.flag("unchained"),
        },
        _ => DependenceKind::Order {
            min_gap_cycles: fields.required("min_gap")?,
        },
    };
    let dependence = Dependence {
        from: OperationId(parse_id(from, 'o')?),
        to: OperationId(parse_id(to, 'o')?),
        distance: fields.or("distance", 0)?,
        kind,
    };
    fields.finish()?;
    Ok(dependence)
}

/// The `key=value` words and bare flags of one line.
struct Fields {
    words: BTreeMap<String, String>,
    flags: Vec<String>,
}

impl Fields {
    fn parse(text: &str) -> Result<Self, String> {
        let mut fields = Self {
            words: BTreeMap::new(),
            flags: Vec::new(),
        };
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            if let Some(name) = rest.strip_prefix("name=") {
                fields.words.insert("name".to_owned(), name.to_owned());
                return Ok(fields);
            }
            let (word, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match word.split_once('=') {
                Some((key, value)) => {
                    if fields
                        .words
                        .insert(key.to_owned(), value.to_owned())
                        .is_some()
                    {
                        return Err(format!("a second `{key}=`"));
                    }
                }
                None => fields.flags.push(word.to_owned()),
            }
            rest = tail.trim_start();
        }
        Ok(fields)
    }

    fn optional<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, String> {
        self.words
            .remove(key)
            .map(|value| number(key, &value))
            .transpose()
    }

    fn or<T: FromStr>(&mut self, key: &str, default: T) -> Result<T, String> {
        Ok(self.optional(key)?.unwrap_or(default))
    }

    fn required<T: FromStr>(&mut self, key: &str) -> Result<T, String> {
        self.optional(key)?
            .ok_or_else(|| format!("expected `{key}=`"))
    }

    fn flag(&mut self, name: &str) -> bool {
        let found = self.flags.iter().position(|flag| flag == name);
        found.map(|index| self.flags.remove(index)).is_some()
    }

    fn name(&mut self, id: &str) -> String {
        self.words
            .remove("name")
            .map_or_else(|| id.to_owned(), |name| unescape(&name))
    }

    fn finish(self) -> Result<(), String> {
        match self.words.keys().chain(&self.flags).next() {
            Some(word) => Err(format!("unknown word `{word}`")),
            None => Ok(()),
        }
    }
}

fn identified(rest: &str, letter: char, expected: usize) -> Result<(String, Fields), String> {
    let (id, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if usize::try_from(parse_id(id, letter)?).ok() != Some(expected) {
        return Err(format!(
            "expected `{letter}{expected}` here, found `{id}`: ids count up from 0"
        ));
    }
    Ok((id.to_owned(), Fields::parse(tail)?))
}

fn parse_id(word: &str, letter: char) -> Result<u32, String> {
    word.strip_prefix(letter)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| format!("expected an id such as `{letter}0`, found `{word}`"))
}

fn number<T: FromStr>(key: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("`{key}` cannot be `{value}`"))
}
