//! The parser interface for custom assembly formats: tokens, keywords, punctuation, literals, lists and errors.

use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::body::Body;
use crate::context::Context;
use crate::definition::OperationDefinition;
use crate::diagnostics::Diagnostics;
use crate::ids::{Attribute, Location, Name, OperationName, Type, ValueId};
use crate::limits::Limit;
use crate::text::lexer::{Lexer, Line, Token, TokenKind, unescape};
use crate::text::names::{BlockScope, Frame, Names};
use crate::text::{ParseResult, Position, Reported};

/// A map whose order is never used.
pub(crate) type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The values of aliases; parsers of one source share them.
pub(crate) type Aliases<'a, T> = Arc<Map<&'a str, T>>;

/// Length in bytes of the expanded text of aliases, by `#` or `!` and name.
pub(crate) type AliasSizes<'a> = Map<(char, &'a str), u64>;

/// Offsets of the alias definitions, once they have been searched for.
pub(crate) type AliasOffsets = Arc<OnceLock<Map<Box<str>, u32>>>;

/// The delimiters of a comma-separated list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// No delimiter; the list has at least one element.
    None,
    /// No delimiter; the list may be empty (operands only).
    NoneOrEmpty,
    /// `(...)`
    Paren,
    /// `[...]`
    Square,
    /// `{...}`
    Braces,
    /// `<...>`
    Angle,
    /// `(...)` or nothing at all
    OptionalParen,
    /// `[...]` or nothing at all
    OptionalSquare,
    /// `{...}` or nothing at all
    OptionalBraces,
    /// `<...>` or nothing at all
    OptionalAngle,
}

impl Delimiter {
    /// Returns opening and closing token, and true if the list may be omitted.
    fn tokens(self) -> Option<(&'static str, &'static str, bool)> {
        Some(match self {
            Self::None | Self::NoneOrEmpty => return None,
            Self::Paren => ("(", ")", false),
            Self::Square => ("[", "]", false),
            Self::Braces => ("{", "}", false),
            Self::Angle => ("<", ">", false),
            Self::OptionalParen => ("(", ")", true),
            Self::OptionalSquare => ("[", "]", true),
            Self::OptionalBraces => ("{", "}", true),
            Self::OptionalAngle => ("<", ">", true),
        })
    }
}

/// The operation that is being parsed, for messages.
#[derive(Clone, Copy)]
pub(crate) struct CurrentOperation {
    pub(crate) name: OperationName,
    pub(crate) position: Position,
    /// True while a custom format is being parsed, which messages then name.
    pub(crate) custom: bool,
}

