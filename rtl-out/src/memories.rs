//! Verilog for `seq.hlmem`: arrays with their ports.

use std::fmt::Write;

use sluice_dialects::sluice::NO_COLLISION;
use sluice_dialects::{
    hw, seq,
    storage::{StorageKind, storage},
};
use sluice_ir::{Exact, ValueId, View};

use crate::aggregates::{joined, zeros};
use crate::emitter::{Emitter, range};

/// The address of a memory port.
struct Address {
    number: String,
    /// Latency in cycles minus one.
    later: u32,
    /// The condition that the address is valid; at an invalid one, reads return 0 and writes have no effect.
    is_there: Option<String>,
}

impl Address {
    /// Returns the expression of the addressed word of a memory.
    fn word(&self, name: &str, width_bits: u32) -> String {
        let word = format!("{name}[{}]", self.number);
        match &self.is_there {
            Some(is_there) => format!("({is_there}) ? {word} : {}", zeros(width_bits)),
            None => word,
        }
    }
}

impl<'a> Emitter<'a> {
    /// Returns the address of a port. With several dimensions, an index can exceed its dimension: then the address is all ones,
    /// beyond the last word, and the address has a validity condition.
    fn port_address(&mut self, port: View<'a>, shape: &[i64], edge: &str) -> Address {
        let latency = port.attribute("latency");
        let latency = latency.and_then(|a| a.as_i64(self.context)).unwrap_or(1);
        let later = u32::try_from(latency - 1).unwrap_or(0);
        let operands: Vec<ValueId> = port.operands().skip(1).take(shape.len()).collect();
        let (mut address, mut width) = match operands.first() {
            Some(first) => (self.top(*first), self.width(*first)),
            None => (String::new(), 0),
        };
        let n_words = Exact::product(shape);
        let mut is_beyond: Vec<String> = Vec::new();
        if operands.len() > 1 {
            width = seq::FLAT_ADDRESS_BITS;
            let mut whole = String::new();
            for (operand, size) in operands.iter().zip(shape) {
                let n_bits = self.width(*operand);
                let index = self.top(*operand);
                let n_named = 1u128 << n_bits.min(64);
                if u128::try_from(*size).is_ok_and(|size| size < n_named) {
                    is_beyond.push(format!("({index} >= {n_bits}'d{size})"));
                }
                let one = match n_bits {
                    0 => zeros(width),
                    _ => joined(&[zeros(width - n_bits), index]),
                };
                whole = match whole.is_empty() {
                    true => one,
                    false => format!("(({whole}) * {width}'d{size}) + {one}"),
                };
            }
            if !is_beyond.is_empty() {
                let is_beyond = is_beyond.join(" | ");
                whole = format!("({is_beyond}) ? {{{width}{{1'b1}}}} : {whole}");
            }
            address = self.wire("address", width, &whole);
        }
        let number = match width {
            // The address of the only word.
            0 => "0".to_owned(),
            _ => self.delayed("address", width, address, later, edge),
        };
        Address {
            is_there: (!is_beyond.is_empty()).then(|| format!("{number} < {width}'d{n_words}")),
            number,
            later,
        }
    }

