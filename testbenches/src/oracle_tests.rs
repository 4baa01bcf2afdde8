//! Tests of the reference itself, on kernels whose results are obvious.

use super::*;

fn integer(width_bits: u32) -> Element {
    Element::Integer { width_bits }
}

fn limbs(value: &str, element: Element) -> Limbs {
    limbs_from_decimal(value, element.width_bits()).expect("a test value fits")
}

/// Reports that a test was skipped; writes directly to the error stream, which the test runner does not capture.
fn skipped(test: &str) -> bool {
    if available() {
        return false;
    }
    assert!(
        !required(),
        "{test}: `mlir-opt-19` or `mlir-cpu-runner-19` is missing: install `mlir-19-tools`"
    );
    use std::io::Write as _;
    writeln!(
        std::io::stderr(),
        "SKIPPED {test}: no `mlir-opt-19` and `mlir-cpu-runner-19`"
    )
    .expect("stderr is open");
    true
}

#[test]
fn decimals_and_limbs() {
    let table: [(&str, u32, &[u64]); 8] = [
        ("0", 1, &[0]),
        ("1", 1, &[1]),
        ("-1", 13, &[0x1FFF]),
        ("-9223372036854775808", 64, &[1 << 63]),
        ("-1", 65, &[u64::MAX, 1]),
        ("18446744073709551616", 96, &[0, 1]),
        ("-39614081257132168796771975168", 96, &[0, 1 << 31]),
        ("5", 200, &[5, 0, 0, 0]),
    ];
    for (text, width_bits, expected) in table {
        assert_eq!(
            limbs_from_decimal(text, width_bits).as_deref(),
            Ok(expected),
            "{text} in {width_bits} bits"
        );
        let canonical = if text == "1" { "-1" } else { text };
        assert_eq!(
            limbs_to_decimal(expected, width_bits),
            canonical,
            "{expected:x?} in {width_bits} bits"
        );
    }
    for (text, width_bits) in [
        ("2", 1),
        ("-2", 1),
        ("8192", 13),
        ("-4097", 13),
        ("x", 8),
        ("", 8),
    ] {
        assert!(
            limbs_from_decimal(text, width_bits).is_err(),
            "{text} in {width_bits} bits"
        );
    }
}

#[test]
fn every_type_goes_in_and_out_unchanged() {
    if skipped("every_type_goes_in_and_out_unchanged") {
        return;
    }
    let integers = [
        1, 2, 7, 8, 13, 27, 31, 32, 33, 58, 63, 64, 65, 96, 127, 128, 129, 200,
    ]
    .map(integer);
    let others = [
        Element::Index,
        Element::Float { width_bits: 32 },
        Element::Float { width_bits: 64 },
    ];
    for element in integers.into_iter().chain(others) {
        let type_text = element.type_text();
        let kernel = format!(
            "func.func @swap(%x: {type_text}, %m: memref<2x3x{type_text}>, %s: memref<{type_text}>) -> {type_text} {{
               %zero = arith.constant 0 : index
               %two = arith.constant 2 : index
               %old = memref.load %m[%zero, %two] : memref<2x3x{type_text}>
               memref.store %x, %m[%zero, %two] : memref<2x3x{type_text}>
               memref.store %old, %s[] : memref<{type_text}>
               return %old : {type_text}
             }}"
        );
        let half = BigUint::from(1u32) << (element.width_bits() - 1);
        let top: BigUint = &half + (&half - 1u32);
        let patterns: Vec<Limbs> = [
            top,
            half.clone(),
            BigUint::from(0u32),
            BigUint::from(1u32),
            &half >> 1,
        ]
        .iter()
        .map(|pattern| limbs(&pattern.to_string(), element))
        .collect();
        let pick = |idx: usize| patterns[idx % patterns.len()].clone();
        let memory = Argument::Memref {
            shape: vec![2, 3],
            element,
        };
        let cell = Argument::Memref {
            shape: vec![],
            element,
        };
        let signature = Signature {
            arguments: vec![Argument::Scalar(element), memory, cell],
            results: vec![element],
        };
        let cases: Vec<Case> = (0..2)
            .map(|shift| Case {
                arguments: vec![
                    vec![pick(shift)],
                    (1..7).map(|idx| pick(idx + shift)).collect(),
                    vec![pick(3)],
                ],
            })
            .collect();
        let answers = run(&kernel, "swap", &signature, &cases).expect(&type_text);
        for (case, answer) in cases.iter().zip(&answers) {
            let old = case.arguments[1][2].clone();
            let mut expected = case.arguments[1].clone();
            expected[2] = case.arguments[0][0].clone();
            assert_eq!(answer.results, std::slice::from_ref(&old), "{type_text}");
            assert_eq!(answer.memories, [expected, vec![old]], "{type_text}");
        }
    }
}

