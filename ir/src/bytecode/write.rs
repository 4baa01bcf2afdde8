//! Writes bytecode: numbers the entries first, then writes the sections.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::encoding::{put_number, put_section, put_with_flag};
use super::numbering::{Entry, Numbering};
use super::{MAGIC, VERSION, mask, section, since, write_attributes};
use crate::body::Body;
use crate::context::Context;
use crate::definition::{AttributeSpec, OperationDefinition, Presence, Traits};
use crate::ids::{Attribute, Name, OperationId, OperationName, RegionId, ValueId};
use crate::module::Module;
use crate::resources::{ResourceGroup, ResourceValue};
use crate::view::View;

/// Options for writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// Version, 0 to [`VERSION`].
    pub version: u64,
    /// The version of MLIR that is to read the file: it determines the properties of operations. If it is not given, it is the
    /// oldest one that has all operations and attributes of the module.
    pub mlir_version: Option<u32>,
    /// Name of the producer in the file.
    pub producer: String,
    /// True to omit the data of resources.
    pub elide_resources: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            version: VERSION,
            mlir_version: None,
            producer: concat!("Sluice ", env!("CARGO_PKG_VERSION")).to_owned(),
            elide_resources: false,
        }
    }
}

/// Error for a version that cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unsupported version requested {0}, must be in range [0, {VERSION}]")]
pub struct UnsupportedVersion(pub u64);

/// A function that returns the default value of an attribute.
type DefaultFunction = fn(&Context) -> Attribute;

/// One inherent attribute as a property.
pub(super) struct Property {
    pub(super) name: Name,
    pub(super) is_required: bool,
    /// True for a unit attribute that is stored as a byte.
    pub(super) is_flag: bool,
    default: Option<DefaultFunction>,
    /// The version of MLIR that brought it; 0 if it was always there.
    since: u32,
}

/// Returns the properties of an operation in the order in which they are stored: by name. Before version 6 they include the sizes
/// of groups. An attribute is among them if `mlir_version` of MLIR has it.
pub(super) fn property_order(
    context: &Context,
    definition: &OperationDefinition,
    with_segments: bool,
    mlir_version: u32,
) -> Box<[Property]> {
    let declared = match definition.has(Traits::DISCARDABLE_ATTRIBUTES) {
        true => &[],
        false => definition.attributes,
    };
    let has_flag = |spec: &&AttributeSpec| matches!(spec.presence, Presence::Flag);
    let mut all: Vec<(&str, bool, Option<DefaultFunction>, u32)> = declared
        .iter()
        .filter(|spec| spec.since <= mlir_version && !has_flag(spec))
        .map(|spec| match spec.presence {
            Presence::Required => (spec.name, true, None, spec.since),
            Presence::Optional | Presence::Elided(_) | Presence::Flag => {
                (spec.name, false, None, spec.since)
            }
            Presence::Default(default) => (spec.name, false, Some(default), spec.since),
        })
        .collect();
    if with_segments {
        all.extend(definition.segments().map(|(name, _)| (name, true, None, 0)));
    }
    all.sort_by_key(|(name, ..)| *name);
    let attributes = all
        .into_iter()
        .map(|(name, is_required, default, since)| Property {
            name: context.name(name),
            is_required,
            is_flag: false,
            default,
            since,
        });
    let flags = declared.iter().filter(has_flag).map(|spec| Property {
        name: context.name(spec.name),
        is_required: false,
        is_flag: true,
        default: None,
        since: spec.since,
    });
    attributes.chain(flags).collect()
}

/// Returns the versions of MLIR from which on an operation has other properties than before, the newest first; the last one is 0.
pub(super) fn property_versions(definition: &OperationDefinition) -> Vec<u32> {
    let mut versions: Vec<u32> = definition.attributes.iter().map(|a| a.since).collect();
    versions.push(0);
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions.dedup();
    versions
}

/// A table of distinct byte strings with their numbers.
#[derive(Default)]
pub(super) struct Strings {
    all: Interned<Box<[u8]>>,
}

impl Strings {
    pub(super) fn index(&mut self, text: &[u8]) -> u64 {
        match self.all.numbers.get(text) {
            Some(number) => *number,
            None => self.all.index(text.into()),
        }
    }
}

