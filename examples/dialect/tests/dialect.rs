//! The dialect in every command of its tool, and through its Rust interface.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use fixed_dialect::{
    AddSat, Constant, Cost, DIALECT, Ends, Format, Inventory, Mul, Pick, Rounding, Stream,
};
use sluice_ir::algebra::Concrete;
use sluice_ir::bits::Bits;
use sluice_ir::definition::{Site, derived_attributes};
use sluice_ir::{Body, Builder, Location, Parameter as _, View};

/// Runs the tool in the folder of the tests.
fn tool(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_sluice-fixed"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"))
        .output();
    output.expect("the tool starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the tool, which must succeed; returns its standard output and error.
fn passes(arguments: &[&str]) -> (String, String) {
    let output = tool(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    (out, err)
}

/// Compares a text with a file; `UPDATE_EXPECT=1` writes the file.
fn same(found: &str, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, found).expect("the file can be written");
    }
    let wanted = std::fs::read_to_string(&path).expect("the file is there");
    assert_eq!(found, wanted, "{file} differs; UPDATE_EXPECT=1 writes it");
}

#[test]
fn every_operation_prints_what_it_parses() {
    let (custom, _) = passes(&["opt", "all.mlir"]);
    same(&custom, "tests/all.out");
    let folder = std::env::temp_dir().join(format!("fixed-dialect-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    for options in [
        &["--mlir-print-op-generic"][..],
        &["--mlir-print-local-scope"],
        &["--emit-bytecode"],
    ] {
        let output = tool(&[&["opt", "all.mlir"], options].concat());
        let file = folder.join("other");
        std::fs::write(&file, &output.stdout).expect("the file can be written");
        let again = passes(&["opt", &file.display().to_string()]).0;
        assert_eq!(again, custom, "{options:?}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn wrong_uses_have_messages() {
    passes(&[
        "opt",
        "--split-input-file",
        "--verify-diagnostics",
        "faults.mlir",
    ]);
}

#[test]
fn patterns_and_folds_of_the_dialect_run_in_canonicalize() {
    same(
        &passes(&["opt", "--canonicalize", "fold.mlir"]).0,
        "tests/fold.out",
    );
}

#[test]
fn passes_of_the_dialect_run_in_pipelines() {
    let pipeline = "builtin.module(func.func(fixed-set-rounding{to=to_even},fixed-count-units))";
    let (out, err) = passes(&["opt", "all.mlir", "--pass-pipeline", pipeline]);
    assert!(
        out.contains("as <16, 8, to_even>") && !out.contains("as <16, 8> "),
        "{out}"
    );
    assert!(err.contains("remark: 1 x multiplier"), "{err}");
    let wrong = tool(&["opt", "all.mlir", "--pass", "fixed-set-rounding{to=up}"]);
    assert!(text(&wrong.stderr).contains("what fits: `down`, `to_nearest`, `to_even`"));
    assert!(passes(&["opt", "--list"]).0.contains("fixed-count-units"));
}

#[test]
fn operations_with_a_meaning_become_circuits() {
    let (out, err) = passes(&["sim", "--random", "5", "filter.mlir"]);
    assert!(
        out.contains("interpreter = cycle simulation on 5 data sets"),
        "{out}{err}"
    );
    // Operators that arith leaves undefined for some operands have the values of the meaning.
    let (out, err) = passes(&["sim", "partial.mlir"]);
    assert!(
        out.contains("interpreter = cycle simulation on 9 data sets"),
        "{out}{err}"
    );
    // An operation without a meaning has a place in the source.
    let refused = tool(&["compile", "stream.mlir"]);
    let message = text(&refused.stderr);
    assert!(
        !refused.status.success() && message.contains("stream.mlir:3:8: error:"),
        "{message}"
    );
}

#[test]
fn a_failing_kernel_is_reduced() {
    // The command gets the path of each candidate as its last argument.
    let command = "grep -q fixed.mul";
    let (out, _) = passes(&["reduce", "filter.mlir", "--test", command]);
    assert!(
        out.contains("fixed.mul") && !out.contains("fixed.clamp"),
        "{out}"
    );
}

#[test]
fn the_language_server_knows_the_dialect() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_sluice-fixed"))
        .args(["lsp", "--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let source =
        "func.func @f(%a: i16) -> i16 {\\n  %0 = fixed.add %a, %a : i16\\n  return %0 : i16\\n}\\n";
    let messages = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#.to_owned(),
        format!(
            r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"file:///f.mlir","languageId":"mlir","version":1,"text":"{source}"}}}}}}"#
        ),
        r#"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///f.mlir"},"position":{"line":1,"character":10}}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"exit"}"#.to_owned(),
    ];
    let mut input = server.stdin.take().expect("it is piped");
    for message in messages {
        write!(input, "Content-Length: {}\r\n\r\n{message}", message.len()).expect("it reads");
    }
    drop(input);
    let output = server.wait_with_output().expect("it ends");
    let answers = text(&output.stdout);
    assert!(answers.contains("Sum of two numbers."), "{answers}");
    assert!(!answers.contains(r#""severity":1"#), "{answers}");
}

#[test]
fn the_page_of_the_dialect_is_generated() {
    same(&sluice_ir::documentation::page(&DIALECT), "fixed.md");
}

#[test]
fn types_and_attributes_are_checked_and_read() {
    let context = sluice_dialects::context_with(&[&DIALECT]);
    let format = Format::get(&context, 16, 8, Rounding::Even).expect("8 digits fit 16 bits");
    assert_eq!((format.width(&context), format.fraction(&context)), (16, 8));
    assert_eq!(format.rounding(&context), Rounding::Even);
    assert!(Format::get(&context, 8, 9, Rounding::Down).is_err());
    let stream = Stream::get(&context, format, None, Vec::new()).expect("no check of its own");
    assert_eq!(Stream::cast(&context, stream.ty()), Some(stream));
    assert_eq!(stream.depth(&context), None);
    assert_eq!(Stream::cast(&context, context.integer_type(16)), None);
    assert_eq!(Rounding::from_keyword("to_even"), Some(Rounding::Even));
    assert_eq!((Ends::LOW | Ends::HIGH).to_string(), "low, high");
    assert_eq!(Ends::from_value(8), None);
}

#[test]
fn builders_and_accessors_are_typed() {
    let context = sluice_dialects::context_with(&[&DIALECT]);
    let mut body = Body::new();
    let block = body.create_block();
    let index = body.add_argument(block, context.index_type(), Location::UNKNOWN);
    let mut builder = Builder::at_end(&context, &mut body, block, Location::UNKNOWN);
    let three = Constant::of_number(&mut builder, 3);
    let three = builder.body.result(three, 0);
    let wide = Constant::of_number_with(&mut builder, 3, 40);
    assert_eq!(
        builder.body.ty(builder.body.result(wide, 0)),
        context.integer_type(40)
    );
    let format = Format::get(&context, 16, 8, Rounding::Down).expect("it is valid");
    let product = Mul::build(&mut builder, three, three, format);
    let i16 = context.integer_type(16);
    let pick = Pick::build(&mut builder, index, &[&[three], &[three], &[]], &[i16]);
    let generic = Mul::build_generic(
        &mut builder,
        &[three, three],
        &[i16],
        &[(context.name("format"), format.to_attribute(&context))],
        0,
    );
    let view = |op| View::new(&context, &body, op);
    let product = Mul::cast(view(product)).expect("it is a product");
    assert_eq!(product.format(), format);
    assert_eq!(product.one(), 256);
    assert_eq!(Mul::cast(view(generic)).map(Mul::one), Some(256));
    let derived = derived_attributes(product.0).and_then(|all| all.as_dictionary(&context));
    assert_eq!(derived.map(<[_]>::len), Some(1));
    let sizes: Vec<usize> = Pick::cast(view(pick))
        .expect("a pick")
        .cases()
        .iter()
        .map(|c| c.len())
        .collect();
    assert_eq!(sizes, [1, 1, 0]);
    assert!(Mul::DEFINITION.has_own_trait(&fixed_dialect::KEEPS_FORMAT));
    assert!(!AddSat::DEFINITION.has_own_trait(&fixed_dialect::KEEPS_FORMAT));
}

#[test]
fn interfaces_are_found_where_they_are_attached() {
    let context = sluice_dialects::context_with(&[&DIALECT]);
    let unit = |name: &str| {
        let name = context.operation_name(name);
        let definition = context.operation_name_data(name).definition?;
        Some(context.interface::<dyn Cost>(definition)?.unit())
    };
    assert_eq!(unit("fixed.mul"), Some("multiplier"));
    assert_eq!(unit("fixed.add"), Some("adder"));
    // From outside of its dialect.
    assert_eq!(unit("arith.addi"), Some("adder"));
    assert_eq!(unit("arith.muli"), None);
    let inventory = DIALECT
        .interface::<dyn Inventory>()
        .expect("the dialect has it");
    assert_eq!(inventory.units(), ["adder", "multiplier"]);
    let format = Format::get(&context, 16, 8, Rounding::Down).expect("it is valid");
    let stream = Stream::get(&context, format, Some(3), Vec::new()).expect("it is valid");
    let width = fixed_dialect::STREAM_TYPE
        .extension
        .and_then(|one| one.interface::<dyn fixed_dialect::Width>());
    assert_eq!(
        width.and_then(|width| width.bits(&context, stream.ty())),
        Some(48)
    );
}

/// The product as integers compute it.
fn reference(a: i64, b: i64, fraction: u32, rounding: Rounding) -> i64 {
    let product = a * b;
    let shifted = product >> fraction;
    let cut = product - (shifted << fraction);
    let half = (1 << fraction) / 2;
    let up = match rounding {
        Rounding::Down => false,
        Rounding::Nearest => fraction > 0 && cut >= half,
        Rounding::Even => fraction > 0 && (cut > half || cut == half && shifted & 1 == 1),
    };
    (shifted + i64::from(up)).clamp(-128, 127)
}

#[test]
fn products_of_bytes_round_and_saturate() {
    let context = sluice_dialects::context_with(&[&DIALECT]);
    let i8 = context.integer_type(8);
    let meaning = Mul::DEFINITION.meaning.as_ref().expect("it has one");
    for rounding in Rounding::ALL {
        for fraction in [0, 1, 4, 8] {
            let format = Format::get(&context, 8, fraction, *rounding).expect("it is valid");
            let attributes = [(context.name("format"), format.to_attribute(&context))];
            let site = Site {
                context: &context,
                operand_types: &[i8, i8],
                result_types: &[i8],
                attributes: &attributes,
            };
            for a in -128..128 {
                for b in -128..128 {
                    let words = [Bits::from_i64(8, a), Bits::from_i64(8, b)];
                    let found = (meaning.evaluate)(site, &mut Concrete::default(), &words);
                    let found = found.and_then(|results| results[0].to_i64());
                    let wanted = reference(a, b, fraction, *rounding);
                    assert_eq!(
                        found,
                        Some(wanted),
                        "{a} * {b}, {fraction} digits, {rounding}"
                    );
                }
            }
        }
    }
}
