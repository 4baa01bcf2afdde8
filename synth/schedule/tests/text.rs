//! Faulty problem texts are refused with the line and what was expected there.

use sluice_schedule::problem::Problem;

const HEAD: &str = "problem p\nclock_period_ns 8\ninitiation once\n";

#[test]
fn faulty_lines_are_named() {
    let rows = [
        (
            "operation o1 class=add",
            "line 4: expected `o0` here, found `o1`: ids count up from 0",
        ),
        ("operation o0 clas=add", "line 4: unknown word `clas`"),
        (
            "operation o0 class=add latency=-1",
            "line 4: `latency` cannot be `-1`",
        ),
        (
            "operation o0 class=add width=1 width=2",
            "line 4: a second `width=`",
        ),
        ("resource r0 name=port", "line 4: expected `count=`"),
        ("data o0 o1", "line 4: expected `data o0 -> o1`"),
        (
            "data o0 -> p1",
            "line 4: expected an id such as `o0`, found `p1`",
        ),
        ("order o0 -> o1", "line 4: expected `min_gap=`"),
        ("initiation once", "line 4: a second `initiation` line"),
        (
            "edge o0 -> o1",
            "line 4: unknown line `edge`; expected problem, clock_period_ns, initiation, resource, operation, data or order",
        ),
    ];
    for (line, expected) in rows {
        let found = format!("{HEAD}{line}\n")
            .parse::<Problem>()
            .map_err(|error| error.to_string());
        assert_eq!(found, Err(expected.to_owned()), "{line}");
    }
    let headless = "problem p\ninitiation once\n".parse::<Problem>();
    assert_eq!(
        headless.map_err(|error| error.to_string()),
        Err("line 3: no `clock_period_ns` line".to_owned())
    );
}

#[test]
fn any_name_survives() {
    let mut problem: Problem = format!("{HEAD}operation o0 class=add name=x\n")
        .parse()
        .expect("the text is right");
    problem.name = " two\nlines \\n ".trim().to_owned();
    problem.operations[0].name = "%a = op\twith \\ and\r\nmore".to_owned();
    problem.operations[0].class = "two words".to_owned();
    assert_eq!(problem.to_string().parse(), Ok(problem));
}
