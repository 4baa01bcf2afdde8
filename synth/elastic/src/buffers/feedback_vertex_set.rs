//! Computes a cheap feedback vertex set of a graph, which also hits further sets of vertices that the caller supplies.
//!
//! Cycles are generated on demand: for the graph without the chosen vertices, the shortest cycle through each vertex. A cheap set
//! that hits all known cycles is then chosen greedily by cost per cycle, and redundant vertices are removed.
//!
//! Source: Bar-Yehuda, Geiger, Naor, Roth, Approximation algorithms for the feedback vertex set problem, SIAM J. Comput. 1998
//! (reverse deletion). The sets here grow cycle by cycle, as with lazy constraints of integer programs.

use std::collections::VecDeque;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The work limit for one graph, in visited elements of cycles and sets.
const MAX_WORK: usize = 20_000_000;

/// Returns a cheap set of allowed vertices that hits every cycle. Once there are no cycles, `further` returns sets of vertices,
/// of each of which one must be taken as well. A cycle without allowed vertices remains.
///
/// `ways` gives the successors of each vertex. Every vertex of the result is needed: without it, a cycle or a set of `further`
/// would not be hit. In very large graphs the search ends early, and cycles may remain.
pub(super) fn feedback_vertex_set(
    ways: &[Vec<usize>],
    costs: &[f64],
    is_free: &[bool],
    further: &dyn Fn(&[bool]) -> Vec<Vec<usize>>,
) -> Vec<bool> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut taken = vec![false; ways.len()];
    let mut work = 0;
    while work < MAX_WORK {
        let mut found = shortest_cycles(ways, &taken);
        if found.is_empty() {
            found = further(&taken);
        }
        found
            .iter_mut()
            .for_each(|part| part.retain(|i| is_free[*i]));
        found.retain(|part| !part.is_empty());
        if found.is_empty() {
            break;
        }
        parts.extend(found);
        taken = cheapest(&parts, costs, &mut work);
    }
    taken
}

/// Returns whether the vertices that are not taken contain a cycle.
pub(super) fn has_cycle(ways: &[Vec<usize>], taken: &[bool]) -> bool {
    let mut gone = taken.to_vec();
    spare_ends(ways, &mut gone);
    gone.iter().any(|is_gone| !is_gone)
}

/// Returns the taken vertices, and for each whether there would be a cycle without it.
pub(super) fn closing(ways: &[Vec<usize>], taken: &[bool]) -> Vec<(usize, bool)> {
    let is_open = has_cycle(ways, taken);
    // If no cycle exists with the vertex taken, any cycle without it passes through it.
    let mut search = CycleSearch::new(ways, &vec![false; ways.len()]);
    let mut closes = |i: usize| is_open || search.shortest_cycle(taken, i).is_some();
    let all = (0..ways.len()).filter(|i| taken[*i]);
    all.map(|i| (i, closes(i))).collect()
}

/// Returns vertex-disjoint cycles, each the shortest through one of its vertices.
fn shortest_cycles(ways: &[Vec<usize>], taken: &[bool]) -> Vec<Vec<usize>> {
    let mut gone = taken.to_vec();
    spare_ends(ways, &mut gone);
    let mut cycles = Vec::new();
    let mut search = CycleSearch::new(ways, &gone);
    let n_ways: usize = ways.iter().map(Vec::len).sum();
    for start in 0..ways.len() {
        if gone[start] {
            continue;
        }
        // After cycles were removed, the components may no longer be strongly connected.
        if search.n_looks > AGAIN * (n_ways + ways.len()) {
            search = CycleSearch::new(ways, &gone);
        }
        match search.shortest_cycle(&gone, start) {
            Some(cycle) => {
                cycle.iter().for_each(|i| gone[*i] = true);
                cycles.push(cycle);
            }
            None => gone[start] = true,
        }
    }
    cycles
}

/// Removes vertices without successors repeatedly, since no cycle passes through them.
fn spare_ends(ways: &[Vec<usize>], gone: &mut [bool]) {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); ways.len()];
    let mut n_left = vec![0_usize; ways.len()];
    let mut ends = Vec::new();
    for i in (0..ways.len()).filter(|i| !gone[*i]) {
        for to in ways[i].iter().filter(|to| !gone[**to]) {
            into[*to].push(i);
            n_left[i] += 1;
        }
        if n_left[i] == 0 {
            ends.push(i);
        }
    }
    while let Some(end) = ends.pop() {
        gone[end] = true;
        for from in &into[end] {
            n_left[*from] -= 1;
            if n_left[*from] == 0 {
                ends.push(*from);
            }
        }
    }
}

/// Finds cycles, each within a strongly connected component.
struct CycleSearch<'a> {
    ways: &'a [Vec<usize>],
    /// The component of each vertex; `None` if no cycle passes through it.
    component: Vec<Option<usize>>,
    /// The predecessor of each vertex, and the search in which it was reached.
    before: Vec<(usize, usize)>,
    n_searches: usize,
    /// Number of visited edges.
    n_looks: usize,
}

/// The components are recomputed after visiting this many times the size of the graph.
const AGAIN: usize = 8;

