//! Trials of buffer placings: cycles on the data, and the period and cells of the circuit.

use std::sync::Arc;

use rayon::prelude::*;
use sluice_dialects::seq;
use sluice_elastic::{Placing, Room};
use sluice_ir::text::{PrintOptions, print_module};
use sluice_ir::{Context, Diagnostics, Module, View};
use sluice_sequential::{Evidence, MAX_PROVED_BITS};
use sluice_sim::tokens::TokenSimulator;
use sluice_techmap::Mapped;

use super::before::{Counted, Placed};
use super::{Best, Chosen, Judged, Search, Time};
use crate::comparing::{CELLS, weight_of_clock};
use crate::setting::{MERGE_EQUAL_NETS, Step, manager};

/// A placing that is tried.
pub(super) struct Trial {
    placing: Placing,
    placed: Placed,
    mapped: Option<Mapped>,
}

impl Search<'_> {
    /// Tries placings that are independent of each other.
    pub(super) fn attempt_all(&mut self, all: &[Placing]) {
        let new = all.iter().filter(|placing| !self.tried.contains(placing));
        let new: Vec<Placing> = new.copied().collect();
        self.tried.extend(&new);
        let has_enough = self.seen.len() >= self.most_trials;
        if has_enough || self.is_great && self.evidence == Evidence::Runs {
            return;
        }
        // At least one placing is needed, even if the time is up.
        let watch = &self.context.limits.watch;
        if self.first.is_some() && watch.cut("other placings of buffers") {
            return;
        }
        let this = &*self;
        let placed: Vec<Vec<(usize, Placed)>> = alike_but_rooms(&new)
            .into_par_iter()
            .map(|alike| {
                let known = alike.iter().map(|i| this.before.placed(new[*i]).cloned());
                let placed = known.collect::<Option<Vec<Placed>>>().unwrap_or_else(|| {
                    let rooms: Vec<Room> = alike.iter().map(|i| new[*i].room).collect();
                    this.placed(new[alike[0]], &rooms)
                });
                alike.into_iter().zip(placed).collect()
            })
            .collect();
        let mut placed: Vec<(usize, Placed)> = placed.into_iter().flatten().collect();
        placed.sort_by_key(|(i, _)| *i);
        let mut others = Vec::new();
        for (i, placed) in placed {
            if self.comes_again {
                self.before.add_placed(new[i], &placed);
            }
            let text = Arc::clone(&placed.text);
            if self.seen.len() < self.most_trials && self.seen.insert(text) {
                others.push(Trial {
                    placing: new[i],
                    placed,
                    mapped: None,
                });
            }
        }
        let this = &*self;
        let timed: Vec<(Trial, Option<Counted>, Option<Time>)> = others
            .into_par_iter()
            .map(|trial| {
                let (counted, time) = this.time(&trial.placed);
                (trial, counted, time)
            })
            .collect();
        for (trial, counted, _) in &timed {
            if let Some(counted) = counted.filter(|_| self.comes_again) {
                self.before.add_run(&trial.placed.text, counted);
            }
        }
        let timed = timed.into_iter();
        let timed = timed.filter_map(|(trial, _, time)| Some((trial, time?)));
        let mut timed: Vec<(Trial, Time)> = timed.collect();
        // If some of the placings were run, the others deadlocked or take much longer: drop them.
        let is_run = timed.iter().any(|(_, time)| time.is_run);
        let rooms = self.rooms_where(is_run);
        timed.retain(|(trial, time)| time.is_run == is_run && rooms.contains(&trial.placing.room));
        let mut open = Vec::new();
        let least = timed.iter().map(|(_, time)| *time);
        let least = least.min_by(|a, b| a.cycles.total_cmp(&b.cycles));
        self.first = self.first.or(least);
        let is_outdone = outdone(&timed);
        for ((trial, time), is_outdone) in timed.into_iter().zip(is_outdone) {
            // A penalty for a missed clock cannot make a placing better.
            if time.cycles < self.most_cycles() && !is_outdone {
                open.push((trial, time));
            }
        }
        let is_worth = self.is_worth;
        if let (None, Some((trial, _))) = (is_worth, open.first_mut()) {
            let merged = self.map(trial);
            let n_bits = merged.nets.map_or(0, |nets| nets.n_bits);
            self.is_worth = Some(merged.left < WORTH && n_bits <= MAX_MERGED_BITS);
            self.is_great = n_bits > MAX_PROVED_BITS;
        }
        let this = &*self;
        let others = open.iter_mut().skip(usize::from(is_worth.is_none()));
        let others: Vec<&mut Trial> = others.map(|(trial, _)| trial).collect();
        others.into_par_iter().for_each(|trial| {
            this.map(trial);
        });
        for (trial, time) in &open {
            self.judge(trial, *time);
        }
    }

    /// Returns the graph with buffers placed for a placing, for each of the given rooms.
    pub(super) fn placed(&self, placing: Placing, rooms: &[Room]) -> Vec<Placed> {
        let (context, setting) = (self.context, self.setting);
        let tried = setting.with_placing(placing);
        let placed_for = tried.target();
        let mut circuit = self.graph.clone();
        let circuits = match self.is_exact() {
            true => {
                crate::exact_buffers::place_buffers(context, &mut circuit, &placed_for, &tried);
                vec![circuit]
            }
            false => sluice_elastic::place_buffers_for_rooms(context, circuit, &placed_for, rooms),
        };
        let placed = circuits.into_iter().map(|mut graph| {
            crate::depths::shorten(context, &mut graph, setting.top);
            Placed {
                text: print_module(context, &graph, &PrintOptions::default()).into(),
                graph: Arc::new(graph),
            }
        });
        placed.collect()
    }

    /// Returns the cycles below which a trial can be the best one.
    fn most_cycles(&self) -> f64 {
        let best = self.best.filter(|best| best.ends);
        best.map_or(f64::INFINITY, |best| best.cycles)
    }

    /// Keeps a trial if it is the best so far.
    fn judge(&mut self, trial: &Trial, time: Time) {
        let (Some(mapped), Some(first)) = (&trial.mapped, self.first) else {
            return;
        };
        let setting = self.setting;
        let period_ns = setting.device.factors.period.expect(mapped.period_ns).value;
        let missed = period_ns / setting.clock_period_ns;
        let misses = missed > 1.0;
        let cycles = time.cycles * weight_of_clock(missed);
        let n_cells = mapped.area.lut + mapped.area.ff;
        let cost = cycles * n_cells.max(1.0).powf(CELLS);
        self.judged.push(Judged {
            placing: trial.placing,
            cycles: time.cycles,
            cost,
        });
        let is_better = self.best.is_none_or(|best| cost < best.cost * ALIKE);
        let is_open = self.best.is_none_or(|best| !best.ends);
        if !is_better && !is_open {
            self.n_keeping += usize::from(!misses);
            return;
        }
        // A placing without a structural proof that it finishes is kept only while there is no other.
        let ends = sluice_elastic::is_proved_by_structure(self.context, &trial.placed.graph);
        self.n_keeping += usize::from(!misses && ends);
        if is_open && (ends || is_better) || is_better && ends {
            let chosen = Chosen {
                placing: trial.placing,
                near: None,
                is_enough: ends && !misses && time.cycles <= first.cycles,
                has_proved_nets: false,
            };
            self.best = Some(Best {
                cycles,
                cost,
                ends,
                keeps_clock: !misses,
                chosen,
            });
        }
    }

    /// Returns the cycles of a graph for the data. Without data, or if the first runs take too long, returns the mean interval of
    /// its loops instead. The time is `None` if a run fails although earlier ones did not, or takes longer than the best placing.
    /// The first result is that of the run, if there was one.
    fn time(&self, placed: &Placed) -> (Option<Counted>, Option<Time>) {
        let is_open = self.first.is_none_or(|first| first.is_run);
        let counted = is_open.then(|| self.run(placed)).flatten();
        let cycles = counted.and_then(|counted| counted.cycles);
        let cycles = cycles.and_then(|cycles| u32::try_from(cycles).ok());
        let time = match cycles.filter(|cycles| *cycles > 0) {
            Some(cycles) => Some(Time {
                cycles: f64::from(cycles),
                is_run: true,
            }),
            None if is_open && self.first.is_some() => None,
            None => Some(Time {
                cycles: sluice_elastic::mean_interval_cycles(self.context, &placed.graph),
                is_run: false,
            }),
        };
        (counted, time)
    }

    /// Runs all data sets and returns the sum of their cycles.
    fn run(&self, placed: &Placed) -> Option<Counted> {
        let known = self.before.run(&placed.text);
        let cycles = known.and_then(|known| known.within(self.most_run(known.n_channels)));
        if let (Some(known), Some(cycles)) = (known, cycles) {
            return Some(Counted { cycles, ..known });
        }
        let (graph, top) = (&placed.graph, self.setting.top);
        let mut simulator = TokenSimulator::new(self.context, graph, top).ok()?;
        let n_channels = u64::try_from(simulator.channels().len()).ok()?.max(1);
        let most_cycles = self.most_run(n_channels);
        let mut count = || -> Option<u64> {
            let mut cycles = 0;
            for arguments in self.data {
                let most_cycles = most_cycles.saturating_sub(cycles);
                cycles += simulator.count_cycles(arguments, most_cycles).ok()?;
            }
            Some(cycles)
        };
        Some(Counted {
            n_channels,
            most_cycles,
            cycles: count(),
        })
    }

    /// Returns the cycles after which a run of all data is stopped.
    fn most_run(&self, n_channels: u64) -> u64 {
        let best = self.most_cycles().ceil();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "cycles are whole, and more than fit are as good as any"
        )]
        let best = best as u64;
        best.min(MAX_CHANNEL_CYCLES / n_channels)
    }

    /// Maps the circuit of a trial, with equal nets merged if that is worth its time.
    fn map(&self, trial: &mut Trial) -> Merged {
        let (context, setting) = (self.context, self.setting);
        let mut circuit = Module::clone(&trial.placed.graph);
        let evidence = (self.is_worth != Some(false)).then_some(self.evidence);
        let merged = self.merged(&mut circuit, evidence);
        if !merged.found.has_errors() {
            trial.mapped = sluice_techmap::map(context, &circuit, setting.top, setting.device).ok();
        }
        merged
    }

    /// Turns a graph into a circuit; merges equal nets if evidence is given.
    pub(super) fn merged(&self, circuit: &mut Module, evidence: Option<Evidence>) -> Merged {
        let (context, setting) = (self.context, self.setting);
        let mut found = Diagnostics::new();
        let to_circuit = setting.order.circuit;
        let merging = to_circuit
            .iter()
            .position(|step| step.name == MERGE_EQUAL_NETS);
        let (to_circuit, behind) = to_circuit.split_at(merging.expect("the pass is in the list"));
        let trial = setting.trial();
        let mut run = |steps: &[Step], circuit: &mut Module| {
            manager(steps, &trial).run(context, circuit, &mut found, &mut |_, _| {});
            n_registers(context, circuit)
        };
        let n_before = run(to_circuit, circuit);
        let nets = evidence.map(|evidence| {
            sluice_sequential::merge_equal_nets(context, circuit, &[], evidence, &setting.proved)
        });
        let n_behind = run(&behind[1..], circuit);
        Merged {
            nets,
            left: f64::from(n_behind) / f64::from(n_before.max(1)),
            found,
        }
    }
}

