//! A language server for `.mlir` files, without its input and output: requests in, answers out.

mod names;
mod positions;

use std::collections::BTreeMap;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DocumentSymbol, Hover,
    HoverContents, Location, MarkupContent, MarkupKind, OneOf, Position, PublishDiagnosticsParams,
    Range, ServerCapabilities, SymbolKind, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde_json::Value;

use names::{Kind, Name, Names};
use positions::Lines;
use sluice_ir::definition::Traits;
use sluice_ir::text::{parse_module, print_type};
use sluice_ir::{Body, Context, Diagnostics, Module, Severity, View, documentation, verifier};

/// What the server can do, for the answer to `initialize`.
pub fn capabilities() -> Value {
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    };
    serde_json::to_value(capabilities).unwrap_or_default()
}

/// The open documents.
#[derive(Default)]
pub struct Server {
    documents: BTreeMap<String, Document>,
}

struct Document {
    text: String,
    lines: Lines,
    names: Names,
}

/// A message to the client: method and parameters.
pub type Notification = (&'static str, Value);

impl Server {
    /// Takes in a notification; returns what is to be sent.
    pub fn notify(&mut self, method: &str, params: &Value) -> Option<Notification> {
        let document = &params["textDocument"];
        let uri = document["uri"].as_str()?;
        let text = match method {
            "textDocument/didOpen" => document["text"].as_str()?,
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array()?;
                changes.last()?["text"].as_str()?
            }
            "textDocument/didClose" => {
                self.documents.remove(uri);
                return None;
            }
            _ => return None,
        };
        let document = Document {
            lines: Lines::new(text),
            names: Names::new(text),
            text: text.to_owned(),
        };
        let uri_type: Uri = uri.parse().ok()?;
        let published = PublishDiagnosticsParams {
            diagnostics: document.diagnostics(&uri_type),
            uri: uri_type,
            version: None,
        };
        self.documents.insert(uri.to_owned(), document);
        let params = serde_json::to_value(published).ok()?;
        Some(("textDocument/publishDiagnostics", params))
    }

    /// Answers a request; `None` for a method that is not known.
    pub fn answer(&self, method: &str, params: &Value) -> Option<Value> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let known = [
            "textDocument/hover",
            "textDocument/definition",
            "textDocument/references",
            "textDocument/documentSymbol",
        ];
        if !known.contains(&method) {
            return None;
        }
        let Some(document) = self.documents.get(uri) else {
            return Some(Value::Null);
        };
        let position: Position =
            serde_json::from_value(params["position"].clone()).unwrap_or_default();
        let at = document.lines.offset(&document.text, position);
        let answer = match method {
            "textDocument/hover" => serde_json::to_value(document.hover(at)),
            "textDocument/definition" => {
                let found = document.definition(at);
                serde_json::to_value(found.and_then(|name| document.location(uri, name)))
            }
            "textDocument/references" => {
                let all = document.references(at);
                let all = all
                    .into_iter()
                    .filter_map(|name| document.location(uri, name));
                serde_json::to_value(all.collect::<Vec<_>>())
            }
            _ => serde_json::to_value(document.symbols()),
        };
        Some(answer.unwrap_or(Value::Null))
    }
}

/// The name under which a document is parsed.
const FILE: &str = "document";

fn context() -> Context {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    context
}

impl Document {
    fn range(&self, name: &Name) -> Range {
        self.lines.range(&self.text, name.start, name.end)
    }

    fn location(&self, uri: &str, name: &Name) -> Option<Location> {
        Some(Location {
            uri: uri.parse().ok()?,
            range: self.range(name),
        })
    }

    /// The module, as far as it is right, and what is wrong with it.
    fn parse(&self, context: &Context) -> (Option<Module>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let module = parse_module(context, &self.text, FILE, &mut diagnostics);
        if let Some(module) = &module {
            verifier::verify(context, module, &mut diagnostics);
        }
        (module, diagnostics)
    }

    /// The word or name that starts at a place.
    fn range_at(&self, line: u32, column: u32) -> Range {
        let start = self.lines.byte(&self.text, line, column);
        let start = (0..=start)
            .rev()
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or(0);
        let is_part = |c: char| c.is_alphanumeric() || "_.$-%@^#!".contains(c);
        let length = self.text[start..].find(|c| !is_part(c));
        let end = start + length.unwrap_or(self.text.len() - start);
        self.lines.range(&self.text, start, end.max(start + 1))
    }

    fn diagnostics(&self, uri: &Uri) -> Vec<Diagnostic> {
        let context = context();
        let (_, found) = self.parse(&context);
        let place = |location: sluice_ir::Location| {
            let place = location.file_line_column(&context);
            let (_, line, column) = place.unwrap_or((FILE, 1, 1));
            self.range_at(line.max(1), column.max(1))
        };
        let all = found.all.iter().map(|diagnostic| {
            let mut message = diagnostic.message.clone();
            for hint in &diagnostic.hints {
                message += &format!("\n{hint}");
            }
            let notes = diagnostic.notes.iter();
            let related = notes.map(|(location, note)| DiagnosticRelatedInformation {
                location: Location {
                    uri: uri.clone(),
                    range: place(*location),
                },
                message: note.clone(),
            });
            Diagnostic {
                range: place(diagnostic.location),
                severity: Some(match diagnostic.severity {
                    Severity::Error => DiagnosticSeverity::ERROR,
                    Severity::Warning => DiagnosticSeverity::WARNING,
                    Severity::Remark => DiagnosticSeverity::INFORMATION,
                }),
                source: Some("sluice".to_owned()),
                message,
                related_information: Some(related.collect()),
                ..Diagnostic::default()
            }
        });
        all.collect()
    }

