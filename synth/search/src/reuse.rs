//! Choice of the values that are kept in registers and local memories. Trial schedules decide, since only they show which ports
//! limit the loops.
//!
//! Candidates are windows on all innermost loops, and copies that leave one read of each memory in each of these loops, filled in
//! several ways. They are tried with the spacings of nests that were chosen without them, and with wider ones. From the best
//! trial, each copy that saves little is removed again.

use rayon::prelude::*;
use sluice_config::ReuseChoice;
use sluice_dialects::sluice::{FLATTEN, NEST, PHASES, ROWS, SPACING, WINDOW};
use sluice_dialects::{func, scf, sluice};
use sluice_ir::passes::named;
use sluice_ir::{Body, Context, Diagnostics, Exact, Module, OperationId, View};
use sluice_kernel::choices;
use sluice_transform::{
    CopyChoice, CopySizes, FillPolicy, ReadGroup, copies_of_all, local_bits, window_loops,
};

use crate::loops::loops;
use crate::setting::Setting;
use crate::trial::trial;

/// All reuse together must save at least one in this many cycles of the kernel, unless the user asked for `always`.
const SHARE: i64 = 16;

/// The same limit if iterations are already cut into steps to spread the uses of a port: a copy costs more than the steps.
const SHARE_OF_PHASES: i64 = 4;

/// A copy must save at least one in this many cycles.
const COPY_SHARE: i64 = 32;

/// Ways to fill copies, in the order of preference.
const FILL_POLICIES: [FillPolicy; 4] = [
    FillPolicy::Never,
    FillPolicy::Inner,
    FillPolicy::Outer,
    FillPolicy::Whole,
];

/// Number of candidates that are also tried with wider spacings: those with the fewest cycles at the chosen spacings.
const MAX_SPACED: usize = 4;

/// Maximum number of wider spacings that are tried, one after the other.
const MAX_STEPS: usize = 4;

/// A function with windows, and copies that may be requested in it.
struct Trial {
    windows: Module,
    copies: Vec<CopyChoice>,
    /// The module with windows and copies.
    module: Module,
    cycles: Exact,
    bits: u64,
}

/// Results of a trial schedule.
#[derive(Clone, Copy)]
struct Measure {
    cycles: Exact,
    /// Cycles if units and ports were the only limit of the loops whose latency they decide.
    least: Exact,
    /// The largest II that units and ports alone require.
    resource_ii: i64,
}

/// Chooses the reuse that pays, and returns whether there is any. `finish` brings a module from this point into the scheduled
/// form.
///
/// A kernel of unknown latency is not changed.
pub fn choose(
    context: &Context,
    module: &mut Module,
    setting: &Setting<'_>,
    finish: &(dyn Fn(&mut Module, &mut Diagnostics) + Sync),
) -> bool {
    let wish = setting.config.reuse;
    if wish.choice == ReuseChoice::Off {
        return false;
    }
    let search = Search {
        context,
        top: setting.top,
        finish,
        sizes: setting.copy_sizes(),
        is_eager: wish.choice == ReuseChoice::Always,
    };
    let mut keeps = false;
    for function in named(context, module, func::Func::NAME) {
        keeps |= search.function(module, function);
    }
    keeps
}

struct Search<'a> {
    context: &'a Context,
    top: &'a str,
    finish: &'a (dyn Fn(&mut Module, &mut Diagnostics) + Sync),
    sizes: CopySizes,
    is_eager: bool,
}