/// Returns whether two placings differ in their rooms only.
fn is_alike(one: Placing, other: Placing) -> bool {
    let room = one.room;
    one == Placing { room, ..other }
}

/// Groups the indices of the placings that differ in their rooms only.
fn alike_but_rooms(all: &[Placing]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (i, placing) in all.iter().enumerate() {
        let known = found
            .iter_mut()
            .find(|alike| is_alike(all[alike[0]], *placing));
        match known {
            Some(alike) => alike.push(i),
            None => found.push(vec![i]),
        }
    }
    found
}

/// Returns for each trial whether another room makes its mapping unnecessary: the other room takes far fewer cycles, or it is
/// `Room::Least` and takes no more cycles than `Room::Kept`.
fn outdone(timed: &[(Trial, Time)]) -> Vec<bool> {
    let is_better = |one: &(Trial, Time), other: &(Trial, Time)| {
        let (placing, than) = (one.0.placing, other.0.placing);
        let spares = (placing.room, than.room) == (Room::Least, Room::Kept);
        let least = if spares { 1.0 } else { SLOWER };
        is_alike(placing, than) && placing != than && one.1.cycles * least <= other.1.cycles
    };
    timed
        .iter()
        .map(|than| timed.iter().any(|one| is_better(one, than)))
        .collect()
}

