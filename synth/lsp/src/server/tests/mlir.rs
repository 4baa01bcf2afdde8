//! Tests of requests about modules: completion, folding, tokens, formatting, renaming, symbols and corrections.

use serde_json::{Value, json};

use super::{ask, open, settle, started, tell};
use crate::server::Server;
use crate::server::errands::{Errand, Report};

const URI: &str = "file:///k.mlir";

const TEXT: &str = "// \u{1F600} a kernel\n// of two lines\nfunc.func @f(%n: i32, %A: memref<8xi32>) -> i32 {\n  %sum = arith.addi %n, %n : i32\n  cf.br ^end(%sum : i32)\n^end(%r: i32):\n  return %r : i32\n}\nfunc.func @g() {\n  return\n}\n";

fn session(text: &str) -> Server {
    let mut server = started();
    open(&mut server, text);
    server
}

/// Returns the position of the end of the `nth` occurrence of a text.
fn after(text: &str, part: &str, nth: usize) -> Value {
    let (at, _) = text.match_indices(part).nth(nth).expect("it is there");
    let before = &text[..at + part.len()];
    let last = before.rsplit('\n').next().unwrap_or_default();
    json!({"line": before.matches('\n').count(), "character": last.encode_utf16().count()})
}

fn request(server: &mut Server, method: &str, position: &Value, more: &Value) -> Value {
    let mut params = more.clone();
    params["textDocument"] = json!({"uri": URI});
    params["position"] = position.clone();
    ask(server, 5, method, &params)[0].clone()
}

/// Returns the labels of the completions at the end of a line that follows the first lines of the text.
fn completions(line: &str) -> Vec<String> {
    let (before, _) = TEXT.split_once("  cf.br").expect("it is there");
    let text = format!("#map = affine_map<(d0) -> (d0)>\n{before}{line}");
    let mut server = session(&text);
    let position = after(&text, line, 0);
    let answer = request(
        &mut server,
        "textDocument/completion",
        &position,
        &json!({}),
    );
    let items = answer["result"].as_array().expect("a list").iter();
    let labels = items.map(|item| item["label"].as_str().unwrap_or_default().to_owned());
    labels.collect()
}

#[test]
fn names_operations_types_and_attributes_are_completed() {
    let has = |line: &str, label: &str| {
        let found = completions(line);
        assert!(
            found.iter().any(|known| known == label),
            "{line}: {found:?}"
        );
    };
    has("  %t = arith.mu", "arith.muli");
    has("  affine.st", "affine.store");
    has("  ret", "return");
    assert_eq!(completions("  %t = arith.addi %"), ["%sum", "%A", "%n"]);
    assert_eq!(completions("  %t = func.call @"), ["@f"]);
    assert_eq!(completions("  cf.br ^"), [] as [String; 0]);
    has("  %t = arith.addi %n, %n : ", "i32");
    has("  %t = arith.addi %n, %n : ", "memref<8xi32>");
    has("  %t = affine.apply #", "#map");
    has("  %t = \"x\"() : () -> !", "!seq.clock");
    has("  %t = arith.cmpi slt, %n, %n {", "predicate");
    assert_eq!(completions("  // %"), [] as [String; 0]);
    assert_eq!(completions("  %t = \"a%"), [] as [String; 0]);
    assert_eq!(completions("  %t = arith.addi "), [] as [String; 0]);
}

#[test]
fn blocks_are_completed_in_their_region_only() {
    let mut server = session(TEXT);
    let position = after(TEXT, "cf.br ^", 0);
    let answer = request(
        &mut server,
        "textDocument/completion",
        &position,
        &json!({}),
    );
    assert_eq!(answer["result"][0]["label"], json!("^end"), "{answer}");
    // The word before the cursor is replaced, in the client's units.
    let text = "func.func @f(%\u{e9}) {\n  \"\u{1F600}\"(%ab, %a";
    let mut server = session(text);
    let position = after(text, "%a", 1);
    let answer = request(
        &mut server,
        "textDocument/completion",
        &position,
        &json!({}),
    );
    assert_eq!(answer["result"], json!([]), "{answer}");
}

