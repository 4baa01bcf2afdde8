//! The variables of waves: the displayed values and their names.

use std::collections::BTreeMap;

use sluice_ir::exact::{Exact, n_elements};

use super::super::{CycleSimulator, SignalKind};
use super::Controller;
use crate::cycle::flat::Shown;

/// The kind of a variable in its module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// A port, a register or a wire.
    Signal(SignalKind),
    /// A word of a memory.
    Word,
    /// The text of a controller.
    Text,
}

/// A name of a value.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The instances around it, from the outside in.
    pub scope: Vec<String>,
    /// Its name in its scope.
    pub name: String,
    /// Width in bits; for a text, eight times its most characters.
    pub width_bits: u32,
    /// Its kind.
    pub kind: VariableKind,
    /// The number of the value; several variables may share one value.
    pub value: usize,
}

impl Variable {
    /// Returns the range of bits to write after the name. It is empty for a signal of one bit, but not for a word, whose index
    /// would be taken for a range.
    pub fn range(&self) -> String {
        match (self.width_bits, self.kind) {
            (_, VariableKind::Text) => String::new(),
            (0 | 1, VariableKind::Signal(_)) => String::new(),
            (width_bits, _) => format!(" [{}:0]", width_bits.max(1) - 1),
        }
    }
}

/// The source of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// A clock input, by its number.
    Clock(usize),
    /// Slots that begin at this one.
    Slots(u32),
    /// A word of a memory, by the numbers of both.
    Word(usize, usize),
    /// A controller.
    Text(usize),
}

/// The displayed values of a simulator.
#[derive(Clone, Default)]
pub struct Variables {
    /// The names, scope by scope.
    pub names: Vec<Variable>,
    /// The source of each value, sorted by kind: clocks, signals, words, texts.
    pub(super) places: Vec<Place>,
    /// Width of each value in bits.
    pub widths_bits: Vec<u32>,
    pub(super) controllers: Vec<Controller>,
}

impl Variables {
    /// Collects clocks, signals, the memories inside of at most `max_memory_bits` bits, and controllers. Names of the same value
    /// share its number.
    pub fn new(simulator: &CycleSimulator, max_memory_bits: u64) -> Self {
        let mut found: Vec<(Place, Variable)> = Vec::new();
        let variable = |scope: &[String], name: &str, width_bits: u32, kind| Variable {
            scope: scope.to_vec(),
            name: name.to_owned(),
            width_bits,
            kind,
            value: 0,
        };
        for (clock, slots) in &simulator.clock_signals {
            let place = match (clock.shown, slots) {
                (Shown::Root(number), _) => Place::Clock(number),
                (Shown::Level(_), Some(slots)) => Place::Slots(slots.first),
                (Shown::Level(_), None) => continue,
            };
            let kind = VariableKind::Signal(clock.kind);
            found.push((place, variable(&clock.scope, &clock.name, 1, kind)));
        }
        for (signal, slots) in &simulator.signals {
            let kind = VariableKind::Signal(signal.kind);
            let of = variable(&signal.scope, &signal.name, signal.width_bits, kind);
            found.push((Place::Slots(slots.first), of));
        }
        for (number, memory) in simulator.memories().enumerate() {
            let n_words = n_elements(&memory.shape);
            let n_bits = n_words.times(memory.width_bits);
            if memory.is_outside || n_bits > Exact::from(max_memory_bits) {
                continue;
            }
            let mut scope: Vec<String> = memory.name.split('.').map(str::to_owned).collect();
            scope.pop();
            for word in 0..n_words.to_usize().expect("few words") {
                let name = memory.word_name(word);
                let name = name.rsplit('.').next().unwrap_or(&name);
                let of = variable(&scope, name, memory.width_bits, VariableKind::Word);
                found.push((Place::Word(number, word), of));
            }
        }
        let controllers = Controller::all(simulator);
        for (number, controller) in controllers.iter().enumerate() {
            let n_characters = u32::try_from(controller.max_characters()).expect("few characters");
            let name = format!("{}_times", controller.name);
            let of = variable(
                &controller.scope,
                &name,
                8 * n_characters,
                VariableKind::Text,
            );
            found.push((Place::Text(number), of));
        }
        let mut values: BTreeMap<(Place, u32), usize> = BTreeMap::new();
        for (place, of) in &found {
            values.insert((*place, of.width_bits), 0);
        }
        for (number, value) in values.values_mut().enumerate() {
            *value = number;
        }
        let mut names: Vec<Variable> = found
            .into_iter()
            .map(|(place, of)| Variable {
                value: values[&(place, of.width_bits)],
                ..of
            })
            .collect();
        // The variables of a scope must be adjacent.
        names.sort_by(|a, b| a.scope.cmp(&b.scope));
        Self {
            names,
            places: values.keys().map(|(place, _)| *place).collect(),
            widths_bits: values.keys().map(|(_, width_bits)| *width_bits).collect(),
            controllers,
        }
    }
}
