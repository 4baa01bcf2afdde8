//! Waves: what changed from cycle to cycle, and the value change dump (IEEE 1364-2005, section 18) of it as text.

use std::fmt::Write;
use std::ops::Range;

use super::{CycleSimulator, Token};

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
    fn text(&self, is_set: &[bool]) -> String {
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

/// What is new in a cycle.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// The limbs of signal number so and so.
    Value(usize, &'a [u64]),
    /// The text of controller number so and so.
    Text(usize, &'a str),
}

/// Tells from cycle to cycle what changed.
pub struct Changes {
    controllers: Vec<Controller>,
    /// Where the limbs of each signal are.
    places: Vec<Range<u32>>,
    /// The limbs of all signals, one after the other; nothing before the first cycle.
    last: Vec<u64>,
    /// For each controller which of its tokens are set, and what that reads as.
    texts: Vec<(Vec<bool>, String)>,
    is_first: bool,
}

impl Changes {
    /// Nothing seen yet.
    pub fn new(simulator: &CycleSimulator) -> Self {
        let controllers = Controller::all(simulator);
        let slots = simulator.signals.iter().map(|(_, slots)| slots);
        let places: Vec<Range<u32>> = slots
            .map(|slots| slots.first..slots.first + slots.n_limbs())
            .collect();
        let text = |of: &Controller| (vec![false; of.tokens.len()], String::new());
        Self {
            last: vec![0; places.iter().map(Range::len).sum()],
            texts: controllers.iter().map(text).collect(),
            controllers,
            places,
            is_first: true,
        }
    }

    /// The controllers that texts are of.
    pub fn controllers(&self) -> &[Controller] {
        &self.controllers
    }

    /// Tells what changed since the last cycle; in the first one, everything.
    pub fn sample(&mut self, simulator: &CycleSimulator, mut tell: impl FnMut(Change<'_>)) {
        let is_first = std::mem::take(&mut self.is_first);
        let mut rest = &mut self.last[..];
        for (index, place) in self.places.iter().enumerate() {
            let limbs = simulator.machine.slots(place.clone());
            let (last, after) = rest.split_at_mut(limbs.len());
            rest = after;
            // Most signals have one limb, for which comparing slices takes longer.
            let differs = match (&*last, limbs) {
                ([last], [limb]) => last != limb,
                (last, limbs) => last != limbs,
            };
            if differs || is_first {
                last.copy_from_slice(limbs);
                tell(Change::Value(index, limbs));
            }
        }
        for (index, (controller, (are_set, text))) in
            self.controllers.iter().zip(&mut self.texts).enumerate()
        {
            let mut differs = is_first;
            for (was_set, (_, signal)) in are_set.iter_mut().zip(&controller.tokens) {
                let is_set = simulator.limbs(*signal).first() != Some(&0);
                differs |= is_set != *was_set;
                *was_set = is_set;
            }
            if differs {
                *text = controller.text(are_set);
                tell(Change::Text(index, text));
            }
        }
    }
}

/// The digits of each byte, the highest bit first.
const DIGITS: [[u8; 8]; 256] = {
    let mut digits = [[b'0'; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                digits[byte][7 - bit] = b'1';
            }
            bit += 1;
        }
        byte += 1;
    }
    digits
};

/// The digits of a value, the highest bit first, appended to `text`.
pub fn push_digits(text: &mut Vec<u8>, width_bits: u32, limbs: &[u64]) {
    let n_bits = usize::try_from(width_bits).expect("widths are indices");
    // What stands in the highest byte above the width is left out.
    let mut above = limbs.len() * 64 - n_bits;
    for byte in limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()) {
        let digits = &DIGITS[usize::from(byte)];
        text.extend_from_slice(&digits[above.min(8)..]);
        above = above.saturating_sub(8);
    }
}

/// Time between two rising edges, in units of the file.
pub const TIME_PER_CYCLE: u64 = 10;

/// Collects a value change dump.
pub struct Vcd {
    changes: Changes,
    /// Widths of the signals, and what stands for each, a line end behind it.
    signals: Vec<(u32, String)>,
    text: Vec<u8>,
}

/// A short identifier of printable characters.
fn identifier(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        let digit = u8::try_from(number % 94).expect("below 94");
        text.push(char::from(b'!' + digit));
        number /= 94;
        if number == 0 {
            return text;
        }
    }
}

