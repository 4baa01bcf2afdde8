//! Tests dumps, times, statistics, reproducers and round trips of `sluice opt`.

use std::sync::atomic::{AtomicU32, Ordering};

use sluice_flow::opt::{
    Answer, Arrangement, Dumps, Options, Outside, Reproducer, Selection, dialect_names, run_to,
};
use sluice_flow::pipeline::all_names;
use sluice_ir::bits::Bits;
use sluice_ir::passes::{Pass, PassManager, Scope};
use sluice_ir::text::{OperationState, ParseOptions, ParseResult, Parser, Printer, parse_module};
use sluice_ir::{Context, Diagnostics, Module, View, verifier};
use sluice_passes::pipeline::Pipeline;

const TWO: &str = "func.func @f(%a: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 0 : i32
  %0 = arith.addi %a, %c0 : i32
  %1 = arith.addi %0, %c1 : i32
  return %1 : i32
}
func.func @g() {
  return
}
";

/// Everything that a run writes.
#[derive(Default)]
struct Written {
    answer: Answer,
    output: String,
    log: String,
    reproducers: Vec<String>,
}

fn pipeline(text: &str) -> Pipeline {
    Pipeline::parse(text, &all_names()).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// Runs with a clock that advances by a second whenever it is read.
fn run(source: &str, options: &Options) -> Written {
    let clock = AtomicU32::new(0);
    let (mut output, mut log, mut reproducers) = (Vec::new(), String::new(), Vec::new());
    let outside = Outside {
        output: &mut |piece| output.extend_from_slice(piece),
        log: &mut |text| log.push_str(text),
        seconds: &|| f64::from(clock.fetch_add(1, Ordering::Relaxed)),
        reproducer: &mut |text| reproducers.push(text.to_owned()),
    };
    let answer = run_to(source.as_bytes().to_vec(), "m.mlir", options, outside);
    Written {
        answer,
        output: String::from_utf8(output).expect("text is printed"),
        log,
        reproducers,
    }
}

fn headers(log: &str) -> Vec<&str> {
    let lines = log.lines();
    lines
        .filter_map(|line| line.strip_prefix("// -----// IR Dump "))
        .map(|line| line.trim_end_matches(" //----- //"))
        .collect()
}

#[test]
fn dumps_show_the_chosen_passes() {
    let all = Selection::All;
    let only = |name| Selection::Passes(vec![name]);
    let with = |before, after| Dumps {
        before,
        after,
        ..Dumps::default()
    };
    for (text, dumps, wanted) in [
        (
            "any(cse,canonicalize)",
            with(only("canonicalize"), only("cse")),
            &["After CSE (cse)", "Before Canonicalizer (canonicalize)"][..],
        ),
        (
            "any(func.func(cse),affine-to-scf)",
            with(Selection::None, all.clone()),
            &[
                "After CSE (cse)",
                "After CSE (cse)",
                "After AffineToScf (affine-to-scf)",
            ],
        ),
        (
            "any(func.func(cse),cse)",
            Dumps {
                only_changed: true,
                ..with(Selection::None, all.clone())
            },
            &["After CSE (cse)"],
        ),
        (
            "any(func.func(cse),cse)",
            Dumps {
                module_scope: true,
                ..with(all.clone(), Selection::None)
            },
            &[
                "Before CSE (cse) ('func.func' operation: @f)",
                "Before CSE (cse) ('func.func' operation: @g)",
                "Before CSE (cse) ('builtin.module' operation)",
            ],
        ),
        (
            "any(cse)",
            Dumps {
                only_failed: true,
                ..Dumps::default()
            },
            &[],
        ),
        (
            "any(cse,func.func(canonicalize{max-iterations=1 test-convergence}))",
            Dumps {
                only_failed: true,
                ..Dumps::default()
            },
            &["After Canonicalizer Failed (canonicalize)"],
        ),
        (
            "any(narrow)",
            with(all.clone(), all.clone()),
            &["Before Narrow (narrow)", "After Narrow Failed (narrow)"],
        ),
    ] {
        let source = match text.contains("narrow") {
            true => "func.func @f(%a: memref<8xi8>) { affine.for %i = 0 to 8 { } return }",
            false => TWO,
        };
        let options = Options {
            pipeline: pipeline(text),
            dumps,
            ..Options::default()
        };
        let written = run(source, &options);
        assert_eq!(headers(&written.log), wanted, "{text}: {}", written.log);
        assert_eq!(
            written.answer.failed,
            written.log.contains("Failed"),
            "{text}: {}",
            written.answer.messages
        );
    }
}

#[test]
fn a_dump_of_a_pass_that_does_not_run_is_warned_of() {
    let options = Options {
        pipeline: pipeline("any(cse)"),
        dumps: Dumps {
            after: Selection::Passes(vec!["cse", "sccp"]),
            ..Dumps::default()
        },
        ..Options::default()
    };
    let messages = run(TWO, &options).answer.messages;
    let warning = "`--mlir-print-ir-after=sccp` prints nothing: the pipeline does not run `sccp`";
    assert!(messages.contains(warning), "{messages}");
    assert_eq!(messages.matches("warning").count(), 1, "{messages}");
}

#[test]
fn times_add_up() {
    let report = |arrangement| {
        let options = Options {
            pipeline: pipeline("any(cse,func.func(canonicalize,cse))"),
            split: Some("// split".to_owned()),
            timing: Some(arrangement),
            ..Options::default()
        };
        let log = run(&format!("{TWO}// split\n{TWO}"), &options).log;
        let lines = log.lines().skip(3).map(str::to_owned);
        lines.collect::<Vec<String>>()
    };
    // Two readings of the clock for each step of each of the two parts.
    let wanted = [
        "  Total Execution Time: 21.0000 seconds",
        "",
        "  ----Wall Time----  ----Name----",
        "    2.0000 (  9.5%)  Parser",
        "    2.0000 (  9.5%)  CSE",
        "    4.0000 ( 19.0%)  'func.func' Pipeline",
        "    2.0000 (  9.5%)    Canonicalizer",
        "    2.0000 (  9.5%)    CSE",
        "    2.0000 (  9.5%)  Output",
        "   11.0000 ( 52.4%)  Rest",
        "   21.0000 (100.0%)  Total",
    ];
    assert_eq!(report(Arrangement::Pipeline), wanted);
    let wanted = [
        "    4.0000 ( 19.0%)  CSE",
        "    4.0000 ( 19.0%)  'func.func' Pipeline",
        "    2.0000 (  9.5%)  Parser",
        "    2.0000 (  9.5%)  Canonicalizer",
        "    2.0000 (  9.5%)  Output",
        "   11.0000 ( 52.4%)  Rest",
        "   21.0000 (100.0%)  Total",
    ];
    assert_eq!(report(Arrangement::List)[3..], wanted);
}

#[test]
fn statistics_count_operations() {
    let report = |arrangement| {
        let options = Options {
            pipeline: pipeline("any(func.func(cse),cse)"),
            statistics: Some(arrangement),
            ..Options::default()
        };
        let log = run(TWO, &options).log;
        let lines = log.lines().skip(3).filter(|line| !line.is_empty());
        let lines = lines.map(|line| line.split(" - ").next().unwrap_or_default().to_owned());
        lines.collect::<Vec<String>>()
    };
    let wanted = [
        "'func.func' Pipeline",
        "  CSE",
        "    (S) 2 runs             ",
        "    (S) 1 changes          ",
        "    (S) 8 operations-before",
        "    (S) 7 operations-after ",
        "CSE",
        "  (S) 1 runs             ",
        "  (S) 0 changes          ",
        "  (S) 8 operations-before",
        "  (S) 8 operations-after ",
    ];
    assert_eq!(report(Arrangement::Pipeline), wanted);
    let wanted = [
        "CSE",
        "  (S)  3 runs             ",
        "  (S)  1 changes          ",
        "  (S) 16 operations-before",
        "  (S) 15 operations-after ",
    ];
    assert_eq!(report(Arrangement::List), wanted);
}

#[test]
fn a_reproducer_repeats_the_run() {
    let text = "any(cse,func.func(canonicalize{max-iterations=3}))";
    let options = Options {
        pipeline: pipeline(text),
        reproducer: Some(Reproducer::AllPasses),
        verifies_each: false,
        ..Options::default()
    };
    let written = run(TWO, &options);
    let [file] = &written.reproducers[..] else {
        panic!("{} reproducers", written.reproducers.len());
    };
    assert!(
        file.ends_with(
            "
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: \"builtin.module(cse,func.func(canonicalize{max-iterations=3}))\",
      disable_threading: false,
      verify_each: false
    }
  }
#-}
"
        ),
        "{file}"
    );
    let options = Options {
        run_reproducer: true,
        reproducer: Some(Reproducer::AllPasses),
        ..Options::default()
    };
    let again = run(file, &options);
    assert_eq!(again.output, written.output, "{}", again.answer.messages);
    assert_eq!(again.reproducers, written.reproducers);
    // Other passes come after those of the file.
    let options = Options {
        pipeline: pipeline("builtin.module(sccp)"),
        dumps: Dumps {
            after: Selection::All,
            ..Dumps::default()
        },
        ..options
    };
    let more = run(file, &options);
    assert_eq!(headers(&more.log).last(), Some(&"After SCCP (sccp)"));
    assert_eq!(headers(&more.log).len(), 4, "{}", more.log);
}

