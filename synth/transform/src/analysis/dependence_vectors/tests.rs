//! Compares dependence vectors of random small nests with an enumeration of all their iterations.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use sluice_ir::{OperationId, ValueId};

use super::{Counter, Direction, Pair, Reference, Surroundings, dependences};
use crate::analysis::linear::Linear;

/// Surroundings of a nest without outer values.
struct Nothing;

impl Surroundings for Nothing {
    fn is_fixed(&self, _: ValueId) -> bool {
        true
    }
    fn counter(&self, _: ValueId) -> Option<Counter> {
        None
    }
}

fn counter_value(level: usize) -> ValueId {
    ValueId::from_index(level)
}

fn form(constant: i64, coefficients: &[i64]) -> Linear {
    let terms = coefficients.iter().enumerate();
    let terms = terms.filter(|(_, c)| **c != 0);
    Linear {
        constant,
        terms: terms.map(|(i, c)| (counter_value(i), *c)).collect(),
    }
}

/// Lower and upper bounds of a loop as forms of the outer counters, and its step.
type Bounds = (Vec<(i64, Vec<i64>)>, Vec<(i64, Vec<i64>)>, i64);

fn counters(nest: &[Bounds]) -> Vec<Counter> {
    let loops = nest.iter().enumerate();
    loops
        .map(|(level, (lower, last, step))| {
            let forms = |all: &[(i64, Vec<i64>)]| {
                let forms = all.iter();
                forms
                    .map(|(c, k)| form(*c, &k[..level]))
                    .collect::<Vec<_>>()
            };
            let lower = forms(lower);
            Counter {
                value: counter_value(level),
                step: if lower.len() == 1 { *step } else { 1 },
                last: forms(last),
                lower,
            }
        })
        .collect()
}

fn value(form: &Linear, point: &[i64]) -> i64 {
    let at: BTreeMap<ValueId, i64> = point
        .iter()
        .enumerate()
        .map(|(i, v)| (counter_value(i), *v))
        .collect();
    form.constant + form.terms.iter().map(|(v, c)| c * at[v]).sum::<i64>()
}

fn points(counters: &[Counter]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for counter in counters {
        let mut longer = Vec::new();
        for point in all {
            let low = counter.lower.iter().map(|f| value(f, &point)).max();
            let high = counter.last.iter().map(|f| value(f, &point)).min();
            let mut at = low.expect("a loop has a lower bound");
            while at <= high.expect("a loop has an upper bound") {
                let mut next: Vec<i64> = point.clone();
                next.push(at);
                longer.push(next);
                at += counter.step;
            }
        }
        all = longer;
    }
    all
}

fn bound() -> impl Strategy<Value = (i64, Vec<i64>)> {
    let coefficient = prop_oneof![4 => Just(0i64), 2 => Just(1i64), 1 => -1i64..=2];
    (0i64..5, proptest::collection::vec(coefficient, 3))
}

fn a_loop() -> impl Strategy<Value = Bounds> {
    let lower = (
        0i64..2,
        proptest::collection::vec(prop_oneof![3 => Just(0i64), 1 => Just(1i64)], 3),
    );
    (
        proptest::collection::vec(lower, 1..3),
        proptest::collection::vec(bound(), 1..3),
        prop_oneof![3 => Just(1i64), 1 => 2i64..=3],
    )
}

fn subscript() -> impl Strategy<Value = (i64, Vec<i64>)> {
    (-3i64..=3, proptest::collection::vec(-2i64..=2, 3))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn vectors_are_those_of_all_iterations(
        nest in proptest::collection::vec(a_loop(), 1..=3),
        first in proptest::collection::vec(subscript(), 1..=2),
        second in proptest::collection::vec(subscript(), 1..=2),
    ) {
        let counters = counters(&nest);
        let n = counters.len();
        let rank = first.len().min(second.len());
        let reference = |op: usize, writes, all: &[(i64, Vec<i64>)]| Reference {
            op: OperationId::from_index(op),
            memory: ValueId::from_index(100),
            writes,
            counters: counters.clone(),
            subscripts: all[..rank].iter().map(|(c, k)| Some(form(*c, &k[..n]))).collect(),
        };
        let references = [reference(0, true, &first), reference(1, false, &second)];
        let all = points(&counters);
        prop_assume!(all.len() <= 150);
        let mut expected: BTreeMap<(usize, usize, Vec<Direction>), Vec<Vec<i64>>> = BTreeMap::new();
        for (i, source) in references.iter().enumerate() {
            for (j, sink) in references.iter().enumerate() {
                if i == 1 && j == 1 {
                    continue;
                }
                for a in &all {
                    for b in &all {
                        let subscripts = source.subscripts.iter().flatten().zip(sink.subscripts.iter().flatten());
                        let same = subscripts.into_iter().all(|(x, y)| value(x, a) == value(y, b));
                        if same && (a < b || (a == b && i < j)) {
                            let distance: Vec<i64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
                            let directions = distance.iter().map(|d| match d.signum() {
                                1 => Direction::Forward,
                                0 => Direction::Same,
                                _ => Direction::Backward,
                            });
                            expected.entry((i, j, directions.collect())).or_default().push(distance);
                        }
                    }
                }
            }
        }
        let found = dependences(&Nothing, &references, n);
        let keys: BTreeSet<_> = found.iter().map(|d| (d.source, d.sink, d.directions.clone())).collect();
        prop_assert_eq!(&keys, &expected.keys().cloned().collect::<BTreeSet<_>>());
        for (source, sink, directions) in keys {
            let pair = Pair::new(&Nothing, &references[source], &references[sink], n);
            let vector = pair.vector(&directions);
            let distances = &expected[&(source, sink, directions)];
            for level in 0..n {
                let of_level = || distances.iter().map(|d| d[level]);
                let extremes = (of_level().min(), of_level().max());
                prop_assert_eq!(vector.distances[level], extremes);
            }
        }
    }
}
