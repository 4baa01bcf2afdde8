//! Decides whether the tokens of a merge arrive in execution order, so that the next input is known statically.
//!
//! A merge takes the token that arrives first. It ends a conditional, or starts a loop, if its inputs have the corresponding
//! domains ([`super::domains`]) and no token reaches it before it has passed on the token of the previous execution. The second
//! condition follows from token requirements: a token that requires another one comes after it. For each loop around the merge
//! there must be a carried value whose next token requires the output of the merge in this iteration, and that every input of the
//! merge requires in the next one. The values that leave the loop represent all its iterations. A call starts after the end of
//! the previous one, which must require the merge too; only graphs with a control token have calls.

use sluice_ir::{Body, Context, ValueId};

use super::domains::{Domain, DomainId, Domains, Header, selecting_merge, whole};
use super::network::{Input, Kind, Network};

/// A decision tree that selects the input that has the token of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// This input.
    Input(usize),
    /// A decision on a bit, which has a token in every execution.
    By {
        /// The bit.
        condition: ValueId,
        /// The choice if it is 0.
        no: Box<Choice>,
        /// The choice if it is 1.
        yes: Box<Choice>,
    },
}

/// The role of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// It merges the sides of conditionals.
    Conditional(Choice),
    /// It starts the iterations of a loop.
    Loop {
        /// The loop condition.
        again: ValueId,
        /// The value of the condition if another iteration follows.
        goes_on: bool,
        /// The choice among the inputs that enter the loop.
        entry: Choice,
        /// The choice among the inputs that come back.
        back: Choice,
    },
}

/// Returns the role of each merge of several inputs, by its first result; every channel of the body must have one use.
///
/// # Errors
/// A text that tells why a role is unknown, or what is not supported in the graph.
pub(crate) fn orders(context: &Context, body: &Body) -> Result<Vec<(ValueId, Order)>, String> {
    let network = Network::read(context, body)?;
    let merges: Vec<usize> = (0..network.nodes.len())
        .filter(|node| network.nodes[*node].kind == Kind::Merge)
        .collect();
    if let Some(first) = merges.first().filter(|_| !has_calls(context, body)) {
        let name = &network.nodes[*first].name;
        return Err(format!(
            "no control token says that the tokens at `{name}` are of one call"
        ));
    }
    let always = Needs::find(&network, &|_| false, &|_| None);
    let mut headers = Vec::new();
    for merge in &merges {
        headers.extend(header(&network, *merge, &always)?);
    }
    let domains = Domains::with_loops(&network, headers)?;
    let by_loop = NeedsByLoop::new(&network, &domains);
    let mut found = Vec::new();
    for merge in merges {
        InOrder::new(&by_loop, merge).check()?;
        let node = &network.nodes[merge];
        let choice = |is_among: &dyn Fn(usize) -> bool| {
            let among = (0..node.inputs.len()).filter(|input| is_among(*input));
            choice(&network, &domains, merge, among)
                .ok_or_else(|| format!("`{}` joins no sides of conditions", node.name))
        };
        let order = match domains
            .loops
            .iter()
            .map(|this| &this.header)
            .find(|header| header.node == merge)
        {
            Some(this) => Order::Loop {
                again: network.channels[this.again].value,
                goes_on: this.goes_on,
                entry: choice(&|input| this.enters[input])?,
                back: choice(&|input| !this.enters[input])?,
            },
            None => Order::Conditional(choice(&|_| true)?),
        };
        found.push((network.channels[node.outputs[0]].value, order));
    }
    Ok(found)
}

/// Returns whether a graph has the form of a called function: the last argument is the token that starts a call, the last result
/// the one that ends it. In other graphs, argument tokens may arrive in any relation to each other.
fn has_calls(context: &Context, body: &Body) -> bool {
    let none = context.none_type();
    let Some(region) = body.top_regions().next() else {
        return false;
    };
    let block = body.blocks(region)[0];
    let start = body.arguments(block).last();
    let end = body.operations(block).last();
    let end = end.and_then(|op| body.operands(op).last());
    start.is_some_and(|start| body.ty(*start) == none)
        && end.is_some_and(|end| body.ty(end) == none)
}

