//! Declared types and attributes: their definition, constraint and Rust view.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;

use super::extension::implementation;
use super::parameters::{self, variable};
use crate::format::located;
use crate::names::snake_case;
use crate::parse::{Parameter, Symbol, SymbolKind, error};

fn upper(symbol: &Symbol) -> String {
    snake_case(&symbol.name.unraw().to_string()).to_uppercase()
}

/// Returns the name of the static with the definition.
pub(super) fn static_name(symbol: &Symbol) -> Ident {
    let kind = match symbol.kind {
        SymbolKind::Type => "TYPE",
        SymbolKind::Attribute => "ATTRIBUTE",
    };
    format_ident!("{}_{kind}", upper(symbol), span = symbol.name.span())
}

/// Names of functions that every view of a type or an attribute has.
const RESERVED: &[&str] = &["attribute", "cast", "get", "ty"];

/// Returns the type of the values of a parameter, and of its accessor.
fn value_type(parameter: &Parameter) -> TokenStream {
    let ty = &parameter.ty;
    match parameter.is_optional {
        true => quote!(::core::option::Option<#ty>),
        false => quote!(#ty),
    }
}

/// Returns the code of a type or an attribute.
pub(super) fn symbol(dialect: &str, symbol: &Symbol) -> TokenStream {
    for parameter in &symbol.parameters {
        if RESERVED.contains(&parameter.name.to_string().as_str()) {
            let message = format!(
                "`{}` is a function of every type and attribute",
                parameter.name
            );
            return error(parameter.name.span(), message);
        }
    }
    let code = match &symbol.assembly {
        None => parameters::compile(symbol, ""),
        Some(text) => parameters::compile(symbol, &text.value()),
    };
    let code = match (code, &symbol.assembly) {
        (Ok(code), _) => code,
        (Err(faults), Some(text)) => {
            let faults = faults.iter().map(|fault| located(text, fault));
            return faults.map(|(span, message)| error(span, message)).collect();
        }
        (Err(faults), None) => {
            let message = faults
                .into_iter()
                .map(|fault| fault.message)
                .collect::<String>();
            return error(symbol.name.span(), message);
        }
    };
    let definition = definition(dialect, symbol, &code);
    let view = view(dialect, symbol);
    let constraint = constraint(dialect, symbol);
    quote!(#definition #view #constraint)
}

fn definition(dialect: &str, symbol: &Symbol, code: &parameters::Code) -> TokenStream {
    let name = &symbol.name;
    let static_name = static_name(symbol);
    let full_name = format!("{dialect}.{}", symbol.mnemonic.value());
    let end = symbol.documentation.iter().position(String::is_empty);
    let end = end.unwrap_or(symbol.documentation.len());
    let summary = symbol.documentation[..end].join(" ");
    let summary = summary.trim_end_matches('.');
    let variables: Vec<_> = symbol.parameters.iter().map(variable).collect();
    let types = symbol.parameters.iter().map(|parameter| &parameter.ty);
    let (parse, print) = (&code.parse, &code.print);
    let values = symbol.parameters.iter().map(|parameter| {
        let variable = variable(parameter);
        let message = format!("parameter '{}' is missing", parameter.text);
        match (&parameter.default, parameter.is_optional) {
            (_, true) => TokenStream::new(),
            (Some(default), _) => quote! {
                let #variable = #variable.unwrap_or_else(|| #default);
            },
            (None, false) => quote! {
                let #variable = match #variable {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => {
                        return ::core::result::Result::Err(parser.error(position, #message));
                    }
                };
            },
        }
    });
    // The printer shows the values, or options of those that may be absent or have their default value.
    let shown = symbol.parameters.iter().enumerate().map(|(i, parameter)| {
        let (variable, ty) = (variable(parameter), &parameter.ty);
        let stored = quote!(::sluice_ir::parameter::optional_from_attribute::<#ty>(context, parameters[#i]));
        match (&parameter.default, parameter.is_optional) {
            (_, true) => quote!(let #variable = #stored;),
            (Some(default), _) => quote! {
                let #variable: ::core::option::Option<#ty> = #stored.filter(|value| {
                    let default: #ty = #default;
                    *value != default
                });
            },
            (None, false) => quote! {
                let #variable: #ty = #stored.expect("the parameters are checked when they are made");
            },
        }
    });
    let n_parameters = symbol.parameters.len();
    let (definition, handle, typed) = match symbol.kind {
        SymbolKind::Type => (quote!(TypeDefinition), quote!(ty), TokenStream::new()),
        SymbolKind::Attribute => (
            quote!(AttributeDefinition),
            quote!(attribute),
            quote!(typed: false,),
        ),
    };
    let extension = extension(symbol);
    let doc = format!("The declaration of `{full_name}`.");
    quote! {
        #[doc = #doc]
        pub static #static_name: ::sluice_ir::definition::#definition = ::sluice_ir::definition::#definition {
            name: #full_name,
            summary: #summary,
            parse: &|parser| {
                #[allow(unused_variables)]
                let position = parser.position();
                #(
                    #[allow(unused_assignments, unused_mut)]
                    let mut #variables: ::core::option::Option<#types> = ::core::option::Option::None;
                )*
                #parse
                #(#values)*
                match #name::get(parser.context(), #(#variables),*) {
                    ::core::result::Result::Ok(made) => ::core::result::Result::Ok(made.#handle()),
                    ::core::result::Result::Err(why) => {
                        ::core::result::Result::Err(parser.error(position, why))
                    }
                }
            },
            print: &|printer, parameters| {
                #[allow(unused_variables)]
                let context = printer.context();
                if parameters.len() != #n_parameters {
                    return;
                }
                #(#shown)*
                #print
            },
            #typed
            extension: #extension,
        };
    }
}

