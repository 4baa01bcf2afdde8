//! Symbols of the workspace: of the open documents, and of the files in the client's folders.

use std::collections::BTreeMap;

use lsp_types::{DocumentSymbol, Uri, WorkspaceSymbolParams};
use serde_json::{Value, json};

use super::errands::Errand;
use super::{Server, params};
use crate::document::Snapshot;
use crate::language::Language;
use crate::messages::Refusal;

/// Maximum number of symbols of one answer.
const MAX_SYMBOLS: usize = 500;

/// The kernels in the client's folders, with their symbols.
#[derive(Default)]
pub(super) struct Workspace {
    roots: Vec<String>,
    symbols: BTreeMap<String, Vec<DocumentSymbol>>,
}

impl Workspace {
    /// Returns whether a file is a kernel in one of the folders.
    pub(super) fn holds(&self, uri: &Uri) -> bool {
        let text = uri.as_str();
        let is_inside = |root: &String| {
            let rest = text.strip_prefix(root.as_str());
            rest.is_some_and(|rest| rest.starts_with('/') || root.ends_with('/'))
        };
        text.ends_with(".mlir") && self.roots.iter().any(is_inside)
    }
}

impl Server {
    /// Requests the kernels in the folders of a client.
    pub(super) fn list_roots(&mut self, given: &Value) {
        let folders = given["workspaceFolders"].as_array();
        let folders = folders.into_iter().flatten().map(|folder| &folder["uri"]);
        let mut roots: Vec<&Value> = folders.collect();
        if roots.is_empty() {
            roots.push(&given["rootUri"]);
        }
        let roots: Vec<&str> = roots.into_iter().filter_map(Value::as_str).collect();
        for root in roots {
            if let Ok(uri) = root.parse::<Uri>() {
                self.workspace.roots.push(root.to_owned());
                self.errands.push_back(Errand::List(uri));
            }
        }
    }

    pub(super) fn fill_workspace(&mut self, kernels: Vec<(Uri, String)>) {
        for (uri, text) in kernels {
            self.update_workspace(&uri, Some(&text));
        }
    }

    /// Sets the symbols of a file in the client's folders.
    pub(super) fn update_workspace(&mut self, uri: &Uri, text: Option<&str>) {
        if !self.workspace.holds(uri) {
            return;
        }
        let key = uri.as_str().to_owned();
        match text {
            Some(text) => {
                let symbols = Snapshot::new(text, self.encoding).symbols();
                self.workspace.symbols.insert(key, symbols);
            }
            None => {
                self.workspace.symbols.remove(&key);
            }
        }
    }

    pub(super) fn workspace_symbols(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: WorkspaceSymbolParams = params(given)?;
        let open = self.documents.iter();
        let open = open.filter(|(_, document)| document.language == Language::Mlir);
        let open = open.map(|(uri, document)| (uri, document.snapshot.symbols()));
        let closed = self.workspace.symbols.iter();
        let closed = closed.filter(|(uri, _)| !self.documents.contains_key(*uri));
        let all = open.chain(closed.map(|(uri, symbols)| (uri, symbols.clone())));
        let query = asked.query.to_lowercase();
        let all = all.flat_map(|(uri, symbols)| {
            let symbols = symbols.into_iter();
            symbols.map(move |symbol| (uri, symbol))
        });
        let fitting = all.filter(|(_, symbol)| is_subsequence(&query, &symbol.name.to_lowercase()));
        let shown = fitting.take(MAX_SYMBOLS).map(|(uri, symbol)| {
            let location = json!({"uri": uri, "range": symbol.selection_range});
            json!({"name": symbol.name, "kind": symbol.kind, "location": location})
        });
        Ok(Value::Array(shown.collect()))
    }
}

/// Returns whether the characters of a word are in a text in this order.
fn is_subsequence(word: &str, text: &str) -> bool {
    let mut rest = text.chars();
    word.chars().all(|c| rest.any(|known| known == c))
}
