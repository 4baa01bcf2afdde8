//! Typed accessors of an operation.

use proc_macro2::TokenStream;
use quote::quote;

use super::accessible;
use crate::parse::{Arity, AttributeField, Operation, Presence};

/// Returns the accessors of operands, results, attributes, regions, successors and derived attributes.
pub(super) fn accessors(op: &Operation) -> TokenStream {
    let operands = op.operands.iter().enumerate().map(|(i, value)| {
        let name = &value.name;
        let doc = format!("Operand `{}`.", value.text);
        if let Some(sizes) = &value.nested {
            let doc = format!("Operand `{}`, in groups.", value.text);
            return quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::smallvec::SmallVec<[::smallvec::SmallVec<[::sluice_ir::ValueId; 4]>; 2]> {
                    self.0.nested_operand_group(#i, #sizes)
                }
            };
        }
        match value.arity {
            Arity::Single => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::ValueId { self.0.operand_group(#i)[0] }
            },
            Arity::Optional => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::ValueId> {
                    self.0.operand_group(#i).first().copied()
                }
            },
            Arity::Variadic => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::smallvec::SmallVec<[::sluice_ir::ValueId; 4]> { self.0.operand_group(#i) }
            },
        }
    });
    let results = op.results.iter().enumerate().map(|(i, value)| {
        let name = &value.name;
        let doc = format!("Result `{}`.", value.text);
        match value.arity {
            Arity::Single => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::ValueId { self.0.result_group(#i)[0] }
            },
            Arity::Optional => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::ValueId> {
                    self.0.result_group(#i).first().copied()
                }
            },
            Arity::Variadic => quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::ValueId] { self.0.result_group(#i) }
            },
        }
    });
    let attributes = op.attributes.iter().enumerate().map(|(i, field)| {
        let name = &field.name;
        if let Some(ty) = &field.property {
            return property(i, field, ty);
        }
        let doc = format!("Attribute `{}`.", field.text);
        match accessible(field) {
            Presence::Optional | Presence::Elided(_) | Presence::Flag => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::core::option::Option<::sluice_ir::Attribute> { self.0.inherent_attribute(#i) }
            },
            Presence::Default(default) => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::Attribute {
                    self.0.inherent_attribute(#i).unwrap_or_else(|| (#default)(self.0.context))
                }
            },
            Presence::Required => quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::Attribute {
                    self.0.inherent_attribute(#i).expect("the verifier requires this attribute")
                }
            },
        }
    });
    let regions = op.regions.iter().enumerate().map(|(i, region)| {
        let name = &region.name;
        let doc = format!("Region `{name}`.");
        if region.variadic {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::RegionId] { &self.0.regions()[#i..] }
            }
        } else {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::RegionId { self.0.regions()[#i] }
            }
        }
    });
    let successors = op.successors.iter().enumerate().map(|(i, successor)| {
        let name = &successor.name;
        let doc = format!("Successor `{}`.", successor.text);
        if successor.variadic {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> &'a [::sluice_ir::BlockId] { &self.0.successors()[#i..] }
            }
        } else {
            quote! {
                #[doc = #doc]
                pub fn #name(self) -> ::sluice_ir::BlockId { self.0.successors()[#i] }
            }
        }
    });
    let derived = op.derived.iter().map(|one| {
        let (name, ty, compute) = (&one.name, &one.ty, &one.compute);
        let doc = format!("Derived attribute `{}`.", one.text);
        quote! {
            #[doc = #doc]
            pub fn #name(self) -> #ty {
                let compute: fn(::sluice_ir::View<'_>) -> #ty = #compute;
                compute(self.0)
            }
        }
    });
    quote! {
        #(#operands)* #(#results)* #(#attributes)* #(#regions)* #(#successors)* #(#derived)*
    }
}

/// Returns the accessor of a property: its value in the Rust type.
fn property(index: usize, field: &AttributeField, ty: &syn::Type) -> TokenStream {
    let name = &field.name;
    let doc = format!("Property `{}`.", field.text);
    let stored = quote! {
        self.0.inherent_attribute(#index).and_then(|found| {
            <#ty as ::sluice_ir::Parameter>::from_attribute(self.0.context, found)
        })
    };
    match &field.presence {
        Presence::Optional | Presence::Elided(_) | Presence::Flag => quote! {
            #[doc = #doc]
            pub fn #name(self) -> ::core::option::Option<#ty> { #stored }
        },
        Presence::Default(default) => quote! {
            #[doc = #doc]
            pub fn #name(self) -> #ty {
                let default: fn(&::sluice_ir::Context) -> ::sluice_ir::Attribute = #default;
                let of_default = || {
                    let found = default(self.0.context);
                    <#ty as ::sluice_ir::Parameter>::from_attribute(self.0.context, found)
                };
                #stored.or_else(of_default).expect("the verifier accepts only such attributes")
            }
        },
        Presence::Required => quote! {
            #[doc = #doc]
            pub fn #name(self) -> #ty { #stored.expect("the verifier requires this attribute") }
        },
    }
}