/// An operation that may be written by its name alone.
pub(crate) type KnownOperation = (OperationName, &'static OperationDefinition);

/// The parser: reads tokens, resolves names, creates operations.
pub struct Parser<'a> {
    pub(crate) context: &'a Context,
    pub(crate) source: &'a str,
    pub(crate) lexer: Lexer<'a>,
    pub(crate) token: Token,
    pub(crate) diagnostics: &'a mut Diagnostics,
    pub(crate) file: Name,
    /// A line from which other lines are counted.
    line: Line,
    /// Number of bytes scanned to count lines.
    counted_bytes: usize,
    /// Start of each line, computed once more bytes were scanned than the source has: for messages at distant positions.
    line_starts: Option<Vec<u32>>,
    pub(crate) depth: u32,
    /// The greatest value of `depth` so far.
    pub(crate) max_depth: u32,
    /// True if the bodies of functions are parsed later, all together.
    pub(crate) defers: bool,
    pub(crate) operation: Option<CurrentOperation>,
    /// Position and length of the first result name of the current operation; length 0 if it has none.
    pub(crate) result_name: (usize, usize),
    /// Number of results named before the operation that is being parsed.
    pub(crate) n_results: usize,
    /// The type of the dialect attribute that is being parsed.
    pub(crate) own_type: Option<Type>,
    /// Start of the name of the most recent dialect type or attribute.
    pub(crate) symbol: Position,
    /// The bodies of the enclosing isolated operations, innermost last.
    pub(crate) frames: Vec<Frame>,
    pub(crate) n_frames: u32,
    pub(crate) names: Names<'a>,
    pub(crate) block_scopes: Vec<BlockScope<'a>>,
    pub(crate) default_dialects: Vec<&'static str>,
    pub(crate) keyword_types: Map<&'a str, Type>,
    /// Operations by default dialect and written name.
    pub(crate) known_operations: Map<(&'static str, &'a str), KnownOperation>,
    pub(crate) type_aliases: Aliases<'a, Type>,
    pub(crate) attribute_aliases: Aliases<'a, Attribute>,
    pub(crate) alias_sizes: AliasSizes<'a>,
    /// Number of bytes of all aliases used so far, expanded.
    alias_bytes: u64,
    /// Offsets of alias definitions at line starts, found when a location alias is used before its definition.
    pub(crate) alias_offsets: AliasOffsets,
    pub(crate) pending_aliases: Vec<&'a str>,
    pub(crate) distinct: Map<u64, Attribute>,
    pub(crate) resources: crate::resources::Resources,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(
        context: &'a Context,
        source: &'a str,
        file_name: &str,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let mut lexer = Lexer::new(source.as_bytes());
        let token = lexer.next();
        Self {
            context,
            source,
            lexer,
            token,
            diagnostics,
            file: context.name(file_name),
            line: Line {
                start: 0,
                number: 1,
            },
            counted_bytes: 0,
            line_starts: None,
            depth: 0,
            max_depth: context.limits.small(Limit::NestingLevels),
            defers: false,
            operation: None,
            result_name: (0, 0),
            n_results: 0,
            own_type: None,
            symbol: Position(0),
            frames: vec![Frame::new(Body::new(), 0)],
            n_frames: 1,
            names: Names::default(),
            block_scopes: Vec::new(),
            default_dialects: vec!["builtin"],
            keyword_types: Map::default(),
            known_operations: Map::default(),
            type_aliases: Arc::default(),
            attribute_aliases: Arc::default(),
            alias_sizes: Map::default(),
            alias_bytes: 0,
            alias_offsets: Arc::default(),
            pending_aliases: Vec::new(),
            distinct: Map::default(),
            resources: crate::resources::Resources::default(),
        }
    }

    /// Returns the context.
    pub fn context(&self) -> &'a Context {
        self.context
    }

    /// Returns the body that receives the operations.
    pub fn body(&self) -> &Body {
        &self.frames.last().expect("there is always a frame").body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body {
        &mut self
            .frames
            .last_mut()
            .expect("there is always a frame")
            .body
    }

    /// Returns the type of a resolved value.
    pub fn ty(&self, value: ValueId) -> Type {
        self.body().ty(value)
    }

    // Positions and errors.

    /// Returns the start of the next token.
    #[inline]
    pub fn position(&self) -> Position {
        Position(self.token.start)
    }

    /// Returns the start of the name of the dialect type or attribute that is being parsed.
    pub fn symbol_position(&self) -> Position {
        self.symbol
    }

    /// Reads the definition of an alias, and records its expanded length.
    pub(crate) fn aliased<T>(
        &mut self,
        alias: (char, &'a str),
        read: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        let (start, before) = (self.position(), self.alias_bytes);
        let value = read(self)?;
        let own = u64::from(self.position().0.saturating_sub(start.0));
        let size = own.saturating_add(self.alias_bytes.saturating_sub(before));
        // A long alias may be used in another one; aliases that repeatedly double their length exceed the size of the file.
        let beyond = size.saturating_sub(self.source.len() as u64);
        let checked = self.context.limits.check(Limit::AliasBytes, beyond);
        checked.map_err(|excess| {
            let (sigil, name) = alias;
            let message = format!(
                "alias '{sigil}{name}', with the aliases in it written out, is longer than the file by {excess}"
            );
            self.plain_error(start, message)
        })?;
        self.alias_sizes.insert(alias, size);
        Ok(value)
    }

    /// Counts a use of an alias, in case it is inside the definition of another one.
    pub(crate) fn use_alias(&mut self, alias: (char, &'a str)) {
        let size = self.alias_sizes.get(&alias).copied().unwrap_or(0);
        self.alias_bytes = self.alias_bytes.saturating_add(size);
    }

    /// Returns the location of a position.
    pub fn location_at(&mut self, position: Position) -> Location {
        let (line, column) = self.line_column(position.0);
        self.context.file_location(self.file, line, column)
    }

    fn line_column(&mut self, offset: u32) -> (u32, u32) {
        match self.lexer.line() {
            // The current line of the lexer: most queries are in this line.
            Some(line) if line.start <= offset && offset <= self.token.end => {
                return (line.number, offset - line.start + 1);
            }
            Some(line) if line.start.abs_diff(offset) < self.line.start.abs_diff(offset) => {
                self.line = line;
            }
            _ => {}
        }
        let bytes = self.source.as_bytes();
        self.counted_bytes += self.line.start.abs_diff(offset) as usize;
        if self.counted_bytes > 2 * bytes.len() {
            let starts = self.line_starts.get_or_insert_with(|| {
                let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
                let behind = ends.map(|(i, _)| crate::text::lexer::offset(i + 1));
                std::iter::once(0).chain(behind).collect()
            });
            let number = starts.partition_point(|start| *start <= offset);
            let start = starts[number - 1];
            let number = u32::try_from(number).expect("sources are smaller than 4 GiB");
            return (number, offset - start + 1);
        }
        let Line {
            mut start,
            mut number,
        } = self.line;
        if offset < start {
            let between = &bytes[offset as usize..start as usize];
            let newlines = between.iter().filter(|b| **b == b'\n').count();
            number -= u32::try_from(newlines).expect("sources are smaller than 4 GiB");
            let before = bytes[..offset as usize].iter().rposition(|b| *b == b'\n');
            start = before.map_or(0, |i| crate::text::lexer::offset(i + 1));
        } else {
            let mut at = start as usize;
            while let Some(i) = bytes[at..offset as usize].iter().position(|b| *b == b'\n') {
                at += i + 1;
                number += 1;
            }
            start = crate::text::lexer::offset(at);
        }
        self.line = Line { start, number };
        if self.lexer.line().is_none() {
            self.lexer.set_line(self.line, offset);
        }
        (number, offset - start + 1)
    }

    /// Returns the type of the typed dialect attribute whose parameters are being parsed, if it is known.
    pub fn attribute_type(&self) -> Option<Type> {
        self.own_type
    }

    /// Returns the name of the first result of the operation that is being parsed, without the `%`; empty if it has none. Valid
    /// only until a region of the operation is parsed.
    pub fn result_name(&self) -> &'a str {
        let (start, length) = self.result_name;
        let name = self.source.get(start..start + length);
        name.unwrap_or_default().trim_start_matches('%')
    }

    /// Returns the number of named results of the operation that is being parsed. Valid only until a region of it is parsed.
    pub fn result_count(&self) -> usize {
        self.n_results
    }

    /// Records an error; in a custom format the message names the operation.
    pub fn error(&mut self, position: Position, message: impl Into<String>) -> Reported {
        let message = message.into();
        match self.operation {
            Some(CurrentOperation {
                name, custom: true, ..
            }) => {
                let name = self.context.operation_text(name);
                self.plain_error(position, format!("custom op '{name}' {message}"))
            }
            _ => self.plain_error(position, message),
        }
    }

    /// Records an error at the next token.
    pub fn error_here(&mut self, message: impl Into<String>) -> Reported {
        self.error(self.position(), message)
    }

    /// Records an error whose message does not name the operation; the error of a bad token takes precedence.
    pub fn plain_error(&mut self, position: Position, message: impl Into<String>) -> Reported {
        let (position, message) = match self.token.kind {
            TokenKind::Error => (Position(self.lexer.error.0), self.lexer.error.1.to_owned()),
            // An error at the end of the file is reported at its last character.
            TokenKind::End if position == self.position() => {
                (Position(position.0.saturating_sub(1)), message.into())
            }
            _ => (position, message.into()),
        };
        let location = self.location_at(position);
        self.diagnostics.error(location, message);
        Reported
    }

    pub(crate) fn note(&mut self, position: Position, message: impl Into<String>) {
        let location = self.location_at(position);
        if let Some(diagnostic) = self.diagnostics.all.last_mut() {
            diagnostic.note(location, message);
        }
    }

    pub(crate) fn hint(&mut self, message: impl Into<String>) {
        if let Some(diagnostic) = self.diagnostics.all.last_mut() {
            diagnostic.hint(message);
        }
    }

    /// Records an error for an unexpected next token, at the end of the token before it.
    pub(crate) fn wrong_token(&mut self, message: impl Into<String>) -> Reported {
        let mut end = self.token.start as usize;
        let bytes = self.source.as_bytes();
        let original = self.position();
        loop {
            while end > 0 && matches!(bytes[end - 1], b' ' | b'\t') {
                end -= 1;
            }
            if end == 0 {
                return self.plain_error(original, message);
            }
            if !matches!(bytes[end - 1], b'\n' | b'\r') {
                return self.plain_error(Position(crate::text::lexer::offset(end)), message);
            }
            end -= 1;
            let line_start = bytes[..end]
                .iter()
                .rposition(|b| matches!(b, b'\n' | b'\r'))
                .map_or(0, |i| i + 1);
            if let Some(comment) = self.source.as_bytes()[line_start..end]
                .windows(2)
                .position(|w| w == b"//")
            {
                end = line_start + comment;
            }
        }
    }

    /// Counts one level of nesting; the caller decrements it.
    pub(crate) fn enter(&mut self) -> ParseResult<()> {
        if self.depth >= self.max_depth {
            let nested = u64::from(self.depth) + 1;
            let excess = self.context.limits.check(Limit::NestingLevels, nested);
            // If the limit is not exceeded, another parser reads the text again, and this message is not used.
            let excess = excess.map_or_else(|excess| excess.to_string(), |()| "deeply".to_owned());
            return Err(self.plain_error(self.position(), format!("nested {excess}")));
        }
        self.depth += 1;
        Ok(())
    }

    // Tokens.

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.token = self.lexer.next();
    }

    /// Continues at a byte offset.
    pub(crate) fn seek(&mut self, offset: u32) {
        self.lexer.seek(offset);
        self.advance();
    }

    #[inline]
    pub(crate) fn is(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    #[inline]
    pub(crate) fn slice(&self, start: u32, end: u32) -> &'a str {
        &self.source[start as usize..end as usize]
    }

    /// Returns the text of the next token.
    #[inline]
    pub(crate) fn spelling(&self) -> &'a str {
        self.slice(self.token.start, self.token.end)
    }

    #[inline]
    pub(crate) fn accept(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    #[inline]
    pub(crate) fn expect(&mut self, kind: TokenKind, message: &str) -> ParseResult<()> {
        if self.accept(kind) {
            Ok(())
        } else {
            Err(self.wrong_token(message))
        }
    }

    // Keywords and punctuation.

    /// Reads the keyword `keyword`.
    pub fn parse_keyword(&mut self, keyword: &str) -> ParseResult<()> {
        if self.parse_optional_keyword(keyword) {
            return Ok(());
        }
        Err(self.error_here(format!("expected '{keyword}'")))
    }

    /// Reads the keyword `keyword` if it is next.
    #[inline]
    pub fn parse_optional_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is(TokenKind::Bare) && self.spelling() == keyword;
        if found {
            self.advance();
        }
        found
    }

    /// Reads any keyword (bare identifier).
    pub fn parse_any_keyword(&mut self) -> ParseResult<&'a str> {
        match self.parse_optional_any_keyword() {
            Some(keyword) => Ok(keyword),
            None => Err(self.error_here("expected valid keyword")),
        }
    }

    /// Reads any keyword if one is next.
    pub fn parse_optional_any_keyword(&mut self) -> Option<&'a str> {
        let keyword = self.is(TokenKind::Bare).then(|| self.spelling())?;
        self.advance();
        Some(keyword)
    }

    /// Reads one of `keywords` and returns its index.
    pub fn parse_keyword_of(&mut self, keywords: &[&str]) -> ParseResult<usize> {
        let found = self.is(TokenKind::Bare).then(|| self.spelling());
        let number = found.and_then(|found| keywords.iter().position(|k| *k == found));
        match number {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => {
                let keywords: Vec<_> = keywords.iter().map(|k| format!("'{k}'")).collect();
                Err(self.error_here(format!("expected one of {}", keywords.join(", "))))
            }
        }
    }

    /// Reads any keyword or a string.
    pub fn parse_keyword_or_string(&mut self) -> ParseResult<String> {
        match self.parse_optional_any_keyword() {
            Some(keyword) => Ok(keyword.to_owned()),
            None if self.is(TokenKind::String) => self.parse_string(),
            None => Err(self.error_here("expected valid keyword or string")),
        }
    }

    /// Returns true if `text` (keyword or punctuation) is next; `@` is for any symbol.
    pub fn peek(&self, text: &str) -> bool {
        match (TokenKind::of_punctuation(text), text) {
            (Some(kind), _) => self.is(kind),
            (None, "@") => self.is(TokenKind::At),
            (None, "::") => {
                self.is(TokenKind::Colon) && self.source[self.token.end as usize..].starts_with(':')
            }
            (None, _) => self.is(TokenKind::Bare) && self.spelling() == text,
        }
    }

    /// Reads punctuation: one of `( ) [ ] { } < > , : :: = -> ? * + - | ...`.
    pub fn parse_punctuation(&mut self, punctuation: &str) -> ParseResult<()> {
        if self.parse_optional_punctuation(punctuation) {
            return Ok(());
        }
        Err(self.wrong_token(format!("expected '{punctuation}'")))
    }

    /// Reads punctuation if it is next.
    #[inline]
    pub fn parse_optional_punctuation(&mut self, punctuation: &str) -> bool {
        match TokenKind::of_punctuation(punctuation) {
            Some(kind) => self.accept(kind),
            None => self.parse_optional_double_colon(),
        }
    }

    pub(crate) fn parse_optional_double_colon(&mut self) -> bool {
        let found = self.peek("::");
        if found {
            self.seek(self.token.start + 2);
        }
        found
    }

    /// Reads a keyword or punctuation, whichever `literal` is.
    pub fn parse_literal(&mut self, literal: &str) -> ParseResult<()> {
        if is_keyword(literal) {
            self.parse_keyword(literal)
        } else {
            self.parse_punctuation(literal)
        }
    }

    /// Reads a keyword or punctuation if it is next.
    pub fn parse_optional_literal(&mut self, literal: &str) -> bool {
        if is_keyword(literal) {
            self.parse_optional_keyword(literal)
        } else {
            self.parse_optional_punctuation(literal)
        }
    }

    // Literals.

    /// Reads a string; must be UTF-8.
    pub fn parse_string(&mut self) -> ParseResult<String> {
        match self.parse_optional_string()? {
            Some(text) => Ok(text),
            None => Err(self.error_here("expected string")),
        }
    }

    /// Reads a string if one is next.
    pub fn parse_optional_string(&mut self) -> ParseResult<Option<String>> {
        if !self.is(TokenKind::String) {
            return Ok(None);
        }
        let position = self.position();
        match String::from_utf8(unescape(self.spelling())) {
            Ok(text) => {
                self.advance();
                Ok(Some(text))
            }
            Err(_) => Err(self.error(position, "expected UTF-8 text")),
        }
    }

    /// Reads an integer, with an optional minus.
    pub fn parse_integer(&mut self) -> ParseResult<i64> {
        match self.parse_optional_integer()? {
            Some(value) => Ok(value),
            None => Err(self.error_here("expected integer value")),
        }
    }

    /// Reads an integer if one is next.
    pub fn parse_optional_integer(&mut self) -> ParseResult<Option<i64>> {
        let position = self.position();
        let negative = match self.token.kind {
            TokenKind::Integer => false,
            TokenKind::Minus => {
                self.advance();
                true
            }
            _ => return Ok(None),
        };
        if !self.is(TokenKind::Integer) {
            return Err(self.wrong_token("expected integer value"));
        }
        let value = self.magnitude().and_then(|magnitude| match negative {
            true => 0i64.checked_sub_unsigned(magnitude),
            false => i64::try_from(magnitude).ok(),
        });
        self.advance();
        match value {
            Some(value) => Ok(Some(value)),
            None => Err(self.error(position, "integer value too large")),
        }
    }

    /// Reads the digits of an unsigned integer of any size, as written.
    pub fn parse_integer_digits(&mut self) -> ParseResult<&'a str> {
        let digits = self.spelling();
        self.expect(TokenKind::Integer, "expected integer value")?;
        Ok(digits)
    }

    /// Reads an unsigned integer.
    pub fn parse_unsigned(&mut self) -> ParseResult<u64> {
        let position = self.position();
        if !self.is(TokenKind::Integer) {
            return Err(self.error(position, "expected integer value"));
        }
        let value = self.magnitude();
        self.advance();
        value.ok_or_else(|| self.error(position, "integer value too large"))
    }

    /// Returns the value of the next integer, decimal or `0x...`; `None` if it does not fit 64 bits.
    pub(crate) fn magnitude(&self) -> Option<u64> {
        let text = self.spelling();
        let value = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        value.ok()
    }

    // Lists.

    /// Reads a list; `element` reads one element.
    pub fn parse_comma_separated(
        &mut self,
        delimiter: Delimiter,
        element: impl FnMut(&mut Self) -> ParseResult<()>,
    ) -> ParseResult<()> {
        self.parse_comma_separated_in(delimiter, "", element)
    }

    /// Parses as [`Parser::parse_comma_separated`] does; messages name the construct that contains the list: `" in location"`.
    pub fn parse_comma_separated_in(
        &mut self,
        delimiter: Delimiter,
        part_of: &str,
        mut element: impl FnMut(&mut Self) -> ParseResult<()>,
    ) -> ParseResult<()> {
        let Some((open, close, optional)) = delimiter.tokens() else {
            element(self)?;
            while self.accept(TokenKind::Comma) {
                element(self)?;
            }
            return Ok(());
        };
        if !self.parse_optional_punctuation(open) {
            if optional {
                return Ok(());
            }
            return Err(self.wrong_token(format!("expected '{open}'{part_of}")));
        }
        if self.parse_optional_punctuation(close) {
            return Ok(());
        }
        element(self)?;
        while self.accept(TokenKind::Comma) {
            element(self)?;
        }
        if part_of.is_empty() || self.parse_optional_punctuation(close) {
            return match part_of {
                "" => self.parse_punctuation(close),
                _ => Ok(()),
            };
        }
        Err(self.wrong_token(format!("expected '{close}'{part_of}")))
    }
}

/// Returns true if a literal of a format is a keyword; otherwise it is punctuation.
#[inline]
fn is_keyword(literal: &str) -> bool {
    let first = literal.as_bytes().first();
    first.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}
