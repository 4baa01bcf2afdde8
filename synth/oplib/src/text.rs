//! Reads the text of a device file into a device.

use serde_yaml::Value;

use crate::area::Area;
use crate::class::{CostOrigin, OperatorClass};
use crate::curve::{Curve, Point};
use crate::device::{Device, MultiplexerRow, OperatorRow};
use crate::error::DeviceError;
use crate::implementation::{Selection, Structure};
use crate::mapping::{Factor, Factors, Mapping};
use crate::memory::{MemoryCells, MemoryKind, MemoryRow};
use crate::reader::{Complaints, Section};

const DEVICE_KEYS: &[&str] = &[
    "device",
    "description",
    "clock",
    "register",
    "capacity",
    "mapping",
    "estimate",
    "operators",
    "multiplexers",
    "memories",
];
const CLOCK_KEYS: &[&str] = &[
    "default_period_ns",
    "uncertainty_ns",
    "path_margin",
    "source",
];
const REGISTER_KEYS: &[&str] = &["clock_to_output_ns", "setup_ns", "source"];
const CAPACITY_KEYS: &[&str] = &["lut", "ff", "dsp", "bram", "source"];
const MAPPING_KEYS: &[&str] = &[
    "lut_inputs",
    "joined_inputs",
    "unchained_bits",
    "cells_per_table",
    "cells_per_chain",
    "chain_step_bits",
    "chain_inverter_lut",
    "multiplier_left_bits",
    "multiplier_right_bits",
    "difference_bits",
    "difference_constant_bits",
    "lut_delay_ns",
    "choice_delay_ns",
    "wire_delay_ns",
    "wire_delay_per_doubling_ns",
    "last_wire_delay_ns",
    "chain_input_delay_ns",
    "carry_delay_ns",
    "chain_output_delay_ns",
    "multiplier_delay_ns",
    "source",
];
const ESTIMATE_KEYS: &[&str] = &["lut", "ff", "dsp", "bram", "period"];
const FACTOR_KEYS: &[&str] = &["scale", "low", "high", "source"];
const OPERATOR_KEYS: &[&str] = &[
    "class",
    "structure",
    "latency_cycles",
    "quotient_bits_per_cycle",
    "source",
    "points",
];
const MULTIPLEXER_KEYS: &[&str] = &["n_inputs", "selection", "source", "points"];
const COMBINATIONAL_POINT_KEYS: &[&str] = &["width_bits", "delay_ns", "lut", "ff", "dsp", "bram"];
const CLOCKED_POINT_KEYS: &[&str] = &[
    "width_bits",
    "input_delay_ns",
    "stage_delay_ns",
    "output_delay_ns",
    "lut",
    "ff",
    "dsp",
    "bram",
];
const DISTRIBUTED_KEYS: &[&str] = &[
    "kind",
    "cell_words",
    "cell_width_bits",
    "cell_lut",
    "up_to_bits",
    "read_input_delay_ns",
    "read_output_delay_ns",
    "write_input_delay_ns",
    "source",
];
const BLOCK_KEYS: &[&str] = &[
    "kind",
    "shapes",
    "read_input_delay_ns",
    "read_output_delay_ns",
    "write_input_delay_ns",
    "source",
];
const SHAPE_KEYS: &[&str] = &["words", "width_bits"];

/// Implements [`Device::from_yaml`].
pub(crate) fn read(text: &str, origin: &str) -> Result<Device, Vec<DeviceError>> {
    let mut complaints = Complaints::new(text, origin);
    let value: Value = match serde_yaml::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            complaints.add_syntax(&error);
            return Err(complaints.into_sorted());
        }
    };
    match read_device(&value, &mut complaints) {
        Some(device) if complaints.is_empty() => Ok(device),
        _ => Err(complaints.into_sorted()),
    }
}

