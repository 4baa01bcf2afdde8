//! Reduces a program while it keeps its fault.
//!
//! Deleted statements are replaced by constants for values that are still used. Loops and conditionals are replaced by one of
//! their bodies, and operands by constants. Functions lose arguments and results, and the configuration loses directives. An edit
//! that gives an invalid program, or one without the fault, is undone; so no edit has to be correct.

use std::collections::BTreeSet;

use sluice_config::Config;

use super::text::literal;
use super::{Program, Statement, Type, ValueId};

/// An edit; statements are numbered over all functions, outer ones before inner ones.
#[derive(Clone, Debug)]
enum Edit {
    Delete(usize),
    /// Replaces a statement by the operations of one of its regions.
    Open(usize, usize),
    Operand(usize, usize),
    Passed(usize, usize, usize),
    Result(usize),
    Argument(usize),
    Configuration(ConfigurationEdit),
}

#[derive(Clone, Debug)]
enum ConfigurationEdit {
    All,
    Device,
    Period,
    Rewrite,
    Keep(String),
    Limit(String),
    Loop(String),
    Banks(String),
    Storage(String),
    Parallel,
    Reuse,
}

/// Returns the smallest program found; `is_wrong` tells whether a program still has the fault.
///
/// Complexity: a few calls of `is_wrong` per statement.
pub fn shrink(program: &Program, is_wrong: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let mut changed = false;
        let mut edits = edits(&best);
        while let Some(edit) = edits.pop() {
            let Some(candidate) = apply(&best, &edit) else {
                continue;
            };
            if is_wrong(&candidate) {
                best = candidate;
                changed = true;
                // Statements after the edit have new numbers now. (If a function was removed, all have: then an edit changes a
                // different statement, which does no harm.) Operands may have moved.
                if let Edit::Delete(at) | Edit::Open(at, _) = edit {
                    edits.retain(|e| match e {
                        Edit::Delete(i) | Edit::Open(i, _) => *i < at,
                        Edit::Configuration(_) => true,
                        Edit::Operand(..)
                        | Edit::Passed(..)
                        | Edit::Result(_)
                        | Edit::Argument(_) => false,
                    });
                } else if !matches!(edit, Edit::Configuration(_)) {
                    break;
                }
            }
        }
        if !changed {
            return best;
        }
    }
}

/// Returns all edits to try; the last one is tried first.
fn edits(program: &Program) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut all = Vec::new();
    for function in &program.functions {
        walk(&function.body, 0, &mut all);
    }
    let constants: BTreeSet<ValueId> = all
        .iter()
        .filter(|(s, _)| is_constant(s))
        .flat_map(|(s, _)| s.results.clone())
        .collect();
    let can_be_constant =
        |v: &ValueId| !constants.contains(v) && !matches!(program.ty(*v), Type::Memory { .. });
    for (at, (statement, _)) in all.iter().enumerate() {
        for (i, operand) in statement.operands.iter().enumerate() {
            if can_be_constant(operand) {
                edits.push(Edit::Operand(at, i));
            }
        }
        for (r, region) in statement.regions.iter().enumerate() {
            for (i, passed) in region.passed.iter().enumerate() {
                if can_be_constant(passed) {
                    edits.push(Edit::Passed(at, r, i));
                }
            }
        }
    }
    let kernel = program.kernel();
    edits.extend((0..kernel.arguments.len()).map(Edit::Argument));
    edits.extend((0..kernel.returned.len()).map(Edit::Result));
    for (at, (statement, _)) in all.iter().enumerate() {
        edits.extend((0..statement.regions.len()).map(|r| Edit::Open(at, r)));
    }
    // Outer statements come first, and among these the last ones, so that their operands become unused.
    let mut deletions: Vec<(usize, u32)> = all
        .iter()
        .enumerate()
        .map(|(at, (_, depth))| (at, *depth))
        .collect();
    deletions.sort_by_key(|(at, depth)| (std::cmp::Reverse(*depth), *at));
    edits.extend(deletions.into_iter().map(|(at, _)| Edit::Delete(at)));
    let config = &program.config;
    edits.extend(
        config
            .limits
            .keys()
            .map(|k| Edit::Configuration(ConfigurationEdit::Limit(k.clone()))),
    );
    edits.extend(
        config
            .loops
            .keys()
            .map(|k| Edit::Configuration(ConfigurationEdit::Loop(k.clone()))),
    );
    edits.extend(
        config
            .keep
            .iter()
            .map(|k| Edit::Configuration(ConfigurationEdit::Keep(k.clone()))),
    );
    edits.extend(
        config
            .banks
            .keys()
            .map(|k| Edit::Configuration(ConfigurationEdit::Banks(k.clone()))),
    );
    let memories = config.storage.keys();
    edits.extend(memories.map(|k| Edit::Configuration(ConfigurationEdit::Storage(k.clone()))));
    let single = [
        ConfigurationEdit::Parallel,
        ConfigurationEdit::Reuse,
        ConfigurationEdit::Rewrite,
        ConfigurationEdit::Device,
        ConfigurationEdit::Period,
        ConfigurationEdit::All,
    ];
    edits.extend(single.map(Edit::Configuration));
    edits
}

