//! Technology mapping, second step: covers the gates with look-up tables and finds the critical path.
//!
//! Source: A. Mishchenko et al., "Combinational and sequential mapping with priority cuts", ICCAD 2007 (a few cuts per node,
//! selected first by depth, then by area flow within the required time). Differs: there is no exact local area, and blocks have
//! delays of their own.

use super::Technology;
use super::build::Circuit;
use super::network::{Block, Network, Node, NodeId, Signal};

/// Maximum number of inputs of a cut.
const MAX_INPUTS: usize = 8;
/// Number of cuts kept for each node.
const N_CUTS: usize = 6;
/// Number of area recovery passes.
const N_AREA_PASSES: usize = 3;
/// The arrival time of a node that no path from a register reaches.
const NEVER: f64 = f64::NEG_INFINITY;

/// The cells and the critical path of a covered circuit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cover {
    pub(crate) n_lut: f64,
    pub(crate) n_chains: u32,
    pub(crate) n_chain_bits: u32,
    pub(crate) n_flops: u32,
    pub n_products: u32,
    /// Delay in ns from the clock edge to the end of the critical path, without clock-to-output and setup times of registers.
    pub path_ns: f64,
    /// The register at the end of the path, if it ends at one, and the source at its start.
    pub path: Option<(Option<usize>, NodeId)>,
}

#[derive(Clone, Copy, Debug)]
struct Cut {
    leaves: [NodeId; MAX_INPUTS],
    n: u32,
    arrival: f64,
    flow: f64,
}

impl Cut {
    fn leaves(&self) -> &[NodeId] {
        &self.leaves[..at(self.n)]
    }

    /// Returns the union of two sorted cuts, or `None` if it has more than `most` leaves.
    fn join(&self, other: &Self, most: u32) -> Option<Self> {
        let mut out = Self {
            leaves: [0; MAX_INPUTS],
            n: 0,
            arrival: 0.0,
            flow: 0.0,
        };
        let (mut i, mut j) = (0, 0);
        while i < at(self.n) || j < at(other.n) {
            let next = match (self.leaves().get(i), other.leaves().get(j)) {
                (Some(a), Some(b)) if a < b => {
                    i += 1;
                    *a
                }
                (Some(a), Some(b)) => {
                    j += 1;
                    i += usize::from(a == b);
                    *b
                }
                (Some(a), None) => {
                    i += 1;
                    *a
                }
                (None, Some(b)) => {
                    j += 1;
                    *b
                }
                (None, None) => break,
            };
            if out.n == most {
                return None;
            }
            out.leaves[at(out.n)] = next;
            out.n += 1;
        }
        Some(out)
    }
}

fn at(node: NodeId) -> usize {
    usize::try_from(node).expect("a number of 32 bits is an index")
}

struct Coverer<'a> {
    network: &'a Network,
    technology: &'a Technology,
    live: Vec<bool>,
    cuts: Vec<Vec<Cut>>,
    arrival: Vec<f64>,
    flow: Vec<f64>,
    fanout: Vec<f64>,
    required: Vec<f64>,
    used: Vec<bool>,
    /// Number of bits of each chain that are needed.
    lengths: Vec<usize>,
    /// True for delays after placement, false for the delays that a synthesis tool assumes.
    is_placed: bool,
}

/// Covers a circuit with look-up tables.
pub fn cover(circuit: &Circuit, technology: &Technology) -> Cover {
    let network = &circuit.network;
    let n = network.nodes.len();
    let mut coverer = Coverer {
        network,
        technology,
        live: vec![false; n],
        cuts: vec![Vec::new(); n],
        arrival: vec![NEVER; n],
        flow: vec![0.0; n],
        fanout: vec![1.0; n],
        required: vec![f64::INFINITY; n],
        used: vec![false; n],
        lengths: vec![0; network.blocks.len()],
        is_placed: false,
    };
    let roots = coverer.find_live(circuit);
    coverer.set_sources(circuit);
    coverer.count_readers(&roots);
    coverer.enumerate();
    coverer.choose_cuts(false);
    for _ in 0..N_AREA_PASSES {
        coverer.require(&roots);
        coverer.choose_cuts(true);
    }
    coverer.require(&roots);
    coverer.result(circuit, &roots)
}

