//! Walks `tests/problems`: solves each problem text and compares the result with the expectations in its comments.
//!
//! `# expect ii=2 length=5 rec_mii=1 res_mii=2 register_bits=32 proved` states figures, `# explain TEXT` a part of the
//! explanation, `# expect error TEXT` one line of the error.

use std::fs;
use std::path::Path;

use sluice_schedule::checker::verify;
use sluice_schedule::options::SolverOptions;
use sluice_schedule::problem::Problem;
use sluice_schedule::solve::{Solution, solve};

#[test]
fn problem_files_meet_their_expectations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/problems");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 15, "the problem files are missing");
    let mut failures = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("the file can be read");
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        if let Err(found) = check_file(&text) {
            failures.push(format!("tests/problems/{name}: {found}\nrepeat: cargo test -p sluice-schedule --test suite problems"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

fn check_file(text: &str) -> Result<(), String> {
    let problem: Problem = text.parse().map_err(|error| format!("{error}"))?;
    let printed = problem.to_string();
    if printed.parse::<Problem>().as_ref() != Ok(&problem) {
        return Err(format!(
            "the printed problem does not read back:\n{printed}"
        ));
    }
    let comments = |prefix: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("# ")?.strip_prefix(prefix));
        lines.map(|rest| rest.trim().to_owned()).collect()
    };
    let errors = comments("expect error ");
    let figures: Vec<String> = comments("expect ")
        .into_iter()
        .filter(|line| !line.starts_with("error "))
        .collect();
    let result = solve(&problem, &SolverOptions::default());
    if !errors.is_empty() {
        let found = match result {
            Ok(solution) => format!(
                "{}{}",
                solution.schedule,
                solution.certificate.explain(&problem)
            ),
            Err(error) => error.to_string(),
        };
        // The faults of a problem are joined into one line; an infeasible problem has several lines.
        return if [errors.join("; "), errors.join("\n")].contains(&found) {
            Ok(())
        } else {
            let expected = errors.join("\n");
            Err(format!("expected error:\n{expected}\nfound:\n{found}"))
        };
    }
    if figures.is_empty() {
        return Err("no `# expect` line".to_owned());
    }
    let solution = result.map_err(|error| format!("unexpected error: {error}"))?;
    verify(&problem, &solution.schedule).map_err(|violations| format!("{violations:?}"))?;
    let explanation = solution.certificate.explain(&problem);
    for figure in figures.iter().flat_map(|line| line.split_whitespace()) {
        check_figure(&solution, figure)
            .map_err(|found| format!("{found}\n{}{explanation}", solution.schedule))?;
    }
    for part in comments("explain ") {
        if !explanation.contains(&part) {
            return Err(format!(
                "the explanation lacks: {part}\nfound:\n{explanation}"
            ));
        }
    }
    if solve(&problem, &SolverOptions::default()).as_ref() != Ok(&solution) {
        return Err("a second run gives another result".to_owned());
    }
    Ok(())
}

fn check_figure(solution: &Solution, figure: &str) -> Result<(), String> {
    let certificate = &solution.certificate;
    let ii = certificate.ii.as_ref();
    let (key, expected) = figure.split_once('=').unwrap_or((figure, "true"));
    let found = match key {
        "ii" => solution.schedule.ii.map(|ii| ii.to_string()),
        "length" => Some(solution.schedule.length_cycles.to_string()),
        "rec_mii" => ii.map(|ii| ii.rec_mii.to_string()),
        "res_mii" => ii.map(|ii| ii.res_mii.to_string()),
        "register_bits" => Some(certificate.registers.bits.to_string()),
        "proved" => Some(certificate.proved_optimal().to_string()),
        _ => return Err(format!("unknown expectation `{key}`")),
    };
    let found = found.unwrap_or_else(|| "none".to_owned());
    if found == expected {
        Ok(())
    } else {
        Err(format!("{key}: expected {expected}, found {found}"))
    }
}
