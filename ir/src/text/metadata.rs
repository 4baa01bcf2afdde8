//! File metadata, `{-# ... #-}`: the resources of dialects and of external providers.

use crate::attributes::AttributeKind;
use crate::body::Body;
use crate::context::Context;
use crate::ids::{Attribute, OperationId};
use crate::module::Module;
use crate::resources::{Resource, ResourceGroup, ResourceValue};
use crate::text::lexer::{TokenKind, unescape};
use crate::text::parser::Parser;
use crate::text::printer::Printer;
use crate::text::{ParseResult, Position, PrintOptions};

/// The dialect whose `dense_resource` attributes refer to resources.
const OWNER: &str = "builtin";

impl<'a> Parser<'a> {
    /// Parses `{-# key: { ... }, ... #-}`.
    pub(crate) fn metadata(&mut self) -> ParseResult<()> {
        self.advance();
        if self.accept(TokenKind::MetadataEnd) {
            return Ok(());
        }
        loop {
            let position = self.position();
            let Some(key) = self.metadata_key()? else {
                let message = "expected identifier key in file metadata dictionary";
                return Err(self.plain_error(position, message));
            };
            self.expect(TokenKind::Colon, "expected ':'")?;
            match key.as_str() {
                "dialect_resources" => self.groups(true)?,
                "external_resources" => self.groups(false)?,
                _ => {
                    let message = format!("unknown key '{key}' in file metadata dictionary");
                    return Err(self.plain_error(position, message));
                }
            }
            if !self.accept(TokenKind::Comma) {
                let message = "expected '#-}' to end file metadata";
                return self.expect(TokenKind::MetadataEnd, message);
            }
        }
    }

    /// Reads a keyword or a string.
    fn metadata_key(&mut self) -> ParseResult<Option<String>> {
        if self.is(TokenKind::String) {
            let bytes = unescape(self.spelling());
            self.advance();
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if self.is(TokenKind::Bare) {
            let key = self.spelling().to_owned();
            self.advance();
            return Ok(Some(key));
        }
        Ok(None)
    }

    /// Parses `{ key: ..., ... }`.
    fn entries(
        &mut self,
        mut entry: impl FnMut(&mut Self, String, Position) -> ParseResult<()>,
    ) -> ParseResult<()> {
        self.expect(TokenKind::LeftBrace, "expected '{'")?;
        if self.accept(TokenKind::RightBrace) {
            return Ok(());
        }
        loop {
            let position = self.position();
            let Some(key) = self.metadata_key()? else {
                let message = "expected identifier key for 'resource' entry";
                return Err(self.plain_error(position, message));
            };
            self.expect(TokenKind::Colon, "expected ':'")?;
            entry(self, key, position)?;
            if !self.accept(TokenKind::Comma) {
                return self.expect(TokenKind::RightBrace, "expected '}'");
            }
        }
    }

    fn groups(&mut self, dialects: bool) -> ParseResult<()> {
        self.entries(|parser, owner, position| {
            if dialects && parser.context.dialect(&owner).is_none() {
                let message = format!("dialect '{owner}' is unknown");
                return Err(parser.plain_error(position, message));
            }
            let mut entries = Vec::new();
            parser.entries(|parser, key, position| {
                if dialects && owner != OWNER {
                    let message = format!("unknown 'resource' key '{key}' for dialect '{owner}'");
                    return Err(parser.plain_error(position, message));
                }
                let value = parser.resource_value(&key, position, dialects)?;
                entries.push(Resource { key, value });
                Ok(())
            })?;
            let groups = match dialects {
                true => &mut parser.resources.dialect,
                false => &mut parser.resources.external,
            };
            groups.push(ResourceGroup { owner, entries });
            Ok(())
        })
    }

    fn resource_value(
        &mut self,
        key: &str,
        position: Position,
        only_blobs: bool,
    ) -> ParseResult<ResourceValue> {
        let wanted = format!("expected hex string blob for key '{key}'");
        let spelling = self.spelling();
        let value = match self.token.kind {
            TokenKind::String => {
                let text = String::from_utf8_lossy(&unescape(spelling)).into_owned();
                match text.strip_prefix("0x").map(hex_bytes) {
                    Some(Some(bytes)) => match bytes.split_first_chunk::<4>() {
                        Some((alignment, data)) => ResourceValue::Blob {
                            alignment: u32::from_le_bytes(*alignment),
                            data: data.to_vec(),
                        },
                        None => {
                            let message = format!("{wanted} to encode alignment in first 4 bytes");
                            return Err(self.plain_error(position, message));
                        }
                    },
                    _ if only_blobs => return Err(self.plain_error(position, wanted)),
                    _ => ResourceValue::String(text),
                }
            }
            TokenKind::Bare if matches!(spelling, "true" | "false") && !only_blobs => {
                ResourceValue::Bool(spelling == "true")
            }
            _ => return Err(self.plain_error(position, wanted)),
        };
        self.advance();
        Ok(value)
    }
}

/// Returns the bytes of an even number of hexadecimal digits.
fn hex_bytes(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16);
    digits
        .chunks_exact(2)
        .map(|pair| u8::try_from(value(pair[0])? * 16 + value(pair[1])?).ok())
        .collect()
}

