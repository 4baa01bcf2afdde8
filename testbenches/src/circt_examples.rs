//! Reader of CIRCT's own test files of hw, comb, seq, arc and handshake. It extracts every module and every graph, so that the
//! tool that drives the file does not matter.

use std::collections::BTreeSet;

use sluice_config::Config;
use sluice_flow::graphs::Graph;
use sluice_ir::limits::Limits;
use sluice_kernel::compiled::Failure;
use sluice_verify::circuit::{Circuit, ClockTiming};

use crate::module_check::Subject;

/// A module or graph of a file, with its name and the text that it needs.
pub struct Example {
    /// The name of the module.
    pub top: String,
    /// A self-contained text.
    pub text: String,
}

/// Returns the first symbol in a line, without quotes.
fn symbol(line: &str) -> String {
    let name = line.split('@').nth(1).unwrap_or("");
    let end = |c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c));
    let name = match name.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => name.split(end).next(),
    };
    name.unwrap_or("").to_owned()
}

/// Returns the name and the text of each top-level operation.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut depth = 0i64;
    // The brace depth around the current operation, and whether its own brace has been opened.
    let mut inside: Option<(i64, bool)> = None;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("");
        let start = code.trim_start();
        let is_one = ["hw.module", GRAPH, FUNCTION]
            .iter()
            .any(|begin| start.starts_with(begin));
        if inside.is_none() && depth <= 1 && is_one {
            found.push((symbol(start), String::new()));
            inside = Some((depth, false));
        }
        let opens = code.matches('{').count();
        let closes = code.matches('}').count();
        depth += i64::try_from(opens).unwrap_or(0) - i64::try_from(closes).unwrap_or(0);
        let Some((around, is_open)) = inside else {
            continue;
        };
        if let Some((_, body)) = found.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
        let is_open = is_open || opens > 0;
        let has_body = start.starts_with("hw.module ") || is_open;
        let is_over = depth <= around && (is_open || !has_body && code.contains(')'));
        inside = (!is_over).then_some((around, is_open));
    }
    found
}

/// The beginning of a combinational function of arc.
const FUNCTION: &str = "arc.define ";

/// The beginning of a dataflow graph.
const GRAPH: &str = "handshake.func ";

/// Returns the modules and graphs of a file, and the number of its parts that are expected to be rejected.
pub fn examples(file: &str) -> (Vec<Example>, usize) {
    let mut all = Vec::new();
    let mut n_wrong = 0;
    for part in file.split("// -----") {
        let found = operations(part);
        if part.contains("expected-error") {
            let functions = found
                .iter()
                .filter(|(_, body)| body.trim_start().starts_with(FUNCTION));
            n_wrong += found.len() - functions.count();
            continue;
        }
        let is_alias = |line: &&str| line.starts_with('!') || line.starts_with('#');
        let aliases: String = part
            .lines()
            .filter(is_alias)
            .map(|line| format!("{line}\n"))
            .collect();
        for (name, body) in &found {
            let start = body.trim_start();
            let is_graph = start.starts_with(GRAPH) && body.contains("return");
            if !start.starts_with("hw.module ") && !is_graph {
                continue;
            }
            // The symbols that the module uses, directly and indirectly.
            let mut needed: BTreeSet<&str> = BTreeSet::from([name.as_str()]);
            let mut text = aliases.clone();
            loop {
                let uses = |other: &str| {
                    found.iter().any(|(user, body)| {
                        needed.contains(user.as_str()) && body.contains(&format!("@{other}"))
                    })
                };
                let new = found.iter().map(|(other, _)| other.as_str());
                let new: Vec<&str> = new.filter(|o| !needed.contains(o) && uses(o)).collect();
                if new.is_empty() {
                    break;
                }
                needed.extend(new);
            }
            for (other, body) in &found {
                if needed.contains(other.as_str()) {
                    text += body;
                }
            }
            all.push(Example {
                top: name.clone(),
                text,
            });
        }
    }
    (all, n_wrong)
}

/// Chooses values for the parameters of a module without a default: 3, or 1 for single bits.
fn parameters(text: &str, top: &str) -> Vec<(String, String)> {
    let Some((_, list)) = text.split_once(&format!("hw.module @{top}<")) else {
        return Vec::new();
    };
    // A parameter list in inner angle brackets belongs to a type.
    let list = list.split(['>', '(']).next().unwrap_or_default();
    let open = list.split(',').filter(|one| !one.contains('='));
    let named = open.filter_map(|one| one.split_once(':'));
    named
        .filter_map(|(name, ty)| {
            let width: u32 = ty.trim().strip_prefix('i')?.parse().ok()?;
            let value = if width > 1 { "3" } else { "1" };
            Some((name.trim().to_owned(), value.to_owned()))
        })
        .collect()
}

/// Returns the circuit of an example; several clocks get different periods.
///
/// # Errors
/// The message of a text that cannot be read.
pub fn subject(example: &Example, file: &str) -> Result<Subject, String> {
    let failed = |failure: Failure| match failure {
        Failure::Input(message) | Failure::Internal(message) => message,
    };
    let text = &example.text;
    let circuit = if text.contains(GRAPH) {
        let config = Config {
            top: Some(example.top.clone()),
            ..Config::default()
        };
        let graph = Graph::read(text, file, &config).map_err(failed)?;
        graph.map(|graph| graph.circuit)
    } else {
        let parameters = parameters(text, &example.top);
        Circuit::with_parameters(
            text,
            file,
            Some(&example.top),
            &parameters,
            &Limits::default(),
        )
        .map_err(failed)?
    };
    let circuit = circuit.ok_or("the text has no circuit")?;
    let clock_ports = circuit.clocks();
    let mut clocks = Vec::new();
    if clock_ports.len() > 1 {
        for (period, name) in (1..).zip(&clock_ports) {
            clocks.push(ClockTiming {
                name: name.clone(),
                period,
                phase: 0,
            });
        }
    }
    Ok(Subject { circuit, clocks })
}

/// Shortens a message to the part that does not differ from file to file: the operation or the first words.
pub fn reason(message: &str) -> String {
    let line = message.lines().find(|line| line.contains("error: "));
    let line = line.unwrap_or(message.lines().next().unwrap_or(""));
    let line = line.split("error: ").last().unwrap_or(line);
    let mut short = String::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 0 {
            short.push_str(part);
        } else if part.contains('.') && !part.contains(' ') {
            // Only the dialect of an operation is kept.
            short.push_str(&format!("'{}.*'", part.split('.').next().unwrap_or("")));
        } else {
            short.push_str("'...'");
        }
    }
    short.chars().take(110).collect()
}
