//! The only module that calls a linear solver: models are built with good_lp and solved by microlp, or by HiGHS if the feature is
//! enabled.

use good_lp::{Constraint, Expression, ProblemVariables, Variable, VariableDefinition};

/// Budget of one solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Greatest number of branch-and-bound nodes.
    pub nodes: u32,
    /// Wall-clock limit in seconds; the result may then depend on the machine.
    pub time_limit_s: Option<f64>,
}

/// The result of a solve.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Values of the variables in the order they were added, proved optimal.
    Optimal(Vec<f64>),
    /// Values that keep all constraints, not proved optimal.
    Feasible(Vec<f64>),
    /// No values keep all constraints.
    Infeasible,
    /// The budget ran out, or the solver failed, with the reason.
    Unknown(String),
}

/// A variable of a [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The variable, for expressions.
    pub variable: Variable,
    /// Its place in the values of an [`Outcome`].
    pub index: usize,
}

/// A linear program that minimises its objective; variables may be integers.
#[derive(Default)]
pub struct Model {
    variables: ProblemVariables,
    columns: Vec<Variable>,
    rows: Vec<Constraint>,
    objective: Expression,
}

impl Model {
    /// Adds a variable.
    pub fn column(&mut self, definition: VariableDefinition) -> Column {
        let variable = self.variables.add(definition);
        self.columns.push(variable);
        Column {
            variable,
            index: self.columns.len() - 1,
        }
    }

    /// Adds a constraint.
    pub fn row(&mut self, constraint: Constraint) {
        self.rows.push(constraint);
    }

    /// Adds `factor` times a variable to the objective.
    pub fn cost(&mut self, column: Column, factor: f64) {
        self.objective += factor * column.variable;
    }

    /// Solves within a budget.
    pub fn solve(self, budget: Budget) -> Outcome {
        // Some solvers report an error for an empty model.
        if self.columns.is_empty() && self.rows.is_empty() {
            return Outcome::Optimal(Vec::new());
        }
        backend::minimise(self, budget)
    }

    /// Solves within a budget, and returns a proved lower bound of the objective, if there is one. Values within 0.2 % of the
    /// optimum may be called optimal: the bound shows the difference.
    pub fn solve_bounded(self, budget: Budget) -> (Outcome, Option<f64>) {
        if self.columns.is_empty() && self.rows.is_empty() {
            return (Outcome::Optimal(Vec::new()), Some(0.0));
        }
        backend::minimise_bounded(self, budget)
    }
}

#[cfg(feature = "highs")]
use highs_backend as backend;
#[cfg(not(feature = "highs"))]
use microlp_backend as backend;

#[cfg_attr(
    feature = "highs",
    allow(dead_code, reason = "tests compare it with HiGHS")
)]
mod microlp_backend {
    use std::time::Duration;

    use ::microlp::{Error, SolutionStatus, SolveOptions};
    use good_lp::SolverModel;
    use good_lp::solvers::microlp::microlp;

    use super::{Budget, Model, Outcome};

    pub fn minimise(program: Model, budget: Budget) -> Outcome {
        minimise_bounded(program, budget).0
    }

    pub fn minimise_bounded(program: Model, budget: Budget) -> (Outcome, Option<f64>) {
        let mut model = program.variables.minimise(program.objective).using(microlp);
        for constraint in program.rows {
            model.add_constraint(constraint);
        }
        // good_lp passes on a time limit but no node limit, and only a node limit gives the same result on every machine.
        let mut options = SolveOptions::default();
        options.node_limit = Some(u64::from(budget.nodes));
        options.time_limit = budget.time_limit_s.map(Duration::from_secs_f64);
        let outcome = match model.as_inner().solve_with(options) {
            Ok(outcome) => outcome,
            Err(Error::Infeasible) => return (Outcome::Infeasible, None),
            Err(error) => return (Outcome::Unknown(error.to_string()), None),
        };
        let Some(solution) = outcome.solution() else {
            let why = "the budget of nodes or seconds ran out".to_owned();
            return (Outcome::Unknown(why), None);
        };
        let bound = solution.stats().best_bound;
        // microlp numbers its variables as good_lp does.
        let values: Vec<f64> = solution.iter().map(|(_, value)| value).collect();
        let outcome = match solution.status() {
            SolutionStatus::Optimal => Outcome::Optimal(values),
            SolutionStatus::Feasible => Outcome::Feasible(values),
        };
        (outcome, bound)
    }
}

#[cfg(feature = "highs")]
mod highs_backend {
    use good_lp::solvers::highs::highs;
    use good_lp::{ResolutionError, Solution, SolutionStatus, SolverModel};

    use super::{Budget, Model, Outcome};

