//! The server as a state machine: messages in, messages out, and analyses that its owner runs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use capabilities::capabilities;
use errands::Errand;
use lsp_types::{MessageType, PublishDiagnosticsParams, TextDocumentPositionParams, Uri};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use workspace::Workspace;

use crate::analysis::{Analysis, Finished, Job, plain};
use crate::document::Snapshot;
use crate::guard::guarded;
use crate::hover::hover;
use crate::language::Language;
use crate::messages::{Code, Incoming, Refusal, logged, notification, refused, result};
use crate::operations::Operations;
use crate::positions::Encoding;

mod capabilities;
mod compiling;
mod documents;
mod edits;
pub(crate) mod errands;
mod requests;
mod workspace;

/// Maximum number of concurrent analyses: one of an outdated text, and one for which a request waits.
const MAX_RUNNING: usize = 2;

/// The state of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`.
    Closing,
    Ended {
        was_closed: bool,
    },
}

/// An open document.
struct Document {
    uri: Uri,
    snapshot: Arc<Snapshot>,
    language: Language,
    /// The client's version number of this text.
    version: Option<i64>,
    /// Number of this text; every text of any document has a new one.
    generation: u64,
    /// The generation of the text with which the document was opened.
    opened: u64,
    /// The newest generation whose analysis was started.
    started: u64,
    /// The analysis of this text, once it is finished.
    analysis: Option<Analysis>,
    compiling: compiling::CompilingState,
    waiting: Vec<Waiting>,
}

/// A request that waits for the analysis of a text.
struct Waiting {
    id: Value,
    generation: u64,
    params: TextDocumentPositionParams,
}

/// A language server.
pub struct Server {
    phase: Phase,
    encoding: Encoding,
    documents: BTreeMap<String, Document>,
    /// The number of texts so far.
    generation: u64,
    n_running: usize,
    /// Work for the owner, in order.
    errands: VecDeque<Errand>,
    /// Texts of kernels that are not open and have an open configuration.
    kernels_beside: BTreeMap<String, String>,
    operations: Operations,
    workspace: Workspace,
    compiling: compiling::Settings,
    /// Function that answers requests without an analysis.
    answering: fn(&Server, &str, &Value) -> Answer,
}

/// The immediate answer to a request.
enum Answer {
    Result(Value),
    Refused(Refusal),
    /// The request waits for the analysis of the document.
    Waits(TextDocumentPositionParams),
}

impl Default for Server {
    fn default() -> Self {
        Self {
            phase: Phase::New,
            encoding: Encoding::default(),
            documents: BTreeMap::new(),
            generation: 0,
            n_running: 0,
            errands: VecDeque::new(),
            kernels_beside: BTreeMap::new(),
            operations: Operations::new(),
            workspace: Workspace::default(),
            compiling: compiling::Settings::default(),
            answering: Server::answer,
        }
    }
}

fn params<T: DeserializeOwned>(params: &Value) -> Result<T, Refusal> {
    T::deserialize(params).map_err(|why| (Code::InvalidParams, format!("invalid params: {why}")))
}

fn value(result: impl serde::Serialize) -> Value {
    serde_json::to_value(result).unwrap_or(Value::Null)
}

/// Describes a request for the log: method, document and position.
fn shown(method: &str, params: &Value) -> String {
    let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
    let position = &params["position"];
    let position = match (position["line"].as_u64(), position["character"].as_u64()) {
        (Some(line), Some(character)) => format!(" at {line}:{character}"),
        _ => String::new(),
    };
    let text: String = format!("{method} {uri}{position}")
        .chars()
        .take(300)
        .collect();
    text.trim().to_owned()
}

impl Server {
    /// Returns `None` while the session runs, else whether the client requested its end with `shutdown`.
    pub fn ended(&self) -> Option<bool> {
        match self.phase {
            Phase::Ended { was_closed } => Some(was_closed),
            Phase::New | Phase::Running | Phase::Closing => None,
        }
    }

