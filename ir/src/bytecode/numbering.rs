//! Numbers everything that a module refers to, so that the most frequent entries get the shortest numbers.

use rustc_hash::FxHashMap;

use super::builtin::FLOATS;
use crate::affine::AffineMap;
use crate::attributes::AttributeKind;
use crate::context::Context;
use crate::ids::{Attribute, Location, Name, OperationName, Type};
use crate::location::LocationKind;
use crate::types::TypeKind;

/// A table of entries with dense ids, in the order of their first use, with the number of references to each.
struct Table<T> {
    order: Vec<T>,
    /// Position in `order` plus one, by id; after [`Table::finish`] the final number plus one.
    numbers: Vec<u32>,
    uses: Vec<u32>,
    dialects: Vec<u32>,
}

impl<T: Copy> Table<T> {
    fn new() -> Self {
        Self {
            order: Vec::new(),
            numbers: Vec::new(),
            uses: Vec::new(),
            dialects: Vec::new(),
        }
    }

    /// Counts a reference; returns true if it is the first.
    fn refer(&mut self, thing: T, id: usize) -> bool {
        if id >= self.numbers.len() {
            self.numbers.resize(id + 1, 0);
        }
        match self.numbers[id] {
            0 => {
                self.order.push(thing);
                self.uses.push(1);
                self.dialects.push(0);
                self.numbers[id] = index_u32(self.order.len());
                true
            }
            number => {
                self.uses[number as usize - 1] += 1;
                false
            }
        }
    }

    fn set_dialect(&mut self, id: usize, dialect: u32) {
        self.dialects[self.numbers[id] as usize - 1] = dialect;
    }

    fn number(&self, id: usize) -> u64 {
        u64::from(self.numbers[id]) - 1
    }

    /// Sorts by number of uses, and by dialect among entries whose numbers take equally many bytes.
    fn finish(&mut self, id: impl Fn(T) -> usize) {
        let mut sorted: Vec<usize> = (0..self.order.len()).collect();
        sorted.sort_by_key(|index| std::cmp::Reverse(self.uses[*index]));
        let mut start = 0;
        let mut bits = 7;
        while start < sorted.len() {
            let end = sorted.len().min(1 << bits);
            sorted[start..end].sort_by_key(|index| self.dialects[*index]);
            start = end;
            bits += 7;
        }
        self.order = sorted.iter().map(|index| self.order[*index]).collect();
        self.dialects = sorted.iter().map(|index| self.dialects[*index]).collect();
        for (number, thing) in self.order.iter().enumerate() {
            self.numbers[id(*thing)] = index_u32(number + 1);
        }
    }

    /// Returns runs of entries of one dialect.
    fn groups(&self) -> impl Iterator<Item = (u32, &[T])> {
        let mut start = 0;
        self.dialects.chunk_by(|a, b| a == b).map(move |chunk| {
            let range = start..start + chunk.len();
            start = range.end;
            (chunk[0], &self.order[range])
        })
    }
}

fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 entries")
}

/// An entry in the table of attributes, which also contains locations.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Attribute(Attribute),
    /// A location with its number.
    Location(Location, u32),
}

/// The numbers of all entries.
pub(super) struct Numbering<'a> {
    pub(super) context: &'a Context,
    /// Names of dialects, by number.
    pub(super) dialects: Vec<String>,
    dialect_numbers: FxHashMap<String, u32>,
    attributes: Table<Entry>,
    /// Numbers of locations; in the table of attributes their ids are odd, those of attributes are even.
    locations: FxHashMap<Location, u32>,
    n_locations: u32,
    /// The locations of operations and arguments in text order: most occur only there, and need no entry in the map.
    sequence: Vec<u32>,
    next: usize,
    last: Option<Location>,
    /// The string attributes of names.
    texts: FxHashMap<Name, Attribute>,
    types: Table<Type>,
    names: Table<OperationName>,
    /// Keys of resources, by number.
    pub(super) resource_keys: Vec<Name>,
    resource_numbers: FxHashMap<Name, u64>,
}

impl<'a> Numbering<'a> {
    pub(super) fn new(context: &'a Context) -> Self {
        let mut numbering = Self {
            context,
            dialects: Vec::new(),
            dialect_numbers: FxHashMap::default(),
            attributes: Table::new(),
            types: Table::new(),
            names: Table::new(),
            resource_keys: Vec::new(),
            resource_numbers: FxHashMap::default(),
            locations: FxHashMap::default(),
            n_locations: 0,
            sequence: Vec::new(),
            next: 0,
            last: None,
            texts: FxHashMap::default(),
        };
        numbering.dialect("builtin");
        numbering
    }

