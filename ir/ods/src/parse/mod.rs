//! The syntax of a declaration: parses tokens into a tree with spans.

mod entries;
mod symbols;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprClosure, LitInt, LitStr, Meta, Path, Token, braced, bracketed,
    parenthesized,
};

pub(crate) use entries::{Builder, BuilderParameter, Derived, External, Implemented};
pub(crate) use symbols::{Enumeration, Parameter, Storage, Symbol, SymbolKind};

/// The declarations in one use of the macro.
pub(crate) struct Declaration {
    pub(crate) head: Head,
    pub(crate) operations: Vec<Operation>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) enumerations: Vec<Enumeration>,
}

/// The kind of a declaration: a whole dialect, or a group of its operations.
pub(crate) enum Head {
    Dialect(Box<Dialect>),
    Group { name: LitStr },
}

#[derive(Default)]
pub(crate) struct Dialect {
    pub(crate) name: Option<LitStr>,
    pub(crate) summary: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) types: Vec<Path>,
    pub(crate) attributes: Vec<Path>,
    pub(crate) groups: Vec<Path>,
    pub(crate) materialize_constant: Option<Path>,
    pub(crate) version: Option<Path>,
    pub(crate) partial: bool,
    pub(crate) interfaces: Vec<Implemented>,
    pub(crate) external: Vec<External>,
    pub(crate) patterns: Vec<Expr>,
    pub(crate) verify_attribute: Option<Path>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    Single,
    Optional,
    Variadic,
}

#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) name: Ident,
    /// Name in messages, formats and documentation.
    pub(crate) text: String,
    pub(crate) arity: Arity,
    /// The attribute that holds the sizes of the groups, if it is a group of groups.
    pub(crate) nested: Option<LitStr>,
    pub(crate) constraint: Expr,
}

#[derive(Clone)]
pub(crate) enum Presence {
    Required,
    Optional,
    Default(Expr),
    /// Optional; a format omits the attribute if it has this value.
    Elided(Expr),
    /// Optional, and only its presence counts.
    Flag,
}

#[derive(Clone)]
pub(crate) struct AttributeField {
    pub(crate) name: Ident,
    /// Name in the text form.
    pub(crate) text: String,
    pub(crate) presence: Presence,
    pub(crate) constraint: Expr,
    /// The Rust type of a property; the constraint is then that of the type.
    pub(crate) property: Option<syn::Type>,
    /// The version of MLIR that brought it, if it came later than the oldest one.
    pub(crate) since: Option<LitInt>,
}

#[derive(Clone)]
pub(crate) enum RegionSize {
    Any,
    Sized(LitInt),
    MaxSized(LitInt),
}

#[derive(Clone)]
pub(crate) struct Region {
    pub(crate) name: Ident,
    /// Name in messages and documentation.
    pub(crate) text: String,
    pub(crate) variadic: bool,
    pub(crate) size: RegionSize,
}

#[derive(Clone)]
pub(crate) struct Successor {
    pub(crate) name: Ident,
    /// Name in messages, formats and documentation.
    pub(crate) text: String,
    pub(crate) variadic: bool,
}

#[derive(Clone)]
pub(crate) enum Assembly {
    Generic,
    Format(LitStr),
    Custom(Path, Path),
}

#[derive(Clone)]
pub(crate) struct Operation {
    pub(crate) documentation: Vec<String>,
    pub(crate) name: Ident,
    pub(crate) mnemonic: LitStr,
    pub(crate) traits: Vec<Ident>,
    pub(crate) rules: Vec<Expr>,
    pub(crate) operands: Vec<Value>,
    pub(crate) results: Vec<Value>,
    pub(crate) attributes: Vec<AttributeField>,
    pub(crate) regions: Vec<Region>,
    pub(crate) successors: Vec<Successor>,
    pub(crate) effects: Vec<Expr>,
    pub(crate) assembly: Assembly,
    pub(crate) verify: Option<Path>,
    pub(crate) verify_regions: Option<Path>,
    pub(crate) verify_symbols: Option<Path>,
    pub(crate) names: Option<Path>,
    pub(crate) fold: Option<Path>,
    pub(crate) infer: Option<Path>,
    pub(crate) custom_if: Option<Path>,
    pub(crate) region_flow: Option<Path>,
    pub(crate) successor: Option<Path>,
    pub(crate) speculatable: Option<Path>,
    pub(crate) meaning: Option<Meaning>,
    /// Condition under which the operation has a meaning.
    pub(crate) defined_if: Option<Path>,
    /// The version of MLIR that brought the operation, if it came later than the oldest one.
    pub(crate) since: Option<LitInt>,
    pub(crate) interfaces: Vec<Implemented>,
    pub(crate) patterns: Vec<Expr>,
    pub(crate) derived: Vec<Derived>,
    pub(crate) builders: Vec<Builder>,
    pub(crate) deprecated: Option<LitStr>,
}

