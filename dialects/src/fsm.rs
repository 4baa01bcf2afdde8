//! Dialect fsm: machines with states, transitions and variables, in CIRCT's syntax.

use sluice_ir::definition::{TypeCheck, TypeConstraint, TypeDefinition};
use sluice_ir::symbols::SymbolTable;
use sluice_ir::text::print_type;
use sluice_ir::{Context, Diagnostics, Type, View};

use crate::constraints::{
    ANY_ATTRIBUTE, ANY_TYPE, ARRAY, DICTIONARIES, FLAT_SYMBOL, FUNCTION_TYPE, I1, STRING,
    SYMBOL_NAME,
};
use crate::func::{function_types, parse_func, print_func};
use crate::messages::{name_of, op_error};
use crate::seq::CLOCK;

static INSTANCE_TYPE: TypeDefinition = TypeDefinition {
    name: "fsm.instance",
    summary: "A copy of a machine",
    parse: &|parser| Ok(parser.context().dialect_type("fsm.instance", &[])),
    print: &|_, _| {},
    extension: None,
};

static INSTANCE_VALUE: TypeConstraint = TypeConstraint {
    summary: "An FSM instance type",
    check: TypeCheck::Is(|context, ty| ty == context.dialect_type("fsm.instance", &[])),
    only: Some(|context| context.dialect_type("fsm.instance", &[])),
    class: None,
    unqualified: None,
};

sluice_ods::dialect! {
    dialect "fsm" {
        summary: "Machines with states, transitions and variables",
        types: [INSTANCE_TYPE],
    }

    /// A machine: inputs, outputs, variables and states.
    op Machine = "machine" {
        traits: [SYMBOL, SYMBOL_TABLE, NO_TERMINATOR],
        attributes: {
            sym_name: STRING, initial_state("initialState"): STRING, function_type: FUNCTION_TYPE,
            arg_attrs: optional DICTIONARIES, res_attrs: optional DICTIONARIES, arg_names("argNames"): optional ARRAY,
            res_names("resNames"): optional ARRAY, sym_visibility: optional STRING,
        },
        regions: { body: sized(1) },
        assembly: custom(parse_func, print_func),
        verify: verify_machine,
        verify_regions: verify_states,
    }

    /// An instance of a machine in software.
    op Instance = "instance" {
        attributes: { name: STRING, machine: FLAT_SYMBOL },
        results: { instance: INSTANCE_VALUE },
        effects: [Unknown],
        assembly: "$name $machine attr-dict",
        names: name_of,
        verify_symbols: verify_instance,
    }

    /// Executes one step of an instance.
    op Trigger = "trigger" {
        operands: { inputs: variadic ANY_TYPE, instance: INSTANCE_VALUE },
        results: { outputs: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "$instance attr-dict `(` $inputs `)` `:` functional-type($inputs, $outputs)",
        verify_symbols: verify_trigger,
    }

    /// An instance of a machine in a circuit.
    op HwInstance = "hw_instance" {
        operands: { inputs: variadic ANY_TYPE, clock: CLOCK, reset: I1 },
        attributes: { name: STRING, machine: FLAT_SYMBOL },
        results: { outputs: variadic ANY_TYPE },
        effects: [Unknown],
        assembly: "$name $machine attr-dict `(` $inputs `)` `,` `clock` $clock `,` `reset` $reset `:` functional-type($inputs, $outputs)",
        verify_symbols: verify_hw_instance,
    }

    /// A state: its output values and its transitions.
    op State = "state" {
        traits: [SYMBOL, NO_TERMINATOR],
        rules: [HasParent(&["fsm.machine"])],
        attributes: { sym_name: SYMBOL_NAME, sym_visibility: optional STRING },
        regions: { output: any, transitions: any },
        assembly: "$sym_name attr-dict (`output` $output^)? (`transitions` $transitions^)?",
        verify: verify_state,
    }

    /// The output values of a state.
    op Output = "output" {
        traits: [TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["fsm.state"])],
        operands: { operands: variadic ANY_TYPE },
        assembly: "attr-dict ($operands^ `:` type($operands))?",
        verify: verify_output,
    }

    /// A transition to another state, taken if its guard holds.
    op Transition = "transition" {
        traits: [NO_TERMINATOR],
        rules: [HasParent(&["fsm.state"])],
        attributes: { next_state("nextState"): FLAT_SYMBOL },
        regions: { guard: any, action: any },
        assembly: "$nextState attr-dict (`guard` $guard^)? (`action` $action^)?",
        verify: verify_transition,
    }

    /// The value of a guard.
    op Return = "return" {
        traits: [TERMINATOR, RETURN_LIKE],
        rules: [HasParent(&["fsm.transition"])],
        operands: { operand: optional I1 },
        assembly: "attr-dict ($operand^)?",
    }

    /// A variable of the machine.
    op Variable = "variable" {
        rules: [HasParent(&["fsm.machine"])],
        attributes: { init_value("initValue"): ANY_ATTRIBUTE, name: STRING },
        results: { result: ANY_TYPE },
        effects: [Unknown],
        assembly: "$name attr-dict `:` type($result)",
        names: name_of,
    }

    /// Assigns a value to a variable.
    op Update = "update" {
        traits: [SAME_TYPE_OPERANDS],
        rules: [HasParent(&["fsm.transition"]), AllTypesMatch(&["variable", "value"])],
        operands: { variable: ANY_TYPE, value: ANY_TYPE },
        effects: [Unknown],
        assembly: "attr-dict $variable `,` $value `:` type($value)",
        verify: verify_update,
    }
}

