//! The page of `report --html`: its structure, the data for its script, names that look like markup, and comparisons.

use std::collections::BTreeSet;
use std::path::Path;

use html5gum::{Token, Tokenizer};
use serde_json::Value;
use sluice_report::comparison::{Comparison, Outcome};

use crate::assertions::{folder, sluice};

/// A loop whose sum waits for the sum before.
const SUM: &str = "func.func @sum(%a: memref<16xi32>, %b: memref<16xi32>, %first: i32) -> i32 {
  %sum = affine.for %i = 0 to 16 iter_args(%before = %first) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi32>
    %y = affine.load %b[%i] : memref<16xi32>
    %product = arith.muli %before, %x : i32
    %next = arith.addi %product, %y : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
";

const DATA: &str = "cases: [{inputs: {a: 3, b: 1, first: 2}}]\n";

/// Elements without an end tag.
const VOID: [&str; 4] = ["meta", "br", "input", "link"];

/// A page that was taken apart.
struct Page {
    text: String,
    /// Contents of the elements with a script, in order.
    scripts: Vec<String>,
    /// All text that is not in a script or style.
    words: String,
}

impl Page {
    /// Reads a page; fails if tags do not match, an id is there twice, or anything outside of the page is named.
    fn read(text: String) -> Self {
        let mut page = Self {
            text: String::new(),
            scripts: Vec::new(),
            words: String::new(),
        };
        let mut open: Vec<String> = Vec::new();
        let mut ids = BTreeSet::new();
        let mut links = BTreeSet::new();
        // The contents of scripts and styles are no markup; a tokenizer alone does not know.
        let mut rest = text.as_str();
        let mut markup = String::new();
        while let Some((before, script)) = rest.split_once("<script") {
            let (attributes, script) = script.split_once('>').expect("a tag ends");
            let (script, after) = script.split_once("</script>").expect("a script ends");
            markup += &format!("{before}<script{attributes}></script>");
            page.scripts.push(script.to_owned());
            rest = after;
        }
        markup += rest;
        for token in Tokenizer::new(&markup).flatten() {
            match token {
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    for (key, value) in &tag.attributes {
                        let key = String::from_utf8_lossy(key).into_owned();
                        let value = String::from_utf8_lossy(value).into_owned();
                        assert!(!key.starts_with("on"), "`{name}` has a handler `{key}`");
                        assert!(!["src", "srcset"].contains(&key.as_str()), "{key}={value}");
                        match key.as_str() {
                            "id" => assert!(ids.insert(value.clone()), "`{value}` is there twice"),
                            "href" => {
                                let own = value.strip_prefix('#');
                                links.insert(own.expect("links are to the page").to_owned());
                            }
                            _ => {}
                        }
                    }
                    if !VOID.contains(&name.as_str()) && !tag.self_closing {
                        open.push(name);
                    }
                }
                Token::EndTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    assert_eq!(open.pop().as_deref(), Some(name.as_str()), "{open:?}");
                }
                Token::String(words) if open.last().is_none_or(|name| name != "style") => {
                    page.words += &String::from_utf8_lossy(&words);
                }
                Token::Error(error) => panic!("{error:?}"),
                Token::String(_) | Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        assert!(open.is_empty(), "not closed: {open:?}");
        let broken: Vec<_> = links.difference(&ids).collect();
        assert!(broken.is_empty(), "links to nothing: {broken:?}");
        for absent in ["http", "@import", "url("] {
            assert!(!text.contains(absent), "a page alone has no `{absent}`");
        }
        page.text = text;
        page
    }

    /// Returns the data of the script.
    fn data(&self) -> Value {
        serde_json::from_str(&self.scripts[0]).expect("the data are JSON")
    }
}

/// Writes the report of a kernel as a page.
fn page(folder: &Path, arguments: &[&str]) -> Page {
    let mut all = vec!["report"];
    all.extend(arguments);
    all.extend(["--html", "page.html"]);
    let (code, told, errors) = sluice(folder, &all);
    assert_eq!(code, Some(0), "{told}{errors}");
    let text = std::fs::read_to_string(folder.join("page.html")).expect("it was written");
    Page::read(text)
}

