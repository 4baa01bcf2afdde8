//! Recovers domains in a finished graph: channels with the same execution count have the same number of tokens.

use super::network::{Input, Kind, Network};

/// The index of a domain in [`Domains`]; the function is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DomainId(pub(super) usize);

/// The function, which executes once per call.
pub(super) const FUNCTION: DomainId = DomainId(0);

/// The kind of a domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    Function,
    /// The executions of a domain in which the condition token equals `side`.
    Branch {
        of: DomainId,
        /// The root channel of the condition.
        condition: usize,
        side: bool,
    },
    /// The iterations of a loop, over all executions of the enclosing domain.
    Loop(usize),
}

/// The node that starts the iterations of a loop: the first-iteration register, whose token after reset marks the first
/// iteration, or the merge that takes a token from outside and then those that come back.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// The node of the register or merge.
    pub(super) node: usize,
    /// The root channel of the loop condition, which equals `goes_on` if another iteration follows.
    pub(super) again: usize,
    pub(super) goes_on: bool,
    /// For each data input of a multiplexer of the loop, whether it enters the loop.
    pub(super) enters: Vec<bool>,
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) header: Header,
    /// The domain around the loop, which enters it once per execution.
    pub(super) around: DomainId,
}

/// The domain of every channel.
#[derive(Debug)]
pub(super) struct Domains {
    pub(super) all: Vec<Domain>,
    pub(super) of: Vec<DomainId>,
    /// The loops, in text order.
    pub(super) loops: Vec<Loop>,
    /// For each loop, the representative of the loops that run in lockstep with it: they exchange one word in every iteration.
    pub(super) in_step: Vec<usize>,
}

impl Domains {
    /// Finds the domains of a graph, and checks them at every node.
    ///
    /// # Errors
    /// A text about the first node that does not fit.
    pub(super) fn find(network: &Network) -> Result<Self, String> {
        if let Some(merge) = network.nodes.iter().find(|node| node.kind == Kind::Merge) {
            return Err(format!(
                "`{}` takes whichever token comes first",
                merge.name
            ));
        }
        Self::with_loops(network, Vec::new())
    }

    /// As `Domains::find`, for a graph in which the given merges start loops and the others end conditionals, provided that
    /// their tokens arrive in execution order.
    pub(super) fn with_loops(network: &Network, merges: Vec<Header>) -> Result<Self, String> {
        let mut search = Search::new(network, merges);
        search.spread()?;
        search.finish()
    }

    /// Returns the innermost loop that contains a domain; `None` if there is none.
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

    /// Returns the loop around a loop.
    pub(super) fn outer(&self, number: usize) -> Option<usize> {
        self.nearest_loop(self.loops[number].around)
    }

    /// Returns the loop that a condition ends, if it is the loop condition of this domain.
    pub(super) fn ended(&self, domain: DomainId, condition: usize) -> Option<usize> {
        match self.all[domain.0] {
            Domain::Loop(number) if self.loops[number].header.again == condition => Some(number),
            _ => None,
        }
    }
}

/// Returns the first-iteration registers of a graph.
fn registers(network: &Network) -> Vec<Header> {
    let mut found = Vec::new();
    for (number, node) in network.nodes.iter().enumerate() {
        if let (Kind::Buffer(buffer), [Input::Channel(input)]) = (&node.kind, &node.inputs[..])
            && buffer.initial == [Some(false)]
        {
            found.push(Header {
                node: number,
                again: network.root(*input),
                goes_on: true,
                enters: vec![true, false],
            });
        }
    }
    found
}

/// Returns the merge whose index controls a multiplexer.
pub(super) fn selecting_merge(network: &Network, select: Input) -> Option<usize> {
    let root = network.root(select.channel()?);
    let from = network.channels[root].from;
    let node = &network.nodes[from];
    (node.kind == Kind::Merge && node.outputs.get(1) == Some(&root)).then_some(from)
}

struct Search<'a> {
    network: &'a Network,
    all: Vec<Domain>,
    of: Vec<Option<DomainId>>,
    headers: Vec<Header>,
    /// The domain around each loop.
    around: Vec<Option<DomainId>>,
}

impl<'a> Search<'a> {
    fn new(network: &'a Network, merges: Vec<Header>) -> Self {
        let headers = [registers(network), merges].concat();
        Self {
            network,
            all: vec![Domain::Function],
            of: vec![None; network.channels.len()],
            around: vec![None; headers.len()],
            headers,
        }
    }

    /// Returns the loop whose register or merge controls a multiplexer.
    fn loop_of_select(&self, select: Input) -> Option<usize> {
        let root = self.network.root(select.channel()?);
        let from = self.network.channels[root].from;
        let node = &self.network.nodes[from];
        let is_index = node.kind != Kind::Merge || node.outputs.get(1) == Some(&root);
        self.loop_of(from).filter(|_| is_index)
    }

    fn loop_of(&self, node: usize) -> Option<usize> {
        self.headers.iter().position(|header| header.node == node)
    }

