//! Parses locations: `loc(...)`, also as aliases that are defined at the end of the file.

use crate::attributes::AttributeKind;
use crate::ids::{Attribute, Location};
use crate::location::LocationKind;
use crate::text::lexer::TokenKind;
use crate::text::parser::{Map, Parser};
use crate::text::{Delimiter, ParseResult};

impl<'a> Parser<'a> {
    /// Reads `loc(...)` if it is next.
    pub fn parse_optional_location(&mut self) -> ParseResult<Option<Location>> {
        if !self.is(TokenKind::Bare) || self.spelling() != "loc" {
            return Ok(None);
        }
        self.advance();
        self.expect(TokenKind::LeftParen, "expected '(' in location")?;
        let location = self.location_instance()?;
        self.expect(TokenKind::RightParen, "expected ')' in location")?;
        Ok(Some(location))
    }

    /// Reads a location without `loc(` and `)`.
    pub(crate) fn location_instance(&mut self) -> ParseResult<Location> {
        self.enter()?;
        let result = self.location_body();
        self.depth -= 1;
        result
    }

    fn location_body(&mut self) -> ParseResult<Location> {
        match self.token.kind {
            TokenKind::Hash => self.location_alias(),
            TokenKind::String => self.named_location(),
            TokenKind::Bare => match self.spelling() {
                "unknown" => {
                    self.advance();
                    Ok(Location::UNKNOWN)
                }
                "callsite" => self.call_site(),
                "fused" => self.fused(),
                _ => Err(self.wrong_token("expected location instance")),
            },
            _ => Err(self.wrong_token("expected location instance")),
        }
    }

    /// Parses `"file":1`, `"file":1:2`, `"file":1:2 to 3:4`, `"file":1:2 to :4`, `"name"` or `"name"(child)`.
    fn named_location(&mut self) -> ParseResult<Location> {
        let text = self.parse_string()?;
        let context = self.context;
        if self.accept(TokenKind::Colon) {
            let line = self.line_number("expected integer line number in FileLineColLoc")?;
            let file = context.name(&text);
            if !self.accept(TokenKind::Colon) {
                return Ok(context.file_location(file, line, 0));
            }
            let column = self.line_number("expected integer column number in FileLineColLoc")?;
            if !self.parse_optional_keyword("to") {
                return Ok(context.file_location(file, line, column));
            }
            let end_line = match self.is(TokenKind::Colon) {
                true => line,
                false => self
                    .line_number("expected either integer or `:` post `to` in FileLineColRange")?,
            };
            self.expect(
                TokenKind::Colon,
                "expected either integer or `:` post `to` in FileLineColRange",
            )?;
            let message = "expected integer column number in FileLineColRange";
            let end_column = self.line_number(message)?;
            return Ok(context.location(LocationKind::Range {
                file,
                line,
                column,
                end_line,
                end_column,
            }));
        }
        let mut child = Location::UNKNOWN;
        if self.accept(TokenKind::LeftParen) {
            child = self.location_instance()?;
            self.expect(
                TokenKind::RightParen,
                "expected ')' after child location of NameLoc",
            )?;
        }
        Ok(context.location(LocationKind::Name {
            name: context.name(&text),
            child,
        }))
    }

    fn line_number(&mut self, message: &str) -> ParseResult<u32> {
        let number = self
            .is(TokenKind::Integer)
            .then(|| self.magnitude())
            .flatten()
            .and_then(|number| u32::try_from(number).ok());
        match number {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => Err(self.wrong_token(message)),
        }
    }

    fn call_site(&mut self) -> ParseResult<Location> {
        self.advance();
        self.expect(TokenKind::LeftParen, "expected '(' in callsite location")?;
        let callee = self.location_instance()?;
        if !self.parse_optional_keyword("at") {
            return Err(self.wrong_token("expected 'at' in callsite location"));
        }
        let caller = self.location_instance()?;
        self.expect(TokenKind::RightParen, "expected ')' in callsite location")?;
        Ok(self
            .context
            .location(LocationKind::CallSite { callee, caller }))
    }

