//! The IR: context, operations in body arenas, text form, verifier, passes and patterns.

pub mod affine;
pub mod algebra;
pub mod attributes;
pub mod bits;
pub mod body;
pub mod builder;
pub mod bytecode;
pub mod checksum;
pub mod context;
pub mod declared;
pub mod definition;
pub mod diagnostics;
pub mod documentation;
pub mod effects;
pub mod exact;
pub mod ids;
mod interner;
pub mod limits;
pub mod location;
pub mod module;
pub mod parameter;
pub mod passes;
pub mod patterns;
pub mod printable;
mod raw;
pub mod resources;
pub mod simplify;
pub mod suggestion;
pub mod symbols;
pub mod text;
pub mod types;
pub mod verifier;
pub mod view;
pub mod watch;

pub use attributes::AttributeKind;
pub use body::{Body, NewOperation, ValueDefinition, ValueMap};
pub use builder::{Builder, InsertionPoint};
pub use context::Context;
pub use diagnostics::{Diagnostic, Diagnostics, Severity};
pub use exact::Exact;
pub use ids::{
    Attribute, BlockId, Location, Name, OperationId, OperationName, RegionId, Type, UseId, ValueId,
};
pub use location::LocationKind;
pub use module::Module;
pub use parameter::Parameter;
pub use types::TypeKind;
pub use view::View;
