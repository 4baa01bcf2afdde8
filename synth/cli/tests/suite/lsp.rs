//! Tests of the language server with a scripted client over its standard streams.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: i64,
}

impl Client {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sluice"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut client = Self {
            child,
            input,
            output,
            next: 1,
        };
        let answer = client.request("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["capabilities"]["hoverProvider"], json!(true));
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it answers");
            match line.trim() {
                "" => break,
                line => {
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.parse().expect("a number");
                    }
                }
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("it answers");
        serde_json::from_slice(&text).expect("it speaks JSON")
    }

    /// Sends a request and returns its id.
    fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let answer = self.receive();
            // A compilation may end meanwhile.
            if answer["method"] == json!("textDocument/publishDiagnostics") {
                continue;
            }
            assert_eq!(answer["id"], json!(id), "{answer}");
            return answer["result"].clone();
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Returns the next diagnostics of a document with some of `sluice compile` among them.
    fn compiled(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let message = self.receive();
            let found = message["params"]["diagnostics"].as_array();
            let found = found.expect("diagnostics").clone();
            let mut compiled = found.iter().map(|found| &found["source"]);
            if message["params"]["uri"] == json!(uri)
                && compiled.any(|source| *source == json!("sluice compile"))
            {
                return found;
            }
        }
    }

    /// Changes the document and returns the next diagnostics.
    fn write(&mut self, text: &str, version: i64) -> Vec<Value> {
        let document = json!({"uri": URI, "languageId": "mlir", "version": version, "text": text});
        match version {
            1 => self.notify("textDocument/didOpen", json!({"textDocument": document})),
            _ => self.notify(
                "textDocument/didChange",
                json!({"textDocument": document, "contentChanges": [{"text": text}]}),
            ),
        }
        let message = self.receive();
        assert_eq!(message["method"], json!("textDocument/publishDiagnostics"));
        message["params"]["diagnostics"]
            .as_array()
            .expect("a list")
            .clone()
    }

    /// Ends the session.
    fn stop(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Sends a request about the `nth` occurrence of `word` in the document.
    fn about(&mut self, method: &str, word: &str, nth: usize) -> Value {
        let (at, _) = GOOD.match_indices(word).nth(nth).expect("it is there");
        let line = GOOD[..at].matches('\n').count();
        let start = GOOD[..at].rfind('\n').map_or(0, |i| i + 1);
        let position = json!({"line": line, "character": at - start + 1});
        let params = json!({
            "textDocument": {"uri": URI}, "position": position, "context": {"includeDeclaration": true},
        });
        self.request(method, params)
    }
}

const URI: &str = "file:///kernel.mlir";

const BAD: &str =
    "func.func @f(%a: i32) -> i32 {\n  %b = arith.addj %a, %a : i32\n  return %b : i32\n}\n";

const GOOD: &str = "func.func @f(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func @g(%a: i8) {
  %c = arith.constant 7 : i32
  %r = func.call @f(%c) : (i32) -> i32
  return
}
";

#[test]
fn a_session() {
    let mut client = Client::start();
    let found = client.write(BAD, 1);
    let message = found[0]["message"].as_str().expect("a message");
    assert!(
        message.contains("custom op 'arith.addj' is unknown"),
        "{message}"
    );
    assert!(message.contains("arith.addi"), "{message}");
    assert_eq!(
        found[0]["range"],
        json!({"start": {"line": 1, "character": 7}, "end": {"line": 1, "character": 17}})
    );
    assert!(client.write(GOOD, 2).is_empty());

    let hover = client.about("textDocument/hover", "arith.addi", 0);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        text.contains("`arith.addi`") && text.contains("operand"),
        "{text}"
    );
    let hover = client.about("textDocument/hover", "%b", 1);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("%b : i32"), "{text}");
    let hover = client.about("textDocument/hover", "%a", 3);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("%a : i8"), "{text}");
    let hover = client.about("textDocument/hover", "@f", 1);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("func.func @f(%a: i32) -> i32"), "{text}");

    let found = client.about("textDocument/definition", "%a", 1);
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 13}));
    let found = client.about("textDocument/definition", "@f", 1);
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 10}));
    let found = client.about("textDocument/references", "%a", 0);
    assert_eq!(found.as_array().map(Vec::len), Some(3));

    let document = json!({"textDocument": {"uri": URI}});
    let symbols = client.request("textDocument/documentSymbol", document);
    let names: Vec<_> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| &s["name"])
        .collect();
    assert_eq!(names, ["f", "g"]);

    client.stop();
}

