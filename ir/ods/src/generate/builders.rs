//! Builders of an operation.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::accessible;
use crate::parse::{Arity, Builder, BuilderParameter, Operation, Presence};

/// Returns true if the builder infers the result types.
fn infers(op: &Operation) -> bool {
    op.results.is_empty()
        || op.infer.is_some()
        || (op.has_trait("SAME_OPERANDS_AND_RESULT_TYPE") && op.results.len() == 1)
}

/// Returns the builders: the one with all parts, the one with given result types, the generic one, and those declared.
pub(super) fn builders(op: &Operation) -> TokenStream {
    let deprecated = op
        .deprecated
        .as_ref()
        .map(|note| quote!(#[deprecated(note = #note)]));
    let build = builder(op, "build", infers(op), deprecated.as_ref());
    let typed = (infers(op) && !op.results.is_empty())
        .then(|| builder(op, "build_typed", false, deprecated.as_ref()));
    let own = op.builders.iter().map(own_builder);
    quote! {
        #build
        #typed

        /// Creates the operation from all operands, the types of its results and its attributes; its regions are empty.
        #[inline]
        pub fn build_generic(
            builder: &mut ::sluice_ir::Builder<'_>,
            operands: &[::sluice_ir::ValueId],
            result_types: &[::sluice_ir::Type],
            attributes: &[(::sluice_ir::Name, ::sluice_ir::Attribute)],
            n_regions: usize,
        ) -> ::sluice_ir::OperationId {
            ::sluice_ir::declared::build_generic(
                builder, Self::DEFINITION, operands, result_types, attributes, n_regions,
            )
        }

        #(#own)*
    }
}

/// Returns a declared builder. If parameters have default values, there are two: with them, and with all parameters.
fn own_builder(own: &Builder) -> TokenStream {
    let (name, body) = (&own.name, &own.body);
    let docs = match own.documentation.is_empty() {
        true => vec!["Creates the operation.".to_owned()],
        false => own.documentation.clone(),
    };
    let parameter = |one: &BuilderParameter| {
        let (name, ty) = (&one.name, &one.ty);
        quote!(#name: #ty)
    };
    let all: Vec<_> = own.parameters.iter().map(parameter).collect();
    let head = quote!(builder: &mut ::sluice_ir::Builder<'_>);
    let (given, omitted): (Vec<_>, Vec<_>) =
        (own.parameters.iter()).partition(|one| one.default.is_none());
    if omitted.is_empty() {
        return quote! {
            #(#[doc = #docs])*
            pub fn #name(#head, #(#all),*) -> ::sluice_ir::OperationId #body
        };
    }
    let with = format_ident!("{}_with", name);
    let names = own.parameters.iter().map(|one| &one.name);
    let values = omitted.iter().map(|one| {
        let (name, ty, value) = (&one.name, &one.ty, &one.default);
        quote!(let #name: #ty = #value;)
    });
    let given = given.into_iter().map(parameter);
    quote! {
        #(#[doc = #docs])*
        pub fn #name(#head, #(#given),*) -> ::sluice_ir::OperationId {
            #(#values)*
            Self::#with(builder, #(#names),*)
        }

        #(#[doc = #docs])*
        pub fn #with(#head, #(#all),*) -> ::sluice_ir::OperationId #body
    }
}

fn builder(
    op: &Operation,
    function: &str,
    infers: bool,
    deprecated: Option<&TokenStream>,
) -> TokenStream {
    let mut parameters = Vec::new();
    let mut operand_groups = Vec::new();
    let mut nested = Vec::new();
    for value in &op.operands {
        let name = &value.name;
        if let Some(sizes) = &value.nested {
            parameters.push(quote!(#name: &[&[::sluice_ir::ValueId]]));
            operand_groups.push(quote!(&#name.concat()));
            nested.push((sizes.value(), name));
            continue;
        }
        let (ty, group) = match value.arity {
            Arity::Single => (quote!(::sluice_ir::ValueId), quote!(&[#name])),
            Arity::Optional => (
                quote!(::core::option::Option<::sluice_ir::ValueId>),
                quote!(#name.as_slice()),
            ),
            Arity::Variadic => (quote!(&[::sluice_ir::ValueId]), quote!(#name)),
        };
        parameters.push(quote!(#name: #ty));
        operand_groups.push(group);
    }
    let mut attributes = Vec::new();
    for field in &op.attributes {
        if let Some((sizes, group)) = nested.iter().find(|(sizes, _)| *sizes == field.text) {
            attributes.push(quote! {
                (#sizes, ::core::option::Option::Some(::sluice_ir::declared::sizes(builder.context, #group)))
            });
            continue;
        }
        let (name, text) = (&field.name, &field.text);
        if let Some(ty) = &field.property {
            let value = quote!(::sluice_ir::Parameter::to_attribute);
            match field.presence {
                Presence::Required => {
                    parameters.push(quote!(#name: #ty));
                    attributes.push(quote! {
                        (#text, ::core::option::Option::Some(#value(&#name, builder.context)))
                    });
                }
                _ => {
                    parameters.push(quote!(#name: ::core::option::Option<#ty>));
                    attributes.push(quote! {
                        (#text, #name.map(|value| #value(&value, builder.context)))
                    });
                }
            }
            continue;
        }
        match accessible(field) {
            Presence::Required => {
                parameters.push(quote!(#name: ::sluice_ir::Attribute));
                attributes.push(quote!((#text, ::core::option::Option::Some(#name))));
            }
            Presence::Optional | Presence::Default(_) | Presence::Elided(_) | Presence::Flag => {
                parameters.push(quote!(#name: ::core::option::Option<::sluice_ir::Attribute>));
                attributes.push(quote!((#text, #name)));
            }
        }
    }
    let mut result_groups = Vec::new();
    if !infers {
        for value in &op.results {
            let name = format_ident!("{}_type", value.name);
            let (ty, group) = match value.arity {
                Arity::Single => (quote!(::sluice_ir::Type), quote!(&[#name])),
                Arity::Optional => (
                    quote!(::core::option::Option<::sluice_ir::Type>),
                    quote!(#name.as_slice()),
                ),
                Arity::Variadic => (quote!(&[::sluice_ir::Type]), quote!(#name)),
            };
            parameters.push(quote!(#name: #ty));
            result_groups.push(group);
        }
    }
    let results = if infers && !op.results.is_empty() {
        quote!(::core::option::Option::None)
    } else {
        quote!(::core::option::Option::Some(&[#(#result_groups),*]))
    };
    let mut successors = Vec::new();
    for successor in &op.successors {
        let name = &successor.name;
        if successor.variadic {
            parameters.push(quote!(#name: &[::sluice_ir::BlockId]));
            successors.push(quote!(#name));
        } else {
            parameters.push(quote!(#name: ::sluice_ir::BlockId));
            successors.push(quote!(&[#name]));
        }
    }
    let n_regions = if op.regions.iter().any(|r| r.variadic) {
        parameters.push(quote!(n_regions: usize));
        quote!(n_regions)
    } else {
        let n = op.regions.len();
        quote!(#n)
    };
    let function = format_ident!("{function}");
    let doc = match function == "build_typed" {
        true => {
            "Creates the operation at the insertion point, with these result types; its regions are empty."
        }
        false => "Creates the operation at the insertion point; its regions are empty.",
    };
    let inline = (function == "build_typed").then(|| quote!(#[inline]));
    quote! {
        #[doc = #doc]
        #deprecated
        #inline
        #[allow(clippy::too_many_arguments)]
        pub fn #function(builder: &mut ::sluice_ir::Builder<'_>, #(#parameters),*) -> ::sluice_ir::OperationId {
            ::sluice_ir::declared::build(
                builder,
                Self::DEFINITION,
                &[#(#operand_groups),*],
                &[#(#attributes),*],
                #results,
                &[#(#successors),*],
                #n_regions,
            )
        }
    }
}
