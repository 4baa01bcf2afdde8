//! Dialect irdl: definitions of dialects, as operations; [`load()`] makes dialects of them.

mod constraints;
mod definitions;
mod file;
mod load;
mod symbols;
mod syntax;
mod variadicity;

use sluice_ir::definition::{TypeCheck, TypeConstraint, TypeDefinition};
use sluice_ir::{Context, Type, TypeKind, View};

pub use constraints::{AllOf, Any, AnyOf, Base, CPred, Is, Parametric};
pub use definitions::{
    AttributeOp, Attributes, DialectOp, Operands, OperationOp, Parameters, RegionOp, Regions,
    Results, TypeOp,
};
pub use file::DefinitionFile;
pub use load::load;

use crate::messages::op_error;
use variadicity::{VARIADICITY_ARRAY_ATTRIBUTE, VARIADICITY_ATTRIBUTE};

sluice_ods::dialect! {
    dialect "irdl" {
        summary: "Definitions of dialects",
        description: "A dialect that is defined with these operations is loaded at run time: `sluice opt --irdl-file`.",
        types: [ATTRIBUTE_TYPE, REGION_TYPE],
        attributes: [VARIADICITY_ATTRIBUTE, VARIADICITY_ARRAY_ATTRIBUTE],
        groups: [definitions::OPERATIONS, constraints::OPERATIONS],
    }
}

static ATTRIBUTE_TYPE: TypeDefinition = TypeDefinition {
    name: "irdl.attribute",
    summary: "A constraint on an attribute or a type",
    parse: &|parser| Ok(attribute_type(parser.context())),
    print: &|_, _| {},
    extension: None,
};

static REGION_TYPE: TypeDefinition = TypeDefinition {
    name: "irdl.region",
    summary: "A constraint on a region",
    parse: &|parser| Ok(region_type(parser.context())),
    print: &|_, _| {},
    extension: None,
};

/// The type `!irdl.attribute`.
static CONSTRAINT: TypeConstraint = TypeConstraint {
    summary: "IRDL handle to an `mlir::Attribute`",
    check: TypeCheck::Is(|context, ty| is_type(context, ty, "irdl.attribute")),
    only: Some(attribute_type),
    class: None,
    unqualified: None,
};

/// The type `!irdl.region`.
static REGION_CONSTRAINT: TypeConstraint = TypeConstraint {
    summary: "IRDL handle to a region definition",
    check: TypeCheck::Is(|context, ty| is_type(context, ty, "irdl.region")),
    only: Some(region_type),
    class: None,
    unqualified: None,
};

fn is_type(context: &Context, ty: Type, wanted: &str) -> bool {
    matches!(ty.kind(context), TypeKind::Dialect { name, .. } if context.text(*name) == wanted)
}

fn attribute_type(context: &Context) -> Type {
    context.dialect_type("irdl.attribute", &[])
}

fn region_type(context: &Context) -> Type {
    context.dialect_type("irdl.region", &[])
}

/// Returns the operations directly in the first region of `view`.
fn children<'a>(view: View<'a>) -> impl Iterator<Item = View<'a>> {
    let inner = view.inner();
    let blocks = view.regions().first().map(|region| inner.blocks(*region));
    let operations = blocks
        .into_iter()
        .flatten()
        .flat_map(|block| inner.operations(*block));
    operations.map(move |op| View::new(view.context, inner, op))
}
