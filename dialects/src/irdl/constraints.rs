//! Constraints on types and attributes.

use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};
use sluice_ir::{AttributeKind, Diagnostics, View};

use super::syntax::{parse_base, print_base};
use super::{CONSTRAINT, op_error};
use crate::constraints::{ANY_ATTRIBUTE, STRING};

sluice_ods::dialect! {
    group "irdl";

    /// Just this type or attribute.
    op Is = "is" {
        traits: [PURE],
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        attributes: { expected: ANY_ATTRIBUTE },
        results: { output: CONSTRAINT },
        assembly: "$expected ` ` attr-dict",
    }

    /// Every type or attribute of one kind, whatever its parameters are.
    op Base = "base" {
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        attributes: { base_ref: optional SYMBOL_REFERENCE, base_name: optional STRING },
        results: { output: CONSTRAINT },
        assembly: custom(parse_base, print_base),
        verify: verify_base,
    }

    /// Every type or attribute of one kind whose parameters fulfil constraints.
    op Parametric = "parametric" {
        traits: [PURE],
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        operands: { args: variadic CONSTRAINT },
        attributes: { base_type: SYMBOL_REFERENCE },
        results: { output: CONSTRAINT },
        assembly: "$base_type `<` $args `>` ` ` attr-dict",
    }

    /// Every type or attribute.
    op Any = "any" {
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        results: { output: CONSTRAINT },
        assembly: "attr-dict",
    }

    /// Every type or attribute that satisfies one of the constraints.
    op AnyOf = "any_of" {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        operands: { args: variadic CONSTRAINT },
        results: { output: CONSTRAINT },
        assembly: "`(` $args `)` ` ` attr-dict",
    }

    /// Every type or attribute that satisfies all of the constraints.
    op AllOf = "all_of" {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE],
        rules: [HasParent(&["irdl.type", "irdl.attribute", "irdl.operation"])],
        operands: { args: variadic CONSTRAINT },
        results: { output: CONSTRAINT },
        assembly: "`(` $args `)` ` ` attr-dict",
    }

    /// Every type or attribute that satisfies a condition in C++.
    ///
    /// It is kept as text: a dialect whose definition holds one cannot be loaded.
    op CPred = "c_pred" {
        attributes: { pred: PREDICATE },
        results: { output: CONSTRAINT },
        assembly: "$pred ` ` attr-dict",
    }
}

/// A reference such as `@dialect::@type`.
static SYMBOL_REFERENCE: AttributeConstraint = AttributeConstraint {
    summary: "symbol reference attribute",
    check: AttributeCheck::Is(|context, attribute| {
        matches!(attribute.kind(context), AttributeKind::SymbolRef { .. })
    }),
    syntax: AttributeSyntax::Generic,
};

/// A string, parsed as an attribute that cannot have a type.
static PREDICATE: AttributeConstraint = AttributeConstraint {
    summary: "string attribute",
    check: AttributeCheck::Is(|context, attribute| attribute.as_str(context).is_some()),
    syntax: AttributeSyntax::Untyped(sluice_ir::Context::none_type),
};

fn verify_base(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (reference, name) = (view.attribute("base_ref"), view.attribute("base_name"));
    if reference.is_some() == name.is_some() {
        let message =
            "the base type or attribute should be specified by either a name or a reference";
        op_error(view, diagnostics, message);
    } else if let Some(name) = name.and_then(|name| name.as_str(view.context))
        && !name.starts_with(['!', '#'])
    {
        let message = "the base type or attribute name should start with '!' or '#'";
        op_error(view, diagnostics, message);
    }
}
