//! Dialect arc: circuits as functions between registers, in CIRCT's syntax.
//!
//! Models are not supported: arcilator generates them from such a circuit, with storage, update order and coroutines.

mod vectors;

use sluice_ir::bits::Bits;
use sluice_ir::definition::{
    AttributeCheck, AttributeConstraint, AttributeSyntax, EnumDefinition, EnumStorage, TypeCheck,
    TypeConstraint, TypeDefinition,
};
use sluice_ir::effects::is_free_of_effects;
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{ParseResult, Parser, print_type};
use sluice_ir::{Attribute, Context, Diagnostics, OperationId, Type, TypeKind, View};

use crate::constraints::{
    ANY_INTEGER, ANY_TYPE, DICTIONARIES, FLAT_SYMBOL, FUNCTION_TYPE, I1, I32, SIGNLESS_INTEGER,
    STRING, STRINGS, SYMBOL_NAME, UNIT,
};
use crate::func::{function_types, parse_func, print_func, wrong_value_attributes};
use crate::messages::op_error;
use crate::seq::CLOCK;

pub use vectors::{Form, Vectorize, VectorizeReturn, form, groups};

/// The type `!arc.memory<4 x i32, i2>`: number of words, type of a word, type of an address.
static MEMORY_TYPE: TypeDefinition = TypeDefinition {
    name: "arc.memory",
    summary: "A memory: its words and what numbers them",
    parse: &|parser| {
        let context = parser.context();
        parser.parse_punctuation("<")?;
        let n_words = parser.parse_dimension()?;
        parser.parse_dimension_separator()?;
        let word = integer(parser)?;
        parser.parse_punctuation(",")?;
        let address = integer(parser)?;
        parser.parse_punctuation(">")?;
        let n_words = context.i64_attribute(i64::try_from(n_words).unwrap_or(i64::MAX));
        Ok(context.dialect_type("arc.memory", &[n_words, word, address]))
    },
    print: &|printer, parameters| {
        let context = printer.context();
        let n_words = parameters[0].as_i64(context).unwrap_or(0);
        printer.text(&format!("<{n_words} x "));
        for (i, parameter) in parameters[1..].iter().enumerate() {
            printer.text(if i > 0 { ", " } else { "" });
            if let Some(ty) = parameter.as_type(context) {
                printer.ty(ty);
            }
        }
        printer.text(">");
    },
    extension: None,
};

fn integer(parser: &mut Parser<'_>) -> ParseResult<Attribute> {
    let context = parser.context();
    let position = parser.position();
    let ty = parser.parse_type()?;
    match ty.integer_width_bits(context) {
        Some(_) => Ok(context.type_attribute(ty)),
        None => Err(parser.error(position, "invalid kind of type specified")),
    }
}

/// A memory of a circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Number of words.
    pub n_words: u64,
    /// The type of a word.
    pub word: Type,
    /// The type of an address.
    pub address: Type,
}

/// Returns the parameters of a memory type; `None` for other types.
pub fn memory(context: &Context, ty: Type) -> Option<Memory> {
    let TypeKind::Dialect { name, parameters } = ty.kind(context) else {
        return None;
    };
    let is_memory = context.text(*name) == "arc.memory";
    is_memory.then_some(())?;
    Some(Memory {
        n_words: u64::try_from(parameters.first()?.as_i64(context)?).ok()?,
        word: parameters.get(1)?.as_type(context)?,
        address: parameters.get(2)?.as_type(context)?,
    })
}

static MEMORY: TypeConstraint = TypeConstraint {
    summary: "memory of arc",
    check: TypeCheck::Is(|context, ty| memory(context, ty).is_some()),
    only: None,
    class: None,
    unqualified: Some(&MEMORY_TYPE),
};

static ENDS: EnumDefinition = EnumDefinition {
    name: "ZeroCountPredicate",
    storage: EnumStorage::Integer(32),
    cases: &[("leading", 0), ("trailing", 1)],
    flags: false,
};

