//! Runs circuits with stream ports under random traffic; records the transferred tokens and their cycles, and checks the
//! handshake protocol.
//!
//! A token that is offered must stay offered until it is taken, and an offer must not depend on `ready`. Both rules are checked
//! in every cycle.

use std::collections::BTreeMap;

use sluice_dialects::hw::{Direction, module_ports};
use sluice_ir::bits::Bits;
use sluice_ir::{Context, Module, View};
use sluice_sim::cycle::CycleSimulator;

/// The number of a port and its width in bits.
type Place = (usize, u32);

/// Random numbers. Source: G. Marsaglia, Xorshift RNGs, 2003.
pub struct Random(u64);

impl Random {
    /// Creates a generator whose numbers depend only on the seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `n`, which is at least 1.
    pub fn below(&mut self, n: u64) -> u64 {
        (self.number() >> 11) % n
    }

    /// Returns true in `of_16` of 16 cases.
    fn happens(&mut self, of_16: u64) -> bool {
        self.below(16) < of_16
    }
}

/// A token that was transferred: the cycle in which it was taken, and its data, or 0 if it has none.
pub type Token = (u64, u64);

/// The pace of the environment, in 16ths of the cycles; and the seed of the random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// How often an available token is offered.
    pub offer: u64,
    /// How often an output is ready.
    pub take: u64,
    /// Seed.
    pub seed: u64,
}

impl Traffic {
    /// Every token is offered and taken at once.
    pub const EAGER: Self = Self {
        offer: 16,
        take: 16,
        seed: 0,
    };
}

/// The tokens that were transferred.
#[derive(Debug, Default)]
pub struct Seen {
    /// For each input, the tokens that were taken from it.
    pub taken: BTreeMap<String, Vec<Token>>,
    /// For each output, the tokens that it gave.
    pub given: BTreeMap<String, Vec<Token>>,
    /// For each memory, the contents at the end.
    pub memories: BTreeMap<String, Vec<u64>>,
}

impl Seen {
    /// Returns the data of the tokens of an output.
    pub fn data(&self, output: &str) -> Vec<u64> {
        self.given[output].iter().map(|(_, data)| *data).collect()
    }
}

/// A channel at the boundary, with the numbers of its ports.
struct Channel {
    name: String,
    valid: usize,
    ready: usize,
    data: Option<usize>,
    width_bits: u32,
}

/// An outside memory, with the numbers of its ports.
struct Outside {
    name: String,
    read: Option<[usize; 3]>,
    write: Option<[usize; 3]>,
    width_bits: u32,
}

/// The circuit of a function with stream ports.
pub struct Streams {
    simulator: CycleSimulator,
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
    memories: Vec<Outside>,
    reset: usize,
}

