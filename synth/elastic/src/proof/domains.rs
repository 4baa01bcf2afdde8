//! Domains, found again in a finished graph: what runs as often has as many tokens.

use super::network::{Input, Kind, Network};

/// A domain by its number in [`Domains`]; the function is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DomainId(pub(super) usize);

/// The function, of which every call is a run.
pub(super) const FUNCTION: DomainId = DomainId(0);

/// What makes a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    Function,
    /// The runs of a domain in which the token of a condition says `side`.
    Branch {
        of: DomainId,
        /// The root of the channels that carry the condition.
        condition: usize,
        side: bool,
    },
    /// The iterations of a loop in the runs of the domain around.
    Loop(usize),
}

/// A loop: the register whose token after reset says that no iteration is behind the first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// The node of the register.
    pub(super) register: usize,
    /// Its input's root: whether there is another iteration.
    pub(super) again: usize,
    /// The domain in which it is entered once a run.
    pub(super) around: DomainId,
}

/// The domain of every channel.
#[derive(Debug)]
pub(super) struct Domains {
    pub(super) all: Vec<Domain>,
    pub(super) of: Vec<DomainId>,
    /// In the order of the text.
    pub(super) loops: Vec<Loop>,
}

impl Domains {
    /// The domains of a graph, checked at every node.
    ///
    /// # Errors
    /// The first node that fits no domain, in words.
    pub(super) fn find(network: &Network) -> Result<Self, String> {
        let mut search = Search::new(network);
        search.spread()?;
        search.finish()
    }

    /// The loop whose iterations, or some of them, a domain is; `None` for those of the function.
    pub(super) fn nearest_loop(&self, domain: DomainId) -> Option<usize> {
        let mut at = domain;
        loop {
            match self.all[at.0] {
                Domain::Function => return None,
                Domain::Branch { of, .. } => at = of,
                Domain::Loop(number) => return Some(number),
            }
        }
    }

    /// The loop around a loop.
    pub(super) fn outer(&self, number: usize) -> Option<usize> {
        self.nearest_loop(self.loops[number].around)
    }

    /// The loop that a condition ends, where it is that of the loop of its domain.
    pub(super) fn ended(&self, domain: DomainId, condition: usize) -> Option<usize> {
        match self.all[domain.0] {
            Domain::Loop(number) if self.loops[number].again == condition => Some(number),
            _ => None,
        }
    }
}

/// The number of the loop that selects a multiplexer, if a register with a token does.
fn selected_by(network: &Network, loops: &[(usize, usize)], select: Input) -> Option<usize> {
    let root = network.root(select.channel()?);
    let from = network.channels[root].from;
    loops.iter().position(|(register, _)| *register == from)
}