/// Reads a device. Returns `None` only if an error was reported; every section is read before the first `?`, so that all errors
/// are found.
fn read_device(value: &Value, complaints: &mut Complaints<'_>) -> Option<Device> {
    let device = Section::open(value, String::new(), DEVICE_KEYS, complaints)?;
    let name = device.text("device", complaints);
    let description = device.text("description", complaints);
    let clock = subsection(
        &device,
        "clock",
        CLOCK_KEYS,
        complaints,
        |section, complaints| {
            let source = section.text("source", complaints);
            let default_ns = section.number("default_period_ns", complaints);
            let uncertainty_ns = section.number("uncertainty_ns", complaints);
            let path_margin = section.number_or_zero("path_margin", complaints);
            if path_margin.is_some_and(|margin| margin >= 1.0) {
                complaints.add(
                    &section.path_of("path_margin"),
                    "expected a share of the clock period, at least 0 and below 1",
                );
            }
            Some((default_ns?, uncertainty_ns?, path_margin?, source?))
        },
    );
    let register = subsection(
        &device,
        "register",
        REGISTER_KEYS,
        complaints,
        |section, complaints| {
            let source = section.text("source", complaints);
            let clock_to_output_ns = section.number("clock_to_output_ns", complaints);
            let setup_ns = section.number("setup_ns", complaints);
            Some((clock_to_output_ns?, setup_ns?, source?))
        },
    );
    let capacity = subsection(
        &device,
        "capacity",
        CAPACITY_KEYS,
        complaints,
        |section, complaints| {
            let source = section.text("source", complaints);
            let area = read_area(section, complaints);
            Some((area?, source?))
        },
    );
    let mapping = subsection(&device, "mapping", MAPPING_KEYS, complaints, read_mapping);
    let factors = subsection(
        &device,
        "estimate",
        ESTIMATE_KEYS,
        complaints,
        |section, complaints| {
            let mut of = |key| subsection(section, key, FACTOR_KEYS, complaints, read_factor);
            let (lut, ff, dsp) = (of("lut"), of("ff"), of("dsp"));
            let (bram, period) = (of("bram"), of("period"));
            Some(Factors {
                lut: lut?,
                ff: ff?,
                dsp: dsp?,
                bram: bram?,
                period: period?,
            })
        },
    );
    let operators = read_list(&device, "operators", complaints, read_operator);
    let multiplexers = read_list(&device, "multiplexers", complaints, read_multiplexer);
    let memories = read_list(&device, "memories", complaints, read_memory);
    check_overlap(&operators, &memories, complaints);
    check_multiplexers(&multiplexers, complaints);
    check_complete(value, &operators, &multiplexers, complaints);

    let (default_clock_period_ns, clock_uncertainty_ns, path_margin, clock_source) = clock?;
    let (clock_to_output_ns, setup_ns, register_source) = register?;
    let (capacity, capacity_source) = capacity?;
    Some(Device {
        name: name?,
        description: description?,
        default_clock_period_ns,
        clock_uncertainty_ns,
        path_margin,
        clock_to_output_ns,
        setup_ns,
        capacity,
        mapping: mapping?,
        factors: factors?,
        operators: operators.into_iter().map(|(_, row)| row).collect(),
        multiplexers: multiplexers.into_iter().map(|(_, row)| row).collect(),
        memories: memories.into_iter().map(|(_, row)| row).collect(),
        section_sources: vec![
            ("clock", clock_source),
            ("register", register_source),
            ("capacity", capacity_source),
        ],
    })
}

