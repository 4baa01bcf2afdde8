//! Directives for memories: banks, kinds, ports.

use serde_yaml::Value;
use sluice_dialects::partition::SPLIT_KINDS;
use sluice_dialects::storage::{StorageKind, TRUE_DUAL};
use sluice_ir::suggestion::did_you_mean;

use super::key::Applies::All;
use super::key::{About, COUNT, Key, MAX_COUNT, Shape, read};
use super::reader::Reader;

/// Partition of a dimension of an array into banks; `sluice_dialects::sluice::BANKS` describes the legal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankDirective {
    /// Dimension, from 0. Without it, complete banks partition all dimensions.
    pub dim: Option<u32>,
    /// Number of banks.
    pub factor: Option<u32>,
    /// `cyclic`, `block`, `block-cyclic` or `complete`; cyclic by default.
    pub kind: Option<String>,
    /// Consecutive indices in one bank, for block-cyclic banks.
    pub block: Option<u32>,
}

/// Storage of a local memory or table; `sluice_dialects::storage` defines the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageDirective {
    /// `registers`, `lut_ram`, `block_ram` or `rom`.
    pub kind: String,
    /// Number of read ports; one by default.
    pub reads: Option<u32>,
    /// `simple_dual` (a read and a write port) or `true_dual` (two ports that read or write); `simple_dual` by default.
    pub ports: Option<String>,
}

/// The keys of one partition.
pub(super) const BANK_KEYS: &[Key<BankDirective>] = &[
    Key {
        about: About {
            name: "dim",
            shape: Shape::Whole(0, MAX_COUNT),
            default: "",
            unit: "",
            applies: All,
            meaning: "The dimension that is split, from 0; all of them, if left out, for complete banks.",
        },
        read: |wished, reader, key, value| match value
            .as_u64()
            .and_then(|dim| u32::try_from(dim).ok())
        {
            Some(dim) => wished.dim = Some(dim),
            None => reader.error(key, "`dim` is the number of a dimension, from 0"),
        },
    },
    Key {
        about: About {
            name: "factor",
            shape: COUNT,
            default: "",
            unit: "banks",
            applies: All,
            meaning: "Number of banks.",
        },
        read: |wished, reader, key, value| wished.factor = reader.count(key, value),
    },
    Key {
        about: About {
            name: "kind",
            shape: Shape::Words(SPLIT_KINDS),
            default: "cyclic",
            unit: "",
            applies: All,
            meaning: "Which indices share a bank: every `factor`-th, neighbours, blocks in turn, or none (a bank for each index).",
        },
        read: |wished, reader, key, value| {
            let Some(kind) = reader.text(key, value) else {
                return;
            };
            if !SPLIT_KINDS.contains(&kind.as_str()) {
                let (hint, all) = (did_you_mean(&kind, SPLIT_KINDS), SPLIT_KINDS.join(", "));
                let message =
                    format!("no kind of banks is called `{kind}`; {hint}; there are {all}");
                return reader.error(key, message);
            }
            wished.kind = Some(kind);
        },
    },
    Key {
        about: About {
            name: "block",
            shape: COUNT,
            default: "",
            unit: "indices",
            applies: All,
            meaning: "Successive indices in one bank, for block-cyclic banks.",
        },
        read: |wished, reader, key, value| wished.block = reader.count(key, value),
    },
];

/// The keys of one memory's storage.
pub(super) const STORAGE_KEYS: &[Key<StorageDirective>] = &[
    Key {
        about: About {
            name: "kind",
            shape: Shape::WordsOf(storage_kinds),
            default: "",
            unit: "",
            applies: All,
            meaning: "The kind of memory; needed.",
        },
        read: |wished, reader, key, value| {
            if let Some(kind) = reader.text(key, value) {
                wished.kind = kind;
            }
        },
    },
    Key {
        about: About {
            name: "reads",
            shape: Shape::Whole(1, MAX_READS as u64),
            default: "",
            unit: "ports",
            applies: All,
            meaning: "Read ports of LUT memories and ROMs, and of block memories with one write port.",
        },
        read: |wished, reader, key, value| wished.reads = reader.count(key, value),
    },
    Key {
        about: About {
            name: "ports",
            shape: Shape::Words(&[SIMPLE_DUAL, TRUE_DUAL]),
            default: "simple_dual",
            unit: "",
            applies: All,
            meaning: "Ports of a block memory: a read and a write port, or two ports that both read or write.",
        },
        read: |wished, reader, key, value| wished.ports = reader.text(key, value),
    },
];

