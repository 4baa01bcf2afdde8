//! The format of the parameters of a type or an attribute: reads its text, and writes the code that parses and prints.
//!
//! Source: MLIR, "Defining Dialects / Attributes and Types", section "Declarative Assembly Format".

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::format::{Fault, Result, Token, fault, lex};
use crate::names::snake_case;
use crate::parse::{Parameter, Symbol};

/// The code that parses the text after the name into local variables, and that prints them.
pub(super) struct Code {
    pub(super) parse: TokenStream,
    pub(super) print: TokenStream,
}

enum Element {
    Literal(String),
    Whitespace(String),
    Parameter(usize),
    /// `params`: all, with commas.
    All,
    /// `struct(...)`: these, as `name = value` in any order.
    Struct(Vec<usize>),
    /// `custom<Name>($a, $b)`.
    Custom(String, Vec<usize>),
    Optional {
        /// The parameter that decides.
        anchor: usize,
        /// True if the group is written where the anchor is present.
        in_then: bool,
        then: Vec<Element>,
        otherwise: Vec<Element>,
    },
}

/// The variable that holds a parameter while it is parsed or printed.
pub(super) fn variable(parameter: &Parameter) -> Ident {
    format_ident!("parameter_{}", parameter.text.replace('-', "_"))
}

/// Returns true if a parameter may be absent.
pub(super) fn is_flexible(parameter: &Parameter) -> bool {
    parameter.is_optional || parameter.default.is_some()
}

struct Reader<'a> {
    symbol: &'a Symbol,
    tokens: Vec<(Token, std::ops::Range<usize>)>,
    position: usize,
    length: usize,
    used: Vec<bool>,
}