/// Returns the choice among some inputs of a merge.
fn choice(
    network: &Network,
    domains: &Domains,
    merge: usize,
    among: impl Iterator<Item = usize>,
) -> Option<Choice> {
    let inputs = &network.nodes[merge].inputs;
    let parts: Option<Vec<(DomainId, Choice)>> = among
        .map(|i| Some((domains.of[inputs[i].channel()?], Choice::Input(i))))
        .collect();
    let join = &mut |condition: usize, no, yes| Choice::By {
        condition: network.channels[condition].value,
        no: Box::new(no),
        yes: Box::new(yes),
    };
    whole(&domains.all, parts?, join).map(|(_, choice)| choice)
}

/// For each channel, the set of channels whose tokens are required for its token.
struct Needs(Vec<Vec<u64>>);

impl Needs {
    /// Computes the greatest fixpoint: a token requires everything that the inputs of its operation require; for a multiplexer or
    /// merge, only what all data inputs have in common. Outputs of nodes for which `is_source` holds require nothing else;
    /// `taken` gives the input that a multiplexer or merge takes, if known.
    fn find(
        network: &Network,
        is_source: &dyn Fn(usize) -> bool,
        taken: &dyn Fn(usize) -> Option<usize>,
    ) -> Self {
        let n_words = network.channels.len().div_ceil(64);
        let mut needs = Self(vec![vec![u64::MAX; n_words]; network.channels.len()]);
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (number, node) in network.nodes.iter().enumerate() {
                let starts = match &node.kind {
                    Kind::Buffer(buffer) => !buffer.initial.is_empty() || buffer.is_between_loops,
                    _ => is_source(number),
                };
                let of_inputs = match starts {
                    true => vec![0; n_words],
                    false => needs.of_node(&node.kind, &node.inputs, taken(number)),
                };
                for output in &node.outputs {
                    let mut set = of_inputs.clone();
                    set[output / 64] |= 1 << (output % 64);
                    if needs.0[*output] != set {
                        needs.0[*output] = set;
                        is_changed = true;
                    }
                }
            }
        }
        needs
    }

    fn of_node(&self, kind: &Kind, inputs: &[Input], taken: Option<usize>) -> Vec<u64> {
        let n_words = self.0.first().map_or(0, Vec::len);
        let of = |input: &Input| match input.channel() {
            Some(channel) => self.0[channel].clone(),
            None => vec![0; n_words],
        };
        let both = |sets: &[Input], of_words: fn(u64, u64) -> u64| {
            let sets = sets.iter().map(of);
            let joined =
                sets.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| of_words(*a, *b)).collect());
            joined.unwrap_or_else(|| vec![0; n_words])
        };
        let any = |a: u64, b: u64| a & b;
        let all = |a: u64, b: u64| a | b;
        let n_selecting = match kind {
            Kind::Mux => 1,
            Kind::Merge => 0,
            _ => return both(inputs, all),
        };
        let (selecting, data) = inputs.split_at(n_selecting);
        let data = match taken {
            Some(taken) => of(&data[taken]),
            None => both(data, any),
        };
        let selecting = both(selecting, all);
        data.iter().zip(&selecting).map(|(a, b)| a | b).collect()
    }

    fn needs(&self, channel: usize, other: usize) -> bool {
        self.0[channel][other / 64] >> (other % 64) & 1 == 1
    }

    fn needs_any(&self, channel: usize, others: &[usize]) -> bool {
        others.iter().any(|other| self.needs(channel, *other))
    }
}

/// Returns the loop that a merge starts, if one of its inputs requires an earlier output of the merge.
fn header(network: &Network, merge: usize, always: &Needs) -> Result<Option<Header>, String> {
    let node = &network.nodes[merge];
    let comes_back = |input: &Input| {
        let channel = input.channel();
        channel.is_some_and(|channel| always.needs(channel, node.outputs[0]))
    };
    let enters: Vec<bool> = node.inputs.iter().map(|input| !comes_back(input)).collect();
    if enters.iter().all(|enters| *enters) {
        return Ok(None);
    }
    if !enters.contains(&true) {
        return Err(format!("nothing can enter the loop of `{}`", node.name));
    }
    let nowhere = || format!("the loop of `{}` has no end", node.name);
    let backs = node
        .inputs
        .iter()
        .zip(&enters)
        .filter(|(_, enters)| !**enters);
    let backs: Vec<usize> = backs.filter_map(|(input, _)| input.channel()).collect();
    for branch in &network.nodes {
        let condition = branch.inputs.first().and_then(|input| input.channel());
        let (Kind::Branch, Some(condition)) = (&branch.kind, condition) else {
            continue;
        };
        let again = network.root(condition);
        for (output, side) in branch.outputs.iter().zip([true, false]) {
            let is_inside = always.needs(*output, node.outputs[0]);
            if backs.iter().all(|back| always.needs(*back, *output))
                && is_inside
                && !leads_back(network, (merge, &enters), again, !side)
            {
                return Ok(Some(Header {
                    node: merge,
                    again,
                    goes_on: side,
                    enters,
                }));
            }
        }
    }
    Err(nowhere())
}

