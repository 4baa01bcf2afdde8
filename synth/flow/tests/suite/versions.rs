//! Tests `--target-version`: of each part of `dialects/tests/newer`, a form for each version of MLIR, or an error that says why not.

use std::path::Path;

use sluice_flow::opt::{NEWEST_TARGET, OLDEST_TARGET, Options, run};
use sluice_ir::Diagnostics;
use sluice_ir::bytecode::needed_version;
use sluice_ir::text::parse_module;

fn printed(source: &str, version: u32) -> Result<String, String> {
    let options = Options {
        allow_unregistered: true,
        target_version: Some(version),
        ..Options::default()
    };
    let answer = run(source.as_bytes().to_vec(), "part.mlir", &options);
    match answer.failed {
        true => Err(answer.messages),
        false => Ok(String::from_utf8(answer.output).expect("the output is text")),
    }
}

#[test]
fn each_version_reads_what_is_printed_for_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dialects/tests/newer");
    let mut counts = [0, 0];
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|extension| extension != "mlir") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let answers =
            std::fs::read_to_string(path.with_extension("out")).expect("recorded answers");
        let parts = source.split("// -----\n").zip(answers.split("// -----\n"));
        for (part, _) in parts.filter(|(_, answer)| !answer.starts_with("error")) {
            for version in OLDEST_TARGET..=NEWEST_TARGET {
                let text = match printed(part, version) {
                    Ok(text) => text,
                    Err(why) => {
                        counts[1] += 1;
                        assert!(why.contains("came with MLIR"), "{}: {why}", path.display());
                        continue;
                    }
                };
                counts[0] += 1;
                let mut context = sluice_dialects::context();
                context.allow_unregistered = true;
                let mut found = Diagnostics::new();
                let module = parse_module(&context, &text, "printed.mlir", &mut found);
                let module =
                    module.unwrap_or_else(|| panic!("{}\n{text}", found.to_text(&context)));
                sluice_ir::verifier::verify(&context, &module, &mut found);
                assert!(!found.has_errors(), "{}\n{text}", found.to_text(&context));
                // Version 19 keeps the attributes of calls and functions among the others.
                let plain = text.replace("no_inline", "").replace("arg_attrs", "");
                if plain == text {
                    let needed = needed_version(module.view(&context));
                    assert!(
                        needed <= version,
                        "{version}, but it needs {needed}:\n{text}"
                    );
                }
            }
        }
    }
    let [printed, refused] = counts;
    assert!(
        printed > 60 && refused > 10,
        "{printed} printed, {refused} refused"
    );
}

#[test]
fn what_a_version_does_not_have_is_named() {
    for (source, version, wanted) in [
        (
            "func.func @f(%x: f32) -> f32 {\n  %0 = arith.addf %x, %x upward : f32\n  return %0 : f32\n}",
            22,
            "part.mlir:2:8: error: `roundingmode` of `arith.addf` came with MLIR 24: MLIR 22 cannot read it",
        ),
        (
            "func.func @f() {\n  ub.unreachable\n}",
            21,
            "part.mlir:2:3: error: `ub.unreachable` came with MLIR 22: MLIR 21 cannot read it",
        ),
        (
            "func.func @f() {\n  %0 = arith.constant 1.0 : f4E2M1FN\n  return\n}",
            19,
            "part.mlir:2:8: error: the type `f4E2M1FN` came with MLIR 20: MLIR 19 cannot read it",
        ),
    ] {
        let why = printed(source, version).expect_err(source);
        assert_eq!(why.lines().next(), Some(wanted));
    }
}
