//! A small dialect, declared and used.

use sluice_ir::definition::{AttributeConstraint, AttributeSyntax, Traits, TypeConstraint};
use sluice_ir::{Attribute, Body, Builder, Context, Location, View};
use smallvec::smallvec;

static INTEGER: TypeConstraint = TypeConstraint {
    summary: "integer",
    check: |context, ty| ty.integer_width_bits(context).is_some(),
    only: None,
    class: None,
    unqualified: None,
};

static FLAG: AttributeConstraint = AttributeConstraint {
    summary: "bool attribute",
    check: |context, attribute| attribute.as_bool(context).is_some(),
    syntax: AttributeSyntax::Generic,
};

fn no(context: &Context) -> Attribute {
    context.bool_attribute(false)
}

sluice_ods::dialect! {
    dialect "toy" { summary: "Two operations" }

    /// Sum of two integers.
    ///
    /// Wraps.
    op Add = "add" {
        traits: [PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: INTEGER, rhs: INTEGER },
        attributes: { exact("isExact"): FLAG = no },
        results: { result: INTEGER },
        assembly: "$lhs `,` $rhs (`exact` `` $isExact^)? attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.add(&x[0], &x[1])]),
    }

    /// Ends a block.
    op End = "end" {
        traits: [TERMINATOR],
        operands: { values: variadic INTEGER },
        assembly: "($values^ `:` type($values))? attr-dict",
    }
}

#[test]
fn declared_operations_are_built_and_read() {
    let mut context = Context::new(&[&DIALECT]);
    context.allow_unregistered = true;
    let mut body = Body::new();
    let block = body.create_block();
    let ty = context.integer_type(8);
    let a = body.add_argument(block, ty, Location::UNKNOWN);
    let mut builder = Builder::at_end(&context, &mut body, block, Location::UNKNOWN);
    let add = Add::build(&mut builder, a, a, None);
    let sum = builder.body.result(add, 0);
    End::build(&mut builder, &[sum]);
    let view = View::new(&context, &body, add);
    let add = Add::cast(view).expect("it is an addition");
    assert_eq!((add.lhs(), add.rhs(), add.result()), (a, a, sum));
    assert_eq!(add.exact(), no(&context));
    assert!(Add::DEFINITION.has(Traits::PURE | Traits::COMMUTATIVE));
    assert_eq!(Add::DEFINITION.summary, "Sum of two integers.");
    assert_eq!(Add::DEFINITION.description, "Wraps.");
    assert_eq!(body.ty(sum), ty);
}
