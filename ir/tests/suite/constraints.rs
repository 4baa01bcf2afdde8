//! Constraints made from others, and rules that compare types.

use sluice_ir::definition::AttributeCondition::{
    AllOf, ArrayCount, ArrayElement, ArrayElementMax, ArrayElementMin, ArrayMaxCount,
    ArrayMinCount, ArraySorted, ArrayStrictlySorted, IntMaxValue, IntMinValue, IntNonNegative,
    IntNotValue, IntPositive, IntPowerOf2, Own, StringNonEmpty,
};
use sluice_ir::definition::{
    AttributeCheck, AttributeCondition, AttributeConstraint, AttributeSyntax, TraitRule, TypeCheck,
    TypeConstraint,
};
use sluice_ir::text::{parse_attribute, parse_module, parse_type};
use sluice_ir::{Context, Diagnostics, TypeKind, verifier};

static INTEGER: TypeConstraint = TypeConstraint {
    summary: "integer",
    check: TypeCheck::Is(|context, ty| ty.integer_width_bits(context).is_some()),
    only: None,
    class: None,
    unqualified: None,
};

static FLOAT: TypeConstraint = TypeConstraint {
    summary: "float",
    check: TypeCheck::Is(|context, ty| matches!(ty.kind(context), TypeKind::Float(_))),
    only: None,
    class: None,
    unqualified: None,
};

static TENSOR: TypeConstraint = TypeConstraint {
    summary: "tensor",
    check: TypeCheck::Is(|context, ty| matches!(ty.kind(context), TypeKind::RankedTensor { .. })),
    only: None,
    class: None,
    unqualified: None,
};

static ANY: TypeConstraint = TypeConstraint {
    summary: "any type",
    check: TypeCheck::Is(|_, _| true),
    only: None,
    class: None,
    unqualified: None,
};

static NUMBER: TypeConstraint = TypeConstraint::combined(TypeCheck::AnyOf(&[&INTEGER, &FLOAT]));
static NUMBERS: TypeConstraint = TypeConstraint::combined(TypeCheck::ShapedOf {
    noun: "tensor",
    container: &TENSOR,
    element: &NUMBER,
});
static TUPLE: TypeConstraint = TypeConstraint::combined(TypeCheck::TupleOf(&NUMBER));
static NO_FLOAT: TypeConstraint = TypeConstraint::combined(TypeCheck::Not(&FLOAT));
static BOTH: TypeConstraint = TypeConstraint::combined(TypeCheck::AllOf(&[&NUMBER, &NO_FLOAT]));

#[test]
fn combined_constraints_describe_themselves() {
    let context = Context::new(&[]);
    let cases: [(&TypeConstraint, &str, &[&str], &[&str]); 5] = [
        (&NUMBER, "integer or float", &["i8", "f32"], &["index"]),
        (
            &NUMBERS,
            "tensor of integer or float values",
            &["tensor<4xi8>", "tensor<?xf32>"],
            &["tensor<4xindex>", "vector<4xi8>", "i8"],
        ),
        (
            &TUPLE,
            "tuple with any combination of integer or float values",
            &["tuple<>", "tuple<i8, f32>"],
            &["tuple<i8, index>", "i8"],
        ),
        (&NO_FLOAT, "not float", &["i8"], &["f32"]),
        (
            &BOTH,
            "integer or float and not float",
            &["i8"],
            &["f32", "index"],
        ),
    ];
    for (constraint, description, valid, invalid) in cases {
        assert_eq!(constraint.description(), description);
        for (types, wanted) in [(valid, true), (invalid, false)] {
            for text in types {
                let ty = parse_type(&context, text).unwrap_or_else(|_| panic!("{text}"));
                assert_eq!(
                    constraint.accepts(&context, ty),
                    wanted,
                    "{description}: {text}"
                );
            }
        }
    }
    assert_eq!(NUMBER.described("number").description(), "number");
}

static VALUE: AttributeConstraint = AttributeConstraint {
    summary: "attribute",
    check: AttributeCheck::Is(|_, _| true),
    syntax: AttributeSyntax::Generic,
};

