//! The parts of a declaration that few declarations have: interfaces, patterns, traits of one's own, derived attributes.
//!
//! An interface is a Rust trait. Its default methods are the default implementations, its methods without a [`View`] are the static
//! ones. A type that implements it is attached to an operation, a type, an attribute or a dialect where that is declared, or from
//! another dialect.
//!
//! Source: MLIR, "Interfaces"; attached from outside: "External Models".

use std::any::Any;

use super::{Dialect, OperationDefinition};
use crate::diagnostics::Diagnostics;
use crate::ids::Attribute;
use crate::patterns::Pattern;
use crate::view::View;

/// The rare parts of the declaration of an operation.
pub struct Extension {
    /// Interfaces that it implements.
    pub interfaces: &'static [Implementation],
    /// Patterns of `canonicalize` that start from it.
    pub patterns: &'static [&'static Pattern],
    /// Attributes that are computed from the operation.
    pub derived: &'static [DerivedAttribute],
    /// The message of a deprecated operation: its replacement.
    pub deprecated: Option<&'static str>,
}

/// The rare parts of the declaration of a type or an attribute.
pub struct SymbolExtension {
    /// Interfaces that it implements.
    pub interfaces: &'static [Implementation],
    /// Name of the alias that the text form defines for it at the top, without a number.
    pub alias: Option<&'static str>,
    /// Name and Rust type of each parameter.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The format of the parameters.
    pub assembly: &'static str,
}

/// The rare parts of the declaration of a dialect.
pub struct DialectExtension {
    /// Interfaces that it implements.
    pub interfaces: &'static [Implementation],
    /// Implementations for the operations of other dialects, by their full names.
    pub external: &'static [(&'static str, Implementation)],
    /// Patterns of `canonicalize` that no single operation owns.
    pub patterns: &'static [&'static Pattern],
    /// Checks an attribute with the prefix of this dialect on an operation, of any dialect. Source: `verifyOperationAttribute`.
    pub verify_attribute: Option<VerifyAttributeFunction>,
}

/// Checks the attribute of this name on an operation.
pub type VerifyAttributeFunction = fn(View<'_>, &str, Attribute, &mut Diagnostics);

/// An interface that something implements.
pub struct Implementation {
    /// Name of the interface, for documentation.
    pub name: &'static str,
    /// An [`Implements`] of the interface.
    pub object: &'static (dyn Any + Send + Sync),
}

/// An implementation of the interface `I`, a trait object type such as `dyn Cost`.
pub struct Implements<I: ?Sized + Sync + 'static>(pub &'static I);

/// Returns the implementation of `I` in a list.
fn find<I: ?Sized + Sync + 'static>(all: &'static [Implementation]) -> Option<&'static I> {
    let mut all = all.iter();
    all.find_map(|one| Some(one.object.downcast_ref::<Implements<I>>()?.0))
}

impl OperationDefinition {
    /// Returns the declared implementation of the interface `I`. [`crate::Context::interface`] finds those from outside, too.
    pub fn interface<I: ?Sized + Sync + 'static>(&self) -> Option<&'static I> {
        find(self.extension?.interfaces)
    }

    /// Returns true if the operation has a trait that is not one of [`super::Traits`].
    pub fn has_own_trait(&self, wanted: &'static OwnTrait) -> bool {
        let mut rules = self.rules.iter();
        rules.any(|rule| matches!(rule, super::TraitRule::Own(one) if std::ptr::eq(*one, wanted)))
    }

    /// Returns the patterns of `canonicalize` that it declares.
    pub fn patterns(&self) -> &'static [&'static Pattern] {
        self.extension.map_or(&[], |extension| extension.patterns)
    }
}

impl Dialect {
    /// Returns the implementation of the interface `I` by the dialect as a whole.
    pub fn interface<I: ?Sized + Sync + 'static>(&self) -> Option<&'static I> {
        find(self.extension?.interfaces)
    }

    /// Returns all patterns of `canonicalize` that the dialect and its operations declare, in order of declaration.
    pub fn patterns(&self) -> Vec<&'static Pattern> {
        let own = self
            .extension
            .map_or(&[][..], |extension| extension.patterns);
        let operations = self.operations.iter().flat_map(|group| group.iter());
        let of_operations = operations.flat_map(|definition| definition.patterns());
        own.iter().chain(of_operations).copied().collect()
    }

    /// Returns its implementation of the interface `I` for an operation of another dialect.
    pub(crate) fn external<I: ?Sized + Sync + 'static>(&self, name: &str) -> Option<&'static I> {
        let mut all = self.extension?.external.iter();
        all.find_map(|(operation, one)| {
            let object = (*operation == name).then_some(one.object)?;
            Some(object.downcast_ref::<Implements<I>>()?.0)
        })
    }
}

impl SymbolExtension {
    /// Returns the implementation of the interface `I`.
    pub fn interface<I: ?Sized + Sync + 'static>(&self) -> Option<&'static I> {
        find(self.interfaces)
    }
}

/// A trait that is not one of [`super::Traits`]: a property of operations, with checks.
///
/// Source: MLIR, "Traits"; `NativeOpTrait` of the op definition specification.
pub struct OwnTrait {
    /// Its name.
    pub name: &'static str,
    /// The property, in one sentence.
    pub summary: &'static str,
    /// Checks an operation that has it.
    pub verify: Option<fn(View<'_>, &mut Diagnostics)>,
    /// Checks it after the operations nested in it are verified.
    pub verify_regions: Option<fn(View<'_>, &mut Diagnostics)>,
}

/// An attribute that is computed from an operation: it needs no storage.
pub struct DerivedAttribute {
    /// Its name.
    pub name: &'static str,
    /// Its Rust type.
    pub ty: &'static str,
    /// Computes it.
    pub compute: fn(View<'_>) -> Attribute,
}

/// Returns the derived attributes of an operation as a dictionary; `None` if it has none.
///
/// Source: `DerivedAttributeOpInterface::materializeDerivedAttributes`.
pub fn derived_attributes(view: View<'_>) -> Option<Attribute> {
    let derived = view.definition()?.extension?.derived;
    let entries = derived.iter().map(|one| {
        let name = view.context.name(one.name);
        (name, (one.compute)(view))
    });
    let entries: Vec<_> = entries.collect();
    (!entries.is_empty()).then(|| view.context.dictionary_attribute(&entries))
}
