//! Constraints on the values of the attributes.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::{Attribute, AttributeKind, Context, Exact};

/// Returns a constraint without a syntax of its own.
const fn constraint(
    summary: &'static str,
    check: fn(&Context, Attribute) -> bool,
) -> AttributeConstraint {
    AttributeConstraint {
        summary,
        check: AttributeCheck::Is(check),
        syntax: AttributeSyntax::Generic,
    }
}

fn is_list_of(
    context: &Context,
    attribute: Attribute,
    fits: fn(&Context, Attribute) -> bool,
) -> bool {
    let elements = attribute.as_array(context);
    elements.is_some_and(|all| all.iter().all(|element| fits(context, *element)))
}

fn is_numbers(context: &Context, attribute: Attribute) -> bool {
    attribute.as_dense_array_i64(context).is_some()
}

fn is_text(context: &Context, attribute: Attribute) -> bool {
    attribute.as_str(context).is_some()
}

fn is_entries(context: &Context, attribute: Attribute) -> bool {
    attribute.as_dictionary(context).is_some()
}

fn is_number(context: &Context, attribute: Attribute) -> bool {
    attribute.as_exact(context).is_some()
}

fn is_at_least(context: &Context, attribute: Attribute, least: u64) -> bool {
    let number = attribute.as_exact(context);
    number.is_some_and(|number| number >= Exact::from(least))
}

fn is_unit(context: &Context, attribute: Attribute) -> bool {
    matches!(attribute.kind(context), AttributeKind::Unit)
}

pub(super) static UNIT: AttributeConstraint = constraint("a unit attribute", is_unit);

pub(super) static FLAG: AttributeConstraint = constraint("true or false", |context, attribute| {
    attribute.as_bool(context).is_some()
});

pub(super) static FLAG_OR_UNIT: AttributeConstraint =
    constraint("a unit attribute, true or false", |context, attribute| {
        is_unit(context, attribute) || attribute.as_bool(context).is_some()
    });

pub(super) static NUMBER: AttributeConstraint = constraint("a whole number", is_number);

pub(super) static COUNT: AttributeConstraint =
    constraint("a whole number from 0", |context, attribute| {
        is_at_least(context, attribute, 0)
    });

pub(super) static POSITIVE: AttributeConstraint =
    constraint("a whole number from 1", |context, attribute| {
        is_at_least(context, attribute, 1)
    });

pub(super) static REAL: AttributeConstraint = constraint("a number", |context, attribute| {
    matches!(attribute.kind(context), AttributeKind::Float { .. }) || is_number(context, attribute)
});

pub(super) static TEXT: AttributeConstraint = constraint("a text", is_text);

pub(super) static TEXTS: AttributeConstraint =
    constraint("a list of texts", |context, attribute| {
        is_list_of(context, attribute, is_text)
    });

pub(super) static SYMBOL: AttributeConstraint =
    constraint("a symbol reference", |context, attribute| {
        attribute.as_flat_symbol(context).is_some()
    });

pub(super) static NUMBERS: AttributeConstraint =
    constraint("an array of 64-bit numbers", is_numbers);

pub(super) static LISTS_OF_NUMBERS: AttributeConstraint = constraint(
    "a list of arrays of 64-bit numbers",
    |context, attribute| is_list_of(context, attribute, is_numbers),
);

pub(super) static ENTRIES: AttributeConstraint = constraint("a dictionary", is_entries);

pub(super) static LIST_OF_ENTRIES: AttributeConstraint =
    constraint("a list of dictionaries", |context, attribute| {
        is_list_of(context, attribute, is_entries)
    });

pub(super) static ENTRIES_OR_LIST: AttributeConstraint = constraint(
    "a dictionary, or a list of dictionaries",
    |context, attribute| {
        is_entries(context, attribute) || is_list_of(context, attribute, is_entries)
    },
);

pub(super) static LOADS_OR_ALL: AttributeConstraint =
    constraint("\"loads\" or \"all\"", |context, attribute| {
        matches!(attribute.as_str(context), Some("loads" | "all"))
    });

pub(super) static STATIC_OR_ELASTIC: AttributeConstraint =
    constraint("\"static\" or \"elastic\"", |context, attribute| {
        matches!(attribute.as_str(context), Some("static" | "elastic"))
    });

pub(super) static LIST: AttributeConstraint = constraint("a list", |context, attribute| {
    attribute.as_array(context).is_some()
});

pub(super) static LIST_OR_NUMBERS: AttributeConstraint =
    constraint("a list, or an array of numbers", |context, attribute| {
        attribute.as_array(context).is_some() || is_numbers(context, attribute)
    });

pub(super) static COUNT_OR_TEXT: AttributeConstraint =
    constraint("a whole number from 0, or a text", |context, attribute| {
        is_at_least(context, attribute, 0) || is_text(context, attribute)
    });

pub(super) static ANYTHING: AttributeConstraint = constraint("any attribute", |_, _| true);
