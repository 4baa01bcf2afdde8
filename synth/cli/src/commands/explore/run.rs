//! The points of an exploration, compiled in parallel until all are done or an interrupt comes.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;
use sluice_flow::explore::{Outcome, Point, PointResult, Task, evaluate};
use sluice_ir::limits::Limits;

use super::cache::Cache;
use super::note_known;
use crate::clock::with_time;
use crate::limiting::data_files;
use crate::output::Done;
use crate::processes::{end_on_interrupt, on_interrupt};

/// The input that all points share, and the points.
pub(super) struct Shared {
    pub(super) source: String,
    pub(super) file: String,
    /// Text and name of the data file.
    pub(super) data: Option<(String, String)>,
    pub(super) points: Vec<Point>,
    pub(super) limits: Limits,
}

impl Shared {
    /// The task of each point.
    pub(super) fn task(&self) -> Task<'_> {
        let data = self.data.as_ref();
        Task {
            source: &self.source,
            file: &self.file,
            data: data.map(|(text, name)| (text.as_str(), name.as_str())),
        }
    }
}

enum Event {
    Done(usize, Box<PointResult>),
    Interrupted,
}

/// Compiles the points that the cache does not know; points that an interrupt left out have no result.
pub(super) fn run(
    pool: &ThreadPool,
    shared: Shared,
    cache: &Cache,
) -> Done<(Arc<Shared>, Vec<Option<PointResult>>)> {
    let mut results: Vec<Option<PointResult>> = shared
        .points
        .iter()
        .map(|point| cache.find(&shared, point))
        .collect();
    let shared = Arc::new(shared);
    let n_all = results.len();
    let missing: Vec<usize> = (0..n_all).filter(|i| results[*i].is_none()).collect();
    note_known(n_all - missing.len(), n_all);
    let bar = ProgressBar::new(u64::try_from(missing.len()).unwrap_or(0));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} points, {eta} left") {
        bar.set_style(style);
    }
    // A terminal shows the bar; a pipe stays quiet.
    bar.set_draw_target(ProgressDrawTarget::stderr());
    let (tell, events) = channel();
    let interrupt = tell.clone();
    on_interrupt(move || {
        let _ = interrupt.send(Event::Interrupted);
    });
    let mut n_left = missing.len();
    for i in missing {
        let (shared, tell) = (Arc::clone(&shared), tell.clone());
        // Compilations that an interrupt finds running end with the process.
        pool.spawn(move || compile(&shared, i, &tell));
    }
    while n_left > 0 {
        match events.recv() {
            Ok(Event::Done(i, result)) => {
                cache.keep(&shared, &shared.points[i], &result)?;
                results[i] = Some(*result);
                n_left -= 1;
                bar.inc(1);
            }
            Ok(Event::Interrupted) | Err(_) => break,
        }
    }
    bar.finish_and_clear();
    end_on_interrupt();
    Ok((shared, results))
}

/// Compiles one point, within the time of one. A panic is a fault at this point, not the end of all others.
fn compile(shared: &Shared, i: usize, tell: &Sender<Event>) {
    let task = shared.task();
    let run = AssertUnwindSafe(|| {
        with_time(&shared.limits, false, |limits| {
            evaluate(task, &shared.points[i], &mut data_files(limits), limits)
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
