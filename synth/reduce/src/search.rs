//! The search: applies the edits of a family in chunks, which are halved until they are single edits.

use sluice_ir::{Context, Diagnostics, Module, verifier};

use crate::edits::{Edit, Find};
use crate::size::Size;
use crate::{Answer, Step};

/// The smallest module so far, and the function that judges candidates.
pub(crate) struct Search<'s> {
    context: &'s Context,
    best: Module,
    size: Size,
    ask: &'s mut dyn FnMut(&Module) -> Answer,
    is_over: bool,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        context: &'s Context,
        best: Module,
        ask: &'s mut dyn FnMut(&Module) -> Answer,
    ) -> Self {
        Self {
            context,
            size: Size::of(context, &best),
            best,
            ask,
            is_over: false,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn finish(self) -> Module {
        self.best
    }

    /// Tries a change of the whole module.
    pub(crate) fn step(&mut self, step: &Step<'_>) -> bool {
        if self.is_over {
            return false;
        }
        let mut candidate = self.best.clone();
        (step.run)(self.context, &mut candidate);
        self.accepts(candidate)
    }

    /// Tries the edits of a family; returns whether any was accepted.
    ///
    /// Edits refer to operations and values by ids, which are the same in copies of the module. So the remaining edits still
    /// apply to the smaller module, or do nothing if their operation has been erased.
    pub(crate) fn family(&mut self, find: Find) -> bool {
        let edits = find(self.context, &self.best);
        let mut open: Vec<&Edit> = edits.iter().collect();
        let mut chunk = open.len();
        let mut any = false;
        while !open.is_empty() && !self.is_over {
            let mut left = Vec::new();
            for part in open.chunks(chunk) {
                if self.tries(part) {
                    any = true;
                } else {
                    left.extend(part);
                }
            }
            if chunk == 1 {
                break;
            }
            chunk = chunk.div_ceil(2).min(left.len().max(1));
            open = left;
        }
        any
    }

    fn tries(&mut self, edits: &[&Edit]) -> bool {
        if self.is_over {
            return false;
        }
        let mut candidate = self.best.clone();
        let mut changed = false;
        for edit in edits {
            changed |= edit(self.context, &mut candidate);
        }
        changed && self.accepts(candidate)
    }

    fn accepts(&mut self, candidate: Module) -> bool {
        let size = Size::of(self.context, &candidate);
        if size >= self.size {
            return false;
        }
        let mut found = Diagnostics::new();
        verifier::verify(self.context, &candidate, &mut found);
        if found.has_errors() {
            return false;
        }
        match (self.ask)(&candidate) {
            Answer::Holds => {
                (self.best, self.size) = (candidate, size);
                true
            }
            Answer::Lost => false,
            Answer::Stop => {
                self.is_over = true;
                false
            }
        }
    }
}
