//! Enumerations of arith and their text forms.

use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage,
};
use sluice_ir::{Attribute, Context, View};

/// The flags `#arith.overflow<...>`.
pub static OVERFLOW: EnumDefinition = EnumDefinition {
    name: "IntegerOverflowFlags",
    storage: EnumStorage::Dialect("arith.overflow"),
    cases: &[("none", 0), ("nsw", 1), ("nuw", 2)],
    flags: true,
};

/// The flags `#arith.fastmath<...>`.
pub static FASTMATH: EnumDefinition = EnumDefinition {
    name: "FastMathFlags",
    storage: EnumStorage::Dialect("arith.fastmath"),
    cases: &[
        ("none", 0),
        ("reassoc", 1),
        ("nnan", 2),
        ("ninf", 4),
        ("nsz", 8),
        ("arcp", 16),
        ("contract", 32),
        ("afn", 64),
        ("fast", 127),
    ],
    flags: true,
};

/// Predicates of `arith.cmpi`.
pub static INTEGER_PREDICATES: EnumDefinition = EnumDefinition {
    name: "CmpIPredicate",
    storage: EnumStorage::Integer(64),
    cases: &[
        ("eq", 0),
        ("ne", 1),
        ("slt", 2),
        ("sle", 3),
        ("sgt", 4),
        ("sge", 5),
        ("ult", 6),
        ("ule", 7),
        ("ugt", 8),
        ("uge", 9),
    ],
    flags: false,
};

/// Predicates of `arith.cmpf`.
pub static FLOAT_PREDICATES: EnumDefinition = EnumDefinition {
    name: "CmpFPredicate",
    storage: EnumStorage::Integer(64),
    cases: &[
        ("false", 0),
        ("oeq", 1),
        ("ogt", 2),
        ("oge", 3),
        ("olt", 4),
        ("ole", 5),
        ("one", 6),
        ("ord", 7),
        ("ueq", 8),
        ("ugt", 9),
        ("uge", 10),
        ("ult", 11),
        ("ule", 12),
        ("une", 13),
        ("uno", 14),
        ("true", 15),
    ],
    flags: false,
};

/// Kinds of read-modify-write: of `memref.atomic_rmw`, and reductions of `affine.parallel`.
pub static ATOMIC_KINDS: EnumDefinition = EnumDefinition {
    name: "AtomicRMWKind",
    storage: EnumStorage::Integer(64),
    cases: &[
        ("addf", 0),
        ("addi", 1),
        ("assign", 2),
        ("maximumf", 3),
        ("maxs", 4),
        ("maxu", 5),
        ("minimumf", 6),
        ("mins", 7),
        ("minu", 8),
        ("mulf", 9),
        ("muli", 10),
        ("ori", 11),
        ("andi", 12),
        ("maxnumf", 13),
        ("minnumf", 14),
        ("xori", 15),
    ],
    flags: false,
};

/// Rounding modes of floats.
pub static ROUNDING_MODES: EnumDefinition = EnumDefinition {
    name: "RoundingMode",
    storage: EnumStorage::Integer(32),
    cases: &[
        ("to_nearest_even", 0),
        ("downward", 1),
        ("upward", 2),
        ("toward_zero", 3),
        ("to_nearest_away", 4),
    ],
    flags: false,
};

macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident, $summary:literal, $definition:ident) => {
        $(#[$doc])*
        pub static $name: AttributeConstraint = AttributeConstraint {
            summary: $summary,
            check: AttributeCheck::Is(|context, a| $definition.value(context, a).is_some_and(|value| {
                match $definition.flags {
                    true => value <= $definition.cases.iter().fold(0, |all, (_, bit)| all | bit),
                    false => $definition.cases.iter().any(|(_, case)| *case == value),
                }
            })),
            syntax: AttributeSyntax::Enumeration(&$definition),
        };
    };
}

enumeration! {
    /// Overflow flags.
    OVERFLOW_FLAGS, "Integer overflow arith flags", OVERFLOW
}
enumeration! {
    /// Fast-math flags.
    FASTMATH_FLAGS, "Floating point fast math flags", FASTMATH
}
enumeration! {
    /// Integer predicate.
    INTEGER_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    INTEGER_PREDICATES
}
enumeration! {
    /// Float predicate.
    FLOAT_PREDICATE,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    FLOAT_PREDICATES
}

enumeration! {
    /// Kind of a read-modify-write.
    ATOMIC_KIND,
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ATOMIC_KINDS
}
enumeration! {
    /// Rounding mode.
    ROUNDING_MODE, "Floating point rounding mode", ROUNDING_MODES
}

pub(super) static OVERFLOW_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "arith.overflow",
    summary: "Integer overflow flags",
    parse: &|parser| parser.parse_enum_attribute(&OVERFLOW),
    print: &|printer, parameters| print_flags(printer, &OVERFLOW, parameters),
    extension: None,
};

pub(super) static FASTMATH_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "arith.fastmath",
    summary: "Fast-math flags",
    parse: &|parser| parser.parse_enum_attribute(&FASTMATH),
    print: &|printer, parameters| print_flags(printer, &FASTMATH, parameters),
    extension: None,
};

fn print_flags(
    printer: &mut sluice_ir::text::Printer<'_>,
    definition: &EnumDefinition,
    parameters: &[Attribute],
) {
    let value = parameters
        .first()
        .and_then(|p| p.as_i64(printer.context()))
        .unwrap_or(0);
    printer.text("<");
    printer.enum_value(definition, u64::try_from(value).unwrap_or(0));
    printer.text(">");
}

pub(super) fn no_overflow(context: &Context) -> Attribute {
    OVERFLOW.attribute(context, 0)
}

pub(crate) fn no_fastmath(context: &Context) -> Attribute {
    FASTMATH.attribute(context, 0)
}

/// Returns whether the flags of a float operation allow another order of a sum or product.
pub fn allows_reassociation(view: View<'_>) -> bool {
    let flags = view.attribute("fastmath");
    let flags = flags.and_then(|flags| FASTMATH.value(view.context, flags));
    flags.is_some_and(|flags| flags & 1 == 1)
}
