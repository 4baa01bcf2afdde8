//! Declarations of a dialect: operations, types and attributes as static tables, created by the `dialect!` macro.
//!
//! These tables define everything else: builder and accessors (generated), parser and printer (`text` interprets
//! [`FormatElement`]s), verifier (`verifier` checks constraints and traits), folder (`simplify` evaluates the meaning),
//! documentation (`documentation`).

mod attribute_conditions;
mod constraints;
mod extension;

use std::fmt;
use std::ops::BitOr;

use smallvec::SmallVec;

use crate::algebra::{Concrete, KnownBits, Ranges, Terms};
use crate::body::NewOperation;
use crate::context::Context;
use crate::diagnostics::Diagnostics;
use crate::ids::{Attribute, Location, Name, Type, ValueId};
use crate::module::Module;
use crate::symbols::SymbolTable;
use crate::text::{FormatParts, OperationState, ParseResult, Parser, Printer};
use crate::view::View;

pub use attribute_conditions::AttributeCondition;
pub use constraints::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage, TypeCheck,
    TypeConstraint,
};
pub use extension::{
    DerivedAttribute, DialectExtension, Extension, Implementation, Implements, OwnTrait,
    SymbolExtension, VerifyAttributeFunction, derived_attributes,
};

/// A dialect: a name and its declarations.
pub struct Dialect {
    /// Prefix of its operations, such as `arith`.
    pub name: &'static str,
    /// Summary, one line.
    pub summary: &'static str,
    /// Description in Markdown.
    pub description: &'static str,
    /// Its operations, in groups (one group per file).
    pub operations: &'static [&'static [&'static OperationDefinition]],
    /// Its types.
    pub types: &'static [&'static TypeDefinition],
    /// Its attributes.
    pub attributes: &'static [&'static AttributeDefinition],
    /// Attributes that it declares for operations of other dialects, in groups (one group per file).
    pub keys: &'static [&'static [KeyDefinition]],
    /// Creates the operation that holds a folded constant of the given type.
    pub materialize_constant: Option<MaterializeFunction>,
    /// Its version in bytecode, if it has one.
    pub version: Option<&'static DialectVersion>,
    /// True if it was created at run time: its operations keep all attributes in one dictionary and have no properties.
    pub loaded: bool,
    /// True if only some operations of the dialect are declared: its types and attributes are those of an unregistered dialect.
    pub partial: bool,
    /// Its rare parts.
    pub extension: Option<&'static DialectExtension>,
}

/// The version that a dialect writes into bytecode, and the upgrade from older versions.
pub struct DialectVersion {
    /// The version of this declaration.
    pub current: u64,
    /// Upgrades a module whose operations of this dialect have an older version (0 if the file does not state it).
    ///
    /// # Errors
    /// The part that cannot be upgraded.
    pub upgrade: fn(&Context, &mut Module, u64) -> Result<(), String>,
}

/// Creates the operation that holds a constant of a type.
pub type MaterializeFunction = fn(&Context, Attribute, Type, Location) -> Option<NewOperation>;

