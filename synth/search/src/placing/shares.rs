//! Which shares of the period are tried, in which order.

use std::iter;

use sluice_elastic::{Backs, Placing, Room};

use super::Search;

/// Shares with ways of `ready` that are not cut.
pub(super) fn uncut(path: f64) -> Shares {
    (path, UNCUT)
}

/// The same share for both.
pub(super) fn alike(path: f64) -> Shares {
    (path, path)
}

/// Shares of the period for paths and for ways of `ready`.
pub(super) type Shares = (f64, f64);

impl Search<'_> {
    /// Tries like shares for both, first with ways of `ready` that are not cut.
    pub(super) fn go_through_all(&mut self) {
        self.go_through(&self.thinned(&UNCUT_SHARES.map(uncut)));
        self.go_through(&self.thinned(&PATH_SHARES.map(alike)));
        // Slots that the clock does not ask for may save cycles where an iteration takes one of several ways.
        let are_open = !self.is_regular && !self.is_brief;
        if let Some(best) = self.best.filter(|_| are_open) {
            let backs = [best.chosen.placing.backs];
            self.attempt_shares(&self.thinned(&SLOT_SHARES.map(alike)), &backs, self.rooms());
        }
    }

    /// Tries shares in their order until the clock is kept and none takes fewer cycles, unless nothing better is to be found; two at a time behind
    /// the first, with which it is found out what is best where tokens of loops come back.
    pub(super) fn go_through(&mut self, all: &[Shares]) {
        let n_keeping = self.n_keeping;
        let (first, others) = all.split_at(all.len().min(1));
        for shares in iter::once(first).chain(others.chunks(2)) {
            let is_enough = self.best.is_some_and(|best| best.chosen.is_enough);
            let keeps = n_keeping < self.n_keeping && (self.is_exact() || self.near().is_none());
            if is_enough || keeps {
                break;
            }
            let rooms = self.rooms();
            match self.best.map(|best| best.chosen.placing.backs) {
                Some(backs) => self.attempt_shares(shares, &[backs], rooms),
                // A programme chooses that itself.
                None if self.is_exact() || self.is_brief => {
                    self.attempt_shares(shares, &BACKS[..1], rooms)
                }
                None => self.attempt_shares(shares, &BACKS, &rooms[..rooms.len().min(FIRST_ROOMS)]),
            }
        }
    }

    /// Tries shares with each of some ways to hold `ready` where tokens of loops come back, and to let tokens wait.
    fn attempt_shares(&mut self, all: &[Shares], backs: &[Backs], rooms: &[Room]) {
        let mut placings = Vec::new();
        for (path_share, ready_share) in all {
            let path_share = self.tightest(*path_share);
            for room in rooms {
                placings.extend(backs.iter().map(|backs| Placing {
                    path_share,
                    ready_share: *ready_share,
                    backs: *backs,
                    room: *room,
                }));
            }
        }
        self.attempt_all(&placings);
    }

    /// What is tried of buffers for throughput.
    fn rooms(&self) -> &'static [Room] {
        let is_run = self.first.map(|first| first.is_run);
        self.rooms_where(is_run.unwrap_or(!self.data.is_empty()))
    }

    /// The same where the data are run, or not: intervals do not say what a token costs that waits now and then.
    pub(super) fn rooms_where(&self, is_run: bool) -> &'static [Room] {
        match () {
            () if self.is_exact() || self.is_brief => &[Room::Kept],
            () if is_run => &ROOMS,
            () if self.is_regular => &[Room::Kept, Room::Least],
            () => &[Room::Kept],
        }
    }

    /// A share for paths as tight as no loop is slower by it, as far as that is between it and the next one that is tried.
    fn tightest(&mut self, path_share: f64) -> f64 {
        let known = self
            .before
            .tight
            .iter()
            .find(|(share, _)| *share == path_share);
        if let Some((_, tight)) = known {
            return *tight;
        }
        let next = PATH_SHARES.iter().find(|share| **share < path_share);
        let tight = next.and_then(|next| {
            let (placed_for, range) = (self.setting.target(), (path_share, *next));
            sluice_elastic::tightest_path_share(self.context, self.graph, &placed_for, range)
        });
        let tight = tight.unwrap_or(path_share);
        self.before.tight.push((path_share, tight));
        tight
    }

    /// Of shares that follow each other those that are tried, the first and the last one among them.
    fn thinned<T: Copy>(&self, all: &[T]) -> Vec<T> {
        let Some((last, others)) = all.split_last() else {
            return Vec::new();
        };
        let kept = others.iter().step_by(self.stride);
        kept.chain(iter::once(last)).copied().collect()
    }

    /// Tries what is near to the best of some placings, as long as that helps.
    pub(super) fn go_around(&mut self, start: Placing) {
        let best = |search: &Self| search.best.map_or(start, |best| best.chosen.placing);
        let others = BACKS.into_iter().filter(|backs| *backs != start.backs);
        let others = others.map(|backs| Placing { backs, ..start });
        self.attempt_all(&iter::once(start).chain(others).collect::<Vec<_>>());
        for _ in 0..MOST_ROUNDS.div_ceil(self.stride) {
            let before = best(self);
            let ready_shares = self.thinned(&READY_SHARES).into_iter();
            let placings = ready_shares.map(|ready_share| Placing {
                ready_share,
                ..before
            });
            self.attempt_all(&placings.collect::<Vec<_>>());
            let now = best(self);
            let path_shares = self.thinned(&PATH_SHARES).into_iter();
            let placings = path_shares.map(|share| Placing {
                path_share: self.tightest(share),
                ..now
            });
            let placings = placings.collect::<Vec<_>>();
            self.attempt_all(&placings);
            let now = best(self);
            self.attempt_all(&BACKS.map(|backs| Placing { backs, ..now }));
            let now = best(self);
            let rooms = self.rooms().iter();
            let placings = rooms.map(|room| Placing { room: *room, ..now });
            self.attempt_all(&placings.collect::<Vec<_>>());
            if best(self) == before {
                break;
            }
        }
        let fine_steps: &[_] = if self.stride == 1 { &FINE_STEPS } else { &[] };
        for steps in fine_steps {
            let now = best(self);
            self.attempt_all(&steps.map(|(path, ready)| Placing {
                path_share: now.path_share * path,
                ready_share: now.ready_share * ready,
                ..now
            }));
        }
    }

    /// Tries tighter shares for paths than those of a placing which misses the clock, with all that may stand where tokens of loops come back.
    pub(super) fn go_near(&mut self, near: Placing) {
        let are_near = LEAST_NEAR..=near.path_share.max(1.0);
        let shares = PATH_SHARES.into_iter();
        let shares: Vec<f64> = shares.filter(|share| are_near.contains(share)).collect();
        let mut placings = Vec::new();
        for share in self.thinned(&shares) {
            let path_share = self.tightest(share);
            placings.extend(BACKS.map(|backs| Placing {
                path_share,
                backs,
                ..near
            }));
        }
        self.attempt_all(&placings);
    }

    /// If the best one keeps the clock: of what misses it in fewer cycles, that which costs least.
    pub(super) fn near(&self) -> Option<Placing> {
        let best = self.best.filter(|best| best.keeps_clock)?;
        let judged = self.judged.iter();
        let near = judged.filter(|judged| judged.cycles < FEWER * best.cycles);
        let near = near.min_by(|a, b| a.cost.total_cmp(&b.cost));
        near.map(|judged| judged.placing)
    }
}