#[test]
fn a_local_reproducer_has_the_pass_that_failed() {
    let options = Options {
        pipeline: pipeline("any(cse,func.func(canonicalize{max-iterations=1 test-convergence}))"),
        reproducer: Some(Reproducer::LastPass),
        ..Options::default()
    };
    let written = run(TWO, &options);
    assert_eq!(written.answer.failed_pass, Some("canonicalize"));
    let file = written.reproducers.last().expect("there is one");
    let wanted = "pipeline: \"builtin.module(func.func(canonicalize{max-iterations=1 test-convergence=true}))\"";
    assert!(file.contains(wanted), "{file}");
    // `cse` has run: there is one constant.
    assert_eq!(file.matches("arith.constant").count(), 1, "{file}");
    let options = Options {
        run_reproducer: true,
        ..Options::default()
    };
    assert_eq!(
        run(file, &options).answer.failed_pass,
        Some("canonicalize"),
        "the file alone fails in the same way"
    );
}

#[test]
fn the_last_reproducer_is_that_of_the_part_that_failed() {
    for reproducer in [Reproducer::AllPasses, Reproducer::LastPass] {
        let options = Options {
            pipeline: pipeline("any(canonicalize{max-iterations=1 test-convergence})"),
            reproducer: Some(reproducer),
            split: Some("// split".to_owned()),
            ..Options::default()
        };
        let sound = |name| format!("func.func @{name}() {{ return }}\n// split\n");
        let source = format!("{}{TWO}// split\n{}", sound("first"), sound("last"));
        let written = run(&source, &options);
        assert_eq!(written.answer.failed_pass, Some("canonicalize"));
        let last = written.reproducers.last().expect("there is one");
        assert!(last.contains("func.func @f("), "{last}");
    }
}