impl Streams {
    /// Creates the circuit of `top`.
    ///
    /// # Errors
    /// The reason why it cannot be simulated.
    pub fn new(context: &Context, circuits: &Module, top: &str) -> Result<Self, String> {
        let simulator = CycleSimulator::new(context, circuits, top);
        let simulator = simulator.map_err(|errors| errors.to_text(context))?;
        let op = circuits
            .lookup_symbol(context, top)
            .ok_or("no such module")?;
        let ports = module_ports(View::new(context, circuits.inner(), op));
        let find = |name: &str, direction: Direction| {
            let port = ports.iter().find(|port| port.name == name)?;
            (port.direction == direction).then_some(())?;
            let place = match direction {
                Direction::Input => simulator.input_index(name),
                Direction::Output | Direction::InOut => simulator.output_index(name),
            };
            Some((place?, port.ty.integer_width_bits(context).unwrap_or(0)))
        };
        let mut made = Self {
            inputs: Vec::new(),
            outputs: Vec::new(),
            memories: Vec::new(),
            reset: find("reset", Direction::Input).ok_or("no reset")?.0,
            simulator: CycleSimulator::new(context, circuits, top)
                .map_err(|errors| errors.to_text(context))?,
        };
        let mut prefixes: Vec<&str> = Vec::new();
        for port in &ports {
            let suffixes = ["_valid", "_raddr", "_waddr"];
            let mut found = suffixes.iter().filter_map(|s| port.name.strip_suffix(s));
            if let Some(prefix) = found.next().filter(|prefix| !prefixes.contains(prefix)) {
                prefixes.push(prefix);
            }
        }
        for name in prefixes {
            let port = |suffix: &str, direction| find(&format!("{name}{suffix}"), direction);
            for (direction, back) in [
                (Direction::Input, Direction::Output),
                (Direction::Output, Direction::Input),
            ] {
                let (valid, ready) = (port("_valid", direction), port("_ready", back));
                if let (Some((valid, _)), Some((ready, _))) = (valid, ready) {
                    let data = port("", direction);
                    let channel = Channel {
                        name: name.to_owned(),
                        valid,
                        ready,
                        data: data.map(|(place, _)| place),
                        width_bits: data.map_or(0, |(_, width_bits)| width_bits),
                    };
                    match direction {
                        Direction::Input => made.inputs.push(channel),
                        Direction::Output | Direction::InOut => made.outputs.push(channel),
                    }
                }
            }
            let output = |suffix| port(suffix, Direction::Output);
            let read = output("_raddr").zip(output("_ren"));
            let read = read.zip(port("_rdata", Direction::Input));
            let write = output("_waddr").zip(output("_wen")).zip(output("_wdata"));
            if read.is_some() || write.is_some() {
                let width = read.or(write).map_or(0, |(_, (_, width))| width);
                let places = |((a, b), c): ((Place, Place), Place)| [a.0, b.0, c.0];
                made.memories.push(Outside {
                    name: name.to_owned(),
                    read: read.map(places),
                    write: write.map(places),
                    width_bits: width,
                });
            }
        }
        Ok(made)
    }

