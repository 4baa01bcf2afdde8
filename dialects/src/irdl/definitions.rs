//! Operations that define dialects, types, attributes and operations, and their parts.

use sluice_ir::{Diagnostics, View};

use super::symbols::check_uses;
use super::syntax::{
    parse_attributes, parse_region_constraint, parse_single_block_region, parse_values,
    print_attributes, print_region_constraint, print_single_block_region, print_values,
};
use super::variadicity::{VARIADICITIES, arities};
use super::{CONSTRAINT, REGION_CONSTRAINT, children, op_error};
use crate::constraints::{I32, STRINGS, SYMBOL_NAME, UNIT};

sluice_ods::dialect! {
    group "irdl";

    /// Defines a dialect.
    op DialectOp = "dialect" {
        traits: [ISOLATED_FROM_ABOVE, SINGLE_BLOCK, NO_TERMINATOR, SYMBOL, SYMBOL_TABLE],
        attributes: { sym_name: SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: "$sym_name attr-dict-with-keyword custom<SingleBlockRegion>($body)",
        custom_if: has_no_arguments,
        verify: verify_dialect,
        verify_symbols: check_uses,
    }

    /// Defines a type of the dialect.
    op TypeOp = "type" {
        traits: [SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS, SYMBOL],
        rules: [HasParent(&["irdl.dialect"])],
        attributes: { sym_name: SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: "$sym_name attr-dict-with-keyword custom<SingleBlockRegion>($body)",
        custom_if: has_no_arguments,
        verify: verify_children,
    }

    /// Defines an attribute of the dialect.
    op AttributeOp = "attribute" {
        traits: [SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS, SYMBOL],
        rules: [HasParent(&["irdl.dialect"])],
        attributes: { sym_name: SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: "$sym_name attr-dict-with-keyword custom<SingleBlockRegion>($body)",
        custom_if: has_no_arguments,
        verify: verify_children,
    }

    /// The constraints on the parameters of a type or an attribute.
    op Parameters = "parameters" {
        rules: [HasParent(&["irdl.attribute", "irdl.type"])],
        operands: { args: variadic CONSTRAINT },
        assembly: "`(` $args `)` attr-dict",
    }

    /// Defines an operation of the dialect.
    op OperationOp = "operation" {
        traits: [SINGLE_BLOCK, NO_TERMINATOR, NO_REGION_ARGUMENTS, SYMBOL],
        rules: [HasParent(&["irdl.dialect"])],
        attributes: { sym_name: SYMBOL_NAME },
        regions: { body: sized(1) },
        assembly: "$sym_name attr-dict-with-keyword custom<SingleBlockRegion>($body)",
        custom_if: has_no_arguments,
        verify: verify_children,
    }

    /// The constraints on the types of the operands of an operation.
    op Operands = "operands" {
        rules: [HasParent(&["irdl.operation"])],
        operands: { args: variadic CONSTRAINT },
        attributes: { variadicity: VARIADICITIES },
        assembly: custom(parse_values, print_values),
        verify: verify_values,
    }

    /// The constraints on the types of the results of an operation.
    op Results = "results" {
        rules: [HasParent(&["irdl.operation"])],
        operands: { args: variadic CONSTRAINT },
        attributes: { variadicity: VARIADICITIES },
        assembly: custom(parse_values, print_values),
        verify: verify_values,
    }

    /// The attributes an operation must have, and the constraints on them.
    op Attributes = "attributes" {
        rules: [HasParent(&["irdl.operation"])],
        operands: { attribute_values: variadic CONSTRAINT },
        attributes: { attribute_value_names("attributeValueNames"): STRINGS },
        assembly: custom(parse_attributes, print_attributes),
        custom_if: starts_with_values,
        verify: verify_attributes,
    }

    /// A constraint on a region: the types of its arguments, the number of its blocks.
    op RegionOp = "region" {
        rules: [HasParent(&["irdl.operation"])],
        operands: { entry_block_args: variadic CONSTRAINT },
        attributes: {
            number_of_blocks("numberOfBlocks"): optional I32,
            constrained_arguments("constrainedArguments"): optional UNIT,
        },
        results: { output: REGION_CONSTRAINT },
        assembly: custom(parse_region_constraint, print_region_constraint),
        verify: verify_region,
    }

    /// The constraints on the regions of an operation.
    op Regions = "regions" {
        rules: [HasParent(&["irdl.operation"])],
        operands: { args: variadic REGION_CONSTRAINT },
        assembly: "`(` $args `)` attr-dict",
    }
}

fn verify_dialect(view: View<'_>, diagnostics: &mut Diagnostics) {
    let name = view.symbol_name().unwrap_or_default();
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
    let continues = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    if !name.starts_with(starts) || !name.chars().all(continues) {
        op_error(view, diagnostics, "invalid dialect name");
    }
}

/// Operations that may occur at most once in a definition.
const ONCE: [&str; 5] = [
    "irdl.parameters",
    "irdl.operands",
    "irdl.results",
    "irdl.attributes",
    "irdl.regions",
];

fn verify_children(view: View<'_>, diagnostics: &mut Diagnostics) {
    let mut seen = Vec::new();
    for child in children(view) {
        let name = child.name();
        if !ONCE.contains(&name) {
            continue;
        }
        if seen.contains(&name) {
            let message = format!(
                "failed to verify AtMostOneChildOf trait: the operation contains at least two operations of type {name}"
            );
            diagnostics.error(view.location(), message);
            return;
        }
        seen.push(name);
    }
}

fn verify_values(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_values = view.operands().len();
    let known = view.attribute("variadicity");
    let n_known = known.and_then(|known| arities(view.context, known));
    let n_known = n_known.map_or(0, |known| known.len());
    if n_values != n_known {
        let message = format!(
            "the number of operands and their variadicities must be the same, but got {n_values} and {n_known} respectively"
        );
        op_error(view, diagnostics, message);
    }
}

fn verify_attributes(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_values = view.operands().len();
    let names = view.attribute("attributeValueNames");
    let n_names = names.and_then(|names| names.as_array(view.context));
    let n_names = n_names.map_or(0, <[_]>::len);
    if n_values != n_names {
        let message = format!(
            "the number of attribute names and their constraints must be the same but got {n_names} and {n_values} respectively"
        );
        op_error(view, diagnostics, message);
    }
}

fn verify_region(view: View<'_>, diagnostics: &mut Diagnostics) {
    let number = view.attribute("numberOfBlocks");
    if let Some(number) = number.and_then(|number| number.as_i64(view.context))
        && number <= 0
    {
        let message = format!("the number of blocks is expected to be >= 1 but got {number}");
        op_error(view, diagnostics, message);
    }
}

/// Returns true if the custom form can be parsed: without values before them, other attributes look like values.
fn starts_with_values(view: View<'_>) -> bool {
    view.operands().len() > 0 || view.attributes().len() <= 1
}

/// Returns true if the region has no arguments: the custom form omits an empty region.
fn has_no_arguments(view: View<'_>) -> bool {
    let block = view.entry_block(0);
    block.is_none_or(|block| view.inner().arguments(block).is_empty())
}
