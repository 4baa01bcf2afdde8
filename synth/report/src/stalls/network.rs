//! Stall analysis of elastic circuits with the token simulator, which matches the circuit cycle by cycle.

use std::collections::BTreeMap;

use sluice_ir::View;
use sluice_kernel::compiled::Compiled;
use sluice_sim::testbench::banked;
use sluice_sim::tokens::{Cause, Cycle, Held, Holding, Iterated, TokenSimulator};
use sluice_verify::check::most_cycles;
use sluice_verify::data::Case;

use super::{Activation, DONE, LoopUse, Stalls, Use, share};
use crate::dataflow::{described, loop_title, maker, reason, simulator};

/// A graph with its loops.
struct Graph<'a> {
    function: View<'a>,
    channels: Vec<sluice_ir::ValueId>,
    loops: Vec<Iterated>,
    titles: Vec<String>,
    /// Nesting depth of each loop.
    depths: Vec<usize>,
}

impl<'a> Graph<'a> {
    fn new(
        compiled: &'a Compiled,
        function: View<'a>,
        tokens: &TokenSimulator<'_>,
    ) -> Result<(Self, Holding), String> {
        let found = sluice_elastic::iterations(function)?;
        let channels: Vec<_> = tokens.channels().iter().map(|c| c.value).collect();
        let of: Vec<_> = channels.iter().map(|c| found.of.get(c).copied()).collect();
        let number = |value| channels.iter().position(|channel| *channel == value);
        let mut loops = Vec::new();
        let mut titles: Vec<String> = Vec::new();
        for found in &found.loops {
            let starts = number(found.starts).ok_or("a loop has a register")?;
            let around = found.around;
            loops.push(Iterated { starts, around });
            let title = maker(function, found.starts).map(|view| loop_title(compiled, view));
            let title = title.unwrap_or_default();
            let of_title = |other: &&String| other.split(", copy ").next() == Some(&title);
            titles.push(match titles.iter().filter(of_title).count() {
                0 => title,
                n => format!("{title}, copy {}", n + 1),
            });
        }
        let depth = |number: usize| {
            let mut at: Option<usize> = Some(number);
            std::iter::from_fn(|| {
                at = loops[at?].around;
                at
            })
            .count()
        };
        let depths = (0..loops.len()).map(depth).collect();
        let holding = tokens.holding(&loops, &of);
        let graph = Self {
            function,
            channels,
            loops,
            titles,
            depths,
        };
        Ok((graph, holding))
    }

    /// Returns the use of a cycle by a loop, and the cause of its stall.
    fn used(&self, cycle: &Cycle<'_>, holding: &mut Holding, number: usize) -> (Use, Option<Held>) {
        let Some(held) = cycle.held(holding, number) else {
            return (Use::Begins, None);
        };
        let has_token = cycle.valid(self.loops[number].starts);
        let of = match held.cause {
            Cause::Nested(_) => Use::Nested,
            Cause::Outside if !held.needs_token => Use::Blocked,
            Cause::Outside if !has_token || cycle.is_before(holding, number) => Use::Outside,
            Cause::Port => Use::Port,
            _ if !has_token => Use::Decides,
            _ if held.is_recurrence => Use::Recurs,
            Cause::Turn => Use::Decides,
            Cause::Works if !held.needs_token => Use::Waits,
            _ if held.needs_token => Use::Lacks,
            _ => Use::Blocked,
        };
        (of, Some(held))
    }

