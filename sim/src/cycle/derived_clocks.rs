//! Clocks derived from other clocks or from bits, and conversions of clocks to bits.

use sluice_dialects::seq;
use sluice_ir::View;
use sluice_ir::algebra::Algebra;

use super::clocks::Source;
use crate::cycle::elaborator::{Elaborator, Failed, Net};

impl<'a> Elaborator<'a> {
    /// Creates the net of an operation on clocks.
    pub(super) fn make_clock(&mut self, scope: usize, view: View<'a>) -> Result<(), Failed> {
        let operands: Vec<_> = view.operands().collect();
        let net = match view.name() {
            seq::ClockGate::NAME => {
                let of = self.clock_net(scope, view, operands[0])?;
                let mut enable = self.term(scope, view, operands[1])?;
                if let Some(test) = operands.get(2) {
                    let test = self.term(scope, view, *test)?;
                    enable = self.terms.or(&enable, &test);
                }
                Net::Clock(self.clock(Source::Gated { of, enable }))
            }
            seq::ClockInv::NAME => {
                let of = self.clock_net(scope, view, operands[0])?;
                Net::Clock(self.clock(Source::Inverted(of)))
            }
            seq::ClockDiv::NAME => {
                let of = self.clock_net(scope, view, operands[0])?;
                let pow2 = view.attribute("pow2").and_then(|a| a.as_i64(self.context));
                let pow2 = pow2.and_then(|pow2| u32::try_from(pow2).ok());
                let Some(pow2) = pow2.filter(|pow2| *pow2 < 64) else {
                    return self.fail(view, "clocks are divided by less than 2 to the 64th");
                };
                Net::Clock(self.clock(Source::Divided { of, pow2 }))
            }
            seq::ClockMux::NAME => {
                let condition = self.term(scope, view, operands[0])?;
                let high = self.clock_net(scope, view, operands[1])?;
                let low = self.clock_net(scope, view, operands[2])?;
                let (high, low) = (self.level(high), self.level(low));
                let level = self.terms.ite(&condition, &high, &low);
                Net::Clock(self.clock_of_level(level))
            }
            seq::ConstClock::NAME => {
                let value = view.attribute("value");
                let is_high = value.is_some_and(|value| seq::is_high(self.context, value));
                Net::Clock(self.clock(Source::Constant(is_high)))
            }
            seq::ToClock::NAME => match self.net(view, (scope, operands[0]))? {
                Net::Clock(clock) => Net::Clock(clock),
                Net::Term(level) => Net::Clock(self.clock_of_level(level)),
                Net::Memory(_) | Net::Array(_) => return self.fail(view, "a bit is expected"),
            },
            _ => {
                let clock = self.clock_net(scope, view, operands[0])?;
                Net::Term(self.level(clock))
            }
        };
        self.nets.insert((scope, view.result(0)), net);
        Ok(())
    }
}