fn read_mapping(section: &Section<'_>, complaints: &mut Complaints<'_>) -> Option<Mapping> {
    let source = section.text("source", complaints);
    let mut count = |key| section.count(key, 1, complaints);
    let (lut_inputs, joined_inputs) = (count("lut_inputs"), count("joined_inputs"));
    let unchained_bits = section.count_or_zero("unchained_bits", complaints);
    let chain_step_bits = if section.has("chain_step_bits") {
        section.count("chain_step_bits", 1, complaints)
    } else {
        Some(2)
    };
    let inverter_lut = section.count_or_zero("chain_inverter_lut", complaints);
    let left_bits = section.count_or_zero("multiplier_left_bits", complaints);
    let right_bits = section.count_or_zero("multiplier_right_bits", complaints);
    let variable_bits = section.count_or_zero("difference_bits", complaints);
    let constant_bits = section.count_or_zero("difference_constant_bits", complaints);
    if (left_bits == Some(0)) != (right_bits == Some(0)) {
        let key = section.path_of("multiplier_right_bits");
        complaints.add(
            &key,
            "expected 0, for no multiplier blocks, on both sides or on none",
        );
    }
    let mut number = |key| section.number(key, complaints);
    let cells_per_table = number("cells_per_table");
    let cells_per_chain = number("cells_per_chain");
    let lut_delay_ns = number("lut_delay_ns");
    let choice_delay_ns = number("choice_delay_ns");
    let wire_delay_ns = number("wire_delay_ns");
    let wire_delay_per_doubling_ns = number("wire_delay_per_doubling_ns");
    let last_wire_delay_ns = number("last_wire_delay_ns");
    let chain_input_delay_ns = number("chain_input_delay_ns");
    let carry_delay_ns = number("carry_delay_ns");
    let chain_output_delay_ns = number("chain_output_delay_ns");
    let multiplier_delay_ns = number("multiplier_delay_ns");
    if lut_inputs > joined_inputs {
        let key = section.path_of("joined_inputs");
        complaints.add(&key, "expected at least `lut_inputs`");
    }
    Some(Mapping {
        lut_inputs: lut_inputs?,
        joined_inputs: joined_inputs?,
        unchained_bits: unchained_bits?,
        cells_per_table: cells_per_table?,
        cells_per_chain: cells_per_chain?,
        chain_step_bits: chain_step_bits?,
        chains_invert: inverter_lut? == 0,
        multiplier_bits: [left_bits?, right_bits?],
        difference_bits: [variable_bits?, constant_bits?],
        lut_delay_ns: lut_delay_ns?,
        choice_delay_ns: choice_delay_ns?,
        wire_delay_ns: wire_delay_ns?,
        wire_delay_per_doubling_ns: wire_delay_per_doubling_ns?,
        last_wire_delay_ns: last_wire_delay_ns?,
        chain_input_delay_ns: chain_input_delay_ns?,
        carry_delay_ns: carry_delay_ns?,
        chain_output_delay_ns: chain_output_delay_ns?,
        multiplier_delay_ns: multiplier_delay_ns?,
        source: source?,
    })
}

/// Reads a factor; the interval must contain the expected result.
fn read_factor(section: &Section<'_>, complaints: &mut Complaints<'_>) -> Option<Factor> {
    let source = section.text("source", complaints);
    let scale = section.number("scale", complaints);
    let low = section.number("low", complaints);
    let high = section.number("high", complaints);
    if low.is_some_and(|low| low > 1.0) {
        complaints.add(&section.path_of("low"), "expected at most 1");
    }
    if high.is_some_and(|high| high < 1.0) {
        complaints.add(&section.path_of("high"), "expected at least 1");
    }
    Some(Factor {
        scale: scale?,
        low: low?,
        high: high?,
        source: source?,
    })
}

fn subsection<T>(
    parent: &Section<'_>,
    key: &str,
    known: &[&str],
    complaints: &mut Complaints<'_>,
    read: impl Fn(&Section<'_>, &mut Complaints<'_>) -> Option<T>,
) -> Option<T> {
    let value = parent.required(key, complaints)?;
    let section = Section::open(value, parent.path_of(key), known, complaints)?;
    read(&section, complaints)
}

