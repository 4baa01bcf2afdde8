//! A mixed integer linear program under construction; the caller supplies the solver.

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
    /// True if it is an integer.
    pub is_integer: bool,
    /// Coefficient in the objective, which is minimised.
    pub cost: f64,
}

/// A constraint: a weighted sum of variables has a lower bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Variable indices, each once, with coefficients.
    pub terms: Vec<(usize, f64)>,
    /// The lower bound of the sum.
    pub at_least: f64,
}

/// A mixed integer linear program that minimises a cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinearProgram {
    /// The variables.
    pub columns: Vec<Column>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// For each row, what it refers to.
    subjects: Vec<Option<Subject>>,
    /// The subject of the rows that are added next.
    pub(super) subject: Option<Subject>,
}

/// The subject of a row, for error messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Subject {
    /// The index of a channel.
    pub(super) wire: usize,
    /// The unit of the row: ns, or cycles.
    pub(super) unit: &'static str,
}

/// The answer of a solver.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Values that satisfy all rows, and a lower bound of the cost if one was proved.
    Found {
        /// Values in the order of the variables.
        values: Vec<f64>,
        /// The bound.
        bound: Option<f64>,
    },
    /// The program is infeasible.
    Infeasible,
    /// Neither was determined, with the reason.
    Unknown(String),
}

/// Maximum violation of a row in the relaxed program, in ns or cycles.
const MAX_MISSED: f64 = 1e6;

/// Violations below this count as zero.
const MIN_MISSED: f64 = 1e-5;

/// A solver of linear programs.
pub type Solve<'a> = dyn Fn(&LinearProgram) -> Answer + 'a;

/// The index of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Variable(usize);

/// A weighted sum of variables plus a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    terms: Vec<(Variable, f64)>,
    number: f64,
}

impl Sum {
    pub(super) fn of(number: f64) -> Self {
        Self {
            terms: Vec::new(),
            number,
        }
    }

    #[must_use]
    pub(super) fn plus(mut self, factor: f64, variable: Variable) -> Self {
        self.terms.push((variable, factor));
        self
    }

    #[must_use]
    pub(super) fn and(mut self, number: f64) -> Self {
        self.number += number;
        self
    }
}

impl From<Variable> for Sum {
    fn from(variable: Variable) -> Self {
        Self::of(0.0).plus(1.0, variable)
    }
}

impl LinearProgram {
    /// Adds a continuous variable with bounds.
    pub(super) fn real(&mut self, lower: f64, upper: f64) -> Variable {
        self.add(lower, upper, false)
    }

    /// Adds an integer variable with lower bound 0.
    pub(super) fn whole(&mut self, upper: u32) -> Variable {
        self.add(0.0, f64::from(upper), true)
    }

    fn add(&mut self, lower: f64, upper: f64, is_integer: bool) -> Variable {
        self.columns.push(Column {
            lower,
            upper,
            is_integer,
            cost: 0.0,
        });
        Variable(self.columns.len() - 1)
    }

    /// Fixes a variable to a value.
    pub(super) fn fix(&mut self, variable: Variable, value: f64) {
        let column = &mut self.columns[variable.0];
        (column.lower, column.upper) = (value, value);
    }

    /// Adds to the cost coefficient of a variable.
    pub(super) fn cost(&mut self, variable: Variable, factor: f64) {
        self.columns[variable.0].cost += factor;
    }

    /// Adds the constraint `left >= right`.
    pub(super) fn at_least(&mut self, left: impl Into<Sum>, right: impl Into<Sum>) {
        let (left, right) = (left.into(), right.into());
        let negative = right.terms.iter().map(|(v, factor)| (*v, -factor));
        let mut terms: Vec<(usize, f64)> = Vec::new();
        for (variable, factor) in left.terms.iter().copied().chain(negative) {
            match terms.iter_mut().find(|(known, _)| *known == variable.0) {
                Some((_, sum)) => *sum += factor,
                None => terms.push((variable.0, factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0.0);
        let at_least = right.number - left.number;
        if !terms.is_empty() || at_least > 0.0 {
            self.rows.push(Row { terms, at_least });
            self.subjects.push(self.subject);
        }
    }

    /// Returns a relaxed program that is always feasible: every row may be violated, and the total violation is minimised.
    pub(super) fn relaxed(&self) -> Self {
        let mut relaxed = self.clone();
        for column in &mut relaxed.columns {
            column.cost = 0.0;
        }
        for row in &mut relaxed.rows {
            row.terms.push((relaxed.columns.len(), 1.0));
            relaxed.columns.push(Column {
                lower: 0.0,
                upper: MAX_MISSED,
                is_integer: false,
                cost: 1.0,
            });
        }
        relaxed
    }

    /// Returns the subjects of the violated rows in a solution of the relaxed program, with the violations, largest first.
    pub(super) fn missed(&self, values: &[f64]) -> Vec<(Subject, f64)> {
        let by = values.iter().skip(self.columns.len()).copied();
        let rows = self.subjects.iter().zip(by);
        let mut missed: Vec<(Subject, f64)> = rows
            .filter_map(|(subject, by)| Some(((*subject)?, by)))
            .filter(|(_, by)| *by > MIN_MISSED)
            .collect();
        missed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        missed
    }

    /// Returns the cost of given values.
    pub(super) fn cost_of(&self, values: &[f64]) -> f64 {
        let costs = self.columns.iter().zip(values);
        costs.map(|(column, value)| column.cost * value).sum()
    }
}

/// Returns the value of a variable.
pub(super) fn value(values: &[f64], variable: Variable) -> f64 {
    values.get(variable.0).copied().unwrap_or_default()
}
