//! `prove-deadlock-freedom`: proves that a graph terminates, or finds a reachable state from which it does not, with the
//! operations that wait.
//!
//! The statement covers two kinds of graphs. In a graph that is called, every argument has one token per call, the call ends when
//! all operands of `handshake.return` have a token, and a call starts after the previous one has ended. A graph with streams has
//! no end. Data are abstracted, except for bits that select a path: these may have any value, are equal on all outputs of a fork,
//! and are preserved by buffers. It is assumed that memories answer, that sinks take tokens, and that every loop ends at some
//! time.
//!
//! **Structure** ([`domains`], [`waits`], [`ranking`]). *Theorem:* a graph in which (1) every channel has a domain, as
//! [`domains`] checks at every node, and (2) no event waits for itself, as [`ranking`] checks, ends every call in which every
//! loop ends.
//! *Proof:* By (1), and by induction over the events, the n-th token of a channel belongs to the n-th execution of its domain:
//! joins, forks, buffers and ports keep the order; a `cond_br` gives each side the tokens of the executions in which the
//! condition selects it; a `mux` on the same condition takes exactly those; a `mux` on a register that starts with 0 and
//! continues with the loop condition takes one token from outside per execution, and then those that come back; and the tokens
//! that leave by the condition occur once per execution of the enclosing domain. Each event, that a token is offered or taken,
//! therefore belongs to an execution. There are finitely many events, as every loop ends. By (2) their waits have no cycle, so
//! all events can be ordered such that each comes after those that it waits for. An event that waits for nothing any more
//! happens: `valid` is held until the token is taken, a buffer with a free slot keeps it until its next token has arrived, and a
//! port or a shared unit yields only finitely often. The operands of `handshake.return` are among the offered tokens. ∎
//! A request that matches a pending store address ([`waits`]) comes after the token that announces this address, if it is ordered
//! after that store at all. This token counts as offered only when the store is done, which is later than in reality, so each
//! such wait is among those of (2). The proof does not depend on how the graph was created: neither the lowering nor the buffer
//! placement is trusted.
//!
//! A FIFO between loops has a token in every iteration of the producing and of the consuming loop, and the same number in a call:
//! its `n_words`, which the lowering records. So the n-th iterations of both, numbered over all calls, handle the same token. A
//! wait for a free slot leads back as many iterations as there are slots; with slots for all words of a call, it leads to an
//! earlier call. Loops with a common outer loop are not numbered together, because it is not known to which of its iterations
//! words belong.
//!
//! **Streams** ([`streams`]). If words arrive forever, calls follow each other without an end to wait for. The waits are those
//! above without the waits of arguments for results, so a graph without cycles of waits has none here either. Each argument is
//! taken again and again.
//!
//! **States** ([`states`]). A small graph that is not of this form is proved if the end is reachable from every reachable control
//! state for some bits. There are finitely many states, so a run in which every choice occurs now and then ends.
//!
//! **Search** ([`search`]). A state before the end in which nothing moves, for some bits, is a deadlock of the graph without its
//! data. If a condition never has the value that the search assumed, for example because two operations compute it in the same
//! way from the same data, the deadlock may not occur.

mod deadlock_cycle;
mod domains;
mod edges;
mod iterations;
mod load_store_order;
mod logic;
mod machine;
mod merging;
mod network;
mod phases;
mod ranking;
mod search;
mod signals;
mod states;
mod streams;
mod waits;

use sluice_dialects::sluice::DEADLOCK_FREE;
use sluice_dialects::{handshake, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Module, ValueId, View};

use machine::Machine;
use network::{Kind, Network, Node};
use search::DeadlockState;
use states::Explored;

pub use deadlock_cycle::{Lack, Waiting};
pub use iterations::{Iterated, Iterations, iterations};
pub(crate) use merging::{Choice, Order, orders};

/// The answer to whether a graph can deadlock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It always terminates.
    Proved {
        /// The proof method.
        method: String,
    },
    /// There is a reachable state from which it does not terminate.
    Deadlock {
        /// The waiting channels: each waits for the next one.
        waiting_channels: Vec<Waiting>,
        /// True if the last one waits for the first; otherwise it waits for a token that never arrives.
        is_cyclic: bool,
    },
    /// Neither is known.
    Unknown {
        /// The reason.
        why: String,
    },
}

