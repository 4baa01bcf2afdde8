//! Decides whether a system of linear constraints over the integers has a solution: exact, up to a work limit.
//!
//! Source: W. Pugh, "The Omega test: a fast and practical integer programming algorithm for dependence analysis",
//! Supercomputing 1991. Differs: equalities are solved by unimodular changes of variables instead of residues.

/// Coefficients of the variables, then the constant.
pub type Row = Vec<i128>;

/// Constraints on `n` integers: rows that equal 0, and rows that are not negative.
#[derive(Clone, Debug, Default)]
pub struct LinearSystem {
    n: usize,
    zero: Vec<Row>,
    not_negative: Vec<Row>,
}

/// The answer to whether a system has a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solutions {
    /// It has none.
    None,
    /// It has at least one.
    Some,
    /// The work limit or the number range was exceeded: there may be a solution.
    Unknown,
}

/// Maximum number of systems examined for one query; beyond it the answer is [`Solutions::Unknown`].
const MAX_SYSTEMS: u32 = 4_000;

/// Maximum number of rows of a system during elimination.
const MAX_ROWS: usize = 1_000;

/// The error of exceeding the number range or the work limit.
struct TooMuch;

impl LinearSystem {
    /// Adds a variable and returns its index.
    pub fn add_variable(&mut self) -> usize {
        for row in self.zero.iter_mut().chain(&mut self.not_negative) {
            row.insert(self.n, 0);
        }
        self.n += 1;
        self.n - 1
    }

    /// Returns a row of zeros.
    pub fn row(&self) -> Row {
        vec![0; self.n + 1]
    }

    /// Adds the constraint `row = 0`.
    pub fn require_zero(&mut self, row: Row) {
        self.zero.push(row);
    }

    /// Adds the constraint `row >= 0`.
    pub fn require_not_negative(&mut self, row: Row) {
        self.not_negative.push(row);
    }

    /// Returns whether there may be a solution.
    pub fn may_hold(&self) -> bool {
        self.solutions() != Solutions::None
    }