static END: AttributeConstraint = AttributeConstraint {
    summary: "arc.zero_count predicate",
    check: AttributeCheck::Is(|context, a| ENDS.is_case(context, a)),
    syntax: AttributeSyntax::Enumeration(&ENDS),
};

sluice_ods::dialect! {
    dialect "arc" {
        summary: "Functions between registers",
        types: [MEMORY_TYPE],
        groups: [vectors::OPERATIONS],
    }

    /// A function without state.
    op Define = "define" {
        traits: [ISOLATED_FROM_ABOVE, SYMBOL, SINGLE_BLOCK, FUNCTION_LIKE],
        rules: [HasParent(&["builtin.module"]), ImplicitTerminator("arc.output")],
        attributes: {
            sym_name: SYMBOL_NAME, function_type: FUNCTION_TYPE, arg_attrs: optional DICTIONARIES,
            res_attrs: optional DICTIONARIES, sym_visibility: optional STRING,
        },
        regions: { body: sized(1) },
        assembly: custom(parse_func, print_func),
        verify_regions: verify_define,
    }

    /// The results of a function.
    op Output = "output" {
        traits: [PURE, TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["arc.define", "arc.lut", "arc.execute"])],
        operands: { outputs: variadic ANY_TYPE },
        assembly: "attr-dict ($outputs^ `:` qualified(type($outputs)))?",
    }

    /// Registers in series after the results of a function, as many as the latency.
    op State = "state" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        rules: [Predicate {
            summary: "types of initial arguments match result types",
            check: initials_match,
        }],
        operands: {
            clock: optional CLOCK, enable: optional I1, reset: optional I1, inputs: variadic ANY_TYPE,
            initials: variadic ANY_TYPE,
        },
        attributes: { arc: FLAT_SYMBOL, latency: I32 },
        results: { outputs: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "$arc `(` $inputs `)` (`clock` $clock^)? (`enable` $enable^)? (`reset` $reset^)? \
                   (`initial` ` ` `(` $initials^ `:` type($initials) `)`)? `latency` $latency attr-dict `:` \
                   functional-type($inputs, results)",
        verify: verify_state,
        verify_symbols: verify_state_use,
    }

    /// The results of a function in the same cycle.
    op Call = "call" {
        traits: [PURE],
        operands: { inputs: variadic ANY_TYPE },
        attributes: { arc: FLAT_SYMBOL },
        results: { outputs: variadic ANY_TYPE },
        assembly: "$arc `(` $inputs `)` attr-dict `:` functional-type(operands, results)",
        verify_symbols: verify_call_use,
    }

    /// A memory.
    op MemoryOp = "memory" {
        results: { memory: MEMORY },
        effects: [Allocate(0)],
        assembly: "type($memory) attr-dict",
    }

    /// The word at an address, in the same cycle.
    op MemoryReadPort = "memory_read_port" {
        traits: [PURE],
        rules: [
            TypesMatchWith { summary: "memory and data types must match", from: "memory", to: "data", transform: word_type },
            TypesMatchWith {
                summary: "memory and address types must match",
                from: "memory",
                to: "address",
                transform: address_type,
            }
        ],
        operands: { memory: MEMORY, address: ANY_INTEGER },
        results: { data: ANY_INTEGER },
        assembly: "$memory `[` $address `]` attr-dict `:` type($memory)",
    }

    /// Writes a word at a clock edge: a function computes address, word, enable, and mask.
    op MemoryWritePort = "memory_write_port" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { memory: MEMORY, inputs: variadic ANY_TYPE, clock: optional CLOCK },
        attributes: {
            arc: FLAT_SYMBOL, enable: optional UNIT, mask: optional UNIT,
            latency: I32 = one,
        },
        effects: [Write(0)],
        assembly: "$memory `,` $arc `(` $inputs `)` (`clock` $clock^)? (`enable` $enable^)? (`mask` $mask^)? \
                   `latency` $latency attr-dict `:` type($memory) `,` type($inputs)",
        verify: verify_write,
        verify_symbols: verify_write_use,
    }

    /// Shows a value under some names.
    op Tap = "tap" {
        operands: { value: ANY_TYPE },
        attributes: { names: STRINGS },
        effects: [Unknown],
        assembly: "$value attr-dict `:` type($value)",
    }

    /// A function of few bits.
    op Lut = "lut" {
        traits: [PURE, ISOLATED_FROM_ABOVE, SINGLE_BLOCK],
        rules: [ImplicitTerminator("arc.output")],
        operands: { inputs: variadic SIGNLESS_INTEGER },
        results: { output: SIGNLESS_INTEGER },
        regions: { body: sized(1) },
        assembly: "`(` $inputs `)` `:` functional-type($inputs, $output) attr-dict-with-keyword $body",
        verify_regions: verify_lut,
    }

    /// Number of zeros before the first one, counted from one end; undefined for zero.
    op ZeroCount = "zero_count" {
        traits: [PURE, SAME_OPERANDS_AND_RESULT_TYPE],
        operands: { input: SIGNLESS_INTEGER },
        attributes: { predicate: END },
        results: { output: SIGNLESS_INTEGER },
        assembly: "$predicate $input attr-dict `:` type($input)",
    }
}