#[test]
fn reproducers_of_mlir_opt_are_read() {
    let file = |entries: &str| {
        format!("{TWO}{{-# external_resources: {{ mlir_reproducer: {{ {entries} }} }} #-}}\n")
    };
    let options = Options {
        run_reproducer: true,
        ..Options::default()
    };
    let theirs = "pipeline: \"builtin.module(cse, canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true})\", disable_threading: true, verify_each: true";
    let written = run(&file(theirs), &options);
    assert!(!written.answer.failed, "{}", written.answer.messages);
    assert!(
        !written.output.contains("arith.constant"),
        "{}",
        written.output
    );
    assert!(
        !written.output.contains("mlir_reproducer"),
        "{}",
        written.output
    );
    let kept = run(&file(theirs), &Options::default());
    assert!(kept.output.contains("mlir_reproducer"), "{}", kept.output);
    for (entries, wanted) in [
        ("pipeline: true", "`pipeline` must be a string"),
        (
            "verify_each: \"yes\"",
            "`verify_each` must be `true` or `false`",
        ),
        (
            "pipelin: \"x\"",
            "unknown key `pipelin`; did you mean `pipeline`?",
        ),
        (
            "pipeline: \"builtin.module(csee)\"",
            "unknown pass `csee`; did you mean `cse`?",
        ),
    ] {
        let answer = run(&file(entries), &options).answer;
        assert!(answer.failed, "{entries}");
        assert!(answer.messages.contains(wanted), "{}", answer.messages);
    }
    let none = run(TWO, &options).answer.messages;
    assert!(
        none.contains("warning: there is no reproducer in this file"),
        "{none}"
    );
}

