//! Waves: value change dump (IEEE 1364-2005, section 18) as text.

use std::fmt::Write;

use sluice_ir::bits::Bits;

use super::CycleSimulator;

/// Collects the waves of a run: ports, registers and the cycle number.
pub struct Vcd {
    header: String,
    body: String,
    last: Vec<Option<Bits>>,
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
    /// Waves of this simulator; `top` names the scope.
    pub fn new(simulator: &CycleSimulator, top: &str) -> Self {
        let mut header = String::from("$version Sluice $end\n$timescale 1ns $end\n");
        let _ = writeln!(header, "$scope module {top} $end");
        let mut signals: Vec<(String, u32)> = vec![("clock".to_owned(), 1)];
        signals.extend(simulator.inputs().map(|p| (p.name.clone(), p.width_bits)));
        signals.extend(simulator.outputs().map(|p| (p.name.clone(), p.width_bits)));
        signals.extend(
            simulator
                .registers()
                .map(|(name, value)| (name.replace('.', "_"), value.width())),
        );
        for (i, (name, width)) in signals.iter().enumerate() {
            let _ = writeln!(header, "$var wire {width} {} {name} $end", identifier(i));
        }
        header.push_str("$upscope $end\n$enddefinitions $end\n");
        Self {
            header,
            body: String::new(),
            last: vec![None; signals.len()],
        }
    }

    /// Records the evaluated state of the current cycle.
    pub fn sample(&mut self, simulator: &CycleSimulator) {
        let time = simulator.cycle * 10;
        let _ = writeln!(self.body, "#{time}\n1!");
        let outputs = (0..simulator.outputs().len()).map(|i| simulator.output(i));
        let registers = simulator.registers().map(|(_, value)| value);
        let inputs = (0..simulator.inputs().len()).map(|i| simulator.input(i));
        let values: Vec<Bits> = inputs.chain(outputs).chain(registers).collect();
        for (i, value) in values.into_iter().enumerate() {
            let slot = &mut self.last[i + 1];
            if slot.as_ref() == Some(&value) {
                continue;
            }
            let id = identifier(i + 1);
            if value.width() == 1 {
                let _ = writeln!(self.body, "{}{id}", u8::from(!value.is_zero()));
            } else {
                let digits: String = (0..value.width())
                    .rev()
                    .map(|bit| if value.bit(bit) { '1' } else { '0' })
                    .collect();
                let _ = writeln!(self.body, "b{digits} {id}");
            }
            *slot = Some(value);
        }
        let _ = writeln!(self.body, "#{}\n0!", time + 5);
    }

    /// The whole file.
    pub fn finish(self) -> String {
        self.header + &self.body
    }
}
