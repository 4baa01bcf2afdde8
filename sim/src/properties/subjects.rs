//! What a property can speak of: ports, signals inside, words of memories.

use sluice_ir::bits::Bits;
use sluice_ir::suggestion::{did_you_mean, nearest};

use crate::cycle::ends_path;

/// Paths that a name may stand for, at most, that are listed.
const MOST_LISTED: usize = 6;

/// A port or a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// Its name, of a signal inside with the instances around it, a point between.
    pub name: String,
    /// Its width in bits.
    pub width_bits: u32,
}

impl NamedValue {
    /// A port or a signal of this name and width.
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
    /// Words of each dimension; the last one varies fastest in the number of a word.
    pub shape: Vec<u64>,
    /// Bits of a word.
    pub width_bits: u32,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subjects {
    /// Ports of the top module.
    pub ports: Vec<NamedValue>,
    /// Signals, numbered behind the ports.
    pub signals: Vec<NamedValue>,
    /// Memories.
    pub memories: Vec<NamedMemory>,
}

/// What they hold in a cycle, before its edge.
pub trait Values {
    /// A port or a signal, by its number.
    fn value(&self, number: usize) -> Bits;

    /// A word of a memory, by the numbers of both.
    fn word(&self, memory: usize, word: u64) -> Bits;
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Value(usize),
    Memory(usize),
}

impl Subjects {
    /// A port or a signal by its number.
    pub(super) fn value(&self, number: usize) -> &NamedValue {
        match number.checked_sub(self.ports.len()) {
            Some(signal) => &self.signals[signal],
            None => &self.ports[number],
        }
    }

    /// What is called so: a port, a memory, a signal, or the only one whose path ends so.
    ///
    /// # Errors
    /// Why none is, or not only one.
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
        // What is called as the output of an instance inside it is not asked for.
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
                let paths = ending.iter().take(MOST_LISTED);
                let paths: Vec<&str> = paths.map(|(_, path)| *path).collect();
                Err(format!(
                    "{} signals are called `{name}`: `{}`{}",
                    ending.len(),
                    paths.join("`, `"),
                    if ending.len() > MOST_LISTED {
                        ", ..."
                    } else {
                        ""
                    }
                ))
            }
        }
    }
}