/// Decides whether the graph of a `handshake.func` can deadlock: before it returns, or ever if it has streams.
pub fn prove(function: View<'_>) -> Verdict {
    let network = match Network::read(function.context, function.inner()) {
        Ok(network) => network,
        Err(why) => return Verdict::Unknown { why },
    };
    let n_ends = network
        .nodes
        .iter()
        .filter(|node| node.kind == Kind::Return)
        .count();
    if n_ends != 1 {
        let why = "a graph has one `handshake.return`".to_owned();
        return Verdict::Unknown { why };
    }
    let is_open = |node: &Node| match &node.kind {
        Kind::Buffer(buffer) => buffer.is_between_loops && buffer.n_words.is_none(),
        _ => false,
    };
    if network.nodes.iter().any(is_open) {
        let why = "loops hand words to one another, and how many is not known".to_owned();
        return Verdict::Unknown { why };
    }
    if has_streams(function) {
        return prove_streams(&network);
    }
    prove_network(&network, false)
}

/// Returns whether words are transferred forever: not if a kernel is called, nor if dataless tokens start and end a call.
fn has_streams(function: View<'_>) -> bool {
    let (context, body) = (function.context, function.inner());
    if function.attribute(sluice::ARGUMENTS).is_some() {
        return false;
    }
    let is_token =
        |value: Option<ValueId>| value.is_some_and(|value| body.ty(value) == context.none_type());
    let arguments = function.entry_block(0).map(|block| body.arguments(block));
    let start = arguments.and_then(|arguments| arguments.last().copied());
    let ops = body.walk_all().into_iter();
    let mut ops = ops.map(|op| View::new(context, body, op));
    let end = ops.find(|view| view.name() == handshake::Return::NAME);
    let done = end.and_then(|view| view.operands().last());
    !(is_token(start) && is_token(done))
}

/// As [`prove`]; a graph from another tool that is not proved to return all its results in a call is treated as one with streams.
fn prove_given(function: View<'_>) -> Verdict {
    let verdict = prove(function);
    let is_given = function.attribute(sluice::ARGUMENTS).is_none() && !has_streams(function);
    if !is_given || matches!(verdict, Verdict::Proved { .. }) {
        return verdict;
    }
    let network = Network::read(function.context, function.inner());
    let with_streams = network.map(|network| prove_streams(&network));
    match (with_streams, verdict) {
        (Ok(Verdict::Deadlock { .. }) | Err(_), verdict) => verdict,
        (Ok(proved @ Verdict::Proved { .. }), _) => proved,
        (Ok(Verdict::Unknown { .. }), unknown @ Verdict::Unknown { .. }) => unknown,
        (Ok(unknown @ Verdict::Unknown { .. }), _) => unknown,
    }
}

/// Proves the parts of a graph with streams separately.
fn prove_streams(network: &Network) -> Verdict {
    let mut methods: Vec<String> = Vec::new();
    for part in streams::parts(network) {
        match prove_network(&part, true) {
            Verdict::Proved { method } if methods.contains(&method) => {}
            Verdict::Proved { method } => methods.push(method),
            other => return other,
        }
    }
    let method = match methods.is_empty() {
        true => "every token is always taken".to_owned(),
        false => methods.join("; "),
    };
    Verdict::Proved { method }
}

fn prove_network(network: &Network, is_endless: bool) -> Verdict {
    let why = match structure(network) {
        Ok(method) => return Verdict::Proved { method },
        Err(why) => why,
    };
    let is_between_loops = |node: &Node| match &node.kind {
        Kind::Buffer(buffer) => buffer.is_between_loops,
        _ => false,
    };
    // The machine may leave a loop at any time, not after as many iterations as there are words.
    if network.nodes.iter().any(is_between_loops) {
        return Verdict::Unknown { why };
    }
    // A graph that does not deadlock with fewer slots does not with more: no operation of the machine depends on timing.
    let (small, is_smaller) = with_fewer_slots(network);
    let machine = match Machine::new(&small, is_endless) {
        Ok(machine) => machine,
        Err(loose) => {
            return Verdict::Unknown {
                why: format!("{why}; {loose}"),
            };
        }
    };
    let stuck = |found: &DeadlockState| match is_smaller {
        true => Verdict::Unknown {
            why: format!(
                "{why}; buffers were only looked at with {MAX_SLOTS} slots, and those can be too few"
            ),
        },
        false => deadlock(&machine, found),
    };
    if let Some(found) = search::find_deadlock(&machine) {
        return stuck(&found);
    }
    // The machine lets every request pass immediately: a deadlock without these waits is also one with them, but not vice versa.
    if !network.pending.is_empty() {
        let why = format!("{why}; loads that meet a store wait for it, which hangs on data");
        return Verdict::Unknown { why };
    }
    match states::explore(&machine) {
        Explored::AllEnd(n_states) if is_endless => Verdict::Proved {
            method: format!("from each of {n_states} states every argument is taken again"),
        },
        Explored::AllEnd(n_states) => Verdict::Proved {
            method: format!("each of {n_states} states has a way to the end"),
        },
        Explored::Stuck(found) => stuck(&found),
        Explored::TooMany => Verdict::Unknown {
            why: format!("{why}; runs found no deadlock, and its control has too many states"),
        },
    }
}

