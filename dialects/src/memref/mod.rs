//! memref: memories.

use smallvec::{SmallVec, smallvec};

use sluice_ir::definition::{AttributeConstraint, AttributeSyntax, Site};
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::{OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{AttributeKind, Diagnostics, Type, TypeKind, View};

use crate::constraints::{
    ANY_MEMREF, ANY_TYPE, BOOL, FLAT_SYMBOL, I32, I64, INDEX, MEMREF, MEMREF_TYPE, STRING,
    SYMBOL_NAME, UNIT,
};

/// The value of a global: elements, or `uninitialized`.
static INITIAL_VALUE: AttributeConstraint = AttributeConstraint {
    summary: "any attribute",
    check: |_, _| true,
    syntax: AttributeSyntax::Generic,
};

sluice_ods::dialect! {
    dialect "memref" { summary: "Memories" }

    /// Allocates a memory that lives until it is freed.
    op Alloc = "alloc" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { dynamic_sizes: variadic INDEX, symbol_operands: variadic INDEX },
        attributes: { alignment: optional I64 },
        results: { memref: MEMREF },
        effects: [Allocate(0)],
        assembly: "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)",
    }

    /// Allocates a memory that lives as long as the scope around.
    op Alloca = "alloca" {
        traits: [ATTR_SIZED_OPERAND_SEGMENTS],
        operands: { dynamic_sizes: variadic INDEX, symbol_operands: variadic INDEX },
        attributes: { alignment: optional I64 },
        results: { memref: MEMREF },
        effects: [Allocate(0)],
        assembly: "`(` $dynamic_sizes `)` (`` `[` $symbol_operands^ `]`)? attr-dict `:` type($memref)",
    }

    /// Promises that the address of a memory is a multiple of a number.
    op AssumeAlignment = "assume_alignment" {
        operands: { memref: MEMREF },
        attributes: { alignment: I32 },
        effects: [Unknown],
        assembly: "$memref `,` $alignment attr-dict `:` type($memref)",
    }

    /// Frees a memory.
    op Dealloc = "dealloc" {
        operands: { memref: ANY_MEMREF },
        effects: [Free(0)],
        assembly: "$memref attr-dict `:` type($memref)",
    }

    /// Reads a cell.
    op Load = "load" {
        operands: { memref: MEMREF, indices: variadic INDEX },
        attributes: { nontemporal: BOOL = no },
        results: { result: ANY_TYPE },
        effects: [Read(0)],
        assembly: "$memref `[` $indices `]` attr-dict `:` type($memref)",
        infer: element_of_first,
        verify: verify_load,
    }

    /// Writes a cell.
    op Store = "store" {
        operands: { value: ANY_TYPE, memref: MEMREF, indices: variadic INDEX },
        attributes: { nontemporal: BOOL = no },
        effects: [Write(1)],
        rules: [TypesMatchWith {
            summary: "type of 'value' matches element type of 'memref'",
            from: "memref",
            to: "value",
            transform: |context, ty| ty.element_type(context),
        }],
        assembly: "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
        verify: verify_store,
    }

    /// The size of a dimension.
    op Dim = "dim" {
        traits: [PURE],
        operands: { source: ANY_MEMREF, index: INDEX },
        results: { result: INDEX },
        assembly: "attr-dict $source `,` $index `:` type($source)",
    }

    /// The same memory with more or less known of its shape.
    op Cast = "cast" {
        traits: [PURE],
        operands: { source: ANY_MEMREF },
        results: { dest: ANY_MEMREF },
        assembly: "$source attr-dict `:` type($source) `to` type($dest)",
    }

    /// The memory of a global.
    op GetGlobal = "get_global" {
        traits: [PURE],
        attributes: { name: FLAT_SYMBOL },
        results: { result: MEMREF },
        assembly: "$name `:` type($result) attr-dict",
        verify_symbols: verify_get_global,
    }

    /// A memory at the top level.
    op Global = "global" {
        traits: [SYMBOL],
        attributes: {
            sym_name: SYMBOL_NAME,
            sym_visibility: optional STRING,
            ty("type"): MEMREF_TYPE,
            initial_value: optional INITIAL_VALUE,
            constant: optional UNIT,
            alignment: optional I64,
        },
        assembly: custom(parse_global, print_global),
    }

    /// Copies all cells.
    op Copy = "copy" {
        operands: { source: ANY_MEMREF, target: ANY_MEMREF },
        effects: [Read(0), Write(1)],
        assembly: "$source `,` $target attr-dict `:` type($source) `to` type($target)",
    }
}

