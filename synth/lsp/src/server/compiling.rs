//! Compilations after a pause in typing: their errors, warnings and figures.

use lsp_types::{
    CodeLens, CodeLensParams, Command, Diagnostic, InlayHint, InlayHintLabel, InlayHintParams,
    InlayHintTooltip, MarkupContent, MarkupKind, TextDocumentContentChangeEvent, Uri,
};
use serde_json::{Value, json};
use sluice_dialects::{handshake, hw};

use super::{Document, Server, params, published, value};
use crate::compilation::{Compilation, Compiled, Figures};
use crate::document::Snapshot;
use crate::language::{Language, configuration_of, kernel_of};
use crate::messages::{Refusal, request};
use crate::rendered::{Message, messages};
use crate::yaml;

/// The state of the compilations of a document.
#[derive(Default)]
pub(super) struct CompilingState {
    /// Number of the kernel's and the configuration's newest text.
    pub(super) ticket: u64,
    /// The newest ticket whose compilation was started.
    started: u64,
    /// Errors and warnings of the newest text.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// True if the client shows errors or warnings of a compilation.
    is_shown: bool,
    /// The figures of the newest text that compiled. Lines move with edits.
    figures: Option<Figures>,
}

/// The client's settings for compilations.
#[derive(Default)]
pub(super) struct Settings {
    /// True if the client wants no compilations.
    is_off: bool,
    /// The requests with which the client accepts to be told of new figures.
    refreshes: Vec<&'static str>,
    n_requests: u64,
    /// The running compilation.
    running: Option<(String, u64)>,
}

/// Client capabilities, with the requests that they accept.
const REFRESHES: [(&str, &str); 2] = [
    ("inlayHint", "workspace/inlayHint/refresh"),
    ("codeLens", "workspace/codeLens/refresh"),
];

impl CompilingState {
    /// Creates the state of a text that was not compiled yet.
    pub(super) fn of(ticket: u64) -> Self {
        Self {
            ticket,
            ..Self::default()
        }
    }

    /// Marks the text as changed.
    pub(super) fn outdate(&mut self, ticket: u64) {
        self.ticket = ticket;
        self.diagnostics.clear();
    }

    /// Moves the lines of the figures with an edit.
    pub(super) fn edited(&mut self, change: &TextDocumentContentChangeEvent) {
        let (Some(figures), Some(range)) = (&mut self.figures, change.range) else {
            self.figures = None;
            return;
        };
        let n_new = u32::try_from(change.text.matches('\n').count()).unwrap_or(u32::MAX);
        let n_old = range.end.line.saturating_sub(range.start.line);
        for one in &mut figures.loops {
            // Lines of figures count from one.
            let line = one.line.saturating_sub(1);
            let is_moved = line > range.start.line
                || line == range.start.line && range.start.character == 0 && n_new > 0;
            if is_moved {
                one.line = one.line.saturating_add(n_new).saturating_sub(n_old).max(1);
            }
        }
    }
}

impl Server {
    /// Reads the client's settings from the parameters of `initialize`.
    pub(super) fn set_compiling(&mut self, given: &Value) {
        self.compiling.is_off = given["initializationOptions"]["compile"] == json!(false);
        let workspace = &given["capabilities"]["workspace"];
        let accepted = REFRESHES
            .iter()
            .filter(|(capability, _)| workspace[*capability]["refreshSupport"] == json!(true));
        self.compiling.refreshes = accepted.map(|(_, method)| *method).collect();
    }

    /// Marks the kernel of a configuration as changed.
    pub(super) fn outdate_kernel(&mut self, configuration: &str) {
        let ticket = self.next_generation();
        let uri = configuration.parse::<Uri>().ok();
        let kernel = uri.and_then(|uri| kernel_of(&uri));
        let document = kernel.and_then(|uri| self.documents.get_mut(uri.as_str()));
        if let Some(document) = document {
            document.compiling.outdate(ticket);
        }
    }

    /// Returns the number of a text that waits for its compilation, which starts after a pause without a newer text.
    pub fn awaits_pause(&self) -> Option<u64> {
        let is_free = self.compiling.running.is_none();
        let due = self.due().filter(|_| is_free)?;
        Some(due.compiling.ticket)
    }

