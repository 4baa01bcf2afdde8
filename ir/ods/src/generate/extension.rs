//! The rare parts of operations and dialects: interfaces, patterns, derived attributes.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use crate::parse::{Dialect, Implemented, Operation};

/// Returns the table of an implementation. The interface is named as it is written, without `dyn`.
pub(super) fn implementation(one: &Implemented) -> TokenStream {
    let (interface, object) = (&one.interface, &one.object);
    let name = interface.to_token_stream().to_string();
    let name = name.trim_start_matches("dyn ").replace(" :: ", "::");
    quote! {
        ::sluice_ir::definition::Implementation {
            name: #name,
            object: &::sluice_ir::definition::Implements::<#interface>(#object),
        }
    }
}

/// Returns the extension of an operation; none if it has no rare parts.
pub(super) fn of_operation(op: &Operation) -> TokenStream {
    let is_plain = op.interfaces.is_empty()
        && op.patterns.is_empty()
        && op.derived.is_empty()
        && op.deprecated.is_none();
    if is_plain {
        return quote!(::core::option::Option::None);
    }
    let interfaces = op.interfaces.iter().map(implementation);
    let patterns = &op.patterns;
    let derived = op.derived.iter().map(|one| {
        let (name, ty, compute) = (&one.text, &one.ty, &one.compute);
        let shown = ty.to_token_stream().to_string();
        quote! {
            ::sluice_ir::definition::DerivedAttribute {
                name: #name,
                ty: #shown,
                compute: |view| {
                    let compute: fn(::sluice_ir::View<'_>) -> #ty = #compute;
                    ::sluice_ir::Parameter::to_attribute(&compute(view), view.context)
                },
            }
        }
    });
    let deprecated = super::optional(op.deprecated.as_ref());
    quote! {
        ::core::option::Option::Some(&::sluice_ir::definition::Extension {
            interfaces: &[#(#interfaces),*],
            patterns: &[#(#patterns),*],
            derived: &[#(#derived),*],
            deprecated: #deprecated,
        })
    }
}

/// Returns the extension of a dialect; none if it has no rare parts.
pub(super) fn of_dialect(dialect: &Dialect) -> TokenStream {
    let is_plain = dialect.interfaces.is_empty()
        && dialect.external.is_empty()
        && dialect.patterns.is_empty()
        && dialect.verify_attribute.is_none();
    if is_plain {
        return quote!(::core::option::Option::None);
    }
    let interfaces = dialect.interfaces.iter().map(implementation);
    let external = dialect.external.iter().map(|one| {
        let operation = &one.operation;
        let implementation = implementation(&one.implemented);
        quote!((#operation, #implementation))
    });
    let patterns = &dialect.patterns;
    let verify = super::optional(dialect.verify_attribute.as_ref());
    quote! {
        ::core::option::Option::Some(&::sluice_ir::definition::DialectExtension {
            interfaces: &[#(#interfaces),*],
            external: &[#(#external),*],
            patterns: &[#(#patterns),*],
            verify_attribute: #verify,
        })
    }
}
