//! Mixed integer linear programs as data, for callers that build their own; solved by the linear solver that is compiled in.

use good_lp::{Expression, variable};

pub use crate::linear::Budget;
use crate::linear::{Model, Outcome};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
    /// True if the variable is an integer.
    pub is_integer: bool,
    /// Its coefficient in the objective, which is minimised.
    pub cost: f64,
}

/// A linear constraint: a sum of variables times coefficients has a lower bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Indices of variables, each at most once, with their coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The lower bound of the sum.
    pub at_least: f64,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Values that keep all rows, with a proved lower bound of the cost if there is one.
    Found {
        /// Values in the order of the variables.
        values: Vec<f64>,
        /// The bound.
        bound: Option<f64>,
    },
    /// No values keep all rows.
    Infeasible,
    /// Neither was decided, with the reason.
    Unknown(String),
}

/// Relative tolerance for rows.
const TOLERANCE: f64 = 1e-4;

/// Returns the cheapest values that are found within a budget. They are checked against every row.
pub fn minimise(columns: &[Column], rows: &[Row], budget: Budget) -> Answer {
    let mut model = Model::default();
    let made: Vec<_> = columns
        .iter()
        .map(|column| {
            let definition = variable().min(column.lower).max(column.upper);
            let made = model.column(match column.is_integer {
                true => definition.integer(),
                false => definition,
            });
            if column.cost != 0.0 {
                model.cost(made, column.cost);
            }
            made
        })
        .collect();
    for row in rows {
        let terms = row.terms.iter();
        let sum: Expression = terms.map(|(i, factor)| *factor * made[*i].variable).sum();
        model.row(sum.geq(row.at_least));
    }
    let (outcome, bound) = model.solve_bounded(budget);
    let mut values = match outcome {
        Outcome::Optimal(values) | Outcome::Feasible(values) => values,
        Outcome::Infeasible => return Answer::Infeasible,
        Outcome::Unknown(why) => return Answer::Unknown(why),
    };
    for (value, column) in values.iter_mut().zip(columns) {
        if column.is_integer {
            *value = value.round();
        }
    }
    match rows.iter().find(|row| !holds(row, &values)) {
        None => Answer::Found { values, bound },
        Some(_) => Answer::Unknown("the values found miss a row".to_owned()),
    }
}

fn holds(row: &Row, values: &[f64]) -> bool {
    let (mut sum, mut size) = (0.0, 1.0 + row.at_least.abs());
    for (i, factor) in &row.terms {
        sum += factor * values[*i];
        size += (factor * values[*i]).abs();
    }
    sum >= row.at_least - TOLERANCE * size
}

#[cfg(test)]
mod tests {
    use super::{Answer, Column, Row, minimise};
    use crate::linear::Budget;

    const BUDGET: Budget = Budget {
        nodes: 1000,
        time_limit_s: None,
    };

    fn whole(cost: f64) -> Column {
        Column {
            lower: 0.0,
            upper: 10.0,
            is_integer: true,
            cost,
        }
    }

    #[test]
    fn the_least_cost_is_found_and_proved() {
        let rows = [Row {
            terms: vec![(0, 2.0), (1, 3.0)],
            at_least: 7.0,
        }];
        let found = minimise(&[whole(2.0), whole(2.9)], &rows, BUDGET);
        let Answer::Found { values, bound } = found else {
            panic!("it has a solution: {found:?}");
        };
        assert_eq!(values, [2.0, 1.0]);
        assert!((bound.expect("it is proved") - 6.9).abs() < 1e-3);
    }

    #[test]
    fn no_values_are_said_to_be_none() {
        let rows = [Row {
            terms: vec![(0, 1.0)],
            at_least: 11.0,
        }];
        assert_eq!(minimise(&[whole(1.0)], &rows, BUDGET), Answer::Infeasible);
    }
}
