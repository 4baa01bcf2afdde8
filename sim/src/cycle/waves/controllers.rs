//! Controllers of kernels in waves: each has a text with the schedule times that are active.

use super::super::{CycleSimulator, Token};

/// A controller and its tokens, which tell the schedule times that are active.
#[derive(Clone, Debug)]
pub struct Controller {
    /// The instances around it, from the outside in.
    pub scope: Vec<String>,
    /// Its name.
    pub name: String,
    /// The first of its tokens: it identifies the block that is controlled.
    pub of: Token,
    /// The schedule times, each with the number of its signal.
    pub tokens: Vec<(u32, usize)>,
}

impl Controller {
    /// Returns the controllers of a circuit, in the order of their first signals.
    pub fn all(simulator: &CycleSimulator) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (index, signal) in simulator.signals().enumerate() {
            let Some(token) = &signal.token else { continue };
            let known = found
                .iter_mut()
                .find(|known| known.scope == signal.scope && known.name == token.frame);
            match known {
                Some(known) => known.tokens.push((token.time, index)),
                None => found.push(Self {
                    scope: signal.scope.clone(),
                    name: token.frame.clone(),
                    of: token.clone(),
                    tokens: vec![(token.time, index)],
                }),
            }
        }
        for controller in &mut found {
            controller.tokens.sort_unstable();
        }
        found
    }

    /// Returns the active times separated by commas, or `-` if there are none; `is_set` tells which tokens are set.
    pub(super) fn text(&self, is_set: &[bool]) -> String {
        let tokens = self.tokens.iter().zip(is_set);
        let under_way = tokens.filter(|(_, is_set)| **is_set);
        let times: Vec<String> = under_way.map(|((time, _), _)| time.to_string()).collect();
        match times.is_empty() {
            true => "-".to_owned(),
            false => times.join(","),
        }
    }

    /// Returns the number of characters of the longest text.
    pub fn max_characters(&self) -> usize {
        let digits = self.tokens.iter().map(|(time, _)| time.to_string().len());
        digits.map(|n| n + 1).sum::<usize>().max(2) - 1
    }
}
