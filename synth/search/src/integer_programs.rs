//! Memoisation of the integer programs for buffer placement.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sluice_elastic::{Answer, LinearProgram};
use sluice_schedule::linear_program::{self, Budget, Column, Row};

/// Solved integer programs with their answers. The clock is tried several times, and the final placing is one of the trials.
#[derive(Default)]
pub struct Answered {
    known: Mutex<Vec<(LinearProgram, Arc<OnceLock<Answer>>)>>,
}

impl fmt::Debug for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answered").finish_non_exhaustive()
    }
}

impl Answered {
    /// Returns the answer to an integer program; solves each program once.
    pub(crate) fn answer(&self, program: &LinearProgram, budget: Budget) -> Answer {
        let known = {
            let all = self.known.lock();
            let mut all = all.unwrap_or_else(PoisonError::into_inner);
            match all.iter().find(|(known, _)| known == program) {
                Some((_, answer)) => answer.clone(),
                None => {
                    let answer = Arc::new(OnceLock::new());
                    all.push((program.clone(), answer.clone()));
                    answer
                }
            }
        };
        // A thread that needs the same program at the same time waits for the answer.
        known.get_or_init(|| solved(program, budget)).clone()
    }
}

fn solved(program: &LinearProgram, budget: Budget) -> Answer {
    let columns = program.columns.iter().map(|column| Column {
        lower: column.lower,
        upper: column.upper,
        is_integer: column.is_integer,
        cost: column.cost,
    });
    let rows = program.rows.iter().map(|row| Row {
        terms: row.terms.clone(),
        at_least: row.at_least,
    });
    let (columns, rows): (Vec<Column>, Vec<Row>) = (columns.collect(), rows.collect());
    match linear_program::minimise(&columns, &rows, budget) {
        linear_program::Answer::Found { values, bound } => Answer::Found { values, bound },
        linear_program::Answer::Infeasible => Answer::Infeasible,
        linear_program::Answer::Unknown(why) => Answer::Unknown(why),
    }
}