/// Returns the path of an example.
fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let path = examples.join(name).join("kernel.mlir");
    path.display().to_string()
}

#[test]
fn pages_are_whole() {
    let folder = folder(&[("elastic.yaml", "style: elastic\n")]);
    let elastic = ["--config", "elastic.yaml"];
    for (name, more, present) in [
        ("gemm", &[][..], &["Critical paths", "by source line"][..]),
        ("sobel", &[], &["Ports and units by slot", "Use of cycles"]),
        ("irregular/rc4", &[], &["The recurrence that sets the II"]),
        ("floats/dot", &[], &["table of operations"]),
        (
            "irregular/spmv",
            &elastic,
            &["Dataflow graph", "in the mean"],
        ),
    ] {
        let kernel = example(name);
        let mut arguments = vec![kernel.as_str()];
        arguments.extend(more);
        let found = page(folder.path(), &arguments);
        assert!(found.text.len() < 1_000_000, "{name}");
        for words in present {
            assert!(found.text.contains(words), "{name} has `{words}`");
        }
        let again = page(folder.path(), &arguments);
        assert_eq!(found.text, again.text, "{name} has the same bytes again");
    }
}

#[test]
fn data_of_a_page_are_the_schedule() {
    let folder = folder(&[("sum.mlir", SUM)]);
    let data = page(folder.path(), &["sum.mlir"]).data();
    let charts = data["charts"].as_array().expect("charts");
    let of = charts.iter().find(|chart| chart["ii"].is_number());
    let of = of.expect("a pipelined loop");
    let number = |value: &Value| value.as_i64().expect("a number");
    let ns = |value: &Value| value.as_f64().expect("a time");
    let ii = number(&of["ii"]);
    let operations = of["operations"].as_array().expect("operations");
    for operation in operations {
        let (from, to) = (ns(&operation["from_ns"]), ns(&operation["to_ns"]));
        assert!(
            from >= 0.0 && to <= ns(&of["usable_ns"]) + 1e-6,
            "{operation}"
        );
    }
    let mut n_carried = 0;
    for edge in of["dependences"].as_array().expect("dependences") {
        let edge: Vec<i64> = edge
            .as_array()
            .expect("numbers")
            .iter()
            .map(number)
            .collect();
        let [from, to, distance, gap, spare, _] = edge[..] else {
            panic!("{edge:?}");
        };
        let start = |row: i64| number(&operations[usize::try_from(row).expect("a row")]["start"]);
        let apart = start(to) + ii * distance - start(from) - gap;
        assert_eq!(apart, spare, "{edge:?}");
        assert!(spare >= 0, "{edge:?}");
        n_carried += i64::from(distance > 0);
    }
    assert!(n_carried > 0, "{of}");
    // The product waits for the sum of the iteration before.
    assert_eq!(of["limit"]["kind"], "recurrence", "{of}");
    let rows = of["limit"]["rows"].as_array().expect("rows");
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| operations[usize::try_from(number(row)).ok()?]["name"].as_str())
        .collect();
    assert!(
        names.iter().any(|name| name.starts_with("%product")),
        "{names:?}"
    );
    assert!(
        names.iter().any(|name| name.starts_with("%next")),
        "{names:?}"
    );
}

#[test]
fn names_of_the_user_are_no_markup() {
    let kernel = SUM
        .replace("@sum", "@\"</script><b onclick=x>&amp;\"")
        .replace("  return", "  // </script><!-- <script> \"'&\n  return");
    let folder = folder(&[("a<i>'&.mlir", &kernel)]);
    let found = page(folder.path(), &["a<i>'&.mlir"]);
    assert_eq!(found.scripts.len(), 2);
    assert!(found.words.contains("// </script><!-- <script> \"'&"));
    assert!(!found.text.contains("<b onclick"), "a name is escaped");
    assert!(!found.scripts[0].contains('<'), "no tag can be in the data");
    let title = found.data()["kernel"].as_str().map(str::to_owned);
    assert_eq!(title.as_deref(), Some("</script><b onclick=x>&amp;"));
}

