//! The context: interned types, attributes, locations and names, and the registered dialects.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use crate::affine::{AffineMap, IntegerSet};
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::definition::{
    AttributeDefinition, Dialect, KeyDefinition, OperationDefinition, TypeDefinition,
    VerifyAttributeFunction,
};
use crate::exact::Exact;
use crate::ids::{Attribute, Location, Name, OperationName, Type};
use crate::interner::Interner;
use crate::limits::Limits;
use crate::location::LocationKind;
use crate::text::NameConventions;
use crate::types::{FloatKind, INDEX_WIDTH_BITS, Signedness, TypeKind};

/// The data of an [`OperationName`].
#[derive(Debug)]
pub struct OperationNameData {
    /// Full name, such as `arith.addi`.
    pub name: Name,
    /// The text of the name.
    text: Box<str>,
    /// The declaration, if the dialect is registered.
    pub definition: Option<&'static OperationDefinition>,
    /// The interned names of the declared (inherent) attributes, in declaration order.
    pub attribute_names: Box<[Name]>,
    /// Conventions of the text form for it.
    pub(crate) conventions: NameConventions,
}

impl PartialEq for OperationNameData {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for OperationNameData {}

impl Hash for OperationNameData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl std::borrow::Borrow<Name> for OperationNameData {
    fn borrow(&self) -> &Name {
        &self.name
    }
}

/// All interned data, shared between threads by reference.
pub struct Context {
    names: Interner<Box<str>>,
    types: Interner<TypeKind>,
    attributes: Interner<AttributeKind>,
    locations: Interner<LocationKind>,
    operation_names: Interner<OperationNameData>,
    dialects: BTreeMap<&'static str, &'static Dialect>,
    definitions: BTreeMap<&'static str, &'static OperationDefinition>,
    type_definitions: BTreeMap<&'static str, &'static TypeDefinition>,
    attribute_definitions: BTreeMap<&'static str, &'static AttributeDefinition>,
    /// Created at the first query: few modules have these attributes.
    keys: OnceLock<BTreeMap<&'static str, &'static KeyDefinition>>,
    /// Prefixes of the names of these attributes: the name of a dialect and a dot.
    key_prefixes: Vec<String>,
    /// The checks of attributes, with the prefixes of their names.
    attribute_checks: Vec<(String, VerifyAttributeFunction)>,
    /// True if operations, types and attributes of unregistered dialects are accepted.
    pub allow_unregistered: bool,
    /// True if operands of affine operations must be dimensions and symbols of their scope. The passes of synthesis do not
    /// require this: a function that is inlined into a loop keeps its affine accesses until they are lowered.
    pub affine_restrictions: bool,
    /// The limits of readers and passes.
    pub limits: Limits,
}

impl Context {
    /// Creates a context with only these dialects.
    pub fn new(dialects: &[&'static Dialect]) -> Self {
        let mut context = Self {
            names: Interner::new(),
            types: Interner::new(),
            attributes: Interner::new(),
            locations: Interner::new(),
            operation_names: Interner::new(),
            dialects: BTreeMap::new(),
            definitions: BTreeMap::new(),
            type_definitions: BTreeMap::new(),
            attribute_definitions: BTreeMap::new(),
            keys: OnceLock::new(),
            key_prefixes: Vec::new(),
            attribute_checks: Vec::new(),
            allow_unregistered: false,
            affine_restrictions: true,
            limits: Limits::default(),
        };
        let unknown = context.location(LocationKind::Unknown);
        assert_eq!(
            unknown,
            Location::UNKNOWN,
            "the unknown location is interned first"
        );
        for dialect in dialects {
            context.insert(dialect);
        }
        context
    }

    /// Adds a dialect that was created at run time; returns false if there is already a dialect with this name.
    pub fn add_dialect(&mut self, dialect: &'static Dialect) -> bool {
        if self.dialects.contains_key(dialect.name) {
            return false;
        }
        self.insert(dialect);
        // Operation names that were interned as undeclared become names of the new declarations.
        for definition in dialect.operations.iter().flat_map(|group| group.iter()) {
            let attribute_names = (definition.attributes.iter())
                .map(|spec| self.name(spec.name))
                .collect();
            let known = self.find_name(definition.name);
            let index = known.and_then(|name| self.operation_names.find(&name));
            if let Some(index) = index {
                let data = self.operation_names.get_mut(index as usize);
                data.definition = Some(definition);
                data.attribute_names = attribute_names;
                data.conventions = NameConventions::new(definition.name, Some(definition));
            }
        }
        true
    }

    fn insert(&mut self, dialect: &'static Dialect) {
        self.dialects.insert(dialect.name, dialect);
        let operations = dialect.operations.iter().flat_map(|group| group.iter());
        self.definitions.extend(operations.map(|op| (op.name, *op)));
        self.type_definitions
            .extend(dialect.types.iter().map(|ty| (ty.name, *ty)));
        self.attribute_definitions
            .extend(dialect.attributes.iter().map(|attr| (attr.name, *attr)));
        if !dialect.keys.is_empty() {
            self.key_prefixes.push(format!("{}.", dialect.name));
        }
        self.keys = OnceLock::new();
        let check = dialect
            .extension
            .and_then(|extension| extension.verify_attribute);
        if let Some(check) = check {
            self.attribute_checks
                .push((format!("{}.", dialect.name), check));
        }
    }

    /// Returns the check of a dialect for an attribute with its prefix.
    #[inline]
    pub(crate) fn attribute_check(&self, name: &str) -> Option<VerifyAttributeFunction> {
        if self.attribute_checks.is_empty() {
            return None;
        }
        let mut checks = self.attribute_checks.iter();
        let (_, check) = checks.find(|(prefix, _)| name.starts_with(prefix.as_str()))?;
        Some(*check)
    }

    /// Returns the registered dialect called `name`.
    pub fn dialect(&self, name: &str) -> Option<&'static Dialect> {
        self.dialects.get(name).copied()
    }

