//! Memories of dataflow graphs and the operations that use them.

use sluice_ir::text::{Delimiter, OperationState, ParseResult, Parser, Printer, print_type};
use sluice_ir::{Diagnostics, Type, TypeKind, View};

use super::{NONE, op_error};
use crate::constraints::{ANY_MEMREF, ANY_TYPE, BOOL, I32, MEMREF_TYPE};
use crate::messages::has_no_attributes;

sluice_ods::dialect! {
    group "handshake";

    /// A memory with load and store ports. Operands: data and address of each store, then the address of each load.
    /// Results: data of each load, then a token for each store and each load that is done.
    op Memory = "memory" {
        rules: [HasParent(&["handshake.func"])],
        operands: { inputs: variadic ANY_TYPE },
        attributes: {
            ld_count("ldCount"): I32, st_count("stCount"): I32, id: I32, mem_ref_type("memRefType"): MEMREF_TYPE,
            lsq: BOOL,
        },
        results: { outputs: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "`[` `ld` `=` $ldCount `,` `st` `=` $stCount `]` `(` $inputs `)` attr-dict `:` $memRefType `,` functional-type($inputs, $outputs)",
        verify: verify_memory,
    }

    /// The ports of a memory that is an argument of the function, as those of `handshake.memory`.
    op ExternalMemory = "extmemory" {
        rules: [HasParent(&["handshake.func"])],
        operands: { memref: ANY_MEMREF, inputs: variadic ANY_TYPE },
        attributes: { ld_count("ldCount"): I32, st_count("stCount"): I32, id: I32 },
        results: { outputs: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "`[` `ld` `=` $ldCount `,` `st` `=` $stCount `]` `(` $memref `:` type($memref) `)` `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)",
        verify: verify_external,
    }

    /// Requests the data at an address from a memory.
    op Load = "load" {
        rules: [HasParent(&["handshake.func"])],
        operands: { addresses: variadic ANY_TYPE, data: ANY_TYPE, ctrl: NONE },
        results: { data_result: ANY_TYPE, address_results: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_access, print_access),
        custom_if: has_no_attributes,
        names: access_names,
        verify: verify_access,
    }

    /// Sends data and an address to a memory.
    op Store = "store" {
        rules: [HasParent(&["handshake.func"])],
        operands: { addresses: variadic ANY_TYPE, data: ANY_TYPE, ctrl: NONE },
        results: { data_result: ANY_TYPE, address_results: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: custom(parse_access, print_access),
        custom_if: has_no_attributes,
        names: access_names,
        verify: verify_access,
    }
}

/// Returns the default result names: `dataResult`, and a name for the addresses.
fn access_names(view: View<'_>) -> Vec<Option<String>> {
    let addresses = match view.name() {
        "handshake.load" => "addressResults",
        _ => "addressResult",
    };
    let mut names = vec![None; view.results().len()];
    for (name, place) in ["dataResult", addresses].iter().zip(&mut names) {
        *place = Some((*name).to_owned());
    }
    names
}

/// Parses `[%addresses] %data, %ctrl : address types, data type`.
fn parse_access(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let position = parser.position();
    let mut operands = parser.parse_operand_list(Delimiter::Square)?;
    operands.extend(parser.parse_operand_list(Delimiter::None)?);
    parser.parse_punctuation(":")?;
    let mut types = parser.parse_type_list()?;
    let none = parser.context().none_type();
    let data = types.last().copied().unwrap_or(none);
    let mut results = vec![data];
    results.extend(&types[..types.len().saturating_sub(1)]);
    state.add_results(&results);
    types.push(none);
    parser.resolve_operands(&operands, &types, position, state)
}

fn print_access(printer: &mut Printer<'_>, view: View<'_>) {
    let addresses = view.operand_group(0);
    let types: Vec<Type> = view.operand_types().take(addresses.len() + 1).collect();
    printer.text(" [");
    printer.operands(addresses.iter().copied());
    printer.text("] ");
    printer.operands(view.operands().skip(addresses.len()));
    printer.text(" : ");
    printer.types(types);
}

fn verify_access(view: View<'_>, diagnostics: &mut Diagnostics) {
    if view.operand_group(0).is_empty() {
        op_error(view, diagnostics, "No addresses were specified");
    }
}

/// Returns the ports of a memory: those that load, and those that store.
///
/// # Errors
/// The numbers of operands (without the memory itself) or of results do not match these ports.
fn check_counts(
    view: View<'_>,
    n_operands: usize,
    n_results: usize,
) -> Result<(usize, usize), String> {
    let count = |name: &str| {
        let count = view.attribute(name).and_then(|a| a.as_i64(view.context));
        count.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
    };
    let (loads, stores) = (count("ldCount"), count("stCount"));
    let wanted = stores.saturating_mul(2).saturating_add(loads);
    if n_operands != wanted {
        return Err(format!(
            "number of operands {n_operands} does not match number expected of {wanted} with 1 address inputs per port"
        ));
    }
    let wanted = stores.saturating_add(loads.saturating_mul(2));
    if n_results != wanted {
        return Err(format!(
            "number of results {n_results} does not match number expected of {wanted} with 1 address inputs per port"
        ));
    }
    Ok((loads, stores))
}

fn verify_external(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_operands = view.operands().len().saturating_sub(1);
    if let Err(message) = check_counts(view, n_operands, view.results().len()) {
        op_error(view, diagnostics, message);
    }
}

fn verify_memory(view: View<'_>, diagnostics: &mut Diagnostics) {
    if let Err(message) = check_memory(view) {
        op_error(view, diagnostics, message);
    }
}

fn check_memory(view: View<'_>) -> Result<(), String> {
    let context = view.context;
    let ty = view
        .attribute("memRefType")
        .and_then(|a| a.as_type(context));
    let Some(TypeKind::MemRef { shape, element, .. }) = ty.map(|ty| ty.kind(context)) else {
        return Ok(());
    };
    if shape.iter().any(Option::is_none) {
        return Err("memref dimensions for handshake.memory must be static.".to_owned());
    }
    if shape.len() != 1 {
        return Err("memref must have only a single dimension.".to_owned());
    }
    let operands: Vec<_> = view.operand_types().collect();
    let results: Vec<_> = view.result_types().collect();
    let (loads, stores) = check_counts(view, operands.len(), results.len())?;
    let text = |ty| format!("'{}'", print_type(context, ty));
    let address = match stores {
        0 => operands.first(),
        _ => operands.get(1),
    };
    let address = address.copied().unwrap_or_else(|| context.index_type());
    for store in 0..stores {
        if operands[2 * store] != *element {
            return Err(format!(
                "data type for store port {store}:{} doesn't match memory type {}",
                text(operands[2 * store]),
                text(*element)
            ));
        }
        if operands[2 * store + 1] != address {
            return Err(format!(
                "address type for store port {store}:{} doesn't match address type {}",
                text(operands[2 * store + 1]),
                text(address)
            ));
        }
    }
    for load in 0..loads {
        if operands[2 * stores + load] != address {
            return Err(format!(
                "address type for load port {load}:{} doesn't match address type {}",
                text(operands[2 * stores + load]),
                text(address)
            ));
        }
        if results[load] != *element {
            return Err(format!(
                "data type for load port {load}:{} doesn't match memory type {}",
                text(results[load]),
                text(*element)
            ));
        }
    }
    let none = context.none_type();
    match results[loads..].iter().position(|ty| *ty != none) {
        Some(i) => Err(format!(
            "control port {i} is of type {} instead of none",
            text(results[loads + i])
        )),
        None => Ok(()),
    }
}
