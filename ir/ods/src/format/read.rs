//! Reads the tokens of a format into elements.

use std::ops::Range;

use super::element::{Argument, Element, Kind, Of};
use super::lex::{Result, Token, fault, lex};
use crate::parse::Operation;

/// The directives that a format may contain.
const DIRECTIVES: &str = "`attr-dict`, `attr-dict-with-keyword`, `prop-dict`, `operands`, `regions`, `successors`, `type(...)`, \
     `qualified(...)`, `functional-type(..., ...)`, `custom<Name>(...)`, `oilist(...)`";

struct Reader<'a> {
    operation: &'a Operation,
    tokens: Vec<(Token, Range<usize>)>,
    position: usize,
    length: usize,
}

pub(super) enum Named {
    Operand(usize),
    Result(usize),
    Attribute(usize),
    Region(usize),
    Successor(usize),
}

/// Returns the operand, result, attribute, region or successor of this name.
fn named(op: &Operation, name: &str) -> Option<Named> {
    let found = |mut names: Box<dyn Iterator<Item = String> + '_>| names.position(|n| n == name);
    let attribute = |i| Named::Attribute(i);
    found(Box::new(op.operands.iter().map(|v| v.text.clone())))
        .map(Named::Operand)
        .or_else(|| found(Box::new(op.attributes.iter().map(|v| v.text.clone()))).map(attribute))
        .or_else(|| {
            found(Box::new(op.attributes.iter().map(|v| v.name.to_string()))).map(attribute)
        })
        .or_else(|| found(Box::new(op.results.iter().map(|v| v.text.clone()))).map(Named::Result))
        .or_else(|| {
            found(Box::new(op.regions.iter().map(|v| v.name.to_string()))).map(Named::Region)
        })
        .or_else(|| {
            found(Box::new(op.successors.iter().map(|v| v.text.clone()))).map(Named::Successor)
        })
}

/// Returns all names, for messages.
fn all_names(op: &Operation) -> String {
    let all = op.operands.iter().map(|v| v.text.clone());
    let all = all.chain(op.attributes.iter().map(|v| v.text.clone()));
    let all = all.chain(op.results.iter().map(|v| v.text.clone()));
    let all = all.chain(op.regions.iter().map(|v| v.name.to_string()));
    let all = all.chain(op.successors.iter().map(|v| v.text.clone()));
    let all: Vec<_> = all.map(|name| format!("`${name}`")).collect();
    match all[..] {
        [] => "nothing".to_owned(),
        _ => all.join(", "),
    }
}

/// Reads a whole format.
pub(super) fn read(operation: &Operation, text: &str) -> Result<Vec<Element>> {
    let mut reader = Reader {
        operation,
        tokens: lex(text)?,
        position: 0,
        length: text.len(),
    };
    let (elements, anchor) = reader.elements()?;
    if let Some((_, place)) = anchor {
        return fault(&place, "an anchor is allowed only in an optional group");
    }
    if reader.peek().is_some() {
        return fault(&reader.place(), "unexpected closing of a group");
    }
    Ok(elements)
}