#[test]
fn conditions_hold_for_what_they_describe() {
    let context = Context::new(&[]);
    let cases: &[(AttributeCondition, &str, &str, &str)] = &[
        (
            IntMinValue(2),
            "whose minimum value is 2",
            "2 : i8",
            "1 : i8",
        ),
        (
            IntMaxValue(2),
            "whose maximum value is 2",
            "-3 : i8",
            "3 : i8",
        ),
        (IntNotValue(2), "whose value is not 2", "3 : i8", "2 : i8"),
        (
            IntNonNegative,
            "whose value is non-negative",
            "0 : i8",
            "-1 : i8",
        ),
        (IntPositive, "whose value is positive", "1 : i8", "0 : i8"),
        (
            IntPowerOf2,
            "whose value is a power of two > 0",
            "8 : i8",
            "6 : i8",
        ),
        (ArrayMinCount(1), "with at least 1 elements", "[1]", "[]"),
        (
            ArrayMaxCount(1),
            "with at most 1 elements",
            "array<i8: 1>",
            "array<i8: 1, 2>",
        ),
        (ArrayCount(2), "with exactly 2 elements", "[1, 2]", "[1]"),
        (
            ArrayElement(1, 5),
            "whose 1-th element must be 5",
            "[0, 5]",
            "[5]",
        ),
        (
            ArrayElementMin(0, 5),
            "whose 0-th element must be at least 5",
            "[6]",
            "[4]",
        ),
        (
            ArrayElementMax(0, 5),
            "whose 0-th element must be at most 5",
            "[5]",
            "[\"a\"]",
        ),
        (
            ArraySorted,
            "should be in non-decreasing order",
            "array<i8: 1, 1>",
            "[2, 1]",
        ),
        (
            ArrayStrictlySorted,
            "should be in increasing order",
            "[1, 2]",
            "array<i8: 1, 1>",
        ),
        (StringNonEmpty, "that is not empty", "\"a\"", "\"\""),
        (
            AllOf(&[IntPositive, IntMaxValue(4)]),
            "whose value is positive and whose maximum value is 4",
            "4 : i8",
            "5 : i8",
        ),
        (
            Own("that is true", |context, one| {
                one.as_bool(context) == Some(true)
            }),
            "that is true",
            "true",
            "false",
        ),
    ];
    for (condition, description, valid, invalid) in cases {
        assert_eq!(condition.description(), *description);
        for (text, wanted) in [(valid, true), (invalid, false)] {
            let attribute = parse_attribute(&context, text).unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(
                condition.holds(&context, attribute),
                wanted,
                "{description}: {text}"
            );
        }
    }
}

static BOTH_VALUES: AttributeConstraint = AttributeConstraint::combined(AttributeCheck::AllOf(&[
    &VALUE,
    &AttributeConstraint::combined(AttributeCheck::Not(&SMALL)),
]));
static SMALL: AttributeConstraint = AttributeConstraint::confined(&VALUE, &[IntMaxValue(9)]);
static LISTS: AttributeConstraint = AttributeConstraint::combined(AttributeCheck::AnyOf(&[
    &AttributeConstraint::combined(AttributeCheck::ArrayOf(&SMALL)),
    &AttributeConstraint::combined(AttributeCheck::DictionaryOf(&SMALL)),
]));

#[test]
fn attribute_constraints_combine() {
    let context = Context::new(&[]);
    let accepts = |constraint: &AttributeConstraint, text: &str| {
        let attribute = parse_attribute(&context, text).unwrap_or_else(|_| panic!("{text}"));
        constraint.accepts(&context, attribute)
    };
    assert!(accepts(&BOTH_VALUES, "10") && !accepts(&BOTH_VALUES, "9"));
    assert!(accepts(&LISTS, "[1, 2]") && accepts(&LISTS, "{a = 1}"));
    assert!(!accepts(&LISTS, "[10]") && !accepts(&LISTS, "{a = 10}") && !accepts(&LISTS, "1"));
    assert_eq!(
        LISTS.description(),
        "array of attribute whose maximum value is 9 or dictionary of attribute whose maximum value is 9"
    );
}

sluice_ods::dialect! {
    dialect "rule" { summary: "Rules on types" }

    /// One element type.
    op Element = "element" {
        rules: [TraitRule::AllElementTypesMatch(&["a", "b"])],
        operands: { a: ANY, b: ANY },
    }

    /// One shape.
    op Shape = "shape" {
        rules: [TraitRule::AllShapesMatch(&["a", "b"])],
        operands: { a: ANY, b: ANY },
    }

    /// One rank.
    op Rank = "rank" {
        rules: [TraitRule::AllRanksMatch(&["a", "b"])],
        operands: { a: ANY, b: ANY },
    }

    /// As many elements.
    op Count = "count" {
        rules: [TraitRule::AllElementCountsMatch(&["a", "b"])],
        operands: { a: ANY, b: ANY },
    }
}

#[test]
fn rules_compare_shapes_ranks_and_counts() {
    let mut context = Context::new(&[&DIALECT]);
    context.allow_unregistered = true;
    let cases = [
        ("element", "tensor<2xi8>, tensor<3xi8>", None),
        (
            "element",
            "tensor<2xi8>, tensor<2xi4>",
            Some("element type"),
        ),
        ("shape", "tensor<2xi8>, tensor<2xi4>", None),
        ("shape", "tensor<2xi8>, tensor<3xi8>", Some("shape")),
        ("rank", "tensor<2x1xi8>, tensor<3x?xi4>", None),
        ("rank", "tensor<2xi8>, tensor<2x1xi8>", Some("rank")),
        ("count", "tensor<2x3xi8>, tensor<6xi4>", None),
        (
            "count",
            "tensor<2x3xi8>, tensor<5xi8>",
            Some("element count"),
        ),
    ];
    for (name, types, wrong) in cases {
        let text = format!(
            "\"u.outer\"() ({{\n%0:2 = \"u.source\"() : () -> ({types})\n\"rule.{name}\"(%0#0, %0#1) : ({types}) -> ()\n}}) : () -> ()"
        );
        let mut found = Diagnostics::new();
        let module = parse_module(&context, &text, "rules.mlir", &mut found).expect("it is read");
        verifier::verify(&context, &module, &mut found);
        let text = found.to_text(&context);
        match wrong {
            None => assert!(!text.contains("rule."), "{types}: {text}"),
            Some(what) => {
                let message = format!("failed to verify that all of {{a, b}} have same {what}");
                assert!(text.contains(&message), "{types}: {text}");
            }
        }
    }
}