    pub fn minimise(program: Model, budget: Budget) -> Outcome {
        let mut model = program
            .variables
            .minimise(program.objective)
            .using(highs)
            .set_threads(1);
        let nodes = i32::try_from(budget.nodes).unwrap_or(i32::MAX);
        model = model.set_option("mip_max_nodes", nodes);
        if let Some(time_limit_s) = budget.time_limit_s {
            model = model.set_time_limit(time_limit_s);
        }
        for constraint in program.rows {
            model.add_constraint(constraint);
        }
        match model.solve() {
            Ok(solution) => {
                let values = program
                    .columns
                    .iter()
                    .map(|&variable| solution.value(variable))
                    .collect();
                match solution.status() {
                    SolutionStatus::Optimal => Outcome::Optimal(values),
                    SolutionStatus::TimeLimit | SolutionStatus::GapLimit => {
                        Outcome::Feasible(values)
                    }
                }
            }
            Err(ResolutionError::Infeasible) => Outcome::Infeasible,
            Err(error) => Outcome::Unknown(error.to_string()),
        }
    }

    /// Relative gap to the optimum at which the search ends: the last part of the search takes most of the time.
    const GAP: f64 = 2e-3;

    pub fn minimise_bounded(program: Model, budget: Budget) -> (Outcome, Option<f64>) {
        let mut model = program.variables.minimise(program.objective).using(highs);
        for constraint in program.rows {
            model.add_constraint(constraint);
        }
        // good_lp does not expose the bound, so HiGHS is called directly.
        let mut model = match model.try_into_inner() {
            Ok(model) => model,
            Err(error) => return (Outcome::Unknown(error.to_string()), None),
        };
        model.make_quiet();
        model.set_option("threads", 1);
        model.set_option("parallel", "off");
        model.set_option("mip_rel_gap", GAP);
        let nodes = i32::try_from(budget.nodes).unwrap_or(i32::MAX);
        model.set_option("mip_max_nodes", nodes);
        if let Some(time_limit_s) = budget.time_limit_s {
            model.set_option("time_limit", time_limit_s);
        }
        let Ok(solved) = model.try_solve() else {
            return (Outcome::Unknown("HiGHS failed".to_owned()), None);
        };
        let bound = solved.double_info_value(c"mip_dual_bound").ok();
        // Status 2 means a point that keeps all rows.
        let is_found = solved.int_info_value(c"primal_solution_status") == Ok(2);
        match (is_found, bound) {
            (true, bound) => {
                let gap = solved.mip_gap();
                let values = solved.get_solution().columns().to_vec();
                let bound = bound.filter(|bound| bound.is_finite());
                match gap <= GAP {
                    true => (Outcome::Optimal(values), bound),
                    false => (Outcome::Feasible(values), bound),
                }
            }
            // All variables have bounds, so no model is unbounded.
            (false, _) if format!("{:?}", solved.status()).contains("Infeasible") => {
                (Outcome::Infeasible, None)
            }
            (false, _) => {
                let why = "the budget of nodes or seconds ran out".to_owned();
                (Outcome::Unknown(why), None)
            }
        }
    }
}

#[cfg(all(test, feature = "highs"))]
mod tests {
    use good_lp::{constraint, variable};
    use proptest::prelude::*;

    use super::{Budget, Model, Outcome, highs_backend, microlp_backend};

    /// Coefficients of a program: the objective, and rows `sum >= bound`.
    type Program = (Vec<i32>, Vec<(Vec<i32>, i32)>);

    fn programs() -> impl Strategy<Value = Program> {
        (1_usize..5).prop_flat_map(|n_columns| {
            let row = (prop::collection::vec(-3..4, n_columns), -6..7);
            let objective = prop::collection::vec(0..5, n_columns);
            (objective, prop::collection::vec(row, 1..5))
        })
    }

    /// Returns the program, with integers from 0 to 8 as variables.
    fn model((objective, rows): &Program) -> Model {
        let mut model = Model::default();
        let columns: Vec<_> = objective
            .iter()
            .map(|factor| {
                let column = model.column(variable().integer().min(0).max(8));
                model.cost(column, f64::from(*factor));
                column
            })
            .collect();
        for (factors, bound) in rows {
            let terms = factors.iter().zip(&columns);
            let sum: good_lp::Expression = terms
                .map(|(factor, column)| f64::from(*factor) * column.variable)
                .sum();
            model.row(constraint!(sum >= *bound));
        }
        model
    }

    proptest! {
        #[test]
        fn both_solvers_find_the_same_minimum(program in programs()) {
            let budget = Budget { nodes: 10_000, time_limit_s: None };
            let cost = |outcome: Outcome| match outcome {
                Outcome::Optimal(values) => {
                    let terms = values.iter().zip(&program.0);
                    let cost = terms.map(|(value, factor)| value.round() * f64::from(*factor));
                    Some(cost.sum::<f64>())
                }
                Outcome::Infeasible => None,
                other => panic!("{other:?}"),
            };
            let highs = cost(highs_backend::minimise(model(&program), budget));
            let microlp = cost(microlp_backend::minimise(model(&program), budget));
            prop_assert_eq!(highs, microlp);
        }
    }
}