fn extension(symbol: &Symbol) -> TokenStream {
    let interfaces = symbol.interfaces.iter().map(implementation);
    let alias = super::optional(symbol.alias.as_ref());
    let parameters = symbol.parameters.iter().map(|parameter| {
        let (text, ty) = (&parameter.text, value_type(parameter));
        let ty = ty
            .to_token_stream()
            .to_string()
            .replace(":: core :: option :: ", "");
        let ty = ty.replace(' ', "");
        quote!((#text, #ty))
    });
    let assembly = symbol.assembly.as_ref().map(syn::LitStr::value);
    let assembly = assembly.unwrap_or_default();
    quote! {
        ::core::option::Option::Some(&::sluice_ir::definition::SymbolExtension {
            interfaces: &[#(#interfaces),*],
            alias: #alias,
            parameters: &[#(#parameters),*],
            assembly: #assembly,
        })
    }
}

/// Returns the Rust view: a handle with accessors, and the function that makes one.
fn view(dialect: &str, symbol: &Symbol) -> TokenStream {
    let name = &symbol.name;
    let full_name = format!("{dialect}.{}", symbol.mnemonic.value());
    let docs = &symbol.documentation;
    let (handle, ir_type, kind, sigil) = match symbol.kind {
        SymbolKind::Type => (
            quote!(ty),
            quote!(::sluice_ir::Type),
            quote!(::sluice_ir::TypeKind),
            "!",
        ),
        SymbolKind::Attribute => (
            quote!(attribute),
            quote!(::sluice_ir::Attribute),
            quote!(::sluice_ir::AttributeKind),
            "#",
        ),
    };
    let parameters: Vec<_> = symbol
        .parameters
        .iter()
        .map(|parameter| {
            let (name, ty) = (&parameter.name, value_type(parameter));
            quote!(#name: #ty)
        })
        .collect();
    let stored = symbol.parameters.iter().map(|parameter| {
        let name = &parameter.name;
        match parameter.is_optional {
            true => quote!(::sluice_ir::parameter::optional_to_attribute(#name.as_ref(), context)),
            false => quote!(::sluice_ir::Parameter::to_attribute(&#name, context)),
        }
    });
    let accessors = symbol.parameters.iter().enumerate().map(|(i, parameter)| {
        let (name, ty, value) = (&parameter.name, &parameter.ty, value_type(parameter));
        let doc = format!("Parameter `{}`.", parameter.text);
        let found =
            quote!(::sluice_ir::parameter::optional_from_attribute::<#ty>(context, parameters[#i]));
        let found = match parameter.is_optional {
            true => found,
            false => quote!(#found.expect("the parameters are checked when they are made")),
        };
        quote! {
            #[doc = #doc]
            pub fn #name(self, context: &::sluice_ir::Context) -> #value {
                match self.0.kind(context) {
                    #kind::Dialect { parameters, .. } => #found,
                    _ => unreachable!("a view is made of a symbol of its kind"),
                }
            }
        }
    });
    let verify = symbol
        .verify
        .as_ref()
        .map(|verify| quote!(#verify(context, made)?;));
    let make = match symbol.kind {
        SymbolKind::Type => quote!(context.ty(kind)),
        SymbolKind::Attribute => quote!(context.attribute(kind)),
    };
    let handle_doc = format!("Returns the handle of the `{sigil}{full_name}`.");
    let get_doc = format!("Returns `{sigil}{full_name}` with these parameters.");
    quote! {
        #(#[doc = #docs])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #name(#ir_type);

        impl #name {
            /// The full name.
            pub const NAME: &'static str = #full_name;

            #[doc = #get_doc]
            ///
            /// # Errors
            /// What is wrong with the parameters.
            pub fn get(
                context: &::sluice_ir::Context,
                #(#parameters),*
            ) -> ::core::result::Result<Self, ::std::string::String> {
                let kind = #kind::Dialect {
                    name: context.name(Self::NAME),
                    parameters: ::std::boxed::Box::new([#(#stored),*]),
                };
                let made = Self(#make);
                #verify
                ::core::result::Result::Ok(made)
            }

            /// Returns the view of a handle, if it is of this kind.
            pub fn cast(
                context: &::sluice_ir::Context,
                handle: #ir_type,
            ) -> ::core::option::Option<Self> {
                match handle.kind(context) {
                    #kind::Dialect { name, .. } if context.text(*name) == Self::NAME => {
                        ::core::option::Option::Some(Self(handle))
                    }
                    _ => ::core::option::Option::None,
                }
            }

            #[doc = #handle_doc]
            pub fn #handle(self) -> #ir_type {
                self.0
            }

            #(#accessors)*
        }
    }
}

/// Returns the constraint that accepts the symbol with any parameters, and its use as a parameter.
fn constraint(dialect: &str, symbol: &Symbol) -> TokenStream {
    let name = &symbol.name;
    let full_name = format!("{dialect}.{}", symbol.mnemonic.value());
    let static_name = static_name(symbol);
    let upper = upper(symbol);
    let constraint = match name == &upper {
        true => format_ident!("{upper}_ANY", span = name.span()),
        false => format_ident!("{upper}", span = name.span()),
    };
    let shown = name.unraw().to_string();
    let own = match symbol.kind {
        SymbolKind::Type => {
            let only = match symbol.parameters.is_empty() {
                true => quote! {
                    ::core::option::Option::Some(|context| {
                        #name::get(context).expect("it has no parameters").ty()
                    })
                },
                false => quote!(::core::option::Option::None),
            };
            let summary = format!("`!{full_name}`");
            quote! {
                #[doc = concat!("Any [`", #shown, "`].")]
                pub static #constraint: ::sluice_ir::definition::TypeConstraint =
                    ::sluice_ir::definition::TypeConstraint {
                        summary: #summary,
                        check: ::sluice_ir::definition::TypeCheck::Is(|context, ty| {
                            #name::cast(context, ty).is_some()
                        }),
                        only: #only,
                        class: ::core::option::Option::Some(|context, ty| {
                            #name::cast(context, ty).is_some()
                        }),
                        unqualified: ::core::option::Option::Some(&#static_name),
                    };
            }
        }
        SymbolKind::Attribute => {
            let summary = format!("`#{full_name}` attribute");
            quote! {
                #[doc = concat!("Any [`", #shown, "`].")]
                pub static #constraint: ::sluice_ir::definition::AttributeConstraint =
                    ::sluice_ir::definition::AttributeConstraint {
                        summary: #summary,
                        check: ::sluice_ir::definition::AttributeCheck::Is(|context, attribute| {
                            #name::cast(context, attribute).is_some()
                        }),
                        syntax: ::sluice_ir::definition::AttributeSyntax::Custom {
                            parse: |parser| (#static_name.parse)(parser),
                            print: |printer, attribute| {
                                match attribute.kind(printer.context()) {
                                    ::sluice_ir::AttributeKind::Dialect { parameters, .. } => {
                                        (#static_name.print)(printer, parameters);
                                    }
                                    _ => printer.attribute(attribute),
                                }
                            },
                        },
                    };
            }
        }
    };
    let summary = format!("`{full_name}`");
    let (as_parameter, store, load, parse, print) = match symbol.kind {
        SymbolKind::Type => (
            quote!(&::sluice_ir::parameter::constraint::<Self>(#summary)),
            quote!(context.type_attribute(self.0)),
            quote!(Self::cast(context, attribute.as_type(context)?)),
            quote!(parser.parse_type()?),
            quote!(printer.ty(self.0);),
        ),
        SymbolKind::Attribute => (
            quote!(&#constraint),
            quote!(self.0),
            quote!(Self::cast(context, attribute)),
            quote!((#static_name.parse)(parser)?),
            quote! {
                if let ::sluice_ir::AttributeKind::Dialect { parameters, .. } = self.0.kind(printer.context()) {
                    (#static_name.print)(printer, parameters);
                }
            },
        ),
    };
    let expected = format!("expected `{full_name}`");
    quote! {
        #own

        impl ::sluice_ir::Parameter for #name {
            const CONSTRAINT: &'static ::sluice_ir::definition::AttributeConstraint = #as_parameter;

            fn to_attribute(&self, context: &::sluice_ir::Context) -> ::sluice_ir::Attribute {
                let _ = context;
                #store
            }

            fn from_attribute(
                context: &::sluice_ir::Context,
                attribute: ::sluice_ir::Attribute,
            ) -> ::core::option::Option<Self> {
                #load
            }

            fn parse(parser: &mut ::sluice_ir::text::Parser<'_>) -> ::sluice_ir::text::ParseResult<Self> {
                let position = parser.position();
                let found = #parse;
                match Self::cast(parser.context(), found) {
                    ::core::option::Option::Some(found) => ::core::result::Result::Ok(found),
                    ::core::option::Option::None => {
                        ::core::result::Result::Err(parser.error(position, #expected))
                    }
                }
            }

            fn print(&self, printer: &mut ::sluice_ir::text::Printer<'_>) {
                #print
            }
        }
    }
}