/// Maximum number of slots of a buffer in the state exploration.
const MAX_SLOTS: usize = 64;

/// Returns a graph in which no buffer has more slots than that, and whether one had.
fn with_fewer_slots(network: &Network) -> (Network, bool) {
    let mut network = network.clone();
    let mut is_smaller = false;
    for node in &mut network.nodes {
        if let Kind::Buffer(buffer) = &mut node.kind
            && buffer.capacity > MAX_SLOTS.max(buffer.initial.len())
        {
            buffer.capacity = MAX_SLOTS.max(buffer.initial.len());
            is_smaller = true;
        }
    }
    (network, is_smaller)
}

fn deadlock(machine: &Machine<'_>, found: &DeadlockState) -> Verdict {
    let (waiting_channels, is_cyclic) = deadlock_cycle::find_waits(machine, found);
    Verdict::Deadlock {
        waiting_channels,
        is_cyclic,
    }
}

/// Performs the structural proof.
///
/// # Errors
/// A text about the premise that does not hold.
fn structure(network: &Network) -> Result<String, String> {
    let domains = domains::Domains::find(network)?;
    let mut waits = waits::waits(network, &domains);
    let met = load_store_order::met(network, &domains, &waits).map_err(|load| {
        let name = &network.channels[load].name;
        format!("`{name}` may meet the address of a store that waits for it")
    })?;
    waits.extend(met);
    ranking::take_apart(&domains, &waits).map_err(|events| {
        let mut names: Vec<&str> = Vec::new();
        for event in events {
            let name = network.channels[waits::at(event).0].name.as_str();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let rest = match names.len() {
            n @ 9.. => format!(" and {} more", n - 8),
            _ => String::new(),
        };
        names.truncate(8);
        format!(
            "these may wait for one another: `{}`{rest}",
            names.join("`, `")
        )
    })?;
    let counted = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let channels = counted(network.channels.len(), "channel");
    let (waits, loops) = (
        counted(waits.len(), "wait"),
        counted(domains.loops.len(), "loop"),
    );
    Ok(format!("no cycle in {waits} of {channels} and {loops}"))
}

/// Returns whether the structural proof succeeds for every graph of a module.
pub fn is_proved_by_structure(context: &Context, module: &Module) -> bool {
    let graphs = named(context, module, handshake::Func::NAME).into_iter();
    let mut bodies = graphs.map(|function| View::new(context, module.inner(), function));
    bodies.all(|function| {
        let network = Network::read(context, function.inner());
        network.is_ok_and(|network| match has_streams(function) {
            true => {
                let mut parts = streams::parts(&network).into_iter();
                parts.all(|part| structure(&part).is_ok())
            }
            false => structure(&network).is_ok(),
        })
    })
}

/// Proves every graph of a module that is not proved yet, and records the result on its function.
///
/// # Errors
/// To `diagnostics`: every deadlock, with the waiting channels; if nothing is known, a warning, or a remark for a graph with
/// streams.
pub fn prove_deadlock_freedom(
    context: &Context,
    module: &mut Module,
    diagnostics: &mut Diagnostics,
) {
    for function in named(context, module, handshake::Func::NAME) {
        let view = View::new(context, module.inner(), function);
        if view.entry_block(0).is_none() || view.attribute(DEADLOCK_FREE).is_some() {
            continue;
        }
        let location = view.location();
        match prove_given(view) {
            Verdict::Proved { method } => {
                let proved = context.string_attribute(&format!("proved: {method}"));
                module
                    .inner_mut()
                    .set_attribute(function, context.name(DEADLOCK_FREE), proved);
            }
            Verdict::Deadlock {
                waiting_channels,
                is_cyclic,
            } => {
                let at = waiting_channels
                    .first()
                    .map_or(location, |waiting| waiting.location);
                let error = diagnostics.error(
                    at,
                    match is_cyclic {
                        true => "deadlock: these channels can wait for one another",
                        false if has_streams(view) => {
                            "deadlock: a word can wait for a token that does not come"
                        }
                        false => "deadlock: the results can wait for a token that does not come",
                    },
                );
                for waiting in waiting_channels {
                    error.note(waiting.location, waiting.to_string());
                }
            }
            Verdict::Unknown { why } => {
                let message =
                    format!("it is not known whether the graph can reach a deadlock: {why}");
                // The author of a graph with streams knows which words arrive, and a merge is no mistake.
                match view.attribute(sluice::ARGUMENTS).is_none() {
                    true => diagnostics.remark(location, message),
                    false => diagnostics.warning(location, message),
                };
            }
        }
    }
}
