//! Long modules: one thread and several threads parse, verify and print the same, including errors and their order.

use std::fmt::Write;

use sluice_ir::text::{PrintOptions, parse_module, print_module};
use sluice_ir::{Diagnostics, verifier};

/// Above the size that is always parsed by one thread.
const MIN_BYTES: usize = 300_000;

/// Parts of a module that can make bodies depend on the text around them, or end in the wrong place.
#[derive(Clone, Copy, Default)]
struct Form {
    head: &'static str,
    /// Text in the middle, between two functions.
    between: &'static str,
    /// Text in one of the functions.
    within: &'static str,
    tail: &'static str,
}

fn source(form: Form) -> String {
    let mut text = form.head.to_owned();
    let mut number = 0;
    while text.len() < MIN_BYTES {
        writeln!(
            text,
            "  func.func @f{number}(%a: i32, %m: memref<4xi32>) -> i32 {{"
        )
        .expect("strings accept text");
        for line in 0..40 {
            let from = if line == 0 {
                "%a".to_owned()
            } else {
                format!("%{}", line - 1)
            };
            writeln!(
                text,
                "    %{line} = arith.addi {from}, %a {{note = \"}} // {{ \\22 {{\"}} : i32 // }} \"{{"
            )
            .expect("strings accept text");
        }
        if number == 30 {
            text += form.within;
        }
        text += "    return %39 : i32\n  }\n";
        if number == 20 {
            text += form.between;
        }
        number += 1;
    }
    text + form.tail
}

const MODULE: Form = Form {
    head: "module {\n",
    between: "",
    within: "",
    tail: "}\n",
};

const FORMS: &[(&str, Form)] = &[
    ("a module", MODULE),
    (
        "functions alone",
        Form {
            head: "",
            tail: "",
            ..MODULE
        },
    ),
    (
        "aliases between functions",
        Form {
            head: "",
            between: "#later = 7 : i32\n!word = i32\n",
            within: "    %x = arith.constant #later\n    %y = arith.addi %x, %x : !word\n",
            tail: "",
        },
    ),
    (
        "an alias before its definition",
        Form {
            head: "",
            within: "    %x = arith.constant #later\n",
            tail: "#later = 7 : i32\n",
            ..MODULE
        },
    ),
    (
        "locations that are defined at the end",
        Form {
            within: "    %x = arith.constant 1 : i32 loc(#place)\n",
            tail: "}\n#place = loc(\"elsewhere\":3:4)\n",
            ..MODULE
        },
    ),
    (
        "distinct attributes",
        Form {
            between: "  func.func private @g() attributes {d = distinct[1]<i32>}\n",
            within: "    %x = arith.constant {d = distinct[1]<i32>, e = distinct[0]<i64>} 1 : i32\n",
            ..MODULE
        },
    ),
    (
        "maps",
        Form {
            within: "    %x = affine.apply affine_map<() -> (5)>()\n",
            ..MODULE
        },
    ),
    (
        "regions and blocks",
        Form {
            within: "    cf.br ^bb1\n  ^bb1:\n    %c = arith.cmpi eq, %a, %a : i32\n    %z = scf.if %c -> i32 {\n      \
                     scf.yield %a : i32\n    } else {\n      scf.yield %a : i32\n    }\n",
            ..MODULE
        },
    ),
    (
        "an operation whose result only a body could use",
        Form {
            between: "  %outer = arith.constant 1 : i32\n",
            within: "    %x = arith.addi %outer, %a : i32\n",
            ..MODULE
        },
    ),
    (
        "an empty body",
        Form {
            between: "  func.func @empty() {}\n",
            ..MODULE
        },
    ),
    (
        "a value without a definition",
        Form {
            within: "    %x = arith.addi %a, %missing : i32\n",
            ..MODULE
        },
    ),
    (
        "several errors",
        Form {
            between: "  func.func @f(%a: i32) { return %a : i64 }\n  func.func @broken( {\n  }\n",
            within: "    %x = arith.nothing %a : i32\n    %x = arith.addi %a : i32\n",
            ..MODULE
        },
    ),
    (
        "errors of the verifier",
        Form {
            between: "  func.func @g(%m: memref<4xi32>) -> i64 {\n    %c = arith.constant 0 : index\n    \
                      %x = memref.load %m[%c, %c] : memref<4xi32>\n    return %x : i32\n  }\n  \
                      func.func @h() {\n    call @nowhere() : () -> ()\n    return\n  }\n",
            within: "    %x = arith.cmpi eq, %y, %a : i32\n    %y = arith.constant 3 : i32\n",
            ..MODULE
        },
    ),
    (
        "a string without end",
        Form {
            within: "    %x = arith.constant {s = \"open} 1 : i32\n",
            ..MODULE
        },
    ),
    (
        "a brace too few",
        Form {
            within: "    scf.execute_region {\n",
            ..MODULE
        },
    ),
    (
        "a brace too many",
        Form {
            within: "    }\n",
            ..MODULE
        },
    ),
    (
        "a module in a module",
        Form {
            head: "module {\nmodule @inner {\n",
            between: "}\nmodule @other {\n",
            tail: "}\n}\n",
            ..MODULE
        },
    ),
    ("no end", Form { tail: "", ..MODULE }),
];

/// Returns text, generic text and messages of a source.
fn answers(source: &str, n_threads: usize) -> String {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .expect("a few threads can be had");
    pool.install(|| {
        let context = sluice_dialects::context_with(&[]);
        let mut diagnostics = Diagnostics::new();
        let module = parse_module(&context, source, "long.mlir", &mut diagnostics);
        if let Some(module) = &module {
            verifier::verify(&context, module, &mut diagnostics);
        }
        let mut answers = diagnostics.render(&context, &[("long.mlir", source)]);
        for (generic, locations) in [(false, false), (false, true), (true, false)] {
            let options = PrintOptions {
                generic,
                locations,
                ..PrintOptions::default()
            };
            if let Some(module) = &module {
                answers += &print_module(&context, module, &options);
            }
        }
        answers
    })
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let mut n_wrong = 0;
    for (what, form) in FORMS {
        let source = source(*form);
        let (one, several) = (answers(&source, 1), answers(&source, 4));
        let first = one.lines().zip(several.lines()).find(|(a, b)| a != b);
        assert!(one == several, "{what}: {first:?}");
        n_wrong += usize::from(one.contains(": error: "));
    }
    assert!(n_wrong >= 8, "{n_wrong} of the forms have errors");
}

/// The errors of one thread are those of a short module with the same faults: none is repeated or missing.
#[test]
fn errors_of_bodies_are_said_once() {
    let form = Form {
        within: "    %x = arith.addi %a, %missing : i32\n    %y = arith.nothing %a : i32\n",
        ..MODULE
    };
    let answers = answers(&source(form), 4);
    assert_eq!(answers.matches(": error: ").count(), 2, "{answers}");
}
