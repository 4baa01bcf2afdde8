//! The language server, driven by a scripted client over its standard streams.

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

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.receive();
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer["result"].clone()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The diagnostics after a change of the document.
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

    /// A request about what stands at the `nth` place of `word` in the document.
    fn ask(&mut self, method: &str, word: &str, nth: usize) -> Value {
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

    let hover = client.ask("textDocument/hover", "arith.addi", 0);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        text.contains("`arith.addi`") && text.contains("operand"),
        "{text}"
    );
    let hover = client.ask("textDocument/hover", "%b", 1);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("%b : i32"), "{text}");
    let hover = client.ask("textDocument/hover", "%a", 3);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("%a : i8"), "{text}");
    let hover = client.ask("textDocument/hover", "@f", 1);
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("func.func @f(%a: i32) -> i32"), "{text}");

    let found = client.ask("textDocument/definition", "%a", 1);
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 13}));
    let found = client.ask("textDocument/definition", "@f", 1);
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 10}));
    let found = client.ask("textDocument/references", "%a", 0);
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

    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    client.notify("exit", Value::Null);
    assert!(client.child.wait().expect("it ends").success());
}
