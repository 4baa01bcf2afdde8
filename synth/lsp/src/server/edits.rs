//! Requests whose answers are edits: renaming, formatting and corrections.

use lsp_types::{
    CodeActionParams, DocumentFormattingParams, Range, RenameParams, TextDocumentPositionParams,
};
use serde_json::{Value, json};

use super::{Server, params, value};
use crate::fixes::Fix;
use crate::messages::{Code, Refusal};
use crate::mlir::{format, rename};

impl Server {
    pub(super) fn format(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: DocumentFormattingParams = params(given)?;
        let found = self.module(&asked.text_document.uri);
        Ok(value(
            found.map(|document| format::edits(&document.snapshot)),
        ))
    }

    pub(super) fn prepare_rename(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: TextDocumentPositionParams = params(given)?;
        let document = self.module(&asked.text_document.uri);
        let found = document.and_then(|document| {
            let at = document.snapshot.offset(asked.position);
            rename::renamable(&document.snapshot, at)
        });
        Ok(match found {
            Some((range, name)) => json!({"range": range, "placeholder": name}),
            None => Value::Null,
        })
    }

    pub(super) fn rename(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: RenameParams = params(given)?;
        let position = asked.text_document_position;
        let Some(document) = self.module(&position.text_document.uri) else {
            return Ok(Value::Null);
        };
        let at = document.snapshot.offset(position.position);
        let edits = rename::rename(&document.snapshot, at, &asked.new_name);
        let edits = edits.map_err(|why| (Code::RequestFailed, why))?;
        Ok(json!({"changes": {document.uri.as_str(): edits}}))
    }

    pub(super) fn highlights(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: TextDocumentPositionParams = params(given)?;
        let found = self.module(&asked.text_document.uri).map(|document| {
            let at = document.snapshot.offset(asked.position);
            rename::highlights(&document.snapshot, at)
        });
        Ok(value(found))
    }

    pub(super) fn code_actions(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: CodeActionParams = params(given)?;
        let document = self.document(&asked.text_document.uri);
        let analysis = document.and_then(|document| document.analysis.as_ref());
        let fixes = analysis.map_or(&[][..], |analysis| &analysis.fixes);
        let fixes = fixes.iter().filter(|fix| {
            touches(fix.range, asked.range) || touches(fix.diagnostic.range, asked.range)
        });
        let uri = asked.text_document.uri.as_str();
        Ok(Value::Array(fixes.map(|fix| action(uri, fix)).collect()))
    }
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

fn action(uri: &str, fix: &Fix) -> Value {
    let edit = json!({"range": fix.range, "newText": fix.right});
    json!({
        "title": format!("Replace `{}` by `{}`", fix.wrong, fix.right),
        "kind": "quickfix",
        "isPreferred": true,
        "diagnostics": [fix.diagnostic],
        "edit": {"changes": {uri: [edit]}},
    })
}