/// A circuit after the merging of equal nets.
pub(super) struct Merged {
    /// The result of the merging, if it was done.
    pub(super) nets: Option<sluice_sequential::Merged>,
    /// The share of registers that remain.
    left: f64,
    found: Diagnostics,
}

/// Counts the registers of a circuit, of any width.
fn n_registers(context: &Context, circuit: &Module) -> u32 {
    let modules = circuit.top_level_operations().into_iter();
    modules
        .map(|op| {
            let inner = circuit.inner().inner(op);
            let ops = inner.walk_all().into_iter();
            let registers = ops.filter(|op| {
                let name = View::new(context, inner, *op).name();
                name.starts_with(seq::Compreg::NAME)
            });
            u32::try_from(registers.count()).unwrap_or(u32::MAX)
        })
        .fold(0, u32::saturating_add)
}

/// The largest share of remaining registers at which merging equal nets is worth its time.
const WORTH: f64 = 0.9;

/// Maximum register bits of a circuit at which equal nets are merged in each trial: for larger circuits that takes seconds.
const MAX_MERGED_BITS: usize = 800;

/// Ratio of cycles to those with another room from which on a placing is not mapped.
const SLOWER: f64 = 1.05;

/// Limit of channels times cycles in a run of all data, which takes some hundredths of a second.
const MAX_CHANNEL_CYCLES: u64 = 1_000_000;

/// A cost must be below this share of another one to count as lower.
const ALIKE: f64 = 0.99;
