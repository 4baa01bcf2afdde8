//! `prove-deadlock-freedom`: a proof that a graph comes to its end, or a state from which it does not, with what waits there.
//!
//! What is said is about graphs that are called: every argument has one token for every call, the end is that all operands of
//! `handshake.return` have one, and a call comes behind the end of the one before; and about graphs with streams, which have no end. Data are left out, but for bits that choose a way: they
//! may be any, are the same wherever forks bring them, and stay what they are in buffers. Memories answer, sinks take, and every loop is
//! left at some time.
//!
//! **Structure** ([`domains`], [`waits`], [`measures`]). *Theorem:* a graph in which (1) every channel has a domain as [`domains`] checks it
//! at every node, and (2) no event waits for itself as [`measures`] checks it, comes to the end of every call in which every loop is left.
//! *Proof:* By (1), and by induction over what happens, the n-th token of a channel is that of the n-th run of its domain: joins, forks,
//! buffers and ports keep the order; a `cond_br` gives each side the tokens of the runs in which the condition says so; a `mux` on the same
//! condition takes exactly those; a `mux` on a register that begins with 0 and goes on with the condition of the loop takes one token from
//! around for each run, and then those that come back, and what leaves by the condition comes once for each run around. Each event, that a
//! token is offered or taken, therefore belongs to a run, and there are finitely many, as every loop is left. By (2) their waits have no
//! ring, so there is an order of all events in which each is behind those that it waits for; and one that waits for nothing any more
//! happens: `valid` is held until the token is taken, a buffer that has room keeps it until the one token that may come has come, and a
//! port, or what takes turns at a unit, that gives way does so finitely often. The operands of `handshake.return` are among what is offered. ∎
//! A request that meets the address of a store that waits for its data ([`waits`]) is behind the token that said that the address is known,
//! if it is ordered behind that store at all; this token counts as offered when the store is done, which is later than it is, so that each
//! such wait is among those of (2). Nothing in this hangs on how the graph was made. The lowering and the placement of buffers are not asked.
//!
//! A FIFO between loops has a token in every iteration of the loop that gives and of the one that takes, as many in a call: its `n_words`,
//! which the lowering says. So the n-th iterations of both, numbered through all calls, have the same token, and a wait for room leads as
//! many iterations back as there are slots; with room for all words of a call, to an earlier call. Loops with a common loop around them are
//! not numbered together, since which of its iterations words belong to is not known.
//!
//! **Streams** ([`streams`]). Where words come for ever, calls follow each other without an end to wait for: all waits above are there but
//! that of an argument for the results, so what has no ring of waits has none then. Each argument is taken again and again.
//!
//! **States** ([`states`]). A small graph that is not of that form is proved where every state that its control can reach has a way to the
//! end for some bits: there are finitely many, so a run in which every choice is made now and then ends.
//!
//! **Search** ([`search`]). A state in which nothing moves before the end, for some bits, is a deadlock. It is one of the graph without its
//! data: where a condition never is what the search took it for, as two of them are computed alike from the same data by different
//! operations, it may not happen.

mod behind;
mod domains;
mod edges;
mod iterations;
mod logic;
mod machine;
mod measures;
mod merging;
mod network;
mod phases;
mod ring;
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
use search::Standstill;
use states::Explored;

pub use iterations::{Iterated, Iterations, iterations};
pub(crate) use merging::{Choice, Order, orders};
pub use ring::{Lack, Waiting};

/// Whether a graph can come to a standstill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It comes to its end.
    Proved {
        /// How that is known.
        method: String,
    },
    /// There is a state from which it does not.
    Deadlock {
        /// What waits there: each for the next one.
        ring: Vec<Waiting>,
        /// Whether the last waits for the first; else for what never comes.
        is_ring: bool,
    },
    /// Neither is known.
    Unknown {
        /// Why.
        why: String,
    },
}