fn parse_forgetful(parser: &mut Parser<'_>, state: &mut OperationState) -> ParseResult<()> {
    let context = parser.context();
    let count = parser.parse_optional_integer()?.unwrap_or(0);
    let ty = context.integer_type(8);
    state.set_attribute(
        context,
        "count",
        context.integer_attribute(ty, Bits::from_i64(8, count)),
    );
    Ok(())
}

/// Prints no more than five.
fn print_forgetful(printer: &mut Printer<'_>, view: View<'_>) {
    let count = view
        .attribute("count")
        .and_then(|count| count.as_i64(view.context));
    printer.text(&format!(" {}", count.unwrap_or(0).min(5)));
}

mod broken {
    use sluice_ir::definition::{AttributeCheck, AttributeConstraint, AttributeSyntax};

    static ANY: AttributeConstraint = AttributeConstraint {
        summary: "any attribute",
        check: AttributeCheck::Is(|_, _| true),
        syntax: AttributeSyntax::Generic,
    };

    sluice_ods::dialect! {
        dialect "broken" {
            summary: "An operation whose text loses a part of it",
        }

        /// Its custom form loses the count.
        op Forgetful = "forgetful" {
            attributes: { count: ANY },
            assembly: custom(super::parse_forgetful, super::print_forgetful),
        }
    }
}

#[test]
fn a_round_trip_that_loses_something_is_an_error() {
    let options = Options {
        dialects: vec![&broken::DIALECT],
        verifies_round_trip: true,
        ..Options::default()
    };
    let sound = run("broken.forgetful 5", &options);
    assert!(!sound.answer.failed, "{}", sound.answer.messages);
    let lost = run("broken.forgetful 6", &options);
    assert!(lost.answer.failed && lost.output.is_empty());
    let messages = lost.answer.messages;
    for wanted in [
        "m.mlir: error: the module is another one after a round trip through text; line 2",
        "before: \"broken.forgetful\"() <{count = 6 : i8}>",
        "after:  \"broken.forgetful\"() <{count = 5 : i8}>",
    ] {
        assert!(messages.contains(wanted), "{messages}");
    }
}

#[test]
fn examples_survive_round_trips() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let options = Options {
        verifies_round_trip: true,
        ..Options::default()
    };
    let mut n_files = 0;
    for entry in std::fs::read_dir(root).expect("the examples are there") {
        let path = entry.expect("an entry").path().join("kernel.mlir");
        let Ok(source) = std::fs::read_to_string(&path) else {
            continue;
        };
        n_files += 1;
        let answer = run(&source, &options).answer;
        assert!(!answer.failed, "{}: {}", path.display(), answer.messages);
    }
    assert!(n_files > 10, "{n_files} files");
}