/// Returns the metadata of `module` as text: resources of dialects that an attribute refers to, and all others.
pub(crate) fn metadata_text(context: &Context, module: &Module) -> String {
    if module.resources.is_empty() {
        return String::new();
    }
    let mut used = Vec::new();
    keys_in(context, &module.body, module.operation, &mut used);
    let mut dialect = module.resources.dialect.clone();
    for group in &mut dialect {
        group.entries.retain(|entry| used.contains(&entry.key));
    }
    let sections = [
        ("dialect_resources", &dialect),
        ("external_resources", &module.resources.external),
    ];
    let mut text = String::new();
    for (name, groups) in sections {
        let groups: Vec<_> = groups.iter().filter(|g| !g.entries.is_empty()).collect();
        if groups.is_empty() {
            continue;
        }
        let groups: Vec<String> = groups.iter().map(|g| group_text(context, g)).collect();
        text += if text.is_empty() { "\n{-#\n" } else { ",\n" };
        text += &format!("  {name}: {{\n{}\n  }}", groups.join(",\n"));
    }
    if !text.is_empty() {
        text += "\n#-}\n";
    }
    text
}

fn group_text(context: &Context, group: &ResourceGroup) -> String {
    let quoted = |text: &str| {
        let mut printer = Printer::new(context, PrintOptions::default());
        printer.quoted(text.as_bytes());
        printer.out
    };
    let name = |text: &str| match crate::text::lexer::is_bare(text) {
        true => text.to_owned(),
        false => quoted(text),
    };
    let entry = |entry: &Resource| {
        let value = match &entry.value {
            ResourceValue::Blob { alignment, data } => {
                let bytes = alignment.to_le_bytes();
                let digits: String = (bytes.iter().chain(data))
                    .map(|byte| format!("{byte:02X}"))
                    .collect();
                format!("\"0x{digits}\"")
            }
            ResourceValue::Bool(value) => value.to_string(),
            ResourceValue::String(text) => quoted(text),
        };
        format!("      {}: {value}", name(&entry.key))
    };
    let entries: Vec<String> = group.entries.iter().map(entry).collect();
    format!(
        "    {}: {{\n{}\n    }}",
        name(&group.owner),
        entries.join(",\n")
    )
}

/// Adds the keys of the resources that the attributes of `op`, and of operations nested in it, refer to.
fn keys_in(context: &Context, body: &Body, op: OperationId, keys: &mut Vec<String>) {
    for (_, attribute) in body.attributes(op) {
        keys_of(context, *attribute, keys);
    }
    let inner = body.inner(op);
    for region in body.regions(op) {
        for block in inner.blocks(*region) {
            for op in inner.operations(*block) {
                keys_in(context, inner, op, keys);
            }
        }
    }
}

fn keys_of(context: &Context, attribute: Attribute, keys: &mut Vec<String>) {
    match attribute.kind(context) {
        AttributeKind::DenseResource { key, .. } => keys.push(context.text(*key).to_owned()),
        AttributeKind::Array(elements) => {
            for element in elements {
                keys_of(context, *element, keys);
            }
        }
        AttributeKind::Dictionary(entries) => {
            for (_, value) in entries {
                keys_of(context, *value, keys);
            }
        }
        AttributeKind::Dialect { parameters, .. } => {
            for parameter in parameters {
                keys_of(context, *parameter, keys);
            }
        }
        _ => {}
    }
}
