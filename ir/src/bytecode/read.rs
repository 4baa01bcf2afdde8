//! Reads the sections of a bytecode file and their tables.

use rustc_hash::FxHashMap;

use super::encoding::{Cursor, Decoded, Fault};
use super::write::{Property, property_order, property_versions};
use super::{MAGIC, VERSION, section, since};
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::ids::{Attribute, Name, OperationName, Type};
use crate::location::LocationKind;
use crate::module::Module;
use crate::resources::{Resource, ResourceGroup, ResourceValue, Resources};
use crate::text::ParseOptions;

/// Reads a file; puts the top-level operations into a `builtin.module` unless there is exactly one module.
///
/// Errors: recorded in `diagnostics`, with the section and the offset in bytes.
pub fn read(
    context: &Context,
    data: &[u8],
    file_name: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Module> {
    read_with(
        context,
        data,
        file_name,
        ParseOptions::default(),
        diagnostics,
    )
}

/// Reads as [`read`] does, with options.
pub fn read_with(
    context: &Context,
    data: &[u8],
    file_name: &str,
    options: ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Module> {
    let file = context.name(file_name);
    match Reader::new(context, data, file).and_then(|mut reader| reader.module(options)) {
        Ok(module) => Some(module),
        Err(fault) => {
            let location = context.location(LocationKind::File {
                file,
                line: 0,
                column: 0,
            });
            let message = format!(
                "{} (section {}, byte {})",
                fault.message,
                section::name(fault.section),
                fault.offset
            );
            diagnostics.error(location, message);
            None
        }
    }
}

/// A dialect that the file names.
pub(super) struct DialectEntry<'a> {
    pub(super) name: &'a str,
    /// The version data that the dialect wrote.
    version: Option<Cursor<'a>>,
}

/// The name of an operation.
pub(super) struct NameEntry {
    pub(super) name: OperationName,
    /// True if the producer knew the operation, so that its properties have a binary encoding.
    pub(super) is_registered: bool,
    /// Its properties, in the order in which they are stored: one list for each version of MLIR that changed them, the newest first.
    pub(super) properties: Vec<Box<[Property]>>,
}

/// The position of a stored attribute or type.
#[derive(Clone, Copy)]
pub(super) struct Slot<T> {
    /// Offsets in the file, which is smaller than 4 GiB.
    start: u32,
    end: u32,
    pub(super) dialect: u32,
    /// True if the dialect encoded it in binary, otherwise it is text.
    pub(super) is_encoded: bool,
    pub(super) state: State<T>,
}

impl<T> Slot<T> {
    /// Returns the bytes of this slot.
    pub(super) fn cursor<'a>(&self, data: &'a [u8]) -> Cursor<'a> {
        Cursor::new(
            data,
            self.start as usize,
            self.end as usize,
            section::ATTRIBUTES,
        )
    }
}

/// The decoding state of a slot.
#[derive(Clone, Copy)]
pub(super) enum State<T> {
    New,
    /// Being decoded: a slot that needs itself is an error.
    Busy,
    Done(T),
}

pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) data: &'a [u8],
    pub(super) file: Name,
    pub(super) version: u64,
    /// The program that wrote the file, as it names itself.
    producer: String,
    sections: [Option<Cursor<'a>>; section::COUNT as usize],
    pub(super) strings: Vec<&'a [u8]>,
    pub(super) dialects: Vec<DialectEntry<'a>>,
    pub(super) names: Vec<NameEntry>,
    pub(super) attributes: Vec<Slot<Attribute>>,
    pub(super) types: Vec<Slot<Type>>,
    /// Start and end of each entry of the properties section.
    pub(super) properties: Vec<(usize, usize)>,
    /// Keys of the resources of dialects, in order: attributes refer to them by index.
    pub(super) resource_keys: Vec<&'a str>,
    resources: Resources,
    /// The most recently decoded name, with its attribute.
    pub(super) last_name: Option<(Attribute, Name)>,
    pub(super) depth: u32,
    /// Number of distinct attributes of the builtin dialect so far.
    pub(super) n_distinct: u64,
}