fn one(context: &Context) -> Attribute {
    context.integer_attribute(context.integer_type(32), Bits::from_u64(32, 1))
}

fn word_type(context: &Context, ty: Type) -> Option<Type> {
    Some(memory(context, ty)?.word)
}

fn address_type(context: &Context, ty: Type) -> Option<Type> {
    Some(memory(context, ty)?.address)
}

fn initials_match(view: View<'_>) -> bool {
    let initials = view.operand_group(4);
    let types = initials.iter().map(|value| view.ty(*value));
    initials.is_empty() || types.eq(view.result_types())
}

/// Compares types; reports a difference and returns false if there is one.
fn match_types(
    view: View<'_>,
    what: &str,
    wanted: &[Type],
    found: &[Type],
    diagnostics: &mut Diagnostics,
) -> bool {
    if wanted.len() != found.len() {
        let message = format!(
            "incorrect number of {what}s: expected {}, but got {}",
            wanted.len(),
            found.len()
        );
        op_error(view, diagnostics, message);
        return false;
    }
    let pairs = wanted.iter().zip(found).enumerate();
    let Some((i, (wanted, found))) = { pairs }.find(|(_, (wanted, found))| wanted != found) else {
        return true;
    };
    let text = |ty: &Type| print_type(view.context, *ty);
    diagnostics
        .error(
            view.location(),
            format!("'{}' op {what} type mismatch: {what} #{i}", view.name()),
        )
        .note(view.location(), format!("expected type: {}", text(wanted)))
        .note(view.location(), format!("  actual type: {}", text(found)));
    false
}

/// Checks the types of the values that a region outputs.
fn check_output(view: View<'_>, wanted: &[Type], diagnostics: &mut Diagnostics) {
    let body = view.inner();
    let last = view
        .entry_block(0)
        .and_then(|block| body.last_operation(block));
    let last = last.map(|op| View::new(view.context, body, op));
    if let Some(output) = last.filter(|last| last.name() == "arc.output") {
        let found: Vec<Type> = output.operand_types().collect();
        match_types(output, "output", wanted, &found, diagnostics);
    }
}

