//! The dialects that Sluice supports, each operation declared once.

pub mod affine;
pub mod aliases;
pub mod arc;
pub mod arith;
pub mod bufferization;
pub mod builtin;
pub mod cf;
pub mod comb;
pub mod constraints;
mod defined;
pub mod fsm;
pub mod func;
pub mod handshake;
pub mod hw;
pub mod index;
pub mod index_lists;
pub mod interface;
pub mod irdl;
pub mod linalg;
pub mod llvm;
pub mod math;
mod math_fold;
pub mod memref;
mod messages;
pub mod names;
pub mod operation;
pub mod partition;
pub mod predicate;
mod region_flow;
pub mod registry;
pub mod scf;
pub mod seq;
pub mod sluice;
pub mod ssp;
pub mod storage;
pub mod synthesis_form;
pub mod tensor;
pub mod ub;
pub mod value_names;

use sluice_ir::Context;
use sluice_ir::definition::Dialect;

pub use operation::Operation;

static ALL: &[&Dialect] = &[
    &affine::DIALECT,
    &arc::DIALECT,
    &arith::DIALECT,
    &bufferization::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &comb::DIALECT,
    &fsm::DIALECT,
    &func::DIALECT,
    &handshake::DIALECT,
    &hw::DIALECT,
    &index::DIALECT,
    &irdl::DIALECT,
    &linalg::DIALECT,
    &llvm::DIALECT,
    &math::DIALECT,
    &memref::DIALECT,
    &scf::DIALECT,
    &seq::DIALECT,
    &sluice::DIALECT,
    &ssp::DIALECT,
    &tensor::DIALECT,
    &ub::DIALECT,
];

/// Returns every dialect.
pub fn all() -> &'static [&'static Dialect] {
    ALL
}

/// Returns a context with every dialect, and those that the program has added ([`registry::extend`]).
pub fn context() -> Context {
    let mut context = context_with(registry::dialects());
    registry::load_definitions(&mut context);
    context
}

/// Returns a context with every dialect of this crate and the dialects in `more`.
pub fn context_with(more: &[&'static Dialect]) -> Context {
    let dialects: Vec<_> = all().iter().chain(more).copied().collect();
    Context::new(&dialects)
}
