//! Candidates for copies and banks, sorted by their estimated cycles.

use sluice_ir::Exact;

use super::shape::{AccessShape, Shape};

/// Copies of loops and banks of arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// Number of copies of each loop.
    pub(super) factors: Vec<i64>,
    /// Number of banks by array and dimension.
    pub(super) banks: Vec<Vec<i64>>,
    /// Estimated cycles.
    pub(super) cycles: Exact,
    /// Estimated cycles below which no trial comes. If the trial may copy arrays, ports do not count.
    pub(super) least: Exact,
}

impl Choice {
    /// Returns the kernel without copies.
    pub(super) fn none(kernel: &Shape, limit: i64) -> Self {
        let mut choice = Self {
            factors: vec![1; kernel.loops.len()],
            banks: Vec::new(),
            cycles: Exact::ZERO,
            least: Exact::ZERO,
        };
        choice.banks = banks(kernel, &choice.factors, &[]);
        choice.cycles = cycles(kernel, &choice.factors, Some(&choice.banks), limit);
        choice.least = cycles(kernel, &choice.factors, None, limit);
        choice
    }

    /// Returns the choice without banks that unrolls the inner loops of each nest as far as the multipliers allow; `None` if there are no
    /// such loops.
    ///
    /// Copies that differ by constants read most of their words from registers and line buffers, as stencils do, so the estimate leaves
    /// ports out.
    pub(super) fn windows(kernel: &Shape, limit: i64) -> Option<Self> {
        let mut factors = vec![1; kernel.loops.len()];
        for nest in nests(kernel) {
            let path = kernel.path(busiest(kernel, nest)?);
            if path.iter().any(|n| kernel.loops[*n].is_fixed) {
                continue;
            }
            let innermost = path
                .last()
                .map_or(1, |n| kernel.loops[*n].n_multiplications);
            let mut copies = Exact::from(innermost.max(1));
            for number in path.iter().rev() {
                let known = &kernel.loops[*number];
                let more = copies.times(known.trip_count);
                if !known.is_constant || more > Exact::from(limit) {
                    break;
                }
                copies = more;
                factors[*number] = known.trip_count.to_i64()?;
            }
        }
        if factors.iter().all(|factor| *factor == 1) {
            return None;
        }
        let sizes = kernel.arrays.iter().map(|array| vec![1; array.sizes.len()]);
        let cycles = cycles(kernel, &factors, None, limit);
        Some(Self {
            banks: sizes.collect(),
            cycles,
            least: cycles,
            factors,
        })
    }

    /// Returns the total number of memories.
    pub(super) fn n_banks(&self) -> u64 {
        let banks = self.banks.iter().map(Exact::product);
        Exact::sum(banks).to_u64().unwrap_or(u64::MAX)
    }
}

/// Maximum number of banks of one array: more are not worth their ports.
const MAX_BANKS: i64 = 256;

/// Beam width: number of combinations that are kept from nest to nest.
const BEAM: usize = 96;

/// Cycles that a loop waits for a value of the previous loop, roughly.
const WAIT_CYCLES: i64 = 8;

/// Returns the candidates with copies, best first. `is_legal` says whether a loop may be jammed (unrolled and fused) by a factor.
pub(super) fn choices(
    kernel: &Shape,
    limit: i64,
    is_legal: &dyn Fn(usize, i64) -> bool,
) -> Vec<Choice> {
    let paths = main_paths(kernel);
    let free: Vec<usize> = paths.iter().flatten().copied().collect();
    let mut beam = vec![vec![1; kernel.loops.len()]];
    for (done, path) in (1..).zip(&paths) {
        let own = path_factors(kernel, path, limit, is_legal);
        let known: Vec<usize> = paths[..done].iter().flatten().copied().collect();
        let mut next: Vec<(Exact, u64, Vec<i64>)> = Vec::new();
        for factors in &beam {
            for own in &own {
                let mut factors = factors.clone();
                for (number, factor) in path.iter().zip(own) {
                    factors[*number] = *factor;
                }
                let choice = complete(kernel, &factors, &known, limit, is_legal);
                if let Some(choice) = choice {
                    next.push((choice.cycles, choice.n_banks(), factors));
                }
            }
        }
        next.sort();
        next.truncate(BEAM);
        beam = next.into_iter().map(|(.., factors)| factors).collect();
    }
    let mut found: Vec<Choice> = beam
        .iter()
        .filter_map(|factors| complete(kernel, factors, &free, limit, is_legal))
        .filter(|choice| choice.factors.iter().any(|factor| *factor > 1))
        .collect();
    found.sort_by_key(|choice| (choice.cycles, choice.n_banks()));
    found
}