/// Reads a list, and returns the entries that could be read, each with its path.
fn read_list<T>(
    parent: &Section<'_>,
    key: &str,
    complaints: &mut Complaints<'_>,
    read: impl Fn(&Value, String, &mut Complaints<'_>) -> Option<T>,
) -> Vec<(String, T)> {
    parent
        .list(key, complaints)
        .into_iter()
        .filter_map(|(path, value)| read(value, path.clone(), complaints).map(|row| (path, row)))
        .collect()
}

fn read_operator(
    value: &Value,
    path: String,
    complaints: &mut Complaints<'_>,
) -> Option<OperatorRow> {
    let section = Section::open(value, path, OPERATOR_KEYS, complaints)?;
    let class_names: Vec<&str> = OperatorClass::ALL
        .into_iter()
        .filter(|class| class.cost_origin() == CostOrigin::Operators)
        .map(OperatorClass::name)
        .collect();
    let of_rows = |name: &str| {
        OperatorClass::of_name(name).filter(|class| class.cost_origin() == CostOrigin::Operators)
    };
    let class = section.word("class", &class_names, of_rows, complaints);
    let structures = Structure::OF_ROWS.map(Structure::name);
    let structure = section.word("structure", &structures, Structure::of_row_name, complaints);
    let latency_cycles = section.count_or_zero("latency_cycles", complaints);
    let quotient_bits_per_cycle = section.count_or_zero("quotient_bits_per_cycle", complaints);
    let source = section.text("source", complaints);
    let structure = structure?;
    let is_clocked = structure != Structure::Combinational;
    check_latency(
        &section,
        structure,
        latency_cycles?,
        quotient_bits_per_cycle?,
        complaints,
    );
    let curve = read_points(&section, is_clocked, complaints);
    Some(OperatorRow {
        class: class?,
        structure,
        latency_cycles: latency_cycles?,
        quotient_bits_per_cycle: quotient_bits_per_cycle?,
        curve: curve?,
        source: source?,
    })
}

/// Checks the latency of a row: the valid values depend on its structure.
fn check_latency(
    section: &Section<'_>,
    structure: Structure,
    latency_cycles: u32,
    bits_per_cycle: u32,
    complaints: &mut Complaints<'_>,
) {
    let key = section.path_of("latency_cycles");
    match structure {
        Structure::Combinational if latency_cycles != 0 => {
            complaints.add(&key, "structure `combinational` has latency 0");
        }
        Structure::OutputRegisters if latency_cycles == 0 => {
            complaints.add(
                &key,
                "structure `output_registers` has a latency of at least 1",
            );
        }
        Structure::PartialProducts { .. } if latency_cycles == 0 => {
            complaints.add(
                &key,
                format!(
                    "structure `{}` has a latency of at least 1",
                    structure.name()
                ),
            );
        }
        Structure::IterativeRestoring if latency_cycles != 1 => {
            complaints.add(
                &key,
                "structure `iterative_restoring` has `latency_cycles: 1`, a cycle to load; the steps follow from the width",
            );
        }
        Structure::IterativeRestoring if !(1..=3).contains(&bits_per_cycle) => {
            complaints.add(
                &section.path_of("quotient_bits_per_cycle"),
                "structure `iterative_restoring` has `quotient_bits_per_cycle` of 1, 2 or 3",
            );
        }
        Structure::Combinational
        | Structure::OutputRegisters
        | Structure::PartialProducts { .. }
        | Structure::IterativeRestoring
        | Structure::MemoryPort
        | Structure::Register => {}
    }
    if structure != Structure::IterativeRestoring && bits_per_cycle != 0 {
        complaints.add(
            &section.path_of("quotient_bits_per_cycle"),
            "only structure `iterative_restoring` has quotient bits",
        );
    }
}

fn read_multiplexer(
    value: &Value,
    path: String,
    complaints: &mut Complaints<'_>,
) -> Option<MultiplexerRow> {
    let section = Section::open(value, path, MULTIPLEXER_KEYS, complaints)?;
    let n_inputs = section.count("n_inputs", 2, complaints);
    let selections = Selection::ALL.map(Selection::name);
    let selection = section.word("selection", &selections, Selection::of_name, complaints);
    let source = section.text("source", complaints);
    let curve = read_points(&section, false, complaints);
    Some(MultiplexerRow {
        n_inputs: n_inputs?,
        selection: selection?,
        curve: curve?,
        source: source?,
    })
}

/// Reads the points of a row: widths increase, and no figure decreases with the width.
fn read_points(
    row: &Section<'_>,
    is_clocked: bool,
    complaints: &mut Complaints<'_>,
) -> Option<Curve> {
    let mut points: Vec<Point> = Vec::new();
    let entries = row.list("points", complaints);
    let n_entries = entries.len();
    for (path, value) in entries {
        let Some(point) = read_point(value, path.clone(), is_clocked, complaints) else {
            continue;
        };
        if let Some(before) = points.last() {
            check_rising(&path, before, &point, complaints);
        }
        points.push(point);
    }
    (n_entries > 0 && points.len() == n_entries).then(|| Curve::new(points))
}

fn check_rising(path: &str, before: &Point, point: &Point, complaints: &mut Complaints<'_>) {
    if point.width_bits <= before.width_bits {
        complaints.add(
            &format!("{path}.width_bits"),
            format!(
                "expected more than {} of the point before",
                before.width_bits
            ),
        );
    }
    let figures = |point: &Point| {
        [
            ("input_delay_ns", point.input_delay_ns),
            ("stage_delay_ns", point.stage_delay_ns),
            ("output_delay_ns", point.output_delay_ns),
            ("lut", point.area.lut),
            ("ff", point.area.ff),
            ("dsp", point.area.dsp),
            ("bram", point.area.bram),
        ]
    };
    for ((key, now), (_, earlier)) in figures(point).into_iter().zip(figures(before)) {
        if now < earlier {
            complaints.add(
                path,
                format!("`{key}` falls with the width, from {earlier} to {now}; expected at least {earlier}"),
            );
        }
    }
}

fn read_point(
    value: &Value,
    path: String,
    is_clocked: bool,
    complaints: &mut Complaints<'_>,
) -> Option<Point> {
    let known = if is_clocked {
        CLOCKED_POINT_KEYS
    } else {
        COMBINATIONAL_POINT_KEYS
    };
    let section = Section::open(value, path, known, complaints)?;
    let width_bits = section.count("width_bits", 1, complaints);
    let input_delay_ns = section.number(
        if is_clocked {
            "input_delay_ns"
        } else {
            "delay_ns"
        },
        complaints,
    );
    let stage_delay_ns = section.number_or_zero("stage_delay_ns", complaints);
    let output_delay_ns = section.number_or_zero("output_delay_ns", complaints);
    let area = read_area(&section, complaints);
    Some(Point {
        width_bits: width_bits?,
        input_delay_ns: input_delay_ns?,
        stage_delay_ns: stage_delay_ns?,
        output_delay_ns: output_delay_ns?,
        area: area?,
    })
}

fn read_area(section: &Section<'_>, complaints: &mut Complaints<'_>) -> Option<Area> {
    let lut = section.number_or_zero("lut", complaints);
    let ff = section.number_or_zero("ff", complaints);
    let dsp = section.number_or_zero("dsp", complaints);
    let bram = section.number_or_zero("bram", complaints);
    Some(Area {
        lut: lut?,
        ff: ff?,
        dsp: dsp?,
        bram: bram?,
    })
}

fn read_memory(value: &Value, path: String, complaints: &mut Complaints<'_>) -> Option<MemoryRow> {
    let all_keys: Vec<&str> = DISTRIBUTED_KEYS.iter().chain(BLOCK_KEYS).copied().collect();
    let kind = match value
        .get("kind")
        .and_then(Value::as_str)
        .and_then(MemoryKind::of_name)
    {
        Some(kind) => kind,
        None => {
            let section = Section::open(value, path, &all_keys, complaints)?;
            section.word(
                "kind",
                &["distributed", "block"],
                MemoryKind::of_name,
                complaints,
            );
            return None;
        }
    };
    let known = match kind {
        MemoryKind::Distributed => DISTRIBUTED_KEYS,
        MemoryKind::Block => BLOCK_KEYS,
    };
    let section = Section::open(value, path, known, complaints)?;
    let read_input_delay_ns = section.number("read_input_delay_ns", complaints);
    let read_output_delay_ns = section.number("read_output_delay_ns", complaints);
    let write_input_delay_ns = section.number("write_input_delay_ns", complaints);
    let source = section.text("source", complaints);
    let cells = match kind {
        MemoryKind::Distributed => read_distributed_cells(&section, complaints),
        MemoryKind::Block => read_block_cells(&section, complaints),
    };
    Some(MemoryRow {
        cells: cells?,
        read_input_delay_ns: read_input_delay_ns?,
        read_output_delay_ns: read_output_delay_ns?,
        write_input_delay_ns: write_input_delay_ns?,
        source: source?,
    })
}

fn read_distributed_cells(
    section: &Section<'_>,
    complaints: &mut Complaints<'_>,
) -> Option<MemoryCells> {
    let words = section.count("cell_words", 1, complaints);
    let width_bits = section.count("cell_width_bits", 1, complaints);
    let lut = section.number("cell_lut", complaints);
    let up_to_bits = section.count("up_to_bits", 0, complaints);
    Some(MemoryCells::Distributed {
        words: words?,
        width_bits: width_bits?,
        lut: lut?,
        up_to_bits: u64::from(up_to_bits?),
    })
}

fn read_block_cells(section: &Section<'_>, complaints: &mut Complaints<'_>) -> Option<MemoryCells> {
    let entries = section.list("shapes", complaints);
    let n_entries = entries.len();
    let shapes: Vec<(u32, u32)> = entries
        .into_iter()
        .filter_map(|(path, value)| {
            let shape = Section::open(value, path, SHAPE_KEYS, complaints)?;
            let words = shape.count("words", 1, complaints);
            let width_bits = shape.count("width_bits", 1, complaints);
            Some((words?, width_bits?))
        })
        .collect();
    (n_entries > 0 && shapes.len() == n_entries).then_some(MemoryCells::Block { shapes })
}

/// Reports rows that have the same key.
fn check_overlap(
    operators: &[(String, OperatorRow)],
    memories: &[(String, MemoryRow)],
    complaints: &mut Complaints<'_>,
) {
    for (position, (path, row)) in operators.iter().enumerate() {
        let same = |other: &&(String, OperatorRow)| {
            let key = |row: &OperatorRow| {
                let (latency, bits) = (row.latency_cycles, row.quotient_bits_per_cycle);
                (row.class, row.structure, latency, bits)
            };
            key(&other.1) == key(row)
        };
        if let Some((other_path, _)) = operators[..position].iter().find(same) {
            complaints.add(
                path,
                format!(
                    "`{}` with structure `{}` and latency {} is already in `{other_path}`",
                    row.class,
                    row.structure.name(),
                    row.latency_cycles
                ),
            );
        }
    }
    for (position, (path, row)) in memories.iter().enumerate() {
        if let Some((other_path, _)) = memories[..position]
            .iter()
            .find(|other| other.1.kind() == row.kind())
        {
            complaints.add(
                path,
                format!("kind `{}` is already in `{other_path}`", row.kind().name()),
            );
        }
    }
}

/// Every class has a row for each width, and every kind of selection has a row. Rows that could not be read count: what is wrong with them is
/// said already.
fn check_complete(
    device: &Value,
    operators: &[(String, OperatorRow)],
    multiplexers: &[(String, MultiplexerRow)],
    complaints: &mut Complaints<'_>,
) {
    let n_rows = |key: &str| device.get(key).and_then(Value::as_sequence).map(Vec::len);
    if n_rows("operators") == Some(operators.len()) {
        let is_served = |class: OperatorClass| {
            let mut rows = operators.iter();
            rows.any(|(_, row)| row.class == class && row.curve.first_width_bits() == 1)
        };
        let of_rows = OperatorClass::ALL.into_iter();
        let missing: Vec<String> = of_rows
            .filter(|class| class.cost_origin() == CostOrigin::Operators && !is_served(*class))
            .map(|class| format!("`{class}`"))
            .collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            complaints.add(
                "operators",
                format!("expected rows from `width_bits: 1` on for every class; there are none for {missing}"),
            );
        }
    }
    if n_rows("multiplexers") == Some(multiplexers.len()) {
        for selection in Selection::ALL {
            if !multiplexers
                .iter()
                .any(|(_, row)| row.selection == selection)
            {
                let name = selection.name();
                complaints.add("multiplexers", format!("no row for `selection: {name}`"));
            }
        }
    }
}

/// Within a kind of selection numbers of inputs rise from row to row, and so do delay and area at every width that has a
/// point.
fn check_multiplexers(rows: &[(String, MultiplexerRow)], complaints: &mut Complaints<'_>) {
    for pair in rows.windows(2) {
        let [(_, before), (path, row)] = pair else {
            continue;
        };
        if row.selection < before.selection {
            complaints.add(
                path,
                format!(
                    "rows with `selection: {}` belong before those",
                    row.selection.name()
                ),
            );
        }
        if row.selection != before.selection {
            continue;
        }
        if row.n_inputs <= before.n_inputs {
            complaints.add(
                &format!("{path}.n_inputs"),
                format!("expected more than {} of the row before", before.n_inputs),
            );
        }
        for width_bits in before.curve.widths_bits().chain(row.curve.widths_bits()) {
            let (low, high) = (before.curve.at(width_bits), row.curve.at(width_bits));
            if high.input_delay_ns < low.input_delay_ns || !low.area.fits_in(high.area) {
                complaints.add(
                    path,
                    format!("delay or area at {width_bits} bits falls with the number of inputs"),
                );
                break;
            }
        }
    }
}