/// The form in which a meaning is written.
#[derive(Clone)]
pub(crate) enum Meaning {
    /// All results, or none if there is no meaning.
    Results(ExprClosure),
    /// The only result.
    Value(ExprClosure),
}

/// Entries that several operations share unless they override them.
struct Class {
    /// The shared entries, with the name of the class.
    shared: Operation,
    is_used: bool,
}

impl Operation {
    fn new(documentation: Vec<String>, name: Ident, mnemonic: LitStr) -> Self {
        Self {
            documentation,
            name,
            mnemonic,
            traits: Vec::new(),
            rules: Vec::new(),
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            effects: Vec::new(),
            assembly: Assembly::Generic,
            verify: None,
            verify_regions: None,
            verify_symbols: None,
            names: None,
            fold: None,
            infer: None,
            custom_if: None,
            region_flow: None,
            successor: None,
            speculatable: None,
            meaning: None,
            defined_if: None,
            since: None,
            interfaces: Vec::new(),
            patterns: Vec::new(),
            derived: Vec::new(),
            builders: Vec::new(),
            deprecated: None,
        }
    }

    pub(crate) fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|t| t == name)
    }
}

fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?
        .into_iter()
        .collect())
}

/// Parses the entries of `{ a: ..., b: ... }`.
fn fields<T>(
    input: ParseStream<'_>,
    one: impl Fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let content;
    braced!(content in input);
    let mut found = Vec::new();
    while !content.is_empty() {
        found.push(one(&content)?);
        if content.is_empty() {
            break;
        }
        content.parse::<Token![,]>()?;
    }
    Ok(found)
}

fn keyword(input: ParseStream<'_>, word: &str) -> bool {
    let fork = input.fork();
    let found = fork.parse::<Ident>().is_ok_and(|ident| ident == word)
        && !fork.peek(Token![::])
        && !fork.peek(Token![,]);
    if found {
        let _: syn::Result<Ident> = input.parse();
    }
    found && !input.is_empty()
}

fn value(input: ParseStream<'_>) -> syn::Result<Value> {
    let (name, text) = name_and_text(input)?;
    input.parse::<Token![:]>()?;
    let mut nested = None;
    let arity = if keyword(input, "variadic") {
        Arity::Variadic
    } else if input.peek(syn::Ident) && input.peek2(syn::token::Paren) && keyword_call(input) {
        let _: Ident = input.parse()?;
        let content;
        parenthesized!(content in input);
        nested = Some(content.parse()?);
        Arity::Variadic
    } else if keyword(input, "optional") {
        Arity::Optional
    } else {
        Arity::Single
    };
    Ok(Value {
        name,
        text,
        arity,
        nested,
        constraint: input.parse()?,
    })
}

/// Returns true if `nested(...)` is next.
fn keyword_call(input: ParseStream<'_>) -> bool {
    let word = input.fork().parse::<Ident>();
    word.is_ok_and(|word| word == "nested")
}

/// Parses `name`, or `name("text")` if the text form has another name.
fn name_and_text(input: ParseStream<'_>) -> syn::Result<(Ident, String)> {
    let name = identifier(input)?;
    if !input.peek(syn::token::Paren) {
        let text = name.unraw().to_string();
        return Ok((name, text));
    }
    let content;
    parenthesized!(content in input);
    Ok((name, content.parse::<LitStr>()?.value()))
}

/// Parses a name; a keyword of Rust becomes a raw identifier.
fn identifier(input: ParseStream<'_>) -> syn::Result<Ident> {
    let name = Ident::parse_any(input)?;
    let text = name.to_string();
    if syn::parse_str::<Ident>(&text).is_ok() {
        return Ok(name);
    }
    match text.as_str() {
        "self" | "Self" | "super" | "crate" | "_" => {
            let message = format!("`{text}` cannot be a name in Rust; write `name(\"{text}\")`");
            Err(syn::Error::new(name.span(), message))
        }
        _ => Ok(Ident::new_raw(&text, name.span())),
    }
}