/// What is tried where tokens of loops come back.
const BACKS: [Backs; 3] = [Backs::Registers, Backs::Slots, Backs::EarlySlots];

/// Shares that are tried, the greatest first.
pub(super) const PATH_SHARES: [f64; 10] = [4.0, 2.8, 2.0, 1.6, 1.35, 1.15, 1.0, 0.85, 0.7, 0.55];

/// Those that are tried while ways of `ready` are not cut.
const UNCUT_SHARES: [f64; 6] = [4.0, 2.8, 2.0, 1.35, 1.0, 0.85];

/// Shares for ways of `ready` that are tried with a share for paths.
const READY_SHARES: [f64; 7] = [4.0, 2.0, 1.35, 1.0, 0.85, 0.7, 0.55];

/// What is tried of buffers for throughput, the first ones to begin with.
const ROOMS: [Room; 3] = [Room::Kept, Room::Registers, Room::Least];

const FIRST_ROOMS: usize = 2;

/// Shares with which slots hold `ready` more often than the clock asks for.
const SLOT_SHARES: [f64; 2] = [2.0, 1.35];

/// The share of cycles from which on placings that miss the clock are looked at further.
const FEWER: f64 = 0.97;

/// The least share for paths that is tried for these.
const LEAST_NEAR: f64 = 0.85;

/// Rounds of varying shares: each tries all others of both.
const MOST_ROUNDS: usize = 2;

/// What the best shares are multiplied with in the end, one after the other.
const FINE_STEPS: [[Shares; 2]; 2] = [[(1.08, 1.0), (0.93, 1.0)], [(1.0, 1.15), (1.0, 0.87)]];

/// The share of ways of `ready` that are not cut.
pub(super) const UNCUT: f64 = 1000.0;
