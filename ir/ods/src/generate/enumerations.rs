//! Enumerations: a Rust enum, or a set of flags, with its constraint and its text.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use crate::names::snake_case;
use crate::parse::{Enumeration, Storage};

fn upper(one: &Enumeration) -> String {
    snake_case(&one.name.unraw().to_string()).to_uppercase()
}

/// Returns the name of the definition of the attribute that stores the enumeration, if it is one of the dialect.
pub(super) fn attribute_name(one: &Enumeration) -> Option<Ident> {
    matches!(one.storage, Storage::Attribute)
        .then(|| format_ident!("{}_ATTRIBUTE", upper(one), span = one.name.span()))
}

/// Returns the Rust type, its tables and its implementation of `Parameter`.
pub(super) fn enumeration(dialect: &str, one: &Enumeration) -> TokenStream {
    let name = &one.name;
    let text = one.mnemonic.value();
    let full_name = format!("{dialect}.{text}");
    let cases_name = format_ident!("{}_CASES", upper(one), span = name.span());
    let constraint_name = format_ident!("{}", upper(one), span = name.span());
    let constraint_name = match constraint_name == *name {
        true => format_ident!("{}_ENUM", constraint_name, span = name.span()),
        false => constraint_name,
    };
    let storage = match one.storage {
        Storage::Integer(width) => quote!(EnumStorage::Integer(#width)),
        Storage::Attribute => quote!(EnumStorage::Dialect(#full_name)),
    };
    let cases = one
        .cases
        .iter()
        .map(|(_, keyword, value)| quote!((#keyword, #value)));
    let is_flags = one.is_flags;
    let shown = name.unraw().to_string();
    let summary = one
        .documentation
        .join(" ")
        .trim()
        .trim_end_matches('.')
        .to_owned();
    let constraint_summary = match one.storage {
        Storage::Integer(width) => format!("{width}-bit integer that is a case of {shown}"),
        Storage::Attribute => format!("`#{full_name}` attribute"),
    };
    let docs = &one.documentation;
    let rust_type = match one.is_flags {
        true => flags(one),
        false => cases_of(one),
    };
    let attribute = attribute_name(one).map(|attribute| {
        quote! {
            #[doc = concat!("The attribute that stores [`", #shown, "`].")]
            pub static #attribute: ::sluice_ir::definition::AttributeDefinition =
                ::sluice_ir::definition::AttributeDefinition {
                    name: #full_name,
                    summary: #summary,
                    parse: &|parser| {
                        parser.parse_punctuation("<")?;
                        let value = parser.parse_enum_value(&#cases_name)?;
                        parser.parse_punctuation(">")?;
                        ::core::result::Result::Ok(#cases_name.attribute(parser.context(), value))
                    },
                    print: &|printer, parameters| {
                        let value = parameters.first().and_then(|value| value.integer(printer.context()));
                        printer.text("<");
                        if let ::core::option::Option::Some(value) = value.and_then(::sluice_ir::bits::Bits::to_u64) {
                            printer.enum_value(&#cases_name, value);
                        }
                        printer.text(">");
                    },
                    typed: false,
                    extension: ::core::option::Option::None,
                };
        }
    });
    quote! {
        #(#[doc = #docs])*
        #rust_type

        #[doc = concat!("The cases of [`", #shown, "`].")]
        pub static #cases_name: ::sluice_ir::definition::EnumDefinition = {
            use ::sluice_ir::definition::EnumStorage;
            ::sluice_ir::definition::EnumDefinition {
                name: #shown,
                storage: #storage,
                cases: &[#(#cases),*],
                flags: #is_flags,
            }
        };

        #[doc = concat!("Attributes that hold a value of [`", #shown, "`].")]
        pub static #constraint_name: ::sluice_ir::definition::AttributeConstraint =
            ::sluice_ir::definition::AttributeConstraint {
                summary: #constraint_summary,
                check: ::sluice_ir::definition::AttributeCheck::Is(|context, attribute| {
                    let value = #cases_name.value(context, attribute);
                    value.is_some_and(|value| #name::from_value(value).is_some())
                }),
                syntax: ::sluice_ir::definition::AttributeSyntax::Enumeration(&#cases_name),
            };

        #attribute

        impl ::sluice_ir::Parameter for #name {
            const CONSTRAINT: &'static ::sluice_ir::definition::AttributeConstraint = &#constraint_name;

            fn to_attribute(&self, context: &::sluice_ir::Context) -> ::sluice_ir::Attribute {
                #cases_name.attribute(context, self.value())
            }

            fn from_attribute(
                context: &::sluice_ir::Context,
                attribute: ::sluice_ir::Attribute,
            ) -> ::core::option::Option<Self> {
                Self::from_value(#cases_name.value(context, attribute)?)
            }

            fn parse(parser: &mut ::sluice_ir::text::Parser<'_>) -> ::sluice_ir::text::ParseResult<Self> {
                let value = parser.parse_enum_value(&#cases_name)?;
                ::core::result::Result::Ok(Self::from_value(value).expect("the parser reads only cases"))
            }

            fn print(&self, printer: &mut ::sluice_ir::text::Printer<'_>) {
                printer.enum_value(&#cases_name, self.value());
            }
        }

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(&#cases_name.keywords(self.value()).unwrap_or_default())
            }
        }
    }
}

/// Returns the Rust enum.
fn cases_of(one: &Enumeration) -> TokenStream {
    let name = &one.name;
    let variants = one.cases.iter().map(|(case, keyword, _)| {
        let doc = format!("`{keyword}`");
        quote!(#[doc = #doc] #case)
    });
    let names: Vec<_> = one.cases.iter().map(|(case, _, _)| case).collect();
    let values: Vec<_> = one.cases.iter().map(|(_, _, value)| value).collect();
    let keywords: Vec<_> = one.cases.iter().map(|(_, keyword, _)| keyword).collect();
    quote! {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum #name { #(#variants),* }

        impl #name {
            /// All cases, in the order of their declaration.
            pub const ALL: &'static [Self] = &[#(Self::#names),*];

            /// Returns the number that stores the case.
            pub const fn value(self) -> u64 {
                match self { #(Self::#names => #values),* }
            }

            /// Returns the case of a number.
            pub const fn from_value(value: u64) -> ::core::option::Option<Self> {
                match value {
                    #(#values => ::core::option::Option::Some(Self::#names),)*
                    _ => ::core::option::Option::None,
                }
            }

            /// Returns the case of a keyword.
            pub fn from_keyword(keyword: &str) -> ::core::option::Option<Self> {
                match keyword {
                    #(#keywords => ::core::option::Option::Some(Self::#names),)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// Returns the Rust type of a set of flags.
fn flags(one: &Enumeration) -> TokenStream {
    let name = &one.name;
    let constants = one.cases.iter().map(|(case, keyword, value)| {
        let doc = format!("`{keyword}`");
        let case = format_ident!(
            "{}",
            snake_case(&case.unraw().to_string()).to_uppercase(),
            span = case.span()
        );
        quote!(#[doc = #doc] pub const #case: Self = Self(#value);)
    });
    // The empty set needs a keyword.
    let has_empty = one.cases.iter().any(|(_, _, value)| *value == 0);
    let all = one.cases.iter().fold(0, |all, (_, _, value)| all | value);
    quote! {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #name(u64);

        impl #name {
            #(#constants)*

            /// Returns the bits of the set.
            pub const fn value(self) -> u64 {
                self.0
            }

            /// Returns the set of these bits; none if it has no text: another bit is set, or no keyword is for the empty set.
            pub const fn from_value(value: u64) -> ::core::option::Option<Self> {
                match value & !#all == 0 && (value != 0 || #has_empty) {
                    true => ::core::option::Option::Some(Self(value)),
                    false => ::core::option::Option::None,
                }
            }

            /// Returns true if all flags of `other` are in the set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl ::core::ops::BitOr for #name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    }
}