fn walk<'a>(list: &'a [Statement], depth: u32, all: &mut Vec<(&'a Statement, u32)>) {
    for statement in list {
        all.push((statement, depth));
        for region in &statement.regions {
            walk(&region.statements, depth + 1, all);
        }
    }
}

fn is_constant(statement: &Statement) -> bool {
    statement.regions.is_empty()
        && statement.results.len() == 1
        && statement.template.starts_with("%r0 = arith.constant")
}

fn used(program: &Program) -> BTreeSet<ValueId> {
    let mut all = Vec::new();
    let mut used = BTreeSet::new();
    for function in &program.functions {
        walk(&function.body, 0, &mut all);
        used.extend(function.returned.iter().copied());
    }
    for (statement, _) in all {
        used.extend(statement.operands.iter().copied());
        for region in &statement.regions {
            used.extend(region.passed.iter().copied());
        }
    }
    used
}

/// Returns the list with statement `at`, and the position in it.
fn position(functions: &mut Program, at: usize) -> Option<(&mut Vec<Statement>, usize)> {
    let mut left = at;
    for function in &mut functions.functions {
        match find(&mut function.body, left) {
            Ok(found) => return Some(found),
            Err(rest) => left = rest,
        }
    }
    None
}

fn count(list: &[Statement]) -> usize {
    let inner = |s: &Statement| -> usize { s.regions.iter().map(|r| count(&r.statements)).sum() };
    list.iter().map(|s| 1 + inner(s)).sum()
}

fn find(list: &mut Vec<Statement>, at: usize) -> Result<(&mut Vec<Statement>, usize), usize> {
    let mut left = at;
    for i in 0..list.len() {
        if left == 0 {
            return Ok((list, i));
        }
        let n = count(std::slice::from_ref(&list[i]));
        if left < n {
            left -= 1;
            for region in &mut list[i].regions {
                let n = count(&region.statements);
                if left < n {
                    return find(&mut region.statements, left);
                }
                left -= n;
            }
            return Err(left);
        }
        left -= n;
    }
    Err(left)
}

impl Program {
    fn new_tag(&self) -> u32 {
        let mut all = Vec::new();
        for function in &self.functions {
            walk(&function.body, 0, &mut all);
        }
        all.iter().map(|(s, _)| s.tag).max().unwrap_or(0) + 1
    }

    /// Returns a statement that defines `value` as 0; `None` for memories.
    fn zero(&self, value: ValueId, tag: u32) -> Option<Statement> {
        let ty = self.ty(value);
        if matches!(ty, Type::Memory { .. }) {
            return None;
        }
        Some(Statement {
            tag,
            template: format!("%r0 = arith.constant {}", literal(ty, 0)),
            operands: Vec::new(),
            results: vec![value],
            regions: Vec::new(),
        })
    }

    /// Returns statements that define the used ones of `values` as 0.
    fn zeros(&self, values: &[ValueId]) -> Option<Vec<Statement>> {
        let (used, tag) = (used(self), self.new_tag());
        let used = values.iter().filter(|v| used.contains(v));
        used.map(|v| self.zero(*v, tag)).collect()
    }

    /// Creates a value with the type of `value`, and the statement that defines it as 0.
    fn new_zero(&mut self, value: ValueId) -> Option<(ValueId, Statement)> {
        let ty = self.ty(value).clone();
        let new = ValueId(u32::try_from(self.types.len()).ok()?);
        self.types.push(ty);
        let tag = self.new_tag();
        Some((new, self.zero(new, tag)?))
    }
}

