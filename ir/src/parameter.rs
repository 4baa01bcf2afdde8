//! Rust types whose values attributes hold: properties of operations, parameters of dialect types and attributes.
//!
//! Source: MLIR, "Operation Definition Specification", "Properties"; "Defining Dialects", "Attribute and Type Parameters". Differs:
//! the storage is always an attribute, so that the generic form and bytecode need no code for each type.

use crate::affine::AffineMap;
use crate::attributes::AttributeKind;
use crate::bits::Bits;
use crate::context::Context;
use crate::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use crate::ids::{Attribute, Type};
use crate::text::{Delimiter, ParseResult, Parser, Printer};

/// A Rust type whose values attributes hold.
pub trait Parameter: Sized + Clone + PartialEq {
    /// The attributes that hold a value. Their syntax is that of [`Parameter::parse`].
    const CONSTRAINT: &'static AttributeConstraint;

    /// Returns the attribute that holds the value.
    fn to_attribute(&self, context: &Context) -> Attribute;

    /// Returns the value that an attribute holds; `None` if it holds none of this type.
    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self>;

    /// Reads a value.
    ///
    /// # Errors
    /// What is next is no value; this is reported.
    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self>;

    /// Prints the value so that [`Parameter::parse`] reads it.
    fn print(&self, printer: &mut Printer<'_>);
}

/// Returns the constraint of the attributes that hold values of `T`. For [`Parameter::CONSTRAINT`].
pub const fn constraint<T: Parameter>(summary: &'static str) -> AttributeConstraint {
    AttributeConstraint {
        summary,
        check: AttributeCheck::Is(|context, attribute| {
            T::from_attribute(context, attribute).is_some()
        }),
        syntax: AttributeSyntax::Custom {
            parse: |parser| {
                let value = T::parse(parser)?;
                Ok(value.to_attribute(parser.context()))
            },
            print: |printer, attribute| match T::from_attribute(printer.context(), attribute) {
                Some(value) => value.print(printer),
                None => printer.attribute(attribute),
            },
        },
    }
}

macro_rules! integers {
    ($($ty:ident $width:literal $signed:literal $summary:literal;)*) => {
        $(impl Parameter for $ty {
            const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>($summary);

            fn to_attribute(&self, context: &Context) -> Attribute {
                // Negative numbers keep their bits.
                #[allow(clippy::cast_sign_loss, clippy::cast_lossless)]
                let bits = Bits::from_u64($width, *self as u64 & (u64::MAX >> (64 - $width)));
                context.integer_attribute(context.integer_type($width), bits)
            }

            fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
                let bits = attribute.integer(context)?;
                if bits.width() != $width {
                    return None;
                }
                match $signed {
                    true => bits.to_i64()?.try_into().ok(),
                    false => bits.to_u64()?.try_into().ok(),
                }
            }

            fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
                let position = parser.position();
                let value = match $signed {
                    true => Self::try_from(parser.parse_integer()?).ok(),
                    false => Self::try_from(parser.parse_unsigned()?).ok(),
                };
                value.ok_or_else(|| {
                    let message = format!("integer value too large for {} bits", $width);
                    parser.error(position, message)
                })
            }

            fn print(&self, printer: &mut Printer<'_>) {
                printer.text(&self.to_string());
            }
        })*
    };
}

integers! {
    i8 8 true "8-bit integer";
    u8 8 false "8-bit unsigned integer";
    i16 16 true "16-bit integer";
    u16 16 false "16-bit unsigned integer";
    i32 32 true "32-bit integer";
    u32 32 false "32-bit unsigned integer";
    i64 64 true "64-bit integer";
    u64 64 false "64-bit unsigned integer";
}

impl Parameter for bool {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("bool");

    fn to_attribute(&self, context: &Context) -> Attribute {
        context.bool_attribute(*self)
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        attribute.as_bool(context)
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        Ok(parser.parse_keyword_of(&["false", "true"])? == 1)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text(if *self { "true" } else { "false" });
    }
}

impl Parameter for String {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("string");

    fn to_attribute(&self, context: &Context) -> Attribute {
        context.string_attribute(self)
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        attribute.as_str(context).map(str::to_owned)
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        parser.parse_string()
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.quoted(self.as_bytes());
    }
}

impl Parameter for Type {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("type");

    fn to_attribute(&self, context: &Context) -> Attribute {
        context.type_attribute(*self)
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        attribute.as_type(context)
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        parser.parse_type()
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.ty(*self);
    }
}

impl Parameter for Attribute {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("attribute");

    fn to_attribute(&self, _: &Context) -> Attribute {
        *self
    }

    fn from_attribute(_: &Context, attribute: Attribute) -> Option<Self> {
        Some(attribute)
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        parser.parse_attribute()
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.attribute(*self);
    }
}

impl Parameter for AffineMap {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("affine map");

    fn to_attribute(&self, context: &Context) -> Attribute {
        context.affine_map_attribute(self.clone())
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        attribute.as_affine_map(context).cloned()
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        parser.parse_affine_map()
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.affine_map(self);
    }
}

/// A list in square brackets.
impl<T: Parameter> Parameter for Vec<T> {
    const CONSTRAINT: &'static AttributeConstraint = &constraint::<Self>("list");

    fn to_attribute(&self, context: &Context) -> Attribute {
        let elements: Vec<_> = self.iter().map(|one| one.to_attribute(context)).collect();
        context.array_attribute(&elements)
    }

    fn from_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        let elements = attribute.as_array(context)?.iter();
        let values = elements.map(|one| T::from_attribute(context, *one));
        values.collect()
    }

    fn parse(parser: &mut Parser<'_>) -> ParseResult<Self> {
        let mut all = Self::new();
        parser.parse_comma_separated(Delimiter::Square, |parser| {
            all.push(T::parse(parser)?);
            Ok(())
        })?;
        Ok(all)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text("[");
        printer.comma_separated(self, |printer, one| one.print(printer));
        printer.text("]");
    }
}

/// Returns the attribute that holds an optional parameter of a dialect type or attribute: `unit` without a value.
pub fn optional_to_attribute<T: Parameter>(value: Option<&T>, context: &Context) -> Attribute {
    value.map_or_else(
        || context.unit_attribute(),
        |value| value.to_attribute(context),
    )
}

/// Returns the optional parameter that an attribute holds.
pub fn optional_from_attribute<T: Parameter>(context: &Context, attribute: Attribute) -> Option<T> {
    match attribute.kind(context) {
        AttributeKind::Unit => None,
        _ => T::from_attribute(context, attribute),
    }
}