    fn definition(&self, at: usize) -> Option<&Name> {
        let name = self.names.at(at)?;
        self.names.definition(&self.text, name)
    }

    fn references(&self, at: usize) -> Vec<&Name> {
        let name = self.names.at(at);
        name.map(|name| self.names.references(&self.text, name))
            .unwrap_or_default()
    }

    fn hover(&self, at: usize) -> Option<Hover> {
        let (text, range) = match self.names.at(at) {
            Some(name) => {
                let definition = self.names.definition(&self.text, name)?;
                (self.describe(definition)?, self.range(name))
            }
            None => self.describe_operation(at)?,
        };
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: text,
            }),
            range: Some(range),
        })
    }

    /// The documentation of the operation whose name is at byte `at`.
    fn describe_operation(&self, at: usize) -> Option<(String, Range)> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let before = self.text.get(..at)?;
        let start = before.rfind(|c| !is_part(c)).map_or(0, |i| i + 1);
        let length = self.text[at..].find(|c| !is_part(c));
        let end = at + length.unwrap_or(self.text.len() - at);
        let word = &self.text[start..end];
        let context = context();
        // The dialect may be left out where it goes without saying.
        let full = [
            word.to_owned(),
            format!("func.{word}"),
            format!("builtin.{word}"),
        ];
        let definition = full
            .iter()
            .filter(|name| name.contains('.'))
            .find_map(|name| {
                context
                    .operation_name_data(context.operation_name(name))
                    .definition
            })?;
        let text = documentation::operation_page(definition);
        Some((text, self.lines.range(&self.text, start, end)))
    }

    /// What is known of a definition: its type, or the line that declares it.
    fn describe(&self, definition: &Name) -> Option<String> {
        let name = &self.text[definition.start..definition.end];
        let line_start = self.text[..definition.start]
            .rfind('\n')
            .map_or(0, |i| i + 1);
        let line = self.text[line_start..]
            .lines()
            .next()
            .unwrap_or_default()
            .trim();
        if definition.kind != Kind::Value {
            return Some(format!("```mlir\n{line}\n```"));
        }
        let context = context();
        let (module, _) = self.parse(&context);
        let ty = module.and_then(|module| {
            let place = self.lines.position(&self.text, definition.start);
            let line = place.line + 1;
            let column = definition.start - line_start + 1;
            let name = &name[1..];
            value_type(
                &context,
                &module.body,
                module.operation,
                (line, column),
                name,
            )
        });
        let ty = ty.map(|ty| format!(" : {ty}")).unwrap_or_default();
        Some(format!(
            "```mlir\n{name}{ty}\n```\ndefined by\n```mlir\n{line}\n```"
        ))
    }

    /// Functions and other symbols.
    fn symbols(&self) -> Vec<DocumentSymbol> {
        let symbols = self.names.all.iter();
        let symbols = symbols.filter(|name| name.kind == Kind::Symbol && name.is_definition);
        symbols
            .map(|name| {
                let line_start = self.text[..name.start].rfind('\n').map_or(0, |i| i + 1);
                let line = self.text[line_start..].lines().next().unwrap_or_default();
                let kind = if line.contains("module") {
                    SymbolKind::MODULE
                } else if line.contains("global") {
                    SymbolKind::VARIABLE
                } else {
                    SymbolKind::FUNCTION
                };
                #[allow(deprecated)]
                DocumentSymbol {
                    name: self.text[name.start + 1..name.end].to_owned(),
                    detail: Some(line.trim().trim_end_matches('{').trim().to_owned()),
                    kind,
                    tags: None,
                    deprecated: None,
                    range: self
                        .lines
                        .range(&self.text, line_start, line_start + line.len()),
                    selection_range: self.range(name),
                    children: None,
                }
            })
            .collect()
    }
}

/// The type of the value that is defined on a line, at a column or as a named result.
fn value_type(
    context: &Context,
    body: &Body,
    op: sluice_ir::OperationId,
    (line, column): (u32, usize),
    name: &str,
) -> Option<String> {
    let view = View::new(context, body, op);
    let place = view.location().file_line_column(context);
    if place.is_some_and(|(_, at, _)| at == line) {
        let named = view.results().iter().find(|value| {
            let known = body.value_name(**value).map(|name| context.text(name));
            known.is_none_or(|known| known == name)
        });
        let is_numbered = name.bytes().all(|byte| byte.is_ascii_digit());
        let found = named.or(view.results().first().filter(|_| is_numbered));
        if let Some(value) = found
            && place.is_some_and(|(_, _, at)| at as usize > column)
        {
            return Some(print_type(context, body.ty(*value)));
        }
    }
    let inner = view.inner();
    for block in view
        .regions()
        .iter()
        .flat_map(|region| inner.blocks(*region))
    {
        for value in inner.arguments(*block) {
            let place = inner.value_location(*value).file_line_column(context);
            let fits = place.is_some_and(|(_, l, c)| l == line && c as usize == column);
            let known = inner.value_name(*value).map(|name| context.text(name));
            let by_name = known == Some(name) && view.has(Traits::LOOP_LIKE);
            if fits
                || by_name
                    && view
                        .location()
                        .file_line_column(context)
                        .is_some_and(|(_, l, _)| l == line)
            {
                return Some(print_type(context, inner.ty(*value)));
            }
        }
        for op in inner.operations(*block) {
            if let Some(found) = value_type(context, inner, op, (line, column), name) {
                return Some(found);
            }
        }
    }
    None
}