    fn due(&self) -> Option<&Document> {
        if self.compiling.is_off || !self.is_running() {
            return None;
        }
        let mut documents = self.documents.values();
        documents.find(|document| {
            document.compiling.started < document.compiling.ticket && document.is_sound_kernel()
        })
    }

    /// Returns the next kernel to compile. Call this after a pause in typing. One compilation runs at a time.
    pub fn next_compilation(&mut self) -> Option<Compilation> {
        if self.compiling.running.is_some() {
            return None;
        }
        let document = self.due()?;
        let (uri, ticket) = (document.uri.clone(), document.compiling.ticket);
        let text = document.snapshot.text.clone();
        let configuration = configuration_of(&uri);
        let configuration = configuration.and_then(|uri| self.documents.get(uri.as_str()));
        let configuration = configuration.map(|document| document.snapshot.text.clone());
        let document = self.documents.get_mut(uri.as_str())?;
        document.compiling.started = ticket;
        self.compiling.running = Some((uri.as_str().to_owned(), ticket));
        Some(Compilation {
            uri,
            text,
            configuration,
            ticket,
        })
    }

    /// Returns whether the text of the running compilation has changed, so that its result is not needed.
    pub fn is_compilation_outdated(&self) -> bool {
        let running = self.compiling.running.as_ref();
        running.is_some_and(|(uri, ticket)| {
            let document = self.documents.get(uri);
            document.is_none_or(|document| document.compiling.ticket != *ticket)
        })
    }

    /// Handles the result of a compilation, and returns the messages to send.
    pub fn compiled(&mut self, compiled: Compiled) -> Vec<Value> {
        self.compiling.running = None;
        let Compiled {
            compilation,
            file,
            messages: text,
            figures,
        } = compiled;
        let configuration = configuration_of(&compilation.uri);
        let configuration = configuration.and_then(|uri| self.documents.get(uri.as_str()));
        let configuration = configuration.map(|document| {
            (
                document.uri.clone(),
                std::sync::Arc::clone(&document.snapshot),
            )
        });
        let Some(document) = self.documents.get_mut(compilation.uri.as_str()) else {
            return Vec::new();
        };
        if document.compiling.ticket != compilation.ticket || self.phase != super::Phase::Running {
            return Vec::new();
        }
        let all = messages(&text, &file).into_iter();
        let (of_keys, of_kernel): (Vec<Message>, Vec<Message>) = all.partition(|message| {
            configuration
                .as_ref()
                .is_some_and(|(_, snapshot)| key_of(message, snapshot).is_some())
        });
        let diagnostics = document.diagnostics_of(&of_kernel, figures.as_ref());
        let mut sent = Vec::new();
        let had_any = document.compiling.is_shown;
        let has_news = document.compiling.figures != figures;
        document.compiling.figures = figures;
        document.compiling.diagnostics = diagnostics;
        if had_any || !document.compiling.diagnostics.is_empty() {
            sent.push(document.published());
        }
        if let Some((uri, snapshot)) = configuration
            && let Some(document) = self.documents.get_mut(uri.as_str())
        {
            let found = of_keys.iter().map(|message| {
                let range = key_of(message, &snapshot).unwrap_or_default();
                message.diagnostic(&snapshot, &uri, range)
            });
            let found: Vec<Diagnostic> = found.collect();
            if found != document.compiling.diagnostics {
                document.compiling.diagnostics = found;
                sent.push(document.published());
            }
        }
        if has_news {
            sent.extend(self.refresh());
        }
        sent
    }

    /// Requests that the client asks for hints and lenses again.
    fn refresh(&mut self) -> Vec<Value> {
        let methods = self.compiling.refreshes.clone();
        let mut sent = Vec::new();
        for method in methods {
            self.compiling.n_requests += 1;
            let id = format!("sluice-{}", self.compiling.n_requests);
            sent.push(request(&id, method));
        }
        sent
    }

    pub(super) fn inlay_hints(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: InlayHintParams = params(given)?;
        let found = self.module(&asked.text_document.uri);
        let found = found.map(|document| {
            let lines = asked.range.start.line..=asked.range.end.line;
            let mut hints = document.hints();
            hints.retain(|hint| lines.contains(&hint.position.line));
            hints
        });
        Ok(value(found))
    }

