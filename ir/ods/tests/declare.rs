//! A small dialect, declared and used.

use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, OperationDefinition, Site, Traits,
    TypeCheck, TypeConstraint,
};
use sluice_ir::{Attribute, Body, Builder, Context, Location, View};
use smallvec::smallvec;

static INTEGER: TypeConstraint = TypeConstraint {
    summary: "integer",
    check: TypeCheck::Is(|context, ty| ty.integer_width_bits(context).is_some()),
    only: None,
    class: None,
    unqualified: None,
};

static FLAG: AttributeConstraint = AttributeConstraint {
    summary: "bool attribute",
    check: AttributeCheck::Is(|context, attribute| attribute.as_bool(context).is_some()),
    syntax: AttributeSyntax::Generic,
};

fn no(context: &Context) -> Attribute {
    context.bool_attribute(false)
}

fn is_bit(site: Site<'_>) -> bool {
    site.result_width_bits(0) == 1
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
        assembly: "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
        meaning: |site, algebra, x| Some(smallvec![algebra.add(&x[0], &x[1])]),
    }

    /// Two integers of a type, and a third one.
    class Binary {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: INTEGER, rhs: INTEGER },
        results: { result: INTEGER },
        assembly: "$lhs `,` $rhs attr-dict `:` type($result)",
    }

    /// The same in any order.
    class Commutative: Binary {
        traits: [COMMUTATIVE],
        defined_if: is_bit,
    }

    /// Difference of two integers.
    op Sub = "sub": Binary { value: |_, algebra, x| algebra.sub(&x[0], &x[1]) }

    /// Parity of two bits.
    op Parity = "parity": Commutative {
        operands: { a: INTEGER, b: INTEGER },
        assembly: "$a `,` $b attr-dict `:` type($result)",
        value: |_, algebra, x| algebra.xor(&x[0], &x[1]),
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

#[test]
fn operations_have_what_their_class_gives_and_they_leave_out() {
    assert!(Sub::DEFINITION.has(Traits::PURE | Traits::SAME_OPERANDS_AND_RESULT_TYPE));
    assert!(!Sub::DEFINITION.has(Traits::COMMUTATIVE));
    let traits = Traits::PURE | Traits::SAME_OPERANDS_AND_RESULT_TYPE | Traits::COMMUTATIVE;
    assert!(Parity::DEFINITION.has(traits));
    let names = |operation: &OperationDefinition| -> Vec<&str> {
        operation.operands.iter().map(|spec| spec.name).collect()
    };
    assert_eq!(names(Sub::DEFINITION), ["lhs", "rhs"]);
    assert_eq!(names(Parity::DEFINITION), ["a", "b"]);
    let context = Context::new(&[&DIALECT]);
    let value = |operation: &OperationDefinition, width_bits: u32| {
        let ty = context.integer_type(width_bits);
        let site = Site {
            context: &context,
            operand_types: &[ty, ty],
            result_types: &[ty],
            attributes: &[],
        };
        let words = [1, 0].map(|word| Bits::from_u64(width_bits, word));
        let meaning = operation.meaning.as_ref().expect("it has one");
        (meaning.evaluate)(site, &mut Concrete::default(), &words)
    };
    let one = |width_bits| smallvec![Bits::from_u64(width_bits, 1)];
    assert_eq!(value(Sub::DEFINITION, 8), Some(one(8)));
    assert_eq!(value(Parity::DEFINITION, 1), Some(one(1)));
    assert_eq!(value(Parity::DEFINITION, 8), None);
}