#[test]
fn an_operation_has_its_page_when_it_is_chosen() {
    let mut server = session(TEXT);
    let item = json!({"label": "arith.addi", "kind": 14});
    let answer = ask(&mut server, 1, "completionItem/resolve", &item);
    let text = answer[0]["result"]["documentation"]["value"].as_str();
    assert!(
        text.is_some_and(|text| text.contains("`arith.addi`")),
        "{answer:?}"
    );
    let answer = ask(&mut server, 1, "completionItem/resolve", &json!(null));
    assert!(answer[0].get("error").is_none(), "{answer:?}");
}

#[test]
fn regions_and_comments_fold() {
    let mut server = session(TEXT);
    let answer = request(
        &mut server,
        "textDocument/foldingRange",
        &json!(null),
        &json!({}),
    );
    let folds = answer["result"].as_array().expect("a list");
    let lines: Vec<(i64, i64)> = folds
        .iter()
        .map(|fold| {
            let line = |key: &str| fold[key].as_i64().expect("a line");
            (line("startLine"), line("endLine"))
        })
        .collect();
    assert_eq!(lines, [(0, 1), (2, 6), (8, 9)]);
    assert_eq!(folds[0]["kind"], json!("comment"));
}

/// Returns the tokens of an answer as lines, starts, lengths and types.
fn decoded(server: &mut Server) -> Vec<[u64; 5]> {
    let method = "textDocument/semanticTokens/full";
    let answer = request(server, method, &json!(null), &json!({}));
    let data = answer["result"]["data"].as_array().expect("a list").clone();
    let data: Vec<u64> = data.iter().filter_map(Value::as_u64).collect();
    let (mut line, mut start) = (0, 0);
    let mut found = Vec::new();
    for token in data.chunks(5) {
        start = if token[0] == 0 {
            start + token[1]
        } else {
            token[1]
        };
        line += token[0];
        found.push([line, start, token[2], token[3], token[4]]);
    }
    found
}

#[test]
fn tokens_have_colours_in_the_units_of_the_client() {
    let found = decoded(&mut session(TEXT));
    // The emoji has two units.
    assert_eq!(found[0], [0, 0, 14, 0, 0]);
    // func.func @f(%n: i32
    assert_eq!(found[2], [2, 0, 9, 3, 0]);
    assert_eq!(found[3], [2, 10, 2, 8, 1]);
    assert_eq!(found[4], [2, 13, 2, 7, 1]);
    assert_eq!(found[5], [2, 17, 3, 5, 0]);
    let sum = found.iter().find(|token| token[0] == 3).expect("a token");
    assert_eq!(*sum, [3, 2, 4, 6, 1]);
}

/// Returns a text after the edits of an answer.
fn edited(text: &str, edits: &Value) -> String {
    let byte = |position: &Value| {
        let line = position["line"].as_u64().expect("a line");
        let line = usize::try_from(line).expect("it is small");
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let start = std::iter::once(0)
            .chain(starts)
            .nth(line)
            .unwrap_or(text.len());
        let mut left = position["character"].as_u64().expect("a character");
        let mut at = start;
        for c in text[start..].chars() {
            if left == 0 {
                break;
            }
            left -= u64::try_from(c.len_utf16()).expect("it is small");
            at += c.len_utf8();
        }
        at
    };
    let edits = edits.as_array().expect("a list");
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("a text");
            (byte(&range["start"]), byte(&range["end"]), new)
        })
        .collect();
    all.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
    let mut text = text.to_owned();
    for (start, end, new) in all {
        text.replace_range(start..end, new);
    }
    text
}

fn formatted(text: &str) -> String {
    let mut server = session(text);
    let options = json!({"options": {"tabSize": 2, "insertSpaces": true}});
    let answer = request(
        &mut server,
        "textDocument/formatting",
        &json!(null),
        &options,
    );
    edited(text, &answer["result"])
}

#[test]
fn a_text_without_comments_becomes_that_of_the_printer() {
    let text = "func.func @f(%a:i32)->i32 {\n %b=\"arith.addi\"(%a,%a):(i32,i32)->i32\nreturn %b:i32}\n\nfunc.func @g() {\n    return\n}";
    let expected = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n\nfunc.func @g() {\n  return\n}\n";
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
}