#[test]
fn a_file_without_a_module_survives_round_trips() {
    let options = Options {
        parse: ParseOptions {
            implicit_module: false,
        },
        verifies_round_trip: true,
        ..Options::default()
    };
    let written = run("func.func @f() { return }", &options);
    assert!(!written.answer.failed, "{}", written.answer.messages);
    assert_eq!(written.output, "func.func @f() {\n  return\n}\n\n");
}

#[test]
fn diagnostics_show_the_operation() {
    let source = "func.func @f(%a: i32) -> i32 {
  %0 = \"arith.addi\"(%a) : (i32) -> i32
  return %0 : i32
}
func.func @g() -> i8 {
  %0 = scf.if %0 -> i8 { } else { }
}
";
    let messages = |notes_operations, verify_diagnostics| {
        let options = Options {
            notes_operations,
            verify_diagnostics,
            ..Options::default()
        };
        let source = source.split("func.func @g").next().unwrap_or_default();
        run(source, &options).answer.messages
    };
    let note = "m.mlir:2:8: note: see current operation: %0 = \"arith.addi\"(%arg0) ";
    let (with, without) = (messages(true, false), messages(false, false));
    assert!(with.contains(note), "{with}");
    assert!(!without.contains("note: see"), "{without}");
    let compared = messages(true, true);
    assert!(!compared.contains("note: see"), "{compared}");
}

/// Changes the result type of the only function, so that the module is invalid, or valid again.
fn set_result(name: &'static str, has_result: bool) -> Pass<'static> {
    let run = move |context: &Context, module: &mut Module, _: &mut Diagnostics| {
        let function = module.top_level_operations()[0];
        let i8 = context.integer_type(8);
        let results = if has_result { &[i8][..] } else { &[] };
        let ty = context.type_attribute(context.function_type(&[], results));
        let key = context.name("function_type");
        module.inner_mut().set_attribute(function, key, ty);
    };
    Pass {
        name,
        scope: Scope::Module(Box::new(run)),
        applies: None,
    }
}

#[test]
fn verification_can_wait_for_the_last_pass() {
    let context = sluice_dialects::context();
    for (verifies_each, wanted) in [(true, Some("pass `damage`")), (false, None)] {
        let mut found = Diagnostics::new();
        let mut module = parse_module(&context, "func.func @f() { return }", "m", &mut found)
            .expect("it is a module");
        let mut manager = PassManager::new();
        if !verifies_each {
            manager.do_not_verify_each();
        }
        manager.add(set_result("damage", true));
        manager.add(set_result("repair", false));
        manager.run(&context, &mut module, &mut found, &mut |_, _| {});
        assert_eq!(found.has_errors(), wanted.is_some());
        assert!(found.to_text(&context).contains(wanted.unwrap_or_default()));
        let mut found = Diagnostics::new();
        verifier::verify(&context, &module, &mut found);
        assert_eq!(found.has_errors(), verifies_each, "it is repaired");
    }
}

#[test]
fn dialects_are_listed_in_order() {
    let names = dialect_names();
    assert!(names.is_sorted());
    for name in ["affine", "builtin", "hw", "handshake", "scf"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn operations_are_counted() {
    for (text, wanted) in [
        (
            "any(print-op-stats)",
            "Operations encountered:
-----------------------
    arith.addi     , 2
    arith.constant , 2
  builtin.module   , 1
     func.func     , 2
     func.return   , 2
",
        ),
        (
            "any(func.func(print-op-stats{json}))",
            "{
  \"arith.addi\" : 2,
  \"arith.constant\" : 2,
  \"func.func\" : 1,
  \"func.return\" : 1
}
{
  \"func.func\" : 1,
  \"func.return\" : 1
}
",
        ),
    ] {
        let options = Options {
            pipeline: pipeline(text),
            ..Options::default()
        };
        let written = run(TWO, &options);
        assert_eq!(written.log, wanted, "{text}");
        assert!(!written.answer.failed, "{}", written.answer.messages);
    }
}