#[test]
fn arithmetic_at_odd_widths() {
    if skipped("arithmetic_at_odd_widths") {
        return;
    }
    let table = [
        ("arith.addi", 13, "4095", "1", "-4096"),
        ("arith.muli", 96, "79228162514264337593543950335", "3", "-3"),
        (
            "arith.divsi",
            96,
            "-39614081257132168796771975168",
            "7",
            "-5659154465304595542395996452",
        ),
        ("arith.remui", 27, "-1", "10", "7"),
        (
            "arith.divui",
            200,
            "1606938044258990275541962092341162602522202993782792835301375",
            "3",
            "535646014752996758513987364113720867507400997927597611767125",
        ),
        ("arith.floordivsi", 8, "-7", "2", "-4"),
        ("arith.ceildivsi", 8, "-7", "2", "-3"),
        ("arith.shrsi", 33, "-4294967296", "32", "-1"),
        ("arith.maxsi", 5, "-16", "15", "15"),
    ];
    for (operation, width_bits, left, right, expected) in table {
        let kernel = format!(
            "module {{
               func.func @f(%a: i{width_bits}, %b: i{width_bits}) -> i{width_bits} {{
                 %c = {operation} %a, %b : i{width_bits}
                 return %c : i{width_bits}
               }}
             }}"
        );
        let element = integer(width_bits);
        let signature = Signature {
            arguments: vec![Argument::Scalar(element); 2],
            results: vec![element],
        };
        let case = Case {
            arguments: vec![vec![limbs(left, element)], vec![limbs(right, element)]],
        };
        let answers = run(&kernel, "f", &signature, &[case]).expect(operation);
        let printed = limbs_to_decimal(&answers[0].results[0], width_bits);
        assert_eq!(
            printed, expected,
            "{operation} {left}, {right} : i{width_bits}"
        );
    }
}

#[test]
fn errors_carry_the_reason() {
    if skipped("errors_carry_the_reason") {
        return;
    }
    let element = integer(32);
    let signature = Signature {
        arguments: vec![Argument::Scalar(element)],
        results: vec![element],
    };
    let case = Case {
        arguments: vec![vec![vec![1]]],
    };
    let call = |kernel: &str, case: Case| {
        run(kernel, "f", &signature, &[case]).expect_err("this must fail")
    };
    let kernel = "func.func @f(%a: i32) -> i32 {\n  return %b : i32\n}";
    assert!(
        call(kernel, case.clone()).contains("undeclared SSA value"),
        "the tool's own message is handed on"
    );
    let kernel = "func.func @g(%a: i32) -> i32 {\n  return %a : i32\n}";
    assert!(
        call(kernel, case).contains("does not reference a valid function"),
        "a missing function is named"
    );
    let wide = Case {
        arguments: vec![vec![vec![1 << 32]]],
    };
    assert_eq!(
        call(kernel, wide),
        "case 0, argument 0, element 0: wider than 32 bits"
    );
    let empty = Case {
        arguments: vec![vec![]],
    };
    assert_eq!(
        call(kernel, empty),
        "case 0, argument 0: 0 elements given, 1 expected"
    );
}