struct Search<'a> {
    network: &'a Network,
    all: Vec<Domain>,
    of: Vec<Option<DomainId>>,
    /// Registers with a token, and the roots of their inputs.
    registers: Vec<(usize, usize)>,
    /// The domains around the loops.
    around: Vec<Option<DomainId>>,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network) -> Self {
        let mut registers = Vec::new();
        for (number, node) in network.nodes.iter().enumerate() {
            if let (Kind::Buffer(buffer), [Input::Channel(input)]) = (&node.kind, &node.inputs[..])
                && buffer.initial == [Some(false)]
            {
                registers.push((number, network.root(*input)));
            }
        }
        Self {
            network,
            all: vec![Domain::Function],
            of: vec![None; network.channels.len()],
            around: vec![None; registers.len()],
            registers,
        }
    }

    fn intern(&mut self, domain: Domain) -> DomainId {
        let known = self.all.iter().position(|other| *other == domain);
        DomainId(known.unwrap_or_else(|| {
            self.all.push(domain);
            self.all.len() - 1
        }))
    }

    /// One side of a condition; where a loop ends that is the domain around it, if it is known by now.
    fn side(&mut self, of: DomainId, condition: usize, side: bool) -> Option<DomainId> {
        if let Domain::Loop(number) = self.all[of.0]
            && self.registers[number].1 == condition
            && !side
        {
            return self.around[number];
        }
        Some(self.intern(Domain::Branch {
            of,
            condition,
            side,
        }))
    }

    fn known(&self, input: Input) -> Option<DomainId> {
        self.of[input.channel()?]
    }

    fn name(&self, node: usize) -> &'a str {
        &self.network.nodes[node].name
    }

    fn set(&mut self, node: usize, channel: usize, domain: DomainId) -> Result<bool, String> {
        match self.of[channel] {
            Some(known) if known == domain => Ok(false),
            Some(_) => Err(format!("`{}` would run in two domains", self.name(node))),
            None => {
                self.of[channel] = Some(domain);
                Ok(true)
            }
        }
    }

    /// Gives every channel the domain that follows from those before it.
    fn spread(&mut self) -> Result<(), String> {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in 0..self.network.nodes.len() {
                is_changed |= self.node(number)?;
            }
        }
        Ok(())
    }

    fn node(&mut self, number: usize) -> Result<bool, String> {
        let node = &self.network.nodes[number];
        let mut is_changed = false;
        match &node.kind {
            Kind::Return | Kind::Sink => {}
            Kind::Argument => is_changed = self.set(number, node.outputs[0], FUNCTION)?,
            Kind::Mux => match selected_by(self.network, &self.registers, node.inputs[0]) {
                Some(this) => {
                    let domain = self.intern(Domain::Loop(this));
                    is_changed = self.set(number, node.outputs[0], domain)?;
                    if let (Some(entered), None) = (self.known(node.inputs[1]), self.around[this]) {
                        self.around[this] = Some(entered);
                        is_changed = true;
                    }
                }
                None => {
                    if let Some(domain) = self.known(node.inputs[0]) {
                        is_changed = self.set(number, node.outputs[0], domain)?;
                    }
                }
            },
            Kind::Branch => {
                let condition = node.inputs[0]
                    .channel()
                    .map(|channel| self.network.root(channel));
                let domain = self
                    .known(node.inputs[0])
                    .or_else(|| self.known(node.inputs[1]));
                if let (Some(domain), Some(condition)) = (domain, condition) {
                    is_changed |= self.taken(node.inputs[1], domain)?;
                    for (output, side) in [(0, true), (1, false)] {
                        if let Some(inner) = self.side(domain, condition, side) {
                            is_changed |= self.set(number, node.outputs[output], inner)?;
                        }
                    }
                }
            }
            Kind::Buffer(buffer) if !buffer.initial.is_empty() => {
                let this = self
                    .registers
                    .iter()
                    .position(|(register, _)| *register == number);
                let Some(this) = this else {
                    return Err(format!(
                        "`{}` has tokens after reset and starts no loop",
                        node.name
                    ));
                };
                let domain = self.intern(Domain::Loop(this));
                is_changed = self.set(number, node.outputs[0], domain)?;
            }
            // Its domain is that of who takes the words.
            Kind::Buffer(buffer) if buffer.is_between_loops => {}
            Kind::Join(_) | Kind::Fork(_) | Kind::Pipeline(_) | Kind::Port | Kind::Buffer(_) => {
                let domain = node.inputs.iter().find_map(|input| self.known(*input));
                if let Some(domain) = domain {
                    for input in &node.inputs {
                        is_changed |= self.taken(*input, domain)?;
                    }
                    for output in &node.outputs {
                        is_changed |= self.set(number, *output, domain)?;
                    }
                }
            }
        }
        Ok(is_changed)
    }

    /// Says of a queue between loops whose domain is not known yet that its words are taken in this one.
    fn taken(&mut self, input: Input, domain: DomainId) -> Result<bool, String> {
        let mut at = input.channel();
        // A ring of wires has no beginning.
        for _ in 0..self.of.len() {
            let Some(channel) = at.filter(|channel| self.of[*channel].is_none()) else {
                break;
            };
            let from = self.network.channels[channel].from;
            let node = &self.network.nodes[from];
            at = match (&node.kind, &node.inputs[..]) {
                (Kind::Buffer(buffer), _) if buffer.is_between_loops => {
                    return self.set(from, channel, domain);
                }
                (Kind::Buffer(buffer), [input]) if buffer.initial.is_empty() => input.channel(),
                (Kind::Fork(_), [input]) => input.channel(),
                _ => None,
            };
        }
        Ok(false)
    }

    /// Checks that every node fits its domains.
    fn finish(mut self) -> Result<Domains, String> {
        let network = self.network;
        if let Some(open) = self.of.iter().position(Option::is_none) {
            return Err(format!(
                "no token can come to `{}`",
                network.channels[open].name
            ));
        }
        for (this, (register, _)) in self.registers.iter().enumerate() {
            if self.around[this].is_none() {
                return Err(format!(
                    "nothing enters the loop of `{}`",
                    self.name(*register)
                ));
            }
        }
        for number in 0..network.nodes.len() {
            if !self.fits(number) {
                return Err(format!(
                    "`{}` joins tokens that do not come as often",
                    self.name(number)
                ));
            }
        }
        let mut loops = Vec::new();
        for (this, (register, again)) in self.registers.clone().into_iter().enumerate() {
            let around = self.around[this].unwrap_or(FUNCTION);
            loops.push(Loop {
                register,
                again,
                around,
            });
        }
        let domains = Domains {
            of: self.of.iter().flatten().copied().collect(),
            all: self.all,
            loops,
        };
        for number in 0..domains.loops.len() {
            let mut at = domains.walk_out(number);
            if at.nth(domains.loops.len()).is_some() {
                let register = domains.loops[number].register;
                return Err(format!(
                    "the loop of `{}` would be inside of itself",
                    network.nodes[register].name
                ));
            }
        }
        Ok(domains)
    }

    fn fits(&mut self, number: usize) -> bool {
        let network = self.network;
        let node = &network.nodes[number];
        let is_in = |search: &Self, input: Input, domain: Option<DomainId>| {
            input
                .channel()
                .is_none_or(|channel| search.of[channel] == domain)
        };
        let first = node.outputs.first().map(|output| self.of[*output]);
        match &node.kind {
            Kind::Argument | Kind::Sink => true,
            Kind::Buffer(buffer) if buffer.is_between_loops => true,
            Kind::Return => node
                .inputs
                .iter()
                .all(|input| is_in(self, *input, Some(FUNCTION))),
            Kind::Join(_) | Kind::Fork(_) | Kind::Pipeline(_) | Kind::Port | Kind::Buffer(_) => {
                let domain = first
                    .unwrap_or_else(|| node.inputs.iter().find_map(|input| self.known(*input)));
                node.inputs.iter().all(|input| is_in(self, *input, domain))
                    && node.outputs.iter().all(|output| self.of[*output] == domain)
            }
            Kind::Branch => {
                let Some(condition) = node.inputs[0].channel() else {
                    return false;
                };
                let Some(domain) = self.of[condition] else {
                    return false;
                };
                let root = network.root(condition);
                let sides = [true, false].map(|side| self.side(domain, root, side));
                is_in(self, node.inputs[1], Some(domain))
                    && node
                        .outputs
                        .iter()
                        .zip(sides)
                        .all(|(output, side)| side.is_some() && self.of[*output] == side)
            }
            Kind::Mux => {
                let Some(select) = node.inputs[0].channel() else {
                    return false;
                };
                let Some(domain) = self.of[select] else {
                    return false;
                };
                let entered = match selected_by(network, &self.registers, node.inputs[0]) {
                    Some(this) => {
                        let is_loop = self.all[domain.0] == Domain::Loop(this);
                        let again = self.registers[this].1;
                        let sides = [self.around[this], self.side(domain, again, true)];
                        is_loop.then_some(sides)
                    }
                    None => {
                        let root = network.root(select);
                        Some([false, true].map(|side| self.side(domain, root, side)))
                    }
                };
                let Some(sides) = entered else {
                    return false;
                };
                first == Some(Some(domain))
                    && node.inputs[1..]
                        .iter()
                        .zip(sides)
                        .all(|(input, side)| side.is_some() && is_in(self, *input, side))
            }
        }
    }
}

impl Domains {
    /// A loop and those around it; does not end where they are around each other.
    fn walk_out(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = Some(number);
        std::iter::from_fn(move || {
            let here = at?;
            at = self.outer_safely(here);
            Some(here)
        })
    }

    fn outer_safely(&self, number: usize) -> Option<usize> {
        let mut at = self.loops[number].around;
        for _ in 0..=self.all.len() {
            match self.all[at.0] {
                Domain::Function => return None,
                Domain::Branch { of, .. } => at = of,
                Domain::Loop(outer) => return Some(outer),
            }
        }
        None
    }

    /// A loop and those around it, the outermost last.
    pub(super) fn enclosing(&self, number: Option<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = number;
        while let Some(here) = at {
            found.push(here);
            at = self.outer(here);
        }
        found
    }
}
