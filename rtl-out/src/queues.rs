//! Verilog for `seq.fifo`: an array with two pointers and a count, as CIRCT lowers it.

use std::fmt::Write;

use sluice_ir::View;

use crate::emitter::{Emitter, range};
use crate::registers::Register;

/// Returns the bits of numbers up to a maximum; at least 1.
fn bits_of(greatest: u32) -> u32 {
    (u32::BITS - greatest.leading_zeros()).max(1)
}

impl<'a> Emitter<'a> {
    /// Writes a FIFO.
    pub(crate) fn queue(&mut self, view: View<'a>, place: &str) {
        let cycles = |name: &str| {
            let value = view.attribute(name)?.as_i64(self.context)?;
            u32::try_from(value).ok()
        };
        let (full_from, empty_to) = (
            cycles("almostFullThreshold"),
            cycles("almostEmptyThreshold"),
        );
        let latency = cycles("rdLatency").unwrap_or(0);
        let Some(depth) = cycles("depth") else {
            return self.refuse(view, "a queue has a depth");
        };
        let operands: Vec<_> = view.operands().collect();
        let width = self.width(operands[0]);
        let input = self.top(operands[0]);
        let (reads, writes) = (self.operand(operands[1]), self.operand(operands[2]));
        let (edge, reset) = (self.edge(operands[3]), self.top(operands[4]));
        let name = self.names.unique("fifo");
        let (counts, points) = (bits_of(depth), bits_of(depth - 1));
        let count = self.names.unique("fifo_count");
        let read_at = self.names.unique("fifo_read");
        let write_at = self.names.unique("fifo_write");
        let mut flags = vec![
            format!("{count} == {counts}'d{depth}"),
            format!("{count} == {counts}'d0"),
        ];
        flags.extend(full_from.map(|n| format!("{count} >= {counts}'d{n}")));
        flags.extend(empty_to.map(|n| format!("{count} <= {counts}'d{n}")));
        for (result, flag) in view.results().iter().skip(1).zip(&flags) {
            if let Some(name) = self.named.get(result).cloned() {
                let _ = writeln!(self.declarations, "  wire {name};");
                let _ = writeln!(self.statements, "  assign {name} = {flag};");
            }
        }
        let (full, empty) = (&flags[0], &flags[1]);
        let next_count = format!(
            "({writes} & ~{reads} & ~({full})) ? {count} + {counts}'d1 : \
             ({reads} & ~{writes} & ~({empty})) ? {count} - {counts}'d1 : {count}"
        );
        let next = |pointer: &str, moves: &str, stands: &str| {
            format!(
                "({moves} & ~({stands})) ? ({pointer} == {points}'d{} ? {points}'d0 : {pointer} + {points}'d1) : {pointer}",
                depth - 1
            )
        };
        let parts = [
            (&count, counts, next_count),
            (&read_at, points, next(&read_at, &reads, empty)),
            (&write_at, points, next(&write_at, &writes, full)),
        ];
        for (part, width, input) in parts {
            self.registers.push(Register {
                location: place.to_owned(),
                reset: Some((reset.clone(), format!("{width}'d0"))),
                ..Register::plain(part.clone(), width, input, edge.clone())
            });
        }
        if width == 0 {
            return;
        }
        let _ = writeln!(
            self.declarations,
            "  reg  {}{name} [0:{}];{place}",
            range(width),
            depth - 1
        );
        let _ = writeln!(
            self.statements,
            "  always @({edge}) begin\n    if ({writes}) {name}[{write_at}] <= {input};\n  end"
        );
        let Some(output) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        if latency == 0 {
            let _ = writeln!(self.declarations, "  wire {}{output};", range(width));
            let _ = writeln!(self.statements, "  assign {output} = {name}[{read_at}];");
            return;
        }
        let address = self.delayed("fifo_read", points, read_at, latency - 1, &edge);
        let enable = self.delayed("fifo_reads", 1, reads, latency - 1, &edge);
        self.registers.push(Register {
            enable: Some(enable),
            ..Register::plain(output, width, format!("{name}[{address}]"), edge)
        });
    }
}
