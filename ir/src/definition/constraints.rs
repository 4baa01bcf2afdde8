//! Constraints on types and attributes: predicates, and constraints made from others, which describe themselves.
//!
//! Source: MLIR, "Operation Definition Specification", section "Constraints". The descriptions of combined constraints are those of
//! upstream.

use std::borrow::Cow;

use super::{AttributeCondition, TypeDefinition};
use crate::context::Context;
use crate::ids::{Attribute, Type};
use crate::text::{ParseResult, Parser, Printer};
use crate::types::TypeKind;

/// A predicate on types with its name in messages.
pub struct TypeConstraint {
    /// Description in messages: "signless-integer-like".
    /// Empty if it follows from the parts of `check`.
    pub summary: &'static str,
    /// The valid types.
    pub check: TypeCheck,
    /// The only valid type, if there is exactly one: the text form then omits it.
    pub only: Option<fn(&Context) -> Type>,
    /// Types of the right kind, if upstream has a C++ class for them: a declarative format rejects any other type while parsing,
    /// before the constraint as a whole is checked.
    pub class: Option<fn(&Context, Type) -> bool>,
    /// The definition of the dialect type that all of them are, if it is one: a declarative format omits its name, unless it says
    /// `qualified`.
    pub unqualified: Option<&'static TypeDefinition>,
}

/// The syntax of a declared attribute in the format element `$attribute`.
#[derive(Clone, Copy)]
pub enum AttributeSyntax {
    /// As any attribute, with its type.
    Generic,
    /// Integer or float without its type, which the constraint determines.
    Untyped(fn(&Context) -> Type),
    /// A bare keyword of an enumeration.
    Enumeration(&'static EnumDefinition),
    /// `@name`, stored as a string attribute.
    SymbolName,
    /// A type.
    Type,
    /// No text: its presence is the anchor of an optional group.
    Unit,
    /// Custom syntax: the parser returns the attribute.
    Custom {
        /// Parses the attribute.
        parse: fn(&mut Parser<'_>) -> ParseResult<Attribute>,
        /// Prints the attribute.
        print: fn(&mut Printer<'_>, Attribute),
    },
}

/// A predicate on attributes with its name in messages.
pub struct AttributeConstraint {
    /// Description in messages: "32-bit signless integer attribute".
    /// Empty if it follows from the parts of `check`.
    pub summary: &'static str,
    /// The valid attributes.
    pub check: AttributeCheck,
    /// Its syntax in a declarative assembly format.
    pub syntax: AttributeSyntax,
}

/// The storage of an enumeration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnumStorage {
    /// An integer attribute of this many bits, like `arith.cmpi`'s predicate.
    Integer(u32),
    /// A dialect attribute with one integer parameter (i64), like `#arith.overflow<nsw>`; the name is without `#`.
    Dialect(&'static str),
}

/// An enumeration or a set of flags.
pub struct EnumDefinition {
    /// Name for documentation.
    pub name: &'static str,
    /// Its storage.
    pub storage: EnumStorage,
    /// Keyword and value of each case.
    pub cases: &'static [(&'static str, u64)],
    /// True if values are combined as bits (`nsw, nuw`).
    pub flags: bool,
}

/// The types that a constraint accepts.
#[derive(Clone, Copy)]
pub enum TypeCheck {
    /// Those for which a function returns true.
    Is(fn(&Context, Type) -> bool),
    /// Those that one of these accepts.
    AnyOf(&'static [&'static TypeConstraint]),
    /// Those that each of these accepts.
    AllOf(&'static [&'static TypeConstraint]),
    /// Those that this one does not accept.
    Not(&'static TypeConstraint),
    /// Shaped types of a kind, with such elements: "tensor of integer values".
    ShapedOf {
        /// The kind in the description: "tensor".
        noun: &'static str,
        /// The shaped types.
        container: &'static TypeConstraint,
        /// Their elements.
        element: &'static TypeConstraint,
    },
    /// Tuples with such elements.
    TupleOf(&'static TypeConstraint),
}

impl TypeConstraint {
    /// Returns the constraint that `check` makes from other ones; it describes itself.
    pub const fn combined(check: TypeCheck) -> Self {
        Self {
            summary: "",
            check,
            only: None,
            class: None,
            unqualified: None,
        }
    }

    /// Returns the same constraint with another description.
    #[must_use]
    pub const fn described(&self, summary: &'static str) -> Self {
        Self {
            summary,
            check: self.check,
            only: self.only,
            class: self.class,
            unqualified: self.unqualified,
        }
    }

    /// Returns true if a type is valid.
    #[inline]
    pub fn accepts(&self, context: &Context, ty: Type) -> bool {
        match self.check {
            TypeCheck::Is(check) => check(context, ty),
            _ => self.accepts_parts(context, ty),
        }
    }

    /// Returns true if the parts of a combined constraint accept a type.
    fn accepts_parts(&self, context: &Context, ty: Type) -> bool {
        match self.check {
            TypeCheck::Is(check) => check(context, ty),
            TypeCheck::AnyOf(parts) => parts.iter().any(|part| part.accepts(context, ty)),
            TypeCheck::AllOf(parts) => parts.iter().all(|part| part.accepts(context, ty)),
            TypeCheck::Not(part) => !part.accepts(context, ty),
            TypeCheck::ShapedOf {
                container, element, ..
            } => {
                let elements = ty.element_type(context);
                container.accepts(context, ty)
                    && elements.is_some_and(|inner| element.accepts(context, inner))
            }
            TypeCheck::TupleOf(element) => match ty.kind(context) {
                TypeKind::Tuple(elements) => elements
                    .iter()
                    .all(|inner| element.accepts(context, *inner)),
                _ => false,
            },
        }
    }

    /// Returns the description for messages.
    pub fn description(&self) -> Cow<'static, str> {
        if !self.summary.is_empty() {
            return Cow::Borrowed(self.summary);
        }
        let all = |parts: &[&Self], word: &str| {
            let parts: Vec<_> = parts.iter().map(|part| part.description()).collect();
            parts.join(word)
        };
        Cow::Owned(match self.check {
            TypeCheck::Is(_) => String::new(),
            TypeCheck::AnyOf(parts) => all(parts, " or "),
            TypeCheck::AllOf(parts) => all(parts, " and "),
            TypeCheck::Not(part) => format!("not {}", part.description()),
            TypeCheck::ShapedOf { noun, element, .. } => {
                format!("{noun} of {} values", element.description())
            }
            TypeCheck::TupleOf(element) => {
                format!(
                    "tuple with any combination of {} values",
                    element.description()
                )
            }
        })
    }
}