    /// Returns true if the types and attributes of the dialect called `name` are declared.
    pub fn declares_symbols_of(&self, name: &str) -> bool {
        self.dialect(name).is_some_and(|dialect| !dialect.partial)
    }

    /// Returns true if the dialect called `name` was created at run time.
    pub fn is_loaded(&self, name: &str) -> bool {
        self.dialect(name).is_some_and(|dialect| dialect.loaded)
    }

    /// Returns the implementation of the interface `I` for an operation: its own, or the one that another dialect attaches.
    ///
    /// Complexity: linear in the number of dialects if it has none of its own.
    pub fn interface<I: ?Sized + Sync + 'static>(
        &self,
        definition: &OperationDefinition,
    ) -> Option<&'static I> {
        let own = definition.interface();
        own.or_else(|| {
            self.dialects()
                .find_map(|dialect| dialect.external(definition.name))
        })
    }

    /// Returns every registered dialect, by name.
    pub fn dialects(&self) -> impl Iterator<Item = &'static Dialect> + '_ {
        self.dialects.values().copied()
    }

    /// Returns the attributes that dialects declare for operations of other dialects, by name.
    pub fn keys(&self) -> &BTreeMap<&'static str, &'static KeyDefinition> {
        let collect = || {
            let groups = self.dialects().flat_map(|dialect| dialect.keys.iter());
            let keys = groups.flat_map(|group| group.iter());
            keys.map(|key| (key.name, key)).collect()
        };
        self.keys.get_or_init(collect)
    }

    /// Returns true if a name has the prefix of [`Context::keys`].
    pub fn is_key(&self, name: &str) -> bool {
        let mut prefixes = self.key_prefixes.iter();
        prefixes.any(|prefix| name.starts_with(prefix.as_str()))
    }

    /// Returns the declaration of the type `name` (without `!`).
    pub fn type_definition(&self, name: &str) -> Option<&'static TypeDefinition> {
        self.type_definitions.get(name).copied()
    }

    /// Returns the declaration of the attribute `name` (without `#`).
    pub fn attribute_definition(&self, name: &str) -> Option<&'static AttributeDefinition> {
        self.attribute_definitions.get(name).copied()
    }

    // Names.

    /// Interns `text`.
    pub fn name(&self, text: &str) -> Name {
        Name::interned(self.names.intern(text, || text.into()))
    }

    /// Returns the name with this text if it was interned before.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text).map(Name::interned)
    }

    /// Returns the text of `name`.
    #[inline]
    pub fn text(&self, name: Name) -> &str {
        self.names.get(name.index())
    }

    /// Interns the operation name `text`, such as `arith.addi`.
    pub fn operation_name(&self, text: &str) -> OperationName {
        let name = self.name(text);
        OperationName::interned(self.operation_names.intern(&name, || {
            let definition = self.definitions.get(text).copied();
            let attribute_names = definition
                .iter()
                .flat_map(|d| d.attributes)
                .map(|spec| self.name(spec.name))
                .collect();
            OperationNameData {
                conventions: NameConventions::new(text, definition),
                text: text.into(),
                name,
                definition,
                attribute_names,
            }
        }))
    }

    /// Returns the interned name of a declared operation.
    pub fn operation_name_of(&self, definition: &'static OperationDefinition) -> OperationName {
        self.operation_name(definition.name)
    }

    /// Returns the data of `name`.
    #[inline]
    pub fn operation_name_data(&self, name: OperationName) -> &OperationNameData {
        self.operation_names.get(name.index())
    }

    /// Returns the full text of an operation name.
    pub fn operation_text(&self, name: OperationName) -> &str {
        &self.operation_name_data(name).text
    }

    // Types.

    /// Interns a type.
    pub fn ty(&self, kind: TypeKind) -> Type {
        Type::interned(self.types.intern(&kind, || kind.clone()))
    }

    /// Returns the kind of `ty`, with its contents.
    #[inline]
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.get(ty.index())
    }

    /// Returns `iN`.
    pub fn integer_type(&self, width_bits: u32) -> Type {
        self.ty(TypeKind::Integer {
            width_bits,
            signedness: Signedness::Signless,
        })
    }

    /// Returns `index`.
    pub fn index_type(&self) -> Type {
        self.ty(TypeKind::Index)
    }

    /// Returns `none`.
    pub fn none_type(&self) -> Type {
        self.ty(TypeKind::None)
    }

    /// Returns a float type.
    pub fn float_type(&self, kind: FloatKind) -> Type {
        self.ty(TypeKind::Float(kind))
    }

    /// Returns `(inputs) -> (results)`.
    pub fn function_type(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.ty(TypeKind::Function {
            inputs: inputs.into(),
            results: results.into(),
        })
    }

    /// Returns `memref<shape x element>` with static sizes, identity layout and default memory space.
    pub fn memref_type(&self, shape: &[u64], element: Type) -> Type {
        let shape = shape.iter().copied().map(Some).collect();
        self.ty(TypeKind::MemRef {
            shape,
            element,
            layout: None,
            memory_space: None,
        })
    }

    /// Returns a type of a declared dialect, such as `hw.array`.
    pub fn dialect_type(&self, name: &str, parameters: &[Attribute]) -> Type {
        self.ty(TypeKind::Dialect {
            name: self.name(name),
            parameters: parameters.into(),
        })
    }

    // Attributes.

    /// Interns an attribute.
    pub fn attribute(&self, kind: AttributeKind) -> Attribute {
        Attribute::interned(self.attributes.intern(&kind, || kind.clone()))
    }

    /// Returns the kind of `attribute`, with its contents.
    #[inline]
    pub fn attribute_kind(&self, attribute: Attribute) -> &AttributeKind {
        self.attributes.get(attribute.index())
    }

    /// Returns `unit`.
    pub fn unit_attribute(&self) -> Attribute {
        self.attribute(AttributeKind::Unit)
    }

    /// Returns an integer attribute; `value` must have the width of `ty` (64 for `index`).
    pub fn integer_attribute(&self, ty: Type, value: Bits) -> Attribute {
        debug_assert_eq!(
            ty.width_bits(self),
            Some(value.width()),
            "an integer attribute has the width of its type"
        );
        self.attribute(AttributeKind::Integer { ty, value })
    }

    /// Returns `value : i64`.
    pub fn i64_attribute(&self, value: i64) -> Attribute {
        self.integer_attribute(self.integer_type(64), Bits::from_i64(64, value))
    }

    /// Returns `value : i64`, or `value : i128` if 64 bits are not enough.
    pub fn exact_attribute(&self, value: Exact) -> Attribute {
        if let Some(bits) = value.to_signed_bits(64) {
            return self.integer_attribute(self.integer_type(64), bits);
        }
        // A value beyond the range is encoded so that it is read back as beyond the range.
        let most = match value.is_negative() {
            true => i128::MIN,
            false => i128::MAX,
        };
        let bits = Bits::from_i128(128, value.known().unwrap_or(most));
        self.integer_attribute(self.integer_type(128), bits)
    }

    /// Returns `value : index`.
    pub fn index_attribute(&self, value: i64) -> Attribute {
        self.integer_attribute(self.index_type(), Bits::from_i64(INDEX_WIDTH_BITS, value))
    }

    /// Returns `true` or `false`.
    pub fn bool_attribute(&self, value: bool) -> Attribute {
        self.integer_attribute(self.integer_type(1), Bits::from_u64(1, u64::from(value)))
    }

    /// Returns `"text"`.
    pub fn string_attribute(&self, text: &str) -> Attribute {
        self.attribute(AttributeKind::String {
            value: text.as_bytes().into(),
            ty: None,
        })
    }

    /// Returns `[elements]`.
    pub fn array_attribute(&self, elements: &[Attribute]) -> Attribute {
        self.attribute(AttributeKind::Array(elements.into()))
    }

    /// Returns `{entries}`; sorts them by name.
    pub fn dictionary_attribute(&self, entries: &[(Name, Attribute)]) -> Attribute {
        let mut entries = entries.to_vec();
        entries.sort_by(|a, b| self.text(a.0).cmp(self.text(b.0)));
        self.attribute(AttributeKind::Dictionary(entries.into()))
    }

    /// Returns a type as an attribute.
    pub fn type_attribute(&self, ty: Type) -> Attribute {
        self.attribute(AttributeKind::Type(ty))
    }

    /// Returns `@name`.
    pub fn symbol_attribute(&self, name: &str) -> Attribute {
        self.attribute(AttributeKind::SymbolRef {
            root: self.name(name),
            nested: Box::default(),
        })
    }

    /// Returns `affine_map<...>`.
    pub fn affine_map_attribute(&self, map: AffineMap) -> Attribute {
        self.attribute(AttributeKind::AffineMap(map))
    }

    /// Returns `affine_set<...>`.
    pub fn integer_set_attribute(&self, set: IntegerSet) -> Attribute {
        self.attribute(AttributeKind::IntegerSet(set))
    }

    /// Returns `array<i32: values>`.
    pub fn dense_i32_array(&self, values: &[i32]) -> Attribute {
        let values = values
            .iter()
            .map(|v| Bits::from_i64(32, i64::from(*v)))
            .collect();
        self.attribute(AttributeKind::DenseArray {
            element: self.integer_type(32),
            values,
        })
    }

    /// Returns `array<i64: values>`.
    pub fn dense_i64_array(&self, values: &[i64]) -> Attribute {
        let values = values.iter().map(|v| Bits::from_i64(64, *v)).collect();
        self.attribute(AttributeKind::DenseArray {
            element: self.integer_type(64),
            values,
        })
    }

    // Locations.

    /// Interns a location.
    pub fn location(&self, kind: LocationKind) -> Location {
        if let LocationKind::Range {
            file,
            line,
            column,
            end_line,
            end_column,
        } = kind
            && (line, column) == (end_line, end_column)
        {
            return self.file_location(file, line, column);
        }
        if let LocationKind::File { file, line, column } = kind
            && let Some(location) = Location::in_file(file, line, column)
        {
            return location;
        }
        Location::interned(self.locations.intern(&kind, || kind.clone()))
    }

    /// Returns `loc("file":line:column)`.
    pub fn file_location(&self, file: Name, line: u32, column: u32) -> Location {
        self.location(LocationKind::File { file, line, column })
    }

    /// Returns the kind of `location`, with its contents.
    pub fn location_kind(&self, location: Location) -> Cow<'_, LocationKind> {
        match location.unpack() {
            Ok((file, line, column)) => Cow::Owned(LocationKind::File { file, line, column }),
            Err(index) => Cow::Borrowed(self.locations.get(index)),
        }
    }
}
