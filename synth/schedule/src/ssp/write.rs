//! Writes problems as text of `ssp`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::problem::{
    DependenceKind, Initiation, Operation, OperationId, Problem, ResourceId, Schedule,
};

/// Returns the text of an `ssp` instance for `problem`, solved by `schedule` if one is given.
pub fn module_text(problem: &Problem, schedule: Option<&Schedule>) -> String {
    let mut text = String::new();
    let is_loop = problem.initiation != Initiation::Once;
    let has_delays = problem
        .operations
        .iter()
        .any(|operation| operation.input_delay_ns + operation.output_delay_ns > 0.0);
    let has_units = problem.operations.iter().any(|op| op.resource.is_some());
    let class = match (is_loop, has_delays, has_units) {
        (true, _, true) => "ModuloProblem",
        (true, true, false) => "ChainingCyclicProblem",
        (true, false, false) => "CyclicProblem",
        (false, _, true) => "SharedOperatorsProblem",
        (false, true, false) => "ChainingProblem",
        (false, false, false) => "Problem",
    };
    let ii = schedule.and_then(|schedule| schedule.ii);
    let ii = ii.map_or(String::new(), |ii| format!(" [II<{ii}>]"));
    let _ = writeln!(
        text,
        "ssp.instance {} of \"{class}\"{ii} {{",
        symbol(&problem.name)
    );
    let types = operator_types(problem);
    text += "  library {\n";
    for (operation, name) in types.values() {
        let delays = if has_delays {
            let outgoing = match operation.latency_cycles {
                0 => operation.input_delay_ns,
                _ => operation.output_delay_ns,
            };
            format!(
                ", incDelay<{}>, outDelay<{}>",
                float(operation.input_delay_ns),
                float(outgoing)
            )
        } else {
            String::new()
        };
        let latency = operation.latency_cycles;
        let class = match operation.class == *name {
            true => String::new(),
            false => format!(" {{sluice.class = {}}}", quoted(&operation.class)),
        };
        let name = symbol(name);
        let _ = writeln!(
            text,
            "    operator_type {name} [latency<{latency}>{delays}]{class}"
        );
    }
    text += "  }\n  resource {\n";
    for (index, resource) in problem.resources.iter().enumerate() {
        let _ = writeln!(
            text,
            "    resource_type @r{index} [limit<{}>] {{sluice.name = {}}}",
            resource.count,
            quoted(&resource.name)
        );
    }
    text += "  }\n  graph {\n";
    let start = |id: OperationId| schedule.map(|schedule| schedule.start_of(id));
    for line in operation_texts(problem, &types, &start) {
        let _ = writeln!(text, "    {line}");
    }
    text += "  }\n}";
    let mut more = Vec::new();
    if has_delays {
        more.push(format!(
            "sluice.clock_period_ns = {}",
            float64(problem.clock_period_ns)
        ));
    }
    if let Initiation::Every {
        min_ii,
        max_ii,
        fixed,
    } = problem.initiation
        && problem.initiation != Initiation::pipelined()
    {
        // 0 means no limit.
        let max_ii = if max_ii == u32::MAX { 0 } else { max_ii };
        more.push(format!(
            "sluice.initiation = [{min_ii}, {max_ii}, {}]",
            u32::from(fixed)
        ));
    }
    if !more.is_empty() {
        let _ = write!(text, " {{{}}}", more.join(", "));
    }
    text + "\n"
}

/// Operator types by their distinguishing properties: one operation of the type, and the name of the type.
type Types<'a> = BTreeMap<TypeKey<'a>, (&'a Operation, String)>;
type TypeKey<'a> = (&'a str, u32, u64, u64);

fn type_key(operation: &Operation) -> TypeKey<'_> {
    (
        &operation.class,
        operation.latency_cycles,
        operation.input_delay_ns.to_bits(),
        operation.output_delay_ns.to_bits(),
    )
}

fn operator_types(problem: &Problem) -> Types<'_> {
    let mut types: Types<'_> = BTreeMap::new();
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for operation in &problem.operations {
        types.entry(type_key(operation)).or_insert_with(|| {
            let class = if operation.class.is_empty() {
                "op"
            } else {
                &operation.class
            };
            let n = used.entry(class.to_owned()).or_insert(0);
            *n += 1;
            let name = if *n == 1 {
                class.to_owned()
            } else {
                format!("{class}_{n}")
            };
            (operation, name)
        });
    }
    types
}

