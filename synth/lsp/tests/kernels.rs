//! Every request is answered without a fault at any place of any beginning of the example kernels and configurations.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sluice_lsp::Server;

/// Requests about a document.
const METHODS: [&str; 15] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "workspace/symbol",
];

/// Number of beginnings of each file.
const N_BEGINNINGS: usize = 3;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder");
    for entry in entries {
        let path = entry.expect("an entry").path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            files(&path, found);
        } else if matches!(ending, Some("mlir" | "yaml")) {
            found.push(path);
        }
    }
    found.sort();
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let most = u64::try_from(most.max(1)).expect("it is small");
        usize::try_from((self.0 >> 33) % most).expect("it is small")
    }
}

fn tell(server: &mut Server, message: &Value) -> Vec<Value> {
    let sent = server.receive(message.to_string().as_bytes());
    for message in &sent {
        assert_ne!(message["error"]["code"], json!(-32603), "{message}");
    }
    sent
}

/// Asks everything about a text, at its end and at another place.
fn check(uri: &str, text: &str, numbers: &mut Numbers, server: &mut Server) {
    let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
    let params = json!({"textDocument": document});
    tell(
        server,
        &json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}),
    );
    while let Some(job) = server.next_job() {
        for message in server.finish(job.run()) {
            assert_ne!(message["method"], json!("window/logMessage"), "{message}");
        }
    }
    let last = text.rsplit('\n').next().unwrap_or_default();
    let end = json!({"line": text.matches('\n').count(), "character": last.encode_utf16().count()});
    let n_lines = text.matches('\n').count() + 1;
    let any = json!({"line": numbers.below(n_lines), "character": numbers.below(40)});
    for position in [&end, &any] {
        for (id, method) in METHODS.iter().enumerate() {
            let params = json!({
                "textDocument": {"uri": uri},
                "position": position,
                "range": {"start": any, "end": end},
                "context": {"includeDeclaration": true, "diagnostics": []},
                "newName": "renamed", "query": "",
                "options": {"tabSize": 2, "insertSpaces": true},
            });
            let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            let sent = tell(server, &request);
            assert_eq!(sent.len(), 1, "{method}");
        }
    }
    let params = json!({"textDocument": {"uri": uri}});
    tell(
        server,
        &json!({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": params}),
    );
}

#[test]
fn every_beginning_of_an_example_is_served() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut all = Vec::new();
    files(&root, &mut all);
    assert!(all.len() > 100, "{} files", all.len());
    let mut server = Server::default();
    let capabilities = json!({"capabilities": {}});
    tell(
        &mut server,
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": capabilities}),
    );
    let mut numbers = Numbers(7);
    for path in all {
        let text = fs::read_to_string(&path).expect("a text");
        // Larger files are data.
        if text.len() > 20_000 {
            continue;
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        let uri = format!("file:///kernel.{}", ending.unwrap_or_default());
        check(&uri, &text, &mut numbers, &mut server);
        for _ in 0..N_BEGINNINGS {
            let mut end = numbers.below(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            check(&uri, &text[..end], &mut numbers, &mut server);
        }
    }
}
