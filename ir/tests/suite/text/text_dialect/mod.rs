//! A dialect that uses all features of declarative formats.

use sluice_ir::attributes::AttributeKind;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeDefinition, AttributeSyntax, EnumDefinition,
    EnumStorage, TraitRule, TypeCheck, TypeConstraint, TypeDefinition,
};
use sluice_ir::text::{ParseResult, Parser, Printer, UnresolvedOperand};
use sluice_ir::{Attribute, Context, Type, TypeKind, ValueId, View};

static ANY: TypeConstraint = TypeConstraint {
    summary: "any type",
    check: TypeCheck::Is(|_, _| true),
    only: None,
    class: None,
    unqualified: None,
};

static BIT: TypeConstraint = TypeConstraint {
    summary: "i1",
    check: TypeCheck::Is(|context, ty| ty == context.integer_type(1)),
    only: Some(|context| context.integer_type(1)),
    class: None,
    unqualified: None,
};

const fn constraint(syntax: AttributeSyntax) -> AttributeConstraint {
    AttributeConstraint {
        summary: "any attribute",
        check: AttributeCheck::Is(|_, _| true),
        syntax,
    }
}

static VALUE: AttributeConstraint = constraint(AttributeSyntax::Generic);
static COUNT: AttributeConstraint =
    constraint(AttributeSyntax::Untyped(|context| context.integer_type(32)));
static FLAG: AttributeConstraint = constraint(AttributeSyntax::Unit);
static SYMBOL_NAME: AttributeConstraint = constraint(AttributeSyntax::SymbolName);
static TYPE: AttributeConstraint = constraint(AttributeSyntax::Type);
static COLOUR: AttributeConstraint = constraint(AttributeSyntax::Enumeration(&COLOURS));
static MODES: AttributeConstraint = constraint(AttributeSyntax::Enumeration(&MODE_FLAGS));

static COLOURS: EnumDefinition = EnumDefinition {
    name: "colour",
    storage: EnumStorage::Integer(32),
    cases: &[("red", 0), ("green", 1), ("blue", 2)],
    flags: false,
};

static MODE_FLAGS: EnumDefinition = EnumDefinition {
    name: "modes",
    storage: EnumStorage::Dialect("test.modes"),
    cases: &[("none", 0), ("fast", 1), ("small", 2)],
    flags: true,
};

static BOX_TYPE: TypeDefinition = TypeDefinition {
    name: "test.box",
    summary: "A box around a type",
    parse: &|parser| {
        parser.parse_punctuation("<")?;
        let element = parser.parse_type()?;
        parser.parse_punctuation(">")?;
        let context = parser.context();
        Ok(context.dialect_type("test.box", &[context.type_attribute(element)]))
    },
    print: &|printer, parameters| {
        printer.text("<");
        if let Some(ty) = parameters
            .first()
            .and_then(|a| a.as_type(printer.context()))
        {
            printer.ty(ty);
        }
        printer.text(">");
    },
    extension: None,
};

static MODES_ATTRIBUTE: AttributeDefinition = AttributeDefinition {
    typed: false,
    name: "test.modes",
    summary: "Modes",
    parse: &|parser| parser.parse_enum_attribute(&MODE_FLAGS),
    print: &|printer, parameters| {
        let context = printer.context();
        let name = context.name("test.modes");
        let attribute = context.attribute(AttributeKind::Dialect {
            name,
            parameters: parameters.into(),
        });
        printer.enum_attribute(&MODE_FLAGS, attribute);
    },
    extension: None,
};

fn zero(context: &Context) -> Attribute {
    MODE_FLAGS.attribute(context, 0)
}

fn element_of(context: &Context, ty: Type) -> Option<Type> {
    match ty.kind(context) {
        TypeKind::Dialect { parameters, .. } => parameters.first()?.as_type(context),
        _ => None,
    }
}

/// Reads two operands with a word between them; both are bytes.
fn parse_pair(
    parser: &mut Parser<'_>,
    word: &str,
) -> ParseResult<(UnresolvedOperand, UnresolvedOperand, Type, Type)> {
    let first = parser.parse_operand()?;
    parser.parse_keyword(word)?;
    let second = parser.parse_operand()?;
    let byte = parser.context().integer_type(8);
    Ok((first, second, byte, byte))
}

fn print_pair(
    printer: &mut Printer<'_>,
    _: View<'_>,
    word: &str,
    a: ValueId,
    b: ValueId,
    _: Type,
    _: Type,
) {
    printer.operand(a);
    printer.text(&format!(" {word} "));
    printer.operand(b);
}

sluice_ods::dialect! {
    dialect "test" {
        summary: "Formats",
        types: [BOX_TYPE],
        attributes: [MODES_ATTRIBUTE],
    }

    /// One type for all.
    op Same = "same" {
        traits: [SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { lhs: ANY, rhs: ANY },
        attributes: { modes: MODES = zero },
        results: { result: ANY },
        assembly: "$lhs `,` $rhs (`modes` `` $modes^)? attr-dict `:` type($result)",
    }

    /// The type of the element follows from that of the box.
    op Unbox = "unbox" {
        rules: [TraitRule::TypesMatchWith { summary: "element", from: "input", to: "result", transform: element_of }],
        operands: { input: ANY },
        results: { result: ANY },
        assembly: "$input attr-dict `:` qualified(type($input))",
    }

    /// Groups, optional and variadic, with segment sizes.
    op Groups = "groups" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { first: optional BIT, middle: variadic ANY, last: BIT },
        assembly: "(`if` $first^)? `[` $middle `]` (`:` type($middle)^)? `last` $last attr-dict",
    }

    /// Attributes of every syntax.
    op Attributes = "attributes" {
        attributes: {
            name: SYMBOL_NAME, of: TYPE, count: COUNT, colour: COLOUR, extra: optional VALUE, flag: optional FLAG,
        },
        assembly: "$name `of` $of `<` $count `>` $colour (`flag` $flag^)? (`extra` $extra^)? attr-dict-with-keyword",
    }

    /// Clauses in any order.
    op Clauses = "clauses" {
        operands: { limit: optional BIT },
        attributes: { fast: optional FLAG, count: optional COUNT },
        assembly: "oilist(`fast` $fast | `count` `(` $count `)` | `limit` $limit) attr-dict",
    }

    /// A region with an implicit terminator.
    op Body = "body" {
        traits: [SINGLE_BLOCK],
        rules: [TraitRule::ImplicitTerminator("test.end")],
        operands: { condition: BIT },
        results: { results: variadic ANY },
        regions: { body: sized(1) },
        assembly: "$condition (`->` type($results)^)? $body attr-dict",
    }

    /// Ends a body.
    op End = "end" {
        traits: [TERMINATOR],
        operands: { values: variadic ANY },
        assembly: "($values^ `:` type($values))? attr-dict",
    }

    /// A custom directive.
    op Pair = "pair" {
        operands: { a: ANY, b: ANY },
        assembly: "`of` custom<Pair>(\"and\", $a, $b, type($a), type($b)) attr-dict",
    }

    /// A function type.
    op Apply = "apply" {
        operands: { inputs: variadic ANY },
        results: { outputs: variadic ANY },
        assembly: "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)",
    }

    /// Leads to other blocks.
    op Branch = "branch" {
        traits: [TERMINATOR, BRANCH_LIKE],
        operands: { condition: optional BIT },
        successors: { dest, others: variadic },
        assembly: "($condition^ `,`)? $dest (`or` $others^)? attr-dict",
    }
}