struct Interned<T> {
    order: Vec<T>,
    numbers: FxHashMap<T, u64>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T: Hash + Eq + Clone> Interned<T> {
    fn index(&mut self, thing: T) -> u64 {
        let next = self.order.len() as u64;
        let number = *self.numbers.entry(thing.clone()).or_insert(next);
        if number == next {
            self.order.push(thing);
        }
        number
    }
}

/// The division of an operation's attributes into properties and others, for one operation name.
struct Layout {
    properties: Box<[Property]>,
    segments: SmallVec<[(Name, usize); 2]>,
    has_properties: bool,
}

struct Writer<'a> {
    context: &'a Context,
    version: u64,
    mlir_version: u32,
    numbering: Numbering<'a>,
    strings: Strings,
    properties: Interned<Box<[u8]>>,
    layouts: Vec<Option<Layout>>,
    /// The dictionary of each operation, in text order.
    dictionaries: Vec<Option<Attribute>>,
    next_dictionary: usize,
    scratch: Vec<u8>,
}

/// The numbers of values and blocks in one body.
struct Scope {
    values: Vec<u32>,
    blocks: Vec<u32>,
}

/// Writes a module.
///
/// # Errors
/// A version that does not exist.
pub fn write(
    context: &Context,
    module: &Module,
    options: &WriteOptions,
) -> Result<Vec<u8>, UnsupportedVersion> {
    if options.version > VERSION {
        return Err(UnsupportedVersion(options.version));
    }
    let mut writer = Writer {
        context,
        version: options.version,
        mlir_version: (options.mlir_version)
            .unwrap_or_else(|| needed_version(module.view(context))),
        numbering: Numbering::new(context),
        strings: Strings::default(),
        properties: Interned::default(),
        layouts: Vec::new(),
        dictionaries: Vec::new(),
        next_dictionary: 0,
        scratch: Vec::new(),
    };
    writer.refer_operation(module.view(context));
    writer.numbering.finish();
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC);
    put_number(&mut out, options.version);
    out.extend_from_slice(options.producer.as_bytes());
    out.push(0);
    let dialects = writer.dialects();
    put_section(&mut out, section::DIALECT, &dialects);
    let (offsets, attributes) = writer.attributes();
    put_section(&mut out, section::ATTRIBUTE_OFFSETS, &offsets);
    put_section(&mut out, section::ATTRIBUTES, &attributes);
    let operations = writer.operations(module);
    put_section(&mut out, section::IR, &operations);
    writer.resources(module, options, &mut out);
    let strings = writer.strings();
    put_section(&mut out, section::STRING, &strings);
    if options.version >= since::PROPERTIES {
        let mut properties = Vec::new();
        put_number(&mut properties, writer.properties.order.len() as u64);
        for entry in &writer.properties.order {
            put_number(&mut properties, entry.len() as u64);
            properties.extend_from_slice(entry);
        }
        put_section(&mut out, section::PROPERTIES, &properties);
    }
    Ok(out)
}

/// Returns the oldest version of MLIR that has an operation with its attributes, and those in its regions; 0 if all have.
pub fn needed_version(view: View<'_>) -> u32 {
    let mut needed = 0;
    if let Some(definition) = view.definition() {
        let given = definition.attributes.iter();
        let given = given.filter(|spec| spec.since > 0 && view.attribute(spec.name).is_some());
        let attributes = given.map(|spec| spec.since).max();
        needed = definition.since.max(attributes.unwrap_or(0));
    }
    let inner = view.inner();
    for region in view.regions() {
        for block in inner.blocks(*region) {
            for op in inner.operations(*block) {
                needed = needed.max(needed_version(View::new(view.context, inner, op)));
            }
        }
    }
    needed
}

impl<'a> Writer<'a> {
    // First walk: collects all references.

    fn layout(&mut self, name: OperationName) -> &Layout {
        let id = name.index();
        if id >= self.layouts.len() {
            self.layouts.resize_with(id + 1, || None);
        }
        let (context, version, mlir_version) = (self.context, self.version, self.mlir_version);
        self.layouts[id].get_or_insert_with(|| match context.operation_name_data(name).definition {
            None => Layout {
                properties: Box::default(),
                segments: SmallVec::new(),
                has_properties: false,
            },
            Some(definition) => {
                let is_old = version < since::SEGMENT_SIZES;
                let segments: SmallVec<[(Name, usize); 2]> = definition
                    .segments()
                    .map(|(name, count)| (context.name(name), count))
                    .collect();
                let properties = property_order(context, definition, is_old, mlir_version);
                Layout {
                    has_properties: !(properties.is_empty() && segments.is_empty()),
                    properties,
                    segments,
                }
            }
        })
    }

