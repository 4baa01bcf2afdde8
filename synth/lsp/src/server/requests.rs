//! The requests that the server answers: a table of their methods.

use lsp_types::{
    CompletionParams, DocumentSymbolParams, FoldingRangeParams, HoverParams, ReferenceParams,
    SemanticTokensParams, TextDocumentPositionParams, Uri,
};
use serde_json::{Value, json};
use sluice_ir::documentation;

use super::{Answer, Document, Server, params, shown, value};
use crate::hover::{hover, needs_module};
use crate::language::Language;
use crate::messages::{Code, Refusal};
use crate::mlir::{completion, folding, semantic};
use crate::yaml;

/// Answers a request with its parameters.
type Handler = fn(&Server, &Value) -> Answer;

/// The handler of each method.
const HANDLERS: &[(&str, Handler)] = &[
    ("textDocument/hover", Server::hover),
    ("textDocument/definition", |server, given| {
        server.find_definition(given).into()
    }),
    ("textDocument/references", |server, given| {
        server.find_references(given).into()
    }),
    ("textDocument/completion", |server, given| {
        server.complete(given).into()
    }),
    ("completionItem/resolve", |server, given| {
        Answer::Result(server.resolve_completion(given))
    }),
    ("textDocument/foldingRange", |server, given| {
        server.folds(given).into()
    }),
    ("textDocument/semanticTokens/full", |server, given| {
        server.semantic_tokens(given).into()
    }),
    ("textDocument/formatting", |server, given| {
        server.format(given).into()
    }),
    ("textDocument/prepareRename", |server, given| {
        server.prepare_rename(given).into()
    }),
    ("textDocument/rename", |server, given| {
        server.rename(given).into()
    }),
    ("textDocument/documentHighlight", |server, given| {
        server.highlights(given).into()
    }),
    ("textDocument/codeAction", |server, given| {
        server.code_actions(given).into()
    }),
    ("textDocument/inlayHint", |server, given| {
        server.inlay_hints(given).into()
    }),
    ("textDocument/codeLens", |server, given| {
        server.code_lenses(given).into()
    }),
    ("workspace/symbol", |server, given| {
        server.workspace_symbols(given).into()
    }),
    ("textDocument/documentSymbol", |server, given| {
        server.document_symbols(given).into()
    }),
];

impl From<Result<Value, Refusal>> for Answer {
    fn from(found: Result<Value, Refusal>) -> Self {
        found.map_or_else(Self::Refused, Self::Result)
    }
}

impl Server {
    pub(super) fn answer(&self, method: &str, given: &Value) -> Answer {
        let mut handlers = HANDLERS.iter();
        match handlers.find(|(known, _)| *known == method) {
            Some((_, handler)) => handler(self, given),
            None => Answer::Refused((
                Code::MethodNotFound,
                format!("unknown request: {}", shown(method, &Value::Null)),
            )),
        }
    }

    /// Returns the document of a request; without it, the result of the request is empty.
    pub(super) fn document(&self, uri: &Uri) -> Option<&Document> {
        self.documents.get(uri.as_str())
    }

    /// Returns the document of a request about a module; without it, the result of the request is empty.
    pub(super) fn module(&self, uri: &Uri) -> Option<&Document> {
        let document = self.document(uri);
        document.filter(|document| document.language == Language::Mlir)
    }

    fn complete(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: CompletionParams = params(given)?;
        let asked = asked.text_document_position;
        let uri = &asked.text_document.uri;
        let found = self.document(uri).map(|document| {
            let at = document.snapshot.offset(asked.position);
            match document.language {
                Language::Mlir => completion::completions(&document.snapshot, &self.operations, at),
                Language::Yaml => {
                    let kernel = self.kernel_text(uri.as_str());
                    yaml::completions(&document.snapshot, kernel, at)
                }
            }
        });
        Ok(value(found))
    }

    /// Adds the documentation to an operation.
    fn resolve_completion(&self, given: &Value) -> Value {
        let mut item = given.clone();
        let label = given["label"].as_str().unwrap_or_default();
        if given["kind"] == value(lsp_types::CompletionItemKind::KEYWORD)
            && let Some(operation) = self.operations.find(label)
        {
            let page = documentation::operation_page(operation);
            item["documentation"] = json!({"kind": "markdown", "value": page});
        }
        item
    }

    fn folds(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: FoldingRangeParams = params(given)?;
        let found = self.document(&asked.text_document.uri);
        Ok(value(found.map(|document| match document.language {
            Language::Mlir => folding::folds(&document.snapshot),
            Language::Yaml => yaml::folds(&document.snapshot),
        })))
    }

    fn semantic_tokens(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: SemanticTokensParams = params(given)?;
        let found = self.module(&asked.text_document.uri);
        Ok(value(found.map(|document| {
            semantic::semantic_tokens(&document.snapshot, &self.operations)
        })))
    }

    fn document_symbols(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: DocumentSymbolParams = params(given)?;
        let document = self.module(&asked.text_document.uri);
        Ok(value(document.map(|document| document.snapshot.symbols())))
    }

    fn find_definition(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: TextDocumentPositionParams = params(given)?;
        let document = self.module(&asked.text_document.uri);
        let found = document.and_then(|document| {
            let at = document.snapshot.offset(asked.position);
            document.snapshot.definition(&document.uri, at)
        });
        Ok(value(found))
    }

    fn find_references(&self, given: &Value) -> Result<Value, Refusal> {
        let asked: ReferenceParams = params(given)?;
        let position = asked.text_document_position;
        let document = self.module(&position.text_document.uri);
        let found = document.map(|document| {
            let at = document.snapshot.offset(position.position);
            let with_definition = asked.context.include_declaration;
            document
                .snapshot
                .references(&document.uri, at, with_definition)
        });
        Ok(value(found))
    }

    fn hover(&self, given: &Value) -> Answer {
        let asked: HoverParams = match params(given) {
            Ok(asked) => asked,
            Err(why) => return Answer::Refused(why),
        };
        let asked = asked.text_document_position_params;
        let Some(document) = self.document(&asked.text_document.uri) else {
            return Answer::Result(Value::Null);
        };
        let at = document.snapshot.offset(asked.position);
        if document.language == Language::Yaml {
            return Answer::Result(value(yaml::hover(&document.snapshot, at)));
        }
        if document.analysis.is_none() && needs_module(&document.snapshot, at) {
            return Answer::Waits(asked);
        }
        let module = document.analysis.as_ref();
        let module = module.and_then(|analysis| analysis.module.as_ref());
        let found = hover(&document.snapshot, module, &self.operations, at);
        Answer::Result(value(found))
    }
}