/// Returns the difference between types in the words of CIRCT, if there is one.
fn compare(context: &Context, wanted: &[Type], found: &[Type]) -> Option<String> {
    if wanted.len() != found.len() {
        return Some(format!(
            "mismatch in number of types compared ({} != {})",
            wanted.len(),
            found.len()
        ));
    }
    let i = (0..wanted.len()).find(|i| wanted[*i] != found[*i])?;
    let text = |ty| format!("'{}'", print_type(context, ty));
    Some(format!(
        "type mismatch at index {i} ({} != {})",
        text(wanted[i]),
        text(found[i])
    ))
}

fn verify_machine(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let (inputs, results) = function_types(view);
    let Some(block) = view.entry_block(0) else {
        return;
    };
    let body = view.inner();
    let arguments = body.arguments(block).iter().map(|a| body.ty(*a));
    let arguments: Vec<_> = arguments.collect();
    if let Some(message) = compare(context, &inputs, &arguments) {
        diagnostics.error(view.location(), message);
        let message = "entry block argument types must match the machine input types";
        return op_error(view, diagnostics, message);
    }
    let initial = view
        .attribute("initialState")
        .and_then(|a| a.as_str(context));
    let initial = initial.unwrap_or_default();
    let is_there = body
        .operations(block)
        .map(|op| View::new(context, body, op))
        .any(|op| op.name() == "fsm.state" && op.symbol_name() == Some(initial));
    if !is_there {
        let message = format!("initial state '{initial}' was not defined in the machine");
        return op_error(view, diagnostics, message);
    }
    for (name, what, wanted) in [
        ("argNames", "argument", inputs.len()),
        ("resNames", "result", results.len()),
    ] {
        let names = view.attribute(name).and_then(|a| a.as_array(context));
        if let Some(names) = names.filter(|names| names.len() != wanted) {
            let message = format!(
                "number of machine {what}s ({wanted}) does not match the provided number of {what} names ({})",
                names.len()
            );
            return op_error(view, diagnostics, message);
        }
    }
}

fn verify_states(view: View<'_>, diagnostics: &mut Diagnostics) {
    let body = view.inner();
    let regions = body.regions(view.id);
    if regions.iter().any(|region| body.blocks(*region).len() > 1) {
        op_error(view, diagnostics, "must only have a single block");
    }
}

/// Returns the nearest enclosing operation called `name`.
fn around<'a>(view: View<'a>, name: &str) -> Option<View<'a>> {
    let mut op = view.body.parent_operation(view.id);
    while let Some(found) = op {
        if view.at(found).name() == name {
            return Some(view.at(found));
        }
        op = view.body.parent_operation(found);
    }
    None
}

fn verify_state(view: View<'_>, diagnostics: &mut Diagnostics) {
    let n_results =
        around(view, "fsm.machine").map_or(0, |machine| function_types(machine).1.len());
    let Some(block) = view.entry_block(0) else {
        if n_results > 0 {
            let message = "state must have a non-empty output region when the machine has results.";
            op_error(view, diagnostics, message);
        }
        return;
    };
    let last = view.body.last_operation(block);
    if last.is_none_or(|op| view.at(op).name() != "fsm.output") {
        let message = "output block must have a single OutputOp terminator";
        op_error(view, diagnostics, message);
    }
}

/// Returns true if `view` is in region number `index` of `owner`, at any depth.
fn is_in_region(view: View<'_>, owner: View<'_>, index: usize) -> bool {
    let mut op = view.id;
    loop {
        let block = view.body.parent_block(op);
        let region = block.and_then(|block| view.body.parent_region(block));
        if region.is_some() && region == owner.regions().get(index).copied() {
            return true;
        }
        match view.body.parent_operation(op) {
            Some(parent) if parent != owner.id => op = parent,
            _ => return false,
        }
    }
}