impl Vcd {
    /// Waves of this simulator; `top` names the scope around everything.
    pub fn new(simulator: &CycleSimulator, top: &str) -> Self {
        let changes = Changes::new(simulator);
        let mut text = String::from("$version Sluice $end\n$timescale 1ns $end\n");
        let mut tree = ScopeTree::default();
        let mut variables = vec![(Vec::new(), format!("wire 1 {} clock", identifier(0)))];
        for (index, signal) in (1..).zip(simulator.signals()) {
            let kind = match signal.kind {
                super::SignalKind::Register => "reg",
                _ => "wire",
            };
            let range = match signal.width_bits {
                0 | 1 => String::new(),
                width => format!(" [{}:0]", width - 1),
            };
            let (width, id) = (signal.width_bits.max(1), identifier(index));
            let line = format!("{kind} {width} {id} {}{range}", signal.name);
            variables.push((signal.scope.clone(), line));
        }
        let first = simulator.signals().len() + 1;
        for (index, controller) in (first..).zip(changes.controllers()) {
            let line = format!("string 1 {} {}_times", identifier(index), controller.name);
            variables.push((controller.scope.clone(), line));
        }
        // The variables of a scope stand together.
        variables.sort_by(|a, b| a.0.cmp(&b.0));
        let _ = writeln!(text, "$scope module {top} $end");
        for (scope, line) in variables {
            tree.enter(&scope, |step| match step {
                Step::Down(name) => {
                    let _ = writeln!(text, "$scope module {name} $end");
                }
                Step::Up => text.push_str("$upscope $end\n"),
            });
            let _ = writeln!(text, "$var {line} $end");
        }
        tree.enter(&[], |_| text.push_str("$upscope $end\n"));
        text.push_str("$upscope $end\n$enddefinitions $end\n");
        Self {
            changes,
            signals: (1..)
                .zip(simulator.signals())
                .map(|(index, signal)| (signal.width_bits, identifier(index) + "\n"))
                .collect(),
            text: text.into_bytes(),
        }
    }

    /// Records the values of the current cycle.
    pub fn sample(&mut self, simulator: &CycleSimulator) {
        let time = simulator.cycle * TIME_PER_CYCLE;
        let (text, signals) = (&mut self.text, &self.signals);
        text.extend(format!("#{time}\n1!\n").bytes());
        self.changes.sample(simulator, |change| match change {
            Change::Value(index, limbs) => {
                let (width_bits, id) = &signals[index];
                match width_bits {
                    0 => text.push(b'0'),
                    1 => text.push(b'0' + u8::from(limbs[0] == 1)),
                    _ => {
                        text.push(b'b');
                        push_digits(text, *width_bits, limbs);
                        text.push(b' ');
                    }
                }
                text.extend_from_slice(id.as_bytes());
            }
            Change::Text(index, value) => {
                let id = identifier(signals.len() + 1 + index);
                text.extend(format!("s{value} {id}\n").bytes());
            }
        });
        let half = time + TIME_PER_CYCLE / 2;
        self.text.extend(format!("#{half}\n0!\n").bytes());
    }

    /// What was added to the file since this was called last, from its beginning on; the last time, its end.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Bytes that [`Vcd::take`] would give.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }
}

/// A step between scopes.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Into a scope inside.
    Down(&'a str),
    /// Out of one.
    Up,
}

/// Where in the tree of scopes a writer is.
#[derive(Default)]
pub struct ScopeTree {
    at: Vec<String>,
}

impl ScopeTree {
    /// Goes to a scope.
    pub fn enter(&mut self, scope: &[String], mut go: impl FnMut(Step<'_>)) {
        let shared = self
            .at
            .iter()
            .zip(scope)
            .take_while(|(a, b)| a == b)
            .count();
        for _ in shared..self.at.len() {
            go(Step::Up);
        }
        for name in &scope[shared..] {
            go(Step::Down(name));
        }
        self.at = scope.to_vec();
    }
}