/// Parses the text after the name of a type or an attribute. A function or, for a dialect created at run time, a closure.
pub type ParseHook<T> = dyn Fn(&mut Parser<'_>) -> ParseResult<T> + Send + Sync;

/// Prints the text after the name of a type or an attribute: its parameters.
pub type PrintHook = dyn Fn(&mut Printer<'_>, &[Attribute]) + Send + Sync;

/// Checks one operation. A function or, for a dialect created at run time, a closure.
pub type VerifyHook = dyn Fn(View<'_>, &mut Diagnostics) + Send + Sync;

/// A type of a dialect.
pub struct TypeDefinition {
    /// Full name without `!`, such as `hw.array`.
    pub name: &'static str,
    /// Summary, one line.
    pub summary: &'static str,
    /// Parses the text after the name (the parser is right after it); checks the parameters.
    pub parse: &'static ParseHook<Type>,
    /// Prints the text after the name.
    pub print: &'static PrintHook,
    /// Its rare parts.
    pub extension: Option<&'static SymbolExtension>,
}

/// Returns the names of the results of an operation in the text form: one entry for each result, `None` for a number.
pub type NamesFunction = fn(View<'_>) -> Vec<Option<String>>;

/// An attribute of a dialect.
pub struct AttributeDefinition {
    /// Full name without `#`, such as `arith.overflow`.
    pub name: &'static str,
    /// Summary, one line.
    pub summary: &'static str,
    /// Parses the text after the name (the parser is right after it); checks the parameters.
    pub parse: &'static ParseHook<Attribute>,
    /// Prints the text after the name.
    pub print: &'static PrintHook,
    /// True if it has a type, which the text form writes after it: the last parameter.
    pub typed: bool,
    /// Its rare parts.
    pub extension: Option<&'static SymbolExtension>,
}

/// An attribute that a dialect declares for operations of other dialects. Its name begins with the name of the dialect.
///
/// Differs: in upstream a dialect checks these attributes in code (`verifyOperationAttribute`), here they are declared.
pub struct KeyDefinition {
    /// Full name, such as `sluice.start`.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub summary: &'static str,
    /// The valid values.
    pub value: &'static AttributeConstraint,
    /// The unit of a number; empty if there is none.
    pub unit: &'static str,
    /// The places where it is allowed.
    pub places: KeyPlaces,
    /// Its writer: a pass, or the user.
    pub writer: &'static str,
}

/// The places where an attribute of another dialect is allowed.
#[derive(Clone, Copy)]
pub enum KeyPlaces {
    /// On any operation, argument or result of a function.
    Anywhere,
    /// On operations of these names.
    Operations {
        /// Common name of these operations, such as "loops".
        kind: &'static str,
        /// Their full names.
        names: &'static [&'static str],
    },
}

/// Number of values (or regions, or successors) of a declared group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one.
    Single,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A declared operand group.
pub struct OperandSpec {
    /// Name.
    pub name: &'static str,
    /// Number of values.
    pub arity: Arity,
    /// Valid types.
    pub constraint: &'static TypeConstraint,
}

/// A declared result group.
pub type ResultSpec = OperandSpec;

/// The presence of a declared attribute.
#[derive(Clone, Copy)]
pub enum Presence {
    /// Must be present; may be absent if a later version of MLIR brought it.
    Required,
    /// May be absent.
    Optional,
    /// May be absent and then has this value; the text form omits the value.
    Default(fn(&Context) -> Attribute),
    /// May be absent; a declarative format omits it if it has this value. Source: `DefaultValuedOptionalAttr` of the op
    /// definition specification.
    Elided(fn(&Context) -> Attribute),
    /// May be absent; a unit attribute, which bytecode stores as a byte after the other properties. Source: `UnitProp` of the op
    /// definition specification.
    Flag,
}

/// A declared (inherent) attribute.
pub struct AttributeSpec {
    /// Name in the text form, such as `overflowFlags`.
    pub name: &'static str,
    /// Valid attributes.
    pub constraint: &'static AttributeConstraint,
    /// Its presence.
    pub presence: Presence,
    /// The version of MLIR that brought it; 0 if it was always there.
    pub since: u32,
}

/// Number of blocks of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionConstraint {
    /// Any number.
    Any,
    /// Exactly this many.
    Sized(usize),
    /// At most this many.
    MaxSized(usize),
}

/// A declared region (group).
pub struct RegionSpec {
    /// Name.
    pub name: &'static str,
    /// `Single` or `Variadic`.
    pub arity: Arity,
    /// Number of blocks.
    pub constraint: RegionConstraint,
}

/// A declared successor (group).
pub struct SuccessorSpec {
    /// Name.
    pub name: &'static str,
    /// `Single` or `Variadic`.
    pub arity: Arity,
}

/// Traits without parameters, as a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Traits(pub u64);

macro_rules! traits {
    ($($(#[$doc:meta])* $name:ident = $bit:literal,)*) => {
        impl Traits {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            const NAMES: &'static [(&'static str, Self)] = &[$((stringify!($name), Self::$name),)*];
        }
    };
}

traits! {
    /// No memory effect, and no undefined behaviour that prevents moving it: may be erased, moved and merged.
    PURE = 0,
    /// Operands may be swapped.
    COMMUTATIVE = 1,
    /// `op(x, x) = x`
    IDEMPOTENT = 2,
    /// `op(op(x)) = x`
    INVOLUTION = 3,
    /// Its only result is the constant in its `value` attribute.
    CONSTANT_LIKE = 4,
    /// Ends a block.
    TERMINATOR = 5,
    /// Its regions need no terminator.
    NO_TERMINATOR = 6,
    /// Each region has at most one block.
    SINGLE_BLOCK = 7,
    /// Regions use no value from outside; they are in a separate body.
    ISOLATED_FROM_ABOVE = 8,
    /// Contains symbols.
    SYMBOL_TABLE = 9,
    /// Has a name in `sym_name` that other operations refer to.
    SYMBOL = 10,
    /// Its regions are graph regions: order has no meaning, cycles are allowed.
    GRAPH_REGION = 11,
    /// Values at its top level are valid affine symbols.
    AFFINE_SCOPE = 12,
    /// All operands and results have one type.
    SAME_OPERANDS_AND_RESULT_TYPE = 13,
    /// All operands have one type.
    SAME_TYPE_OPERANDS = 14,
    /// Operands and results have the same shape.
    SAME_OPERANDS_AND_RESULT_SHAPE = 15,
    /// All operands have one element type, which the results share.
    SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE = 16,
    /// Sizes of operand groups are in `operandSegmentSizes`.
    ATTR_SIZED_OPERAND_SEGMENTS = 17,
    /// Sizes of result groups are in `resultSegmentSizes`.
    ATTR_SIZED_RESULT_SEGMENTS = 18,
    /// All variadic operand groups have the same size.
    SAME_VARIADIC_OPERAND_SIZE = 19,
    /// Returns from the enclosing operation.
    RETURN_LIKE = 20,
    /// Its effects are those of the operations in its regions.
    RECURSIVE_MEMORY_EFFECTS = 21,
    /// A loop.
    LOOP_LIKE = 22,
    /// Entry blocks of its regions have no arguments.
    NO_REGION_ARGUMENTS = 23,
    /// Allocations inside live until it ends.
    AUTOMATIC_ALLOCATION_SCOPE = 24,
    /// Works element by element on vectors and tensors.
    ELEMENTWISE = 25,
    /// A function: symbol with a body and a function type.
    FUNCTION_LIKE = 26,
    /// Calls a symbol.
    CALL_LIKE = 27,
    /// Passes operands to successor blocks.
    BRANCH_LIKE = 28,
    /// May be executed speculatively, if the operations in its regions may.
    SPECULATABLE = 29,
    /// Its declared attributes are among the discardable ones, not among the properties.
    DISCARDABLE_ATTRIBUTES = 30,
    /// Its results are views: they refer to the memory of its first operand.
    VIEW_LIKE = 31,
    /// All variadic result groups have the same size.
    SAME_VARIADIC_RESULT_SIZE = 32,
}

impl Traits {
    /// No trait.
    pub const NONE: Self = Self(0);

    /// Returns true if all of `other` are in this set.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both sets.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the names of the traits in this set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .iter()
            .filter(move |(_, bit)| self.contains(*bit))
            .map(|(name, _)| *name)
    }
}

impl BitOr for Traits {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl fmt::Debug for Traits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// A trait with parameters.
pub enum TraitRule {
    /// The enclosing operation is one of these.
    HasParent(&'static [&'static str]),
    /// A region without terminator gets this one, without operands; the text form omits it.
    ImplicitTerminator(&'static str),
    /// The named operands, results and attributes have one type.
    AllTypesMatch(&'static [&'static str]),
    /// The named operands, results and attributes have one element type.
    AllElementTypesMatch(&'static [&'static str]),
    /// The named operands, results and attributes have the same shape.
    AllShapesMatch(&'static [&'static str]),
    /// The named operands, results and attributes have the same number of dimensions.
    AllRanksMatch(&'static [&'static str]),
    /// The named operands, results and attributes have the same number of elements.
    AllElementCountsMatch(&'static [&'static str]),
    /// An attribute divides the operands of a group into groups.
    NestedSizes {
        /// Index of the operand group.
        group: usize,
        /// Name of the attribute.
        sizes: &'static str,
    },
    /// A trait of one's own.
    Own(&'static OwnTrait),
    /// The type of `to` is computed from the type of `from` (names of operands or results).
    TypesMatchWith {
        /// Description for messages.
        summary: &'static str,
        /// The operand or result whose type is known.
        from: &'static str,
        /// The operand or result whose type is computed.
        to: &'static str,
        /// Computes the type; `None` if the type of `from` is not valid.
        transform: fn(&Context, Type) -> Option<Type>,
    },
    /// A condition on the whole operation.
    Predicate {
        /// Description for messages: "failed to verify that ...".
        summary: &'static str,
        /// The condition.
        check: fn(View<'_>) -> bool,
    },
}

/// A memory effect of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads through the operand group of this number.
    Read(usize),
    /// Writes through the operand group of this number.
    Write(usize),
    /// Allocates the memory that the result group of this number refers to.
    Allocate(usize),
    /// Frees the memory that the operand group of this number refers to.
    Free(usize),
    /// Any effect: a call.
    Unknown,
}

