//! Dialect llvm: only the undefined values that C front ends leave in kernels, as Polygeist does for variables without an initial value.

use sluice_ir::definition::{TypeCheck, TypeConstraint};
use sluice_ir::{Context, Type, TypeKind};

sluice_ods::dialect! {
    dialect "llvm" { summary: "LLVM IR; only undefined values", partial: true }

    class Undefined {
        traits: [PURE],
        results: { res: LLVM_TYPE },
        assembly: "attr-dict `:` type($res)",
    }

    /// A value that is not defined; two uses may see different values.
    op Undef = "mlir.undef": Undefined {}
    /// A value that is the result of undefined behaviour.
    op Poison = "mlir.poison": Undefined {}
}

/// A type of LLVM IR.
static LLVM_TYPE: TypeConstraint = TypeConstraint {
    summary: "LLVM dialect-compatible type",
    check: TypeCheck::Is(|context, ty| match ty.kind(context) {
        TypeKind::Vector { element, .. } => {
            element.is_index(context) || is_scalar(context, *element)
        }
        _ => is_scalar(context, ty),
    }),
    only: None,
    class: None,
    unqualified: None,
};

fn is_scalar(context: &Context, ty: Type) -> bool {
    ty.is_signless_integer(context) || matches!(ty.kind(context), TypeKind::Float(_))
}