/// Parses a property: `name: T`, `name: optional T` or `name: T = value`.
fn property(input: ParseStream<'_>) -> syn::Result<AttributeField> {
    let (name, text) = name_and_text(input)?;
    input.parse::<Token![:]>()?;
    let is_optional = keyword(input, "optional");
    let ty: syn::Type = input.parse()?;
    let presence = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        let value: Expr = input.parse()?;
        Presence::Default(syn::parse_quote!(|context| {
            let value: #ty = #value;
            ::sluice_ir::Parameter::to_attribute(&value, context)
        }))
    } else if is_optional {
        Presence::Optional
    } else {
        Presence::Required
    };
    Ok(AttributeField {
        name,
        text,
        presence,
        constraint: syn::parse_quote!(*<#ty as ::sluice_ir::Parameter>::CONSTRAINT),
        property: Some(ty),
        since: None,
    })
}

fn attribute(input: ParseStream<'_>) -> syn::Result<AttributeField> {
    let (name, text) = name_and_text(input)?;
    input.parse::<Token![:]>()?;
    if keyword(input, "optional") {
        let (constraint, presence) = match input.parse()? {
            Expr::Assign(assign) => (*assign.left, Presence::Elided(*assign.right)),
            constraint => (constraint, Presence::Optional),
        };
        return Ok(AttributeField {
            name,
            text,
            presence,
            constraint,
            property: None,
            since: since(input)?,
        });
    }
    let is_flag = keyword(input, "flag");
    // The constraint is a path or a call; `=` must not be swallowed as an assignment.
    let path: Path = input.parse()?;
    let constraint: Expr = match input.peek(syn::token::Paren) {
        true => {
            let arguments;
            parenthesized!(arguments in input);
            let arguments: TokenStream = arguments.parse()?;
            syn::parse_quote!(#path(#arguments))
        }
        false => syn::parse_quote!(#path),
    };
    let presence = if is_flag {
        Presence::Flag
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Presence::Default(input.parse()?)
    } else {
        Presence::Required
    };
    Ok(AttributeField {
        name,
        text,
        presence,
        constraint,
        property: None,
        since: since(input)?,
    })
}

/// Parses `since 21` if it is next.
fn since(input: ParseStream<'_>) -> syn::Result<Option<LitInt>> {
    match keyword(input, "since") {
        true => input.parse().map(Some),
        false => Ok(None),
    }
}

fn region(input: ParseStream<'_>) -> syn::Result<Region> {
    let (name, text) = name_and_text(input)?;
    input.parse::<Token![:]>()?;
    let variadic = keyword(input, "variadic");
    let size: Ident = input.parse()?;
    let size = match size.to_string().as_str() {
        "any" => RegionSize::Any,
        "sized" | "max_sized" => {
            let content;
            parenthesized!(content in input);
            let n = content.parse()?;
            if size == "sized" {
                RegionSize::Sized(n)
            } else {
                RegionSize::MaxSized(n)
            }
        }
        _ => {
            return Err(syn::Error::new(
                size.span(),
                "expected `any`, `sized(n)` or `max_sized(n)`",
            ));
        }
    };
    Ok(Region {
        name,
        text,
        variadic,
        size,
    })
}

fn successor(input: ParseStream<'_>) -> syn::Result<Successor> {
    let (name, text) = name_and_text(input)?;
    let mut variadic = false;
    if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        let word: Ident = input.parse()?;
        if word != "variadic" {
            return Err(syn::Error::new(word.span(), "expected `variadic`"));
        }
        variadic = true;
    }
    Ok(Successor {
        name,
        text,
        variadic,
    })
}

fn documentation(attributes: &[Attribute]) -> syn::Result<Vec<String>> {
    let mut lines = Vec::new();
    for attribute in attributes {
        match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => {
                if let Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) = &pair.value
                {
                    let text = text.value();
                    lines.push(text.strip_prefix(' ').unwrap_or(&text).to_owned());
                }
            }
            _ => {
                return Err(syn::Error::new_spanned(
                    attribute,
                    "only documentation comments are allowed before a declaration",
                ));
            }
        }
    }
    Ok(lines)
}

const OPERATION_KEYS: &str = "expected one of `traits`, `rules`, `operands`, `results`, `attributes`, `regions`, `successors`, \
     `effects`, `assembly`, `verify`, `verify_regions`, `verify_symbols`, `names`, `fold`, `infer`, \
     `custom_if`, `region_flow`, `successor`, `speculatable`, `meaning`, `value`, `defined_if`, `since`, \
     `properties`, `interfaces`, `canonicalize`, `derived`, `builders`, `deprecated`";