impl Coverer<'_> {
    /// Marks the nodes that outputs and memories need, also through registers. Returns the signals that must exist as outputs of
    /// cells.
    fn find_live(&mut self, circuit: &Circuit) -> Vec<Signal> {
        let mut flop_of = vec![None; self.network.nodes.len()];
        for (i, flop) in circuit.flops.iter().enumerate() {
            flop_of[at(flop.output)] = Some(i);
        }
        let mut roots: Vec<Signal> = Vec::new();
        roots.extend(&circuit.outputs);
        roots.extend(&circuit.memory_inputs);
        let mut open: Vec<NodeId> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = open.pop() {
            if let Node::Result(number, bit) = self.network.nodes[at(node)]
                && let Block::Chain(pairs) = &self.network.blocks[at(number)]
            {
                let wanted = (at(bit) + 1).min(pairs.len());
                let from = self.lengths[at(number)];
                if wanted > from {
                    self.lengths[at(number)] = wanted;
                    open.extend(pairs[from..wanted].iter().flatten().map(|s| s.node()));
                }
            }
            if std::mem::replace(&mut self.live[at(node)], true) {
                continue;
            }
            match self.network.nodes[at(node)] {
                Node::Source => {
                    if let Some(flop) = flop_of[at(node)].map(|i| &circuit.flops[i]) {
                        for signal in [flop.next, flop.enable, flop.reset] {
                            roots.push(signal);
                            open.push(signal.node());
                        }
                    }
                }
                Node::Result(number, _) => {
                    if let Block::Product(operands) = &self.network.blocks[at(number)] {
                        open.extend(operands.iter().map(|signal| signal.node()));
                    }
                }
                gate => open.extend(gate.operands().map(Signal::node)),
            }
        }
        for (number, block) in self.network.blocks.iter().enumerate() {
            match block {
                Block::Chain(pairs) => {
                    roots.extend(pairs[..self.lengths[number]].iter().flatten());
                }
                Block::Product(operands) => {
                    let first = at(self.network.first_results[number]);
                    if self.live_results(number, first) {
                        roots.extend(operands);
                    }
                }
            }
        }
        roots
    }

    fn live_results(&self, number: usize, first: usize) -> bool {
        (first..self.network.nodes.len())
            .take_while(|node| {
                matches!(self.network.nodes[*node], Node::Result(block, _) if at(block) == number)
            })
            .any(|node| self.live[node])
    }

    /// Sets the arrival times of sources. Paths from inputs count in synthesis; after placement only paths from registers and
    /// memories count.
    fn set_sources(&mut self, circuit: &Circuit) {
        let outside = if self.is_placed { NEVER } else { 0.0 };
        for (time, node) in self.arrival.iter_mut().zip(&self.network.nodes) {
            if *node == Node::Source {
                *time = outside;
            }
        }
        for flop in &circuit.flops {
            self.arrival[at(flop.output)] = 0.0;
        }
        for node in &circuit.memory_outputs {
            self.arrival[at(*node)] = if self.is_placed {
                self.technology.memory_output_ns
            } else {
                0.0
            };
        }
        self.arrival[0] = NEVER;
    }

    fn count_readers(&mut self, roots: &[Signal]) {
        let mut readers = vec![0.0_f64; self.network.nodes.len()];
        for (id, node) in self.network.nodes.iter().enumerate() {
            if self.live[id] {
                for signal in node.operands() {
                    readers[at(signal.node())] += 1.0;
                }
            }
        }
        for root in roots {
            readers[at(root.node())] += 1.0;
        }
        self.fanout = readers.into_iter().map(|n| n.max(1.0)).collect();
    }

    fn enumerate(&mut self) {
        let most = self.technology.widest_lut();
        for id in 0..self.network.nodes.len() {
            // Known limitation: if the first result of a block is not read, as in a comparison, its results count as available
            // immediately while cuts are chosen. With the correct times, single minima are estimated correctly. But the 90th
            // percentile of the error in look-up tables on held-out kernels grows from 16 % to 31 %: too many wide functions are
            // chosen elsewhere.
            if !self.live[id] {
                continue;
            }
            let node = self.network.nodes[id];
            let own = u32::try_from(id).expect("ids have 32 bits");
            let mut found: Vec<Cut> = Vec::new();
            let mut operands = node.operands();
            if let Some(first) = operands.next() {
                found.clone_from(&self.cuts[at(first.node())]);
                for operand in operands {
                    let mut joined: Vec<Cut> = Vec::new();
                    for left in &found {
                        for right in &self.cuts[at(operand.node())] {
                            if let Some(cut) = left.join(right, most)
                                && !joined.iter().any(|known| known.leaves() == cut.leaves())
                            {
                                joined.push(cut);
                            }
                        }
                    }
                    found = joined;
                }
                for cut in &mut found {
                    self.time(cut);
                }
                found.sort_by(|a, b| {
                    a.arrival
                        .total_cmp(&b.arrival)
                        .then(a.flow.total_cmp(&b.flow))
                        .then(a.leaves().cmp(b.leaves()))
                });
                // Keep the fastest cuts in one half and the smallest cuts in the other.
                let mut kept: Vec<Cut> = found.iter().take(N_CUTS / 2).copied().collect();
                found.sort_by(|a, b| {
                    a.flow
                        .total_cmp(&b.flow)
                        .then(a.arrival.total_cmp(&b.arrival))
                        .then(a.leaves().cmp(b.leaves()))
                });
                for cut in &found {
                    if kept.len() >= N_CUTS {
                        break;
                    }
                    if !kept.iter().any(|known| known.leaves() == cut.leaves()) {
                        kept.push(*cut);
                    }
                }
                found = kept;
                if let Some(best) = found.iter().min_by(|a, b| {
                    a.arrival
                        .total_cmp(&b.arrival)
                        .then(a.flow.total_cmp(&b.flow))
                }) {
                    self.arrival[id] = best.arrival;
                }
                if let Some(least) = found.iter().map(|cut| cut.flow).min_by(f64::total_cmp) {
                    self.flow[id] = least / self.fanout[id];
                }
            } else {
                self.time_result(node);
            }
            // Each node has a trivial cut, itself, for the cuts of its readers. It comes last, so that `choose` can skip it.
            let mut leaves = [0; MAX_INPUTS];
            leaves[0] = own;
            found.push(Cut {
                leaves,
                n: u32::from(id != 0),
                arrival: self.arrival[id],
                flow: self.flow[id],
            });
            self.cuts[id] = found;
        }
    }

    fn time(&self, cut: &mut Cut) {
        let mapping = &self.technology.mapping;
        let mut flow = mapping.cells_of_lut(cut.n);
        let mut times = [NEVER; MAX_INPUTS];
        for (time, leaf) in times.iter_mut().zip(cut.leaves()) {
            *time = self.arrival[at(*leaf)] + self.wire(*leaf);
            flow += self.flow[at(*leaf)];
        }
        let times = &mut times[..at(cut.n)];
        // The latest input uses the fastest pin.
        times.sort_by(|a, b| b.total_cmp(a));
        cut.arrival = times
            .iter()
            .zip(0_u32..)
            .map(|(time, pin)| time + mapping.pin_ns(cut.n, pin))
            .fold(NEVER, f64::max);
        cut.flow = flow;
    }

    fn wire(&self, from: NodeId) -> f64 {
        if !self.is_placed {
            return self.technology.mapping.lut_delay_ns;
        }
        self.technology.mapping.wire_ns(self.fanout[at(from)])
    }

    fn at_input(&self, signal: Signal) -> f64 {
        if signal.is_constant() {
            return NEVER;
        }
        self.arrival[at(signal.node())] + self.wire(signal.node())
    }

    /// Sets the arrival times of all results of a block when its first result is visited.
    fn time_result(&mut self, node: Node) {
        let Node::Result(number, 0) = node else {
            return;
        };
        let first = at(self.network.first_results[at(number)]);
        let technology = self.technology;
        match &self.network.blocks[at(number)] {
            Block::Chain(pairs) => {
                let mut carry = NEVER;
                for (bit, pair) in pairs.iter().enumerate() {
                    let input = self.at_input(pair[0]).max(self.at_input(pair[1]));
                    let sum = input.max(carry) + technology.mapping.chain_output_delay_ns;
                    carry = (carry + technology.mapping.carry_delay_ns)
                        .max(input + technology.mapping.chain_input_delay_ns);
                    if first + bit < self.arrival.len() {
                        self.set_result(number, first + bit, sum);
                    }
                }
                let last = first + pairs.len();
                self.set_result(
                    number,
                    last,
                    carry + technology.mapping.chain_output_delay_ns,
                );
            }
            Block::Product(operands) => {
                // A synthesis tool does not model the delay of the block.
                let own = if self.is_placed {
                    technology.mapping.multiplier_delay_ns
                } else {
                    NEVER
                };
                let input = operands
                    .iter()
                    .map(|operand| self.at_input(*operand))
                    .fold(NEVER, f64::max);
                let mut result = first;
                while self.set_result(number, result, (input + own).max(0.0)) {
                    result += 1;
                }
            }
        }
    }

    fn set_result(&mut self, number: u32, id: usize, arrival: f64) -> bool {
        let is_result =
            matches!(self.network.nodes.get(id), Some(Node::Result(block, _)) if *block == number);
        if is_result {
            self.arrival[id] = arrival;
        }
        is_result
    }

    /// Moves the best cut of each node to the front: the fastest or, if `by_area`, the smallest that meets the required time.
    fn choose_cuts(&mut self, by_area: bool) {
        for id in 0..self.network.nodes.len() {
            if !self.live[id] {
                continue;
            }
            if self.cuts[id].len() < 2 {
                self.time_result(self.network.nodes[id]);
                continue;
            }
            let mut cuts = std::mem::take(&mut self.cuts[id]);
            let n = cuts.len() - 1;
            for cut in &mut cuts[..n] {
                self.time(cut);
            }
            let required = self.required[id];
            let late = |cut: &Cut| by_area && cut.arrival > required + 1e-9;
            let best = (0..n).min_by(|a, b| {
                let (a, b) = (&cuts[*a], &cuts[*b]);
                let order = late(a).cmp(&late(b));
                if by_area && !late(a) && !late(b) {
                    a.flow
                        .total_cmp(&b.flow)
                        .then(a.arrival.total_cmp(&b.arrival))
                } else {
                    order
                        .then(a.arrival.total_cmp(&b.arrival))
                        .then(a.flow.total_cmp(&b.flow))
                }
            });
            if let Some(best) = best {
                cuts.swap(0, best);
                self.arrival[id] = cuts[0].arrival;
                self.flow[id] = cuts[0].flow / self.fanout[id];
            }
            self.cuts[id] = cuts;
        }
    }

    /// Recomputes the arrival times of the chosen cover.
    fn retime(&mut self) {
        for id in 0..self.network.nodes.len() {
            if self.cuts[id].len() < 2 {
                self.time_result(self.network.nodes[id]);
                continue;
            }
            let mut cut = self.cuts[id][0];
            self.time(&mut cut);
            self.arrival[id] = cut.arrival;
        }
    }

    /// Computes which nodes are look-up tables, their fanouts and their required times.
    fn require(&mut self, roots: &[Signal]) {
        let n = self.network.nodes.len();
        self.required = vec![f64::INFINITY; n];
        self.used = vec![false; n];
        let mut readers = vec![0.0_f64; n];
        let latest = roots
            .iter()
            .map(|root| self.arrival[at(root.node())])
            .fold(0.0, f64::max);
        for root in roots {
            let node = at(root.node());
            self.used[node] = true;
            self.required[node] = self.required[node].min(latest);
            readers[node] += 1.0;
        }
        for id in (0..n).rev() {
            if !self.live[id] {
                continue;
            }
            if let Node::Result(number, 0) = self.network.nodes[id] {
                self.require_block(number);
            }
            if !self.used[id] || self.cuts[id].len() < 2 {
                continue;
            }
            let cut = self.cuts[id][0];
            for leaf in cut.leaves() {
                let wire = self.wire(*leaf);
                let time = self.arrival[at(*leaf)] + wire;
                let pin = cut
                    .leaves()
                    .iter()
                    .filter(|other| self.arrival[at(**other)] + self.wire(**other) > time)
                    .count();
                let pin = u32::try_from(pin).expect("a cut is narrow");
                let needed = self.required[id] - self.technology.mapping.pin_ns(cut.n, pin) - wire;
                let leaf = at(*leaf);
                self.used[leaf] = true;
                self.required[leaf] = self.required[leaf].min(needed);
                readers[leaf] += 1.0;
            }
        }
        for (known, now) in self.fanout.iter_mut().zip(readers) {
            *known = (*known + 2.0 * now.max(1.0)) / 3.0;
        }
    }

    fn require_block(&mut self, number: u32) {
        let first = at(self.network.first_results[at(number)]);
        let technology = self.technology;
        let result = |this: &Self, bit: usize| match this.network.nodes.get(first + bit) {
            Some(Node::Result(block, _)) if *block == number => this.required[first + bit],
            _ => f64::INFINITY,
        };
        let mut wanted: Vec<(Signal, f64)> = Vec::new();
        match &self.network.blocks[at(number)] {
            Block::Chain(pairs) => {
                let mut carry =
                    result(self, pairs.len()) - technology.mapping.chain_output_delay_ns;
                for (bit, pair) in pairs.iter().enumerate().rev() {
                    let sum = result(self, bit) - technology.mapping.chain_output_delay_ns;
                    let input = sum.min(carry - technology.mapping.chain_input_delay_ns);
                    carry = sum.min(carry - technology.mapping.carry_delay_ns);
                    wanted.extend(pair.map(|signal| (signal, input)));
                }
            }
            Block::Product(operands) => {
                // In synthesis, paths end at a multiplier block.
                let least = f64::INFINITY;
                wanted.extend(operands.iter().map(|signal| (*signal, least)));
            }
        }
        for (signal, needed) in wanted {
            let needed = needed - self.wire(signal.node());
            let node = at(signal.node());
            self.required[node] = self.required[node].min(needed);
        }
    }

    fn result(mut self, circuit: &Circuit, roots: &[Signal]) -> Cover {
        self.is_placed = true;
        self.set_sources(circuit);
        self.retime();
        let mut cover = Cover::default();
        for id in 0..self.network.nodes.len() {
            if self.live[id] && self.used[id] && self.cuts[id].len() >= 2 {
                cover.n_lut += self.technology.mapping.cells_of_lut(self.cuts[id][0].n);
            }
        }
        // The complement of a signal that is not the output of a look-up table needs an inverter, unless its readers can invert
        // it.
        let mut inverted: Vec<NodeId> = roots
            .iter()
            .filter(|root| root.inverted() && !root.is_constant())
            .filter(|root| {
                self.network.nodes[at(root.node())]
                    .operands()
                    .next()
                    .is_none()
            })
            .map(|root| root.node())
            .collect();
        inverted.sort_unstable();
        inverted.dedup();
        let free = self.free_complements(circuit);
        cover.n_lut += f64::from(
            u32::try_from(inverted.iter().filter(|node| !free[at(**node)]).count())
                .unwrap_or(u32::MAX),
        );
        let step = at(self.technology.mapping.chain_step_bits);
        for length in &self.lengths {
            if *length > 0 {
                cover.n_chains += 1;
                cover.n_chain_bits +=
                    u32::try_from(length.next_multiple_of(step)).unwrap_or(u32::MAX);
            }
        }
        let (path_ns, end) = self.longest(circuit);
        cover.path_ns = path_ns;
        cover.path = end.map(|(register, node)| (register, self.begin_of(node)));
        for flop in &circuit.flops {
            cover.n_flops += u32::from(self.live[at(flop.output)]);
        }
        for (number, block) in self.network.blocks.iter().enumerate() {
            let first = at(self.network.first_results[number]);
            let is_product = matches!(block, Block::Product(_));
            cover.n_products += u32::from(is_product && self.live_results(number, first));
        }
        cover
    }

    /// Marks nodes whose complement needs no inverter: only enables, resets and, if `chains_invert`, carry chains read it.
    fn free_complements(&self, circuit: &Circuit) -> Vec<bool> {
        let mut free = vec![true; self.network.nodes.len()];
        let mut cost = |signal: &Signal| {
            if signal.inverted() {
                free[at(signal.node())] = false;
            }
        };
        if !self.technology.mapping.chains_invert {
            for (number, block) in self.network.blocks.iter().enumerate() {
                let first = at(self.network.first_results[number]);
                if let Block::Chain(pairs) = block
                    && self.live_results(number, first)
                {
                    pairs.iter().flatten().for_each(&mut cost);
                }
            }
        }
        circuit.outputs.iter().for_each(&mut cost);
        circuit.memory_inputs.iter().for_each(&mut cost);
        for flop in &circuit.flops {
            if self.live[at(flop.output)] {
                cost(&flop.next);
            }
        }
        for (number, block) in self.network.blocks.iter().enumerate() {
            if let Block::Product(operands) = block
                && self.live_results(number, at(self.network.first_results[number]))
            {
                operands.iter().for_each(&mut cost);
            }
        }
        free
    }

    /// Returns the delay of the longest path to a register or memory, with its end.
    fn longest(&self, circuit: &Circuit) -> (f64, Option<(Option<usize>, NodeId)>) {
        let mut longest = (0.0, None);
        let mut end = |register: Option<usize>, signal: Signal, own: f64| {
            if signal.is_constant() {
                return;
            }
            let time = self.arrival[at(signal.node())] + own;
            if time > longest.0 {
                longest = (time, Some((register, signal.node())));
            }
        };
        for flop in &circuit.flops {
            if !self.live[at(flop.output)] {
                continue;
            }
            // A look-up table or carry chain is placed next to its register. Any other driver needs a wire.
            let beside = self.network.nodes[at(flop.next.node())]
                .operands()
                .next()
                .is_some()
                || matches!(self.network.nodes[at(flop.next.node())], Node::Result(block, _)
                    if matches!(self.network.blocks[at(block)], Block::Chain(_)));
            let last = if beside {
                0.0
            } else {
                self.technology.mapping.last_wire_delay_ns
            };
            end(Some(flop.register), flop.next, last);
            for signal in [flop.enable, flop.reset] {
                end(Some(flop.register), signal, self.wire(signal.node()));
            }
        }
        for signal in &circuit.memory_inputs {
            if !circuit.memories.is_empty() {
                end(
                    None,
                    *signal,
                    self.wire(signal.node()) + self.technology.memory_input_ns,
                );
            }
        }
        longest
    }

    /// Returns the source at which the longest path to a node begins.
    fn begin_of(&self, end: NodeId) -> NodeId {
        let mut node = end;
        loop {
            let reads: Vec<NodeId> = match self.network.nodes[at(node)] {
                Node::Constant | Node::Source => return node,
                Node::Result(number, bit) => match &self.network.blocks[at(number)] {
                    Block::Chain(pairs) => pairs
                        .iter()
                        .take(at(bit) + 1)
                        .flatten()
                        .filter(|signal| !signal.is_constant())
                        .map(|signal| signal.node())
                        .collect(),
                    Block::Product(operands) => operands.iter().map(|s| s.node()).collect(),
                },
                _ => self.cuts[at(node)][0].leaves().to_vec(),
            };
            let before = |node: &NodeId| self.arrival[at(*node)] + self.wire(*node);
            match reads
                .iter()
                .max_by(|a, b| before(a).total_cmp(&before(b)).then(b.cmp(a)))
            {
                Some(next) => node = *next,
                None => return node,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Flop;
    use sluice_oplib::device::Device;

    /// Builds a circuit with one register per input, and one register for the result of `make`.
    fn between_registers(
        n_inputs: usize,
        make: impl Fn(&mut Network, &[Signal]) -> Signal,
    ) -> Circuit {
        let mut network = Network::new();
        let inputs: Vec<Signal> = (0..n_inputs).map(|_| network.source()).collect();
        let result = network.source();
        let next = make(&mut network, &inputs);
        let flop = |register: usize, output: Signal, next| Flop {
            register,
            bit: 0,
            output: output.node(),
            next,
            enable: Signal::TRUE,
            reset: Signal::FALSE,
        };
        let outside: Vec<Signal> = (0..n_inputs).map(|_| network.source()).collect();
        let mut flops: Vec<Flop> = inputs
            .iter()
            .zip(&outside)
            .enumerate()
            .map(|(i, (output, next))| flop(i, *output, *next))
            .collect();
        flops.push(flop(n_inputs, result, next));
        Circuit {
            network,
            flops,
            outputs: vec![result],
            memory_inputs: Vec::new(),
            memory_outputs: Vec::new(),
            memories: Vec::new(),
        }
    }

    fn covered(circuit: &Circuit, device: &str) -> Cover {
        let device = Device::built_in(device).expect("it is listed");
        cover(circuit, &Technology::of(&device))
    }

    #[test]
    fn gates_share_tables() {
        let six = between_registers(6, |network, inputs| network.all(inputs));
        assert_eq!(covered(&six, "generic").n_lut, 1.0);
        let four = between_registers(4, |network, inputs| network.any(inputs));
        let found = covered(&four, "ecp5");
        assert_eq!((found.n_lut, found.n_flops), (1.0, 5));
        assert!(found.path_ns > 0.0 && found.path.is_some());
    }

    #[test]
    fn what_nothing_reads_is_not_there() {
        let unread = between_registers(4, |network, inputs| {
            network.all(inputs);
            inputs[0]
        });
        let found = covered(&unread, "ecp5");
        assert_eq!((found.n_lut, found.n_flops), (0.0, 2));
    }

    #[test]
    fn a_chain_is_as_long_as_the_bits_that_are_read() {
        let sum = between_registers(8, |network, inputs| {
            let pairs = inputs.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
            network.block(Block::Chain(pairs), 4)[1]
        });
        let found = covered(&sum, "ecp5");
        assert_eq!(
            (found.n_chains, found.n_chain_bits, found.n_flops),
            (1, 2, 5)
        );
    }
}