#[test]
fn a_text_with_comments_keeps_its_lines() {
    let text = "// \u{1F600}\nfunc.func @f(%a: i32,\n%b: i32) -> i32 {   \n      // why\n\n    %c = arith.addi %a, %b :\n i32 // \u{e9}  \n  cf.br ^bb1\n  ^bb1:\nreturn %c : i32\n  }";
    let expected = "// \u{1F600}\nfunc.func @f(%a: i32,\n    %b: i32) -> i32 {\n  // why\n\n  %c = arith.addi %a, %b :\n      i32 // \u{e9}\n  cf.br ^bb1\n^bb1:\n  return %c : i32\n}\n";
    assert_eq!(formatted(text), expected);
    assert_eq!(formatted(expected), expected);
    // An unfinished text is not printed either.
    // An alias may be after blanks.
    let text = " #map = affine_map<(d0) -> (d0)>\nfunc.func private @f(memref<2xi8, #map>)\n";
    assert_eq!(formatted(text), text.trim_start());
    // A module has attributes, also in the generic form.
    let text = "\"builtin.module\"() ({\n}) {my.attr = 7 : i32} : () -> ()\n";
    assert_eq!(formatted(text), text);
    assert_eq!(
        formatted("func.func @f( {\n    %a = \n}\n"),
        "func.func @f( {\n      %a =\n}\n"
    );
}

fn renamed(word: &str, nth: usize, new: &str) -> Result<String, String> {
    renamed_in(TEXT, word, nth, new)
}

fn renamed_in(text: &str, word: &str, nth: usize, new: &str) -> Result<String, String> {
    let mut server = session(text);
    let position = after(text, word, nth);
    let method = "textDocument/rename";
    let answer = request(&mut server, method, &position, &json!({"newName": new}));
    match answer["error"]["message"].as_str() {
        Some(why) => Err(why.to_owned()),
        None => Ok(edited(text, &answer["result"]["changes"][URI])),
    }
}

#[test]
fn symbols_are_the_same_in_every_spelling() {
    let plain = "func.func @f() { return }\nfunc.func @g() { return }\n";
    let quoted = plain.replace("@g", "@\"g\"");
    let generic = "func.func @f() { return }\n\"func.func\"() <{function_type = () -> (), sym_name = \"g\"}> ({\n  \"func.return\"() : () -> ()\n}) : () -> ()\n";
    for (text, new) in [(plain, "\"g\""), (&quoted, "g"), (generic, "g")] {
        let refused = renamed_in(text, "@f", 0, new).expect_err("the name is taken");
        assert!(
            refused.contains("is defined in line 2 already"),
            "{refused}"
        );
    }
    let called = "func.func @f() {\n  call @\"f\"() : () -> ()\n  return\n}\n";
    let expected = called.replace("@f", "@h").replace("@\"f\"", "@h");
    assert_eq!(renamed_in(called, "@f", 0, "h"), Ok(expected));
    let respelt = called.replace("@f", "@\"f\"");
    assert_eq!(renamed_in(called, "@f", 0, "\"f\""), Ok(respelt));
    let escaped = called.replace("@\"f\"", "@\"\\66\"");
    let refused = renamed_in(&escaped, "@f", 0, "h").expect_err("a symbol is not read");
    assert!(refused.contains("has an escape"), "{refused}");
}

#[test]
fn names_are_renamed_with_their_uses() {
    let new = renamed("%sum", 1, "total").expect("a valid name");
    assert_eq!(new, TEXT.replace("%sum", "%total"));
    assert_eq!(renamed("%sum", 0, "%7"), Ok(TEXT.replace("%sum", "%7")));
    let new = renamed("^end", 1, "^exit").expect("a valid name");
    assert_eq!(new, TEXT.replace("^end", "^exit"));
    let new = renamed("@f", 0, "\"my f\"").expect("a valid name");
    assert_eq!(new, TEXT.replace("@f", "@\"my f\""));
    for (word, new, why) in [
        ("%sum", "a b", "no name of a value"),
        ("%sum", "", "no name of a value"),
        ("%sum", "1a", "no name of a value"),
        ("@f", "7", "no name of a symbol"),
        ("%sum", "n", "`%n` is defined in line 3 already"),
        ("@f", "g", "`@g` is defined in line 9 already"),
    ] {
        let refused = renamed(word, 0, new).expect_err("it is not valid");
        assert!(refused.contains(why), "{refused}");
    }
    let refused = renamed("of two", 0, "x").expect_err("no name is there");
    assert!(refused.contains("no name with a definition"), "{refused}");
}