/// Whether the graph of a `handshake.func` can come to a standstill: before it returns, or, where it has streams, ever.
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

/// Whether words come and go for ever: not where a kernel is called, nor where a token without data starts a call and another ends it.
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

/// As [`prove`]; a graph of others that is not proved to give all its results in a call is judged as one with streams.
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

/// The parts of a graph with streams, each by itself.
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
    // A machine leaves loops whenever it likes, not after as many iterations as there are words.
    if network.nodes.iter().any(is_between_loops) {
        return Verdict::Unknown { why };
    }
    // What goes on with fewer slots does so with more: no operation of a machine chooses by time.
    let (small, is_smaller) = with_fewer_slots(network);
    let machine = match Machine::new(&small, is_endless) {
        Ok(machine) => machine,
        Err(loose) => {
            return Verdict::Unknown {
                why: format!("{why}; {loose}"),
            };
        }
    };
    let stuck = |found: &Standstill| match is_smaller {
        true => Verdict::Unknown {
            why: format!(
                "{why}; buffers were only looked at with {MOST_SLOTS} slots, and those can be too few"
            ),
        },
        false => deadlock(&machine, found),
    };
    if let Some(found) = search::standstill(&machine) {
        return stuck(&found);
    }
    // A machine lets every request pass at once: what stands still without such waits does with them, but not the other way round.
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

/// Slots of a buffer of which states are looked at.
const MOST_SLOTS: usize = 64;

/// A graph in which no buffer has more slots than that, and whether one had.
fn with_fewer_slots(network: &Network) -> (Network, bool) {
    let mut network = network.clone();
    let mut is_smaller = false;
    for node in &mut network.nodes {
        if let Kind::Buffer(buffer) = &mut node.kind
            && buffer.capacity > MOST_SLOTS.max(buffer.initial.len())
        {
            buffer.capacity = MOST_SLOTS.max(buffer.initial.len());
            is_smaller = true;
        }
    }
    (network, is_smaller)
}

fn deadlock(machine: &Machine<'_>, found: &Standstill) -> Verdict {
    let (ring, is_ring) = ring::ring(machine, found);
    Verdict::Deadlock { ring, is_ring }
}

/// The structural proof.
///
/// # Errors
/// The premise that does not hold, in words.
fn structure(network: &Network) -> Result<String, String> {
    let domains = domains::Domains::find(network)?;
    let mut waits = waits::waits(network, &domains);
    let met = behind::met(network, &domains, &waits).map_err(|load| {
        let name = &network.channels[load].name;
        format!("`{name}` may meet the address of a store that waits for it")
    })?;
    waits.extend(met);
    measures::take_apart(&domains, &waits).map_err(|events| {
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
    Ok(format!("no ring in {waits} of {channels} and {loops}"))
}

/// Whether the structure of every graph of a module proves that it comes to its end.
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

/// Proves every graph of a module that has not been proved by other means, and says so on its function.
///
/// # Errors
/// To `diagnostics`: every deadlock, with what waits; a warning where nothing is known, of a graph with streams a remark.
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
            Verdict::Deadlock { ring, is_ring } => {
                let at = ring.first().map_or(location, |waiting| waiting.location);
                let error = diagnostics.error(
                    at,
                    match is_ring {
                        true => "deadlock: these channels can wait for one another",
                        false if has_streams(view) => {
                            "deadlock: a word can wait for a token that does not come"
                        }
                        false => "deadlock: the results can wait for a token that does not come",
                    },
                );
                for waiting in ring {
                    error.note(waiting.location, waiting.to_string());
                }
            }
            Verdict::Unknown { why } => {
                let message =
                    format!("it is not known whether the graph can come to a standstill: {why}");
                // Who writes a graph with streams knows which words come, and a merge says nothing wrong.
                match view.attribute(sluice::ARGUMENTS).is_none() {
                    true => diagnostics.remark(location, message),
                    false => diagnostics.warning(location, message),
                };
            }
        }
    }
}
