//! Expectations of a data file that are not met: where each is written, and the cause as far as it is known.

use sluice_kernel::compiled::Compiled;
use sluice_report::loops::{PipelinedLoop, dominant_loop, pipelined_loops};
use sluice_report::stalls::{Share, Stalls};
use sluice_verify::check::{Figure, Unmet, watch};
use sluice_verify::circuit::Observe;
use sluice_verify::data::Case;

/// Cycles up to which a run is recorded once more to say what they were spent on.
const MAX_RECORDED_CYCLES: u64 = 200_000;

/// Why a figure is what it is, in lines of their own; nothing where that is not known.
pub(super) fn cause(compiled: &Compiled, unmet: &Unmet, cases: &[Case], cycles: &[u64]) -> String {
    let lines = match &unmet.figure {
        Figure::Latency => {
            let run = unmet.data_sets.first().and_then(|i| {
                let (case, cycles) = (cases.get(*i)?, *cycles.get(*i)?);
                Some((case, cycles))
            });
            latency_cause(compiled, run)
        }
        Figure::Interval(Some(name)) => {
            let loops = pipelined_loops(compiled);
            let of = loops.iter().find(|of| of.name == *name);
            of.map(|of| format!("{}: {}", of.title(), of.culprit))
        }
        Figure::Interval(None) => None,
    };
    lines.map_or_else(String::new, |lines| format!("\n{lines}"))
}

/// The loop that takes most of the cycles of a run, and why it takes them.
pub(super) fn latency_cause(compiled: &Compiled, run: Option<(&Case, u64)>) -> Option<String> {
    let loops = pipelined_loops(compiled);
    let run = run.filter(|(_, cycles)| *cycles <= MAX_RECORDED_CYCLES);
    if let Some((case, n_cycles)) = run
        && let Ok((_, mut simulator)) = watch(compiled, case, Observe::Signals)
    {
        let mut stalls = Stalls::default();
        let looked = stalls.look(compiled, case, &mut simulator, n_cycles);
        if looked.is_ok()
            && let Some(found) = of_shares(&stalls.shares, &loops, n_cycles)
        {
            return Some(found);
        }
    }
    dominant_loop(&loops).map(PipelinedLoop::cycles_explained)
}

/// The block with the most cycles, and what most of these were spent on.
fn of_shares(shares: &[Share], loops: &[PipelinedLoop], n_cycles: u64) -> Option<String> {
    let sum = |block: &str| -> u64 {
        let own = shares.iter().filter(|share| share.block == block);
        own.map(|share| share.n_cycles).sum()
    };
    let most = shares.iter().map(|share| (sum(&share.block), &share.block));
    let (n_own, block) = most.reduce(|best, next| match next.0 > best.0 {
        true => next,
        false => best,
    })?;
    let mut text = format!("{block} takes {n_own} of the {n_cycles} cycles");
    let of = loops
        .iter()
        .find(|of| block.ends_with(&format!(" at {}", of.place)));
    if let Some(of) = of {
        text += &format!(": depth {}, {}", of.depth_cycles, of.culprit);
    } else {
        let own = shares.iter().filter(|share| share.block == *block);
        let largest = own.max_by_key(|share| share.n_cycles)?;
        text += &format!("; in {} of them: {}", largest.n_cycles, largest.words);
    }
    Some(text)
}