impl<'a> Reader<'a> {
    fn new(context: &'a Context, data: &'a [u8], file: Name) -> Decoded<Self> {
        let mut reader = Self {
            context,
            data,
            file,
            version: 0,
            producer: String::new(),
            sections: [None; section::COUNT as usize],
            strings: Vec::new(),
            dialects: Vec::new(),
            names: Vec::new(),
            attributes: Vec::new(),
            types: Vec::new(),
            properties: Vec::new(),
            resource_keys: Vec::new(),
            resources: Resources::default(),
            last_name: None,
            depth: 0,
            n_distinct: 0,
        };
        reader.header()?;
        reader.read_strings()?;
        reader.read_properties()?;
        reader.read_dialects()?;
        reader.read_resources()?;
        reader.read_offsets()?;
        Ok(reader)
    }

    fn module(&mut self, options: ParseOptions) -> Decoded<Module> {
        let cursor = self.required(section::IR)?;
        let mut module = self.operations(cursor, options)?;
        module.resources = std::mem::take(&mut self.resources);
        self.upgrade(&mut module)?;
        Ok(module)
    }

    /// Upgrades operations that older versions of dialects wrote.
    fn upgrade(&self, module: &mut Module) -> Decoded<()> {
        for entry in &self.dialects {
            let Some(dialect) = self.context.dialect(entry.name) else {
                continue;
            };
            let Some(version) = dialect.version else {
                continue;
            };
            let written = match entry.version {
                Some(mut cursor) => cursor.number()?,
                None => 0,
            };
            let cursor = self.required(section::DIALECT)?;
            if written > version.current {
                let message = format!(
                    "dialect '{}' is of version {written}, newer than {}",
                    entry.name, version.current
                );
                return Err(cursor.fault(message));
            }
            if written < version.current {
                let upgraded = (version.upgrade)(self.context, module, written);
                upgraded.map_err(|why| cursor.fault(why))?;
            }
        }
        Ok(())
    }

    fn header(&mut self) -> Decoded<()> {
        let mut cursor = Cursor::new(self.data, 0, self.data.len(), section::COUNT);
        if u32::try_from(self.data.len()).is_err() {
            return Err(cursor.fault("files of 4 GiB and more are not supported"));
        }
        if cursor.bytes(4)? != MAGIC {
            return Err(cursor.fault("expected the magic number of MLIR bytecode"));
        }
        self.version = cursor.number()?;
        if self.version > VERSION {
            let producer = cursor.text().unwrap_or_default();
            self.producer = String::from_utf8_lossy(producer).into_owned();
            let message = format!(
                "bytecode version {} is newer than the current version {VERSION}{}",
                self.version,
                self.origin()
            );
            return Err(cursor.fault(message));
        }
        let producer = cursor.text()?;
        self.producer = String::from_utf8_lossy(producer).into_owned();
        while !cursor.is_empty() {
            let start = cursor.at;
            let (number, inner) = cursor.section()?;
            let slot = &mut self.sections[usize::from(number)];
            if slot.replace(inner).is_some() {
                let message = format!("duplicate top-level section: {}", section::name(number));
                return Err(Fault {
                    section: number,
                    offset: start,
                    message,
                });
            }
        }
        for number in [
            section::STRING,
            section::DIALECT,
            section::ATTRIBUTES,
            section::ATTRIBUTE_OFFSETS,
            section::IR,
        ] {
            self.required(number)?;
        }
        Ok(())
    }

    /// Returns ` (MLIR20.1.0 made the file)`, for messages about parts that are not known here.
    pub(super) fn origin(&self) -> String {
        match self.producer.as_str() {
            "" => String::new(),
            producer => format!(" ({producer} made the file)"),
        }
    }

