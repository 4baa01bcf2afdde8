//! Reads the YAML form of problems and reports all faults at once.

use std::collections::BTreeMap;

use serde::Deserialize as _;
use serde_yaml::{Mapping, Value};
use sluice_ir::suggestion::did_you_mean;

use super::place::{Part, documents, place};
use super::{Fault, Faults, Instance};
use crate::input::MAX_CYCLES;
use crate::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
    Schedule,
};

const TOP: &[&str] = &[
    "problem",
    "clock_period_ns",
    "initiation",
    "resources",
    "classes",
    "operations",
    "dependences",
    "schedule",
];
const INITIATION: &[&str] = &["min_ii", "max_ii", "ii", "fixed"];
const RESOURCE: &[&str] = &["count", "name"];
const CLASS: &[&str] = &[
    "latency",
    "input_delay_ns",
    "output_delay_ns",
    "resource",
    "occupancy",
    "width",
];
const OPERATION: &[&str] = &[
    "class",
    "latency",
    "input_delay_ns",
    "output_delay_ns",
    "resource",
    "occupancy",
    "width",
    "earliest",
    "latest",
    "name",
];
const DEPENDENCE: &[&str] = &[
    "from",
    "to",
    "distance",
    "chained",
    "min_gap",
    "unchanged",
    "forwarded",
];
const SCHEDULE: &[&str] = &["ii", "start", "unit"];

/// Limit of reported faults: a file that is wrong throughout needs no more.
const MAX_FAULTS: usize = 50;

/// Reads all problems of a file.
///
/// # Errors
///
/// All faults, in the order of the text.
pub fn read(text: &str) -> Result<Vec<Instance>, Faults> {
    let mut reader = Reader { faults: Vec::new() };
    let mut instances = Vec::new();
    let mut places = documents(text);
    for (number, document) in serde_yaml::Deserializer::from_str(text).enumerate() {
        let part = Part {
            document: number,
            ..Part::default()
        };
        match Value::deserialize(document) {
            Ok(Value::Null) if text.trim().is_empty() => {}
            Ok(value) => {
                let (problem, schedule) = reader.instance(&value, &part);
                let at = places.next().unwrap_or((1, 1));
                instances.push(Instance {
                    problem,
                    schedule,
                    place: at,
                });
            }
            Err(error) => {
                let (line, column) = error
                    .location()
                    .map_or((1, 1), |at| (at.line(), at.column()));
                let message = error.to_string();
                let message = match message.rfind(" at line ") {
                    Some(end) => message[..end].to_owned(),
                    None => message,
                };
                let fault = Fault {
                    line,
                    column,
                    message,
                };
                return Err(Faults(vec![fault]));
            }
        }
    }
    let more = reader.faults.len().saturating_sub(MAX_FAULTS);
    reader.faults.truncate(MAX_FAULTS);
    let mut faults: Vec<Fault> = reader
        .faults
        .into_iter()
        .map(|(part, message)| {
            let (line, column) = place(text, &part);
            Fault {
                line,
                column,
                message,
            }
        })
        .collect();
    faults.sort_by_key(|fault| (fault.line, fault.column));
    if more > 0 {
        faults.push(Fault {
            line: 1,
            column: 1,
            message: format!("and {more} more faults"),
        });
    }
    if instances.is_empty() && faults.is_empty() {
        faults.push(Fault {
            line: 1,
            column: 1,
            message: "the file holds no problem".to_owned(),
        });
    }
    if faults.is_empty() {
        Ok(instances)
    } else {
        Err(Faults(faults))
    }
}

struct Reader {
    faults: Vec<(Part, String)>,
}

/// Positions by name in the file.
type Names = BTreeMap<String, usize>;

/// A mapping of the file, and its position.
#[derive(Clone, Copy)]
struct Section<'a> {
    entries: &'a Mapping,
    part: &'a Part,
}

impl<'a> Section<'a> {
    fn get(self, key: &str) -> Option<&'a Value> {
        self.entries.get(key).filter(|value| !value.is_null())
    }
}

impl Reader {
    fn fault(&mut self, part: Part, message: impl Into<String>) {
        self.faults.push((part, message.into()));
    }