/// Returns the main path of each nest that has one.
fn main_paths(kernel: &Shape) -> Vec<Vec<usize>> {
    let paths = nests(kernel).filter_map(|nest| main_path(kernel, nest));
    paths.collect()
}

fn nests(kernel: &Shape) -> impl Iterator<Item = usize> {
    (0..kernel.loops.len()).filter(|n| kernel.loops[*n].parent.is_none())
}

/// Returns the multiplications and the memory accesses of all runs of an innermost loop.
fn work(kernel: &Shape, number: usize) -> (Exact, Exact) {
    let path = kernel.path(number);
    let trips = Exact::product(path.iter().map(|n| kernel.loops[*n].trip_count));
    let accesses = kernel
        .accesses
        .iter()
        .filter(|access| access.around == Some(number));
    (
        trips.times(kernel.loops[number].n_multiplications),
        trips.times(accesses.count()),
    )
}

/// Returns the innermost loop of a nest with the most multiplications, then the most accesses.
fn busiest(kernel: &Shape, nest: usize) -> Option<usize> {
    (0..kernel.loops.len())
        .filter(|n| kernel.loops[*n].is_innermost && kernel.is_inside(*n, nest))
        .max_by_key(|n| (work(kernel, *n), std::cmp::Reverse(*n)))
}

/// Returns the loops from a nest's outermost one to the innermost one with the most multiplications; `None` if the nest has no
/// multiplications.
fn main_path(kernel: &Shape, nest: usize) -> Option<Vec<usize>> {
    let busiest = busiest(kernel, nest)?;
    let path = kernel.path(busiest);
    let is_open = path.iter().all(|n| !kernel.loops[*n].is_fixed);
    (work(kernel, busiest).0.is_positive() && is_open).then_some(path)
}

/// Returns the factors of the loops of a path whose copies need at most as many multiplications per step as there are
/// multipliers.
fn path_factors(
    kernel: &Shape,
    path: &[usize],
    limit: i64,
    is_legal: &dyn Fn(usize, i64) -> bool,
) -> Vec<Vec<i64>> {
    let innermost = path
        .last()
        .map_or(1, |n| kernel.loops[*n].n_multiplications);
    let mut found = vec![Vec::new()];
    for number in path {
        let known = &kernel.loops[*number];
        let divisors: Vec<i64> = (1..=limit)
            .take_while(|f| Exact::from(*f) <= known.trip_count)
            .filter(|f| *f == 1 || known.is_constant && known.trip_count.is_multiple_of(*f))
            .collect();
        let legal: Vec<i64> = if known.is_innermost {
            divisors
        } else {
            // If a factor is legal, so are all smaller ones.
            divisors
                .into_iter()
                .take_while(|f| *f == 1 || is_legal(*number, *f))
                .collect()
        };
        found = found
            .iter()
            .flat_map(|before| {
                legal.iter().map(move |factor| {
                    let mut all: Vec<i64> = before.clone();
                    all.push(*factor);
                    all
                })
            })
            .filter(|all: &Vec<i64>| Exact::product(all).times(innermost) <= Exact::from(limit))
            .collect();
    }
    found
}

/// Adds the copies of the loops that are not free, the banks and the estimate; `None` if an array needs too many banks.
fn complete(
    kernel: &Shape,
    factors: &[i64],
    free: &[usize],
    limit: i64,
    is_legal: &dyn Fn(usize, i64) -> bool,
) -> Option<Choice> {
    let banks = banks(kernel, factors, free);
    if banks
        .iter()
        .any(|dims| Exact::product(dims) > Exact::from(MAX_BANKS))
    {
        return None;
    }
    let mut factors = factors.to_vec();
    for (number, known) in kernel.loops.iter().enumerate() {
        if free.contains(&number) || known.is_fixed {
            continue;
        }
        let mut wanted = 1;
        for access in &kernel.accesses {
            for (dim, form) in access.dims.iter().enumerate() {
                let uses = form.as_ref().is_some_and(|form| {
                    form.iter()
                        .any(|(n, coefficient)| *n == number && coefficient.abs() == 1)
                });
                if uses {
                    wanted = wanted.max(banks[access.array][dim]);
                }
            }
        }
        let fits = |factor: &i64| {
            known.trip_count.is_positive()
                && (*factor == 1 || known.is_constant && known.trip_count.is_multiple_of(*factor))
                && (*factor == 1 || known.is_innermost || is_legal(number, *factor))
        };
        factors[number] = (1..=wanted)
            .rev()
            .filter(|factor| wanted % factor == 0)
            .find(fits)
            .unwrap_or(1);
    }
    let cycles = cycles(kernel, &factors, Some(&banks), limit);
    Some(Choice {
        factors,
        banks,
        cycles,
        least: cycles,
    })
}

