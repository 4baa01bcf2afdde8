//! A watch over a run: what is being done, and whether the time for it is up. It holds no clock: its owner has one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A handle that is shared between those who work and the one who looks at the clock.
///
/// Searches among alternatives ask [`Watch::is_up`] before each one, keep the best so far and say with [`Watch::cut`] what they
/// left out. Two watches are equal always: a run gives the same with or without one, until its time is up.
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
    /// Returns a watch over a part of the work, with a time of its own.
    pub fn of_part(&self) -> Self {
        Self {
            stage: Arc::clone(&self.stage),
            alarm: Arc::default(),
        }
    }

    /// Says what is being done from now on.
    pub fn enter(&self, stage: &str) {
        let mut held = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        held.clear();
        held.push_str(stage);
    }

    /// What is being done; empty before anything was said.
    pub fn stage(&self) -> String {
        let held = self.stage.lock();
        held.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The time is up.
    pub fn ring(&self) {
        self.alarm.is_up.store(true, Ordering::Relaxed);
    }

    /// Returns true if the time is up.
    pub fn is_up(&self) -> bool {
        self.alarm.is_up.load(Ordering::Relaxed)
    }

    /// Returns true if the time is up for something; if so, that is kept for [`Watch::cuts`].
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

    /// What was left out because the time was up, sorted.
    pub fn cuts(&self) -> Vec<String> {
        let held = self.alarm.cuts.lock();
        let mut cuts = held.unwrap_or_else(PoisonError::into_inner).clone();
        cuts.sort();
        cuts
    }
}
