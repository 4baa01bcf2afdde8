//! The interface of a bound function: its ports and the attribute that describes them.

use sluice_ir::types::FloatKind;
use sluice_ir::{Attribute, Context};

use crate::partition::Partition;

/// The ports of one argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgumentPorts {
    /// A scalar input.
    Scalar {
        /// Port name.
        name: String,
        /// Width in bits.
        width_bits: u32,
    },
    /// A memory outside: one read and one write port; an unused port is absent.
    Memory {
        /// Prefix of the port names.
        name: String,
        /// Number of words.
        depth_words: u32,
        /// Bits per word.
        width_bits: u32,
        /// Shape in the source, row-major.
        shape: Vec<i64>,
        /// True if the ports `raddr`, `ren`, `rdata` exist.
        read: bool,
        /// True if the ports `waddr`, `wen`, `wdata` exist.
        write: bool,
        /// True if the words come, or go, one by one in their order: a stream has the ports `name`, `name_valid` and
        /// `name_ready`, and is either read or written.
        stream: bool,
        /// The memories of an array in banks, which then have the ports.
        banks: Option<Banks>,
    },
}

/// An array in banks: one memory for each bank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Banks {
    /// The partition of the elements into banks.
    pub partition: Partition,
    /// The memories, by bank.
    pub memories: Vec<MemoryPorts>,
}

/// One memory outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPorts {
    /// Prefix of the port names.
    pub name: String,
    /// Number of words.
    pub depth_words: u32,
    /// Bits per word.
    pub width_bits: u32,
    /// True if the ports `raddr`, `ren`, `rdata` exist.
    pub read: bool,
    /// True if the ports `waddr`, `wen`, `wdata` exist.
    pub write: bool,
    /// True if it is a stream, which has other ports.
    pub stream: bool,
}

impl ArgumentPorts {
    /// Returns the memories outside: none for a scalar, one for an array, one per bank for an array in banks.
    pub fn memories(&self) -> Vec<MemoryPorts> {
        match self {
            Self::Scalar { .. } => Vec::new(),
            Self::Memory {
                banks: Some(banks), ..
            } => banks.memories.clone(),
            Self::Memory {
                name,
                depth_words,
                width_bits,
                read,
                write,
                stream,
                ..
            } => vec![MemoryPorts {
                name: name.clone(),
                depth_words: *depth_words,
                width_bits: *width_bits,
                read: *read,
                write: *write,
                stream: *stream,
            }],
        }
    }
}

/// The interface of one module that was generated from a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// Module name.
    pub module: String,
    /// Arguments in the order of the function.
    pub arguments: Vec<ArgumentPorts>,
    /// Name of each argument in the source; ports have the same names where Verilog allows it.
    pub sources: Vec<String>,
    /// Widths of `result0`, `result1`, ...
    pub result_width_bits: Vec<u32>,
    /// Sources of the memories whose shape is the largest one, so that data may have fewer words; not part of the attribute.
    pub open_arrays: Vec<String>,
    /// The float format of each argument's words, and of each result; not part of the attribute.
    pub formats: Formats,
}

/// Float formats of a kernel's arguments and results; none beyond the end of a list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Formats {
    /// Formats of the words of the arguments.
    pub arguments: Vec<Option<FloatKind>>,
    /// Formats of the results.
    pub results: Vec<Option<FloatKind>>,
}

impl Interface {
    /// Returns the format of an argument's words, if they are floats.
    pub fn argument_format(&self, position: usize) -> Option<FloatKind> {
        self.formats.arguments.get(position).copied().flatten()
    }

    /// Returns the format of a result, if it is a float.
    pub fn result_format(&self, position: usize) -> Option<FloatKind> {
        self.formats.results.get(position).copied().flatten()
    }

    /// Returns the number of 64-bit words of all memories outside.
    pub fn n_words(&self) -> u128 {
        let words = self.arguments.iter().map(|argument| match argument {
            ArgumentPorts::Scalar { .. } => 0,
            ArgumentPorts::Memory {
                width_bits, shape, ..
            } => {
                let extents = shape
                    .iter()
                    .map(|extent| u128::try_from(*extent).unwrap_or(0));
                let n_words = extents.fold(1, u128::saturating_mul);
                n_words.saturating_mul(u128::from(width_bits.div_ceil(64)))
            }
        });
        words.fold(0, u128::saturating_add)
    }

