//! Verilog for clock gates and clock dividers.

use std::fmt::Write;

use sluice_dialects::seq;
use sluice_ir::{ValueId, View};

use crate::emitter::{Emitter, range};

impl<'a> Emitter<'a> {
    /// Returns the clock edge at which registers load. The rising edge of an inverted clock is written as the falling edge of the
    /// original clock. So registers receive the clock itself, without a delay of the inverter. It also avoids an edge at time 0,
    /// when an inverted clock that starts at 1 would rise.
    pub(crate) fn edge(&mut self, mut clock: ValueId) -> String {
        let mut edges = ["posedge", "negedge"];
        while let Some(op) = self.module.inner().defining_operation(clock) {
            let view = self.view(op);
            if view.name() != seq::ClockInv::NAME {
                break;
            }
            clock = view.operand(0);
            edges.swap(0, 1);
        }
        format!("{} {}", edges[0], self.top(clock))
    }

    /// Writes a gated clock: a latch for the enable, which is transparent while the clock is low.
    pub(crate) fn clock_gate(&mut self, view: View<'a>, place: &str) {
        let operands: Vec<_> = view.operands().collect();
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let clock = self.operand(operands[0]);
        let mut enable = self.operand(operands[1]);
        if let Some(test) = operands.get(2) {
            let test = self.operand(*test);
            enable = format!("{enable} | {test}");
        }
        let latch = self.names.unique(&format!("{name}_enable"));
        let _ = writeln!(self.declarations, "  reg  {latch};\n  wire {name};{place}");
        let _ = writeln!(
            self.statements,
            "  always @(*) begin\n    if (~{clock}) {latch} = {enable};\n  end\n  assign {name} = {clock} & {latch};"
        );
    }

    /// Writes a clock that rises with every 2^n-th edge of another clock.
    pub(crate) fn clock_divider(&mut self, view: View<'a>, place: &str) {
        let Some(name) = self.named.get(&view.result(0)).cloned() else {
            return;
        };
        let clock = self.operand(view.operand(0));
        let edge = self.edge(view.operand(0));
        let pow2 = view.attribute("pow2").and_then(|a| a.as_i64(self.context));
        let pow2 = pow2.and_then(|pow2| u32::try_from(pow2).ok());
        let Some(pow2) = pow2.filter(|pow2| *pow2 < 64) else {
            return self.refuse(view, "clocks are divided by less than 2 to the 64th");
        };
        if pow2 == 0 {
            let _ = writeln!(self.declarations, "  wire {name};{place}");
            let _ = writeln!(self.statements, "  assign {name} = {clock};");
            return;
        }
        let count = self.names.unique(&format!("{name}_count"));
        let _ = writeln!(
            self.declarations,
            "  reg  {}{count} = {pow2}'d0;\n  reg  {name} = 1'b0;{place}",
            range(pow2)
        );
        // Blocking assignment, so that the edges of both clocks happen at the same time.
        let _ = writeln!(
            self.statements,
            "  always @({edge}) begin\n    if ({count} == {pow2}'d0) {name} = 1'b1;\n    else if ({count} == {pow2}'d{}) {name} = 1'b0;\n    {count} = {count} + {pow2}'d1;\n  end",
            1u64 << (pow2 - 1)
        );
    }
}