/// Returns the kinds of memory that can be requested.
pub(super) fn storage_kinds() -> Vec<&'static str> {
    StorageKind::ALL.iter().map(|kind| kind.name()).collect()
}

/// Reads a kind of memory, alone or with its ports.
pub(super) fn storage_directive(
    reader: &mut Reader<'_>,
    name: &str,
    value: &Value,
) -> Option<StorageDirective> {
    reader.look_from_memory(name);
    let directive = storage_words(reader, name, value);
    reader.look_from_nth("", 0);
    directive
}

fn storage_words(reader: &mut Reader<'_>, name: &str, value: &Value) -> Option<StorageDirective> {
    let before = reader.errors.len();
    let mut directive = StorageDirective::default();
    match value.as_mapping() {
        None => directive.kind = reader.text(name, value)?,
        Some(mapping) => {
            read(STORAGE_KEYS, &mut directive, reader, mapping);
            // A kind that is not a word was already reported.
            if mapping.get("kind").is_some_and(|kind| !kind.is_string()) {
                return None;
            }
        }
    }
    let kinds = storage_kinds();
    match StorageKind::of_name(&directive.kind) {
        None if directive.kind.is_empty() => {
            let message = format!("`{name}` needs a `kind`: {}", kinds.join(", "));
            reader.error(name, message);
        }
        None => {
            let message = format!(
                "no kind of memory is called `{}`; {}; there are {}",
                directive.kind,
                did_you_mean(&directive.kind, &kinds),
                kinds.join(", ")
            );
            reader.error(name, message);
        }
        Some(kind) => ports_that_fit(reader, kind, &directive),
    }
    (reader.errors.len() == before).then_some(directive)
}

/// Reports ports that a kind of memory cannot have.
fn ports_that_fit(reader: &mut Reader<'_>, kind: StorageKind, directive: &StorageDirective) {
    if let Some(ports) = &directive.ports {
        if ports != TRUE_DUAL && ports != SIMPLE_DUAL {
            let message = format!("`ports` is `{SIMPLE_DUAL}` or `{TRUE_DUAL}`");
            reader.error("ports", message);
        } else if kind != StorageKind::BlockRam {
            let message = format!(
                "`ports` is for `block_ram`; `{}` {}",
                kind.name(),
                match kind {
                    StorageKind::Registers => "have a port for each access",
                    StorageKind::LutRam | StorageKind::Rom | StorageKind::BlockRam =>
                        "takes `reads: 2` for two read ports",
                }
            );
            reader.error("ports", message);
        } else if ports == TRUE_DUAL && directive.reads.is_some() {
            let message = format!("`{TRUE_DUAL}` has two ports that both read: leave `reads` out");
            reader.error("reads", message);
        }
    }
    match directive.reads {
        Some(_) if kind == StorageKind::Registers => {
            let message = "`registers` have a port for each access: leave `reads` out";
            reader.error("reads", message);
        }
        Some(reads) if reads > MAX_READS => {
            let message =
                format!("`reads` is at most {MAX_READS}, each costs a copy of the memory");
            reader.error("reads", message);
        }
        _ => {}
    }
}

/// The name of a read and a write port.
const SIMPLE_DUAL: &str = "simple_dual";

/// Maximum number of read ports that can be requested.
const MAX_READS: u32 = 16;

/// Reads one partition of an array, or a list of them.
pub(super) fn bank_directives(
    reader: &mut Reader<'_>,
    name: &str,
    value: &Value,
) -> Vec<BankDirective> {
    let single = [value.clone()];
    let wishes = value.as_sequence().map_or(&single[..], Vec::as_slice);
    let mut found = Vec::new();
    for wish in wishes {
        let Some(mapping) = wish.as_mapping() else {
            reader.error(
                name,
                format!("the banks of `{name}` are a mapping with `dim`, `factor`, `kind`, `block`, or a list of those"),
            );
            continue;
        };
        let mut directive = BankDirective::default();
        read(BANK_KEYS, &mut directive, reader, mapping);
        found.push(directive);
    }
    found
}
