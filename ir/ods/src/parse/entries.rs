//! The syntax of interfaces, derived attributes and builders.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Block, Expr, ExprClosure, LitStr, Token, Type, braced, parenthesized};

/// `dyn Interface => &OBJECT`
#[derive(Clone)]
pub(crate) struct Implemented {
    pub(crate) interface: Type,
    pub(crate) object: Expr,
}

impl Parse for Implemented {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let interface: Type = input.parse()?;
        if !matches!(interface, Type::TraitObject(_)) {
            let message = "an interface is a trait object: `dyn Interface => &IMPLEMENTATION`";
            return Err(syn::Error::new_spanned(interface, message));
        }
        input.parse::<Token![=>]>()?;
        Ok(Self {
            interface,
            object: input.parse()?,
        })
    }
}

/// `"arith.addi": dyn Interface => &OBJECT`
pub(crate) struct External {
    pub(crate) operation: LitStr,
    pub(crate) implemented: Implemented,
}

impl Parse for External {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let operation = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self {
            operation,
            implemented: input.parse()?,
        })
    }
}

/// `name: Type = |view| ...`
#[derive(Clone)]
pub(crate) struct Derived {
    pub(crate) name: Ident,
    pub(crate) text: String,
    pub(crate) ty: Type,
    pub(crate) compute: ExprClosure,
}

impl Derived {
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (name, text) = super::name_and_text(input)?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self {
            name,
            text,
            ty,
            compute: input.parse()?,
        })
    }
}

/// A parameter of a builder, with the value that it has if it is omitted.
#[derive(Clone)]
pub(crate) struct BuilderParameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

/// `name(a: A, b: B = value) { ... }`, whose body uses `builder`.
#[derive(Clone)]
pub(crate) struct Builder {
    pub(crate) documentation: Vec<String>,
    pub(crate) name: Ident,
    pub(crate) parameters: Vec<BuilderParameter>,
    pub(crate) body: Block,
}

/// Parses the builders of an operation in braces.
pub(super) fn builders(input: ParseStream<'_>) -> syn::Result<Vec<Builder>> {
    let content;
    braced!(content in input);
    let mut all = Vec::new();
    while !content.is_empty() {
        let documentation = super::documentation(&content.call(Attribute::parse_outer)?)?;
        let name: Ident = content.parse()?;
        let list;
        parenthesized!(list in content);
        let mut parameters: Vec<BuilderParameter> = Vec::new();
        while !list.is_empty() {
            let name: Ident = list.parse()?;
            list.parse::<Token![:]>()?;
            let ty = list.parse()?;
            let default = match list.peek(Token![=]) {
                true => {
                    list.parse::<Token![=]>()?;
                    Some(list.parse()?)
                }
                false => None,
            };
            if default.is_none() && parameters.iter().any(|before| before.default.is_some()) {
                let message = "a parameter after one with a default value has one, too";
                return Err(syn::Error::new(name.span(), message));
            }
            parameters.push(BuilderParameter { name, ty, default });
            if !list.is_empty() {
                list.parse::<Token![,]>()?;
            }
        }
        all.push(Builder {
            documentation,
            name,
            parameters,
            body: content.parse()?,
        });
        if content.peek(Token![,]) {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(all)
}