/// The global is there and has the type of the result.
fn verify_get_global(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let Some(name) = view
        .attribute("name")
        .and_then(|a| a.as_flat_symbol(context))
    else {
        return;
    };
    let Some(global) = symbols.lookup(name).filter(|g| g.name() == "memref.global") else {
        let message =
            format!("'memref.get_global' op '{name}' does not reference a valid global memref");
        diagnostics.error(view.location(), message);
        return;
    };
    let ty = global.attribute("type").and_then(|a| a.as_type(context));
    if let Some(ty) = ty.filter(|ty| *ty != view.ty(view.result(0))) {
        let message = format!(
            "'memref.get_global' op result type '{}' does not match type '{}' of the global memref @{name}",
            print_type(context, view.ty(view.result(0))),
            print_type(context, ty)
        );
        diagnostics.error(view.location(), message);
    }
}

fn no(context: &sluice_ir::Context) -> sluice_ir::Attribute {
    context.bool_attribute(false)
}

fn element_of_first(site: Site<'_>) -> Result<SmallVec<[Type; 2]>, String> {
    let memref = site.operand_types.first().ok_or("a load has a memref")?;
    Ok(smallvec![
        memref
            .element_type(site.context)
            .ok_or("the first operand is a memref")?
    ])
}

fn check_rank(view: View<'_>, memref: usize, first: usize, diagnostics: &mut Diagnostics) {
    let TypeKind::MemRef { shape, .. } = view.ty(view.operand(memref)).kind(view.context) else {
        return;
    };
    let given = view.operands().len() - first;
    if given != shape.len() {
        let message = format!(
            "'{}' op incorrect number of indices for {}, expected {} but got {given}",
            view.name(),
            view.name().trim_start_matches("memref."),
            shape.len()
        );
        diagnostics.error(view.location(), message);
    }
}

fn verify_load(view: View<'_>, diagnostics: &mut Diagnostics) {
    check_rank(view, 0, 1, diagnostics);
    let element = view.ty(view.operand(0)).element_type(view.context);
    if element != Some(view.ty(view.result(0))) {
        let message =
            "'memref.load' op failed to verify that result type matches element type of 'memref'";
        diagnostics.error(view.location(), message);
    }
}

fn verify_store(view: View<'_>, diagnostics: &mut Diagnostics) {
    check_rank(view, 1, 2, diagnostics);
}

fn parse_global(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let visibility = match parser.parse_optional_string()? {
        Some(text) => Some(text),
        None => ["private", "public", "nested"]
            .into_iter()
            .find(|word| parser.parse_optional_keyword(word))
            .map(str::to_owned),
    };
    if let Some(visibility) = visibility {
        state.set_attribute(
            context,
            "sym_visibility",
            context.string_attribute(&visibility),
        );
    }
    if parser.parse_optional_keyword("constant") {
        state.set_attribute(context, "constant", context.unit_attribute());
    }
    parser.parse_symbol_name_attribute("sym_name", state)?;
    let position = parser.position();
    let ty = parser.parse_colon_type()?;
    state.set_attribute(context, "type", context.type_attribute(ty));
    if parser.parse_optional_punctuation("=") {
        if parser.parse_optional_keyword("uninitialized") {
            state.set_attribute(context, "initial_value", context.unit_attribute());
        } else {
            let TypeKind::MemRef { shape, element, .. } = ty.kind(context) else {
                return Err(parser.error(position, "type should be static shaped memref"));
            };
            let tensor = context.ty(TypeKind::RankedTensor {
                shape: shape.clone(),
                element: *element,
                encoding: None,
            });
            let value = parser.parse_attribute_with_type(tensor)?;
            state.set_attribute(context, "initial_value", value);
        }
    }
    parser.parse_attribute_dictionary(state)
}

fn print_global(printer: &mut Printer<'_>, view: View<'_>) {
    printer.text(" ");
    if let Some(visibility) = view
        .attribute("sym_visibility")
        .and_then(|a| a.as_str(view.context))
    {
        printer.text(&format!("{visibility:?} "));
    }
    if view.attribute("constant").is_some() {
        printer.text("constant ");
    }
    printer.symbol_name(view.symbol_name().unwrap_or_default());
    printer.text(" : ");
    if let Some(ty) = view.attribute("type").and_then(|a| a.as_type(view.context)) {
        printer.ty(ty);
    }
    match view.attribute("initial_value") {
        Some(value) if matches!(value.kind(view.context), AttributeKind::Unit) => {
            printer.text(" = uninitialized")
        }
        Some(value) => {
            printer.text(" = ");
            printer.attribute_without_type(value);
        }
        None => {}
    }
    printer.attribute_dictionary(
        view,
        &[
            "sym_name",
            "sym_visibility",
            "type",
            "initial_value",
            "constant",
        ],
    );
}