    fn instance(&mut self, value: &Value, part: &Part) -> (Problem, Option<Schedule>) {
        let mut problem = Problem {
            name: String::new(),
            clock_period_ns: 0.0,
            operations: Vec::new(),
            dependences: Vec::new(),
            resources: Vec::new(),
            initiation: Initiation::Once,
        };
        let Some(top) = self.section(value, part, TOP) else {
            return (problem, None);
        };
        problem.name = top.get("problem").map_or_else(String::new, text_of);
        let clock = self.number(top, "clock_period_ns");
        match top.get("initiation") {
            Some(value) => problem.initiation = self.initiation(value, &part.at("initiation")),
            None => self.fault(
                part.clone(),
                "no `initiation`: `once` for a block, `every` for a loop",
            ),
        }
        let resources = self.resources(top, &mut problem);
        let operations = self.operations(top, &resources, &mut problem);
        self.dependences(top, &operations, &mut problem);
        let has_delays = problem
            .operations
            .iter()
            .any(|operation| operation.input_delay_ns + operation.output_delay_ns > 0.0);
        if clock.is_none() && has_delays && top.get("clock_period_ns").is_none() {
            self.fault(
                part.clone(),
                "no `clock_period_ns`, but operations with delays",
            );
        }
        problem.clock_period_ns = clock.unwrap_or(1.0);
        let schedule = top
            .get("schedule")
            .and_then(|value| self.schedule(value, &part.at("schedule"), &operations, &problem));
        (problem, schedule)
    }