impl Operation {
    /// Parses `op Name = "mnemonic" { ... }`, or `op Name = "mnemonic": Class { ... }`, after its documentation.
    fn parse(
        input: ParseStream<'_>,
        documentation: Vec<String>,
        classes: &mut [Class],
    ) -> syn::Result<Self> {
        let name = identifier(input)?;
        input.parse::<Token![=]>()?;
        let operation = Self::new(documentation, name, input.parse()?);
        if operation.documentation.is_empty() {
            return Err(syn::Error::new(
                operation.name.span(),
                "an operation has a documentation comment: its summary",
            ));
        }
        operation.of_class(input, classes)
    }

    /// Parses the entries of an operation, and adds those of its class if it names one.
    fn of_class(self, input: ParseStream<'_>, classes: &mut [Class]) -> syn::Result<Self> {
        let mut operation = self;
        if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            let wanted: Ident = input.parse()?;
            let found = classes.iter_mut().find(|class| class.shared.name == wanted);
            let Some(class) = found else {
                let message = format!("there is no class `{wanted}` above");
                return Err(syn::Error::new(wanted.span(), message));
            };
            class.is_used = true;
            operation = Self {
                documentation: operation.documentation,
                name: operation.name,
                mnemonic: operation.mnemonic,
                ..class.shared.clone()
            };
        }
        operation.entries(input)?;
        Ok(operation)
    }

    /// Parses the entries in braces; traits are added to those of the class, any other entry replaces that of the class.
    fn entries(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let content;
        braced!(content in input);
        let mut seen: Vec<String> = Vec::new();
        while !content.is_empty() {
            let key: Ident = content.parse()?;
            if seen.contains(&key.to_string()) {
                return Err(syn::Error::new(
                    key.span(),
                    format!("`{key}` is given twice"),
                ));
            }
            seen.push(key.to_string());
            content.parse::<Token![:]>()?;
            match key.to_string().as_str() {
                "traits" => self.traits.extend(list::<Ident>(&content)?),
                "rules" => self.rules = list(&content)?,
                "operands" => self.operands = fields(&content, value)?,
                "results" => self.results = fields(&content, value)?,
                "attributes" => {
                    self.attributes.retain(|field| field.property.is_some());
                    self.attributes.extend(fields(&content, attribute)?);
                }
                "properties" => {
                    self.attributes.retain(|field| field.property.is_none());
                    self.attributes.extend(fields(&content, property)?);
                }
                "interfaces" => self.interfaces = list(&content)?,
                "canonicalize" => self.patterns = list(&content)?,
                "derived" => self.derived = fields(&content, Derived::parse)?,
                "builders" => self.builders = entries::builders(&content)?,
                "deprecated" => self.deprecated = Some(content.parse()?),
                "regions" => self.regions = fields(&content, region)?,
                "successors" => self.successors = fields(&content, successor)?,
                "effects" => self.effects = list(&content)?,
                "assembly" => self.assembly = assembly(&content)?,
                "verify" => self.verify = Some(content.parse()?),
                "verify_regions" => self.verify_regions = Some(content.parse()?),
                "verify_symbols" => self.verify_symbols = Some(content.parse()?),
                "names" => self.names = Some(content.parse()?),
                "fold" => self.fold = Some(content.parse()?),
                "infer" => self.infer = Some(content.parse()?),
                "custom_if" => self.custom_if = Some(content.parse()?),
                "region_flow" => self.region_flow = Some(content.parse()?),
                "successor" => self.successor = Some(content.parse()?),
                "speculatable" => self.speculatable = Some(content.parse()?),
                "meaning" => self.meaning = Some(Meaning::Results(content.parse()?)),
                "value" => self.meaning = Some(Meaning::Value(content.parse()?)),
                "defined_if" => self.defined_if = Some(content.parse()?),
                "since" => self.since = Some(content.parse()?),
                _ => return Err(syn::Error::new(key.span(), OPERATION_KEYS)),
            }
            if content.is_empty() {
                break;
            }
            content.parse::<Token![,]>()?;
        }
        Ok(())
    }
}

/// Parses `class Name { ... }`, or `class Name: Class { ... }`: entries for the operations and classes below that name it.
fn class(
    input: ParseStream<'_>,
    documentation: Vec<String>,
    classes: &mut [Class],
) -> syn::Result<Class> {
    let name: Ident = input.parse()?;
    let mnemonic = LitStr::new("", name.span());
    let shared = Operation::new(documentation, name, mnemonic);
    Ok(Class {
        shared: shared.of_class(input, classes)?,
        is_used: false,
    })
}