impl<'a> CycleSearch<'a> {
    fn new(ways: &'a [Vec<usize>], gone: &[bool]) -> Self {
        let mut graph = DiGraph::<(), ()>::new();
        for _ in ways {
            graph.add_node(());
        }
        for (from, all) in ways.iter().enumerate().filter(|(from, _)| !gone[*from]) {
            for to in all.iter().filter(|to| !gone[**to]) {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(*to), ());
            }
        }
        let mut component = vec![None; ways.len()];
        for (number, members) in kosaraju_scc(&graph).into_iter().enumerate() {
            let first = members[0];
            if members.len() > 1 || graph.contains_edge(first, first) {
                members
                    .iter()
                    .for_each(|i| component[i.index()] = Some(number));
            }
        }
        Self {
            ways,
            component,
            before: vec![(0, 0); ways.len()],
            n_searches: 0,
            n_looks: 0,
        }
    }

    /// Returns the shortest cycle through a vertex and other vertices that are not removed. Vertices that were removed when the
    /// components were computed must still be removed.
    fn shortest_cycle(&mut self, gone: &[bool], start: usize) -> Option<Vec<usize>> {
        let component = self.component[start]?;
        self.n_searches += 1;
        let search = self.n_searches;
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            for to in &self.ways[at] {
                self.n_looks += 1;
                if *to == start {
                    let mut cycle = vec![at];
                    let mut last = at;
                    while last != start {
                        last = self.before[last].0;
                        cycle.push(last);
                    }
                    return Some(cycle);
                }
                let is_inside = self.component[*to] == Some(component);
                if is_inside && !gone[*to] && self.before[*to].1 != search {
                    self.before[*to] = (at, search);
                    open.push_back(*to);
                }
            }
        }
        None
    }
}

/// Returns a cheap set that hits all cycles.
fn cheapest(cycles: &[Vec<usize>], costs: &[f64], work: &mut usize) -> Vec<bool> {
    let mut taken = vec![false; costs.len()];
    let mut of: Vec<Vec<usize>> = vec![Vec::new(); costs.len()];
    for (number, cycle) in cycles.iter().enumerate() {
        for i in cycle {
            of[*i].push(number);
        }
    }
    let mut n_taken = vec![0_u32; cycles.len()];
    let mut in_order: Vec<usize> = Vec::new();
    let n_parts: usize = cycles.iter().map(Vec::len).sum();
    loop {
        *work += n_parts + costs.len();
        let worth = |i: usize| {
            let n_open = of[i].iter().filter(|cycle| n_taken[**cycle] == 0).count();
            u32::try_from(n_open).map_or(f64::INFINITY, f64::from) / costs[i]
        };
        let all = (0..costs.len()).filter(|i| !taken[*i] && !of[*i].is_empty());
        let best = all.map(|i| (i, worth(i))).filter(|(_, worth)| *worth > 0.0);
        let Some((best, _)) = best.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
            break;
        };
        taken[best] = true;
        in_order.push(best);
        of[best].iter().for_each(|cycle| n_taken[*cycle] += 1);
    }
    in_order.sort_by(|a, b| costs[*b].total_cmp(&costs[*a]).then(a.cmp(b)));
    for i in in_order {
        if of[i].iter().all(|cycle| n_taken[*cycle] > 1) {
            taken[i] = false;
            of[i].iter().for_each(|cycle| n_taken[*cycle] -= 1);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::{feedback_vertex_set, has_cycle};

    fn cost(costs: &[f64], taken: &[bool]) -> f64 {
        let all = costs.iter().zip(taken);
        all.filter(|(_, is_taken)| **is_taken)
            .map(|(cost, _)| cost)
            .sum()
    }

    #[test]
    fn feedback_vertex_sets_of_random_graphs_hit_all_cycles_and_cost_little_more_than_the_cheapest()
    {
        let mut state = 11_u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % n
        };
        let n_vertices = 9;
        let (mut sum, mut min_sum) = (0.0, 0.0);
        for case in 0..200 {
            let ways: Vec<Vec<usize>> = (0..n_vertices)
                .map(|_| (0..n_vertices).filter(|_| below(5) == 0).collect())
                .collect();
            let costs: Vec<f64> = (0..n_vertices)
                .map(|_| f64::from(u32::try_from(1 + below(20)).expect("small")))
                .collect();
            let is_free = vec![true; n_vertices];
            let taken = feedback_vertex_set(&ways, &costs, &is_free, &|_| Vec::new());
            assert!(!has_cycle(&ways, &taken), "case {case}: {ways:?}");
            for i in (0..n_vertices).filter(|i| taken[*i]) {
                let mut fewer = taken.clone();
                fewer[i] = false;
                assert!(has_cycle(&ways, &fewer), "case {case}: {i} of {ways:?}");
            }
            let sets = (0..1_u32 << n_vertices)
                .map(|set| -> Vec<bool> { (0..n_vertices).map(|i| set >> i & 1 == 1).collect() });
            let closing = sets.filter(|set| !has_cycle(&ways, set));
            let least = closing.map(|set| cost(&costs, &set));
            min_sum += least.fold(f64::INFINITY, f64::min);
            sum += cost(&costs, &taken);
        }
        assert!(sum <= 1.1 * min_sum, "{sum} bits for {min_sum}");
    }

    #[test]
    fn vertices_that_may_not_be_taken_are_not() {
        let ways = [vec![1], vec![2], vec![0], vec![3]];
        let taken = feedback_vertex_set(&ways, &[1.0; 4], &[false, false, true, false], &|_| {
            Vec::new()
        });
        assert_eq!(taken, [false, false, true, false]);
    }

    #[test]
    fn sets_of_the_caller_are_hit_as_well() {
        let ways = [vec![1], vec![0], vec![0]];
        let further = |taken: &[bool]| match taken[2] {
            true => Vec::new(),
            false => vec![vec![2]],
        };
        let taken = feedback_vertex_set(&ways, &[2.0, 1.0, 1.0], &[true; 3], &further);
        assert_eq!(taken, [false, true, true]);
    }
}