    /// Returns the section with this number.
    pub(super) fn required(&self, number: u8) -> Decoded<Cursor<'a>> {
        self.sections[usize::from(number)].ok_or_else(|| Fault {
            section: number,
            offset: self.data.len(),
            message: format!(
                "missing data for top-level section: {}",
                section::name(number)
            ),
        })
    }

    fn read_strings(&mut self) -> Decoded<()> {
        let mut cursor = self.required(section::STRING)?;
        let count = cursor.count("strings")?;
        let mut lengths = Vec::with_capacity(count);
        for _ in 0..count {
            lengths.push(cursor.number()?);
        }
        // Lengths are stored in reverse order.
        for length in lengths.into_iter().rev() {
            let length = cursor.checked_count(length, "characters", cursor.at)?;
            let (text, end) = match cursor.bytes(length)?.split_last() {
                Some((end, text)) => (text, *end),
                None => return Err(cursor.fault("a string without its final zero byte")),
            };
            if end != 0 {
                return Err(cursor.fault("a string without its final zero byte"));
            }
            self.strings.push(text);
        }
        if !cursor.is_empty() {
            return Err(cursor
                .fault("unexpected trailing data between the offsets for strings and their data"));
        }
        Ok(())
    }

    /// Returns a string by its index.
    pub(super) fn string(&self, cursor: &mut Cursor<'a>) -> Decoded<&'a [u8]> {
        let index = cursor.index(self.strings.len(), "string")?;
        Ok(self.strings[index])
    }

    /// Returns a string that must be UTF-8.
    pub(super) fn utf8(&self, cursor: &mut Cursor<'a>) -> Decoded<&'a str> {
        let text = self.string(cursor)?;
        std::str::from_utf8(text).map_err(|_| cursor.fault("expected UTF-8 text"))
    }

    fn read_dialects(&mut self) -> Decoded<()> {
        let mut cursor = self.required(section::DIALECT)?;
        let count = cursor.count("dialects")?;
        for _ in 0..count {
            let start = cursor.at;
            let (index, is_versioned) = match self.version >= since::DIALECT_VERSIONS {
                true => cursor.number_with_flag()?,
                false => (cursor.number()?, false),
            };
            let index = cursor.checked_index(index, self.strings.len(), "string", start)?;
            let name = std::str::from_utf8(self.strings[index])
                .map_err(|_| cursor.fault("expected UTF-8 text"))?;
            let mut version = None;
            if is_versioned {
                let (number, inner) = cursor.section()?;
                if number != section::DIALECT_VERSIONS {
                    return Err(cursor.fault("expected dialect version section"));
                }
                version = Some(inner);
            }
            self.dialects.push(DialectEntry { name, version });
        }
        if self.version >= since::ELIDED_LOCATIONS {
            let count = cursor.count("operation names")?;
            self.names.reserve(count);
        }
        while !cursor.is_empty() {
            let (dialect, count) = self.group(&mut cursor)?;
            for _ in 0..count {
                let start = cursor.at;
                let (index, is_registered) = match self.version >= since::PROPERTIES {
                    true => cursor.number_with_flag()?,
                    false => (cursor.number()?, false),
                };
                let index = cursor.checked_index(index, self.strings.len(), "string", start)?;
                self.push_name(&cursor, dialect, self.strings[index], is_registered)?;
            }
        }
        Ok(())
    }

    fn push_name(
        &mut self,
        cursor: &Cursor<'a>,
        dialect: usize,
        text: &[u8],
        is_registered: bool,
    ) -> Decoded<()> {
        let text = std::str::from_utf8(text).map_err(|_| cursor.fault("expected UTF-8 text"))?;
        let dialect = self.dialects[dialect].name;
        let name = match text {
            // An operation whose name has no dialect: the name consists of this text only.
            "" => self.context.operation_name(dialect),
            text => self.context.operation_name(&format!("{dialect}.{text}")),
        };
        let definition = self.context.operation_name_data(name).definition;
        if is_registered && definition.is_none() {
            let message = format!(
                "operation '{}' was registered where the file was made{}, but is not here",
                self.context.operation_text(name),
                self.origin()
            );
            return Err(cursor.fault(message));
        }
        self.names.push(NameEntry {
            name,
            is_registered,
            properties: definition.map_or_else(Vec::new, |definition| {
                let is_old = self.version < since::SEGMENT_SIZES;
                property_versions(definition)
                    .into_iter()
                    .map(|version| property_order(self.context, definition, is_old, version))
                    .collect()
            }),
        });
        Ok(())
    }

    /// Reads a dialect and the number of its entries that follow.
    fn group(&self, cursor: &mut Cursor<'a>) -> Decoded<(usize, usize)> {
        let dialect = cursor.index(self.dialects.len(), "dialect")?;
        let count = cursor.count("entries")?;
        Ok((dialect, count))
    }

    fn read_offsets(&mut self) -> Decoded<()> {
        let mut cursor = self.required(section::ATTRIBUTE_OFFSETS)?;
        let data = self.required(section::ATTRIBUTES)?;
        let n_attributes = cursor.count("attributes")?;
        let n_types = cursor.count("types")?;
        let mut next = data.at;
        let mut left = n_attributes;
        while left > 0 {
            let (dialect, count) = self.group(&mut cursor)?;
            if count > left {
                return Err(cursor.fault("more attributes than the section announces"));
            }
            left -= count;
            for _ in 0..count {
                let slot = slot(&mut cursor, dialect, &mut next, data.end)?;
                self.attributes.push(slot);
            }
        }
        let mut left = n_types;
        while left > 0 {
            let (dialect, count) = self.group(&mut cursor)?;
            if count > left {
                return Err(cursor.fault("more types than the section announces"));
            }
            left -= count;
            for _ in 0..count {
                let slot = slot(&mut cursor, dialect, &mut next, data.end)?;
                self.types.push(slot);
            }
        }
        if !cursor.is_empty() {
            return Err(
                cursor.fault("unexpected trailing data in the Attribute/Type offset section")
            );
        }
        Ok(())
    }

    fn read_properties(&mut self) -> Decoded<()> {
        if self.version < since::PROPERTIES {
            return Ok(());
        }
        let mut cursor = self.required(section::PROPERTIES)?;
        let count = cursor.count("properties")?;
        for _ in 0..count {
            let size = cursor.count("bytes of properties")?;
            self.properties.push((cursor.at, cursor.at + size));
            cursor.bytes(size)?;
        }
        if !cursor.is_empty() {
            return Err(cursor.fault("broken properties section: didn't exhaust the offsets table"));
        }
        Ok(())
    }

    fn read_resources(&mut self) -> Decoded<()> {
        let number = usize::from(section::RESOURCE_OFFSETS);
        let Some(mut offsets) = self.sections[number] else {
            return match self.sections[usize::from(section::RESOURCE)] {
                Some(cursor) => {
                    Err(cursor.fault("unexpected resource section when no offsets are present"))
                }
                None => Ok(()),
            };
        };
        let mut data = self.required(section::RESOURCE)?;
        let count = offsets.count("resource groups")?;
        for _ in 0..count {
            let owner = self.utf8(&mut offsets)?.to_owned();
            let group = self.resource_group(owner, &mut offsets, &mut data, false)?;
            self.resources.external.push(group);
        }
        while !offsets.is_empty() {
            let dialect = offsets.index(self.dialects.len(), "dialect")?;
            let owner = self.dialects[dialect].name.to_owned();
            let group = self.resource_group(owner, &mut offsets, &mut data, true)?;
            self.resources.dialect.push(group);
        }
        Ok(())
    }

    fn resource_group(
        &mut self,
        owner: String,
        offsets: &mut Cursor<'a>,
        data: &mut Cursor<'a>,
        is_dialect: bool,
    ) -> Decoded<ResourceGroup> {
        let count = offsets.count("resources")?;
        let mut entries: Vec<Resource> = Vec::new();
        let mut known: FxHashMap<&str, ()> = FxHashMap::default();
        for _ in 0..count {
            let key = self.utf8(offsets)?;
            let size = offsets.number()?;
            let kind = offsets.byte()?;
            if is_dialect {
                self.resource_keys.push(key);
            }
            let size = data.checked_count(size, "bytes of a resource", data.at)?;
            if size == 0 {
                continue;
            }
            let mut inner = Cursor::new(self.data, data.at, data.at + size, section::RESOURCE);
            data.at += size;
            let value = match kind {
                0 => {
                    let alignment = inner.number()?;
                    let length = inner.number()?;
                    inner.align(alignment)?;
                    let length = inner.checked_count(length, "bytes of a blob", inner.at)?;
                    ResourceValue::Blob {
                        alignment: u32::try_from(alignment)
                            .map_err(|_| inner.fault("expected an alignment below 2^32"))?,
                        data: inner.bytes(length)?.to_vec(),
                    }
                }
                1 => ResourceValue::Bool(inner.byte()? != 0),
                2 => ResourceValue::String(self.utf8(&mut inner)?.to_owned()),
                _ => return Err(inner.fault("invalid resource kind")),
            };
            if known.insert(key, ()).is_none() {
                entries.push(Resource {
                    key: key.to_owned(),
                    value,
                });
            }
        }
        Ok(ResourceGroup { owner, entries })
    }
}

fn slot<T>(
    cursor: &mut Cursor<'_>,
    dialect: usize,
    next: &mut usize,
    end: usize,
) -> Decoded<Slot<T>> {
    let (size, is_encoded) = cursor.number_with_flag()?;
    let start = *next;
    let small = |value: usize| u32::try_from(value).expect("the size of the file was checked");
    match usize::try_from(size) {
        Ok(size) if size <= end - start => *next = start + size,
        _ => {
            return Err(
                cursor.fault("Attribute or Type entry offset points past the end of section")
            );
        }
    }
    Ok(Slot {
        start: small(start),
        end: small(*next),
        dialect: small(dialect),
        is_encoded,
        state: State::New,
    })
}
