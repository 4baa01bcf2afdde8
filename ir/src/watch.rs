//! A watch over a run: its current stage, and whether its time is up. It holds no clock: its owner measures the time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A handle shared between the workers and the owner of the clock.
///
/// Searches among alternatives call [`Watch::is_up`] before each alternative, keep the best one so far and record with
/// [`Watch::cut`] the ones they skipped. All watches compare equal: a run gives the same result with or without one, until its
/// time is up.
#[derive(Clone, Default)]
pub struct Watch {
    stage: Arc<Mutex<String>>,
    alarm: Arc<Alarm>,
}

#[derive(Default)]
struct Alarm {
    is_up: AtomicBool,
    cuts: Mutex<Vec<String>>,
}

impl PartialEq for Watch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watch {}

impl Watch {
    /// Returns a watch for a part of the work, with its own time limit.
    pub fn of_part(&self) -> Self {
        Self {
            stage: Arc::clone(&self.stage),
            alarm: Arc::default(),
        }
    }

    /// Sets the current stage of the work.
    pub fn enter(&self, stage: &str) {
        let mut held = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        held.clear();
        held.push_str(stage);
    }

    /// Returns the current stage; empty before the first one.
    pub fn stage(&self) -> String {
        let held = self.stage.lock();
        held.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Signals that the time is up.
    pub fn ring(&self) {
        self.alarm.is_up.store(true, Ordering::Relaxed);
    }

    /// Returns true if the time is up.
    pub fn is_up(&self) -> bool {
        self.alarm.is_up.load(Ordering::Relaxed)
    }

    /// Returns true if the time is up; then records `what` as skipped, for [`Watch::cuts`].
    pub fn cut(&self, what: &str) -> bool {
        let is_up = self.is_up();
        if is_up {
            let held = self.alarm.cuts.lock();
            let mut held = held.unwrap_or_else(PoisonError::into_inner);
            if !held.iter().any(|known| known == what) {
                held.push(what.to_owned());
            }
        }
        is_up
    }

    /// Returns the work that was skipped because the time was up, sorted.
    pub fn cuts(&self) -> Vec<String> {
        let held = self.alarm.cuts.lock();
        let mut cuts = held.unwrap_or_else(PoisonError::into_inner).clone();
        cuts.sort();
        cuts
    }
}