    /// Returns whether there is a solution.
    pub(crate) fn solutions(&self) -> Solutions {
        let mut budget = MAX_SYSTEMS;
        match solve(self.clone(), &mut budget) {
            Ok(true) => Solutions::Some,
            Ok(false) => Solutions::None,
            Err(TooMuch) => Solutions::Unknown,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn multiply(a: i128, b: i128) -> Result<i128, TooMuch> {
    a.checked_mul(b).ok_or(TooMuch)
}

/// Computes `factor_a * a + factor_b * b`.
fn combine(a: &Row, factor_a: i128, b: &Row, factor_b: i128) -> Result<Row, TooMuch> {
    let terms = a.iter().zip(b);
    terms
        .map(|(a, b)| {
            multiply(*a, factor_a)?
                .checked_add(multiply(*b, factor_b)?)
                .ok_or(TooMuch)
        })
        .collect()
}

fn solve(mut system: LinearSystem, budget: &mut u32) -> Result<bool, TooMuch> {
    *budget = budget.checked_sub(1).ok_or(TooMuch)?;
    loop {
        if !tighten(&mut system) {
            return Ok(false);
        }
        match system.zero.pop() {
            Some(equality) => substitute(&mut system, equality)?,
            None => break,
        }
    }
    eliminate(system, budget)
}

/// Divides every row by the GCD of its coefficients, and converts opposite inequalities to equalities. Returns false if a
/// constraint cannot hold.
fn tighten(system: &mut LinearSystem) -> bool {
    let n = system.n;
    let divisor = |row: &Row| row[..n].iter().fold(0, |g, c| gcd(g, *c));
    for row in &mut system.zero {
        let g = divisor(row);
        if g == 0 {
            if row[n] != 0 {
                return false;
            }
            continue;
        }
        if row[n] % g != 0 {
            return false;
        }
        row.iter_mut().for_each(|c| *c /= g);
    }
    system.zero.retain(|row| row[..n].iter().any(|c| *c != 0));
    for row in &mut system.not_negative {
        let g = divisor(row);
        if g == 0 {
            if row[n] < 0 {
                return false;
            }
            continue;
        }
        row[..n].iter_mut().for_each(|c| *c /= g);
        row[n] = row[n].div_euclid(g);
    }
    // Of rows with equal coefficients, the one with the smallest constant is the tightest.
    system.not_negative.sort();
    system
        .not_negative
        .dedup_by(|later, first| later[..n] == first[..n]);
    system
        .not_negative
        .retain(|row| row[..n].iter().any(|c| *c != 0));
    let mut found = Vec::new();
    for row in &system.not_negative {
        let opposite: Row = row[..n].iter().map(|c| -c).collect();
        let position = system
            .not_negative
            .binary_search_by(|other| other[..n].cmp(&opposite[..]));
        if let Ok(position) = position {
            let other = &system.not_negative[position];
            let slack = row[n].saturating_add(other[n]);
            if slack < 0 {
                return false;
            }
            if slack == 0 && row[..n] > other[..n] {
                found.push(row.clone());
            }
        }
    }
    for row in found {
        let opposite: Row = row.iter().map(|c| -c).collect();
        system
            .not_negative
            .retain(|other| *other != row && *other != opposite);
        system.zero.push(row);
    }
    true
}

/// Solves an equality whose coefficients are coprime: changes of variables reduce it to one variable with coefficient 1 or -1,
/// which is then substituted.
fn substitute(system: &mut LinearSystem, mut equality: Row) -> Result<(), TooMuch> {
    let n = system.n;
    let pivot = loop {
        let smallest = (0..n)
            .filter(|i| equality[*i] != 0)
            .min_by_key(|i| equality[*i].abs());
        let Some(pivot) = smallest else {
            return Ok(());
        };
        let others: Vec<usize> = (0..n)
            .filter(|i| *i != pivot && equality[*i] != 0)
            .collect();
        if others.is_empty() || equality[pivot].abs() == 1 {
            break pivot;
        }
        // Substituting x_pivot - sum of q * x_other for x_pivot turns each coefficient into its remainder.
        for other in others {
            let q = equality[other].div_euclid(equality[pivot]);
            let all = system.zero.iter_mut().chain(&mut system.not_negative);
            for row in all.chain([&mut equality]) {
                let less = multiply(q, row[pivot])?;
                row[other] = row[other].checked_sub(less).ok_or(TooMuch)?;
            }
        }
    };
    let sign = equality[pivot].signum();
    // x_pivot = -sign * (the rest of the equality).
    for row in system.zero.iter_mut().chain(&mut system.not_negative) {
        let factor = multiply(row[pivot], -sign)?;
        if factor != 0 {
            *row = combine(row, 1, &equality, factor)?;
        }
    }
    Ok(())
}

/// Decides a system without equalities by eliminating one variable.
fn eliminate(mut system: LinearSystem, budget: &mut u32) -> Result<bool, TooMuch> {
    loop {
        let n = system.n;
        let has = |variable: usize, sign: i128| {
            let mut rows = system.not_negative.iter();
            rows.any(move |row| row[variable].signum() == sign)
        };
        // A variable bounded on one side only can always be chosen, so its constraints are dropped.
        let unbounded = (0..n).find(|v| has(*v, 1) != has(*v, -1));
        if let Some(variable) = unbounded {
            system.not_negative.retain(|row| row[variable] == 0);
            continue;
        }
        if system.not_negative.is_empty() {
            return Ok(true);
        }
        break;
    }
    if system.not_negative.len() > MAX_ROWS {
        return Err(TooMuch);
    }
    let split = |variable: usize| {
        let rows = |sign: i128| {
            let rows = system.not_negative.iter();
            let kept = rows.filter(move |row| row[variable].signum() == sign);
            kept.cloned().collect::<Vec<Row>>()
        };
        (rows(1), rows(-1), rows(0))
    };
    let candidates = (0..system.n).filter_map(|variable| {
        let (lower, upper, _) = split(variable);
        if lower.is_empty() {
            return None;
        }
        let is_unit = |rows: &[Row]| rows.iter().all(|row| row[variable].abs() == 1);
        let is_exact = is_unit(&lower) || is_unit(&upper);
        Some((!is_exact, lower.len() * upper.len(), variable))
    });
    let Some((is_inexact, _, variable)) = candidates.min() else {
        return Ok(true);
    };
    let (lower, upper, rest) = split(variable);
    let shadow = |darkness: &dyn Fn(i128, i128) -> i128| -> Result<LinearSystem, TooMuch> {
        let mut shadow = LinearSystem {
            n: system.n,
            zero: Vec::new(),
            not_negative: rest.clone(),
        };
        for low in &lower {
            for high in &upper {
                let (a, b) = (low[variable], -high[variable]);
                let mut row = combine(low, b, high, a)?;
                row[system.n] -= darkness(a, b);
                shadow.not_negative.push(row);
            }
        }
        Ok(shadow)
    };
    let real = solve(shadow(&|_, _| 0)?, budget)?;
    if !is_inexact || !real {
        return Ok(real);
    }
    if solve(shadow(&|a, b| (a - 1) * (b - 1))?, budget)? {
        return Ok(true);
    }
    // The remaining solutions are close to a lower bound.
    let largest = upper.iter().map(|row| -row[variable]).max().unwrap_or(1);
    for low in &lower {
        let a = low[variable];
        let most = (multiply(largest, a)? - largest - a) / largest;
        for distance in 0..=most {
            let mut splinter = system.clone();
            let mut row = low.clone();
            row[system.n] = row[system.n].checked_sub(distance).ok_or(TooMuch)?;
            splinter.zero.push(row);
            if solve(splinter, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LinearSystem, Solutions};

    fn by_trial(system: &LinearSystem, most: i128) -> bool {
        let n = system.n;
        let mut point = vec![-most; n];
        loop {
            let value = |row: &Vec<i128>| {
                let sum: i128 = row[..n].iter().zip(&point).map(|(a, b)| a * b).sum();
                sum + row[n]
            };
            if system.zero.iter().all(|row| value(row) == 0)
                && system.not_negative.iter().all(|row| value(row) >= 0)
            {
                return true;
            }
            let Some(next) = (0..n).find(|i| point[*i] < most) else {
                return false;
            };
            point[next] += 1;
            point[..next].iter_mut().for_each(|x| *x = -most);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn systems_are_solved_as_by_trial(
            zero in proptest::collection::vec(proptest::collection::vec(-5i128..=5, 4), 0..3),
            not_negative in proptest::collection::vec(proptest::collection::vec(-5i128..=5, 4), 0..5),
        ) {
            let mut system = LinearSystem { n: 3, zero, not_negative };
            for variable in 0..3 {
                for sign in [-1, 1] {
                    let mut row = system.row();
                    row[variable] = sign;
                    row[3] = 4;
                    system.require_not_negative(row);
                }
            }
            let expected = if by_trial(&system, 4) { Solutions::Some } else { Solutions::None };
            prop_assert_eq!(system.solutions(), expected);
        }
    }
}