    /// Writes an array with its ports. A read and a write of one word in one cycle return the old word, or any value if the
    /// memory states that this does not occur. Reads of latency 0 are assignments. If several ports write, each has its own
    /// block, together with the reads at its address: tools infer true dual-port memories from this form.
    pub(crate) fn memory(&mut self, view: View<'a>, place: &str) {
        let handle = view.result(0);
        let Some((shape, element)) =
            sluice_dialects::seq::memory_parts(self.context, view.ty(handle))
        else {
            return;
        };
        let words = Exact::product(&shape);
        let width = hw::width_bits(self.context, element);
        let Some(width) = width.and_then(|width| u32::try_from(width).ok()) else {
            return self.refuse(view, "its words are of no known width");
        };
        if width == 0 {
            return;
        }
        let wanted = view
            .attribute("name")
            .and_then(|a| a.as_str(self.context))
            .unwrap_or("memory");
        let name = self.names.unique(wanted);
        self.inner_names.insert(view.id, name.clone());
        let edge = self.edge(view.operand(0));
        // Nothing is written during a reset.
        let reset = view.operand(1);
        let is_never = self.constant(reset).is_some_and(|value| value.is_zero());
        let reset = (!is_never).then(|| self.top(reset));
        let users: Vec<_> = view.body.uses(handle).map(|(user, _)| user).collect();
        let ports: Vec<View<'a>> = users.iter().rev().map(|op| self.view(*op)).collect();
        let is_clocked = |port: &View<'a>| {
            let latency = port.attribute("latency");
            latency.and_then(|a| a.as_i64(self.context)) != Some(0)
        };
        let (clocked, unclocked): (Vec<_>, Vec<_>) = ports.into_iter().partition(is_clocked);
        let wishes = wishes(
            view,
            clocked.iter().any(|port| port.name() == seq::Read::NAME),
        );
        let _ = writeln!(
            self.declarations,
            "  {wishes}reg  {}{name} [0:{}];{place}",
            range(width),
            words.minus(1)
        );
        // For each block, the address that its reads share with its write.
        let writes = clocked
            .iter()
            .filter(|port| port.name() == seq::Write::NAME);
        let mut blocks: Vec<(ValueId, String)> = writes
            .map(|port| (port.operand(1), String::new()))
            .collect();
        let own_blocks = blocks.len() > 1;
        if !own_blocks {
            let any = clocked.first().map(|port| port.operand(1));
            blocks = any
                .map(|address| (address, String::new()))
                .into_iter()
                .collect();
        }
        let mut next_write = 0;
        for port in clocked {
            let operands: Vec<_> = port.operands().collect();
            let address = self.port_address(port, &shape, &edge);
            let later = address.later;
            if port.name() == seq::Read::NAME {
                let Some(data) = self.named.get(&port.result(0)).cloned() else {
                    continue;
                };
                let first = match self.options.zeros_at_start {
                    true => format!(" = {}", zeros(width)),
                    false => String::new(),
                };
                let _ = writeln!(self.declarations, "  reg  {}{data}{first};", range(width));
                let enable = port
                    .operand_group(2)
                    .first()
                    .map(|enable| self.top(*enable));
                let enable = enable.map(|enable| self.delayed("enable", 1, enable, later, &edge));
                let enable = enable.map(|enable| format!("if ({enable}) "));
                let enable = enable.unwrap_or_default();
                let same = blocks.iter().position(|(at, _)| *at == operands[1]);
                let block = &mut blocks[same.filter(|_| own_blocks).unwrap_or(0)].1;
                let word = address.word(&name, width);
                let _ = writeln!(block, "    {enable}{data} <= {word};");
            } else {
                let n = operands.len();
                let (data, enable) = (self.top(operands[n - 2]), self.top(operands[n - 1]));
                let data = self.delayed("data", width, data, later, &edge);
                let enable = self.delayed("enable", 1, enable, later, &edge);
                let block = &mut blocks[if own_blocks { next_write } else { 0 }].1;
                next_write += 1;
                let is_there = address.is_there.as_ref();
                let conditions = [
                    reset.as_ref().map(|reset| format!("!({reset})")),
                    Some(format!("({enable})")),
                    is_there.map(|is_there| format!("({is_there})")),
                ];
                let conditions: Vec<String> = conditions.into_iter().flatten().collect();
                let enable = match &conditions[..] {
                    [_] => enable,
                    all => all.join(" & "),
                };
                let number = address.number;
                let _ = writeln!(block, "    if ({enable}) {name}[{number}] <= {data};");
            }
        }
        for (_, block) in blocks {
            let _ = writeln!(self.statements, "  always @({edge}) begin\n{block}  end");
        }
        for port in unclocked {
            let Some(data) = self.named.get(&port.result(0)).cloned() else {
                continue;
            };
            let address = self.port_address(port, &shape, &edge);
            let word = address.word(&name, width);
            let _ = writeln!(self.declarations, "  wire {}{data};", range(width));
            let _ = writeln!(self.statements, "  assign {data} = {word};");
        }
    }
}

/// Returns attributes of a memory for synthesis tools: the requested kind of cell, and `no_rw_check` if the old word is not
/// needed when one word is read and written at once. Then a block memory needs no additional logic.
fn wishes(view: View<'_>, is_read_clocked: bool) -> String {
    let style = storage(view).and_then(|storage| match storage.kind {
        StorageKind::LutRam => Some("ram_style = \"distributed\""),
        StorageKind::BlockRam => Some("ram_style = \"block\""),
        StorageKind::Registers | StorageKind::Rom => None,
    });
    let free = is_read_clocked && view.attribute(NO_COLLISION).is_some();
    let all: Vec<&str> = style
        .into_iter()
        .chain(free.then_some("no_rw_check"))
        .collect();
    if all.is_empty() {
        return String::new();
    }
    format!("(* {} *) ", all.join(", "))
}