    fn refer_operation(&mut self, view: View<'_>) {
        let (body, op) = (view.body, view.id);
        let name = body.name(op);
        self.numbering.refer_name(name);
        self.numbering.refer_place(body.location(op));
        let dictionary = self.dictionary(view);
        if let Some(dictionary) = dictionary {
            self.numbering.refer_attribute(dictionary);
        }
        self.dictionaries.push(dictionary);
        for value in body.results(op) {
            self.numbering.refer_type(body.ty(*value));
        }
        let inner = body.inner(op);
        for region in body.regions(op) {
            for block in inner.blocks(*region) {
                for value in inner.arguments(*block) {
                    self.numbering.refer_type(inner.ty(*value));
                    self.numbering.refer_place(inner.value_location(*value));
                }
                for op in inner.operations(*block) {
                    self.refer_operation(View::new(view.context, inner, op));
                }
            }
        }
    }

    /// Returns the attributes that are not properties, as a dictionary; refers to those that are.
    fn dictionary(&mut self, view: View<'_>) -> Option<Attribute> {
        let context = self.context;
        let (body, op) = (view.body, view.id);
        let mut rest: Vec<(Name, Attribute)> = Vec::new();
        if self.version < since::PROPERTIES {
            rest.extend_from_slice(body.attributes(op));
            if let Some(properties) = body.unregistered_properties(op)
                && let Some(entries) = properties.as_dictionary(context)
            {
                rest.extend_from_slice(entries);
            }
            for property in &self.layout(body.name(op)).properties {
                let is_there = rest.iter().any(|(name, _)| *name == property.name);
                if let (Some(default), false) = (property.default, is_there) {
                    rest.push((property.name, default(context)));
                }
            }
        } else {
            if let Some(properties) = body.unregistered_properties(op) {
                self.numbering.refer_attribute(properties);
            }
            self.layout(body.name(op));
            let layout = self.layouts[body.name(op).index()]
                .as_ref()
                .expect("just made");
            let attributes = body.attributes(op);
            for property in layout.properties.iter().filter(|p| !p.is_flag) {
                if let Some(attribute) = property_value(context, property, attributes) {
                    self.numbering.refer_attribute(attribute);
                }
            }
            let is_property = |name: Name| {
                layout.properties.iter().any(|p| p.name == name)
                    || layout.segments.iter().any(|(segment, _)| *segment == name)
            };
            rest.extend(attributes.iter().filter(|(name, _)| !is_property(*name)));
        }
        (!rest.is_empty()).then(|| context.dictionary_attribute(&rest))
    }

    // Sections.

