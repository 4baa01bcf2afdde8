//! Opening, changing and closing documents, and the end of requests that wait for one.

use std::sync::Arc;

use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, MessageType,
};
use serde_json::Value;

use super::compiling::CompilingState;
use super::{Document, Server, Waiting, params, published};
use crate::document::Snapshot;
use crate::language::Language;
use crate::messages::{Code, Refusal, logged, refused};

impl Server {
    pub(super) fn open(&mut self, given: &Value) -> Result<Vec<Value>, Refusal> {
        let opened: DidOpenTextDocumentParams = params(given)?;
        let opened = opened.text_document;
        let uri = opened.uri.as_str().to_owned();
        let mut sent = self.forget(&uri, "the document was opened anew");
        let generation = self.next_generation();
        let document = Document {
            snapshot: Arc::new(Snapshot::new(&opened.text, self.encoding)),
            language: Language::of(&opened.uri, &opened.language_id),
            version: Some(i64::from(opened.version)),
            uri: opened.uri,
            generation,
            opened: generation,
            started: 0,
            analysis: None,
            compiling: CompilingState::of(generation),
            waiting: Vec::new(),
        };
        if self.documents.insert(uri.clone(), document).is_some() {
            let why = format!("textDocument/didOpen {uri}: the document is open already");
            sent.push(logged(MessageType::WARNING, &why));
        }
        self.read_beside(&uri);
        self.outdate_kernel(&uri);
        Ok(sent)
    }

    pub(super) fn change(&mut self, given: &Value) -> Result<Vec<Value>, Refusal> {
        let changed: DidChangeTextDocumentParams = params(given)?;
        let generation = self.next_generation();
        let encoding = self.encoding;
        let uri = changed.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else {
            let why = "the document is not open".to_owned();
            return Err((Code::InvalidParams, why));
        };
        let version = i64::from(changed.text_document.version);
        let is_late = document.version.is_some_and(|known| version <= known);
        for change in &changed.content_changes {
            document.compiling.edited(change);
            match change.range {
                Some(range) => Snapshot::edit(&mut document.snapshot, range, &change.text),
                None => document.snapshot = Arc::new(Snapshot::new(&change.text, encoding)),
            }
        }
        let before = document.version.replace(version);
        document.generation = generation;
        document.analysis = None;
        document.compiling.outdate(generation);
        let mut sent = Vec::new();
        if let (true, Some(before)) = (is_late, before) {
            let why = format!(
                "textDocument/didChange {uri}: version {version} comes after version {before}; it was applied"
            );
            sent.push(logged(MessageType::WARNING, &why));
        }
        self.outdate_kernel(uri);
        Ok(sent)
    }

    pub(super) fn close(&mut self, given: &Value) -> Result<Vec<Value>, Refusal> {
        let closed: DidCloseTextDocumentParams = params(given)?;
        let uri = closed.text_document.uri;
        let mut sent = self.forget(uri.as_str(), "the document was closed");
        if self.documents.remove(uri.as_str()).is_some() {
            self.read_closed(&uri);
            self.outdate_kernel(uri.as_str());
            sent.push(published(uri, Vec::new(), None));
        }
        Ok(sent)
    }

    /// Cancels the requests that wait for a document.
    fn forget(&mut self, uri: &str, why: &str) -> Vec<Value> {
        let waiting = self.documents.get_mut(uri);
        let waiting = waiting.map(|document| std::mem::take(&mut document.waiting));
        let waiting = waiting.unwrap_or_default().into_iter();
        waiting
            .map(|waiting| refused(&waiting.id, Code::RequestCancelled, why))
            .collect()
    }

    /// Cancels waiting requests.
    pub(super) fn cancel(&mut self, why: &str, is_meant: impl Fn(&Waiting) -> bool) -> Vec<Value> {
        let mut sent = Vec::new();
        for document in self.documents.values_mut() {
            document.waiting.retain(|waiting| {
                let stays = !is_meant(waiting);
                if !stays {
                    sent.push(refused(&waiting.id, Code::RequestCancelled, why));
                }
                stays
            });
        }
        sent
    }
}