/// Writes the operations of the graph, one line each.
fn operation_texts(
    problem: &Problem,
    types: &Types<'_>,
    start: &dyn Fn(OperationId) -> Option<u32>,
) -> Vec<String> {
    let mut arriving = vec![Vec::new(); problem.operations.len()];
    for dependence in &problem.dependences {
        arriving[dependence.to.index()].push(dependence);
    }
    let mut lines = Vec::new();
    for id in problem.operation_ids() {
        let operation = problem.operation(id);
        let name = types
            .get(&type_key(operation))
            .map_or(String::new(), |(_, name)| symbol(name));
        let mut sources = Vec::new();
        let mut chained = Vec::new();
        let mut forwarded = Vec::new();
        let mut orders = Vec::new();
        // Values first: the operand names come first in the list.
        let mut data: Vec<_> = arriving[id.index()]
            .iter()
            .filter(|dependence| matches!(dependence.kind, DependenceKind::Data { .. }))
            .collect();
        data.sort_by_key(|dependence| dependence.distance > 0);
        for dependence in &arriving[id.index()] {
            if let DependenceKind::Order { min_gap_cycles } = dependence.kind {
                orders.push(format!(
                    "[\"o{}\", {}, {min_gap_cycles}]",
                    dependence.from.index(),
                    dependence.distance
                ));
            }
        }
        for dependence in data {
            let from = dependence.from.index();
            sources.push(match dependence.distance {
                0 => format!("%{from}"),
                distance => format!("@o{from} [dist<{distance}>]"),
            });
            chained.push(dependence.kind == (DependenceKind::Data { chained: true }));
            forwarded.push(dependence.forwarded);
        }
        let crosses = arriving[id.index()].iter().any(|dependence| {
            dependence.distance > 0 && matches!(dependence.kind, DependenceKind::Data { .. })
        });
        let uses = operation
            .resource
            .map_or(String::new(), |ResourceId(id)| format!(" uses[@r{id}]"));
        let t = start(id).map_or(String::new(), |start| format!(" [t<{start}>]"));
        let mut more = vec![format!("sluice.name = {}", quoted(&operation.name))];
        let mut number = |name: &str, value: u32, default: Option<u32>| {
            if Some(value) != default {
                more.push(format!("sluice.{name} = {value} : i64"));
            }
        };
        number("width", operation.width_bits, Some(1));
        number("occupancy", operation.occupancy_cycles, Some(1));
        if let Some(earliest) = operation.earliest {
            number("earliest", earliest, None);
        }
        if let Some(latest) = operation.latest {
            number("latest", latest, None);
        }
        let mut truths = |name: &str, values: &[bool]| {
            let values: Vec<String> = values.iter().map(bool::to_string).collect();
            more.push(format!("sluice.{name} = [{}]", values.join(", ")));
        };
        if crosses || chained.contains(&false) {
            truths("chained", &chained);
        }
        if forwarded.contains(&true) {
            truths("forwarded", &forwarded);
        }
        if !orders.is_empty() {
            more.push(format!("sluice.orders = [{}]", orders.join(", ")));
        }
        let index = id.index();
        lines.push(format!(
            "%{index} = operation<{name}> @o{index}({}){uses}{t} {{{}}}",
            sources.join(", "),
            more.join(", ")
        ));
    }
    lines
}

/// Returns `@name`, quoted if it is not a bare identifier.
fn symbol(name: &str) -> String {
    let is_plain = name.chars().enumerate().all(|(place, c)| {
        c == '_' || c.is_ascii_alphabetic() || (place > 0 && (c.is_ascii_digit() || c == '.'))
    });
    if is_plain && !name.is_empty() {
        format!("@{name}")
    } else {
        let name = if name.is_empty() { "unnamed" } else { name };
        format!("@{}", quoted(name))
    }
}

/// Returns an MLIR string literal: bytes that are not printable ASCII are written in hexadecimal.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                let _ = write!(out, "\\{byte:02X}");
            }
            b' '..=b'~' => out.push(char::from(byte)),
            other => {
                let _ = write!(out, "\\{other:02X}");
            }
        }
    }
    out.push('"');
    out
}

fn float64(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.1}")
    } else {
        format!("{value}")
    }
}

/// Returns a number of type `f64` as text, so that exactly the same number is read back.
fn float(value: f64) -> String {
    format!("{} : f64", float64(value))
}
