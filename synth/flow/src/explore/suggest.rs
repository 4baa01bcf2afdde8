//! A space for a kernel without one: what usually pays, within a number of points.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sluice_config::{Config, Style};
use sluice_dialects::{memref, scf};
use sluice_ir::{Body, Context, Diagnostics, Exact, OperationId, ValueId, View};
use sluice_oplib::class::OperatorClass;
use sluice_transform::{lower_affine, results_to_arguments, trip_count};

use super::names::KernelNames;

/// A space that Sluice chose.
pub struct Suggestion {
    /// The space, as the file of a user would have it.
    pub yaml: String,
    /// Its contents and omissions.
    pub sentences: String,
}

/// Something that may vary: its first value is how things are without it.
struct Candidate {
    /// The key of the space file, and the entry under it.
    section: &'static str,
    entry: Option<String>,
    /// A short description.
    what: String,
    values: Vec<String>,
    /// How many of the values the space has.
    n_taken: usize,
}

impl Candidate {
    fn name(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{}.{entry}", self.section),
            None => self.section.to_owned(),
        }
    }
}

/// Copies of the body of a loop.
const FACTORS: [u32; 3] = [2, 4, 8];

/// Numbers of banks of an array.
const BANKS: [u32; 2] = [2, 4];

/// Clock periods, as shares of the one that the configuration has.
const PERIODS: [f64; 4] = [1.0, 0.75, 0.5, 1.5];

/// Chooses a space of at most `most` points for a kernel, around its configuration.
///
/// # Errors
/// There is no kernel to compile, or no such device.
pub fn suggest(names: &KernelNames, config: &Config, most: u128) -> Result<Suggestion, String> {
    let found = Found::of(names, config)?;
    let device = config.device().map_err(|why| why.to_string())?;
    let period = config
        .clock_period_ns
        .unwrap_or(device.default_clock_period_ns);
    let mut all = candidates(&found, config, period);
    // One value more of each in turn, as long as there is room.
    let n_points = |all: &[Candidate]| {
        let counts = all.iter().map(|one| one.n_taken as u128);
        counts.fold(1, u128::saturating_mul)
    };
    loop {
        let before = n_points(&all);
        for i in 0..all.len() {
            if all[i].n_taken == all[i].values.len() {
                continue;
            }
            all[i].n_taken += 1;
            if n_points(&all) > most {
                all[i].n_taken -= 1;
            }
        }
        if n_points(&all) == before {
            break;
        }
    }
    Ok(written(&all, &found, n_points(&all), most))
}

fn candidates(found: &Found, config: &Config, period: f64) -> Vec<Candidate> {
    let candidate = |section, entry: Option<&str>, what: &str, values: Vec<String>| Candidate {
        section,
        entry: entry.map(str::to_owned),
        what: what.to_owned(),
        values,
        n_taken: 1,
    };
    let periods = PERIODS.map(|share| ((period * share * 100.0).round() / 100.0).to_string());
    let mut all = vec![candidate(
        "clock_period_ns",
        None,
        "clock periods",
        periods.to_vec(),
    )];
    for (name, trips) in &found.innermost {
        let factors = FACTORS.into_iter().filter(|factor| {
            let is_whole =
                |trips: &Exact| trips.is_multiple_of(*factor) && *trips >= Exact::from(*factor);
            trips.as_ref().is_some_and(is_whole)
        });
        let own = config.loops.get(name).and_then(|own| own.unroll);
        let first = own.map_or_else(|| "1".to_owned(), |own| own.to_string());
        let factors = factors.map(|factor| factor.to_string());
        let mut values = vec![first.clone()];
        values.extend(factors.filter(|factor| *factor != first));
        let what = format!("unroll factors of the loop `{name}`");
        all.push(candidate("unroll", Some(name), &what, values));
    }
    if found.waits {
        let styles = ["static", "elastic"].map(str::to_owned).to_vec();
        if config.style == Style::Static {
            all.push(candidate("vary", Some("style"), "styles", styles));
        }
    }
    if config.banks.is_empty() && !found.arrays.is_empty() {
        // All arrays together: an iteration waits for the one with the fewest ports.
        let of = |n: u32| {
            let arrays = found.arrays.iter();
            let splits = arrays
                .map(|(name, rank)| format!("{}: {{dim: {}, factor: {n}}}", key(name), rank - 1));
            format!("{{{}}}", splits.collect::<Vec<_>>().join(", "))
        };
        let mut values = vec!["null".to_owned()];
        values.extend(BANKS.map(of));
        all.push(candidate("vary", Some("banks"), "numbers of banks", values));
    }
    for class in &found.classes {
        let class = class.name();
        if config.limits.contains_key(class) {
            continue;
        }
        let values = ["null", "1", "2"].map(str::to_owned).to_vec();
        let what = format!("limits of {class} units");
        all.push(candidate("limits", Some(class), &what, values));
    }
    all.retain(|one| one.values.len() > 1);
    all
}