fn verify_output(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(state) = around(view, "fsm.state") else {
        return;
    };
    if is_in_region(view, state, 1) {
        if view.operands().len() > 0 {
            let message = "transitions region must not output any value";
            op_error(view, diagnostics, message);
        }
        return;
    }
    let results = around(view, "fsm.machine").map(|machine| function_types(machine).1);
    let found: Vec<_> = view.operand_types().collect();
    if let Some(message) = results.and_then(|results| compare(view.context, &results, &found)) {
        diagnostics.error(view.location(), message);
        let message = "operand types must match the machine output types";
        op_error(view, diagnostics, message);
    }
}

fn verify_transition(view: View<'_>, diagnostics: &mut Diagnostics) {
    let context = view.context;
    let name = view
        .attribute("nextState")
        .and_then(|a| a.as_flat_symbol(context));
    let name = name.unwrap_or_default();
    let machine = around(view, "fsm.machine");
    let block = machine.and_then(|machine| machine.entry_block(0));
    let is_there = block.is_some_and(|block| {
        view.body
            .operations(block)
            .map(|op| view.at(op))
            .any(|op| op.name() == "fsm.state" && op.symbol_name() == Some(name))
    });
    if !is_there {
        let message = format!("cannot find the definition of the next state `{name}`");
        return op_error(view, diagnostics, message);
    }
    if let Some(guard) = view.entry_block(0) {
        let last = view.body.last_operation(guard);
        if last.is_none_or(|op| view.at(op).name() != "fsm.return") {
            let message = "guard region must terminate with a ReturnOp";
            return op_error(view, diagnostics, message);
        }
    }
    let state = around(view, "fsm.state");
    if state.is_some_and(|state| !is_in_region(view, state, 1)) {
        let message = "must only be located in the transitions region";
        op_error(view, diagnostics, message);
    }
}

fn verify_update(view: View<'_>, diagnostics: &mut Diagnostics) {
    let Some(transition) = around(view, "fsm.transition") else {
        return;
    };
    if !is_in_region(view, transition, 1) {
        let message = "must only be located in the action region";
        return op_error(view, diagnostics, message);
    }
    let block = view.body.parent_block(view.id);
    let others = block.map(|block| view.body.operations(block));
    for op in others.into_iter().flatten().filter(|op| *op != view.id) {
        let other = view.at(op);
        if other.name() == "fsm.update" && other.operand(0) == view.operand(0) {
            let message =
                "multiple updates to the same variable within a single action region is disallowed";
            return op_error(other, diagnostics, message);
        }
    }
}

fn machine_of<'a>(view: View<'_>, symbols: &SymbolTable<'a>) -> Option<View<'a>> {
    let name = view.attribute("machine")?.as_flat_symbol(view.context)?;
    symbols.lookup(name).filter(|op| op.name() == "fsm.machine")
}

fn verify_instance(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    if machine_of(view, symbols).is_none() {
        let name = view.attribute("machine");
        let name = name.and_then(|a| a.as_flat_symbol(view.context));
        let message = format!(
            "cannot find machine definition '{}'",
            name.unwrap_or_default()
        );
        diagnostics.error(view.location(), message);
    }
}

fn verify_trigger(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    let instance = view.operands().last();
    let instance = instance.and_then(|value| view.body.defining_operation(value));
    let instance = instance
        .map(|op| view.at(op))
        .filter(|op| op.name() == "fsm.instance");
    let machine = instance.and_then(|instance| machine_of(instance, symbols));
    check_use(view, machine, diagnostics);
}

fn verify_hw_instance(view: View<'_>, symbols: &SymbolTable<'_>, diagnostics: &mut Diagnostics) {
    check_use(view, machine_of(view, symbols), diagnostics);
}

/// Checks that inputs and outputs have the types of the machine.
fn check_use(view: View<'_>, machine: Option<View<'_>>, diagnostics: &mut Diagnostics) {
    let Some(machine) = machine else {
        diagnostics.error(view.location(), "cannot find machine definition");
        return;
    };
    let (inputs, results) = function_types(machine);
    let operands: Vec<_> = view.operand_group(0).iter().map(|v| view.ty(*v)).collect();
    let outputs: Vec<_> = view.result_types().collect();
    for (wanted, found, words) in [
        (
            inputs,
            operands,
            "operand types must match the machine input types",
        ),
        (
            results,
            outputs,
            "result types must match the machine output types",
        ),
    ] {
        if let Some(message) = compare(view.context, &wanted, &found) {
            diagnostics.error(view.location(), message);
            let message = format!("'{}' op {words}", view.name());
            diagnostics
                .error(view.location(), message)
                .note(machine.location(), "original machine declared here");
            return;
        }
    }
}
