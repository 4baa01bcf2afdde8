//! Loops with a known optimum, of 20 to 1400 operations: the least II is found and proved.

mod loops;

use sluice_schedule::checker::verify;
use sluice_schedule::options::{Objective, SolverOptions};
use sluice_schedule::solve::solve;

use loops::planted;

#[test]
fn the_planted_ii_is_found() {
    let options = SolverOptions {
        relaxations: false,
        objective: Objective::Ii,
        ..SolverOptions::default()
    };
    let mut missed = Vec::new();
    let mut n_loops = 0;
    for (seed, size) in (1..).zip([20, 30, 40, 60, 80, 120, 200, 300, 500, 800, 1100, 1400]) {
        for slack in [0, 3] {
            n_loops += 1;
            let (problem, ii) = planted(size, slack, seed);
            let solution = solve(&problem, &options).expect("a schedule was planted");
            assert_eq!(verify(&problem, &solution.schedule), Ok(()));
            let found = solution.schedule.ii.expect("it is a loop");
            assert!(
                found >= ii,
                "{}: II {found} below the optimum {ii}",
                problem.name
            );
            if found > ii {
                missed.push(format!("{}: II {found}, {ii} is the least", problem.name));
            }
        }
    }
    assert!(20 * missed.len() <= n_loops, "{}", missed.join("\n"));
}
