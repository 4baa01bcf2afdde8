//! The points of an exploration, compiled in parallel until all are done or an interrupt comes.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;
use sluice_flow::explore::{Inputs, Outcome, PointResult, evaluate};

use super::cache::Cache;
use super::note_known;
use crate::clock::with_time;
use crate::limiting::data_files;
use crate::output::Done;
use crate::processes::{end_on_interrupt, on_interrupt};

enum Event {
    Done(usize, Box<PointResult>),
    Interrupted,
}

/// The inputs again, and the result of each point.
pub(super) type Results = (Arc<Inputs>, Vec<Option<PointResult>>);

/// Compiles the points that the cache does not know; points that an interrupt left out have no result.
pub(super) fn run(pool: &ThreadPool, inputs: Inputs, cache: &Cache) -> Done<Results> {
    let mut results = cache.find_all(&inputs);
    let inputs = Arc::new(inputs);
    let n_all = results.len();
    let missing: Vec<usize> = (0..n_all).filter(|i| results[*i].is_none()).collect();
    note_known(n_all - missing.len(), n_all);
    let bar = bar(missing.len());
    let (tell, events) = channel();
    let interrupt = tell.clone();
    on_interrupt(move || {
        let _ = interrupt.send(Event::Interrupted);
    });
    let mut n_left = missing.len();
    for i in missing {
        let (inputs, tell) = (Arc::clone(&inputs), tell.clone());
        // Compilations that an interrupt finds running end with the process.
        pool.spawn(move || compile(&inputs, i, &tell));
    }
    while n_left > 0 {
        match events.recv() {
            Ok(Event::Done(i, result)) => {
                cache.keep(&inputs, &inputs.points[i], &result)?;
                results[i] = Some(*result);
                n_left -= 1;
                bar.inc(1);
            }
            Ok(Event::Interrupted) | Err(_) => break,
        }
    }
    bar.finish_and_clear();
    end_on_interrupt();
    Ok((inputs, results))
}

/// Shows how many of some points are done. A terminal shows the bar; a pipe stays quiet.
pub(super) fn bar(n_points: usize) -> ProgressBar {
    let bar = ProgressBar::new(u64::try_from(n_points).unwrap_or(0));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} points, {eta} left") {
        bar.set_style(style);
    }
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar
}

/// Compiles one point, within the time of one. A panic is a fault at this point, not the end of all others.
fn compile(inputs: &Inputs, i: usize, tell: &Sender<Event>) {
    let task = inputs.task();
    let run = AssertUnwindSafe(|| {
        with_time(&inputs.limits, false, |limits| {
            evaluate(task, &inputs.points[i], &mut data_files(limits), limits)
        })
    });
    let result = catch_unwind(run).unwrap_or_else(|panic| PointResult {
        outcome: Outcome::Failed {
            reason: format!("fault of Sluice: {}", message(&*panic)),
            is_internal: true,
        },
        files: BTreeMap::new(),
        is_cut: true,
    });
    // There is no receiver after an interrupt.
    let _ = tell.send(Event::Done(i, Box::new(result)));
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("panic")
}
