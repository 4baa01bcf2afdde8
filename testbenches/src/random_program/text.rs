//! Printing of programs as MLIR text and of configurations as `kernel.yaml`.

use std::fmt::Write;

use sluice_config::{Config, ReuseChoice, Speculate, Style, Use};

use super::{Function, Program, Region, Statement, Type, ValueId};

impl Program {
    /// Returns the MLIR text.
    pub fn text(&self) -> String {
        let mut writer = Writer {
            program: self,
            text: String::new(),
            indent: 1,
        };
        for global in &self.globals {
            writer.text += &global.text;
            writer.text.push('\n');
        }
        for (i, function) in self.functions.iter().enumerate() {
            writer.function(function, i + 1 < self.functions.len());
        }
        writer.text
    }
}

/// Returns the configuration as the text of a `kernel.yaml`.
pub(super) fn configuration(config: &Config) -> String {
    let mut text = format!("device: {}\n", config.device);
    if let Some(period) = config.clock_period_ns {
        let _ = writeln!(text, "clock_period_ns: {period}");
    }
    if !config.rewrite {
        text += "rewrite: false\n";
    }
    match config.speculate {
        Speculate::Everywhere(rounds) => {
            let _ = writeln!(text, "speculate: {rounds}");
        }
        Speculate::Never => text += "speculate: false\n",
        Speculate::Ahead(_) | Speculate::WhereFaster => {}
    }
    if config.style == Style::Elastic {
        text += "style: elastic\n";
    }
    match config.lsq {
        Use::Everywhere => text += "lsq: everywhere\n",
        Use::Never => text += "lsq: false\n",
        Use::WhereFaster => {}
    }
    if !config.keep.is_empty() {
        let _ = writeln!(text, "keep: [{}]", config.keep.join(", "));
    }
    for (i, (name, limit)) in config.limits.iter().enumerate() {
        let head = if i == 0 { "limits:\n" } else { "" };
        let _ = writeln!(text, "{head}  {name}: {limit}");
    }
    for (i, (name, directives)) in config.loops.iter().enumerate() {
        let head = if i == 0 { "loops:\n" } else { "" };
        let all = [
            directives
                .style
                .filter(|style| *style == Style::Static)
                .map(|_| "style: static".to_owned()),
            directives.pipeline.map(|v| format!("pipeline: {v}")),
            directives.ii.map(|v| format!("ii: {v}")),
            directives.unroll.map(|v| format!("unroll: {v}")),
            directives.jam.map(|v| format!("jam: {v}")),
            directives.flatten.map(|v| format!("flatten: {v}")),
            directives.distribute.map(|v| format!("distribute: {v}")),
            directives.fuse.map(|v| format!("fuse: {v}")),
            (!directives.interchange.is_empty())
                .then(|| format!("interchange: [{}]", directives.interchange.join(", "))),
            directives.tile.map(|v| format!("tile: {v}")),
            directives.peel_first.map(|v| format!("peel_first: {v}")),
            directives.peel_last.map(|v| format!("peel_last: {v}")),
        ];
        let all: Vec<String> = all.into_iter().flatten().collect();
        let _ = writeln!(text, "{head}  {name}: {{{}}}", all.join(", "));
    }
    for (i, (name, bank_directives)) in config.banks.iter().enumerate() {
        let head = if i == 0 { "banks:\n" } else { "" };
        let bank_directives: Vec<String> = bank_directives
            .iter()
            .map(|directive| {
                let all = [
                    directive.dim.map(|v| format!("dim: {v}")),
                    directive.factor.map(|v| format!("factor: {v}")),
                    directive.kind.as_ref().map(|v| format!("kind: {v}")),
                    directive.block.map(|v| format!("block: {v}")),
                ];
                let all: Vec<String> = all.into_iter().flatten().collect();
                format!("{{{}}}", all.join(", "))
            })
            .collect();
        let _ = writeln!(text, "{head}  {name}: [{}]", bank_directives.join(", "));
    }
    for (i, (name, directive)) in config.storage.iter().enumerate() {
        let head = if i == 0 { "storage:\n" } else { "" };
        let kind = format!("kind: {}", directive.kind);
        let reads = directive.reads.map(|v| format!("reads: {v}"));
        let ports = directive.ports.as_ref().map(|v| format!("ports: {v}"));
        let all: Vec<String> = [Some(kind), reads, ports].into_iter().flatten().collect();
        let _ = writeln!(text, "{head}  {name}: {{{}}}", all.join(", "));
    }
    if config.parallel {
        text += "parallel: auto\n";
    }
    if config.reuse != Config::default().reuse {
        let choice = match config.reuse.choice {
            ReuseChoice::Off => "off",
            ReuseChoice::Auto => "auto",
            ReuseChoice::Always => "always",
        };
        let bits = config.reuse.most_bits;
        let bits = bits.map_or_else(String::new, |bits| format!(", most_bits: {bits}"));
        let _ = writeln!(text, "reuse: {{choose: {choice}{bits}}}");
    }
    text
}