    fn dialects(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.numbering.dialects.len() as u64);
        for name in &self.numbering.dialects {
            let index = self.strings.index(name.as_bytes());
            if self.version < since::DIALECT_VERSIONS {
                put_number(&mut out, index);
                continue;
            }
            let version = self.context.dialect(name).and_then(|d| d.version);
            put_with_flag(&mut out, index, version.is_some());
            if let Some(version) = version {
                let mut data = Vec::new();
                put_number(&mut data, version.current);
                put_section(&mut out, section::DIALECT_VERSIONS, &data);
            }
        }
        if self.version >= since::ELIDED_LOCATIONS {
            put_number(&mut out, self.numbering.n_names() as u64);
        }
        for (dialect, names) in self.numbering.name_groups() {
            put_number(&mut out, u64::from(dialect));
            put_number(&mut out, names.len() as u64);
            for name in names {
                let text = self.context.operation_text(*name);
                let text = text.split_once('.').map_or("", |(_, rest)| rest);
                let index = self.strings.index(text.as_bytes());
                let definition = self.context.operation_name_data(*name).definition;
                match self.version >= since::PROPERTIES {
                    true => put_with_flag(&mut out, index, definition.is_some()),
                    false => put_number(&mut out, index),
                }
            }
        }
        out
    }

    fn attributes(&mut self) -> (Vec<u8>, Vec<u8>) {
        let (mut offsets, mut data) = (Vec::new(), Vec::new());
        put_number(&mut offsets, self.numbering.n_attributes() as u64);
        put_number(&mut offsets, self.numbering.n_types() as u64);
        for (dialect, attributes) in self.numbering.attribute_groups() {
            put_number(&mut offsets, u64::from(dialect));
            put_number(&mut offsets, attributes.len() as u64);
            for attribute in attributes {
                let start = data.len();
                let is_encoded = match attribute {
                    Entry::Attribute(attribute) => write_attributes::attribute(
                        &mut data,
                        &mut self.strings,
                        &self.numbering,
                        *attribute,
                    ),
                    Entry::Location(location, _) => {
                        write_attributes::location(&mut data, &self.numbering, *location);
                        true
                    }
                };
                put_with_flag(&mut offsets, (data.len() - start) as u64, is_encoded);
            }
        }
        for (dialect, types) in self.numbering.type_groups() {
            put_number(&mut offsets, u64::from(dialect));
            put_number(&mut offsets, types.len() as u64);
            for ty in types {
                let start = data.len();
                let is_encoded = write_attributes::ty(&mut data, &self.numbering, *ty);
                put_with_flag(&mut offsets, (data.len() - start) as u64, is_encoded);
            }
        }
        (offsets, data)
    }

    fn strings(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let all = &self.strings.all.order;
        put_number(&mut out, all.len() as u64);
        for text in all.iter().rev() {
            put_number(&mut out, text.len() as u64 + 1);
        }
        for text in all {
            out.extend_from_slice(text);
            out.push(0);
        }
        out
    }

    fn operations(&mut self, module: &Module) -> Vec<u8> {
        let mut out = Vec::new();
        put_with_flag(&mut out, 1, false);
        let mut scope = Scope::new(&module.body);
        self.operation(&mut out, &module.body, module.operation, &mut scope, 0);
        out
    }

    /// Writes an operation; `first` is the number of the first value of a region that is not isolated.
    fn operation(
        &mut self,
        out: &mut Vec<u8>,
        body: &Body,
        op: OperationId,
        scope: &mut Scope,
        first: u32,
    ) {
        put_number(out, self.numbering.name(body.name(op)));
        let mask_at = out.len();
        let mut parts = 0;
        out.push(0);
        put_number(out, self.numbering.place());
        if let Some(dictionary) = self.dictionaries[self.next_dictionary] {
            parts |= mask::ATTRIBUTES;
            put_number(out, self.numbering.attribute(dictionary));
        }
        self.next_dictionary += 1;
        if let Some(index) = self.properties_of(body, op) {
            parts |= mask::PROPERTIES;
            put_number(out, index);
        }
        let results = body.results(op);
        if !results.is_empty() {
            parts |= mask::RESULTS;
            put_number(out, results.len() as u64);
            for value in results {
                put_number(out, self.numbering.ty(body.ty(*value)));
            }
        }
        let operands = body.operands(op);
        if operands.len() > 0 {
            parts |= mask::OPERANDS;
            put_number(out, operands.len() as u64);
            for value in operands {
                put_number(out, u64::from(scope.values[value.index()]));
            }
        }
        let successors = body.successors(op);
        if !successors.is_empty() {
            parts |= mask::SUCCESSORS;
            put_number(out, successors.len() as u64);
            for block in successors {
                put_number(out, u64::from(scope.blocks[block.index()]));
            }
        }
        let regions = body.regions(op);
        if !regions.is_empty() {
            parts |= mask::REGIONS;
        }
        out[mask_at] = parts;
        if regions.is_empty() {
            return;
        }
        let is_isolated = body.is_isolated(op);
        put_with_flag(out, regions.len() as u64, is_isolated);
        if !is_isolated {
            for region in regions {
                self.region(out, body, *region, scope, first);
            }
            return;
        }
        let inner = body.inner(op);
        let mut scope = Scope::new(inner);
        if self.version < since::LAZY_LOADING {
            for region in regions {
                self.region(out, inner, *region, &mut scope, 0);
            }
            return;
        }
        let mut data = Vec::new();
        for region in regions {
            self.region(&mut data, inner, *region, &mut scope, 0);
        }
        put_section(out, section::IR, &data);
    }

    fn region(
        &mut self,
        out: &mut Vec<u8>,
        body: &Body,
        region: RegionId,
        scope: &mut Scope,
        first: u32,
    ) {
        let blocks = body.blocks(region);
        put_number(out, blocks.len() as u64);
        if blocks.is_empty() {
            return;
        }
        let next = scope.number(body, region, first);
        put_number(out, u64::from(next - first));
        for block in blocks {
            let arguments = body.arguments(*block);
            let n_operations = body.operations(*block).count() as u64;
            put_with_flag(out, n_operations, !arguments.is_empty());
            if !arguments.is_empty() {
                self.arguments(out, body, arguments);
            }
            for op in body.operations(*block) {
                self.operation(out, body, op, scope, next);
            }
        }
    }

    fn arguments(&mut self, out: &mut Vec<u8>, body: &Body, arguments: &[ValueId]) {
        put_number(out, arguments.len() as u64);
        for value in arguments {
            let ty = self.numbering.ty(body.ty(*value));
            let location = self.numbering.place();
            if self.version >= since::ELIDED_LOCATIONS {
                let is_known = body.value_location(*value) != crate::ids::Location::UNKNOWN;
                put_with_flag(out, ty, is_known);
                if is_known {
                    put_number(out, location);
                }
            } else {
                put_number(out, ty);
                put_number(out, location);
            }
        }
        if self.version >= since::USE_LIST_ORDERS {
            // No use-list orders.
            out.push(0);
        }
    }

    /// Returns the index of the properties of an operation.
    fn properties_of(&mut self, body: &Body, op: OperationId) -> Option<u64> {
        if self.version < since::PROPERTIES {
            return None;
        }
        self.scratch.clear();
        if let Some(properties) = body.unregistered_properties(op) {
            put_number(&mut self.scratch, self.numbering.attribute(properties));
            return Some(self.intern_properties());
        }
        let layout = self.layouts[body.name(op).index()].as_ref()?;
        if !layout.has_properties {
            return None;
        }
        let attributes = body.attributes(op);
        let context = self.context;
        let value_of = |property: &Property| property_value(context, property, attributes);
        // Without what a later version requires, the operation has the properties of the oldest version.
        let is_old = |p: &Property| p.since > 0 && p.is_required && value_of(p).is_none();
        let is_old = layout.properties.iter().any(is_old);
        let chosen = |p: &&Property| !is_old || p.since == 0;
        if layout.segments.is_empty() && !layout.properties.iter().any(|p| chosen(&p)) {
            return None;
        }
        for property in layout.properties.iter().filter(chosen) {
            let value = value_of(property);
            if property.is_flag {
                self.scratch.push(u8::from(value.is_some()));
                continue;
            }
            match (value, property.is_required) {
                (Some(value), true) => {
                    put_number(&mut self.scratch, self.numbering.attribute(value));
                }
                (Some(value), false) => {
                    put_with_flag(&mut self.scratch, self.numbering.attribute(value), true);
                }
                (None, _) => put_number(&mut self.scratch, 0),
            }
        }
        if self.version >= since::SEGMENT_SIZES {
            for (name, count) in &layout.segments {
                let sizes = attributes.iter().find(|(known, _)| known == name);
                let sizes = sizes.and_then(|(_, a)| a.as_dense_array_i64(self.context));
                put_sparse_array(&mut self.scratch, &sizes.unwrap_or_else(|| vec![0; *count]));
            }
        }
        Some(self.intern_properties())
    }

    fn intern_properties(&mut self) -> u64 {
        match self.properties.numbers.get(self.scratch.as_slice()) {
            Some(number) => *number,
            None => self.properties.index(self.scratch.as_slice().into()),
        }
    }

    // Resources.

    fn resources(&mut self, module: &Module, options: &WriteOptions, out: &mut Vec<u8>) {
        let keys = self.numbering.resource_keys.clone();
        let external = &module.resources.external;
        if keys.is_empty() && external.is_empty() {
            return;
        }
        let (mut offsets, mut data) = (Vec::new(), Vec::new());
        put_number(&mut offsets, external.len() as u64);
        for group in external {
            put_number(&mut offsets, self.strings.index(group.owner.as_bytes()));
            put_number(&mut offsets, group.entries.len() as u64);
            for entry in &group.entries {
                let key = self.strings.index(entry.key.as_bytes());
                self.resource(key, Some(&entry.value), options, &mut offsets, &mut data);
            }
        }
        if !keys.is_empty() {
            let owner = self.numbering.dialect_number("builtin").unwrap_or(0);
            put_number(&mut offsets, u64::from(owner));
            put_number(&mut offsets, keys.len() as u64);
            for key in keys {
                let text = self.context.text(key);
                let value = find(&module.resources.dialect, text);
                let key = self.strings.index(text.as_bytes());
                self.resource(key, value, options, &mut offsets, &mut data);
            }
        }
        put_section(out, section::RESOURCE_OFFSETS, &offsets);
        // Blobs are aligned within the section, and the section in the file.
        let all = module.resources.dialect.iter().chain(external);
        let alignment = all
            .flat_map(|group| &group.entries)
            .map(|entry| match &entry.value {
                ResourceValue::Blob { alignment, .. } => blob_alignment(*alignment),
                ResourceValue::Bool(_) | ResourceValue::String(_) => 1,
            });
        let alignment = alignment.max().unwrap_or(1);
        if alignment == 1 {
            put_section(out, section::RESOURCE, &data);
            return;
        }
        out.push(section::RESOURCE | 0x80);
        put_number(out, data.len() as u64);
        put_number(out, alignment);
        pad(out, alignment);
        out.extend_from_slice(&data);
    }

    fn resource(
        &mut self,
        key: u64,
        value: Option<&ResourceValue>,
        options: &WriteOptions,
        offsets: &mut Vec<u8>,
        data: &mut Vec<u8>,
    ) {
        let start = data.len();
        let value = value.filter(|_| !options.elide_resources);
        let kind = match value {
            None => 0,
            Some(ResourceValue::Blob {
                alignment,
                data: bytes,
            }) => {
                let alignment = blob_alignment(*alignment);
                put_number(data, alignment);
                put_number(data, bytes.len() as u64);
                pad(data, alignment);
                data.extend_from_slice(bytes);
                0
            }
            Some(ResourceValue::Bool(value)) => {
                data.push(u8::from(*value));
                1
            }
            Some(ResourceValue::String(text)) => {
                put_number(data, self.strings.index(text.as_bytes()));
                2
            }
        };
        put_number(offsets, key);
        put_number(offsets, (data.len() - start) as u64);
        offsets.push(kind);
    }
}

