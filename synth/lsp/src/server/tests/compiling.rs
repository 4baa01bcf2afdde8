//! Tests of compilations: when they start, and which of their results count.

use serde_json::{Value, json};

use super::{ask, settle, tell};
use crate::compilation::{Compilation, Compiled, Figures, LoopFigures};
use crate::server::Server;

const URI: &str = "file:///k.mlir";
const YAML: &str = "file:///k.yaml";
const TEXT: &str = "func.func @f() {\n  affine.for %i = 0 to 8 {\n  }\n  return\n}\n";

fn session(options: &Value) -> Server {
    let mut server = Server::default();
    let refresh = json!({"inlayHint": {"refreshSupport": true}});
    let params = json!({
        "capabilities": {"workspace": refresh}, "initializationOptions": options,
    });
    ask(&mut server, 0, "initialize", &params);
    server
}

fn open(server: &mut Server, uri: &str, text: &str) {
    let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
    tell(
        server,
        "textDocument/didOpen",
        &json!({"textDocument": document}),
    );
    settle(server);
}

fn change(server: &mut Server, uri: &str, version: i64, changes: &Value) {
    let document = json!({"uri": uri, "version": version});
    let params = json!({"textDocument": document, "contentChanges": changes});
    tell(server, "textDocument/didChange", &params);
    settle(server);
}

fn done(compilation: Compilation, messages: &str) -> Compiled {
    let figures = Figures {
        top: "f".to_owned(),
        summary: "latency 9 cycles".to_owned(),
        loops: vec![LoopFigures {
            line: 2,
            label: "II 1".to_owned(),
            detail: "II 1: why\nlength 2".to_owned(),
        }],
    };
    let has_error = messages.contains(": error: ");
    Compiled {
        compilation,
        file: "k.mlir".to_owned(),
        messages: messages.to_owned(),
        figures: (!has_error).then_some(figures),
    }
}

fn hints(server: &mut Server) -> Vec<(Value, Value)> {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": range});
    let answer = ask(server, 3, "textDocument/inlayHint", &params);
    let found = answer[0]["result"].as_array().expect("a list").iter();
    found
        .map(|hint| (hint["position"]["line"].clone(), hint["label"].clone()))
        .collect()
}

#[test]
fn one_compilation_runs_for_the_newest_text() {
    let mut server = session(&Value::Null);
    assert!(server.awaits_pause().is_none());
    open(&mut server, URI, TEXT);
    assert!(server.awaits_pause().is_some());
    let work = server.next_compilation().expect("the text is new");
    assert_eq!((work.text.as_str(), &work.configuration), (TEXT, &None));
    assert!(server.awaits_pause().is_none() && server.next_compilation().is_none());
    assert!(!server.is_compilation_outdated());
    change(&mut server, URI, 2, &json!([{"text": format!("\n{TEXT}")}]));
    assert!(server.is_compilation_outdated());
    // The old result does not count.
    assert!(server.compiled(done(work, "")).is_empty());
    assert!(hints(&mut server).is_empty());
    let work = server.next_compilation().expect("the text is new");
    let sent = server.compiled(done(work, ""));
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["method"], json!("workspace/inlayHint/refresh"));
    assert!(server.next_compilation().is_none());
    // The client's response is accepted.
    let response = json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": null});
    assert!(server.receive(response.to_string().as_bytes()).is_empty());
}

#[test]
fn figures_are_hints_and_lenses_that_move_with_the_text() {
    let mut server = session(&Value::Null);
    open(&mut server, URI, TEXT);
    let work = server.next_compilation().expect("the text is new");
    server.compiled(done(work, ""));
    assert_eq!(hints(&mut server), [(json!(1), json!("II 1"))]);
    let params = json!({"textDocument": {"uri": URI}});
    let answer = ask(&mut server, 3, "textDocument/codeLens", &params);
    let lens = &answer[0]["result"][0];
    assert_eq!(lens["command"]["title"], json!("latency 9 cycles"));
    assert_eq!(lens["range"]["start"], json!({"line": 0, "character": 10}));
    let start = json!({"line": 0, "character": 0});
    let edit = json!([{"range": {"start": start, "end": start}, "text": "\n\n"}]);
    change(&mut server, URI, 2, &edit);
    assert_eq!(hints(&mut server), [(json!(3), json!("II 1"))]);
    let range = json!({"start": start, "end": {"line": 1, "character": 0}});
    change(&mut server, URI, 3, &json!([{"range": range, "text": ""}]));
    assert_eq!(hints(&mut server), [(json!(2), json!("II 1"))]);
    // A text with errors has no figures.
    change(&mut server, URI, 4, &json!([{"range": range, "text": "%"}]));
    assert!(hints(&mut server).is_empty());
    assert!(server.awaits_pause().is_none());
}