    fn fused(&mut self) -> ParseResult<Location> {
        self.advance();
        let mut metadata = None;
        if self.accept(TokenKind::Less) {
            metadata = Some(self.parse_attribute()?);
            self.expect(
                TokenKind::Greater,
                "expected '>' after fused location metadata",
            )?;
        }
        let mut parts = Vec::new();
        self.parse_comma_separated_in(Delimiter::Square, " in fused location", |parser| {
            let part = parser.location_instance()?;
            parts.push(part);
            Ok(())
        })?;
        Ok(fuse(self.context, &parts, metadata))
    }

    fn location_alias(&mut self) -> ParseResult<Location> {
        let name = &self.spelling()[1..];
        let position = self.position();
        if name.contains('.') {
            // There is no dialect attribute that is a location.
            let message = format!("expected location, but found dialect attribute: '#{name}'");
            return Err(self.plain_error(position, message));
        }
        let attribute = match self.attribute_aliases.get(name).copied() {
            Some(attribute) => Some(attribute),
            None => self.deferred_alias(name)?,
        };
        let Some(attribute) = attribute else {
            return Err(self.plain_error(position, "operation location alias was never defined"));
        };
        match attribute.kind(self.context) {
            AttributeKind::Location(location) => {
                self.advance();
                Ok(*location)
            }
            _ => {
                let text = crate::text::print_attribute(self.context, attribute);
                Err(self.plain_error(position, format!("expected location, but found '{text}'")))
            }
        }
    }

    /// Returns the location alias `name` that is defined later in the file.
    fn deferred_alias(&mut self, name: &'a str) -> ParseResult<Option<Attribute>> {
        let source = self.source;
        let offsets = self.alias_offsets.get_or_init(|| alias_lines(source));
        let offset = offsets.get(name).copied();
        let Some(offset) = offset else {
            return Ok(None);
        };
        if self.pending_aliases.contains(&name) {
            return Ok(None);
        }
        self.pending_aliases.push(name);
        let (lexer, token) = (self.lexer, self.token);
        self.seek(offset);
        let result = self.parse_attribute();
        (self.lexer, self.token) = (lexer, token);
        self.pending_aliases.pop();
        result.map(Some)
    }
}

/// Returns the offsets in `source` of the values of attribute aliases that are defined at the start of a line.
fn alias_lines(source: &str) -> Map<Box<str>, u32> {
    let mut offsets = Map::default();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_start();
        if let Some(definition) = text.strip_prefix('#')
            && let Some((name, value)) = definition.split_once('=')
        {
            let at = start + line.len() - value.len();
            offsets
                .entry(name.trim_end().into())
                .or_insert_with(|| crate::text::lexer::offset(at));
        }
        start += line.len();
    }
    offsets
}

/// Returns a fused location: parts of fused parts without metadata are inserted directly, unknown and duplicate parts are
/// omitted.
pub(crate) fn fuse(
    context: &crate::context::Context,
    parts: &[Location],
    metadata: Option<Attribute>,
) -> Location {
    let mut all: Vec<Location> = Vec::new();
    let mut push = |location: Location| {
        if location != Location::UNKNOWN && !all.contains(&location) {
            all.push(location);
        }
    };
    for part in parts {
        match &*part.kind(context) {
            LocationKind::Fused {
                parts,
                metadata: inner,
            } if *inner == metadata => {
                parts.iter().for_each(|part| push(*part));
            }
            _ => push(*part),
        }
    }
    match (all.as_slice(), metadata) {
        ([], None) => Location::UNKNOWN,
        ([only], None) => *only,
        ([], Some(_)) => context.location(LocationKind::Fused {
            parts: Box::new([Location::UNKNOWN]),
            metadata,
        }),
        _ => context.location(LocationKind::Fused {
            parts: all.into(),
            metadata,
        }),
    }
}
