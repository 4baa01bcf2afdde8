//! The value change dump (IEEE 1364-2005, section 18) of a run as text.

use std::fmt::Write;

use super::super::{CycleSimulator, SignalKind};
use super::{Change, Changes, Moment, ScopeTree, Step, VariableKind, Variables, push_digits};

/// The writer of a value change dump.
pub struct Vcd {
    changes: Changes,
    /// Width and identifier of each value; the identifier ends with a line break.
    values: Vec<(u32, String)>,
    text: Vec<u8>,
}

/// Returns a short identifier of printable characters.
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

/// Returns a name as one word of the file that is not a keyword.
fn word(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    let plain = |c| if is_plain(c) { c } else { '_' };
    let mut word: String = name.chars().map(plain).collect();
    if word.is_empty() || word.starts_with('$') {
        word.insert(0, '_');
    }
    word
}

impl Vcd {
    /// Creates a dump for this simulator; `top` is the name of the outermost scope.
    pub fn new(simulator: &CycleSimulator, variables: &Variables, top: &str) -> Self {
        let mut text = String::from("$version Sluice $end\n$timescale 1ns $end\n");
        let mut tree = ScopeTree::default();
        let _ = writeln!(text, "$scope module {} $end", word(top));
        for variable in &variables.names {
            tree.enter(&variable.scope, |step| match step {
                Step::Down(name) => {
                    let _ = writeln!(text, "$scope module {} $end", word(name));
                }
                Step::Up => text.push_str("$upscope $end\n"),
            });
            let kind = match variable.kind {
                VariableKind::Signal(SignalKind::Register) | VariableKind::Word => "reg",
                VariableKind::Signal(_) => "wire",
                VariableKind::Text => "string",
            };
            let width = match variable.kind {
                VariableKind::Text => 1,
                _ => variable.width_bits.max(1),
            };
            let id = identifier(variable.value);
            let _ = writeln!(
                text,
                "$var {kind} {width} {id} {}{} $end",
                word(&variable.name),
                variable.range()
            );
        }
        tree.enter(&[], |_| text.push_str("$upscope $end\n"));
        text.push_str("$upscope $end\n$enddefinitions $end\n");
        let values = variables.widths_bits.iter().enumerate();
        Self {
            changes: Changes::new(simulator, variables),
            values: values
                .map(|(number, width_bits)| (*width_bits, identifier(number) + "\n"))
                .collect(),
            text: text.into_bytes(),
        }
    }

    /// Records the changes at a moment.
    pub fn sample(&mut self, simulator: &CycleSimulator, moment: Moment) {
        let (text, values) = (&mut self.text, &self.values);
        let before = text.len();
        text.extend(format!("#{}\n", moment.time()).bytes());
        let begin = text.len();
        self.changes
            .sample(simulator, moment, |change| match change {
                Change::Value(index, limbs) => {
                    let (width_bits, id) = &values[index];
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
                    text.extend(format!("s{value} {}", values[index].1).bytes());
                }
            });
        // A moment without changes is written only if it is the beginning of a cycle.
        if text.len() == begin && moment.is_middle {
            text.truncate(before);
        }
    }

    /// Returns the text that was added since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text)
    }

    /// Returns the number of bytes that [`Vcd::take`] would return.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }
}
