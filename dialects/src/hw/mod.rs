//! Dialect hw: modules, instances, aggregates and constants of circuits, as graph regions, in CIRCT's syntax.

mod aggregates;
mod attributes;
mod hierarchy;
mod instances;
mod misc;
mod modules;
mod parameters;
mod types;
mod values;

use crate::messages::op_error;
use sluice_ir::{Context, Type};

pub use aggregates::{
    AggregateConstant, ArrayConcat, ArrayCreate, ArrayGet, ArrayInject, ArraySlice, StructCreate,
    StructExplode, StructExtract, StructInject, UnionCreate, UnionExtract,
};
pub(crate) use attributes::{INNER_SYMBOL, parse_inner_symbol, print_inner_symbol};
pub use hierarchy::recursive_instances;
pub use instances::{Hierpath, Instance, instance_inputs, instance_outputs};
pub use misc::{
    Bitcast, Constant, EnumCmp, EnumConstant, ParamValue, Triggered, TypeScope, Typedecl, Wire,
};
pub(crate) use misc::{no_name, parse_implicit_ssa_name, print_implicit_ssa_name, set_name};
pub use modules::{
    Direction, GeneratorSchema, Module, ModuleExtern, ModuleGenerated, Output, Port, build_module,
    copy_module, empty_module, module_ports, module_type,
};
pub use parameters::{ParameterValues, is_parametric, mentions_parameter, set_parameter};
pub use types::{Field, array_parts, array_type, canonical, fields, inout_type, width_bits};
pub(crate) use types::{INTEGER_TYPE, integer_type};
pub use values::{
    Expression, constant_bits, field_places, parameter_bits, parameter_expression, parameter_values,
};

sluice_ods::dialect! {
    dialect "hw" {
        summary: "Modules, instances, aggregates and constants of circuits",
        types: [
            types::ARRAY_TYPE, types::UNPACKED_ARRAY_TYPE, types::INOUT_TYPE, types::STRUCT_TYPE, types::UNION_TYPE,
            types::ENUM_TYPE, types::ALIAS_TYPE, types::INT_TYPE, types::STRING_TYPE, modules::MODULE_TYPE
        ],
        attributes: [
            attributes::INNER_SYMBOL_ATTRIBUTE, attributes::INNER_REFERENCE_ATTRIBUTE, attributes::PARAMETER_ATTRIBUTE,
            attributes::PARAMETER_REFERENCE_ATTRIBUTE, attributes::VERBATIM_ATTRIBUTE, attributes::ENUM_FIELD_ATTRIBUTE,
            attributes::OUTPUT_FILE_ATTRIBUTE, attributes::ADD, attributes::MUL, attributes::AND, attributes::OR,
            attributes::XOR, attributes::SHL, attributes::SHRU, attributes::SHRS, attributes::DIVU, attributes::DIVS,
            attributes::MODU, attributes::MODS, attributes::CLOG2, attributes::CONCAT
        ],
        groups: [modules::OPERATIONS, instances::OPERATIONS, aggregates::OPERATIONS, misc::OPERATIONS],
    }
}

/// Returns a type in quotes, as in messages.
fn quoted(context: &Context, ty: Type) -> String {
    format!("'{}'", sluice_ir::text::print_type(context, ty))
}
