//! The declarative assembly format: translates its text into a table of `FormatElement`s.
//!
//! Source: MLIR, "Operation Definition Specification", section "Declarative Assembly Format".

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::LitStr;

use crate::parse::{Arity, Operation};

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Literal(String),
    Variable(String),
    Word(String),
    Punctuation(char),
}

type Result<T> = std::result::Result<T, String>;

fn lex(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    let word = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut word = String::new();
        while let Some(c) = chars
            .peek()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        {
            word.push(*c);
            chars.next();
        }
        word
    };
    while let Some(c) = chars.peek().copied() {
        match c {
            c if c.is_whitespace() => {
                chars.next();
            }
            '`' => {
                chars.next();
                let mut literal = String::new();
                loop {
                    match chars.next() {
                        Some('`') => break,
                        Some(c) => literal.push(c),
                        None => return Err("a literal without closing backquote".to_owned()),
                    }
                }
                tokens.push(Token::Literal(literal));
            }
            '$' => {
                chars.next();
                let name = word(&mut chars);
                if name.is_empty() {
                    return Err("expected a name after `$`".to_owned());
                }
                tokens.push(Token::Variable(name));
            }
            '(' | ')' | '?' | ':' | ',' | '^' | '<' | '>' | '|' => {
                chars.next();
                tokens.push(Token::Punctuation(c));
            }
            c if c.is_ascii_alphabetic() => tokens.push(Token::Word(word(&mut chars))),
            c => return Err(format!("unexpected character `{c}` in a format")),
        }
    }
    Ok(tokens)
}

struct Formats<'a> {
    operation: &'a Operation,
    tokens: Vec<Token>,
    position: usize,
    used: Vec<String>,
    has_attr_dict: bool,
}

enum Named {
    Operand(usize),
    Result(usize),
    Attribute(usize),
    Region(usize),
    Successor(usize),
}