impl Reader<'_> {
    fn place(&self) -> std::ops::Range<usize> {
        let next = self.tokens.get(self.position);
        next.map_or(self.length..self.length, |(_, place)| place.clone())
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|(token, _)| token)
    }

    fn next(&mut self) -> Option<Token> {
        self.position += 1;
        let token = self.tokens.get(self.position - 1);
        token.map(|(token, _)| token.clone())
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(&Token::Punctuation(c));
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, c: char) -> Result<()> {
        match self.accept(c) {
            true => Ok(()),
            false => fault(&self.place(), format!("expected `{c}`")),
        }
    }

    /// Reads `$name` of a parameter that is not used yet.
    fn parameter(&mut self) -> Result<usize> {
        let place = self.place();
        let Some(Token::Variable(name)) = self.next() else {
            return fault(&place, "expected a parameter, `$name`");
        };
        self.named(&name, &place)
    }

    fn named(&mut self, name: &str, place: &std::ops::Range<usize>) -> Result<usize> {
        let all = &self.symbol.parameters;
        let Some(i) = all.iter().position(|one| one.text == name) else {
            let names: Vec<_> = all.iter().map(|one| format!("`${}`", one.text)).collect();
            let message = format!("nothing is called `${name}`; there is {}", names.join(", "));
            return fault(place, message);
        };
        if std::mem::replace(&mut self.used[i], true) {
            return fault(place, format!("`${name}` is written twice"));
        }
        Ok(i)
    }

    fn parameters_in_parentheses(&mut self) -> Result<Vec<usize>> {
        self.expect('(')?;
        let mut all = Vec::new();
        if self.peek() == Some(&Token::Word("params".to_owned())) {
            self.next();
            let place = self.place();
            all = self.every(&place)?;
            self.expect(')')?;
            return Ok(all);
        }
        loop {
            all.push(self.parameter()?);
            if !self.accept(',') {
                break;
            }
        }
        self.expect(')')?;
        Ok(all)
    }

    fn every(&mut self, place: &std::ops::Range<usize>) -> Result<Vec<usize>> {
        if self.used.contains(&true) {
            return fault(
                place,
                "`params` contains a parameter that is written before",
            );
        }
        self.used.fill(true);
        Ok((0..self.used.len()).collect())
    }

    /// Reads elements; returns the element that `^` marks, too.
    fn elements(&mut self) -> Result<(Vec<Element>, Option<usize>)> {
        let mut all = Vec::new();
        let mut anchor = None;
        while self
            .peek()
            .is_some_and(|token| *token != Token::Punctuation(')'))
        {
            let place = self.place();
            all.push(self.element()?);
            let mark = self.place();
            if self.accept('^') {
                match (all.last(), anchor) {
                    (Some(Element::Parameter(i)), None) => anchor = Some(*i),
                    (_, Some(_)) => return fault(&mark, "an optional group has one anchor"),
                    _ => return fault(&place, "an anchor is on a parameter"),
                }
            }
        }
        Ok((all, anchor))
    }

    fn element(&mut self) -> Result<Element> {
        let place = self.place();
        match self.next() {
            Some(Token::Literal(text)) if text.trim().is_empty() => Ok(Element::Whitespace(text)),
            Some(Token::Literal(text)) => Ok(Element::Literal(text)),
            Some(Token::Variable(name)) => Ok(Element::Parameter(self.named(&name, &place)?)),
            Some(Token::Word(word)) => match word.as_str() {
                "params" => {
                    let all = self.every(&place)?;
                    let flexible: Vec<bool> =
                        self.symbol.parameters.iter().map(is_flexible).collect();
                    let required_after = flexible.windows(2).any(|pair| pair[0] && !pair[1]);
                    if required_after || flexible.first() == Some(&true) || all.is_empty() {
                        let message = "`params` needs a first parameter that is always there, and those that may be absent last";
                        return fault(&place, message);
                    }
                    Ok(Element::All)
                }
                "struct" => Ok(Element::Struct(self.parameters_in_parentheses()?)),
                "qualified" => {
                    self.expect('(')?;
                    let i = self.parameter()?;
                    self.expect(')')?;
                    Ok(Element::Parameter(i))
                }
                "custom" => {
                    self.expect('<')?;
                    let place = self.place();
                    let Some(Token::Word(name)) = self.next() else {
                        return fault(&place, "expected the name of a custom directive");
                    };
                    self.expect('>')?;
                    Ok(Element::Custom(name, self.parameters_in_parentheses()?))
                }
                _ => {
                    let message = format!(
                        "unknown directive `{word}`; there is `params`, `struct(...)`, `qualified(...)`, `custom<Name>(...)`"
                    );
                    fault(&place, message)
                }
            },
            Some(Token::Punctuation('(')) => self.group(&place),
            _ => fault(&place, "unexpected token in a format"),
        }
    }

    fn group(&mut self, start: &std::ops::Range<usize>) -> Result<Element> {
        let (then, then_anchor) = self.elements()?;
        self.expect(')')?;
        let (mut otherwise, mut else_anchor) = (Vec::new(), None);
        if self.accept(':') {
            self.expect('(')?;
            (otherwise, else_anchor) = self.elements()?;
            self.expect(')')?;
        }
        self.expect('?')?;
        let (anchor, in_then) = match (then_anchor, else_anchor) {
            (Some(i), None) => (i, true),
            (None, Some(i)) => (i, false),
            _ => return fault(start, "an optional group has one anchor, marked with `^`"),
        };
        if !is_flexible(&self.symbol.parameters[anchor]) {
            return fault(start, "the anchor is a parameter that is always there");
        }
        let mut first = then
            .iter()
            .filter(|one| !matches!(one, Element::Whitespace(_)));
        if !matches!(first.next(), Some(Element::Literal(_))) {
            return fault(start, "an optional group begins with a literal");
        }
        Ok(Element::Optional {
            anchor,
            in_then,
            then,
            otherwise,
        })
    }
}