    fn dialect(&mut self, name: &str) -> u32 {
        if let Some(number) = self.dialect_numbers.get(name) {
            return *number;
        }
        let number = index_u32(self.dialects.len());
        self.dialects.push(name.to_owned());
        self.dialect_numbers.insert(name.to_owned(), number);
        number
    }

    /// Assigns the final numbers.
    pub(super) fn finish(&mut self) {
        self.attributes.finish(|entry| match entry {
            Entry::Attribute(attribute) => 2 * attribute.index(),
            Entry::Location(_, number) => 2 * number as usize + 1,
        });
        self.types.finish(Type::index);
        self.names.finish(OperationName::index);
    }

    // References.

    pub(super) fn refer_name(&mut self, name: OperationName) {
        if self.names.refer(name, name.index()) {
            let text = self.context.operation_text(name);
            let dialect = text.split_once('.').map_or(text, |(dialect, _)| dialect);
            let dialect = self.dialect(dialect);
            self.names.set_dialect(name.index(), dialect);
        }
    }

    pub(super) fn refer_location(&mut self, location: Location) {
        let next = self.n_locations;
        let number = *self.locations.entry(location).or_insert(next);
        self.refer_numbered(location, number);
    }

    /// Refers to the location of the next operation or argument.
    pub(super) fn refer_place(&mut self, location: Location) {
        let number = match self.sequence.last() {
            Some(last) if self.last == Some(location) => *last,
            _ if location.is_in_place() => self.n_locations,
            _ => {
                let next = self.n_locations;
                *self.locations.entry(location).or_insert(next)
            }
        };
        self.last = Some(location);
        self.sequence.push(number);
        self.refer_numbered(location, number);
    }

    fn refer_numbered(&mut self, location: Location, number: u32) {
        if number == self.n_locations {
            self.n_locations += 1;
        }
        let id = 2 * number as usize + 1;
        if self.attributes.refer(Entry::Location(location, number), id) {
            self.refer_inside(location);
            self.attributes.set_dialect(id, 0);
        }
    }

    /// Returns the number of the location of the next operation or argument.
    pub(super) fn place(&mut self) -> u64 {
        let number = self.sequence[self.next];
        self.next += 1;
        self.attributes.number(2 * number as usize + 1)
    }