    /// Handles the end of the client's stream.
    pub fn disconnect(&mut self) {
        let was_closed = self.phase == Phase::Closing;
        self.phase = Phase::Ended { was_closed };
    }

    /// Handles bytes that are not a message, and returns the messages to send.
    pub fn broken(&mut self, why: &str) -> Vec<Value> {
        vec![refused(&Value::Null, Code::ParseError, why)]
    }

    /// Handles a message, and returns the messages to send.
    pub fn receive(&mut self, message: &[u8]) -> Vec<Value> {
        match Incoming::parse(message) {
            Err(answer) => vec![answer],
            Ok(Incoming::Response) => Vec::new(),
            Ok(Incoming::Notification { method, params }) => self.notified(&method, &params),
            Ok(Incoming::Request { id, method, params }) => self.asked(&id, &method, &params),
        }
    }

    fn asked(&mut self, id: &Value, method: &str, params: &Value) -> Vec<Value> {
        let refuse = |code, why: &str| vec![refused(id, code, why)];
        match (self.phase, method) {
            (Phase::New, "initialize") => {
                self.phase = Phase::Running;
                vec![result(id, self.initialize(params))]
            }
            (Phase::New, _) => refuse(
                Code::ServerNotInitialized,
                "the first request is `initialize`",
            ),
            (Phase::Running, "initialize") => {
                refuse(Code::InvalidRequest, "`initialize` is sent once")
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::Closing;
                let why = "the server shuts down";
                let mut sent = self.cancel(why, |_| true);
                sent.push(result(id, Value::Null));
                sent
            }
            (Phase::Running, _) => self.answered(id, method, params),
            (Phase::Closing | Phase::Ended { .. }, _) => {
                refuse(Code::InvalidRequest, "after `shutdown` only `exit` follows")
            }
        }
    }

