//! Verilog for registers: declarations, initial values and clocked blocks.

use std::fmt::Write;

use sluice_dialects::seq;
use sluice_ir::View;
use sluice_ir::bits::Bits;

use crate::aggregates::zeros;
use crate::emitter::{Emitter, literal, range};

/// A register with its input, clock and reset.
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) location: String,
    pub(crate) width: u32,
    pub(crate) input: String,
    pub(crate) enable: Option<String>,
    /// Condition of the reset, and the reset value.
    pub(crate) reset: Option<(String, String)>,
    /// True if the reset is asynchronous.
    pub(crate) is_async: bool,
    pub(crate) first: Option<Bits>,
    /// The clock edge at which it loads, as in `posedge clock`.
    pub(crate) edge: String,
}

impl Register {
    /// Returns a register without enable and reset.
    pub(crate) fn plain(name: String, width: u32, input: String, edge: String) -> Self {
        Self {
            name,
            location: String::new(),
            width,
            input,
            enable: None,
            reset: None,
            is_async: false,
            first: None,
            edge,
        }
    }

    /// Returns the properties that registers of one block share.
    fn block(&self) -> (&str, Option<&str>, Option<&str>, bool) {
        (
            &self.edge,
            self.enable.as_deref(),
            self.reset.as_ref().map(|(reset, _)| reset.as_str()),
            self.is_async,
        )
    }
}

impl<'a> Emitter<'a> {
    /// Adds the registers of an operation.
    pub(crate) fn register(&mut self, view: View<'a>, place: &str) {
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let width = self.width(view.result(0));
        if width == 0 {
            return;
        }
        let is_firrtl = view.name() == seq::Firreg::NAME;
        let with_enable = !is_firrtl && view.name() != seq::Compreg::NAME;
        let after = 2 + usize::from(with_enable);
        let group = |number: usize| view.operand_group(number).first().copied();
        let mut input = self.top(view.operand(0));
        let edge = self.edge(view.operand(1));
        let enable = group(2).filter(|_| with_enable);
        let enable = enable.map(|enable| self.top(enable));
        let is_async = view.attribute("isAsync").is_some();
        let reset = group(after).zip(group(after + 1)).map(|(reset, value)| {
            let mut reset = self.top(reset);
            if is_async && !is_name(&reset) {
                reset = self.wire("reset", 1, &reset);
            }
            (reset, self.top(value))
        });
        let first = match group(after + 2).filter(|_| !is_firrtl) {
            Some(value) => {
                let known = crate::initial::value(view.body, value, self.context);
                let known = known.or_else(|| self.constant(value));
                if known.is_none() {
                    self.refuse(view, "what it holds at the start is no constant");
                }
                known
            }
            None => {
                let preset = view.attribute("preset");
                preset.and_then(|a| a.integer(self.context)).cloned()
            }
        };
        let n = view.attribute("numElements");
        let n = n.and_then(|a| a.as_i64(self.context)).unwrap_or(1);
        for at in 0..n {
            let name = match at + 1 == n {
                true => name.clone(),
                false => self.names.unique(&format!("{name}_{at}")),
            };
            self.registers.push(Register {
                name: name.clone(),
                location: place.to_owned(),
                width,
                input,
                enable: enable.clone(),
                reset: reset.clone(),
                is_async,
                first: first.clone(),
                edge: edge.clone(),
            });
            input = name;
        }
    }

    /// Returns an expression delayed by some cycles of a clock.
    pub(crate) fn delayed(
        &mut self,
        wanted: &str,
        width: u32,
        mut input: String,
        n_cycles: u32,
        edge: &str,
    ) -> String {
        for _ in 0..n_cycles {
            let name = self.names.unique(wanted);
            let register = Register::plain(name.clone(), width, input, edge.to_owned());
            self.registers.push(register);
            input = name;
        }
        input
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !text.starts_with('1')
}

/// Writes registers; those with the same clock, reset and enable share a block.
pub(crate) fn write(text: &mut String, registers: &[Register]) {
    if registers.is_empty() {
        return;
    }
    let mut declarations = String::new();
    let mut groups: Vec<(&Register, Vec<&Register>)> = Vec::new();
    for register in registers {
        let first = register.first.as_ref();
        let _ = writeln!(
            declarations,
            "  reg  {}{}{};{}",
            range(register.width),
            register.name,
            first.map_or_else(String::new, |first| format!(" = {}", said(first))),
            register.location
        );
        let mut known = groups.iter_mut();
        match known.find(|(first, _)| first.block() == register.block()) {
            Some((_, group)) => group.push(register),
            None => groups.push((register, vec![register])),
        }
    }
    // Declarations come before every use.
    let header = text.find(");\n").map_or(0, |at| at + 3);
    text.insert_str(header, &declarations);
    for (first, group) in groups {
        write_block(text, first, &group);
    }
}

/// Returns an initial value; zeros are short, because tools refuse very long literals.
fn said(first: &Bits) -> String {
    match first.is_zero() {
        true => zeros(first.width()),
        false => literal(first),
    }
}

fn write_block(text: &mut String, first: &Register, group: &[&Register]) {
    let edges = match &first.reset {
        Some((reset, _)) if first.is_async => format!(" or posedge {reset}"),
        _ => String::new(),
    };
    let _ = writeln!(text, "\n  always @({}{edges}) begin", first.edge);
    let mut indent = "    ";
    if let Some((reset, _)) = &first.reset {
        let _ = writeln!(text, "    if ({reset}) begin");
        for register in group {
            if let Some((_, value)) = &register.reset {
                let _ = writeln!(text, "      {} <= {value};", register.name);
            }
        }
        let condition = first
            .enable
            .as_ref()
            .map_or_else(String::new, |e| format!(" if ({e})"));
        let _ = writeln!(text, "    end else{condition} begin");
        indent = "      ";
    } else if let Some(enable) = &first.enable {
        let _ = writeln!(text, "    if ({enable}) begin");
        indent = "      ";
    }
    for register in group {
        let _ = writeln!(text, "{indent}{} <= {};", register.name, register.input);
    }
    if first.reset.is_some() || first.enable.is_some() {
        text.push_str("    end\n");
    }
    text.push_str("  end\n");
}
