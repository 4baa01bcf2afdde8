//! The subjects of a property: ports, internal signals, words of memories.

use sluice_ir::bits::Bits;
use sluice_ir::suggestion::{did_you_mean, nearest};

use crate::cycle::ends_path;

/// The most paths that are listed where a name is ambiguous.
const MAX_LISTED: usize = 6;

/// A port or a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// Its name; for an internal signal with the instances around it, separated by points.
    pub name: String,
    /// Its width in bits.
    pub width_bits: u32,
}

impl NamedValue {
    /// Creates a port or a signal with this name and width.
    pub fn new(name: &str, width_bits: u32) -> Self {
        Self {
            name: name.to_owned(),
            width_bits,
        }
    }
}

/// An array of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMemory {
    /// Its name, with the instances around it.
    pub name: String,
    /// Size of each dimension; the last one varies fastest in the number of a word.
    pub shape: Vec<u64>,
    /// Bits of a word.
    pub width_bits: u32,
}

/// All subjects that a property can refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subjects {
    /// Ports of the top module.
    pub ports: Vec<NamedValue>,
    /// Signals; their numbers follow those of the ports.
    pub signals: Vec<NamedValue>,
    /// Memories.
    pub memories: Vec<NamedMemory>,
}

/// The values of the subjects in a cycle, before its edge.
pub trait Values {
    /// Returns the value of a port or a signal, by number.
    fn value(&self, number: usize) -> Bits;

    /// Returns a word of a memory, by their numbers.
    fn word(&self, memory: usize, word: u64) -> Bits;
}

/// The subject that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Value(usize),
    Memory(usize),
}

impl Subjects {
    /// Returns a port or a signal by its number.
    pub(super) fn value(&self, number: usize) -> &NamedValue {
        match number.checked_sub(self.ports.len()) {
            Some(signal) => &self.signals[signal],
            None => &self.ports[number],
        }
    }

    /// Finds the port, memory or signal with this name, or the only one whose path ends with it.
    ///
    /// # Errors
    /// The reason why there is none, or more than one.
    pub(super) fn find(&self, name: &str) -> Result<Subject, String> {
        let ports = self.ports.iter().map(|port| port.name.as_str());
        let ports = ports.enumerate().map(|(n, name)| (Subject::Value(n), name));
        let memories = self.memories.iter().map(|memory| memory.name.as_str());
        let memories = memories.enumerate();
        let memories = memories.map(|(n, name)| (Subject::Memory(n), name));
        let signals = self.signals.iter().map(|signal| signal.name.as_str());
        let signals = (self.ports.len()..).zip(signals);
        let signals = signals.map(|(n, name)| (Subject::Value(n), name));
        let all = || ports.clone().chain(memories.clone()).chain(signals.clone());
        let n_memories = memories.clone().filter(|(_, known)| *known == name);
        if let n @ 2.. = n_memories.count() {
            return Err(format!("{n} memories are called `{name}`"));
        }
        if let Some((found, _)) = all().find(|(_, known)| *known == name) {
            return Ok(found);
        }
        let ending = all().filter(|(_, path)| ends_path(path, name));
        let mut ending: Vec<(Subject, &str)> = ending.collect();
        // A signal and an output of an instance may have the same path; they have the same value.
        ending.sort_by_key(|(_, path)| *path);
        ending.dedup_by_key(|(_, path)| *path);
        match ending[..] {
            [(found, _)] => Ok(found),
            [] => {
                let advice = match nearest(name, all().map(|(_, known)| known)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => did_you_mean(name, &ports.map(|(_, port)| port).collect::<Vec<_>>()),
                };
                Err(format!(
                    "there is no port, signal or memory `{name}`; {advice}"
                ))
            }
            _ => {
                let paths = ending.iter().take(MAX_LISTED);
                let paths: Vec<&str> = paths.map(|(_, path)| *path).collect();
                Err(format!(
                    "{} signals are called `{name}`: `{}`{}",
                    ending.len(),
                    paths.join("`, `"),
                    if ending.len() > MAX_LISTED {
                        ", ..."
                    } else {
                        ""
                    }
                ))
            }
        }
    }
}
