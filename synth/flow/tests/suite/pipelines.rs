//! Tests pass pipelines against the results of mlir-opt 19: which it accepts, which it refuses, and its output.
//!
//! `pipelines/pipelines.txt` has the pipelines, `answers.txt` the results of mlir-opt (`record.sh` writes it). This test does not
//! need mlir-opt.

use std::path::Path;

use sluice_flow::opt::{Options, run};
use sluice_flow::pipeline::all_names;
use sluice_passes::pipeline::Pipeline;

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pipelines");
    let path = folder.join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Splits a line of the list: the pipeline, whether only we refuse it, and whether our output differs.
fn marked(line: &str) -> (&str, bool, bool) {
    match (line.split_once("  #"), line.split_once("  ~")) {
        (Some((text, _)), _) => (text, true, false),
        (None, Some((text, _))) => (text, false, true),
        (None, None) => (line, false, false),
    }
}

/// Returns the module after a pipeline, or the error.
fn answer(text: &str, source: &str) -> Result<String, String> {
    let options = Options {
        allow_unregistered: true,
        pipeline: Pipeline::parse(text, &all_names())?,
        ..Options::default()
    };
    let answer = run(source.as_bytes().to_vec(), "module.mlir", &options);
    match answer.failed {
        true => Err(answer.messages),
        false => Ok(String::from_utf8_lossy(&answer.output).into_owned()),
    }
}