/// Returns whether tokens that pass one side of a condition reach the loop's merge again without entering the loop anew.
fn leads_back(
    network: &Network,
    (merge, enters): (usize, &[bool]),
    again: usize,
    side: bool,
) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for branch in network
        .nodes
        .iter()
        .filter(|node| node.kind == Kind::Branch)
    {
        let condition = branch.inputs[0].channel();
        if condition.is_some_and(|condition| network.root(condition) == again) {
            open.push(branch.outputs[usize::from(!side)]);
        }
    }
    let mut is_seen = vec![false; network.channels.len()];
    while let Some(channel) = open.pop() {
        if std::mem::replace(&mut is_seen[channel], true) {
            continue;
        }
        let to = network.channels[channel].to;
        let node = &network.nodes[to];
        let data = match node.kind {
            Kind::Mux if selecting_merge(network, node.inputs[0]) == Some(merge) => {
                &node.inputs[1..]
            }
            Kind::Merge if to == merge => &node.inputs[..],
            _ => &[],
        };
        let mut data = data.iter().zip(enters);
        if data.any(|(input, enters)| *enters && *input == Input::Channel(channel)) {
            continue;
        }
        if to == merge {
            return true;
        }
        open.extend(&node.outputs);
    }
    false
}

/// The required tokens within an iteration of each loop.
struct NeedsByLoop<'a> {
    network: &'a Network,
    domains: &'a Domains,
    /// For each loop, the required tokens of the same iteration.
    always: Vec<Needs>,
}

impl<'a> NeedsByLoop<'a> {
    fn new(network: &'a Network, domains: &'a Domains) -> Self {
        let mut made = Self {
            network,
            domains,
            always: Vec::new(),
        };
        for this in 0..domains.loops.len() {
            let is_header = |node: usize| made.is_header(node, this);
            let always = Needs::find(network, &is_header, &|_| None);
            made.always.push(always);
        }
        made
    }

    /// Returns whether a multiplexer or merge is a header of a loop.
    fn is_header(&self, node: usize, this: usize) -> bool {
        let register = self.domains.loops[this].header.node;
        let Kind::Mux = self.network.nodes[node].kind else {
            return node == register;
        };
        let select = self.network.nodes[node].inputs[0];
        let root = select.channel().map(|channel| self.network.root(channel));
        root.is_some_and(|root| self.network.channels[root].from == register)
    }
}

/// Checks that the tokens of a merge arrive in order.
struct InOrder<'a> {
    by_loop: &'a NeedsByLoop<'a>,
    network: &'a Network,
    domains: &'a Domains,
    merge: usize,
    /// The channels that require all outputs of the merge in an iteration.
    behind: Vec<usize>,
    /// The domain of these channels.
    domain: DomainId,
}

impl<'a> InOrder<'a> {
    fn new(by_loop: &'a NeedsByLoop<'a>, merge: usize) -> Self {
        let (network, domains) = (by_loop.network, by_loop.domains);
        let output = network.nodes[merge].outputs[0];
        Self {
            by_loop,
            network,
            domains,
            merge,
            behind: vec![output],
            domain: domains.of[output],
        }
    }

    fn check(mut self) -> Result<(), String> {
        let around = self
            .domains
            .enclosing(self.domains.nearest_loop(self.domain));
        let is_met = around.iter().all(|this| self.leaves(*this)) && self.returns();
        let name = &self.network.nodes[self.merge].name;
        match is_met {
            true => Ok(()),
            false => Err(format!("tokens of several runs may meet at `{name}`")),
        }
    }