/// Reads and checks the format of a symbol, and returns its code.
///
/// # Errors
/// All faults of the format.
pub(super) fn compile(symbol: &Symbol, text: &str) -> std::result::Result<Code, Vec<Fault>> {
    let one = |fault| vec![fault];
    let mut reader = Reader {
        symbol,
        tokens: lex(text).map_err(one)?,
        position: 0,
        length: text.len(),
        used: vec![false; symbol.parameters.len()],
    };
    let (elements, anchor) = reader.elements().map_err(one)?;
    let end = text.len()..text.len();
    let mut faults = Vec::new();
    let mut add = |message: String| {
        faults.push(Fault {
            place: end.clone(),
            message,
        });
    };
    if reader.peek().is_some() || anchor.is_some() {
        add("an anchor or a `)` is outside of an optional group".to_owned());
    }
    for (parameter, is_used) in symbol.parameters.iter().zip(&reader.used) {
        if !is_used {
            add(format!("parameter `${}` is never written", parameter.text));
        }
    }
    for element in &elements {
        if let Element::Parameter(i) = element
            && is_flexible(&symbol.parameters[*i])
        {
            let name = &symbol.parameters[*i].text;
            add(format!(
                "`${name}` may be absent: write it in an optional group or in `struct`"
            ));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut spacing = Spacing {
        space: false,
        after_punctuation: true,
    };
    Ok(Code {
        parse: parse(symbol, &elements),
        print: print(symbol, &elements, &mut spacing),
    })
}

fn parse(symbol: &Symbol, elements: &[Element]) -> TokenStream {
    elements
        .iter()
        .map(|element| parse_one(symbol, element))
        .collect()
}

fn parse_value(parameter: &Parameter) -> TokenStream {
    let (name, ty) = (variable(parameter), &parameter.ty);
    quote! {
        #name = ::core::option::Option::Some(<#ty as ::sluice_ir::Parameter>::parse(parser)?);
    }
}

fn parse_one(symbol: &Symbol, element: &Element) -> TokenStream {
    let all = &symbol.parameters;
    match element {
        Element::Literal(text) => quote!(parser.parse_literal(#text)?;),
        Element::Whitespace(_) => TokenStream::new(),
        Element::Parameter(i) => parse_value(&all[*i]),
        Element::All => {
            // Parameters that may be absent come last: each part is inside of the one before.
            let mut code = TokenStream::new();
            for (i, parameter) in all.iter().enumerate().rev() {
                let value = parse_value(parameter);
                code = match (i, is_flexible(parameter)) {
                    (0, _) => quote!(#value #code),
                    (_, false) => quote!(parser.parse_punctuation(",")?; #value #code),
                    (_, true) => quote! {
                        if parser.parse_optional_punctuation(",") { #value #code }
                    },
                };
            }
            code
        }
        Element::Struct(parts) => {
            let arms = parts.iter().map(|i| {
                let (name, text) = (variable(&all[*i]), &all[*i].text);
                let value = parse_value(&all[*i]);
                let message = format!("struct has duplicate parameter `{text}`");
                quote! {
                    #text => {
                        if #name.is_some() {
                            return ::core::result::Result::Err(parser.error(at, #message));
                        }
                        parser.parse_punctuation("=")?;
                        #value
                    }
                }
            });
            let names: Vec<_> = parts
                .iter()
                .map(|i| format!("`{}`", all[*i].text))
                .collect();
            let expected = format!("expected one of {}", names.join(", "));
            quote! {
                let mut at = parser.position();
                let mut next = parser.parse_optional_any_keyword();
                while let ::core::option::Option::Some(key) = next {
                    match key {
                        #(#arms)*
                        _ => return ::core::result::Result::Err(parser.error(at, #expected)),
                    }
                    if !parser.parse_optional_punctuation(",") {
                        break;
                    }
                    at = parser.position();
                    next = ::core::option::Option::Some(parser.parse_any_keyword()?);
                }
            }
        }
        Element::Custom(name, parts) => {
            let function = format_ident!("parse_{}", snake_case(name));
            let names = parts.iter().map(|i| variable(&all[*i]));
            let outputs: Vec<_> = (0..parts.len())
                .map(|i| format_ident!("output_{i}"))
                .collect();
            quote! {
                let (#(#outputs,)*) = #function(parser)?;
                #(#names = ::core::option::Option::Some(#outputs);)*
            }
        }
        Element::Optional {
            then, otherwise, ..
        } => {
            let is_space = |one: &&Element| matches!(one, Element::Whitespace(_));
            let skipped = then.iter().take_while(is_space).count();
            let Some(Element::Literal(first)) = then.get(skipped) else {
                return TokenStream::new();
            };
            let rest = parse(symbol, &then[skipped + 1..]);
            let otherwise = parse(symbol, otherwise);
            quote! {
                if parser.parse_optional_literal(#first) { #rest } else { #otherwise }
            }
        }
    }
}

/// Spacing between elements, as in the formats of operations.
#[derive(Clone, Copy)]
struct Spacing {
    space: bool,
    after_punctuation: bool,
}

impl Spacing {
    fn before_literal(&mut self, literal: &str) -> bool {
        let first = literal.chars().next().unwrap_or(' ');
        let is_long = literal.len() != 1 && literal != "->";
        let wanted = match (is_long, self.after_punctuation) {
            (true, _) => true,
            (false, true) => !">)}],".contains(first),
            (false, false) => !"(){}[]<>,".contains(first),
        };
        let result = self.space && wanted;
        self.space = literal.len() != 1 || !"<({[".contains(first);
        self.after_punctuation = first != '_' && !first.is_ascii_alphabetic();
        result
    }

    fn before_element(&mut self) -> bool {
        let result = self.space;
        self.space = true;
        self.after_punctuation = false;
        result
    }
}

fn print(symbol: &Symbol, elements: &[Element], spacing: &mut Spacing) -> TokenStream {
    let one = |element| print_one(symbol, element, spacing);
    elements.iter().map(one).collect()
}

fn space(is_written: bool) -> Option<TokenStream> {
    is_written.then(|| quote!(printer.text(" ");))
}

/// Returns the code that prints the value in a variable which holds a reference or an option of one.
fn print_value(parameter: &Parameter) -> TokenStream {
    let name = variable(parameter);
    match is_flexible(parameter) {
        true => quote! {
            if let ::core::option::Option::Some(value) = &#name {
                ::sluice_ir::Parameter::print(value, printer);
            }
        },
        false => quote!(::sluice_ir::Parameter::print(&#name, printer);),
    }
}

fn print_one(symbol: &Symbol, element: &Element, spacing: &mut Spacing) -> TokenStream {
    let all = &symbol.parameters;
    match element {
        Element::Literal(text) => {
            let space = space(spacing.before_literal(text));
            quote!(#space printer.text(#text);)
        }
        Element::Whitespace(text) => {
            spacing.space = false;
            spacing.after_punctuation = text.is_empty();
            match text.is_empty() {
                true => TokenStream::new(),
                false => quote!(printer.text(#text);),
            }
        }
        Element::Parameter(i) => {
            let space = space(spacing.before_element());
            let value = print_value(&all[*i]);
            quote!(#space #value)
        }
        Element::All => {
            let space = space(spacing.before_element());
            let parts = all.iter().enumerate().map(|(i, parameter)| {
                let (name, value) = (variable(parameter), print_value(parameter));
                let comma = (i > 0).then(|| quote!(printer.text(", ");));
                // One that is absent is written if a later one is there.
                let later = all[i..].iter().map(variable);
                match is_flexible(parameter) {
                    true => {
                        let fallback = match &parameter.default {
                            Some(default) => {
                                let ty = &parameter.ty;
                                quote! {
                                    let #name: ::core::option::Option<#ty> =
                                        #name.clone().or_else(|| ::core::option::Option::Some(#default));
                                }
                            }
                            None => TokenStream::new(),
                        };
                        quote! {
                            if false #(|| #later.is_some())* {
                                #fallback
                                #comma #value
                            }
                        }
                    }
                    false => quote!(#comma #value),
                }
            });
            quote!(#space #(#parts)*)
        }
        Element::Struct(parts) => {
            let space = space(spacing.before_element());
            let parts = parts.iter().map(|i| {
                let (name, value) = (variable(&all[*i]), print_value(&all[*i]));
                let key = format!("{} = ", all[*i].text);
                let one = quote! {
                    if is_first { is_first = false; } else { printer.text(", "); }
                    printer.text(#key);
                    #value
                };
                match is_flexible(&all[*i]) {
                    true => quote!(if #name.is_some() { #one }),
                    false => one,
                }
            });
            quote! {
                #space
                {
                    #[allow(unused_assignments)]
                    {
                        let mut is_first = true;
                        #(#parts)*
                    }
                }
            }
        }
        Element::Custom(name, parts) => {
            let space = space(spacing.before_element());
            let function = format_ident!("print_{}", snake_case(name));
            let names = parts.iter().map(|i| variable(&all[*i]));
            quote!(#space #function(printer, #(&#names),*);)
        }
        Element::Optional {
            anchor,
            in_then,
            then,
            otherwise,
        } => {
            let name = variable(&all[*anchor]);
            let then = print(symbol, then, spacing);
            let otherwise = print(symbol, otherwise, spacing);
            quote!(if #name.is_some() == #in_then { #then } else { #otherwise })
        }
    }
}
