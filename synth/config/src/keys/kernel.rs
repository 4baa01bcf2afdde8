//! The keys of `kernel.yaml`.

use serde_yaml::Value;
use sluice_ir::limits::TABLE;
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::{Device, MAX_CLOCK_PERIOD_NS};

use crate::array_sizes::{self, ARRAY_SIZES, array_sizes};
use crate::choices::{REUSE_KEYS, reuse_choice};
use crate::key::Applies::{All, Elastic, ElasticOnly, Graphs};
use crate::key::{About, COUNT, Key, Shape, about, read};
use crate::loops::{LOOP_KEYS, MAX_AHEAD, iterations_ahead, loop_directives};
use crate::memories::{BANK_KEYS, STORAGE_KEYS, bank_directives, storage_directive, storage_kinds};
use crate::reader::{MOST, Reader};
use crate::{Buffers, Config, Effort, Reorder, Speculate, Style, Use, is_path, read_device};

/// Maximum weight of area: above it, cycles hardly matter.
const MAX_WEIGHT: f64 = 16.0;

/// Bits of an `index`.
const MAX_INDEX_BITS: u64 = 64;

/// `true`, `false` or `everywhere`.
const USE: Shape = Shape::Either(&[Shape::Flag, Shape::Words(&["everywhere"])]);

const REUSE: Shape = Shape::Either(&[
    Shape::Words(&["off", "auto", "always"]),
    Shape::Keys(|| about(REUSE_KEYS)),
]);

const SOLVER_KEYS: &[Key<Config>] = &[Key {
    about: About {
        name: "time_limit_s",
        shape: Shape::Above(0.0, MOST),
        default: "",
        unit: "s",
        applies: All,
        meaning: "Wall-clock limit of the exact scheduler, and of each integer program for buffers; without it results do not depend on the machine.",
    },
    read: |config, reader, key, value| config.solver_time_limit_s = reader.number(key, value),
}];

const FLOAT_KEYS: &[Key<Config>] = &[Key {
    about: About {
        name: "reductions",
        shape: Shape::Words(&["strict", "reassoc"]),
        default: "strict",
        unit: "",
        applies: All,
        meaning: "The order in which loops accumulate sums and products of floats: that of the source, or one that does not wait for each operation.",
    },
    read: |config, reader, key, value| {
        let words = [("strict", false), ("reassoc", true)];
        let expected = "is `strict`, the order of the source, or `reassoc`, one that does not wait for each operation";
        if let Some(reassociate) = reader.word_of(key, value, &words, expected) {
            config.reassociate_floats = reassociate;
        }
    },
}];

fn limited_classes() -> Vec<&'static str> {
    let shared = OperatorClass::ALL
        .iter()
        .filter(|class| class.is_worth_sharing());
    let floats = sluice_dialects::sluice::LIMITED_CLASSES;
    shared.map(|class| class.name()).chain(floats).collect()
}

/// Reads the limits. Names of units that are never shared, and unknown names, are errors that list the allowed names.
fn read_limits(config: &mut Config, reader: &mut Reader<'_>, key: &str, value: &Value) {
    let Some(limits) = value.as_mapping() else {
        return reader.error(key, "`limits` maps operator classes to numbers of units");
    };
    let shared = limited_classes();
    let cheap = OperatorClass::ALL
        .iter()
        .filter(|class| !class.is_worth_sharing());
    let cheap: Vec<&str> = cheap.map(|class| class.name()).collect();
    for class in cheap.iter().filter(|class| limits.contains_key(**class)) {
        let message = format!(
            "`{class}` units are never shared, choosing their operands would cost more; what can be limited: {}",
            shared.join(", ")
        );
        reader.error(class, message);
    }
    let known: Vec<&str> = shared.into_iter().chain(cheap).collect();
    reader.unknown_keys(limits, &known);
    for (class, count) in limits {
        let class = class.as_str().unwrap_or_default();
        if let Some(count) = reader.count(class, count) {
            config.limits.insert(class.to_owned(), count);
        }
    }
}

fn read_tool_limits(config: &mut Config, reader: &mut Reader<'_>, key: &str, value: &Value) {
    let Some(limits) = value.as_mapping() else {
        return reader.error(
            key,
            "`tool_limits` maps limits to numbers: `sluice limits` lists them",
        );
    };
    for (name, value) in limits {
        let name = name.as_str().unwrap_or_default();
        let set = match value.as_u64() {
            Some(value) => config.tool_limits.set(name, value),
            None => Err(format!("`{name}` is a whole number")),
        };
        if let Err(why) = set {
            reader.error(name, why);
        }
    }
}