    /// Describes the use of a cycle.
    fn words(&self, of: Use, held: Option<Held>, has_token: bool) -> String {
        let Some(held) = held else {
            return match of {
                Use::Done => DONE.to_owned(),
                _ => "an iteration begins".to_owned(),
            };
        };
        let what = self.cause(&held);
        match of {
            Use::Begins => "an iteration begins".to_owned(),
            Use::Done => DONE.to_owned(),
            Use::Recurs => format!("the iteration before: {what}"),
            Use::Decides if !has_token => format!("whether there is another iteration: {what}"),
            Use::Decides => format!("a choice: {what}"),
            Use::Lacks => format!("an operand: {what}"),
            Use::Blocked => format!("back-pressure: {what}"),
            Use::Drains => format!("the last iterations end: {what}"),
            Use::Nested | Use::Port => what,
            Use::Outside => "not under way".to_owned(),
            Use::Runs | Use::Between | Use::Waits | Use::Control => format!("waits for {what}"),
        }
    }

    fn cause(&self, held: &Held) -> String {
        let channel = self.channels[held.channel];
        let what = described(self.function, channel);
        let why = match reason(self.function, channel) {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        match held.cause {
            Cause::Works => what,
            Cause::Passes => format!("a register after {what}{why}"),
            Cause::Port => format!("another access has the port of {what}"),
            Cause::Full => format!("a full buffer after {what}{why}"),
            Cause::Turn => format!("the token that {what} names goes first"),
            Cause::Nested(number) => format!("{} is under way", self.titles[number]),
            Cause::Outside => format!("{what}, outside of the loop"),
            Cause::Gone => "what does not come again".to_owned(),
        }
    }
}

/// Key of a use of cycles by a loop, or by the whole circuit (`None`).
type Key = (Option<usize>, Use, Option<(Cause, usize)>, bool);

/// The state of the analysis of a run.
struct Look<'a, 's> {
    graph: Graph<'a>,
    holding: Holding,
    stalls: &'s mut Stalls,
    /// Index of each loop's table in `stalls`.
    places: Vec<usize>,
    /// Indices of the shares of the run and of its loops.
    known: [BTreeMap<Key, usize>; 2],
    /// The last activation of each loop: the share it showed, and its index.
    last: Vec<Option<(usize, usize)>>,
}

impl Look<'_, '_> {
    fn see(&mut self, cycle: &Cycle<'_>) {
        let at = self.stalls.n_cycles;
        let mut begun: Option<(usize, usize)> = None;
        let n_loops = self.graph.loops.len();
        let mut uses = Vec::with_capacity(n_loops);
        for number in 0..n_loops {
            let used = self.graph.used(cycle, &mut self.holding, number);
            if used.0 == Use::Begins {
                // Of the loops that begin an iteration, the innermost one; of several, the last one.
                begun = begun.max(Some((self.graph.depths[number], number)));
            }
            let has_token = cycle.valid(self.graph.loops[number].starts);
            self.account(number, used, has_token, at);
            uses.push((used, has_token));
        }
        let (of, (used, held), has_token) = match begun {
            Some((_, number)) => (Some(number), uses[number].0, true),
            None => self.held(cycle, &uses),
        };
        self.add(of, used, held, has_token);
    }

    /// Returns the use of a cycle in which no iteration begins.
    fn held(
        &mut self,
        cycle: &Cycle<'_>,
        uses: &[((Use, Option<Held>), bool)],
    ) -> (Option<usize>, (Use, Option<Held>), bool) {
        let Some((held, of)) = cycle.end_held(&mut self.holding) else {
            return (None, (Use::Control, None), true);
        };
        let of_function = match held.cause {
            Cause::Passes => Use::Runs,
            Cause::Port => Use::Port,
            Cause::Turn => Use::Decides,
            Cause::Full => Use::Blocked,
            Cause::Works | Cause::Nested(_) | Cause::Outside | Cause::Gone => Use::Waits,
        };
        match of {
            None => (None, (of_function, Some(held)), true),
            Some(number) if uses[number].0.0 == Use::Outside => {
                (of, (Use::Drains, Some(held)), true)
            }
            Some(number) => (of, uses[number].0, uses[number].1),
        }
    }