/// Returns the alignment of a written blob in bytes: an alignment that is not a power of two is dropped.
fn blob_alignment(asked: u32) -> u64 {
    u64::from(if asked.is_power_of_two() {
        asked.min(4096)
    } else {
        1
    })
}

fn pad(out: &mut Vec<u8>, alignment: u64) {
    while !(out.len() as u64).is_multiple_of(alignment) {
        out.push(0xCB);
    }
}

fn find<'m>(groups: &'m [ResourceGroup], key: &str) -> Option<&'m ResourceValue> {
    let mut entries = groups.iter().flat_map(|group| &group.entries);
    let entry = entries.find(|entry| entry.key == key)?;
    Some(&entry.value)
}

fn property_value(
    context: &Context,
    property: &Property,
    attributes: &[(Name, Attribute)],
) -> Option<Attribute> {
    let found = attributes.iter().find(|(name, _)| *name == property.name);
    match found {
        Some((_, attribute)) => Some(*attribute),
        None => property.default.map(|default| default(context)),
    }
}

/// Writes the elements; if at most half of them are non-zero, writes only those, with their positions.
fn put_sparse_array(out: &mut Vec<u8>, values: &[i64]) {
    let n_values = values.iter().filter(|value| **value != 0).count();
    let last = values.iter().rposition(|value| *value != 0).unwrap_or(0);
    if last > 256 || n_values > values.len() / 2 {
        put_with_flag(out, values.len() as u64, false);
        for value in values {
            put_number(out, value.cast_unsigned());
        }
        return;
    }
    put_with_flag(out, n_values as u64, true);
    if n_values == 0 {
        return;
    }
    let index_bits = u64::from((last + 1).next_power_of_two().trailing_zeros());
    put_number(out, index_bits);
    for (index, value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        put_number(out, value.cast_unsigned() << index_bits | index as u64);
    }
}

impl Scope {
    fn new(body: &Body) -> Self {
        Self {
            values: vec![0; body.value_capacity()],
            blocks: vec![0; body.block_capacity()],
        }
    }

    /// Numbers the values and blocks directly in `region`, from `first` on; returns the next number.
    fn number(&mut self, body: &Body, region: RegionId, first: u32) -> u32 {
        let mut next = first;
        for (number, block) in (0..).zip(body.blocks(region)) {
            self.blocks[block.index()] = number;
            let arguments = body.arguments(*block).iter();
            let results = body.operations(*block).flat_map(|op| body.results(op));
            for value in arguments.chain(results) {
                self.values[value.index()] = next;
                next += 1;
            }
        }
        next
    }
}
