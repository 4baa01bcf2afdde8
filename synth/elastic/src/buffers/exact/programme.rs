//! A mixed integer programme under construction: who solves it is the caller's choice.

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
    /// Whether it is whole.
    pub is_integer: bool,
    /// Its factor in the sum that is minimised.
    pub cost: f64,
}

/// A sum of variables, by number, times factors, that is at least something.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Numbers of variables, each once, and their factors.
    pub terms: Vec<(usize, f64)>,
    /// What the sum is at least.
    pub at_least: f64,
}

/// A programme that asks for the least cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Programme {
    /// The variables.
    pub columns: Vec<Column>,
    /// What must hold.
    pub rows: Vec<Row>,
    /// By row, what it is about.
    subjects: Vec<Option<Subject>>,
    /// What the rows that are added next are about.
    pub(super) subject: Option<Subject>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Subject {
    /// The number of a channel.
    pub(super) wire: usize,
    /// Of what the sums of the row are: ns, or cycles.
    pub(super) unit: &'static str,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Values that keep all rows, and a number below which no cost is possible, where one was proved.
    Found {
        /// Values in the order of the variables.
        values: Vec<f64>,
        /// The bound.
        bound: Option<f64>,
    },
    /// There are no such values.
    Infeasible,
    /// Neither was settled, with the reason.
    Unknown(String),
}

/// What a row may be missed by, in ns or cycles.
const MOST_MISSED: f64 = 1e6;

/// What is taken for nothing.
const LEAST_MISSED: f64 = 1e-5;

/// Solves programmes.
pub type Solve<'a> = dyn Fn(&Programme) -> Answer + 'a;

/// The number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Variable(usize);

/// A sum of variables times factors, and a number.
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

impl Programme {
    /// A variable between two numbers.
    pub(super) fn real(&mut self, lower: f64, upper: f64) -> Variable {
        self.add(lower, upper, false)
    }

    /// A whole number from 0 on.
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

    /// Leaves a variable only one value.
    pub(super) fn fix(&mut self, variable: Variable, value: f64) {
        let column = &mut self.columns[variable.0];
        (column.lower, column.upper) = (value, value);
    }

    /// What a variable adds to the cost.
    pub(super) fn cost(&mut self, variable: Variable, factor: f64) {
        self.columns[variable.0].cost += factor;
    }

    /// Asks for `left >= right`.
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

    /// A programme that always has a solution: every row may be missed, and what is asked for is to miss the least.
    pub(super) fn relaxed(&self) -> Self {
        let mut relaxed = self.clone();
        for column in &mut relaxed.columns {
            column.cost = 0.0;
        }
        for row in &mut relaxed.rows {
            row.terms.push((relaxed.columns.len(), 1.0));
            relaxed.columns.push(Column {
                lower: 0.0,
                upper: MOST_MISSED,
                is_integer: false,
                cost: 1.0,
            });
        }
        relaxed
    }

    /// What rows are about that values of the relaxed programme miss, and by how much: most first.
    pub(super) fn missed(&self, values: &[f64]) -> Vec<(Subject, f64)> {
        let by = values.iter().skip(self.columns.len()).copied();
        let rows = self.subjects.iter().zip(by);
        let mut missed: Vec<(Subject, f64)> = rows
            .filter_map(|(subject, by)| Some(((*subject)?, by)))
            .filter(|(_, by)| *by > LEAST_MISSED)
            .collect();
        missed.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        missed
    }

    /// The cost of some values.
    pub(super) fn cost_of(&self, values: &[f64]) -> f64 {
        let costs = self.columns.iter().zip(values);
        costs.map(|(column, value)| column.cost * value).sum()
    }
}

/// The value of a variable.
pub(super) fn value(values: &[f64], variable: Variable) -> f64 {
    values.get(variable.0).copied().unwrap_or_default()
}
