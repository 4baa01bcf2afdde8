//! Faulty problem texts are rejected with line, column and the expected text, all faults at once.

use sluice_schedule::problem::{Initiation, Problem};
use sluice_schedule::text::read;

const HEAD: &str = "problem: p\nclock_period_ns: 8\ninitiation: once\n";

fn faults(text: &str) -> String {
    match read(text) {
        Ok(instances) => format!("{} problems", instances.len()),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn reading_ends_at_a_document_that_is_not_yaml() {
    // After a wrong document the YAML library returns documents without end.
    assert_eq!(
        faults("  - {a: 1}\n*b\n"),
        "2:1: did not find expected <document start>"
    );
    assert_eq!(
        faults("a: 1\n---\nb: [\n---\nc: 1\n"),
        "4:1: did not find expected node content"
    );
}

#[test]
fn faulty_lines_are_named() {
    let rows = [
        (
            "operations: {a: {clas: add}}",
            "4:18: unknown key `clas`; did you mean `class`?",
        ),
        (
            "operations: {a: {latency: -1}}",
            "4:27: `latency` is a whole number from 0 to 1000000",
        ),
        (
            "operations: {a: {width: 1, width: 2}}",
            "4:17: operations.a: duplicate entry with key \"width\"",
        ),
        ("resources: {port: {name: x}}", "4:19: no `count`"),
        (
            "operations: {a: {resource: port}}",
            "4:28: there is no resource `port`; what fits: ",
        ),
        (
            "operations: {a: , b: }\ndependences:\n  - a b\n  - a -> c\n  - {from: a, too: b}",
            "6:5: expected `a -> b`\n\
             7:5: there is no operation `c`; did you mean `a`?\n\
             8:5: no `to`\n\
             8:15: unknown key `too`; did you mean `to`?",
        ),
        (
            "operations: {a: }\ndependences:\n  - {from: a, to: a, min_gap: x, chained: true}",
            "6:31: `min_gap` is a whole number within 1000000 of 0\n\
             6:34: `chained` is for data, `min_gap` for orders",
        ),
        (
            "operations: {a: , b: }\nschedule: {start: {a: 1, c: 2}}",
            "5:11: no start of `b`\n5:26: there is no operation `c`; did you mean `a`?",
        ),
        (
            "edge: 1",
            "4:1: unknown key `edge`; what fits: `problem`, `clock_period_ns`, `initiation`, `resources`, `classes`, `operations`, `dependences`, `schedule`",
        ),
        ("operations: [", "5:1: did not find expected node content"),
    ];
    let mut wrong = Vec::new();
    for (line, expected) in rows {
        let found = faults(&format!("{HEAD}{line}\n"));
        if !found.starts_with(expected) {
            wrong.push(format!("{line}\nexpected: {expected}\nfound: {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        faults("problem: p\noperations: {a: {input_delay_ns: 2}}\n"),
        "1:1: no `initiation`: `once` for a block, `every` for a loop\n\
         1:1: no `clock_period_ns`, but operations with delays"
    );
    assert_eq!(faults(""), "1:1: the file holds no problem");
}

#[test]
fn several_problems_stand_in_one_file() {
    let text = "problem: a\ninitiation: once\n---\nproblem: b\ninitiation: {ii: 3}\noperations: {1: , 2: }\ndependences: [1 -> 2]\n";
    let instances = read(text).expect("the text is right");
    let places: Vec<_> = instances.iter().map(|instance| instance.place).collect();
    assert_eq!(places, [(1, 1), (4, 1)]);
    assert_eq!(
        instances[1].problem.initiation,
        Initiation::Every {
            min_ii: 3,
            max_ii: u32::MAX,
            fixed: true
        }
    );
}

#[test]
fn any_name_survives() {
    let mut problem: Problem = format!("{HEAD}operations: {{o0: {{class: add}}}}\n")
        .parse()
        .expect("the text is right");
    problem.name = " two\nlines \\n ".to_owned();
    problem.operations[0].name = "%a = op\twith \\ and\r\nmore \"\u{2028}\u{1b}é".to_owned();
    problem.operations[0].class = "two words".to_owned();
    assert_eq!(problem.to_string().parse(), Ok(problem));
}
