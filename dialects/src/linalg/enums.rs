//! Enumerations of linalg and their text forms.

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage,
};
use sluice_ir::text::Printer;
use sluice_ir::{Attribute, AttributeKind};

macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident, $constraint:ident, $attribute:ident, $text:literal, $title:literal, $summary:literal,
     [$($case:literal = $value:literal),* $(,)?]) => {
        $(#[$doc])*
        pub static $name: EnumDefinition = EnumDefinition {
            name: $title,
            storage: EnumStorage::Dialect($text),
            cases: &[$(($case, $value)),*],
            flags: false,
        };

        #[doc = concat!("An attribute `#", $text, "<...>`.")]
        pub static $constraint: AttributeConstraint = AttributeConstraint {
            summary: $summary,
            check: AttributeCheck::Is(|context, attribute| $name.is_case(context, attribute)),
            syntax: AttributeSyntax::Enumeration(&$name),
        };

        pub(super) static $attribute: AttributeDefinition = AttributeDefinition {
            typed: false,
            name: $text,
            summary: $summary,
            parse: &|parser| parser.parse_enum_attribute(&$name),
            print: &|printer, parameters| print_case(printer, &$name, parameters), extension: None, };
    };
}

enumeration! {
    /// Whether the iterations of a loop of a structured operation are independent, or add up.
    ITERATOR_TYPES, ITERATOR_TYPE, ITERATOR_TYPE_ATTRIBUTE, "linalg.iterator_type", "IteratorType", "Iterator type",
    ["parallel" = 0, "reduction" = 1, "window" = 2]
}

enumeration! {
    /// Functions of one operand, for `linalg.elemwise_unary`.
    UNARY_FUNCTIONS, UNARY_FUNCTION, UNARY_FUNCTION_ATTRIBUTE, "linalg.unary_fn", "UnaryFn",
    "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12",
    ["exp" = 0, "log" = 1, "abs" = 2, "ceil" = 3, "floor" = 4, "negf" = 5, "reciprocal" = 6, "round" = 7, "sqrt" = 8, "rsqrt" = 9,
     "square" = 10, "tanh" = 11, "erf" = 12]
}

enumeration! {
    /// Functions of two operands, for `linalg.elemwise_binary`.
    BINARY_FUNCTIONS, BINARY_FUNCTION, BINARY_FUNCTION_ATTRIBUTE, "linalg.binary_fn", "BinaryFn",
    "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    ["add" = 0, "sub" = 1, "mul" = 2, "div" = 3, "div_unsigned" = 4, "max_signed" = 5, "min_signed" = 6, "max_unsigned" = 7,
     "min_unsigned" = 8, "powf" = 9]
}

enumeration! {
    /// How operands are converted to the type of the result.
    TYPE_FUNCTIONS, TYPE_FUNCTION, TYPE_FUNCTION_ATTRIBUTE, "linalg.type_fn", "TypeFn",
    "allowed 32-bit signless integer cases: 0, 1",
    ["cast_signed" = 0, "cast_unsigned" = 1]
}

fn print_case(printer: &mut Printer<'_>, definition: &EnumDefinition, parameters: &[Attribute]) {
    let context = printer.context();
    let value = parameters.first().and_then(|case| case.as_i64(context));
    printer.text("<");
    printer.enum_value(definition, u64::try_from(value.unwrap_or(0)).unwrap_or(0));
    printer.text(">");
}

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident = $summary:literal, $check:expr;)*) => {
        $($(#[$doc])* pub(super) static $name: AttributeConstraint =
            AttributeConstraint { summary: $summary, check: AttributeCheck::Is($check), syntax: AttributeSyntax::Generic };)*
    };
}

attributes! {
    /// A list of affine maps, one for each operand.
    INDEXING_MAPS = "AffineMap array attribute", |context, attribute| attribute
        .as_array(context)
        .is_some_and(|maps| maps.iter().all(|map| map.as_affine_map(context).is_some()));
    /// A list of iterator types, one for each loop.
    ITERATORS = "Iterator type should be an enum.", |context, attribute| attribute
        .as_array(context)
        .is_some_and(|all| all.iter().all(|one| ITERATOR_TYPE.accepts(context, *one)));
    /// A text.
    TEXT = "string attribute", |context, attribute| attribute.as_str(context).is_some();
    /// Distances between points of a window, one for each dimension.
    DISTANCES = "64-bit signless int elements attribute", |context, attribute| {
        matches!(attribute.kind(context), AttributeKind::DenseElements { .. })
    };
}
