//! Tests of server sessions, without streams and threads.

mod compiling;
mod mlir;
mod yaml;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Server;
use crate::analysis::Job;

const URI: &str = "file:///k.mlir";

fn bytes(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

fn started() -> Server {
    let mut server = Server::default();
    let capabilities = json!({"general": {"positionEncodings": ["utf-16"]}});
    let answer = ask(
        &mut server,
        0,
        "initialize",
        &json!({"capabilities": capabilities}),
    );
    assert_eq!(
        answer[0]["result"]["capabilities"]["textDocumentSync"]["change"],
        json!(2)
    );
    tell(&mut server, "initialized", &json!({}));
    server
}

fn ask(server: &mut Server, id: i64, method: &str, params: &Value) -> Vec<Value> {
    let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    server.receive(&bytes(&message))
}

fn tell(server: &mut Server, method: &str, params: &Value) -> Vec<Value> {
    let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
    server.receive(&bytes(&message))
}

fn open(server: &mut Server, text: &str) {
    let document = json!({"uri": URI, "languageId": "mlir", "version": 1, "text": text});
    let sent = tell(
        server,
        "textDocument/didOpen",
        &json!({"textDocument": document}),
    );
    assert!(sent.is_empty(), "{sent:?}");
}

fn change(server: &mut Server, version: i64, changes: &Value) -> Vec<Value> {
    let document = json!({"uri": URI, "version": version});
    let params = json!({"textDocument": document, "contentChanges": changes});
    tell(server, "textDocument/didChange", &params)
}

fn hover(server: &mut Server, id: i64, line: u64, character: u64) -> Vec<Value> {
    let position = json!({"line": line, "character": character});
    let params = json!({"textDocument": {"uri": URI}, "position": position});
    ask(server, id, "textDocument/hover", &params)
}

/// Runs all due analyses, and returns their number and the messages to send.
fn settle(server: &mut Server) -> (usize, Vec<Value>) {
    let (mut n, mut sent) = (0, Vec::new());
    while let Some(job) = server.next_job() {
        n += 1;
        sent.extend(server.finish(job.run()));
    }
    (n, sent)
}

fn shown(answer: &Value) -> &str {
    answer["result"]["contents"]["value"].as_str().unwrap_or("")
}

const GOOD: &str =
    "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n";

#[test]
fn a_hover_behind_any_character_is_answered() {
    for text in [
        "// \u{e9}",
        "\u{e9}arith.addi",
        "\u{1F600}",
        "\u{e9}%a",
        "@\"\u{e9}\"",
    ] {
        let mut server = started();
        open(&mut server, text);
        settle(&mut server);
        for character in 0..20 {
            let answer = hover(&mut server, 1, 0, character);
            assert!(answer[0].get("result").is_some(), "{text}: {answer:?}");
        }
    }
    let mut server = started();
    open(&mut server, "\u{e9}arith.addi");
    let answer = hover(&mut server, 1, 0, 4);
    assert!(shown(&answer[0]).contains("`arith.addi`"), "{answer:?}");
}

#[test]
fn edits_pile_up_and_are_analysed_once() {
    let mut server = started();
    open(&mut server, GOOD);
    let job = server.next_job().expect("the text is new");
    // Meanwhile, a hundred edits arrive, and a request.
    for n in 0..100 {
        let at = json!({"line": 0, "character": 0});
        let text = format!("// {n}\n");
        let edit = json!([{"range": {"start": at, "end": at}, "text": text}]);
        assert!(change(&mut server, n + 2, &edit).is_empty());
        assert!(server.next_job().is_none());
    }
    assert!(hover(&mut server, 7, 101, 3).is_empty());
    // The request does not wait for the analysis of the old text.
    let newest = server.next_job().expect("a request waits");
    assert!(server.next_job().is_none());
    let sent = server.finish(newest.run());
    assert_eq!(sent[0]["id"], json!(7));
    assert!(shown(&sent[0]).contains("%b : i32"), "{sent:?}");
    assert_eq!(sent[1]["params"]["version"], json!(101));
    assert_eq!(sent.len(), 2);
    // The other analysis is outdated: its results are dropped.
    assert!(server.finish(job.run()).is_empty());
    assert_eq!(settle(&mut server).0, 0);
}

#[test]
fn a_question_about_a_text_that_was_changed_since_is_answered() {
    let mut server = started();
    open(&mut server, GOOD);
    assert!(hover(&mut server, 1, 1, 3).is_empty());
    let job = server.next_job().expect("the text is new");
    change(&mut server, 2, &json!([{"text": ""}]));
    let sent = server.finish(job.run());
    assert_eq!(sent.len(), 1);
    assert!(shown(&sent[0]).contains("%b : i32"), "{sent:?}");
    let (n, sent) = settle(&mut server);
    assert_eq!((n, sent.len()), (1, 1));
}

#[test]
fn what_the_text_alone_says_waits_for_nothing() {
    let mut server = started();
    open(&mut server, GOOD);
    let answer = hover(&mut server, 1, 1, 9);
    assert!(shown(&answer[0]).contains("`arith.addi`"), "{answer:?}");
    let position = json!({"line": 1, "character": 19});
    let params = json!({"textDocument": {"uri": URI}, "position": position});
    let answer = ask(&mut server, 2, "textDocument/definition", &params);
    assert_eq!(
        answer[0]["result"]["range"]["start"]["character"],
        json!(13)
    );
    for (with_definition, n) in [(true, 3), (false, 2)] {
        let mut params = params.clone();
        params["context"] = json!({"includeDeclaration": with_definition});
        let answer = ask(&mut server, 3, "textDocument/references", &params);
        assert_eq!(answer[0]["result"].as_array().map(Vec::len), Some(n));
    }
}

#[test]
fn requests_are_cancelled() {
    let mut server = started();
    open(&mut server, GOOD);
    assert!(hover(&mut server, 1, 1, 3).is_empty());
    assert!(hover(&mut server, 2, 1, 3).is_empty());
    let sent = tell(&mut server, "$/cancelRequest", &json!({"id": 1}));
    assert_eq!(
        (&sent[0]["id"], &sent[0]["error"]["code"]),
        (&json!(1), &json!(-32800))
    );
    assert!(tell(&mut server, "$/cancelRequest", &json!({"id": 9})).is_empty());
    let params = json!({"textDocument": {"uri": URI}});
    let sent = tell(&mut server, "textDocument/didClose", &params);
    assert_eq!(
        (&sent[0]["id"], &sent[0]["error"]["code"]),
        (&json!(2), &json!(-32800))
    );
    assert_eq!(sent[1]["params"]["diagnostics"], json!([]));
    assert_eq!(settle(&mut server).0, 0);
}

#[test]
fn the_server_survives_a_panic() {
    let mut server = started();
    open(&mut server, GOOD);
    let sound = std::mem::replace(&mut server.answering, |_, method, _| {
        panic!("no answer to {method}")
    });
    let sent = hover(&mut server, 1, 1, 9);
    assert_eq!(
        (&sent[0]["id"], &sent[0]["error"]["code"]),
        (&json!(1), &json!(-32603))
    );
    assert_eq!(sent[1]["method"], json!("window/logMessage"));
    let line = sent[1]["params"]["message"].as_str().unwrap_or_default();
    for part in ["textDocument/hover", URI, "1:9", "no answer to"] {
        assert!(line.contains(part), "{line}");
    }
    server.answering = sound;
    assert!(shown(&hover(&mut server, 2, 1, 9)[0]).contains("arith.addi"));
    // A panic of an analysis is logged, and the request that waits for it is answered.
    assert!(hover(&mut server, 3, 1, 3).is_empty());
    let job = server.next_job().expect("the text is new");
    let sent = server.finish(crate::analysis::Finished {
        job,
        outcome: Err("it fell".to_owned()),
    });
    let methods: Vec<&Value> = sent.iter().map(|sent| &sent["method"]).collect();
    assert_eq!(methods[0], &json!("window/logMessage"));
    assert_eq!(sent[1]["id"], json!(3));
    assert_eq!(methods[2], &json!("textDocument/publishDiagnostics"));
}

#[test]
fn messages_out_of_place_are_answered_as_the_protocol_says() {
    let code = |sent: &[Value]| sent[0]["error"]["code"].clone();
    let mut server = Server::default();
    assert_eq!(
        code(&ask(&mut server, 1, "shutdown", &Value::Null)),
        json!(-32002)
    );
    assert!(tell(&mut server, "textDocument/didOpen", &json!({})).is_empty());
    assert_eq!(code(&server.receive(b"{\"id\": 1,")), json!(-32700));
    assert_eq!(code(&server.receive(b"\xff")), json!(-32700));
    assert_eq!(code(&server.receive(b"[1]")), json!(-32600));
    assert_eq!(code(&server.receive(b"{\"id\": 7}")), json!(-32600));
    assert_eq!(
        code(&server.receive(b"{\"id\": 7.5, \"method\": \"x\"}")),
        json!(-32600)
    );
    assert_eq!(
        code(&server.receive(b"{\"id\": 7, \"method\": 1}")),
        json!(-32600)
    );
    assert!(server.receive(b"{\"id\": 7, \"result\": null}").is_empty());
    let mut server = started();
    assert_eq!(
        code(&ask(&mut server, 1, "initialize", &json!({}))),
        json!(-32600)
    );
    assert_eq!(code(&ask(&mut server, 1, "x/y", &json!({}))), json!(-32601));
    for wrong in [
        json!(null),
        json!({"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}}),
        json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1e10}}),
        json!({"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}),
    ] {
        let sent = ask(&mut server, 1, "textDocument/hover", &wrong);
        assert_eq!(code(&sent), json!(-32602), "{wrong}");
    }
    let sent = change(&mut server, 1, &json!([{"text": ""}]));
    assert_eq!(sent[0]["method"], json!("window/logMessage"));
    assert!(hover(&mut server, 1, 0, 0)[0]["result"].is_null());
    assert!(server.ended().is_none());
    ask(&mut server, 2, "shutdown", &Value::Null);
    assert_eq!(
        code(&ask(&mut server, 3, "shutdown", &Value::Null)),
        json!(-32600)
    );
    tell(&mut server, "exit", &Value::Null);
    assert_eq!(server.ended(), Some(true));
    let mut server = started();
    tell(&mut server, "exit", &Value::Null);
    assert_eq!(server.ended(), Some(false));
}

/// Start and end of an edit, and the new text.
type Edit = ((u32, u32), (u32, u32), String);

/// One action of a client or the server's owner.
#[derive(Clone, Debug)]
enum Step {
    Open(String),
    Edit(Vec<Edit>),
    Replace(String),
    Close,
    Ask(usize, u32, u32),
    Cancel(i64),
    Begin,
    End(usize),
    Raw(Vec<u8>),
}

const ASKED: [&str; 14] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/documentHighlight",
    "textDocument/rename",
    "textDocument/prepareRename",
    "textDocument/completion",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/formatting",
    "textDocument/codeAction",
    "workspace/symbol",
    "sluice/unknown",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("func.func @f(%a: i32) {\n"),
        Just("%b = arith.addi %a, %a : i32\n"),
        Just("return\n}\n"),
        Just("\u{e9}"),
        Just("\u{1F600}"),
        Just("\r\n"),
        Just("\r"),
        Just("@\""),
        Just("{"),
    ];
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn steps() -> impl Strategy<Value = Step> {
    let place = || (0u32..6, 0u32..30);
    let edits = prop::collection::vec((place(), place(), texts()), 0..4);
    prop_oneof![
        2 => texts().prop_map(Step::Open),
        6 => edits.prop_map(Step::Edit),
        1 => texts().prop_map(Step::Replace),
        1 => Just(Step::Close),
        6 => (0..ASKED.len(), 0u32..6, 0u32..30).prop_map(|(n, l, c)| Step::Ask(n, l, c)),
        1 => (0i64..40).prop_map(Step::Cancel),
        4 => Just(Step::Begin),
        4 => (0usize..2).prop_map(Step::End),
        1 => prop::collection::vec(any::<u8>(), 0..30).prop_map(Step::Raw),
    ]
}

/// Computes the byte of a position exactly as the protocol defines it: line by line, in UTF-16.
fn byte(text: &str, (line, character): (u32, u32)) -> usize {
    let mut at = 0;
    for _ in 0..line {
        let rest = &text[at..];
        let Some(end) = rest.find(['\n', '\r']) else {
            return text.len();
        };
        at += end
            + if rest[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
    }
    let mut left = usize::try_from(character).expect("it is small");
    for c in text[at..].chars() {
        if matches!(c, '\n' | '\r') || left < c.len_utf16() {
            break;
        }
        left -= c.len_utf16();
        at += c.len_utf8();
    }
    at
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_session_keeps_the_text_and_answers_every_request_once(
        steps in prop::collection::vec(steps(), 0..40),
    ) {
        let mut server = started();
        let mut text: Option<String> = None;
        let mut running: Vec<Job> = Vec::new();
        let (mut asked, mut sent, mut version) = (Vec::new(), Vec::new(), 0);
        for step in steps {
            version += 1;
            sent.extend(match step {
                Step::Open(new) => {
                    let document = json!({
                        "uri": URI, "languageId": "mlir", "version": version, "text": &new,
                    });
                    text = Some(new);
                    tell(&mut server, "textDocument/didOpen", &json!({"textDocument": document}))
                }
                Step::Edit(edits) => {
                    let mut changes = Vec::new();
                    for (from, to, new) in edits {
                        if let Some(text) = &mut text {
                            let (a, b) = (byte(text, from), byte(text, to));
                            text.replace_range(a.min(b)..a.max(b), &new);
                        }
                        let place = |(line, character): (u32, u32)| {
                            json!({"line": line, "character": character})
                        };
                        let range = json!({"start": place(from), "end": place(to)});
                        changes.push(json!({"range": range, "text": new}));
                    }
                    change(&mut server, version, &json!(changes))
                }
                Step::Replace(new) => {
                    let changes = json!([{"text": &new}]);
                    text = text.map(|_| new);
                    change(&mut server, version, &changes)
                }
                Step::Close => {
                    text = None;
                    let params = json!({"textDocument": {"uri": URI}});
                    tell(&mut server, "textDocument/didClose", &params)
                }
                Step::Ask(method, line, character) => {
                    asked.push(version);
                    let params = json!({
                        "textDocument": {"uri": URI},
                        "position": {"line": line, "character": character},
                        "range": {
                            "start": {"line": 0, "character": 0},
                            "end": {"line": line, "character": character},
                        },
                        "context": {"includeDeclaration": true, "diagnostics": []},
                        "newName": "x", "query": "f",
                        "options": {"tabSize": 2, "insertSpaces": true},
                    });
                    ask(&mut server, version, ASKED[method], &params)
                }
                Step::Cancel(id) => tell(&mut server, "$/cancelRequest", &json!({"id": id})),
                Step::Begin => {
                    running.extend(server.next_job());
                    prop_assert!(running.len() <= 2);
                    Vec::new()
                }
                Step::End(n) => match n < running.len() {
                    true => server.finish(running.remove(n).run()),
                    false => Vec::new(),
                },
                Step::Raw(bytes) => {
                    server.receive(&bytes);
                    Vec::new()
                }
            });
            let kept = server.documents.get(URI).map(|document| document.snapshot.text.clone());
            prop_assert_eq!(&kept, &text);
        }
        for job in running {
            sent.extend(server.finish(job.run()));
        }
        sent.extend(settle(&mut server).1);
        let answered = sent.iter().filter_map(|sent| sent["id"].as_i64());
        let mut answered: Vec<i64> = answered.collect();
        answered.sort_unstable();
        prop_assert_eq!(answered, asked);
        let is_fault = |sent: &Value| sent["error"]["code"] == json!(-32603);
        prop_assert!(!sent.iter().any(is_fault), "{:?}", sent);
    }
}