/// Reads the name of a device, or the path of a device file.
fn read_device_key(config: &mut Config, reader: &mut Reader<'_>, key: &str, value: &Value) {
    let Some(device) = reader.text(key, value) else {
        return;
    };
    if !is_path(&device) {
        if let Err(why) = config.set_device(&device) {
            reader.error(key, why);
        }
        return;
    }
    let path = reader.beside(&device);
    match reader
        .read_file(&path)
        .map(|text| read_device(&text, &path))
    {
        Ok(Ok(device)) => config.give_device(device),
        Ok(Err(wrong)) => reader.errors.extend(wrong),
        Err(why) => reader.error(
            key,
            format!("the device file `{path}` cannot be read: {why}"),
        ),
    }
}

/// Reads a list of names, without their `%`.
fn read_names(reader: &mut Reader<'_>, key: &str, names: &[Value]) -> Vec<String> {
    let names = names.iter().filter_map(|name| reader.text(key, name));
    names
        .map(|name| name.trim_start_matches('%').to_owned())
        .collect()
}

/// All keys of a kernel's configuration, in the order of the documentation.
pub(crate) const KERNEL_KEYS: &[Key<Config>] = &[
    Key {
        about: About {
            name: "top",
            shape: Shape::Text,
            default: "",
            unit: "",
            applies: All,
            meaning: "The function to compile, without `@`; the last public one if left out.",
        },
        read: |config, reader, key, value| config.top = reader.text(key, value),
    },
    Key {
        about: About {
            name: "device",
            shape: Shape::Either(&[
                Shape::WordsOf(|| Device::built_in_names().collect()),
                Shape::File("device file"),
            ]),
            default: "generic",
            unit: "",
            applies: All,
            meaning: "The device whose delays and cells are used: `docs/DEVICES.md`; a path, such as `./mine.yaml`, is relative to the file that names it.",
        },
        read: read_device_key,
    },
    Key {
        about: About {
            name: "clock_period_ns",
            shape: Shape::Above(0.0, MAX_CLOCK_PERIOD_NS),
            default: "",
            unit: "ns",
            applies: All,
            meaning: "The clock period wanted; the device's own if left out.",
        },
        read: |config, reader, key, value| {
            let set = config.set_clock_period_ns(value.as_f64().unwrap_or(f64::NAN));
            if let Err(why) = set {
                reader.error(key, format!("`{key}` is {why}"));
            }
        },
    },
    Key {
        about: About {
            name: "style",
            shape: Shape::Words(&["static", "elastic", "auto"]),
            default: "static",
            unit: "",
            applies: All,
            meaning: "When operations run: at times that a schedule fixes, as soon as operands arrive, or whichever of the two takes less time.",
        },
        read: |config, reader, key, value| {
            let words = [
                ("static", Style::Static),
                ("elastic", Style::Elastic),
                ("auto", Style::Auto),
            ];
            let expected = "is `static`, at times that a schedule fixes, `elastic`, as soon as operands are there, \
                            or `auto`, whichever is faster";
            if let Some(style) = reader.word_of(key, value, &words, expected) {
                config.style = style;
            }
        },
    },
    Key {
        about: About {
            name: "loops",
            shape: Shape::Either(&[
                Shape::Words(&["auto"]),
                Shape::Names("induction variables", &Shape::Keys(|| about(LOOP_KEYS))),
            ]),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "Directives by induction variable, without `%`; with `auto` loops are fused and interchanged where that takes fewer cycles.",
        },
        read: |config, reader, key, value| match (value.as_str(), value.as_mapping()) {
            (Some("auto"), _) => config.restructure = true,
            (_, Some(loops)) => {
                for (name, directives) in loops {
                    let name = name.as_str().unwrap_or_default().trim_start_matches('%');
                    let directives = loop_directives(reader, name, directives);
                    config.loops.insert(name.to_owned(), directives);
                }
            }
            _ => reader.error(
                key,
                "`loops` maps names of induction variables to directives, or is `auto`",
            ),
        },
    },
    Key {
        about: About {
            name: "limits",
            shape: Shape::Table("operator classes", limited_classes, &COUNT),
            default: "{}",
            unit: "units",
            applies: All,
            meaning: "The most units of an operator class; without it the scheduler chooses.",
        },
        read: read_limits,
    },
    Key {
        about: About {
            name: "parallel",
            shape: Shape::Words(&["auto"]),
            default: "",
            unit: "",
            applies: All,
            meaning: "With `auto`, copies of loops and banks of memories are chosen so that the multipliers which `limits` allows are busy.",
        },
        read: |config, reader, key, value| {
            let expected = "is `auto`; leave it out for loops and arrays as they are written";
            if let Some(parallel) = reader.word_of(key, value, &[("auto", true)], expected) {
                config.parallel = parallel;
            }
        },
    },
    Key {
        about: About {
            name: "banks",
            shape: Shape::Names(
                "arguments and local memories",
                &Shape::Either(&[
                    Shape::Keys(|| about(BANK_KEYS)),
                    Shape::List(&Shape::Keys(|| about(BANK_KEYS))),
                ]),
            ),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "Splits of an array into memories with ports of their own: one, or a list.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(arrays) => {
                for (name, wishes) in arrays {
                    let name = name.as_str().unwrap_or_default().trim_start_matches('%');
                    let wishes = bank_directives(reader, name, wishes);
                    config.banks.insert(name.to_owned(), wishes);
                }
            }
            None => reader.error(
                key,
                "`banks` maps names of arrays to splits, \
                 for example `A: {dim: 0, factor: 4, kind: cyclic}`",
            ),
        },
    },
    Key {
        about: About {
            name: "storage",
            shape: Shape::Names(
                "local memories and tables",
                &Shape::Either(&[
                    Shape::WordsOf(storage_kinds),
                    Shape::Keys(|| about(STORAGE_KEYS)),
                ]),
            ),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "How a local memory or a table is held: its kind, alone or with its ports.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(memories) => {
                for (name, wish) in memories {
                    let name = name.as_str().unwrap_or_default();
                    let name = name.trim_start_matches(['%', '@']);
                    if let Some(wish) = storage_directive(reader, name, wish) {
                        config.storage.insert(name.to_owned(), wish);
                    }
                }
            }
            None => reader.error(
                key,
                "`storage` maps names of local memories and tables to kinds, \
                 for example `buf: lut_ram`",
            ),
        },
    },
    Key {
        about: About {
            name: "reuse",
            shape: REUSE,
            default: "auto",
            unit: "",
            applies: All,
            meaning: "Whether values that are read again are kept in registers and local memories: never, where that saves a good share of the cycles, or wherever it saves one.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(mapping) => read(REUSE_KEYS, &mut config.reuse, reader, mapping),
            None => config.reuse.choice = reuse_choice(reader, key, value),
        },
    },
    Key {
        about: About {
            name: "reorder",
            shape: Shape::Either(&[Shape::Flag, Shape::Whole(0, u64::MAX)]),
            default: "true",
            unit: "",
            applies: All,
            meaning: "Whether the statements of loop nests get another order where that takes fewer cycles; a number takes the legal order with that number, for tests.",
        },
        read: |config, reader, key, value| match (value.as_bool(), value.as_u64()) {
            (Some(true), _) => config.reorder = Reorder::WhereFaster,
            (Some(false), _) => config.reorder = Reorder::Never,
            (None, Some(number)) => config.reorder = Reorder::Legal(number),
            (None, None) => reader.error(
                key,
                "`reorder` is true or false, or the number of a legal order to be taken \
                 in any case",
            ),
        },
    },
    Key {
        about: About {
            name: "area_weight",
            shape: Shape::Number(0.0, MAX_WEIGHT),
            default: "0.45",
            unit: "",
            applies: All,
            meaning: "How much area counts: of two forms of a kernel the one with the smaller product cycles × area^weight is taken.",
        },
        read: |config, reader, key, value| {
            let weight = value.as_f64();
            match weight.filter(|weight| (0.0..=MAX_WEIGHT).contains(weight)) {
                Some(weight) => config.area_weight = weight,
                None => reader.error(
                    key,
                    format!("`area_weight` is a number from 0, where only cycles count, to {MAX_WEIGHT}; \
                     at 1 cycles and cells count alike"),
                ),
            }
        },
    },
    Key {
        about: About {
            name: "flatten",
            shape: Shape::Flag,
            default: "true",
            unit: "",
            applies: All,
            meaning: "Whether nests of loops become one pipelined loop.",
        },
        read: |config, reader, key, value| reader.flag(key, value, &mut config.flatten),
    },
    Key {
        about: About {
            name: "rewrite",
            shape: Shape::Flag,
            default: "true",
            unit: "",
            applies: All,
            meaning: "Whether equality saturation rewrites the data paths.",
        },
        read: |config, reader, key, value| reader.flag(key, value, &mut config.rewrite),
    },
    Key {
        about: About {
            name: "keep",
            shape: Shape::List(&Shape::Text),
            default: "[]",
            unit: "",
            applies: All,
            meaning: "Functions that become modules of their own instead of being inlined.",
        },
        read: |config, reader, key, value| match value.as_sequence() {
            Some(names) => {
                config.keep = names.iter().filter_map(|n| reader.text(key, n)).collect();
            }
            None => reader.error(key, "`keep` is a list of function names"),
        },
    },
    Key {
        about: About {
            name: "prefix",
            shape: Shape::Text,
            default: "",
            unit: "",
            applies: All,
            meaning: "What the names of the modules below the top begin with, before `__`; the name of the top if left out.",
        },
        read: |config, reader, key, value| {
            if let Some(prefix) = reader.text(key, value)
                && let Err(why) = config.set_prefix(&prefix)
            {
                reader.error(key, format!("`{key}` is {why}"));
            }
        },
    },
    Key {
        about: About {
            name: "index_width_bits",
            shape: Shape::Whole(1, MAX_INDEX_BITS),
            default: "",
            unit: "bits",
            applies: All,
            meaning: "Width of the ports of `index` arguments, which are numbers without a sign then; 64 with a sign, and a warning, if left out.",
        },
        read: |config, reader, key, value| {
            let bits = value
                .as_u64()
                .filter(|bits| (1..=MAX_INDEX_BITS).contains(bits));
            match bits.and_then(|bits| u32::try_from(bits).ok()) {
                Some(bits) => config.index_width_bits = Some(bits),
                None => reader.error(
                    key,
                    format!("`{key}` is a whole number of bits from 1 to {MAX_INDEX_BITS}"),
                ),
            }
        },
    },
    Key {
        about: About {
            name: array_sizes::KEY,
            shape: Shape::Names("memory arguments", &ARRAY_SIZES),
            default: "{}",
            unit: "words",
            applies: All,
            meaning: "Largest sizes of memory arguments whose types have open dimensions, as `memref<?x30xi32>`: of every dimension, or one number for the only open one.",
        },
        read: |config, reader, key, value| {
            match value.as_mapping() {
            Some(arrays) => {
                for (written, value) in arrays {
                    let written = written.as_str().unwrap_or_default();
                    if let Some(sizes) = array_sizes(reader, written, value) {
                        let name = written.trim_start_matches('%');
                        config.sizes.insert(name.to_owned(), sizes);
                    }
                }
            }
            None => reader.error(
                key,
                "`sizes` maps names of arrays to the sizes of their dimensions, for example `A: [20, 30]`",
            ),
        }
        },
    },
    Key {
        about: About {
            name: "speculate",
            shape: Shape::Either(&[Shape::Flag, Shape::Whole(0, MAX_AHEAD as u64)]),
            default: "true",
            unit: "iterations",
            applies: All,
            meaning: "Whether `while` loops start iterations before their condition is known, where that takes less time; a number starts as many in every such loop.",
        },
        read: |config, reader, key, value| {
            match (value.as_bool(), iterations_ahead(value)) {
            (Some(true), _) => config.speculate = Speculate::WhereFaster,
            (Some(false), _) => config.speculate = Speculate::Never,
            (None, Some(ahead)) => config.speculate = Speculate::Everywhere(ahead),
            (None, None) => reader.error(
                key,
                format!("`speculate` is true, so that `while` loops start iterations ahead where that takes less time, \
                     false, or the number of iterations for all of them, 0 to {MAX_AHEAD}"),
            ),
        }
        },
    },
    Key {
        about: About {
            name: "predict",
            shape: USE,
            default: "true",
            unit: "",
            applies: All,
            meaning: "Whether `while` loops whose index grows by small steps that depend on data run at every value of the index, where that takes less time.",
        },
        read: |config, reader, key, value| {
            match Use::read(value) {
            Some(predict) => config.predict = predict,
            None => reader.error(
                key,
                "`predict` is true, so that `while` loops whose index goes on by a few run at every value of it \
                 where that takes less time, false, or `everywhere`",
            ),
        }
        },
    },
    Key {
        about: About {
            name: "lsq",
            shape: USE,
            default: "true",
            unit: "",
            applies: Elastic,
            meaning: "Whether loads pass stores that wait for their data, through a load-store queue, where that takes less time.",
        },
        read: |config, reader, key, value| {
            match Use::read(value) {
            Some(lsq) => config.lsq = lsq,
            None => reader.error(
                key,
                "`lsq` is true, so that loads of an elastic kernel pass stores that wait for their data \
                 where that takes less time, false, or `everywhere`",
            ),
        }
        },
    },
    Key {
        about: About {
            name: "streams",
            shape: Shape::List(&Shape::Text),
            default: "[]",
            unit: "",
            applies: ElasticOnly,
            meaning: "Memory arguments, without `%`, that become streams: their words arrive or leave one by one, in order.",
        },
        read: |config, reader, key, value| match value.as_sequence() {
            Some(names) => config.streams = read_names(reader, key, names),
            None => reader.error(
                key,
                "`streams` is a list of memory arguments whose words come or go one by one, \
                 in their order",
            ),
        },
    },
    Key {
        about: About {
            name: "queues",
            shape: Shape::Flag,
            default: "true",
            unit: "",
            applies: Elastic,
            meaning: "Whether loops pass words to one another through FIFOs that take the place of a local memory.",
        },
        read: |config, reader, key, value| match value.as_bool() {
            Some(queues) => config.queues = queues,
            None => reader.error(
                key,
                "`queues` is true, so that loops hand words on by queues where they can, \
                 or false, for memories",
            ),
        },
    },
    Key {
        about: About {
            name: "depths",
            shape: Shape::Names("local memories", &COUNT),
            default: "{}",
            unit: "slots",
            applies: ElasticOnly,
            meaning: "Slots of the FIFO that takes the place of a local memory.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(depths) => {
                for (name, depth) in depths {
                    let name = name.as_str().unwrap_or_default();
                    if let Some(depth) = reader.count(name, depth) {
                        let name = name.trim_start_matches('%').to_owned();
                        config.depths.insert(name, depth);
                    }
                }
            }
            None => reader.error(
                key,
                "`depths` maps names of local memories that are queues to numbers of slots",
            ),
        },
    },
    Key {
        about: About {
            name: "buffers",
            shape: Shape::Words(&["rules", "exact"]),
            default: "rules",
            unit: "",
            applies: ElasticOnly,
            meaning: "How buffers are placed: by quick rules, or by a mixed integer program with a proof of how good the placing is.",
        },
        read: |config, reader, key, value| {
            let words = [("rules", Buffers::Rules), ("exact", Buffers::Exact)];
            let expected = "is `rules`, which are quick, or `exact`, by an integer program with a proof of how good it is";
            if let Some(buffers) = reader.word_of(key, value, &words, expected) {
                config.buffers = buffers;
            }
        },
    },
    Key {
        about: About {
            name: "effort",
            shape: Shape::Words(&["low", "normal"]),
            default: "normal",
            unit: "",
            applies: ElasticOnly,
            meaning: "How many forms of an elastic circuit are tried: one, or all that the kernel may have.",
        },
        read: |config, reader, key, value| {
            let words = [("low", Effort::Low), ("normal", Effort::Normal)];
            let expected = "is `normal`, or `low`, so that one form of an elastic circuit is tried, \
                            with few ways to place buffers";
            if let Some(effort) = reader.word_of(key, value, &words, expected) {
                config.effort = effort;
            }
        },
    },
    Key {
        about: About {
            name: "keep_buffers",
            shape: Shape::Flag,
            default: "true",
            unit: "",
            applies: Graphs,
            meaning: "Whether the buffers of the graph stay where they are, or others are placed.",
        },
        read: |config, reader, key, value| {
            match value.as_bool() {
            Some(keep_buffers) => config.keep_buffers = keep_buffers,
            None => reader.error(
                key,
                "`keep_buffers` is true, so that the buffers of a `handshake` graph stay where they are, \
                 or false, so that others are placed",
            ),
        }
        },
    },
    Key {
        about: About {
            name: "float",
            shape: Shape::Keys(|| about(FLOAT_KEYS)),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "How floats are computed.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(mapping) => read(FLOAT_KEYS, config, reader, mapping),
            None => reader.error(key, "`float` is a mapping with `reductions`"),
        },
    },
    Key {
        about: About {
            name: "solver",
            shape: Shape::Keys(|| about(SOLVER_KEYS)),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "Limits of the exact solvers.",
        },
        read: |config, reader, key, value| match value.as_mapping() {
            Some(mapping) => read(SOLVER_KEYS, config, reader, mapping),
            None => reader.error(key, "`solver` is a mapping with `time_limit_s`"),
        },
    },
    Key {
        about: About {
            name: "tool_limits",
            shape: Shape::Table(
                "limits that `sluice limits` lists",
                || TABLE.iter().map(|row| row.name).collect(),
                &Shape::Whole(0, u64::MAX),
            ),
            default: "{}",
            unit: "",
            applies: All,
            meaning: "How much readers and passes take before they stop with an error: `docs/LIMITS.md`.",
        },
        read: read_tool_limits,
    },
];