#[test]
fn pipelines_are_accepted_and_run_as_by_mlir_opt() {
    let (source, answers) = (read("module.mlir"), read("answers.txt"));
    let list = read("pipelines.txt");
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let answers: Vec<&str> = answers.split("----\n").collect();
    assert_eq!(lines.len(), answers.len(), "run tests/pipelines/record.sh");
    let mut problems = Vec::new();
    for (line, theirs) in lines.into_iter().zip(answers) {
        let (text, is_refused, has_other_text) = marked(line);
        let ours = answer(text, &source);
        let accepted = theirs.strip_prefix("accepted\n");
        let problem = match (&ours, accepted, is_refused) {
            (Err(_), Some(_), true) | (Err(_), None, false) => None,
            (_, _, true) => Some("it is listed as one that we alone refuse".to_owned()),
            (Ok(_), None, false) => Some("mlir-opt refuses it".to_owned()),
            (Err(why), Some(_), false) => Some(format!("mlir-opt accepts it: {why}")),
            (Ok(ours), Some(theirs), false) => {
                let is_same = ours.trim_end() == theirs.trim_end();
                (is_same == has_other_text).then(|| format!("ours:\n{ours}\nmlir-opt:\n{theirs}"))
            }
        };
        problems.extend(problem.map(|problem| format!("{text}: {problem}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn what_is_printed_reads_as_the_same() {
    let list = read("pipelines.txt");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let mut n_read = 0;
    for line in lines {
        let (text, ..) = marked(line);
        let Ok(pipeline) = Pipeline::parse(text, &all_names()) else {
            continue;
        };
        n_read += 1;
        let printed = pipeline.to_string();
        let again =
            Pipeline::parse(&printed, &all_names()).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(again.to_string(), printed, "{text}");
    }
    assert!(n_read > 60, "{n_read} pipelines are read");
}

#[test]
fn passes_given_one_by_one_print_as_a_pipeline() {
    for (passes, printed) in [
        (&["cse"][..], "any(cse)"),
        (
            &[
                "canonicalize{ top-down  max-iterations=3}",
                "func.func(cse)",
            ],
            "any(canonicalize{max-iterations=3},func.func(cse))",
        ),
        (
            &["inline{default-pipeline=canonicalize{max-iterations=2},cse}"],
            "any(inline{default-pipeline=canonicalize{max-iterations=2},cse})",
        ),
        (
            &["inline{default-pipeline=}"],
            "any(inline{default-pipeline=})",
        ),
        (&[], "any()"),
    ] {
        let passes: Vec<String> = passes.iter().map(|pass| (*pass).to_owned()).collect();
        let pipeline = Pipeline::of_passes(&passes, &all_names()).expect("they are known");
        assert_eq!(pipeline.to_string(), printed);
        let again = Pipeline::parse(printed, &all_names()).expect("what is printed can be read");
        assert_eq!(again.to_string(), printed);
    }
}

#[test]
fn errors_have_columns_and_say_what_fits() {
    let deep = format!("{}cse{}", "any(".repeat(70), ")".repeat(70));
    for (text, column, message) in [
        (
            "cse",
            1,
            "expected a pipeline inside of the name of the operation",
        ),
        (
            "builtin.module(csee)",
            16,
            "unknown pass `csee`; did you mean `cse`?",
        ),
        (
            "builtin.module(func.func(cse,canonicalise{a=1}))",
            43,
            "`canonicalise` has no option",
        ),
        (
            "builtin.module(cse",
            19,
            "expected `)`: `builtin.module(` in column 1 is open",
        ),
        ("builtin.module(cse,)", 20, "expected the name of a pass"),
        ("builtin.module(cse))", 20, "`)` without `(`"),
        ("builtin.module(cse}", 19, "`}` without `{`"),
        (
            "builtin.module(canonicalize{max-iterations=3)",
            28,
            "`{` without `}`",
        ),
        (
            "builtin.module(canonicalize{max-iteration=3})",
            29,
            "`canonicalize` has no option `max-iteration`; did you mean `max-iterations`?",
        ),
        (
            "builtin.module(cse{x=1})",
            20,
            "`cse` has no option `x`; it has none",
        ),
        (
            "builtin.module(canonicalize{top-down=true  max-iterations=many})",
            44,
            "`max-iterations` is a number from -1 on, not `many`",
        ),
        (
            "builtin.module(canonicalize{region-simplify=norma})",
            29,
            "did you mean `normal`?",
        ),
        (
            "builtin.module(canonicalize{max-num-rewrites=5})",
            29,
            "`max-num-rewrites=5` of `canonicalize` is not supported",
        ),
        (
            deep.as_str(),
            264,
            "more than 64 pipelines inside of each other",
        ),
    ] {
        let why = Pipeline::parse(text, &all_names()).expect_err(text);
        let place = format!("pass pipeline:1:{column}: error: ");
        assert!(why.starts_with(&place), "{text}:\n{why}");
        assert!(why.contains(message), "{text}:\n{why}");
    }
}

#[test]
fn passes_that_cannot_run_on_an_anchor_are_errors() {
    let source =
        "hw.module @m(in %a: i8, out o: i8) { hw.output %a : i8 }\nfunc.func @f() { return }";
    for (text, message) in [
        (
            "builtin.module(hw.module(licm))",
            "column 26: `licm` does not run on `hw.module`",
        ),
        (
            "builtin.module(func.func(bind))",
            "`bind` does not run on `func.func`, but on the whole file",
        ),
        (
            "builtin.module(any(forward))",
            "`forward` does not run on `any`",
        ),
        (
            "builtin.module(hw.module(symbol-dce))",
            "`symbol-dce` runs on operations that hold symbols",
        ),
        (
            "hw.module(cse)",
            "a pipeline of `hw.module` cannot run on `builtin.module`",
        ),
    ] {
        let why = answer(text, source).expect_err(text);
        assert!(why.contains(message), "{text}: {why}");
    }
}

#[test]
fn an_anchor_that_no_dialect_has_is_warned_of() {
    let options = Options {
        pipeline: Pipeline::parse("builtin.module(hw.modul(cse))", &all_names())
            .expect("it is a pipeline"),
        ..Options::default()
    };
    let answer = run(b"module {}".to_vec(), "module.mlir", &options);
    assert!(!answer.failed, "{}", answer.messages);
    let warned = "no dialect declares `hw.modul`: nothing runs there; did you mean `hw.module`?";
    assert!(answer.messages.contains(warned), "{}", answer.messages);
}

#[test]
fn only_what_is_named_changes() {
    let module = "hw.module @m(in %a: i8, out o: i8) {
  %0 = comb.add %a, %a : i8
  %1 = comb.add %a, %a : i8
  %2 = comb.mul %0, %1 : i8
  hw.output %2 : i8
}
func.func @f(%a: i8) -> i8 {
  %0 = arith.addi %a, %a : i8
  %1 = arith.addi %a, %a : i8
  %2 = arith.muli %0, %1 : i8
  return %2 : i8
}
";
    let counted = |text: &str| {
        let after = answer(text, module).unwrap_or_else(|why| panic!("{text}: {why}"));
        (
            after.matches("comb.add").count(),
            after.matches("arith.addi").count(),
        )
    };
    assert_eq!(counted("builtin.module(hw.module(cse))"), (1, 2));
    assert_eq!(counted("builtin.module(func.func(cse))"), (2, 1));
    assert_eq!(counted("builtin.module(any(cse))"), (1, 1));
    assert_eq!(counted("builtin.module(cse)"), (1, 1));
    assert_eq!(counted("builtin.module(builtin.module(cse))"), (2, 2));
}
