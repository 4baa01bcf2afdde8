//! Ports of `index` arguments: an `index` has 64 bits, and a port of 64 bits costs area that few sizes and offsets need.
//!
//! With a width from the configuration such an argument of the kernel is an integer of that width, which `arith.index_castui` makes an
//! `index` at the start of the body: the kernel with these arguments is compiled, interpreted, simulated and checked.

use sluice_config::Config;
use sluice_dialects::{arith, func};
use sluice_ir::{Builder, Context, Diagnostics, Module, NewOperation, Type, View};
use sluice_transform::is_named;

use crate::retype::signature;

/// Bits of an `index`.
const INDEX_BITS: u32 = 64;

/// Gives the `index` arguments of the function `top` the width of the configuration. A function that another one calls stays.
pub fn narrow_index_arguments(context: &Context, module: &mut Module, top: &str, config: &Config) {
    let width_bits = config.index_width_bits.filter(|bits| *bits < INDEX_BITS);
    let (Some(width_bits), Some(function)) = (width_bits, module.lookup_symbol(context, top))
    else {
        return;
    };
    let view = View::new(context, module.inner(), function);
    let (Some(entry), Some((inputs, results))) = (view.entry_block(0), signature(view)) else {
        return;
    };
    let narrow = context.integer_type(width_bits);
    if inputs.iter().all(|ty| !ty.is_index(context)) || is_named(context, module, top) {
        return;
    }
    let inputs: Vec<Type> = inputs
        .iter()
        .map(|ty| if ty.is_index(context) { narrow } else { *ty })
        .collect();
    let ty = context.type_attribute(context.function_type(&inputs, results));
    let inner = module.inner_mut();
    inner.set_attribute(function, context.name("function_type"), ty);
    let body = inner.inner_mut(function);
    let first = body.operations(entry).next();
    for argument in body.arguments(entry).to_vec() {
        if !body.ty(argument).is_index(context) {
            continue;
        }
        let Some(first) = first else {
            continue;
        };
        let index = body.ty(argument);
        let location = body.value_location(argument);
        let mut new = NewOperation::new(context.operation_name(arith::IndexCastui::NAME), location);
        new.operands = [argument].into_iter().collect();
        new.result_types = [index].into_iter().collect();
        let cast = Builder::before(context, body, first).create(new);
        let wide = body.result(cast, 0);
        body.replace_all_uses(argument, wide);
        body.set_operands(cast, &[argument]);
        body.set_type(argument, narrow);
    }
}

/// Warns of `index` arguments of a kernel for which the configuration has no width.
pub fn warn_of_index_ports(function: View<'_>, config: &Config, found: &mut Diagnostics) {
    let context = function.context;
    let Some(entry) = function.entry_block(0) else {
        return;
    };
    if config.index_width_bits.is_some() || function.name() != func::Func::NAME {
        return;
    }
    let body = function.inner();
    for argument in body.arguments(entry) {
        if !body.ty(*argument).is_index(context) {
            continue;
        }
        let name = body.value_name(*argument).map(|name| context.text(name));
        let message = format!(
            "the port of `%{}` has {INDEX_BITS} bits, because it is an `index`, and operations on it take area for {INDEX_BITS} bits: \
             `index_width_bits: 16` in the configuration gives all `index` arguments 16 bits; or use an integer type in the kernel",
            name.unwrap_or("argument")
        );
        let place = body.value_location(*argument);
        let has_place = place.file_line_column(context).is_some();
        found.warning(
            if has_place {
                place
            } else {
                function.location()
            },
            message,
        );
    }
}
