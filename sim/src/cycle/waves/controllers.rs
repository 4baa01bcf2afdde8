//! Controllers of kernels in waves: a text for each, with the times of its schedule that are under way.

use super::super::{CycleSimulator, Token};

/// The tokens of one controller: which times of its schedule are under way.
#[derive(Clone, Debug)]
pub struct Controller {
    /// The instances around it, from the outside in.
    pub scope: Vec<String>,
    /// Its name.
    pub name: String,
    /// What it controls, as its first token says.
    pub of: Token,
    /// The times of its schedule with the number of the signal that is set there.
    pub tokens: Vec<(u32, usize)>,
}

impl Controller {
    /// The controllers of a circuit, in the order of their first signals.
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

    /// The times that are under way, as is said for each token, a comma between; `-` where there are none.
    pub(super) fn text(&self, is_set: &[bool]) -> String {
        let tokens = self.tokens.iter().zip(is_set);
        let under_way = tokens.filter(|(_, is_set)| **is_set);
        let times: Vec<String> = under_way.map(|((time, _), _)| time.to_string()).collect();
        match times.is_empty() {
            true => "-".to_owned(),
            false => times.join(","),
        }
    }

    /// Characters of the longest text.
    pub fn most_characters(&self) -> usize {
        let digits = self.tokens.iter().map(|(time, _)| time.to_string().len());
        digits.map(|n| n + 1).sum::<usize>().max(2) - 1
    }
}