fn assembly(input: ParseStream<'_>) -> syn::Result<Assembly> {
    if input.peek(LitStr) {
        return Ok(Assembly::Format(input.parse()?));
    }
    let word: Ident = input.parse()?;
    if word != "custom" {
        return Err(syn::Error::new(
            word.span(),
            "expected a format string or `custom(parse, print)`",
        ));
    }
    let content;
    parenthesized!(content in input);
    let parse = content.parse()?;
    content.parse::<Token![,]>()?;
    let print = content.parse()?;
    Ok(Assembly::Custom(parse, print))
}

fn dialect(input: ParseStream<'_>, name: LitStr) -> syn::Result<Dialect> {
    let mut dialect = Dialect {
        name: Some(name),
        ..Dialect::default()
    };
    let content;
    braced!(content in input);
    while !content.is_empty() {
        let key: Ident = content.parse()?;
        content.parse::<Token![:]>()?;
        match key.to_string().as_str() {
            "summary" => dialect.summary = Some(content.parse()?),
            "description" => dialect.description = Some(content.parse()?),
            "types" => dialect.types = list(&content)?,
            "attributes" => dialect.attributes = list(&content)?,
            "groups" => dialect.groups = list(&content)?,
            "materialize_constant" => dialect.materialize_constant = Some(content.parse()?),
            "version" => dialect.version = Some(content.parse()?),
            "partial" => dialect.partial = content.parse::<syn::LitBool>()?.value,
            "interfaces" => dialect.interfaces = list(&content)?,
            "external" => dialect.external = list(&content)?,
            "canonicalize" => dialect.patterns = list(&content)?,
            "verify_attribute" => dialect.verify_attribute = Some(content.parse()?),
            _ => {
                let expected = "expected one of `summary`, `description`, `types`, `attributes`, `groups`, \
                     `materialize_constant`, `version`, `partial`, `interfaces`, `external`, `canonicalize`, `verify_attribute`";
                return Err(syn::Error::new(key.span(), expected));
            }
        }
        if content.is_empty() {
            break;
        }
        content.parse::<Token![,]>()?;
    }
    Ok(dialect)
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        let name: LitStr = input.parse()?;
        let head = match word.to_string().as_str() {
            "dialect" => Head::Dialect(Box::new(dialect(input, name)?)),
            "group" => {
                input.parse::<Token![;]>()?;
                Head::Group { name }
            }
            _ => {
                return Err(syn::Error::new(
                    word.span(),
                    "expected `dialect \"name\" { ... }` or `group \"name\";`",
                ));
            }
        };
        let mut operations = Vec::new();
        let mut symbols = Vec::new();
        let mut enumerations = Vec::new();
        let mut classes: Vec<Class> = Vec::new();
        while !input.is_empty() {
            let documentation = documentation(&input.call(Attribute::parse_outer)?)?;
            let word = Ident::parse_any(input)?;
            match word.to_string().as_str() {
                "type" => symbols.push(Symbol::parse(input, SymbolKind::Type, documentation)?),
                "attribute" => {
                    symbols.push(Symbol::parse(input, SymbolKind::Attribute, documentation)?);
                }
                "enum" => enumerations.push(Enumeration::parse(input, false, documentation)?),
                "flags" => enumerations.push(Enumeration::parse(input, true, documentation)?),
                "class" => {
                    let class = class(input, documentation, &mut classes)?;
                    classes.push(class);
                }
                "op" => operations.push(Operation::parse(input, documentation, &mut classes)?),
                _ => {
                    return Err(syn::Error::new(
                        word.span(),
                        "expected `op Name = \"mnemonic\" { ... }`, with `: Class` in front of the braces or without, `class Name { ... }`, \
                         `type Name = \"mnemonic\" { ... }`, `attribute Name = \"mnemonic\" { ... }`, `enum Name = \"mnemonic\": i32 { ... }` \
                         or `flags Name = \"mnemonic\": i32 { ... }`",
                    ));
                }
            }
        }
        match classes.iter().find(|class| !class.is_used) {
            Some(class) => Err(syn::Error::new(
                class.shared.name.span(),
                "no operation is of this class",
            )),
            None => Ok(Self {
                head,
                operations,
                symbols,
                enumerations,
            }),
        }
    }
}

/// Returns an error with its source location.
pub(crate) fn error(span: Span, message: impl std::fmt::Display) -> TokenStream {
    syn::Error::new(span, message).to_compile_error()
}