    /// Returns the mapping at `part`; its keys must be among `known`, unless `known` is empty.
    fn section<'a>(
        &mut self,
        value: &'a Value,
        part: &'a Part,
        known: &[&str],
    ) -> Option<Section<'a>> {
        let Value::Mapping(entries) = value else {
            self.fault(part.clone(), "expected a mapping `key: value`");
            return None;
        };
        for key in entries.keys() {
            let key = text_of(key);
            if !known.is_empty() && !known.contains(&key.as_str()) {
                let hint = did_you_mean(&key, known);
                self.fault(part.key(&key), format!("unknown key `{key}`; {hint}"));
            }
        }
        Some(Section { entries, part })
    }

    fn number(&mut self, section: Section<'_>, key: &str) -> Option<f64> {
        let value = section.get(key)?;
        let number = value.as_f64().filter(|number| number.is_finite());
        if number.is_none_or(|number| number < 0.0) {
            let message = format!("`{key}` is a number of at least 0");
            self.fault(section.part.at(key), message);
            return None;
        }
        number
    }

    fn cycles(&mut self, section: Section<'_>, key: &str) -> Option<u32> {
        let value = section.get(key)?;
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
        if number.is_none_or(|number| number > MAX_CYCLES) {
            let message = format!("`{key}` is a whole number from 0 to {MAX_CYCLES}");
            self.fault(section.part.at(key), message);
            return None;
        }
        number
    }

    fn truth(&mut self, section: Section<'_>, key: &str) -> Option<bool> {
        let value = section.get(key)?;
        if value.as_bool().is_none() {
            self.fault(
                section.part.at(key),
                format!("`{key}` is `true` or `false`"),
            );
        }
        value.as_bool()
    }

    fn initiation(&mut self, value: &Value, part: &Part) -> Initiation {
        match value {
            Value::String(word) if word == "once" => return Initiation::Once,
            Value::String(word) if word == "every" => return Initiation::pipelined(),
            Value::Mapping(_) => {}
            _ => {
                let message =
                    "expected `once`, `every`, or `{min_ii: .., max_ii: ..}`, or `{ii: ..}`";
                self.fault(part.clone(), message);
                return Initiation::Once;
            }
        }
        let Some(section) = self.section(value, part, INITIATION) else {
            return Initiation::Once;
        };
        let only = self.cycles(section, "ii");
        let min_ii = self.cycles(section, "min_ii").or(only).unwrap_or(1);
        for key in ["ii", "min_ii"] {
            if section.get(key).and_then(Value::as_u64) == Some(0) {
                self.fault(part.at(key), "an II is at least 1");
            }
        }
        let max_ii = self.cycles(section, "max_ii").unwrap_or(u32::MAX);
        if max_ii < min_ii {
            let message = format!("the greatest II {max_ii} is below the least II {min_ii}");
            self.fault(part.at("max_ii"), message);
        }
        Initiation::Every {
            min_ii,
            max_ii,
            fixed: self.truth(section, "fixed").unwrap_or(only.is_some()),
        }
    }

    fn resources(&mut self, top: Section<'_>, problem: &mut Problem) -> Names {
        let mut names = Names::new();
        let part = top.part.at("resources");
        let all = top.get("resources");
        let Some(all) = all.and_then(|value| self.section(value, &part, &[])) else {
            return names;
        };
        for (key, value) in all.entries {
            let key = text_of(key);
            let part = part.at(&key);
            let mut resource = Resource {
                name: key.clone(),
                count: 1,
            };
            if let Some(section) = self.section(value, &part, RESOURCE) {
                match section.get("count") {
                    Some(_) => resource.count = self.cycles(section, "count").unwrap_or(1),
                    None => self.fault(part.clone(), "no `count`"),
                }
                resource.name = section.get("name").map_or(key.clone(), text_of);
            }
            names.insert(key, problem.resources.len());
            problem.resources.push(resource);
        }
        names
    }

    fn operations(&mut self, top: Section<'_>, resources: &Names, problem: &mut Problem) -> Names {
        let part = top.part.at("classes");
        let mut classes = BTreeMap::new();
        let all = top.get("classes");
        if let Some(all) = all.and_then(|value| self.section(value, &part, &[])) {
            let class = Operation::combinational("", "", 0.0);
            for (key, value) in all.entries {
                let key = text_of(key);
                let part = part.at(&key);
                if let Some(section) = self.section(value, &part, CLASS) {
                    let class = self.operation(section, class.clone(), resources);
                    classes.insert(key, class);
                }
            }
        }
        let mut names = Names::new();
        let part = top.part.at("operations");
        let all = top.get("operations");
        let Some(all) = all.and_then(|value| self.section(value, &part, &[])) else {
            return names;
        };
        for (key, value) in all.entries {
            let key = text_of(key);
            let part = part.at(&key);
            let mut operation = Operation::combinational(key.clone(), "", 0.0);
            let empty = Value::Mapping(Mapping::new());
            let value = if value.is_null() { &empty } else { value };
            if let Some(section) = self.section(value, &part, OPERATION) {
                let class = section.get("class").map_or_else(String::new, text_of);
                let base = classes.get(&class).cloned().unwrap_or(operation.clone());
                operation = self.operation(section, base, resources);
                operation.class = class;
                operation.name = section.get("name").map_or(key.clone(), text_of);
            }
            names.insert(key, problem.operations.len());
            problem.operations.push(operation);
        }
        names
    }

    /// Reads an operation: `base` with the values in `section`.
    fn operation(&mut self, section: Section<'_>, base: Operation, resources: &Names) -> Operation {
        let resource = section.get("resource").map(text_of);
        let known: Vec<&str> = resources.keys().map(String::as_str).collect();
        let resource = match resource.as_deref().map(|name| (name, resources.get(name))) {
            None => base.resource,
            Some((_, Some(&index))) => Some(ResourceId::from_index(index)),
            Some((name, None)) => {
                let hint = did_you_mean(name, &known);
                let message = format!("there is no resource `{name}`; {hint}");
                self.fault(section.part.at("resource"), message);
                None
            }
        };
        Operation {
            latency_cycles: self
                .cycles(section, "latency")
                .unwrap_or(base.latency_cycles),
            input_delay_ns: self
                .number(section, "input_delay_ns")
                .unwrap_or(base.input_delay_ns),
            output_delay_ns: self
                .number(section, "output_delay_ns")
                .unwrap_or(base.output_delay_ns),
            resource,
            occupancy_cycles: self
                .cycles(section, "occupancy")
                .unwrap_or(base.occupancy_cycles),
            width_bits: self.cycles(section, "width").unwrap_or(base.width_bits),
            earliest: self.cycles(section, "earliest"),
            latest: self.cycles(section, "latest"),
            ..base
        }
    }

    fn dependences(&mut self, top: Section<'_>, operations: &Names, problem: &mut Problem) {
        let part = top.part.at("dependences");
        let list = match top.get("dependences") {
            None => return,
            Some(Value::Sequence(list)) => list,
            Some(_) => {
                let message = "expected a list of `a -> b` and `{from: a, to: b}`";
                self.fault(part, message);
                return;
            }
        };
        for (index, value) in list.iter().enumerate() {
            let part = part.element(index);
            if let Some(dependence) = self.dependence(value, &part, operations) {
                problem.dependences.push(dependence);
            }
        }
    }

    fn dependence(&mut self, value: &Value, part: &Part, operations: &Names) -> Option<Dependence> {
        if let Value::String(arrow) = value {
            let Some((from, to)) = arrow.split_once("->") else {
                self.fault(part.clone(), "expected `a -> b`");
                return None;
            };
            let from = self.named(from.trim(), part, operations);
            let to = self.named(to.trim(), part, operations);
            return Some(Dependence::data(from?, to?));
        }
        let section = self.section(value, part, DEPENDENCE)?;
        let mut end = |key: &str| match section.get(key).map(text_of) {
            Some(name) => self.named(&name, &part.at(key), operations),
            None => {
                self.fault(part.clone(), format!("no `{key}`"));
                None
            }
        };
        let (from, to) = (end("from"), end("to"));
        let distance = self.cycles(section, "distance").unwrap_or(0);
        let chained = self.truth(section, "chained");
        let unchanged = self.truth(section, "unchanged");
        let forwarded = self.truth(section, "forwarded");
        let kind = match section.get("min_gap") {
            None => DependenceKind::Data {
                chained: chained.unwrap_or(true),
            },
            Some(gap) => {
                let greatest = i64::from(MAX_CYCLES);
                let gap = gap.as_i64();
                if gap.is_none_or(|gap| gap.abs() > greatest) {
                    let message = format!("`min_gap` is a whole number within {greatest} of 0");
                    self.fault(part.at("min_gap"), message);
                }
                let of_data = [
                    ("chained", chained),
                    ("unchanged", unchanged),
                    ("forwarded", forwarded),
                ];
                for (key, _) in of_data.iter().filter(|(_, said)| said.is_some()) {
                    let message = format!("`{key}` is for data, `min_gap` for orders");
                    self.fault(part.key(key), message);
                }
                DependenceKind::Order {
                    min_gap_cycles: gap.unwrap_or(0),
                }
            }
        };
        Some(Dependence {
            from: from?,
            to: to?,
            distance,
            kind,
            unchanged: unchanged.unwrap_or(false),
            forwarded: forwarded.unwrap_or(false),
        })
    }

    fn named(&mut self, name: &str, part: &Part, operations: &Names) -> Option<OperationId> {
        if let Some(&index) = operations.get(name) {
            return Some(OperationId::from_index(index));
        }
        let known: Vec<&str> = operations.keys().map(String::as_str).collect();
        let hint = if known.len() > 8 {
            sluice_ir::suggestion::nearest(name, known)
                .map_or(String::new(), |near| format!("; did you mean `{near}`?"))
        } else {
            format!("; {}", did_you_mean(name, &known))
        };
        self.fault(
            part.clone(),
            format!("there is no operation `{name}`{hint}"),
        );
        None
    }

    fn schedule(
        &mut self,
        value: &Value,
        part: &Part,
        operations: &Names,
        problem: &Problem,
    ) -> Option<Schedule> {
        let section = self.section(value, part, SCHEDULE)?;
        let ii = self.cycles(section, "ii");
        let start = self.per_operation(section, "start", operations);
        let unit = self.per_operation(section, "unit", operations);
        let missing = start.iter().position(Option::is_none);
        if let Some(index) = missing {
            let name = operations.iter().find(|(_, at)| **at == index);
            let name = name.map_or("", |(name, _)| name);
            self.fault(part.clone(), format!("no start of `{name}`"));
        }
        let start: Vec<u32> = start.into_iter().map(|start| start.unwrap_or(0)).collect();
        let ends = start.iter().zip(&problem.operations);
        let length_cycles = ends
            .map(|(start, operation)| start.saturating_add(operation.span_cycles()))
            .max()
            .unwrap_or(0);
        Some(Schedule {
            start,
            unit,
            ii,
            length_cycles,
        })
    }

    fn per_operation(
        &mut self,
        section: Section<'_>,
        key: &str,
        operations: &Names,
    ) -> Vec<Option<u32>> {
        let mut values = vec![None; operations.len()];
        let part = section.part.at(key);
        let given = section.get(key);
        let Some(given) = given.and_then(|value| self.section(value, &part, &[])) else {
            return values;
        };
        for key in given.entries.keys() {
            let key = text_of(key);
            if let Some(id) = self.named(&key, &part.key(&key), operations) {
                values[id.index()] = self.cycles(given, &key);
            }
        }
        values
    }
}

/// Returns a scalar as text: a name may look like a number or a truth value in YAML.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => String::new(),
    }
}