#[test]
fn a_hover_behind_a_character_that_is_not_ascii_is_answered() {
    let mut client = Client::start();
    client.write("// \u{e9}", 1);
    let params = json!({
        "textDocument": {"uri": URI}, "position": {"line": 0, "character": 4},
    });
    assert_eq!(client.request("textDocument/hover", params), Value::Null);
    client.stop();
}

#[test]
fn a_hundred_edits_are_analysed_a_few_times() {
    let mut client = Client::start();
    let mut text = "func.func @f(%a: i32) -> i32 {\n".to_owned();
    for n in 0..2000 {
        text += &format!("  %v{n} = arith.addi %a, %a : i32\n");
    }
    text += "  return %v7 : i32\n}\n";
    client.write(&text, 1);
    for n in 0..100 {
        let at = json!({"line": 0, "character": 0});
        let edit = json!({"range": {"start": at, "end": at}, "text": format!("// {n}\n")});
        let params = json!({
            "textDocument": {"uri": URI, "version": n + 2}, "contentChanges": [edit],
        });
        client.notify("textDocument/didChange", params);
    }
    let params = json!({
        "textDocument": {"uri": URI}, "position": {"line": 108, "character": 4},
    });
    let id = client.ask("textDocument/hover", params);
    let mut versions = Vec::new();
    loop {
        let message = client.receive();
        if message["id"] == json!(id) {
            let text = message["result"]["contents"]["value"].as_str();
            assert!(
                text.is_some_and(|text| text.contains("%v7 : i32")),
                "{message}"
            );
        } else {
            assert_eq!(message["method"], json!("textDocument/publishDiagnostics"));
            assert_eq!(message["params"]["diagnostics"], json!([]));
            versions.push(message["params"]["version"].as_i64());
        }
        if versions.last() == Some(&Some(101)) {
            break;
        }
    }
    // An analysis takes longer than an edit: most texts are not analysed.
    assert!(versions.len() < 50, "{versions:?}");
    client.stop();
}

#[test]
fn what_is_no_message_is_refused_and_the_next_one_is_answered() {
    let mut client = Client::start();
    for broken in [
        "Content-Length: 7\r\n\r\nnothing",
        "Content-Length: many\r\n\r\n",
        "Content-Length: 500\r\n\r\n{}",
        "Content-Length: 12\r\n\r\n[1, 2, 3, 4]",
    ] {
        client
            .input
            .write_all(broken.as_bytes())
            .expect("it listens");
        let params = json!({"textDocument": {"uri": "file:///none.mlir"}});
        let id = client.ask("textDocument/documentSymbol", params);
        let mut refused = 0;
        loop {
            let message = client.receive();
            if message["id"] == json!(id) {
                assert_eq!(message["result"], Value::Null);
                break;
            }
            assert_eq!(message["id"], Value::Null, "{message}");
            assert!(message["error"]["code"].is_i64(), "{message}");
            refused += 1;
        }
        assert_eq!(refused, 1, "{broken}");
    }
    assert!(client.request("sluice/unknown", Value::Null).is_null());
    client.stop();
}

#[test]
fn a_client_that_ends_without_shutdown_is_a_failure() {
    for exits in [true, false] {
        let mut client = Client::start();
        if exits {
            client.notify("exit", Value::Null);
        }
        drop(client.input);
        let status = client.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(1), "exit was sent: {exits}");
    }
}

