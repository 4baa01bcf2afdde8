//! Analysis of a document with parser and verifier. It runs separately from the messages, so that they need not wait for it.

use std::sync::Arc;

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, Uri,
};
use sluice_ir::definition::Traits;
use sluice_ir::text::{parse_module, print_type};
use sluice_ir::{Body, Context, Diagnostics, Module, Severity, View, verifier};

use crate::document::Snapshot;
use crate::fixes::{Fix, fix_of};
use crate::guard::guarded;
use crate::language::Language;
use crate::yaml;

/// Maximum number of diagnostics of one document.
const MAX_DIAGNOSTICS: usize = 1000;

/// The name under which a document is parsed.
const FILE: &str = "document";

/// A text for analysis.
pub struct Job {
    pub(crate) uri: Uri,
    pub(crate) generation: u64,
    pub(crate) version: Option<i64>,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) language: Language,
    /// True if a configuration has a kernel beside it.
    pub(crate) has_kernel: bool,
}

/// The result of an analysis.
pub struct Finished {
    pub(crate) job: Job,
    /// The analysis, or the message of the panic that ended it.
    pub(crate) outcome: Result<Analysis, String>,
}

/// A module, and the diagnostics of its text.
pub(crate) struct Analysis {
    pub(crate) module: Option<Parsed>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Corrections that the diagnostics suggest.
    pub(crate) fixes: Vec<Fix>,
}

/// A parsed module, with the context that owns its types and names.
pub(crate) struct Parsed {
    context: Context,
    module: Module,
}

/// Returns a context with all dialects, which also accepts unregistered operations.
pub(crate) fn context() -> Context {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    context
}

impl Job {
    /// Analyses the text; a panic becomes an error of the result.
    pub fn run(self) -> Finished {
        let outcome = guarded(|| match self.language {
            Language::Mlir => Analysis::new(&self.snapshot, &self.uri),
            Language::Yaml => Analysis::of_yaml(&self.snapshot, &self.uri, self.has_kernel),
        });
        Finished { job: self, outcome }
    }
}

impl Analysis {
    /// Analyses a YAML file; files of other programs have no diagnostics.
    fn of_yaml(snapshot: &Snapshot, uri: &Uri, has_kernel: bool) -> Self {
        let path = uri.path().as_str();
        let is_ours = yaml::is_configuration(path, &snapshot.text, has_kernel);
        let diagnostics = match is_ours {
            true => yaml::diagnostics(snapshot, path),
            false => Vec::new(),
        };
        Self {
            module: None,
            fixes: fixes(snapshot, &diagnostics),
            diagnostics,
        }
    }

    /// Returns whether one of the diagnostics is an error.
    pub(crate) fn has_errors(&self) -> bool {
        let mut all = self.diagnostics.iter();
        all.any(|found| found.severity == Some(DiagnosticSeverity::ERROR))
    }

    fn new(snapshot: &Snapshot, uri: &Uri) -> Self {
        // Computes the names now, so that later requests do not have to.
        snapshot.names();
        let context = context();
        let mut found = Diagnostics::new();
        let module = parse_module(&context, &snapshot.text, FILE, &mut found);
        if let Some(module) = &module {
            verifier::verify(&context, module, &mut found);
        }
        let mut diagnostics: Vec<Diagnostic> = found
            .all
            .iter()
            .take(MAX_DIAGNOSTICS)
            .map(|diagnostic| converted(&context, snapshot, uri, diagnostic))
            .collect();
        if let Some(more) = found.all.len().checked_sub(MAX_DIAGNOSTICS + 1) {
            let message = format!("{} more messages are not shown", more + 1);
            diagnostics.push(plain(snapshot.range(0, 0), message));
        }
        Self {
            module: module.map(|module| Parsed { context, module }),
            fixes: fixes(snapshot, &diagnostics),
            diagnostics,
        }
    }
}

fn fixes(snapshot: &Snapshot, diagnostics: &[Diagnostic]) -> Vec<Fix> {
    let fixes = diagnostics.iter();
    fixes.filter_map(|found| fix_of(snapshot, found)).collect()
}

/// Creates a warning of the server.
pub(crate) fn plain(range: Range, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::WARNING),
        source: Some("sluice".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

fn converted(
    context: &Context,
    snapshot: &Snapshot,
    uri: &Uri,
    diagnostic: &sluice_ir::Diagnostic,
) -> Diagnostic {
    let place = |location: sluice_ir::Location| {
        let place = location.file_line_column(context);
        // Locations in a text may refer to another file.
        let place = place.filter(|(file, ..)| *file == FILE);
        let (_, line, column) = place.unwrap_or((FILE, 1, 1));
        word_at(snapshot, line, column)
    };
    let mut message = diagnostic.message.clone();
    for hint in &diagnostic.hints {
        message += &format!("\n{hint}");
    }
    let notes = diagnostic.notes.iter().take(MAX_DIAGNOSTICS);
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
}

/// Returns the range of the word or name that starts at a place, or of the character there.
pub(crate) fn word_at(snapshot: &Snapshot, line: u32, column: u32) -> Range {
    let start = snapshot.lines.parser_byte(&snapshot.text, line, column);
    let is_part = |c: char| c.is_alphanumeric() || "_.$-%@^#!".contains(c);
    let rest = snapshot.part(start, snapshot.text.len());
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    snapshot.range(start, start + length.max(first))
}

impl Parsed {
    /// Returns the type of the value `name` (without the `%`) that is defined at a byte offset.
    pub(crate) fn type_of(&self, snapshot: &Snapshot, at: usize, name: &str) -> Option<String> {
        let place = snapshot.lines.parser_place(at);
        let (body, op) = (&self.module.body, self.module.operation);
        value_type(&self.context, body, op, place, name)
    }
}

/// Returns the type of the value that is defined on a line, either at the column or as a result with this name.
fn value_type(
    context: &Context,
    body: &Body,
    op: sluice_ir::OperationId,
    (line, column): (u32, u32),
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
            && place.is_some_and(|(_, _, at)| at > column)
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
            let fits = place.is_some_and(|(_, l, c)| (l, c) == (line, column));
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