    /// Runs from the reset on. `tokens` are offered in order at the named inputs; `memories` are the contents of outside
    /// memories.
    ///
    /// # Errors
    /// The rule that a channel violates, with the cycle.
    pub fn run(
        &mut self,
        tokens: &[(&str, &[u64])],
        memories: &[(&str, &[u64])],
        traffic: Traffic,
        n_cycles: u64,
    ) -> Result<Seen, String> {
        let mut random = Random::new(traffic.seed);
        let mut seen = Seen::default();
        for (name, words) in memories {
            seen.memories.insert((*name).to_owned(), words.to_vec());
        }
        for channel in &self.inputs {
            seen.taken.insert(channel.name.clone(), Vec::new());
        }
        for channel in &self.outputs {
            seen.given.insert(channel.name.clone(), Vec::new());
        }
        for (name, _) in tokens {
            if !seen.taken.contains_key(*name) {
                return Err(format!("no input is called `{name}`"));
            }
        }
        let bit = |value: bool| Bits::from_u64(1, u64::from(value));
        for channel in &self.inputs {
            self.simulator.set_input(channel.valid, &bit(false));
        }
        self.simulator.set_input(self.reset, &bit(true));
        self.simulator.run_cycle();
        self.simulator.set_input(self.reset, &bit(false));
        let mut offered = vec![false; self.inputs.len()];
        // The data that each output has offered and that have not been taken yet.
        let mut open: Vec<Option<u64>> = vec![None; self.outputs.len()];
        let mut asked: Vec<Option<u64>> = vec![None; self.memories.len()];
        for cycle in 0..n_cycles {
            for (channel, offered) in self.inputs.iter().zip(&mut offered) {
                let mine = tokens.iter().find(|(name, _)| *name == channel.name);
                let next = mine.and_then(|(_, all)| all.get(seen.taken[&channel.name].len()));
                *offered = next.is_some() && (*offered || random.happens(traffic.offer));
                // Data that are not offered are noise.
                let data = next.copied().filter(|_| *offered);
                let data = data.unwrap_or_else(|| random.number());
                self.simulator.set_input(channel.valid, &bit(*offered));
                if let Some(place) = channel.data {
                    let data = Bits::from_u64(64, data);
                    let data = match channel.width_bits {
                        0..=64 => data.extract(0, channel.width_bits),
                        wide => data.zext(wide),
                    };
                    self.simulator.set_input(place, &data);
                }
            }
            for (memory, asked) in self.memories.iter().zip(&asked) {
                if let Some([_, _, data]) = memory.read {
                    let word = asked.unwrap_or_else(|| random.number());
                    let word = Bits::from_u64(64, word).extract(0, memory.width_bits);
                    self.simulator.set_input(data, &word);
                }
            }
            let wants: Vec<bool> = self
                .outputs
                .iter()
                .map(|_| random.happens(traffic.take))
                .collect();
            for (channel, wants) in self.outputs.iter().zip(&wants) {
                self.simulator.set_input(channel.ready, &bit(!wants));
            }
            self.simulator.evaluate();
            let before: Vec<Option<u64>> = self.outputs.iter().map(|c| self.offer(c)).collect();
            for (channel, wants) in self.outputs.iter().zip(&wants) {
                self.simulator.set_input(channel.ready, &bit(*wants));
            }
            self.simulator.evaluate();
            for (i, channel) in self.outputs.iter().enumerate() {
                let name = &channel.name;
                let offer = self.offer(channel);
                if offer != before[i] {
                    return Err(format!(
                        "cycle {cycle}: `{name}` offers what ready asks for"
                    ));
                }
                if open[i].is_some() && open[i] != offer {
                    return Err(format!(
                        "cycle {cycle}: `{name}` offered {:?} and now {offer:?}",
                        open[i]
                    ));
                }
                open[i] = offer;
                if let Some(data) = offer.filter(|_| wants[i]) {
                    let given = seen.given.get_mut(name).expect("every output is there");
                    given.push((cycle, data));
                    open[i] = None;
                }
            }
            for (channel, offered) in self.inputs.iter().zip(&mut offered) {
                if *offered && self.simulator.output(channel.ready).is_one() {
                    let taken = seen.taken.get_mut(&channel.name).expect("it is there");
                    let all = tokens.iter().find(|(name, _)| *name == channel.name);
                    let data = all.map_or(0, |(_, all)| all[taken.len()]);
                    taken.push((cycle, data));
                    *offered = false;
                }
            }
            self.serve(&mut seen, &mut asked)?;
            self.simulator.clock_edge();
        }
        Ok(seen)
    }

    /// Returns the data that an output offers.
    fn offer(&self, channel: &Channel) -> Option<u64> {
        let valid = self.simulator.output(channel.valid).is_one();
        let data = channel.data.map(|place| self.simulator.output(place));
        valid.then(|| data.map_or(0, |data| data.low_u64()))
    }

    /// Simulates the outside memories: a read returns the word from before the writes of its cycle.
    fn serve(&self, seen: &mut Seen, asked: &mut [Option<u64>]) -> Result<(), String> {
        let output = |place: usize| self.simulator.output(place).low_u64();
        for (memory, asked) in self.memories.iter().zip(asked) {
            let words = seen.memories.get_mut(&memory.name);
            let words = words.ok_or_else(|| format!("memory `{}` has no words", memory.name))?;
            *asked = None;
            if let Some([address, enable, _]) = memory.read
                && output(enable) == 1
            {
                let at = usize::try_from(output(address)).unwrap_or(usize::MAX);
                *asked = words.get(at).copied();
            }
            if let Some([address, enable, data]) = memory.write
                && output(enable) == 1
            {
                let at = usize::try_from(output(address)).unwrap_or(usize::MAX);
                if let Some(word) = words.get_mut(at) {
                    *word = output(data);
                }
            }
        }
        Ok(())
    }
}