    /// Adds a cycle of the run.
    fn add(&mut self, of: Option<usize>, used: Use, held: Option<Held>, has_token: bool) {
        let key = (of, used, held.map(|h| (h.cause, h.channel)), has_token);
        let number = self.known[0].get(&key).copied().unwrap_or_else(|| {
            let words = match (used, held) {
                (Use::Control, None) => "the results are taken".to_owned(),
                _ => self.graph.words(used, held, has_token),
            };
            let title = match of {
                Some(number) => self.graph.titles[number].clone(),
                None => {
                    let name = self.graph.function.symbol_name().unwrap_or_default();
                    format!("function @{name}")
                }
            };
            share(&mut self.stalls.shares, &title, used, words)
        });
        self.known[0].insert(key, number);
        self.stalls.add(number, 1);
    }

    /// Adds a cycle of one loop.
    fn account(&mut self, of: usize, (used, held): (Use, Option<Held>), has_token: bool, at: u64) {
        let place = self.places[of];
        let table = &mut self.stalls.loops[place];
        let key = (
            Some(of),
            used,
            held.map(|h| (h.cause, h.channel)),
            has_token,
        );
        let number = self.known[1].get(&key).copied().unwrap_or_else(|| {
            let words = self.graph.words(used, held, has_token);
            share(&mut table.shares, &table.title, used, words)
        });
        self.known[1].insert(key, number);
        table.shares[number].n_cycles += 1;
        if used == Use::Outside {
            self.last[of] = None;
            return;
        }
        match self.last[of] {
            Some((shown, activation)) if shown == number => {
                self.stalls.activations[activation].n_cycles += 1;
            }
            _ => {
                self.last[of] = Some((number, self.stalls.activations.len()));
                self.stalls.activations.push(Activation {
                    block: table.title.clone(),
                    name: table.shares[number].words.clone(),
                    from: at,
                    n_cycles: 1,
                });
            }
        }
    }

    /// Adds the cycle of `done`.
    fn done(&mut self) {
        let at = self.stalls.n_cycles;
        for number in 0..self.graph.loops.len() {
            self.account(number, (Use::Outside, Some(NOTHING)), true, at);
        }
        self.add(None, Use::Done, None, true);
    }
}

/// The stall cause of a loop that nothing enters any more.
const NOTHING: Held = Held {
    cause: Cause::Outside,
    channel: 0,
    is_recurrence: false,
    needs_token: true,
    cycles: 0,
};

impl Stalls {
    /// Analyses a run of `n_cycles` of the graph of an elastic kernel.
    ///
    /// # Errors
    /// The reason why the graph cannot be run, or differs from the recorded circuit.
    pub(super) fn look_at_graph(
        &mut self,
        compiled: &Compiled,
        function: View<'_>,
        case: &Case,
        n_cycles: u64,
    ) -> Result<(), String> {
        let mut tokens = simulator(compiled)?;
        let (graph, holding) = Graph::new(compiled, function, &tokens)?;
        let mut places = Vec::new();
        for title in &graph.titles {
            let known = self.loops.iter().position(|known| known.title == *title);
            places.push(known.unwrap_or_else(|| {
                self.loops.push(LoopUse {
                    title: title.clone(),
                    shares: Vec::new(),
                });
                self.loops.len() - 1
            }));
        }
        let mut look = Look {
            last: vec![None; graph.loops.len()],
            graph,
            holding,
            stalls: self,
            places,
            known: [BTreeMap::new(), BTreeMap::new()],
        };
        let arguments = banked(&compiled.interface, &case.arguments);
        let ran = tokens.run_watched(&arguments, most_cycles(compiled), &mut |cycle| {
            look.see(cycle)
        });
        let ran = ran.map_err(|why| format!("graph: {why}"))?;
        look.done();
        let traffic = self.traffic.get_or_insert_default();
        traffic.add(function, &tokens, ran.outcome.cycles);
        match ran.outcome.cycles {
            found if found == n_cycles => Ok(()),
            found => Err(format!(
                "the graph takes {found} cycles, the circuit {n_cycles}"
            )),
        }
    }
}