/// The attributes that a constraint accepts.
#[derive(Clone, Copy)]
pub enum AttributeCheck {
    /// Those for which a function returns true.
    Is(fn(&Context, Attribute) -> bool),
    /// Those that one of these accepts.
    AnyOf(&'static [&'static AttributeConstraint]),
    /// Those that each of these accepts.
    AllOf(&'static [&'static AttributeConstraint]),
    /// Those that this one does not accept.
    Not(&'static AttributeConstraint),
    /// Those of a constraint that fulfil conditions. Source: `ConfinedAttr` of the op definition specification.
    Confined(&'static AttributeConstraint, &'static [AttributeCondition]),
    /// Arrays of such elements.
    ArrayOf(&'static AttributeConstraint),
    /// Dictionaries with such values.
    DictionaryOf(&'static AttributeConstraint),
}

impl AttributeConstraint {
    /// Returns the constraint that `check` makes from other ones; it describes itself, and has the syntax of what it confines.
    pub const fn combined(check: AttributeCheck) -> Self {
        let syntax = match check {
            AttributeCheck::Confined(base, _) => base.syntax,
            _ => AttributeSyntax::Generic,
        };
        Self {
            summary: "",
            check,
            syntax,
        }
    }

    /// Returns the attributes of `base` that fulfil conditions.
    pub const fn confined(base: &'static Self, conditions: &'static [AttributeCondition]) -> Self {
        Self::combined(AttributeCheck::Confined(base, conditions))
    }

    /// Returns true if an attribute is valid.
    #[inline]
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        match self.check {
            AttributeCheck::Is(check) => check(context, attribute),
            _ => self.accepts_parts(context, attribute),
        }
    }

    /// Returns true if the parts of a combined constraint accept an attribute.
    fn accepts_parts(&self, context: &Context, attribute: Attribute) -> bool {
        match self.check {
            AttributeCheck::Is(check) => check(context, attribute),
            AttributeCheck::AnyOf(parts) => {
                parts.iter().any(|part| part.accepts(context, attribute))
            }
            AttributeCheck::AllOf(parts) => {
                parts.iter().all(|part| part.accepts(context, attribute))
            }
            AttributeCheck::Not(part) => !part.accepts(context, attribute),
            AttributeCheck::Confined(base, conditions) => {
                base.accepts(context, attribute)
                    && conditions.iter().all(|one| one.holds(context, attribute))
            }
            AttributeCheck::ArrayOf(element) => attribute
                .as_array(context)
                .is_some_and(|all| all.iter().all(|one| element.accepts(context, *one))),
            AttributeCheck::DictionaryOf(value) => attribute
                .as_dictionary(context)
                .is_some_and(|all| all.iter().all(|(_, one)| value.accepts(context, *one))),
        }
    }

    /// Returns the description for messages.
    pub fn description(&self) -> Cow<'static, str> {
        if !self.summary.is_empty() {
            return Cow::Borrowed(self.summary);
        }
        let all = |parts: &[&Self], word: &str| {
            let parts: Vec<_> = parts.iter().map(|part| part.description()).collect();
            parts.join(word)
        };
        Cow::Owned(match self.check {
            AttributeCheck::Is(_) => String::new(),
            AttributeCheck::AnyOf(parts) => all(parts, " or "),
            AttributeCheck::AllOf(parts) => all(parts, " and "),
            AttributeCheck::Not(part) => format!("not {}", part.description()),
            AttributeCheck::Confined(base, conditions) => {
                let mut text = base.description().into_owned();
                for condition in conditions {
                    text.push(' ');
                    text += &condition.description();
                }
                text
            }
            AttributeCheck::ArrayOf(element) => format!("array of {}", element.description()),
            AttributeCheck::DictionaryOf(value) => {
                format!("dictionary of {}", value.description())
            }
        })
    }
}