fn written(all: &[Candidate], found: &Found, n_points: u128, most: u128) -> Suggestion {
    let mut has = Vec::new();
    let mut lacks = Vec::new();
    let mut sections: BTreeMap<&str, String> = BTreeMap::new();
    for one in all {
        let (taken, left) = one.values.split_at(one.n_taken);
        if !left.is_empty() {
            lacks.push(format!("{}: {}", one.name(), left.join(", ")));
        }
        if taken.len() < 2 {
            continue;
        }
        has.push(format!("{} {}", taken.len(), one.what));
        let list = format!("[{}]", taken.join(", "));
        let section = sections.entry(one.section).or_default();
        let _ = match &one.entry {
            None => writeln!(section, "{}: {list}", one.section),
            Some(entry) => {
                if section.is_empty() {
                    let _ = writeln!(section, "{}:", one.section);
                }
                writeln!(section, "  {}: {list}", key(entry))
            }
        };
    }
    let has = match has.is_empty() {
        true => "the kernel as it is configured".to_owned(),
        false => has.join(" x "),
    };
    let mut sentences = format!("chosen space, {n_points} of at most {most} points: {has}\n");
    if !lacks.is_empty() {
        let _ = writeln!(sentences, "left out: {}", lacks.join("; "));
    }
    let mut never = vec![
        "other devices",
        "tiles, fused and interchanged loops",
        "storage of memories",
    ];
    if !found.waits {
        never.push("`style: elastic`, for the kernel has no loop that waits for data");
    }
    let _ = writeln!(
        sentences,
        "not varied: {}; `--print-space` prints the space to be edited",
        never.join(", ")
    );
    let mut yaml = String::new();
    for line in sentences.lines() {
        let line = line.split("; `--print-space`").next().unwrap_or_default();
        let _ = writeln!(yaml, "# {line}");
    }
    for text in sections.values() {
        yaml += text;
    }
    Suggestion { yaml, sentences }
}

/// A name as a key: in quotes where YAML would read something else.
fn key(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let words = ["null", "true", "false"];
    let is_word = words.iter().any(|word| name.eq_ignore_ascii_case(word));
    match begins_plain && !is_word && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => serde_json::to_string(name).unwrap_or_default(),
    }
}

/// The parts of a kernel that can vary.
#[derive(Default)]
struct Found {
    /// Innermost loops that count, with their iterations.
    innermost: Vec<(String, Option<Exact>)>,
    /// Arrays that innermost loops access, with their ranks.
    arrays: Vec<(String, usize)>,
    /// Classes of units that can be shared.
    classes: BTreeSet<OperatorClass>,
    /// Whether a loop has a number of iterations that depends on data.
    waits: bool,
}

impl Found {
    fn of(names: &KernelNames, config: &Config) -> Result<Self, String> {
        let context = &names.context;
        let top = names.top(config)?;
        let mut module = names.module.clone();
        results_to_arguments(context, &mut module, &top);
        let mut found = Self::default();
        let Some(function) = module.lookup_symbol(context, &top) else {
            return Ok(found);
        };
        // Errors of the lowering are reported when the first point is compiled.
        let body = module.inner_mut().inner_mut(function);
        lower_affine(context, body, &mut Diagnostics::new());
        found.look(context, module.inner().inner(function));
        Ok(found)
    }

    fn look(&mut self, context: &Context, body: &Body) {
        let all = body.walk_all();
        let view = |op: OperationId| View::new(context, body, op);
        let is_loop =
            |op: OperationId| matches!(view(op).name(), scf::For::NAME | scf::While::NAME);
        let around = |op: OperationId| {
            let mut next = body.parent_operation(op);
            while let Some(parent) = next.filter(|parent| !is_loop(*parent)) {
                next = body.parent_operation(parent);
            }
            next
        };
        let outer: BTreeSet<OperationId> = all
            .iter()
            .filter(|op| is_loop(**op))
            .filter_map(|op| around(*op))
            .collect();
        let name_of = |value: ValueId| Some(context.text(body.value_name(value)?).to_owned());
        for op in all {
            let name = view(op).name();
            let trips = trip_count(context, body, op);
            self.waits |= name == scf::While::NAME || (name == scf::For::NAME && trips.is_none());
            if name == scf::For::NAME && !outer.contains(&op) {
                let variable = view(op).entry_block(0).and_then(|block| {
                    let arguments = body.arguments(block);
                    arguments.first().copied()
                });
                let known = |name: &String| self.innermost.iter().any(|(n, _)| n == name);
                if let Some(name) = variable.and_then(name_of).filter(|name| !known(name)) {
                    self.innermost.push((name, trips));
                }
            }
            let class = OperatorClass::of(view(op)).filter(|class| class.is_worth_sharing());
            self.classes.extend(class);
            let memory = match name {
                memref::Load::NAME => Some(view(op).operand(0)),
                memref::Store::NAME => Some(view(op).operand(1)),
                _ => None,
            };
            let is_inner = around(op).is_some_and(|inner| !outer.contains(&inner));
            if let Some(memory) = memory.filter(|_| is_inner) {
                let shape = body.ty(memory).static_shape(context);
                let rank = shape.map_or(0, |shape| shape.len());
                let known = |name: &String| self.arrays.iter().any(|(n, _)| n == name);
                if let Some(name) = name_of(memory).filter(|name| rank > 0 && !known(name)) {
                    self.arrays.push((name, rank));
                }
            }
        }
    }
}