impl Formats<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position)
    }

    fn next(&mut self) -> Option<Token> {
        self.position += 1;
        self.tokens.get(self.position - 1).cloned()
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.peek() == Some(&Token::Punctuation(c));
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.accept(c) {
            Ok(())
        } else {
            Err(format!("expected `{c}`"))
        }
    }

    fn named(&self, name: &str) -> Result<Named> {
        let op = self.operation;
        let position =
            |mut names: Box<dyn Iterator<Item = String> + '_>| names.position(|n| n == name);
        if let Some(i) = position(Box::new(op.operands.iter().map(|v| v.name.to_string()))) {
            return Ok(Named::Operand(i));
        }
        if let Some(i) = position(Box::new(op.attributes.iter().map(|v| v.text.clone()))) {
            return Ok(Named::Attribute(i));
        }
        if let Some(i) = position(Box::new(op.attributes.iter().map(|v| v.name.to_string()))) {
            return Ok(Named::Attribute(i));
        }
        if let Some(i) = position(Box::new(op.results.iter().map(|v| v.name.to_string()))) {
            return Ok(Named::Result(i));
        }
        if let Some(i) = position(Box::new(op.regions.iter().map(|v| v.name.to_string()))) {
            return Ok(Named::Region(i));
        }
        if let Some(i) = position(Box::new(op.successors.iter().map(|v| v.name.to_string()))) {
            return Ok(Named::Successor(i));
        }
        let all = op.operands.iter().map(|v| v.name.to_string());
        let all = all.chain(op.attributes.iter().map(|v| v.text.clone()));
        let all = all.chain(op.results.iter().map(|v| v.name.to_string()));
        let all = all.chain(op.regions.iter().map(|v| v.name.to_string()));
        let all: Vec<_> = all
            .chain(op.successors.iter().map(|v| v.name.to_string()))
            .collect();
        Err(format!(
            "nothing is called `${name}`; there is: {}",
            all.join(", ")
        ))
    }

    fn types_of(&mut self) -> Result<TokenStream> {
        match self.next() {
            Some(Token::Variable(name)) => match self.named(&name)? {
                Named::Operand(i) => Ok(quote!(TypesOf::Operand(#i))),
                Named::Result(i) => Ok(quote!(TypesOf::Result(#i))),
                _ => Err(format!("`${name}` has no type of its own")),
            },
            Some(Token::Word(word)) if word == "operands" => Ok(quote!(TypesOf::Operands)),
            Some(Token::Word(word)) if word == "results" => Ok(quote!(TypesOf::Results)),
            _ => Err("expected an operand, a result, `operands` or `results`".to_owned()),
        }
    }

    /// Parses elements up to a closing parenthesis or the end; returns them and the index of the anchor element.
    fn elements(&mut self) -> Result<(Vec<TokenStream>, Option<usize>)> {
        let mut elements = Vec::new();
        let mut anchor = None;
        while let Some(token) = self.peek() {
            if *token == Token::Punctuation(')') || *token == Token::Punctuation('|') {
                break;
            }
            elements.push(self.element()?);
            if self.accept('^') {
                if anchor.is_some() {
                    return Err("an optional group has one anchor".to_owned());
                }
                anchor = Some(elements.len() - 1);
            }
        }
        Ok((elements, anchor))
    }

    fn element(&mut self) -> Result<TokenStream> {
        match self.next().ok_or("expected an element")? {
            Token::Literal(text) if text.trim().is_empty() => {
                // A backquoted space or newline is printed; an empty literal removes the space.
                let text = text.replace("\\n", "\n");
                Ok(quote!(FormatElement::Whitespace(#text)))
            }
            Token::Literal(text) if text == "\\n" => Ok(quote!(FormatElement::Whitespace("\n"))),
            Token::Literal(text) => Ok(quote!(FormatElement::Literal(#text))),
            Token::Variable(name) => self.variable(&name, false),
            Token::Word(word) => self.directive(&word),
            Token::Punctuation('(') => self.group(),
            Token::Punctuation(c) => Err(format!("unexpected `{c}`")),
        }
    }

    fn variable(&mut self, name: &str, qualified: bool) -> Result<TokenStream> {
        let element = match self.named(name)? {
            Named::Operand(i) => quote!(FormatElement::Operand(#i)),
            Named::Attribute(i) => {
                quote!(FormatElement::Attribute { index: #i, qualified: #qualified })
            }
            Named::Region(i) => quote!(FormatElement::Region(#i)),
            Named::Successor(i) => quote!(FormatElement::Successor(#i)),
            Named::Result(_) => {
                return Err(format!(
                    "`${name}` is a result: only its type can be written"
                ));
            }
        };
        if self.used.iter().any(|u| u == name) {
            return Err(format!("`${name}` is written twice"));
        }
        self.used.push(name.to_owned());
        Ok(element)
    }

    fn directive(&mut self, word: &str) -> Result<TokenStream> {
        match word {
            "attr-dict" | "attr-dict-with-keyword" => {
                if std::mem::replace(&mut self.has_attr_dict, true) {
                    return Err("`attr-dict` is written twice".to_owned());
                }
                let keyword = word != "attr-dict";
                Ok(quote!(FormatElement::AttrDict { keyword: #keyword }))
            }
            "prop-dict" => Ok(quote!(FormatElement::PropDict)),
            "operands" => Ok(quote!(FormatElement::Operands)),
            "regions" => Ok(quote!(FormatElement::Regions)),
            "successors" => Ok(quote!(FormatElement::Successors)),
            "type" => {
                self.expect('(')?;
                let of = self.types_of()?;
                self.expect(')')?;
                Ok(quote!(FormatElement::Type(#of)))
            }
            "qualified" => {
                self.expect('(')?;
                let element = match self.next() {
                    Some(Token::Variable(name)) => self.variable(&name, true)?,
                    Some(Token::Word(word)) if word == "type" => {
                        self.expect('(')?;
                        let of = self.types_of()?;
                        self.expect(')')?;
                        quote!(FormatElement::QualifiedType(#of))
                    }
                    _ => {
                        return Err(
                            "expected an attribute or `type(...)` in `qualified`".to_owned()
                        );
                    }
                };
                self.expect(')')?;
                Ok(element)
            }
            "functional-type" => {
                self.expect('(')?;
                let inputs = self.types_of()?;
                self.expect(',')?;
                let results = self.types_of()?;
                self.expect(')')?;
                Ok(quote!(FormatElement::FunctionalType(#inputs, #results)))
            }
            "custom" => self.custom(),
            "oilist" => self.clauses(),
            _ => Err(format!("unknown directive `{word}`")),
        }
    }

    fn custom(&mut self) -> Result<TokenStream> {
        self.expect('<')?;
        let Some(Token::Word(name)) = self.next() else {
            return Err("expected the name of a custom directive".to_owned());
        };
        self.expect('>')?;
        self.expect('(')?;
        // The hooks see the whole operation; the arguments only name the attributes that they print.
        let mut attributes = Vec::new();
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Punctuation('(')) => depth += 1,
                Some(Token::Punctuation(')')) => depth -= 1,
                Some(Token::Variable(name)) => {
                    if let Named::Attribute(i) = self.named(&name)? {
                        attributes.push(i);
                    }
                    self.used.push(name);
                }
                Some(_) => {}
                None => return Err("a custom directive without `)`".to_owned()),
            }
        }
        let snake = snake_case(&name);
        let (parse, print) = (
            format_ident!("parse_{snake}"),
            format_ident!("print_{snake}"),
        );
        Ok(quote! {
            FormatElement::Custom {
                name: #name, parse: #parse, print: #print, attributes: &[#(#attributes),*],
            }
        })
    }

    fn clauses(&mut self) -> Result<TokenStream> {
        self.expect('(')?;
        let mut clauses = Vec::new();
        while !self.accept(')') {
            let Some(Token::Literal(keyword)) = self.next() else {
                return Err("a clause starts with its keyword".to_owned());
            };
            let mut elements = Vec::new();
            while !matches!(self.peek(), None | Some(Token::Punctuation(')' | '|'))) {
                elements.push(self.element()?);
            }
            self.accept('|');
            clauses.push(quote!((#keyword, &[#(#elements),*])));
        }
        Ok(quote!(FormatElement::Clauses(&[#(#clauses),*])))
    }

    fn group(&mut self) -> Result<TokenStream> {
        let (then, then_anchor) = self.elements()?;
        self.expect(')')?;
        let (mut otherwise, mut else_anchor) = (Vec::new(), None);
        if self.accept(':') {
            self.expect('(')?;
            (otherwise, else_anchor) = self.elements()?;
            self.expect(')')?;
        }
        if !self.accept('?') {
            return Err("expected `?` after an optional group".to_owned());
        }
        let anchor = match (then_anchor, else_anchor) {
            (Some(i), None) => i,
            (None, Some(i)) => then.len() + i,
            _ => return Err("an optional group has one anchor, marked with `^`".to_owned()),
        };
        Ok(
            quote!(FormatElement::Optional { anchor: #anchor, then: &[#(#then),*], otherwise: &[#(#otherwise),*] }),
        )
    }
}

/// Returns `fooBar` and `FooBar` as `foo_bar`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// Returns the table of a format.
pub(crate) fn table(
    operation: &Operation,
    text: &LitStr,
) -> std::result::Result<TokenStream, (Span, String)> {
    let fail = |message: String| (text.span(), message);
    let tokens = lex(&text.value()).map_err(fail)?;
    let mut formats = Formats {
        operation,
        tokens,
        position: 0,
        used: Vec::new(),
        has_attr_dict: false,
    };
    let (elements, anchor) = formats.elements().map_err(fail)?;
    if anchor.is_some() {
        return Err(fail(
            "an anchor is allowed only in an optional group".to_owned(),
        ));
    }
    if formats.peek().is_some() {
        return Err(fail("unexpected `)`".to_owned()));
    }
    if !formats.has_attr_dict
        && !formats
            .tokens
            .contains(&Token::Word("prop-dict".to_owned()))
    {
        return Err(fail("a format holds `attr-dict`".to_owned()));
    }
    let all_operands = formats.tokens.contains(&Token::Word("operands".to_owned()))
        || formats.tokens.contains(&Token::Word("custom".to_owned()));
    for operand in &operation.operands {
        let name = operand.name.to_string();
        if !all_operands && operand.arity != Arity::Optional && !formats.used.contains(&name) {
            return Err(fail(format!("operand `${name}` is never written")));
        }
    }
    Ok(quote!(&[#(#elements),*]))
}