struct Writer<'a> {
    program: &'a Program,
    text: String,
    indent: usize,
}

fn name(value: ValueId) -> String {
    format!("%v{}", value.0)
}

impl Writer<'_> {
    fn function(&mut self, function: &Function, private: bool) {
        let ty = |v: &ValueId| self.program.ty(*v).text();
        let arguments: Vec<String> = function
            .arguments
            .iter()
            .map(|v| format!("{}: {}", name(*v), ty(v)))
            .collect();
        let types: Vec<String> = function.returned.iter().map(ty).collect();
        let results = if types.is_empty() {
            String::new()
        } else {
            format!(" -> ({})", types.join(", "))
        };
        let visibility = if private { "private " } else { "" };
        let _ = writeln!(
            self.text,
            "func.func {visibility}@{}({}){results} {{",
            function.name,
            arguments.join(", ")
        );
        for statement in &function.body {
            self.statement(statement);
        }
        let values: Vec<String> = function.returned.iter().copied().map(name).collect();
        let returned = if values.is_empty() {
            "return".to_owned()
        } else {
            format!("return {} : {}", values.join(", "), types.join(", "))
        };
        self.line(&returned);
        self.text += "}\n";
    }

    fn line(&mut self, line: &str) {
        if line.starts_with('}') {
            self.indent -= 1;
        }
        let indent = if line.starts_with('^') {
            self.indent - 1
        } else {
            self.indent
        };
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(indent));
        if line.ends_with('{') {
            self.indent += 1;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        for line in statement.template.lines() {
            match line.strip_prefix('&').and_then(|n| n.parse::<usize>().ok()) {
                Some(region) => {
                    for inner in &statement.regions[region].statements {
                        self.statement(inner);
                    }
                }
                None => {
                    let filled = fill(statement, line);
                    self.line(&filled);
                }
            }
        }
    }
}

/// Returns a line of the template with its holes filled.
fn fill(statement: &Statement, line: &str) -> String {
    let mut filled = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['%', '^']) {
        filled += &rest[..at];
        let (sigil, kind) = (&rest[at..=at], rest[at + 1..].chars().next().unwrap_or(' '));
        let body = &rest[(at + 2).min(rest.len())..];
        let digits = body
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(body.len());
        let (number, after) = body.split_at(digits);
        let hole = match (sigil, kind) {
            ("%", 'o') => number
                .parse()
                .ok()
                .map(|i: usize| name(statement.operands[i])),
            ("%", 'r') => number
                .parse()
                .ok()
                .map(|i: usize| name(statement.results[i])),
            ("%", 'l') => Some(format!("%t{}_{number}", statement.tag)),
            ("^", 'l') => Some(format!("^b{}_{number}", statement.tag)),
            ("%", 'a') => in_region(statement, number, |region| &region.arguments),
            ("%", 'y') => in_region(statement, number, |region| &region.passed),
            _ => None,
        };
        match hole {
            Some(text) => {
                filled += &text;
                rest = after;
            }
            None => {
                filled += sigil;
                rest = &rest[at + 1..];
            }
        }
    }
    filled + rest
}

fn in_region(
    statement: &Statement,
    number: &str,
    values: impl Fn(&Region) -> &Vec<ValueId>,
) -> Option<String> {
    let (region, position) = number.split_once('.')?;
    let region = &statement.regions[region.parse::<usize>().ok()?];
    Some(name(values(region)[position.parse::<usize>().ok()?]))
}

/// Returns a literal of this type for a small number.
pub(super) fn literal(ty: &Type, value: i128) -> String {
    match ty {
        Type::Integer(1) => (value & 1 == 1).to_string(),
        Type::Integer(_) | Type::Index { .. } | Type::Memory { .. } => {
            format!("{value} : {}", ty.text())
        }
    }
}