fn verify_define(view: View<'_>, diagnostics: &mut Diagnostics) {
    let (inputs, results) = function_types(view);
    check_output(view, &results, diagnostics);
    let (context, body) = (view.context, view.inner());
    for (name, what, wanted) in [
        ("arg_attrs", "argument", inputs.len()),
        ("res_attrs", "result", results.len()),
    ] {
        if let Some(message) = wrong_value_attributes(view, name, what, wanted) {
            return op_error(view, diagnostics, message);
        }
    }
    let block = view.entry_block(0);
    let arguments = block.map(|block| body.arguments(block).iter().map(|v| body.ty(*v)));
    if arguments.is_some_and(|arguments| !arguments.eq(inputs.iter().copied())) {
        let message = "entry block must have the arguments of the function type";
        return op_error(view, diagnostics, message);
    }
    let mut ops = view
        .entry_block(0)
        .into_iter()
        .flat_map(|block| body.operations(block));
    // CIRCT treats registers as functions of their inputs.
    let is_register = |op| crate::seq::is_register(context.operation_text(body.name(op)));
    if let Some(first) = ops.find(|op| !is_register(*op) && !is_free_of_effects(context, body, *op))
    {
        diagnostics
            .error(view.location(), "body contains non-pure operation")
            .note(body.location(first), "first non-pure operation here: ");
    }
}

fn verify_lut(view: View<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<Type> = view.result_types().collect();
    check_output(view, &results, diagnostics);
    let body = view.inner();
    let has_effects = |op: &OperationId| {
        let definition = body.definition(view.context, *op);
        definition.is_some_and(|definition| !definition.effects.is_empty())
    };
    if let Some(first) = body.walk_all().into_iter().find(has_effects) {
        let message = format!(
            "'{}' op no operations with side-effects allowed inside a LUT",
            view.name()
        );
        diagnostics.error(view.location(), message).note(
            body.location(first),
            "first operation with side-effects here",
        );
    }
}

fn latency(view: View<'_>) -> i64 {
    let latency = view.attribute("latency");
    latency.and_then(|a| a.as_i64(view.context)).unwrap_or(1)
}

fn verify_state(view: View<'_>, diagnostics: &mut Diagnostics) {
    if latency(view) < 1 {
        return op_error(view, diagnostics, "latency must be a positive integer");
    }
    if view.operand_group(0).is_empty() {
        op_error(view, diagnostics, "requires a clock");
    }
}

fn verify_write(view: View<'_>, diagnostics: &mut Diagnostics) {
    if latency(view) < 1 {
        return op_error(view, diagnostics, "latency must be at least 1");
    }
    if view.operand_group(2).is_empty() {
        op_error(view, diagnostics, "requires a clock");
    }
}

/// Checks that the operands and results of a use have the types of the function.
fn check_use(
    view: View<'_>,
    (inputs, results): (&[Type], &[Type]),
    symbols: &SymbolTable<'_>,
    diagnostics: &mut Diagnostics,
) {
    let name = view.attribute("arc");
    let name = name.and_then(|a| a.as_flat_symbol(view.context));
    let name = name.unwrap_or_default();
    let arc = symbols
        .lookup(name)
        .filter(|arc| arc.name() == "arc.define");
    let Some(arc) = arc else {
        let message = format!("`{name}` does not reference a valid `arc.define`");
        return op_error(view, diagnostics, message);
    };
    let (wanted_inputs, wanted_results) = function_types(arc);
    if match_types(view, "operand", &wanted_inputs, inputs, diagnostics) {
        match_types(view, "result", &wanted_results, results, diagnostics);
    }
}

fn types(view: View<'_>, group: usize) -> Vec<Type> {
    let values = view.operand_group(group);
    values.iter().map(|value| view.ty(*value)).collect()
}

fn verify_state_use(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<Type> = view.result_types().collect();
    check_use(view, (&types(view, 3), &results), symbols, diagnostics);
}

fn verify_call_use(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let results: Vec<Type> = view.result_types().collect();
    check_use(view, (&types(view, 0), &results), symbols, diagnostics);
}

fn verify_write_use(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(memory) = memory(context, view.ty(view.operand(0))) else {
        return;
    };
    let mut results = vec![memory.address, memory.word];
    if view.attribute("enable").is_some() {
        results.push(context.integer_type(1));
    }
    if view.attribute("mask").is_some() {
        results.push(memory.word);
    }
    check_use(view, (&types(view, 1), &results), symbols, diagnostics);
}