    /// Returns `sluice.interface`: one dictionary per argument, then one per result.
    pub fn to_attribute(&self, context: &Context) -> Attribute {
        let number = |n: u32| context.i64_attribute(i64::from(n));
        let text = |t: &str| context.string_attribute(t);
        let entry = |name: &str, attribute: Attribute| (context.name(name), attribute);
        let mut entries = Vec::new();
        for (argument, source) in self.arguments.iter().zip(&self.sources) {
            entries.push(match argument {
                ArgumentPorts::Scalar { name, width_bits } => context.dictionary_attribute(&[
                    entry("kind", text("scalar")),
                    entry("name", text(name)),
                    entry("source", text(source)),
                    entry("width", number(*width_bits)),
                ]),
                ArgumentPorts::Memory {
                    name,
                    depth_words,
                    width_bits,
                    shape,
                    read,
                    write,
                    stream,
                    banks,
                } => {
                    let mut entries = vec![
                        entry("kind", text("memory")),
                        entry("name", text(name)),
                        entry("source", text(source)),
                        entry("width", number(*width_bits)),
                        entry("depth", number(*depth_words)),
                        entry("shape", context.dense_i64_array(shape)),
                        entry("read", context.bool_attribute(*read)),
                        entry("write", context.bool_attribute(*write)),
                    ];
                    if *stream {
                        entries.push(entry("stream", context.bool_attribute(true)));
                    }
                    if let Some(banks) = banks {
                        entries.push(entry("partition", banks.partition.to_attribute(context)));
                        let memories: Vec<Attribute> = banks
                            .memories
                            .iter()
                            .map(|memory| memory.to_attribute(context))
                            .collect();
                        entries.push(entry("banks", context.array_attribute(&memories)));
                    }
                    context.dictionary_attribute(&entries)
                }
            });
        }
        for (i, width_bits) in self.result_width_bits.iter().enumerate() {
            entries.push(context.dictionary_attribute(&[
                entry("kind", text("result")),
                entry("name", text(&format!("result{i}"))),
                entry("width", number(*width_bits)),
            ]));
        }
        context.array_attribute(&entries)
    }

    /// Reads `sluice.interface` back.
    pub fn from_attribute(context: &Context, module: &str, attribute: Attribute) -> Option<Self> {
        let mut interface = Self {
            module: module.to_owned(),
            arguments: Vec::new(),
            sources: Vec::new(),
            result_width_bits: Vec::new(),
            open_arrays: Vec::new(),
            formats: Formats::default(),
        };
        for entry in attribute.as_array(context)? {
            let entries = entry.as_dictionary(context)?;
            let get = |name: &str| {
                entries
                    .iter()
                    .find(|(n, _)| context.text(*n) == name)
                    .map(|(_, a)| *a)
            };
            let number = |name: &str| u32::try_from(get(name)?.as_i64(context)?).ok();
            let name = get("name")?.as_str(context)?.to_owned();
            let width_bits = number("width")?;
            if let Some(source) = get("source") {
                interface.sources.push(source.as_str(context)?.to_owned());
            }
            match get("kind")?.as_str(context)? {
                "scalar" => interface
                    .arguments
                    .push(ArgumentPorts::Scalar { name, width_bits }),
                "memory" => interface.arguments.push(ArgumentPorts::Memory {
                    name,
                    depth_words: number("depth")?,
                    width_bits,
                    shape: get("shape")?.as_dense_array_i64(context)?,
                    read: get("read")?.as_bool(context)?,
                    write: get("write")?.as_bool(context)?,
                    stream: get("stream").is_some(),
                    banks: match (get("partition"), get("banks")) {
                        (Some(partition), Some(memories)) => Some(Banks {
                            partition: Partition::from_attribute(context, partition)?,
                            memories: memories
                                .as_array(context)?
                                .iter()
                                .map(|memory| MemoryPorts::from_attribute(context, *memory))
                                .collect::<Option<_>>()?,
                        }),
                        _ => None,
                    },
                }),
                "result" => interface.result_width_bits.push(width_bits),
                _ => return None,
            }
        }
        Some(interface)
    }
}

impl MemoryPorts {
    fn to_attribute(&self, context: &Context) -> Attribute {
        let entry = |name: &str, attribute: Attribute| (context.name(name), attribute);
        let number = |n: u32| context.i64_attribute(i64::from(n));
        context.dictionary_attribute(&[
            entry("name", context.string_attribute(&self.name)),
            entry("width", number(self.width_bits)),
            entry("depth", number(self.depth_words)),
            entry("read", context.bool_attribute(self.read)),
            entry("write", context.bool_attribute(self.write)),
        ])
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        let entries = attribute.as_dictionary(context)?;
        let get = |name: &str| {
            let entry = entries.iter().find(|(n, _)| context.text(*n) == name);
            entry.map(|(_, attribute)| *attribute)
        };
        let number = |name: &str| u32::try_from(get(name)?.as_i64(context)?).ok();
        Some(Self {
            name: get("name")?.as_str(context)?.to_owned(),
            depth_words: number("depth")?,
            width_bits: number("width")?,
            read: get("read")?.as_bool(context)?,
            write: get("write")?.as_bool(context)?,
            // An array in banks is not a stream.
            stream: false,
        })
    }
}