fn apply(program: &Program, edit: &Edit) -> Option<Program> {
    let mut made = program.clone();
    match edit {
        Edit::Delete(at) => {
            let results = position(&mut made, *at).map(|(list, i)| list[i].results.clone())?;
            let zeros = made.zeros(&results)?;
            let (list, i) = position(&mut made, *at)?;
            if is_constant(&list[i]) && !zeros.is_empty() {
                return None;
            }
            list.splice(i..=i, zeros);
        }
        Edit::Open(at, r) => {
            let (region, results) = position(&mut made, *at).and_then(|(list, i)| {
                let region = list[i].regions.get(*r)?.clone();
                Some((region, list[i].results.clone()))
            })?;
            let mut opened = made.zeros(&region.arguments)?;
            opened.extend(region.statements);
            opened.extend(made.zeros(&results)?);
            let (list, i) = position(&mut made, *at)?;
            list.splice(i..=i, opened);
        }
        Edit::Operand(at, i) => {
            let operand =
                *position(&mut made, *at).and_then(|(list, k)| list[k].operands.get(*i))?;
            let (new, zero) = made.new_zero(operand)?;
            let (list, k) = position(&mut made, *at)?;
            list[k].operands[*i] = new;
            list.insert(k, zero);
        }
        Edit::Passed(at, r, i) => {
            let passed = *position(&mut made, *at)
                .and_then(|(list, k)| list[k].regions.get(*r)?.passed.get(*i))?;
            let (new, zero) = made.new_zero(passed)?;
            let (list, k) = position(&mut made, *at)?;
            list[k].regions[*r].passed[*i] = new;
            list.insert(k, zero);
        }
        Edit::Result(i) => {
            made.functions.last_mut()?.returned.remove(*i);
        }
        Edit::Argument(i) => {
            let removed = made.functions.last_mut()?.arguments.remove(*i);
            if used(&made).contains(&removed) {
                let tag = made.new_tag();
                let zero = made.zero(removed, tag)?;
                made.functions.last_mut()?.body.insert(0, zero);
            }
        }
        Edit::Configuration(edited_part) => configure(&mut made.config, edited_part)?,
    }
    tidy(&mut made);
    Some(made)
}

fn configure(config: &mut Config, edited_part: &ConfigurationEdit) -> Option<()> {
    let before = config.clone();
    match edited_part {
        ConfigurationEdit::All => {
            *config = Config {
                keep: config.keep.clone(),
                ..Config::default()
            }
        }
        ConfigurationEdit::Device => config.device = Config::default().device,
        ConfigurationEdit::Period => config.clock_period_ns = None,
        ConfigurationEdit::Rewrite => config.rewrite = true,
        ConfigurationEdit::Keep(name) => config.keep.retain(|k| k != name),
        ConfigurationEdit::Limit(name) => drop(config.limits.remove(name)),
        ConfigurationEdit::Loop(name) => drop(config.loops.remove(name)),
        ConfigurationEdit::Banks(name) => drop(config.banks.remove(name)),
        ConfigurationEdit::Storage(name) => drop(config.storage.remove(name)),
        ConfigurationEdit::Parallel => config.parallel = false,
        ConfigurationEdit::Reuse => config.reuse.choice = sluice_config::ReuseChoice::Off,
    }
    (*config != before).then_some(())
}

/// Removes unused functions and tables, and directives for loops that no longer exist.
fn tidy(program: &mut Program) {
    loop {
        let mut all = Vec::new();
        for function in &program.functions {
            walk(&function.body, 0, &mut all);
        }
        let named = |name: &str| {
            all.iter().any(|(s, _)| {
                s.template.contains(&format!("@{name}("))
                    || s.template.contains(&format!("@{name} "))
            })
        };
        let last = program.functions.len() - 1;
        let functions: Vec<_> = program
            .functions
            .iter()
            .enumerate()
            .filter(|(i, f)| *i == last || named(&f.name))
            .map(|(_, f)| f.clone())
            .collect();
        let globals: Vec<_> = program
            .globals
            .iter()
            .filter(|g| named(&g.name))
            .cloned()
            .collect();
        let arguments: BTreeSet<String> = all
            .iter()
            .flat_map(|(s, _)| &s.regions)
            .flat_map(|r| &r.arguments)
            .map(|v| format!("v{}", v.0))
            .collect();
        program
            .config
            .loops
            .retain(|name, _| arguments.contains(name));
        let arrays: BTreeSet<String> = program
            .functions
            .iter()
            .flat_map(|f| f.arguments.iter())
            .chain(all.iter().flat_map(|(s, _)| &s.results))
            .map(|v| format!("v{}", v.0))
            .collect();
        program.config.banks.retain(|name, _| arrays.contains(name));
        let made = |statement: &Statement| {
            ["memref.alloc", "memref.get_global"]
                .iter()
                .any(|operation| statement.template.contains(operation))
        };
        let memories: BTreeSet<String> = all
            .iter()
            .filter(|(statement, _)| made(statement))
            .flat_map(|(statement, _)| &statement.results)
            .map(|v| format!("v{}", v.0))
            .collect();
        let storage = &mut program.config.storage;
        storage.retain(|name, _| memories.contains(name));
        let settled = functions.len() == program.functions.len();
        program.functions = functions;
        program.globals = globals;
        let names: Vec<String> = program.functions.iter().map(|f| f.name.clone()).collect();
        program.config.keep.retain(|k| names.contains(k));
        if settled {
            return;
        }
    }
}