    /// Returns the conditions under which the merge has a token, from its domain outwards to that of a loop or the function.
    fn conditions(&self) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        let mut at = self.domain;
        while let Domain::Branch {
            of,
            condition,
            side,
        } = self.domains.all[at.0]
        {
            found.push((condition, side));
            at = of;
        }
        found
    }

    /// Returns the data input that a multiplexer or merge takes under some conditions.
    fn taken(&self, node: usize, conditions: &[(usize, bool)]) -> Option<usize> {
        let (network, domains) = (self.network, self.domains);
        // A loop header takes both, in different iterations.
        if (0..domains.loops.len()).any(|this| self.is_header(node, this)) {
            return None;
        }
        let inputs = &network.nodes[node].inputs;
        let data = match network.nodes[node].kind {
            Kind::Mux => &inputs[1..],
            Kind::Merge => &inputs[..],
            _ => return None,
        };
        data.iter().position(|input| {
            let domain = input.channel().map(|channel| domains.of[channel]);
            let domain = domain.map(|domain| domains.all[domain.0]);
            matches!(domain, Some(Domain::Branch { condition, side, .. }) if conditions.contains(&(condition, side)))
        })
    }

    fn is_header(&self, node: usize, this: usize) -> bool {
        self.by_loop.is_header(node, this)
    }

    /// Returns whether the iterations of a loop are in order at the merge; updates `behind` to channels after the loop.
    fn leaves(&mut self, this: usize) -> bool {
        let conditions = self.conditions();
        let (network, domains) = (self.network, self.domains);
        let is_header = |node: usize| self.is_header(node, this);
        let always = &self.by_loop.always[this];
        let of_conditions = match conditions.is_empty() {
            true => None,
            false => Some(Needs::find(network, &is_header, &|node| {
                self.taken(node, &conditions)
            })),
        };
        let here = of_conditions.as_ref().unwrap_or(always);
        let enters = &domains.loops[this].header.enters;
        // An input of another domain has no token under these conditions.
        let may_come = |channel: usize| {
            let Domain::Branch {
                condition, side, ..
            } = domains.all[domains.of[channel].0]
            else {
                return true;
            };
            !conditions.contains(&(condition, !side))
        };
        let mut carried = Vec::new();
        for (number, node) in network.nodes.iter().enumerate() {
            let n_selecting = match node.kind {
                Kind::Mux => 1,
                Kind::Merge => 0,
                _ => continue,
            };
            if !is_header(number) {
                continue;
            }
            let backs = node.inputs[n_selecting..].iter().zip(enters);
            let backs = backs.filter(|(_, enters)| !**enters);
            let backs: Option<Vec<usize>> = backs.map(|(back, _)| back.channel()).collect();
            let Some(backs) = backs else {
                continue;
            };
            let output = node.outputs[0];
            let comes = |input: &Input| {
                let channel = input.channel();
                channel.is_some_and(|channel| always.needs(channel, output))
            };
            let waits = number == self.merge
                || self.merge != domains.loops[this].header.node
                    && network.nodes[self.merge].inputs.iter().all(comes);
            let comes_back = |back: &usize| {
                always.needs(*back, output)
                    && (!may_come(*back) || here.needs_any(*back, &self.behind))
            };
            if waits && backs.iter().all(comes_back) {
                carried.push(output);
            }
        }
        let loop_of = &domains.loops[this];
        let is_inside = conditions.contains(&(loop_of.header.again, loop_of.header.goes_on));
        let mut behind = Vec::new();
        for branch in network
            .nodes
            .iter()
            .filter(|node| node.kind == Kind::Branch)
        {
            let inputs: Vec<usize> = branch.inputs.iter().filter_map(|i| i.channel()).collect();
            let leaves = branch.inputs[0].channel().is_some_and(|condition| {
                network.root(condition) == loop_of.header.again
                    && domains.all[domains.of[condition].0] == Domain::Loop(this)
            });
            let needs = |needs: &Needs, others: &[usize]| {
                inputs.iter().any(|input| needs.needs_any(*input, others))
            };
            if leaves && needs(always, &carried) && (is_inside || needs(here, &self.behind)) {
                behind.push(branch.outputs[usize::from(loop_of.header.goes_on)]);
            }
        }
        let is_met = !carried.is_empty() && !behind.is_empty();
        self.behind = behind;
        self.domain = loop_of.around;
        is_met
    }

    /// Returns whether the end of a call requires the outputs of the merge.
    fn returns(&self) -> bool {
        let conditions = self.conditions();
        let here = Needs::find(self.network, &|_| false, &|node| {
            self.taken(node, &conditions)
        });
        let returns = self.network.nodes.iter();
        let mut returns = returns.filter(|node| node.kind == Kind::Return);
        returns.any(|node| {
            let mut operands = node.inputs.iter().filter_map(|input| input.channel());
            operands.any(|operand| here.needs_any(operand, &self.behind))
        })
    }
}