    pub(super) fn code_lenses(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: CodeLensParams = params(given)?;
        let found = self.module(&asked.text_document.uri);
        Ok(value(found.map(|document| {
            document.lens().into_iter().collect::<Vec<_>>()
        })))
    }
}

/// Returns the range of the key of an open configuration that a message without a place is about: its first word in back quotes.
fn key_of(message: &Message, configuration: &Snapshot) -> Option<lsp_types::Range> {
    if message.place.is_some() {
        return None;
    }
    let word = message.text.split('`').nth(1)?;
    yaml::range_of_key(configuration, word)
}

impl Document {
    /// Returns whether the text is a kernel without errors.
    fn is_sound_kernel(&self) -> bool {
        let is_kernel = || {
            let text = &self.snapshot.text;
            let is_circuit =
                text.contains(hw::Module::NAME) || text.contains(handshake::Func::NAME);
            !is_circuit && yaml::has_function(text)
        };
        let is_sound = self
            .analysis
            .as_ref()
            .is_some_and(|analysis| analysis.module.is_some() && !analysis.has_errors());
        self.language == Language::Mlir && is_sound && is_kernel()
    }

    fn diagnostics_of(&self, found: &[Message], figures: Option<&Figures>) -> Vec<Diagnostic> {
        let snapshot = &self.snapshot;
        // Messages about the whole file are shown at the kernel's function.
        let symbols = snapshot.symbols();
        let top = figures.map(|figures| figures.top.as_str());
        let function = symbols
            .iter()
            .rfind(|symbol| top.is_none_or(|top| symbol.name == top));
        let elsewhere = function.map(|symbol| symbol.selection_range);
        let elsewhere = elsewhere.unwrap_or_default();
        let known = self.analysis.as_ref();
        let known = known.map_or(&[][..], |analysis| &analysis.diagnostics);
        let all = found.iter();
        let all = all.map(|message| message.diagnostic(snapshot, &self.uri, elsewhere));
        // The verifier's warnings are known already.
        let is_new = |one: &Diagnostic| {
            !known
                .iter()
                .any(|known| known.message == one.message && known.range == one.range)
        };
        all.filter(is_new).collect()
    }

    /// Returns the message with the diagnostics of the newest text.
    pub(super) fn published(&mut self) -> Value {
        self.compiling.is_shown = !self.compiling.diagnostics.is_empty();
        let parsed = self.analysis.as_ref();
        let parsed = parsed.map_or(&[][..], |analysis| &analysis.diagnostics);
        let all = parsed.iter().chain(&self.compiling.diagnostics);
        published(self.uri.clone(), all.cloned().collect(), self.version)
    }

    /// Forgets the figures if the text has errors.
    pub(super) fn drop_figures(&mut self) {
        self.compiling.figures = None;
    }

    fn hints(&self) -> Vec<InlayHint> {
        let figures = self.compiling.figures.as_ref();
        let loops = figures.map_or(&[][..], |figures| &figures.loops);
        let mut hints: Vec<InlayHint> = Vec::new();
        for one in loops {
            let start = self
                .snapshot
                .lines
                .parser_byte(&self.snapshot.text, one.line, 1);
            let (_, line) = self.snapshot.line(start);
            let end = start + line.trim_end().len();
            let position = self.snapshot.range(end, end).end;
            let detail = markdown(&one.detail);
            hints.push(InlayHint {
                position,
                label: InlayHintLabel::String(one.label.clone()),
                kind: None,
                text_edits: None,
                tooltip: Some(InlayHintTooltip::MarkupContent(detail)),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            });
        }
        hints
    }

    fn lens(&self) -> Option<CodeLens> {
        let figures = self.compiling.figures.as_ref()?;
        let symbols = self.snapshot.symbols();
        let function = symbols.iter().find(|symbol| symbol.name == figures.top)?;
        Some(CodeLens {
            range: function.selection_range,
            command: Some(Command {
                title: figures.summary.clone(),
                // A lens without an action is only read.
                command: String::new(),
                arguments: None,
            }),
            data: None,
        })
    }
}

fn markdown(text: &str) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value: text.lines().collect::<Vec<_>>().join("  \n"),
    }
}