    pub(super) fn refer_attribute(&mut self, attribute: Attribute) {
        if let AttributeKind::Location(location) = attribute.kind(self.context) {
            self.refer_location(*location);
            return;
        }
        if !self
            .attributes
            .refer(Entry::Attribute(attribute), 2 * attribute.index())
        {
            return;
        }
        let context = self.context;
        let mut dialect = 0;
        match attribute.kind(context) {
            AttributeKind::Array(elements) => {
                elements.iter().for_each(|a| self.refer_attribute(*a));
            }
            AttributeKind::Dictionary(entries) => {
                for (name, value) in entries {
                    self.refer_text(*name);
                    self.refer_attribute(*value);
                }
            }
            AttributeKind::SymbolRef { root, nested } => {
                self.refer_text(*root);
                for name in nested {
                    self.refer_attribute(context.symbol_attribute(context.text(*name)));
                }
            }
            AttributeKind::Type(ty)
            | AttributeKind::String { ty: Some(ty), .. }
            | AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::DenseElements { ty, .. }
            | AttributeKind::DenseStrings { ty, .. }
            | AttributeKind::DenseArray { element: ty, .. } => self.refer_type(*ty),
            AttributeKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                self.refer_type(*ty);
                self.refer_attribute(*indices);
                self.refer_attribute(*values);
            }
            AttributeKind::DenseResource { key, ty } => {
                self.refer_type(*ty);
                let next = self.resource_keys.len() as u64;
                if let std::collections::hash_map::Entry::Vacant(entry) =
                    self.resource_numbers.entry(*key)
                {
                    entry.insert(next);
                    self.resource_keys.push(*key);
                }
            }
            AttributeKind::Distinct { referenced, .. } => self.refer_attribute(*referenced),
            AttributeKind::Dialect { name, .. } => {
                let text = context.text(*name);
                dialect = self.dialect(text.split_once('.').map_or(text, |(dialect, _)| dialect));
            }
            AttributeKind::Opaque { dialect: name, .. } => {
                dialect = self.dialect(context.text(*name));
            }
            AttributeKind::String { ty: None, .. }
            | AttributeKind::Unit
            | AttributeKind::Location(_)
            | AttributeKind::AffineMap(_)
            | AttributeKind::IntegerSet(_)
            | AttributeKind::StridedLayout { .. } => {}
        }
        self.attributes.set_dialect(2 * attribute.index(), dialect);
    }

    fn refer_inside(&mut self, location: Location) {
        match &*location.kind(self.context) {
            LocationKind::Unknown => {}
            LocationKind::File { file, .. } | LocationKind::Range { file, .. } => {
                self.refer_text(*file);
            }
            LocationKind::Name { name, child } => {
                self.refer_text(*name);
                self.refer_location(*child);
            }
            LocationKind::CallSite { callee, caller } => {
                self.refer_location(*callee);
                self.refer_location(*caller);
            }
            LocationKind::Fused { parts, metadata } => {
                parts.iter().for_each(|part| self.refer_location(*part));
                if let Some(metadata) = metadata {
                    self.refer_attribute(*metadata);
                }
            }
        }
    }

    fn refer_text(&mut self, name: Name) {
        let context = self.context;
        let text = *self
            .texts
            .entry(name)
            .or_insert_with(|| context.string_attribute(context.text(name)));
        self.refer_attribute(text);
    }

    pub(super) fn refer_type(&mut self, ty: Type) {
        if !self.types.refer(ty, ty.index()) {
            return;
        }
        let context = self.context;
        let mut dialect = 0;
        match ty.kind(context) {
            TypeKind::Integer { .. } | TypeKind::Index | TypeKind::None | TypeKind::Float(_) => {}
            TypeKind::Complex(part) | TypeKind::UnrankedTensor(part) => self.refer_type(*part),
            TypeKind::Function { inputs, results } => {
                for ty in inputs.iter().chain(results) {
                    self.refer_type(*ty);
                }
            }
            TypeKind::Tuple(parts) => parts.iter().for_each(|ty| self.refer_type(*ty)),
            TypeKind::Vector { element, .. } => self.refer_type(*element),
            TypeKind::RankedTensor {
                element, encoding, ..
            } => {
                self.refer_type(*element);
                if let Some(encoding) = encoding {
                    self.refer_attribute(*encoding);
                }
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                memory_space,
            } => {
                self.refer_type(*element);
                self.refer_attribute(layout_of(context, *layout, shape.len()));
                if let Some(space) = memory_space {
                    self.refer_attribute(*space);
                }
            }
            TypeKind::UnrankedMemRef {
                element,
                memory_space,
            } => {
                self.refer_type(*element);
                if let Some(space) = memory_space {
                    self.refer_attribute(*space);
                }
            }
            TypeKind::Dialect { name, .. } => {
                let text = context.text(*name);
                dialect = self.dialect(text.split_once('.').map_or(text, |(dialect, _)| dialect));
            }
            TypeKind::Opaque { dialect: name, .. } => {
                dialect = self.dialect(context.text(*name));
            }
        }
        self.types.set_dialect(ty.index(), dialect);
    }

    // Numbers.

    pub(super) fn attribute(&self, attribute: Attribute) -> u64 {
        match attribute.kind(self.context) {
            AttributeKind::Location(location) => self.location(*location),
            _ => self.attributes.number(2 * attribute.index()),
        }
    }

    pub(super) fn location(&self, location: Location) -> u64 {
        self.attributes
            .number(2 * self.locations[&location] as usize + 1)
    }

    pub(super) fn ty(&self, ty: Type) -> u64 {
        self.types.number(ty.index())
    }

    pub(super) fn name(&self, name: OperationName) -> u64 {
        self.names.number(name.index())
    }

    pub(super) fn resource(&self, key: Name) -> u64 {
        self.resource_numbers[&key]
    }

    /// Returns the number of the string attribute with the text of `name`.
    pub(super) fn text(&self, name: Name) -> u64 {
        self.attribute(self.texts[&name])
    }

    pub(super) fn dialect_number(&self, name: &str) -> Option<u32> {
        self.dialect_numbers.get(name).copied()
    }

    pub(super) fn n_attributes(&self) -> usize {
        self.attributes.order.len()
    }

    pub(super) fn n_types(&self) -> usize {
        self.types.order.len()
    }

    pub(super) fn n_names(&self) -> usize {
        self.names.order.len()
    }

    pub(super) fn attribute_groups(&self) -> impl Iterator<Item = (u32, &[Entry])> {
        self.attributes.groups()
    }

    pub(super) fn type_groups(&self) -> impl Iterator<Item = (u32, &[Type])> {
        self.types.groups()
    }

    pub(super) fn name_groups(&self) -> impl Iterator<Item = (u32, &[OperationName])> {
        self.names.groups()
    }
}

/// Returns the layout of a memref as an attribute: the identity map if it has none.
pub(super) fn layout_of(context: &Context, layout: Option<Attribute>, rank: usize) -> Attribute {
    layout.unwrap_or_else(|| {
        let rank = u32::try_from(rank).expect("fewer than 2^32 dimensions");
        context.affine_map_attribute(AffineMap::identity(rank))
    })
}

/// Returns the code of a float type that has one.
pub(super) fn float_code(kind: crate::types::FloatKind) -> Option<u64> {
    let found = FLOATS.iter().find(|(_, known)| *known == kind);
    found.map(|(code, _)| *code)
}