#[test]
fn errors_are_published_with_those_of_the_parser() {
    let mut server = session(&Value::Null);
    open(&mut server, URI, TEXT);
    let work = server.next_compilation().expect("the text is new");
    let messages = "k.mlir:2:3: error: too long\n    affine\n    ^\nk.mlir: warning: no data\n";
    let sent = server.compiled(done(work, messages));
    let found = &sent[0]["params"]["diagnostics"];
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    assert_eq!(found[0]["source"], json!("sluice compile"));
    let range = json!({"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 12}});
    assert_eq!(found[0]["range"], range);
    assert_eq!(found[1]["severity"], json!(2));
    // A message about the whole file is shown at the function.
    assert_eq!(
        found[1]["range"]["start"],
        json!({"line": 0, "character": 10})
    );
    assert_eq!(sent.len(), 1);
}

#[test]
fn an_error_of_the_configuration_ends_with_it() {
    let mut server = session(&Value::Null);
    open(&mut server, URI, TEXT);
    open(&mut server, YAML, "limtis: {}\n");
    let work = server.next_compilation().expect("the text is new");
    let sent = server.compiled(done(work, "k.yaml:1:1: error: unknown key\n"));
    let message = &sent[0]["params"]["diagnostics"][0]["message"];
    assert_eq!(*message, json!("k.yaml:1:1: unknown key"));
    change(&mut server, YAML, 2, &json!([{"text": "limits: {}\n"}]));
    let work = server.next_compilation().expect("the configuration is new");
    let sent = server.compiled(done(work, ""));
    assert_eq!(sent[0]["params"]["uri"], json!(URI));
    assert_eq!(sent[0]["params"]["diagnostics"], json!([]));
}

#[test]
fn the_open_configuration_is_used() {
    let mut server = session(&Value::Null);
    open(&mut server, URI, TEXT);
    open(&mut server, YAML, "loops: {j: {ii: 2}}\n");
    let work = server.next_compilation().expect("the text is new");
    assert_eq!(work.configuration.as_deref(), Some("loops: {j: {ii: 2}}\n"));
    let sent = server.compiled(done(work, "k.mlir: error: no loop is called `j`\n"));
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["params"]["uri"], json!(YAML));
    let range = json!({"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}});
    assert_eq!(sent[0]["params"]["diagnostics"][0]["range"], range);
    // A new configuration compiles the kernel again.
    change(
        &mut server,
        YAML,
        2,
        &json!([{"text": "loops: {i: {ii: 2}}\n"}]),
    );
    let work = server.next_compilation().expect("the configuration is new");
    server.compiled(done(work, ""));
    assert_eq!(hints(&mut server).len(), 1);
    let params = json!({"textDocument": {"uri": YAML}});
    tell(&mut server, "textDocument/didClose", &params);
    let work = server.next_compilation().expect("the file counts again");
    assert_eq!(work.configuration, None);
}

#[test]
fn only_kernels_of_clients_that_want_it_are_compiled() {
    for (options, text) in [
        (json!({"compile": false}), TEXT),
        (Value::Null, "hw.module @m() {\n}\n"),
        (Value::Null, ""),
        (Value::Null, "func.func @f() {\n  none\n}\n"),
    ] {
        let mut server = session(&options);
        open(&mut server, URI, text);
        assert!(server.awaits_pause().is_none(), "{text}");
        assert!(server.next_compilation().is_none());
    }
}