type Anchor = Option<(usize, Range<usize>)>;

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.position).map(|(token, _)| token)
    }

    /// Returns the place of the next token.
    fn place(&self) -> Range<usize> {
        let next = self.tokens.get(self.position);
        next.map_or(self.length..self.length, |(_, place)| place.clone())
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
        if self.accept(c) {
            return Ok(());
        }
        fault(&self.place(), format!("expected `{c}`"))
    }

    fn named(&self, name: &str, place: &Range<usize>) -> Result<Named> {
        match named(self.operation, name) {
            Some(found) => Ok(found),
            None => {
                let names = all_names(self.operation);
                fault(
                    place,
                    format!("nothing is called `${name}`; there is {names}"),
                )
            }
        }
    }

    fn types_of(&mut self) -> Result<Of> {
        let place = self.place();
        match self.next() {
            Some(Token::Variable(name)) => match self.named(&name, &place)? {
                Named::Operand(i) => Ok(Of::Operand(i)),
                Named::Result(i) => Ok(Of::Result(i)),
                _ => fault(&place, "only operands and results have types of their own"),
            },
            Some(Token::Word(word)) if word == "operands" => Ok(Of::Operands),
            Some(Token::Word(word)) if word == "results" => Ok(Of::Results),
            _ => fault(
                &place,
                "expected an operand, a result, `operands` or `results`",
            ),
        }
    }

    /// Reads elements up to a closing parenthesis or the end; returns them and the anchor.
    fn elements(&mut self) -> Result<(Vec<Element>, Anchor)> {
        let mut elements = Vec::new();
        let mut anchor = None;
        while let Some(token) = self.peek() {
            if *token == Token::Punctuation(')') || *token == Token::Punctuation('|') {
                break;
            }
            elements.push(self.element()?);
            let place = self.place();
            if self.accept('^') {
                if anchor.is_some() {
                    return fault(&place, "an optional group has one anchor");
                }
                anchor = Some((elements.len() - 1, place));
            }
        }
        Ok((elements, anchor))
    }

    fn element(&mut self) -> Result<Element> {
        let start = self.place();
        let kind = match self.next() {
            Some(Token::Literal(text)) if text.trim().is_empty() => {
                // A backquoted space or newline is printed; an empty literal removes the space.
                Kind::Whitespace(text)
            }
            Some(Token::Literal(text)) if text == "\\n" => Kind::Whitespace("\n".to_owned()),
            Some(Token::Literal(text)) => Kind::Literal(text),
            Some(Token::Variable(name)) => self.variable(&name, false, &start)?,
            Some(Token::Word(word)) => self.directive(&word, &start)?,
            Some(Token::Punctuation('(')) => self.group(&start)?,
            Some(Token::Punctuation(c)) => return fault(&start, format!("unexpected `{c}`")),
            Some(Token::Text(_)) => {
                return fault(&start, "only a custom directive takes a string");
            }
            None => return fault(&start, "expected an element"),
        };
        let end = self.tokens[self.position - 1].1.end;
        Ok(Element {
            kind,
            place: start.start..end,
        })
    }

    fn variable(&mut self, name: &str, qualified: bool, place: &Range<usize>) -> Result<Kind> {
        match self.named(name, place)? {
            Named::Operand(_) if qualified => {
                fault(place, "`qualified` takes an attribute or `type(...)`")
            }
            Named::Operand(i) => Ok(Kind::Operand(i)),
            Named::Attribute(index) => Ok(Kind::Attribute { index, qualified }),
            Named::Region(i) => Ok(Kind::Region(i)),
            Named::Successor(i) => Ok(Kind::Successor(i)),
            Named::Result(_) => {
                let message = format!("`${name}` is a result: write its type, `type(${name})`");
                fault(place, message)
            }
        }
    }

    fn directive(&mut self, word: &str, place: &Range<usize>) -> Result<Kind> {
        match word {
            "attr-dict" => Ok(Kind::AttrDict { keyword: false }),
            "attr-dict-with-keyword" => Ok(Kind::AttrDict { keyword: true }),
            "prop-dict" => Ok(Kind::PropDict),
            "operands" => Ok(Kind::Operands),
            "regions" => Ok(Kind::Regions),
            "successors" => Ok(Kind::Successors),
            "type" => {
                self.expect('(')?;
                let of = self.types_of()?;
                self.expect(')')?;
                Ok(Kind::Type {
                    of,
                    qualified: false,
                })
            }
            "qualified" => {
                self.expect('(')?;
                let inner = self.place();
                let element = match self.next() {
                    Some(Token::Variable(name)) => self.variable(&name, true, &inner)?,
                    Some(Token::Word(word)) if word == "type" => {
                        self.expect('(')?;
                        let of = self.types_of()?;
                        self.expect(')')?;
                        Kind::Type {
                            of,
                            qualified: true,
                        }
                    }
                    _ => return fault(&inner, "`qualified` takes an attribute or `type(...)`"),
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
                Ok(Kind::FunctionalType(inputs, results))
            }
            "custom" => self.custom(),
            "oilist" => self.clauses(),
            "ref" => fault(place, "`ref` is allowed only in a custom directive"),
            "results" => fault(place, "write the types of results, `type(results)`"),
            _ => fault(
                place,
                format!("unknown directive `{word}`; there is {DIRECTIVES}"),
            ),
        }
    }

    fn custom(&mut self) -> Result<Kind> {
        self.expect('<')?;
        let place = self.place();
        let Some(Token::Word(name)) = self.next() else {
            return fault(&place, "expected the name of a custom directive");
        };
        self.expect('>')?;
        self.expect('(')?;
        let mut arguments = Vec::new();
        let mut texts = Vec::new();
        while !self.accept(')') {
            let (argument, text) = self.argument()?;
            arguments.push(argument);
            texts.push(text);
            if self.accept(')') {
                break;
            }
            self.expect(',')?;
        }
        Ok(Kind::Custom {
            name,
            text: texts.join(", "),
            arguments,
        })
    }

    /// Reads an argument of a custom directive; returns its text, too.
    fn argument(&mut self) -> Result<(Argument, String)> {
        let place = self.place();
        match self.next() {
            Some(Token::Variable(name)) => {
                let argument = match self.named(&name, &place)? {
                    Named::Operand(i) => Argument::Operand(i),
                    Named::Attribute(i) => Argument::Attribute(i),
                    Named::Region(i) => Argument::Region(i),
                    Named::Successor(i) => Argument::Successor(i),
                    Named::Result(_) => {
                        let message =
                            format!("`${name}` is a result: write its type, `type(${name})`");
                        return fault(&place, message);
                    }
                };
                Ok((argument, format!("${name}")))
            }
            Some(Token::Text(text)) => Ok((Argument::Text(text.clone()), format!("\"{text}\""))),
            Some(Token::Word(word)) if word == "attr-dict" => Ok((Argument::AttrDict, word)),
            Some(Token::Word(word)) if word == "type" => {
                self.expect('(')?;
                let start = self.place().start;
                let of = self.types_of()?;
                let name = match &self.tokens[self.position - 1].0 {
                    Token::Variable(name) => format!("${name}"),
                    Token::Word(word) => word.clone(),
                    _ => return fault(&(start..start), "expected a name"),
                };
                self.expect(')')?;
                Ok((Argument::Type(of), format!("type({name})")))
            }
            Some(Token::Word(word)) if word == "ref" => {
                self.expect('(')?;
                let inner_place = self.place();
                let (inner, text) = self.argument()?;
                if matches!(
                    inner,
                    Argument::Reference(_) | Argument::Text(_) | Argument::AttrDict
                ) {
                    let message = "`ref` takes a variable or `type(...)`";
                    return fault(&inner_place, message);
                }
                self.expect(')')?;
                Ok((Argument::Reference(Box::new(inner)), format!("ref({text})")))
            }
            _ => {
                let message =
                    "expected a variable, `type(...)`, `ref(...)`, `attr-dict` or a string";
                fault(&place, message)
            }
        }
    }

    fn clauses(&mut self) -> Result<Kind> {
        self.expect('(')?;
        let mut clauses = Vec::new();
        while !self.accept(')') {
            let place = self.place();
            let Some(Token::Literal(keyword)) = self.next() else {
                return fault(&place, "a clause starts with its keyword");
            };
            let mut elements = Vec::new();
            while !matches!(self.peek(), None | Some(Token::Punctuation(')' | '|'))) {
                elements.push(self.element()?);
            }
            if !self.accept('|') && self.peek() != Some(&Token::Punctuation(')')) {
                return fault(&self.place(), "expected `|` or `)` after a clause");
            }
            clauses.push((keyword, elements));
        }
        Ok(Kind::Clauses(clauses))
    }

    fn group(&mut self, start: &Range<usize>) -> Result<Kind> {
        let (then, then_anchor) = self.elements()?;
        self.expect(')')?;
        let (mut otherwise, mut else_anchor) = (Vec::new(), None);
        if self.accept(':') {
            self.expect('(')?;
            (otherwise, else_anchor) = self.elements()?;
            self.expect(')')?;
        }
        if !self.accept('?') {
            return fault(&self.place(), "expected `?` after an optional group");
        }
        if then.is_empty() {
            return fault(start, "an optional group has an element");
        }
        let anchor = match (then_anchor, else_anchor) {
            (Some((i, _)), None) => i,
            (None, Some((i, _))) => then.len() + i,
            (Some(_), Some((_, place))) => {
                return fault(&place, "an optional group has one anchor");
            }
            (None, None) => {
                let message =
                    "an optional group has an anchor: the element that decides, marked with `^`";
                return fault(start, message);
            }
        };
        Ok(Kind::Optional {
            anchor,
            then,
            otherwise,
        })
    }
}