/// The operands, results or attributes to which a type directive refers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypesOf {
    /// An operand group.
    Operand(usize),
    /// A result group.
    Result(usize),
    /// All operands.
    Operands,
    /// All results.
    Results,
}

/// One element of a declarative assembly format.
///
/// Source: MLIR, "Operation Definition Specification", section "Declarative Assembly Format".
pub enum FormatElement {
    /// A keyword or punctuation.
    Literal(&'static str),
    /// White space to print: `` ` ` ``, `` `\n` `` or, if empty, no space where there would be one.
    Whitespace(&'static str),
    /// `$operand`
    Operand(usize),
    /// `$attribute`; qualified attributes and types are printed with their full name.
    Attribute {
        /// Index of the attribute.
        index: usize,
        /// True if it is wrapped in `qualified(...)`.
        qualified: bool,
    },
    /// `$region`
    Region(usize),
    /// `$successor`
    Successor(usize),
    /// `attr-dict` or `attr-dict-with-keyword`
    AttrDict {
        /// True if the keyword `attributes` comes before it.
        keyword: bool,
    },
    /// `prop-dict`
    PropDict,
    /// `type(...)`
    Type(TypesOf),
    /// `qualified(type(...))`: with the names of dialect types.
    QualifiedType(TypesOf),
    /// `$operand` of groups of operands, whose sizes are in an attribute: `(%a, %b), (%c)`.
    NestedOperands {
        /// The operand group.
        group: usize,
        /// Index of the attribute.
        sizes: usize,
    },
    /// `type($operand)` of groups of operands: `(i1, i2), (i1)`.
    NestedTypes {
        /// The operand group.
        group: usize,
        /// Index of the attribute that holds the sizes.
        sizes: usize,
    },
    /// `operands`
    Operands,
    /// `regions`
    Regions,
    /// `successors`
    Successors,
    /// `functional-type(inputs, results)`
    FunctionalType(TypesOf, TypesOf),
    /// `custom<Name>(...)`
    Custom {
        /// Name for messages.
        name: &'static str,
        /// The arguments, as declared.
        arguments: &'static str,
        /// Parses it into the state, and operands and types into the parts.
        parse: fn(&mut Parser<'_>, &mut OperationState, &mut FormatParts) -> ParseResult<()>,
        /// Prints it.
        print: fn(&mut Printer<'_>, View<'_>),
        /// Indices of the declared attributes among its arguments: it prints them.
        attributes: &'static [usize],
    },
    /// `(then)?` or `(then) : (otherwise)?`; the anchor is the element of `then` (or `otherwise`) marked with `^`.
    Optional {
        /// Index of the anchor in `then`, or counted on in `otherwise`.
        anchor: usize,
        /// Elements if the anchor is present.
        then: &'static [FormatElement],
        /// Elements if it is not.
        otherwise: &'static [FormatElement],
    },
    /// `oilist(...)`: clauses that start with their keyword, in any order.
    Clauses(&'static [(&'static str, &'static [FormatElement])]),
}

/// The text form of an operation.
pub enum Assembly {
    /// Only the generic form.
    Generic,
    /// Declarative.
    Format(&'static [FormatElement]),
    /// Custom code. The parser is right after the operation name.
    Custom {
        /// Parses into the state.
        parse: fn(&mut Parser<'_>, &mut OperationState) -> ParseResult<()>,
        /// Prints the text after the operation name (with a leading space if one is needed).
        print: fn(&mut Printer<'_>, View<'_>),
    },
}

/// One operation without its position: everything that its meaning may depend on.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// Context of the types and attributes.
    pub context: &'a Context,
    /// Operand types.
    pub operand_types: &'a [Type],
    /// Result types.
    pub result_types: &'a [Type],
    /// Attributes, inherent and discardable.
    pub attributes: &'a [(Name, Attribute)],
}

impl Site<'_> {
    /// Returns the attribute whose name has this text.
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        let name = self.context.find_name(name)?;
        self.attributes
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, a)| *a)
    }

    /// Returns true if all operands and results have a width: they are integers, indices or floats.
    pub fn is_scalar(self) -> bool {
        let mut types = self.operand_types.iter().chain(self.result_types);
        types.all(|ty| ty.width_bits(self.context).is_some())
    }

    /// Returns the width of result `index`, which must be an integer, an index or a float.
    pub fn result_width_bits(&self, index: usize) -> u32 {
        self.result_types[index]
            .width_bits(self.context)
            .expect("the verifier admits integers, index and floats here")
    }

    /// Returns the width of operand `index`, which must be an integer, an index or a float.
    pub fn operand_width_bits(&self, index: usize) -> u32 {
        self.operand_types[index]
            .width_bits(self.context)
            .expect("the verifier admits integers, index and floats here")
    }
}

/// The results of a meaning; `None` if the operation has no meaning for these types (vectors, tensors).
pub type MeaningResults<W> = Option<SmallVec<[W; 1]>>;

/// The meaning of an operation, written once over any [`Algebra`](crate::algebra::Algebra) and stored here for each instance.
pub struct Meaning {
    /// Over bit vectors: interpreter and constant folding.
    pub evaluate:
        fn(Site<'_>, &mut Concrete, &[crate::bits::Bits]) -> MeaningResults<crate::bits::Bits>,
    /// As terms: proofs and the simulator.
    pub denote: fn(
        Site<'_>,
        &mut Terms,
        &[crate::algebra::TermId],
    ) -> MeaningResults<crate::algebra::TermId>,
    /// Over known bits.
    pub known_bits: fn(
        Site<'_>,
        &mut KnownBits,
        &[crate::algebra::KnownBitsWord],
    ) -> MeaningResults<crate::algebra::KnownBitsWord>,
    /// Over ranges.
    pub ranges: fn(
        Site<'_>,
        &mut Ranges,
        &[crate::algebra::RangesWord],
    ) -> MeaningResults<crate::algebra::RangesWord>,
}

/// The fold of one result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// Another existing value.
    Value(ValueId),
    /// A constant.
    Constant(Attribute),
}

/// Folds in addition to constant evaluation: `operands` holds the constant of each constant operand.
pub type FoldFunction =
    fn(View<'_>, operands: &[Option<Attribute>]) -> Option<SmallVec<[FoldResult; 1]>>;

/// A point of the control flow between the regions of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionPoint {
    /// The operation itself: before its regions, and after them with its results.
    Parent,
    /// The region of this number.
    Region(usize),
}

/// A control flow edge between two points of an operation with regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionEdge {
    /// The target of the edge.
    pub to: RegionPoint,
    /// Index of the first operand that is passed; of the operation or of the terminator.
    pub first_operand: usize,
    /// Number of operands that are passed.
    pub n_operands: usize,
    /// Index of the first argument of the entry block, or of the first result, that receives them.
    pub first_input: usize,
}