#[test]
fn a_name_is_highlighted_and_offered_for_renaming() {
    let mut server = session(TEXT);
    let position = after(TEXT, "%n", 1);
    let method = "textDocument/documentHighlight";
    let answer = request(&mut server, method, &position, &json!({}));
    let kinds: Vec<&Value> = answer["result"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert_eq!(kinds, [&json!(3), &json!(2), &json!(2)]);
    let method = "textDocument/prepareRename";
    let answer = request(&mut server, method, &position, &json!({}));
    assert_eq!(answer["result"]["placeholder"], json!("%n"));
    let nothing = request(
        &mut server,
        method,
        &json!({"line": 0, "character": 4}),
        &json!({}),
    );
    assert!(nothing["result"].is_null(), "{nothing}");
}

#[test]
fn symbols_of_open_and_closed_kernels_are_found() {
    let mut server = Server::default();
    let params = json!({"capabilities": {}, "rootUri": "file:///w"});
    ask(&mut server, 0, "initialize", &params);
    let uri = |text: &str| text.parse::<lsp_types::Uri>().expect("a URI");
    assert_eq!(server.next_errand(), Some(Errand::List(uri("file:///w"))));
    let kernels = [
        ("file:///w/a.mlir", "func.func @alpha() {\n}\n"),
        ("file:///w/b.mlir", "func.func @beta() {\n}\n"),
    ];
    let kernels = kernels.map(|(name, text)| (uri(name), text.to_owned()));
    server.report(Report::List(kernels.to_vec()));
    let document = json!({"uri": "file:///w/b.mlir", "languageId": "mlir", "version": 1, "text": "func.func @gamma() {\n}\n"});
    tell(
        &mut server,
        "textDocument/didOpen",
        &json!({"textDocument": document}),
    );
    let mut named = |query: &str| -> Vec<String> {
        let answer = ask(&mut server, 1, "workspace/symbol", &json!({"query": query}));
        let found = answer[0]["result"].as_array().expect("a list").iter();
        found
            .map(|symbol| symbol["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(named(""), ["gamma", "alpha"]);
    assert_eq!(named("AL"), ["alpha"]);
    assert_eq!(named("beta"), [] as [String; 0]);
    // After it is closed, the file says what it holds.
    let params = json!({"textDocument": {"uri": "file:///w/b.mlir"}});
    tell(&mut server, "textDocument/didClose", &params);
    assert_eq!(
        server.next_errand(),
        Some(Errand::Read(uri("file:///w/b.mlir")))
    );
}

#[test]
fn a_misspelt_operation_is_corrected() {
    let text = "func.func @f(%a: i32) {\n  %b = arith.adi %a, %a : i32\n  return\n}\n";
    let mut server = session(text);
    settle(&mut server);
    let range = json!({"start": {"line": 1, "character": 9}, "end": {"line": 1, "character": 9}});
    let more = json!({"range": range, "context": {"diagnostics": []}});
    let answer = request(&mut server, "textDocument/codeAction", &json!(null), &more);
    let action = &answer["result"][0];
    assert_eq!(
        action["title"],
        json!("Replace `arith.adi` by `arith.addi`"),
        "{answer}"
    );
    let new = edited(text, &action["edit"]["changes"][URI]);
    assert_eq!(new, text.replace("arith.adi", "arith.addi"));
    let range = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}});
    let more = json!({"range": range, "context": {"diagnostics": []}});
    let answer = request(&mut server, "textDocument/codeAction", &json!(null), &more);
    assert_eq!(answer["result"], json!([]));
}
