//! The syntax of declared types, attributes and enumerations.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Expr, LitInt, LitStr, Path, Token, Type, braced};

use super::Implemented;

/// The kind of a symbol of a dialect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Type,
    Attribute,
}

/// A parameter of a type or an attribute.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) text: String,
    pub(crate) ty: Type,
    pub(crate) is_optional: bool,
    pub(crate) default: Option<Expr>,
}

/// A declared type or attribute.
pub(crate) struct Symbol {
    pub(crate) kind: SymbolKind,
    pub(crate) documentation: Vec<String>,
    pub(crate) name: Ident,
    pub(crate) mnemonic: LitStr,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) assembly: Option<LitStr>,
    pub(crate) verify: Option<Path>,
    pub(crate) alias: Option<LitStr>,
    pub(crate) interfaces: Vec<Implemented>,
}

fn parameter(input: ParseStream<'_>) -> syn::Result<Parameter> {
    let (name, text) = super::name_and_text(input)?;
    input.parse::<Token![:]>()?;
    let is_optional = super::keyword(input, "optional");
    let ty = input.parse()?;
    let default = match input.peek(Token![=]) {
        true => {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        }
        false => None,
    };
    if let (true, Some(default)) = (is_optional, &default) {
        let message = "a parameter is optional or has a default value, not both";
        return Err(syn::Error::new_spanned(default, message));
    }
    Ok(Parameter {
        name,
        text,
        ty,
        is_optional,
        default,
    })
}

impl Symbol {
    /// Parses `Name = "mnemonic" { ... }`.
    pub(super) fn parse(
        input: ParseStream<'_>,
        kind: SymbolKind,
        documentation: Vec<String>,
    ) -> syn::Result<Self> {
        let name = super::identifier(input)?;
        input.parse::<Token![=]>()?;
        let mut symbol = Self {
            kind,
            documentation,
            name,
            mnemonic: input.parse()?,
            parameters: Vec::new(),
            assembly: None,
            verify: None,
            alias: None,
            interfaces: Vec::new(),
        };
        documented(&symbol.name, &symbol.documentation)?;
        let content;
        braced!(content in input);
        while !content.is_empty() {
            let key: Ident = content.parse()?;
            content.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "parameters" => symbol.parameters = super::fields(&content, parameter)?,
                "assembly" => symbol.assembly = Some(content.parse()?),
                "verify" => symbol.verify = Some(content.parse()?),
                "alias" => symbol.alias = Some(content.parse()?),
                "interfaces" => symbol.interfaces = super::list(&content)?,
                _ => {
                    let expected =
                        "expected one of `parameters`, `assembly`, `verify`, `alias`, `interfaces`";
                    return Err(syn::Error::new(key.span(), expected));
                }
            }
            if content.is_empty() {
                break;
            }
            content.parse::<Token![,]>()?;
        }
        if symbol.assembly.is_none() && !symbol.parameters.is_empty() {
            let message = "parameters need an `assembly`, such as \"`<` params `>`\"";
            return Err(syn::Error::new(symbol.name.span(), message));
        }
        Ok(symbol)
    }
}

/// The storage of an enumeration.
pub(crate) enum Storage {
    /// An integer of this many bits.
    Integer(u32),
    /// An attribute of the dialect.
    Attribute,
}

/// An enumeration, or a set of flags.
pub(crate) struct Enumeration {
    pub(crate) documentation: Vec<String>,
    pub(crate) name: Ident,
    pub(crate) mnemonic: LitStr,
    pub(crate) storage: Storage,
    pub(crate) is_flags: bool,
    /// Name, keyword and value of each case.
    pub(crate) cases: Vec<(Ident, String, u64)>,
}

impl Enumeration {
    /// Parses `Name = "mnemonic": i32 { Case, Other("keyword") = 4 }`.
    pub(super) fn parse(
        input: ParseStream<'_>,
        is_flags: bool,
        documentation: Vec<String>,
    ) -> syn::Result<Self> {
        let name = super::identifier(input)?;
        documented(&name, &documentation)?;
        input.parse::<Token![=]>()?;
        let mnemonic = input.parse()?;
        input.parse::<Token![:]>()?;
        let word: Ident = input.parse()?;
        let storage = match word.to_string().as_str() {
            "i8" => Storage::Integer(8),
            "i16" => Storage::Integer(16),
            "i32" => Storage::Integer(32),
            "i64" => Storage::Integer(64),
            "attribute" => Storage::Attribute,
            _ => {
                let expected = "expected the storage: `i8`, `i16`, `i32`, `i64` or `attribute`";
                return Err(syn::Error::new(word.span(), expected));
            }
        };
        let mut next = u64::from(is_flags);
        let mut cases: Vec<(Ident, String, u64)> = Vec::new();
        for (case, text, value) in super::fields(input, case)? {
            let value = value.unwrap_or(next);
            next = match (is_flags, value) {
                (false, _) => value + 1,
                (true, 0) => 1,
                (true, _) => value << 1,
            };
            if cases
                .iter()
                .any(|(_, keyword, known)| *keyword == text || *known == value)
            {
                let message = format!("another case has the keyword `{text}` or the value {value}");
                return Err(syn::Error::new(case.span(), message));
            }
            cases.push((case, text, value));
        }
        if cases.is_empty() {
            return Err(syn::Error::new(name.span(), "an enumeration has a case"));
        }
        Ok(Self {
            documentation,
            name,
            mnemonic,
            storage,
            is_flags,
            cases,
        })
    }
}

/// Parses `Case`, `Case("keyword")`, with `= value` or without.
fn case(input: ParseStream<'_>) -> syn::Result<(Ident, String, Option<u64>)> {
    let (name, text) = super::name_and_text(input)?;
    if text.is_empty() {
        return Err(syn::Error::new(name.span(), "a keyword is not empty"));
    }
    let text = match name == text.as_str() {
        true => crate::names::snake_case(&text),
        false => text,
    };
    if !input.peek(Token![=]) {
        return Ok((name, text, None));
    }
    input.parse::<Token![=]>()?;
    let value = input.parse::<LitInt>()?.base10_parse()?;
    Ok((name, text, Some(value)))
}

fn documented(name: &Ident, documentation: &[String]) -> syn::Result<()> {
    match documentation.is_empty() {
        true => {
            let message = "a declaration has a documentation comment: its summary";
            Err(syn::Error::new(name.span(), message))
        }
        false => Ok(()),
    }
}