/// Returns cyclic banks for the copies of the free loops: in each dimension, as many as the copies have different indices.
fn banks(kernel: &Shape, factors: &[i64], free: &[usize]) -> Vec<Vec<i64>> {
    let mut banks: Vec<Vec<i64>> = kernel
        .arrays
        .iter()
        .map(|array| vec![1; array.sizes.len()])
        .collect();
    for access in &kernel.accesses {
        let array = &kernel.arrays[access.array];
        if array.is_fixed {
            continue;
        }
        for (dim, form) in access.dims.iter().enumerate() {
            let terms = form.iter().flatten();
            let copies = terms.filter(|(n, _)| free.contains(n));
            let copies = Exact::product(copies.map(|(n, _)| factors[*n]));
            let size = array.sizes[dim];
            let bank = &mut banks[access.array][dim];
            *bank = copies
                .to_i64()
                .map_or(size, |copies| lcm(*bank, copies).min(size));
        }
    }
    banks
}

/// Estimates the cycles of the kernel; without banks, ports do not count.
fn cycles(kernel: &Shape, factors: &[i64], banks: Option<&[Vec<i64>]>, limit: i64) -> Exact {
    let mut total = Exact::ZERO;
    for (number, known) in kernel.loops.iter().enumerate() {
        let path = kernel.path(number);
        let runs = path
            .iter()
            .filter_map(|n| kernel.loops[*n].trip_count.divided_down(factors[*n]));
        let runs = Exact::product(runs);
        let copies = Exact::product(path.iter().map(|n| factors[*n]));
        let units = copies.times(known.n_multiplications).divided_up(limit);
        let units = units.unwrap_or_default();
        let ports = banks.map(|banks| port_cycles(kernel, number, factors, banks));
        let ports = ports.unwrap_or_default();
        let children = (0..kernel.loops.len())
            .filter(|n| kernel.loops[*n].parent == Some(number))
            .count();
        total = total.plus(match (known.is_innermost, children) {
            (true, _) => runs.times(units.max(ports).max(Exact::ONE)),
            // Work that does not fit into a step of the inner loop needs a step of its own.
            (false, 0 | 1) => runs.times(units),
            (false, _) => runs.times(units.plus(WAIT_CYCLES)),
        });
    }
    total
}

/// Returns the cycles that the accesses directly in a loop need at the ports of the busiest array.
fn port_cycles(kernel: &Shape, number: usize, factors: &[i64], banks: &[Vec<i64>]) -> Exact {
    let mut most = Exact::ONE;
    for (array, own) in banks.iter().enumerate() {
        for writes in [false, true] {
            let mut seen: Vec<&str> = Vec::new();
            let mut sum = Exact::ZERO;
            for access in &kernel.accesses {
                let varies = access.dims.iter().any(|form| {
                    form.as_ref()
                        .is_none_or(|f| f.iter().any(|(n, _)| *n == number))
                });
                if access.array != array
                    || access.writes != writes
                    || access.around != Some(number)
                    || !varies
                    || seen.contains(&access.cell.as_str())
                {
                    continue;
                }
                seen.push(&access.cell);
                sum = sum.plus(port_uses(kernel, access, factors, own));
            }
            most = most.max(sum);
        }
    }
    most
}

/// Returns the uses of the busiest bank by the copies of an access. If the array is written, an access that can reach several
/// banks waits for the others.
fn port_uses(kernel: &Shape, access: &AccessShape, factors: &[i64], banks: &[i64]) -> Exact {
    let mut uses = Exact::ONE;
    let path: Vec<usize> = access.around.map_or_else(Vec::new, |n| kernel.path(n));
    for (form, bank) in access.dims.iter().zip(banks) {
        let Some(form) = form else {
            // The index may select any bank for every copy.
            uses = uses.times(Exact::product(path.iter().map(|n| factors[*n])));
            continue;
        };
        let copies = Exact::product(form.iter().map(|(n, _)| factors[*n]));
        let stride = form.iter().fold(*bank, |g, (n, coefficient)| {
            // The gcd only needs the remainder of the jump modulo the bank count.
            let jump = Exact::from(*coefficient).times(factors[*n]);
            let rest = jump.remainder(g.max(1)).and_then(Exact::to_i64);
            gcd(g, rest.unwrap_or_default())
        });
        uses = uses.times(copies.divided_up(stride.max(1)).unwrap_or_default());
        if stride < *bank {
            let is_written = kernel
                .accesses
                .iter()
                .any(|other| other.array == access.array && other.writes);
            uses = uses.times(if is_written { 4 } else { 1 });
        }
    }
    uses
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: i64, b: i64) -> i64 {
    a / gcd(a, b).max(1) * b
}
