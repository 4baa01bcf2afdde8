//! Tests of sessions with configurations.

use serde_json::{Value, json};

use super::{ask, settle, shown, started, tell};
use crate::server::Server;
use crate::server::errands::{Errand, Report};

const KERNEL: &str = "file:///k/kernel.mlir";
const YAML: &str = "file:///k/kernel.yaml";
const TEXT: &str =
    "func.func @f(%A: memref<8xi32>) {\n  affine.for %row = 0 to 8 {\n  }\n  return\n}\n";

fn open(server: &mut Server, uri: &str, language: &str, text: &str) {
    let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
    let params = json!({"textDocument": document});
    let sent = tell(server, "textDocument/didOpen", &params);
    assert!(sent.is_empty(), "{sent:?}");
}

/// Returns the diagnostics of the last message about a document.
fn diagnostics(sent: &[Value], uri: &str) -> Vec<Value> {
    let mut about = sent
        .iter()
        .rev()
        .filter(|message| message["params"]["uri"] == json!(uri));
    let found = about.next().expect("diagnostics")["params"]["diagnostics"].as_array();
    found.expect("a list").clone()
}

fn at(server: &mut Server, method: &str, uri: &str, text: &str) -> Value {
    let line = text.matches('\n').count();
    let last = text.rsplit('\n').next().unwrap_or_default();
    let position = json!({"line": line, "character": last.encode_utf16().count()});
    let params = json!({"textDocument": {"uri": uri}, "position": position});
    ask(server, 9, method, &params)[0].clone()
}

/// Returns the labels of the completions at the end of a configuration.
fn completions(text: &str) -> Vec<String> {
    let mut server = started();
    open(&mut server, YAML, "yaml", text);
    open(&mut server, KERNEL, "mlir", TEXT);
    let answer = at(&mut server, "textDocument/completion", YAML, text);
    let items = answer["result"].as_array().expect("a list").iter();
    let labels = items.map(|item| item["label"].as_str().unwrap_or_default().to_owned());
    labels.collect()
}

#[test]
fn a_configuration_has_the_faults_of_compile() {
    let mut server = started();
    let text = "# \u{e9}\nloops: {\u{1F600}: {unrol: 2}}\nstyle: fast\n";
    open(&mut server, YAML, "yaml", text);
    let found = diagnostics(&settle(&mut server).1, YAML);
    let messages: Vec<&str> = found
        .iter()
        .map(|found| found["message"].as_str().unwrap_or_default())
        .collect();
    assert!(
        messages[0].contains("did you mean `unroll`?"),
        "{messages:?}"
    );
    assert!(messages[1].contains("`style` is `static`"), "{messages:?}");
    // The client counts the first character outside the BMP twice.
    let range = json!({"start": {"line": 1, "character": 13}, "end": {"line": 1, "character": 18}});
    assert_eq!(found[0]["range"], range);
    let range = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 5}});
    assert_eq!(found[1]["range"], range);
    // Errors of YAML itself.
    open(
        &mut server,
        "file:///k/b.yaml",
        "yaml",
        "loops: {\nstyle: static\ntop: [",
    );
    let found = diagnostics(&settle(&mut server).1, "file:///k/b.yaml");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn files_of_other_programs_are_left_alone() {
    let mut server = started();
    for (uri, text) in [
        ("file:///k/ci.yaml", "on: push\njobs: {}\n"),
        ("file:///k/data.yaml", "cases: []\nstyle: none\n"),
        ("file:///k/kernel.data.yaml", "device: none\n"),
    ] {
        open(&mut server, uri, "yaml", text);
        assert_eq!(diagnostics(&settle(&mut server).1, uri), [] as [Value; 0]);
    }
    // The kernel beside it makes it a configuration.
    let uri = "file:///k/ci.yaml";
    let kernel = "file:///k/ci.mlir".parse().expect("a URI");
    assert_eq!(server.next_errand(), Some(Errand::Read(kernel)));
    let kernel = "file:///k/ci.mlir".parse().expect("a URI");
    server.report(Report::Read(kernel, Some(TEXT.to_owned())));
    assert_eq!(diagnostics(&settle(&mut server).1, uri).len(), 2);
}

#[test]
fn keys_words_and_names_are_completed() {
    assert!(completions("").contains(&"clock_period_ns".to_owned()));
    assert_eq!(completions("style: "), ["static", "elastic", "auto"]);
    assert_eq!(completions("loops:\n  "), ["row"]);
    assert!(completions("loops:\n  row: {").contains(&"unroll".to_owned()));
    assert_eq!(completions("loops:\n  row: {pipeline: "), ["true", "false"]);
    assert_eq!(completions("top: "), ["f"]);
    assert_eq!(completions("banks:\n  "), ["A"]);
    assert!(completions("banks:\n  A:\n    - ").contains(&"factor".to_owned()));
    assert!(completions("storage:\n  buf: ").contains(&"lut_ram".to_owned()));
    assert!(completions("device: ").contains(&"generic".to_owned()));
    assert!(completions("limits: {").contains(&"multiply".to_owned()));
    assert_eq!(completions("# sty"), [] as [String; 0]);
    assert_eq!(completions("nothing: {a: "), [] as [String; 0]);
}

#[test]
fn a_key_replaces_the_word_before_the_cursor() {
    let mut server = started();
    open(&mut server, YAML, "yaml", "cl");
    let answer = at(&mut server, "textDocument/completion", YAML, "cl");
    let items = answer["result"].as_array().expect("a list").iter();
    let mut named = items.filter(|item| item["label"] == json!("clock_period_ns"));
    let item = named.next().expect("the key");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 2}});
    let edit = json!({"range": range, "newText": "clock_period_ns: "});
    assert_eq!(item["textEdit"], edit);
    assert!(
        item["documentation"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("Unit: ns"))
    );
}

#[test]
fn a_key_has_its_description() {
    let mut server = started();
    open(&mut server, YAML, "yaml", "loops: {row: {ii: 2}}\n");
    let answer = at(&mut server, "textDocument/hover", YAML, "loops: {row: {i");
    for part in [
        "`ii`",
        "initiation interval",
        "Unit: cycles",
        "a whole number from 1",
    ] {
        assert!(shown(&answer).contains(part), "{answer}");
    }
    let answer = at(&mut server, "textDocument/hover", YAML, "loops: {ro");
    assert!(answer["result"].is_null(), "{answer}");
    // A configuration has no names of MLIR.
    let answer = at(&mut server, "textDocument/documentSymbol", YAML, "");
    assert!(answer["result"].is_null(), "{answer}");
}