impl Search<'_> {
    fn function(&self, module: &mut Module, function: OperationId) -> bool {
        let all = self.candidates(module, function);
        if all.is_empty() {
            return false;
        }
        let Some(before) = self.measure(module) else {
            return false;
        };
        let is_spread = before.resource_ii <= 1;
        if is_spread && !self.has_phases(module) {
            return false;
        }
        let share = |share: i64| {
            let part = before.cycles.divided_down(share).unwrap_or_default();
            match self.is_eager {
                true => Exact::ONE,
                false => part.max(Exact::ONE),
            }
        };
        let wanted = share(if is_spread { SHARE_OF_PHASES } else { SHARE });
        let enough = before.cycles.minus(wanted);
        let mut best: Option<Trial> = None;
        let mut measured: Vec<_> = all
            .into_par_iter()
            .filter_map(|candidate| Some((self.measure(&candidate.2)?, candidate)))
            .filter(|(measure, _)| measure.least < before.cycles)
            .collect();
        measured.sort_by_key(|(measure, _)| measure.cycles);
        for (_, (windows, copies, trial)) in measured.into_iter().take(MAX_SPACED) {
            let most = best.as_ref().map_or(before.cycles, |best| best.cycles);
            let most = most.minus(1);
            let Some((module, cycles)) = self.spaced(trial, most) else {
                continue;
            };
            let bits = local_bits(self.context, module.inner().inner(function));
            let key = |trial: &Trial| (trial.cycles, trial.bits);
            let trial = Trial {
                windows,
                copies,
                module,
                cycles,
                bits,
            };
            if best.as_ref().is_none_or(|best| key(&trial) < key(best)) {
                best = Some(trial);
            }
        }
        // Without some of its copies, the kernel may even be faster.
        if let Some(mut best) = best {
            self.give_up_copies(&mut best, function, share(COPY_SHARE));
            if best.cycles <= enough {
                let read = self.read_from_copies(&best, function);
                *module = best.module;
                if !read.is_empty() {
                    let sentence = format!("reads of {} come from copies", read.join(", "));
                    choices::note(self.context, module, function, &sentence);
                }
                return true;
            }
        }
        false
    }

    /// Returns the names of the arrays that are read from copies.
    fn read_from_copies(&self, best: &Trial, function: OperationId) -> Vec<String> {
        let body = best.windows.inner().inner(function);
        let reads = best.copies.iter().flat_map(|copy| copy.reads());
        let named = |read: &OperationId| {
            let name = body.value_name(body.operand(*read, 0))?;
            Some(format!("%{}", self.context.text(name)))
        };
        let mut names: Vec<String> = reads.filter_map(named).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Returns whether iterations were cut into several steps because a unit or port is used several times.
    fn has_phases(&self, module: &Module) -> bool {
        let mut all = loops(self.context, module).into_iter();
        all.any(|(function, op)| {
            let body = module.inner().inner(function);
            let phases = body.attribute_named(self.context, op, PHASES);
            phases.and_then(|phases| phases.as_i64(self.context)) > Some(0)
        })
    }

    /// Drops the copies that save less than `least` cycles each, the last ones first.
    fn give_up_copies(&self, best: &mut Trial, function: OperationId, least: Exact) {
        let mut position = best.copies.len();
        while position > 0 && best.copies.len() > 1 {
            position -= 1;
            let mut fewer = best.copies.clone();
            fewer.remove(position);
            let Some(trial) = self.with_copies(&best.windows, function, &fewer) else {
                continue;
            };
            if let Some((module, cycles)) = self.spaced(trial, best.cycles.plus(least).minus(1))
                && cycles.minus(best.cycles) < least
            {
                best.copies = fewer;
                best.cycles = cycles;
                best.module = module;
            }
        }
    }

    /// Returns the module with the spacings that take the fewest cycles, with its nests flattened as before or kept apart; `None`
    /// if it certainly needs more than `most` cycles.
    fn spaced(&self, module: Module, most: Exact) -> Option<(Module, Exact)> {
        let flat = self.widened(module.clone(), most)?;
        let mut apart = module;
        if !self.keep_nests_apart(&mut apart) {
            return Some(flat);
        }
        let apart = self.widened(apart, most.min(flat.1.minus(1)));
        Some(apart.filter(|(_, cycles)| *cycles < flat.1).unwrap_or(flat))
    }

    /// Keeps the loops of all outermost nests apart, and returns whether anything changed.
    fn keep_nests_apart(&self, module: &mut Module) -> bool {
        self.change_loops(module, &|body, op| {
            let is_loop =
                |body: &Body, op| View::new(self.context, body, op).name() == scf::For::NAME;
            let is_nest = body.attribute_named(self.context, op, NEST).is_some();
            let is_outermost = body.parent_operation(op).is_none();
            let inside = body.walk(op);
            let has_loops = inside
                .into_iter()
                .any(|inner| inner != op && is_loop(body, inner));
            let is_apart = body.attribute_named(self.context, op, FLATTEN).is_some();
            let wanted = is_nest && is_outermost && has_loops && !is_apart;
            if wanted {
                let no = self.context.bool_attribute(false);
                body.set_attribute(op, self.context.name(FLATTEN), no);
            }
            wanted
        })
    }

    /// Returns the module with the spacings that take the fewest cycles; `None` if it certainly needs more than `most` cycles.
    fn widened(&self, module: Module, most: Exact) -> Option<(Module, Exact)> {
        let measure = self.measure(&module)?;
        let mut best = (module.clone(), measure.cycles);
        if measure.least > most {
            return None;
        }
        let mut wider = module;
        let mut waits = measure.cycles > measure.least;
        for _ in 0..MAX_STEPS {
            if !waits {
                break;
            }
            let context = self.context;
            let changed = self.change_loops(&mut wider, &|body, op| {
                let mut changed = false;
                for key in [SPACING, ROWS] {
                    let known = body.attribute_named(context, op, key);
                    if let Some(known) = known.and_then(|a| a.as_i64(context)) {
                        body.set_attribute(op, context.name(key), context.i64_attribute(known + 1));
                        changed = true;
                    }
                }
                changed
            });
            let Some(measure) = self.measure(&wider).filter(|_| changed) else {
                break;
            };
            if measure.cycles >= best.1 {
                break;
            }
            best = (wider.clone(), measure.cycles);
            waits = measure.cycles > measure.least;
        }
        Some(best)
    }

    /// Applies `change` to every loop, and returns whether any loop changed.
    fn change_loops(
        &self,
        module: &mut Module,
        change: &dyn Fn(&mut Body, OperationId) -> bool,
    ) -> bool {
        let mut changed = false;
        for (function, op) in loops(self.context, module) {
            changed |= change(module.inner_mut().inner_mut(function), op);
        }
        changed
    }

    fn measure(&self, module: &Module) -> Option<Measure> {
        let trial = trial(self.context, module, self.top, self.finish)?;
        let (trial, cycles) = (trial.module, trial.cycles?);
        let mut measure = Measure {
            cycles,
            least: cycles,
            resource_ii: 1,
        };
        for function in named(self.context, &trial, func::Func::NAME) {
            let body = trial.inner().inner(function);
            for op in body.walk_all() {
                let number = |name: &str| {
                    body.attribute_named(self.context, op, name)?
                        .as_i64(self.context)
                };
                let Some(ii) = number(sluice::II) else {
                    continue;
                };
                let resource_ii = number(sluice::RESOURCE_BOUND).unwrap_or(ii);
                measure.resource_ii = measure.resource_ii.max(resource_ii);
                // Loops that wait for values may wait less with wider spacings.
                if ii > resource_ii {
                    let steps = body.attribute_named(self.context, op, sluice::TRIP_COUNT);
                    let steps = steps.and_then(|steps| steps.as_exact(self.context));
                    let is_entered_once = body.parent_operation(op).is_none();
                    measure.least = match steps.filter(|_| is_entered_once) {
                        Some(steps) => {
                            let saved = Exact::from(ii).minus(resource_ii).times(steps);
                            measure.least.minus(saved)
                        }
                        None => Exact::ZERO,
                    };
                }
            }
        }
        Some(measure)
    }

    /// Returns the candidates with windows, copies or both, without duplicates, each with its windows and its copies.
    fn candidates(
        &self,
        module: &Module,
        function: OperationId,
    ) -> Vec<(Module, Vec<CopyChoice>, Module)> {
        let mut seen = vec![sluice_kernel::compiled::text(self.context, module)];
        let mut found = Vec::new();
        for (at, windows) in self.with_windows(module, function).into_iter().enumerate() {
            // The first values of windows are also read before loops, and are not worth copies.
            let read_groups: &[ReadGroup] = match at {
                0 => &[ReadGroup::Inner, ReadGroup::WithFront],
                _ => &[ReadGroup::Inner],
            };
            let all = read_groups
                .iter()
                .flat_map(|read_group| FILL_POLICIES.map(|policy| Some((*read_group, policy))));
            let ways: Vec<Option<(ReadGroup, FillPolicy)>> =
                std::iter::once(None).chain(all).collect();
            let with = |way: Option<(ReadGroup, FillPolicy)>| {
                let body = windows.inner().inner(function);
                let copies = |(read_group, policy)| {
                    copies_of_all(self.context, body, read_group, policy, self.sizes)
                };
                let copies = way.map_or_else(Vec::new, copies);
                let trial = self.with_copies(&windows, function, &copies)?;
                Some((copies, trial))
            };
            let trials: Vec<_> = ways.into_par_iter().filter_map(with).collect();
            for (copies, trial) in trials {
                let text = sluice_kernel::compiled::text(self.context, &trial);
                if !seen.contains(&text) {
                    seen.push(text);
                    found.push((windows.clone(), copies, trial));
                }
            }
        }
        found
    }

    /// Returns the unchanged function, the one with windows of loads, and the one with windows of stores too.
    fn with_windows(&self, module: &Module, function: OperationId) -> Vec<Module> {
        let (loads, all) = window_loops(self.context, module.inner().inner(function));
        let mut found = vec![module.clone()];
        for (loops, sources) in [(loads, "loads"), (all, "all")] {
            if loops.is_empty() {
                continue;
            }
            let mut with = module.clone();
            let body = with.inner_mut().inner_mut(function);
            for op in loops {
                let sources = self.context.string_attribute(sources);
                body.set_attribute(op, self.context.name(WINDOW), sources);
            }
            found.extend(self.obeyed(with, function));
        }
        found
    }

    fn with_copies(
        &self,
        module: &Module,
        function: OperationId,
        copies: &[CopyChoice],
    ) -> Option<Module> {
        let mut with = module.clone();
        let body = with.inner_mut().inner_mut(function);
        for (number, copy) in (0..).zip(copies) {
            copy.ask(self.context, body, number);
        }
        self.obeyed(with, function)
    }

    fn obeyed(&self, mut module: Module, function: OperationId) -> Option<Module> {
        let body = module.inner_mut().inner_mut(function);
        let mut found = Diagnostics::new();
        sluice_transform::reuse(self.context, body, self.sizes, &mut found);
        (!found.has_errors()).then_some(module)
    }
}