#[test]
fn a_page_of_many_operations_is_small() {
    let mut kernel = "func.func @large(%a: memref<64xi32>, %b: memref<64xi32>) {\n  affine.for %i = 0 to 64 {\n    %x = affine.load %a[%i] : memref<64xi32>\n".to_owned();
    let mut last = "x".to_owned();
    for n in 0..250 {
        kernel += &format!("    %c{n} = arith.constant {} : i32\n", 977 * n + 3);
        kernel += &format!("    %p{n} = arith.xori %{last}, %c{n} : i32\n");
        kernel += &format!("    %v{n} = arith.addi %p{n}, %x : i32\n");
        last = format!("v{n}");
    }
    kernel += &format!("    affine.store %{last}, %b[%i] : memref<64xi32>\n  }}\n  return\n}}\n");
    let folder = folder(&[("large.mlir", &kernel)]);
    let found = page(folder.path(), &["large.mlir"]);
    let charts = found.data();
    let charts = charts["charts"].as_array().expect("charts");
    let n_operations = charts
        .iter()
        .filter_map(|chart| chart["operations"].as_array());
    let most = n_operations.map(Vec::len).max();
    assert!(most >= Some(400), "{most:?}");
    assert!(found.text.len() < 1_000_000, "{}", found.text.len());
}

#[test]
fn reports_are_compared() {
    let folder = folder(&[
        ("sum.mlir", SUM),
        ("data.yaml", DATA),
        ("fast.yaml", "clock_period_ns: 8\n"),
        ("no.json", "[1]"),
        ("bad.json", "{"),
    ]);
    let run = |arguments: &[&str]| sluice(folder.path(), arguments);
    let (code, before, _) = run(&["report", "sum.mlir", "--json"]);
    assert_eq!(code, Some(0));
    std::fs::write(folder.path().join("before.json"), before).expect("it can be written");
    let slower = ["--config", "fast.yaml", "--compare", "before.json"];
    let with = |more: &[&str]| {
        let mut all = vec!["report", "sum.mlir"];
        all.extend(slower);
        all.extend(more);
        run(&all)
    };
    let (code, text, errors) = with(&[]);
    assert_eq!(code, Some(0), "{errors}");
    let (_, told) = text.split_once("compared with ").expect("a comparison");
    insta::assert_snapshot!("compared_reports", told);
    let (_, json, _) = with(&["--json"]);
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let figures = json["comparison"]["figures"].as_array().expect("figures");
    assert_eq!(figures[0]["figure"], "latency, cycles");
    assert_eq!(figures[0]["outcome"], "better");
    let (code, _, errors) = with(&["--html", "page.html"]);
    assert_eq!(code, Some(0), "{errors}");
    let text = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let words = Page::read(text).words;
    for present in ["Before and after", "Use of cycles"] {
        assert!(words.contains(present), "the page has `{present}`");
    }
    for (file, why) in [
        ("no.json", "no.json: error: it has no `kernel` or `graph`"),
        ("bad.json", "bad.json: error: EOF while parsing"),
        ("none.json", "none.json"),
    ] {
        let (code, _, errors) = run(&["report", "sum.mlir", "--compare", file]);
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.contains(why), "{errors}");
    }
}

/// Two counts that are one number of 64 bits with a fraction.
#[test]
fn counts_are_compared_exactly() {
    let report = |cycles: &str| serde_json::json!({"kernel": "k", "latency_cycles": cycles});
    let (before, after) = ("11000000001000000002", "11000000001000000003");
    let found = Comparison::of(&report(before), &report(after)).expect("both are reports");
    assert_eq!(found.figures[0].outcome(), Outcome::Worse);
    let json = &found.to_json()["figures"][0]["after"];
    assert_eq!(*json, serde_json::json!(11_000_000_001_000_000_003_u64));
    let text = found.text();
    assert!(text.contains(&format!("{before} {after}")), "{text}");
    let same = Comparison::of(&report(after), &report(after)).expect("both are reports");
    assert_eq!(same.figures[0].outcome(), Outcome::Same);
}