    /// Answers a request unless it has to wait; a panic is answered and logged.
    fn answered(&mut self, id: &Value, method: &str, params: &Value) -> Vec<Value> {
        let answering = self.answering;
        match guarded(|| answering(self, method, params)) {
            Ok(Answer::Result(found)) => vec![result(id, found)],
            Ok(Answer::Refused((code, why))) => vec![refused(id, code, &why)],
            Ok(Answer::Waits(params)) => {
                let uri = params.text_document.uri.as_str();
                if let Some(document) = self.documents.get_mut(uri) {
                    document.waiting.push(Waiting {
                        id: id.clone(),
                        generation: document.generation,
                        params,
                    });
                }
                Vec::new()
            }
            Err(why) => fault(id, &shown(method, params), &why),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let offered = params["capabilities"]["general"]["positionEncodings"].as_array();
        let offered = offered.into_iter().flatten().filter_map(Value::as_str);
        self.encoding = Encoding::negotiated(&offered.collect::<Vec<_>>());
        self.list_roots(params);
        self.set_compiling(params);
        let info = json!({"name": "sluice", "version": env!("CARGO_PKG_VERSION")});
        json!({"capabilities": value(capabilities(self.encoding)), "serverInfo": info})
    }

    fn notified(&mut self, method: &str, params: &Value) -> Vec<Value> {
        if method == "exit" {
            self.disconnect();
            return Vec::new();
        }
        if self.phase != Phase::Running {
            return Vec::new();
        }
        let found = guarded(|| match method {
            "textDocument/didOpen" => self.open(params),
            "textDocument/didChange" => self.change(params),
            "textDocument/didClose" => self.close(params),
            "$/cancelRequest" => {
                let id = &params["id"];
                Ok(self.cancel("the request was cancelled", |waiting| waiting.id == *id))
            }
            // Other notifications have no effect.
            _ => Ok(Vec::new()),
        });
        let asked = shown(method, params);
        match found {
            Ok(Ok(sent)) => sent,
            Ok(Err((_, why))) => vec![logged(MessageType::WARNING, &format!("{asked}: {why}"))],
            Err(why) => vec![logged(MessageType::ERROR, &fault_of(&asked, &why))],
        }
    }

    fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    fn next_generation(&mut self) -> u64 {
        self.generation += 1;
        self.generation
    }

    /// Returns the next analysis to run, which is of the newest text of a document. Call this after all available messages were
    /// handled.
    ///
    /// Usually one analysis runs at a time, and one later analysis covers all edits that arrive meanwhile. But a request that
    /// needs a newer text does not wait for the running analysis: a second one starts for it.
    pub fn next_job(&mut self) -> Option<Job> {
        if self.phase != Phase::Running || self.n_running >= MAX_RUNNING {
            return None;
        }
        let is_due = |document: &&mut Document| document.started < document.generation;
        let is_urgent = |document: &Document| {
            let mut waiting = document.waiting.iter();
            waiting.any(|waiting| document.started < waiting.generation)
        };
        let documents = self.documents.values_mut().filter(is_due);
        let document = documents.max_by_key(|document| is_urgent(document))?;
        if self.n_running > 0 && !is_urgent(document) {
            return None;
        }
        document.started = document.generation;
        self.n_running += 1;
        let uri = document.uri.as_str().to_owned();
        let has_kernel = self.kernel_text(&uri).is_some();
        let document = self.documents.get(&uri)?;
        Some(Job {
            uri: document.uri.clone(),
            generation: document.generation,
            version: document.version,
            snapshot: Arc::clone(&document.snapshot),
            language: document.language,
            has_kernel,
        })
    }

    /// Handles a finished analysis, and returns the messages to send.
    pub fn finish(&mut self, finished: Finished) -> Vec<Value> {
        self.n_running = self.n_running.saturating_sub(1);
        let Finished { job, outcome } = finished;
        let mut sent = Vec::new();
        let analysis = match outcome {
            Ok(analysis) => analysis,
            Err(why) => {
                let version = job
                    .version
                    .map_or_else(String::new, |v| format!(" version {v}"));
                let asked = format!("the analysis of {}{version}", job.uri.as_str());
                let why = fault_of(&asked, &why);
                sent.push(logged(MessageType::ERROR, &why));
                Analysis {
                    module: None,
                    diagnostics: vec![plain(job.snapshot.range(0, 0), why)],
                    fixes: Vec::new(),
                }
            }
        };
        let Some(document) = self.documents.get_mut(job.uri.as_str()) else {
            return sent;
        };
        if job.generation < document.opened || self.phase != Phase::Running {
            return sent;
        }
        let all = std::mem::take(&mut document.waiting).into_iter();
        let (answered, waiting) = all.partition(|waiting| waiting.generation <= job.generation);
        document.waiting = waiting;
        let answered: Vec<Waiting> = answered;
        for waiting in answered {
            let position = waiting.params.position;
            let module = analysis.module.as_ref();
            let found = guarded(|| {
                let at = job.snapshot.offset(position);
                hover(&job.snapshot, module, &self.operations, at)
            });
            match found {
                Ok(found) => sent.push(result(&waiting.id, value(found))),
                Err(why) => {
                    let asked = shown("textDocument/hover", &value(&waiting.params));
                    sent.extend(fault(&waiting.id, &asked, &why));
                }
            }
        }
        if job.generation == document.generation {
            if analysis.has_errors() {
                document.drop_figures();
            }
            document.analysis = Some(analysis);
            sent.push(document.published());
        }
        sent
    }
}

fn published(uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i64>) -> Value {
    let params = PublishDiagnosticsParams {
        uri,
        diagnostics,
        version: version.and_then(|version| i32::try_from(version).ok()),
    };
    notification("textDocument/publishDiagnostics", value(params))
}

fn fault_of(asked: &str, why: &str) -> String {
    format!("{asked}: a fault of Sluice, please report it with the document: {why}")
}

/// Creates the error response to a request that panicked, and a line in the log.
fn fault(id: &Value, asked: &str, why: &str) -> Vec<Value> {
    let why = fault_of(asked, why);
    vec![
        refused(id, Code::InternalError, &why),
        logged(MessageType::ERROR, &why),
    ]
}

#[cfg(test)]
mod tests;