#[test]
fn a_configuration_is_checked_and_completed_with_the_kernel_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("my kernel.mlir"), GOOD_LOOP).expect("it is written");
    let uri = format!("file://{}/my%20kernel.yaml", folder.path().display());
    let mut client = Client::start();
    let document = json!({
        "uri": uri, "languageId": "yaml", "version": 1, "text": "loops:\n  \nstyel: static\n",
    });
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    let message = client.receive();
    assert_eq!(message["method"], json!("textDocument/publishDiagnostics"));
    let found = &message["params"]["diagnostics"];
    let text = found[0]["message"].as_str().expect("a message");
    assert!(text.contains("did you mean `style`?"), "{message}");
    let params = json!({
        "textDocument": {"uri": uri}, "position": {"line": 1, "character": 2},
    });
    let items = client.request("textDocument/completion", params);
    assert_eq!(items[0]["label"], json!("row"), "{items}");
    client.stop();
}

const GOOD_LOOP: &str = "func.func @f(%A: memref<8xi32>) {
  affine.for %row = 0 to 8 {
    %c = arith.constant 7 : i32
    affine.store %c, %A[%row] : memref<8xi32>
  }
  return
}
";

#[test]
fn the_errors_of_compile_come_after_a_pause() {
    for (text, message, line) in [
        (
            "func.func @f(%A: memref<?xi32>, %i: index) -> i32 {\n  %x = memref.load %A[%i] : memref<?xi32>\n  return %x : i32\n}\n",
            "`A` has a dimension without a size",
            0,
        ),
        (
            "// \u{e9}\nfunc.func @f(%A: memref<10xi32>, %x: i32) {\n  %c = arith.constant 12 : index\n  memref.store %x, %A[%c] : memref<10xi32>\n  return\n}\n",
            "the index of dimension 0 is 12, outside of 0 to 9",
            3,
        ),
        (
            "func.func @f(%x: vector<4xi32>) -> vector<4xi32> {\n  %y = arith.addi %x, %x : vector<4xi32>\n  return %y : vector<4xi32>\n}\n",
            "only integers, floats",
            0,
        ),
    ] {
        let mut client = Client::start();
        let found = client.write(text, 1);
        assert!(found.is_empty(), "{found:?}");
        let found = client.compiled(URI);
        let shown = found[0]["message"].as_str().expect("a message");
        assert!(shown.contains(message), "{shown}");
        assert_eq!(found[0]["range"]["start"]["line"], json!(line), "{found:?}");
        // They end with the text.
        assert!(client.write("", 2).is_empty());
        client.stop();
    }
}

#[test]
fn loops_and_functions_have_their_figures() {
    let mut client = Client::start();
    assert!(client.write(GOOD_LOOP, 1).is_empty());
    let everywhere = json!({
        "textDocument": {"uri": URI},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
    });
    let hints = loop {
        let hints = client.request("textDocument/inlayHint", everywhere.clone());
        if hints.as_array().is_some_and(|hints| !hints.is_empty()) {
            break hints;
        }
        std::thread::yield_now();
    };
    assert_eq!(
        hints[0]["label"],
        json!("II 1, 8 iterations, 9 cycles"),
        "{hints}"
    );
    assert_eq!(hints[0]["position"], json!({"line": 1, "character": 28}));
    let tooltip = hints[0]["tooltip"]["value"].as_str().expect("a text");
    assert!(
        tooltip.contains("a new iteration starts in every cycle"),
        "{tooltip}"
    );
    let lenses = client.request("textDocument/codeLens", everywhere.clone());
    let title = lenses[0]["command"]["title"].as_str().expect("a title");
    for part in ["latency", "cycles", "LUT", "FF", "DSP", "BRAM", "MHz"] {
        assert!(title.contains(part), "{title}");
    }
    client.stop();
}

#[test]
fn a_directive_without_a_loop_is_shown_in_the_open_configuration() {
    let mut client = Client::start();
    assert!(client.write(GOOD_LOOP, 1).is_empty());
    let uri = "file:///kernel.yaml";
    let document = json!({
        "uri": uri, "languageId": "yaml", "version": 1, "text": "loops:\n  col: {unroll: 2}\n",
    });
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    let found = client.compiled(uri);
    let message = found[0]["message"].as_str().expect("a message");
    assert!(message.contains("directives for a loop `col`"), "{message}");
    assert_eq!(
        found[0]["range"]["start"],
        json!({"line": 1, "character": 2})
    );
    client.stop();
}
