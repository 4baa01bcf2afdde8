//! The shares of the clock period that are tried, and their order.

use std::iter;

use sluice_elastic::{Backs, Placing, Room};

use super::Search;

/// Returns shares without a limit for `ready` paths.
pub(super) fn uncut(path: f64) -> Shares {
    (path, UNCUT)
}

/// Returns the same share for both kinds of paths.
pub(super) fn alike(path: f64) -> Shares {
    (path, path)
}

/// Shares of the clock period: for forward paths and for `ready` paths.
pub(super) type Shares = (f64, f64);

impl Search<'_> {
    /// Tries all shares: first without a limit for `ready` paths, then with the same share for both.
    pub(super) fn go_through_all(&mut self) {
        self.go_through(&self.thinned(&UNCUT_SHARES.map(uncut)));
        self.go_through(&self.thinned(&PATH_SHARES.map(alike)));
        // Slots that the clock does not need may save cycles if an iteration takes one of several paths.
        let are_open = !self.is_regular && !self.is_brief;
        if let Some(best) = self.best.filter(|_| are_open) {
            let backs = [best.chosen.placing.backs];
            self.attempt_shares(&self.thinned(&SLOT_SHARES.map(alike)), &backs, self.rooms());
        }
    }

    /// Tries shares in their order until the clock is met and no trial takes fewer cycles, or until nothing better can be found.
    /// The first trial alone decides the buffers where tokens of loops come back; the others then run two at a time.
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
                // The integer program chooses that itself.
                None if self.is_exact() || self.is_brief => {
                    self.attempt_shares(shares, &BACKS[..1], rooms)
                }
                None => self.attempt_shares(shares, &BACKS, &rooms[..rooms.len().min(FIRST_ROOMS)]),
            }
        }
    }

    /// Tries shares with each of the given buffers where tokens of loops come back, and each of the given rooms.
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

    /// Returns the rooms (buffers for throughput) that are tried.
    fn rooms(&self) -> &'static [Room] {
        let is_run = self.first.map(|first| first.is_run);
        self.rooms_where(is_run.unwrap_or(!self.data.is_empty()))
    }

    /// Returns the rooms that are tried if the data are run, or if they are not. Without a run there are only mean intervals,
    /// which do not show the cost of a token that waits now and then.
    pub(super) fn rooms_where(&self, is_run: bool) -> &'static [Room] {
        match () {
            () if self.is_exact() || self.is_brief => &[Room::Kept],
            () if is_run => &ROOMS,
            () if self.is_regular => &[Room::Kept, Room::Least],
            () => &[Room::Kept],
        }
    }

    /// Returns the tightest share for paths that slows no loop down, limited by the next smaller share that is tried.
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

    /// Returns every `stride`-th of the given shares, always including the first and the last one.
    fn thinned<T: Copy>(&self, all: &[T]) -> Vec<T> {
        let Some((last, others)) = all.split_last() else {
            return Vec::new();
        };
        let kept = others.iter().step_by(self.stride);
        kept.chain(iter::once(last)).copied().collect()
    }

    /// Varies one parameter of the best placing after the other, as long as that helps.
    pub(super) fn go_around(&mut self, start: Placing) {
        let best = |search: &Self| search.best.map_or(start, |best| best.chosen.placing);
        let others = BACKS.into_iter().filter(|backs| *backs != start.backs);
        let others = others.map(|backs| Placing { backs, ..start });
        self.attempt_all(&iter::once(start).chain(others).collect::<Vec<_>>());
        for _ in 0..MAX_SWEEPS.div_ceil(self.stride) {
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

    /// Tries tighter shares for paths than those of a placing that misses the clock, with all buffers where tokens of loops come
    /// back.
    pub(super) fn go_near(&mut self, near: Placing) {
        let are_near = MIN_NEAR..=near.path_share.max(1.0);
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

    /// Returns, if the best placing meets the clock, the cheapest of those that miss it but take clearly fewer cycles.
    pub(super) fn near(&self) -> Option<Placing> {
        let best = self.best.filter(|best| best.keeps_clock)?;
        let judged = self.judged.iter();
        let near = judged.filter(|judged| judged.cycles < FEWER * best.cycles);
        let near = near.min_by(|a, b| a.cost.total_cmp(&b.cost));
        near.map(|judged| judged.placing)
    }
}

/// The buffers that are tried where tokens of loops come back.
const BACKS: [Backs; 3] = [Backs::Registers, Backs::Slots, Backs::EarlySlots];

/// Shares for paths that are tried, the largest first.
pub(super) const PATH_SHARES: [f64; 10] = [4.0, 2.8, 2.0, 1.6, 1.35, 1.15, 1.0, 0.85, 0.7, 0.55];

/// Shares for paths that are tried without a limit for `ready` paths.
const UNCUT_SHARES: [f64; 6] = [4.0, 2.8, 2.0, 1.35, 1.0, 0.85];

/// Shares for `ready` paths that are tried with a given share for paths.
const READY_SHARES: [f64; 7] = [4.0, 2.0, 1.35, 1.0, 0.85, 0.7, 0.55];

/// The rooms that are tried; the search begins with the first `FIRST_ROOMS` of them.
const ROOMS: [Room; 3] = [Room::Kept, Room::Registers, Room::Least];

const FIRST_ROOMS: usize = 2;

/// Shares that register `ready` more often than the clock needs.
const SLOT_SHARES: [f64; 2] = [2.0, 1.35];

/// Maximum share of the best placing's cycles at which a placing that misses the clock is examined further.
const FEWER: f64 = 0.97;

/// The smallest share for paths that is tried for these placings.
const MIN_NEAR: f64 = 0.85;

/// Maximum number of iterations over the parameters; each tries all other values of each parameter.
const MAX_SWEEPS: usize = 2;

/// Factors that finally refine the best shares, one pair after the other.
const FINE_STEPS: [[Shares; 2]; 2] = [[(1.08, 1.0), (0.93, 1.0)], [(1.0, 1.15), (1.0, 0.87)]];

/// The share that stands for no limit on `ready` paths.
pub(super) const UNCUT: f64 = 1000.0;