/// Returns the possible control flow edges from the point `from`. `operands` holds the known constants among the operands of the
/// operation, or of the terminator of the region.
pub type RegionFlowFunction = fn(
    View<'_>,
    from: RegionPoint,
    terminator: Option<View<'_>>,
    operands: &[Option<Attribute>],
) -> SmallVec<[RegionEdge; 2]>;

/// Returns the index of the successor that a branch takes, if known operands decide it.
pub type SuccessorFunction = fn(View<'_>, operands: &[Option<Attribute>]) -> Option<usize>;

/// Returns true if one operation, without its regions, may be executed speculatively: a division by a constant, for example.
pub type SpeculatableFunction = fn(View<'_>) -> bool;

/// Computes result types from operand types and attributes; returns an error message if they are not valid.
pub type InferFunction = fn(Site<'_>) -> Result<SmallVec<[Type; 2]>, String>;

/// The declaration of an operation.
pub struct OperationDefinition {
    /// Full name, such as `arith.addi`.
    pub name: &'static str,
    /// Summary, one line.
    pub summary: &'static str,
    /// Description in Markdown.
    pub description: &'static str,
    /// Operand groups.
    pub operands: &'static [OperandSpec],
    /// Result groups.
    pub results: &'static [ResultSpec],
    /// Inherent attributes.
    pub attributes: &'static [AttributeSpec],
    /// Regions.
    pub regions: &'static [RegionSpec],
    /// Successors.
    pub successors: &'static [SuccessorSpec],
    /// Traits without parameters.
    pub traits: Traits,
    /// Traits with parameters.
    pub rules: &'static [TraitRule],
    /// Memory effects; `effects::Effects` defines the meaning of an empty list.
    pub effects: &'static [Effect],
    /// Decides if an operation may be executed speculatively; if absent, `PURE` and `SPECULATABLE` decide.
    pub speculatable: Option<SpeculatableFunction>,
    /// Text form.
    pub assembly: Assembly,
    /// Checks in addition to constraints and traits, before nested operations are verified.
    pub verify: Option<&'static VerifyHook>,
    /// Checks after nested operations are verified.
    pub verify_regions: Option<fn(View<'_>, &mut Diagnostics)>,
    /// Checks of the symbols it uses, looked up in the nearest enclosing symbol table.
    pub verify_symbols: Option<fn(View<'_>, &SymbolTable<'_>, &mut Diagnostics)>,
    /// Names of its results in the text form, where possible; results without a name have numbers.
    pub names: Option<NamesFunction>,
    /// Folds in addition to constant evaluation.
    pub fold: Option<FoldFunction>,
    /// Result types from operands.
    pub infer: Option<InferFunction>,
    /// Returns true if the custom form represents the whole operation; otherwise the generic form is printed.
    pub custom_if: Option<fn(View<'_>) -> bool>,
    /// Control flow between its regions.
    pub region_flow: Option<RegionFlowFunction>,
    /// The successor that it takes.
    pub successor: Option<SuccessorFunction>,
    /// Meaning.
    pub meaning: Option<Meaning>,
    /// The version of MLIR that brought it; 0 if it was always there.
    pub since: u32,
    /// Its rare parts.
    pub extension: Option<&'static Extension>,
}

impl OperationDefinition {
    /// Returns the attributes that hold the sizes of groups, with the number of groups.
    pub fn segments(&self) -> impl Iterator<Item = (&'static str, usize)> + use<> {
        let operands = self
            .has(Traits::ATTR_SIZED_OPERAND_SEGMENTS)
            .then_some(("operandSegmentSizes", self.operands.len()));
        let results = self
            .has(Traits::ATTR_SIZED_RESULT_SEGMENTS)
            .then_some(("resultSegmentSizes", self.results.len()));
        operands.into_iter().chain(results)
    }

    /// Returns true if the operation has all of `traits`.
    #[inline]
    pub fn has(&self, traits: Traits) -> bool {
        self.traits.contains(traits)
    }

    /// Returns the dialect prefix of the name.
    pub fn dialect(&self) -> &'static str {
        self.name
            .split_once('.')
            .map_or(self.name, |(dialect, _)| dialect)
    }

    /// Returns the terminator that may be omitted, if there is one.
    pub fn implicit_terminator(&self) -> Option<&'static str> {
        self.rules.iter().find_map(|rule| match rule {
            TraitRule::ImplicitTerminator(name) => Some(*name),
            _ => None,
        })
    }

    /// Returns the index of the attribute called `name`.
    pub fn attribute_index(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|spec| spec.name == name)
    }
}

impl fmt::Debug for OperationDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OperationDefinition({})", self.name)
    }
}