    fn intern(&mut self, domain: Domain) -> DomainId {
        let known = self.all.iter().position(|other| *other == domain);
        DomainId(known.unwrap_or_else(|| {
            self.all.push(domain);
            self.all.len() - 1
        }))
    }

    /// Returns one side of a condition; on loop exit that is the enclosing domain, if it is already known.
    fn side(&mut self, of: DomainId, condition: usize, side: bool) -> Option<DomainId> {
        if let Domain::Loop(number) = self.all[of.0]
            && self.headers[number].again == condition
            && side != self.headers[number].goes_on
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

    /// Propagates domains forward through the graph until nothing changes.
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
            Kind::Mux => match self.loop_of_select(node.inputs[0]) {
                Some(this) => is_changed = self.begin(number, this, &node.inputs[1..])?,
                None => {
                    if let Some(domain) = self.known(node.inputs[0]) {
                        is_changed = self.set(number, node.outputs[0], domain)?;
                    }
                }
            },
            Kind::Merge => match self.loop_of(number) {
                Some(this) => is_changed = self.begin(number, this, &node.inputs)?,
                None => {
                    if let Some(whole) = self.whole(&node.inputs) {
                        for output in &node.outputs {
                            is_changed |= self.set(number, *output, whole)?;
                        }
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
                let Some(this) = self.loop_of(number) else {
                    return Err(format!(
                        "`{}` has tokens after reset and starts no loop",
                        node.name
                    ));
                };
                let domain = self.intern(Domain::Loop(this));
                is_changed = self.set(number, node.outputs[0], domain)?;
            }
            // Its domain is that of the consumer of its words.
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

    /// Handles a multiplexer or merge at which a loop starts: its output is in the domain of the iterations, and the domain of
    /// its entry inputs is the one around the loop.
    fn begin(&mut self, number: usize, this: usize, inputs: &[Input]) -> Result<bool, String> {
        let domain = self.intern(Domain::Loop(this));
        let mut is_changed = false;
        for output in &self.network.nodes[number].outputs {
            is_changed |= self.set(number, *output, domain)?;
        }
        if self.around[this].is_none() {
            self.around[this] = self.whole(&self.of_loop(this, inputs, true));
            is_changed |= self.around[this].is_some();
        }
        Ok(is_changed)
    }

    /// Returns the data inputs of a loop header that enter the loop, or those that come back.
    fn of_loop(&self, this: usize, inputs: &[Input], enters: bool) -> Vec<Input> {
        let all = inputs.iter().zip(&self.headers[this].enters);
        let all = all.filter(|(_, is_entry)| **is_entry == enters);
        all.map(|(input, _)| *input).collect()
    }

    /// Returns the domain that the domains of the inputs partition.
    fn whole(&self, inputs: &[Input]) -> Option<DomainId> {
        let parts: Option<Vec<DomainId>> = inputs.iter().map(|input| self.known(*input)).collect();
        let parts = parts?.into_iter().map(|part| (part, ())).collect();
        whole(&self.all, parts, &mut |_, (), ()| ()).map(|(whole, ())| whole)
    }

    /// Sets the domain of a FIFO between loops, if not yet known, to that of its consumer.
    fn taken(&mut self, input: Input, domain: DomainId) -> Result<bool, String> {
        let mut at = input.channel();
        // Bounded, because wires may form a cycle.
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
        for (this, header) in self.headers.iter().enumerate() {
            if self.around[this].is_none() {
                return Err(format!(
                    "nothing enters the loop of `{}`",
                    self.name(header.node)
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
        for (header, around) in self.headers.iter().zip(&self.around) {
            loops.push(Loop {
                header: header.clone(),
                around: around.unwrap_or(FUNCTION),
            });
        }
        let mut domains = Domains {
            of: self.of.iter().flatten().copied().collect(),
            all: self.all,
            in_step: (0..loops.len()).collect(),
            loops,
        };
        for number in 0..domains.loops.len() {
            let mut at = domains.walk_out(number);
            if at.nth(domains.loops.len()).is_some() {
                let register = domains.loops[number].header.node;
                return Err(format!(
                    "the loop of `{}` would be inside of itself",
                    network.nodes[register].name
                ));
            }
        }
        domains.join_loops(network);
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
            Kind::Merge => {
                let Some(Some(domain)) = first else {
                    return false;
                };
                let fits = match self.loop_of(number) {
                    Some(this) => self.fits_loop(this, domain, &node.inputs),
                    None => self.whole(&node.inputs) == Some(domain),
                };
                fits && node.outputs.iter().all(|o| self.of[*o] == Some(domain))
            }
            Kind::Mux => {
                let Some(select) = node.inputs[0].channel() else {
                    return false;
                };
                let Some(domain) = self.of[select] else {
                    return false;
                };
                let data = &node.inputs[1..];
                let this = self.loop_of_select(node.inputs[0]);
                let fits = match (this, selecting_merge(network, node.inputs[0])) {
                    (Some(this), _) => self.fits_loop(this, domain, data),
                    (None, Some(merge)) => {
                        let of_merge = &network.nodes[merge].inputs;
                        let mut pairs = data.iter().zip(of_merge);
                        data.len() == of_merge.len()
                            && pairs.all(|(input, of_merge)| {
                                input.channel().is_none()
                                    || self.known(*input) == self.known(*of_merge)
                            })
                    }
                    (None, None) => {
                        let root = network.root(select);
                        let sides = [false, true].map(|side| self.side(domain, root, side));
                        let mut pairs = data.iter().zip(sides);
                        pairs.all(|(input, side)| side.is_some() && is_in(self, *input, side))
                    }
                };
                fits && first == Some(Some(domain))
            }
        }
    }

    /// Returns whether the data inputs of a loop header belong to the enclosing domain, and to the iterations after which the
    /// loop continues.
    fn fits_loop(&mut self, this: usize, domain: DomainId, inputs: &[Input]) -> bool {
        let (again, goes_on) = (self.headers[this].again, self.headers[this].goes_on);
        let back = self.side(domain, again, goes_on);
        let sides = [(true, self.around[this]), (false, back)];
        let fits = |(enters, side): (bool, Option<DomainId>)| {
            let inputs = self.of_loop(this, inputs, enters);
            let alone = matches!(inputs[..], [Input::Always(_)]);
            side.is_some() && (alone || self.whole(&inputs) == side)
        };
        self.all[domain.0] == Domain::Loop(this)
            && inputs.len() == self.headers[this].enters.len()
            && sides.into_iter().all(fits)
    }
}

/// Merges domains that are two sides of one condition repeatedly; returns the resulting domain if one is left. `join` combines
/// the attached values, the one of the false side first.
pub(super) fn whole<T>(
    all: &[Domain],
    parts: Vec<(DomainId, T)>,
    join: &mut dyn FnMut(usize, T, T) -> T,
) -> Option<(DomainId, T)> {
    let mut parts: Vec<Option<(DomainId, T)>> = parts.into_iter().map(Some).collect();
    let side_of = |part: &Option<(DomainId, T)>| {
        let (domain, _) = part.as_ref()?;
        match all[domain.0] {
            Domain::Branch {
                of,
                condition,
                side,
            } => Some((of, condition, side)),
            _ => None,
        }
    };
    loop {
        let mut pairs = (0..parts.len()).flat_map(|a| (0..parts.len()).map(move |b| (a, b)));
        let pair = pairs.find_map(|(a, b)| {
            let (of, condition, side) = side_of(&parts[a])?;
            (!side && side_of(&parts[b]) == Some((of, condition, true)))
                .then_some((a, b, of, condition))
        });
        let Some((a, b, of, condition)) = pair else {
            break;
        };
        let (Some((_, no)), Some((_, yes))) = (parts[a].take(), parts[b].take()) else {
            break;
        };
        parts[a] = Some((of, join(condition, no, yes)));
        parts.retain(Option::is_some);
    }
    match parts.len() {
        1 => parts.pop().flatten(),
        _ => None,
    }
}

impl Domains {
    /// Iterates over a loop and the loops around it; endless if these contain each other.
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

    /// Finds the loops that run in lockstep. A FIFO between two loops has one token in each iteration of both, so their
    /// iterations have the same numbers within a call, whatever loops are around them. Only a FIFO without slots for all words
    /// makes one loop wait for the other in this way. Loops with a common outer loop are excluded, because it is not known to
    /// which of its iterations two words belong.
    fn join_loops(&mut self, network: &Network) {
        for node in &network.nodes {
            let (Kind::Buffer(buffer), [Input::Channel(input)], [output]) =
                (&node.kind, &node.inputs[..], &node.outputs[..])
            else {
                continue;
            };
            let ends = [*input, *output].map(|channel| self.all[self.of[channel].0]);
            let [Domain::Loop(giver), Domain::Loop(taker)] = ends else {
                continue;
            };
            // With slots for all words of a call, the producing loop never waits for the consuming one.
            let has_room = buffer.n_words.is_some_and(|n| buffer.capacity >= n);
            if !buffer.is_between_loops || has_room {
                continue;
            }
            let (first, second) = (self.in_step[giver], self.in_step[taker]);
            let members = |class: usize| -> Vec<usize> {
                let all = 0..self.loops.len();
                all.filter(|member| self.in_step[*member] == class)
                    .collect()
            };
            let are_apart = members(first).iter().all(|one| {
                let around = self.enclosing(Some(*one));
                let mut others = members(second).into_iter();
                others.all(|other| {
                    let mut all = self.enclosing(Some(other)).into_iter();
                    all.all(|number| !around.contains(&number))
                })
            });
            if first != second && are_apart {
                let (kept, gone) = (first.min(second), first.max(second));
                for class in self.in_step.iter_mut().filter(|class| **class == gone) {
                    *class = kept;
                }
            }
        }
    }

    /// Returns a loop and those around it, the outermost last.
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
