//! Generator of random circuits: one `hw.module` of comb and seq that generates its own stimulus and outputs its state.

use std::fmt::Write as _;

use sluice_verify::data::Random;

/// Widths of words; wide ones have several limbs.
const WIDTHS: [u32; 20] = [
    1, 1, 1, 2, 3, 5, 8, 8, 13, 16, 31, 32, 32, 33, 63, 64, 65, 100, 128, 300,
];

/// The widest words that are multiplied or divided: wider ones take Verilator too long.
const WIDEST_PRODUCT: u32 = 128;

pub(crate) struct Maker {
    random: Random,
    text: String,
    /// Values, with name and width.
    pub(crate) values: Vec<(String, u32)>,
    serial: usize,
}

/// Returns the text of a module with this name, for a seed. Its 64-bit output `sum` depends on every register in every cycle.
///
/// A rich circuit has falling edges, clocks derived from data and asynchronous resets.
pub fn circuit(name: &str, seed: u64, is_rich: bool) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        text: String::new(),
        values: Vec::new(),
        serial: 0,
    };
    maker.circuit(name, is_rich)
}

fn constant(width: u32, value: u64) -> String {
    match width {
        1 => if value & 1 == 1 { "true" } else { "false" }.to_owned(),
        2..=62 => format!(
            "{} : i{width}",
            sluice_ir::bits::Bits::from_u64(width, value)
        ),
        _ => format!("{} : i{width}", value >> 2),
    }
}

impl Maker {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.random.next_u64() >> 33).expect("31 bits") % n.max(1)
    }

    pub(crate) fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// Creates a value from the text after its `=`.
    pub(crate) fn make(&mut self, what: &str, width: u32) -> String {
        let name = self.unlisted(what);
        self.values.push((name.clone(), width));
        name
    }

    /// Creates a value as [`Maker::make`], but other operations cannot use it.
    pub(crate) fn unlisted(&mut self, what: &str) -> String {
        let name = format!("%v{}", self.serial);
        self.serial += 1;
        self.line(&format!("{name} = {what}"));
        name
    }

    pub(crate) fn constant(&mut self, width: u32) -> String {
        let value = match self.below(4) {
            0 => 0,
            1 => u64::MAX,
            _ => self.random.next_u64(),
        };
        self.make(&format!("hw.constant {}", constant(width, value)), width)
    }

    fn any(&mut self) -> (String, u32) {
        let n = self.values.len();
        // Most operands are recent values, which gives long chains.
        let reach = if self.below(3) == 0 { n } else { n.min(15) };
        let at = n - 1 - self.below(reach);
        self.values[at].clone()
    }

    /// Returns a value of a given width: an existing one, a part of one, or an extended one.
    pub(crate) fn of(&mut self, width: u32) -> String {
        for _ in 0..6 {
            let (name, found) = self.any();
            if found == width {
                return name;
            }
        }
        let (name, found) = self.any();
        self.fitted(&name, found, width)
    }

    /// Returns a different value, if one is found soon.
    fn other(&mut self, than: &str, width: u32) -> String {
        for _ in 0..4 {
            let name = self.of(width);
            if name != than {
                return name;
            }
        }
        let wider: Vec<usize> = (0..self.values.len())
            .filter(|at| self.values[*at].0 != than)
            .collect();
        let at = wider[self.below(wider.len())];
        let (name, found) = self.values[at].clone();
        self.fitted(&name, found, width)
    }

    fn fitted(&mut self, name: &str, found: u32, width: u32) -> String {
        use std::cmp::Ordering;
        match found.cmp(&width) {
            Ordering::Equal => name.to_owned(),
            Ordering::Greater => {
                let low = self.below((found - width + 1) as usize);
                self.make(
                    &format!("comb.extract {name} from {low} : (i{found}) -> i{width}"),
                    width,
                )
            }
            Ordering::Less => {
                let more = width - found;
                let high = if self.below(2) == 0 {
                    let top = found - 1;
                    let sign = self.make(
                        &format!("comb.extract {name} from {top} : (i{found}) -> i1"),
                        1,
                    );
                    self.make(&format!("comb.replicate {sign} : (i1) -> i{more}"), more)
                } else {
                    self.constant(more)
                };
                self.make(
                    &format!("comb.concat {high}, {name} : i{more}, i{found}"),
                    width,
                )
            }
        }
    }

    pub(crate) fn width(&mut self) -> u32 {
        WIDTHS[self.below(WIDTHS.len())]
    }

    fn operation(&mut self) {
        let width = self.width();
        match self.below(18) {
            0..=4 => {
                let op = ["add", "sub", "and", "or", "xor"][self.below(5)];
                let a = self.of(width);
                let b = self.other(&a, width);
                self.make(&format!("comb.{op} {a}, {b} : i{width}"), width);
            }
            5 => {
                let op = ["mul", "divu", "divs", "modu", "mods"][self.below(5)];
                let width = width.min(WIDEST_PRODUCT);
                let a = self.of(width);
                let b = self.other(&a, width);
                self.make(&format!("comb.{op} {a}, {b} : i{width}"), width);
            }
            6 | 7 => {
                let op = ["shl", "shru", "shrs"][self.below(3)];
                let a = self.of(width);
                let amount = self.other(&a, width);
                let amount = if self.below(3) == 0 {
                    amount
                } else {
                    // Shift amounts are mostly less than the width.
                    let mask = self.make(
                        &format!(
                            "hw.constant {}",
                            constant(width, u64::from(width.next_power_of_two() - 1))
                        ),
                        width,
                    );
                    self.make(&format!("comb.and {amount}, {mask} : i{width}"), width)
                };
                self.make(&format!("comb.{op} {a}, {amount} : i{width}"), width);
            }
            8 | 9 => {
                let all = [
                    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
                ];
                let predicate = all[self.below(all.len())];
                let a = self.of(width);
                let b = self.other(&a, width);
                self.make(&format!("comb.icmp {predicate} {a}, {b} : i{width}"), 1);
            }
            10 | 11 => {
                let (c, a) = (self.of(1), self.of(width));
                let b = self.other(&a, width);
                self.make(&format!("comb.mux {c}, {a}, {b} : i{width}"), width);
            }
            12 => {
                let parts: Vec<(String, u32)> =
                    (0..2 + self.below(2)).map(|_| self.any()).collect();
                let whole: u32 = parts.iter().map(|(_, width)| width).sum();
                if whole <= 300 {
                    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
                    let types: Vec<String> =
                        parts.iter().map(|(_, width)| format!("i{width}")).collect();
                    let (names, types) = (names.join(", "), types.join(", "));
                    self.make(&format!("comb.concat {names} : {types}"), whole);
                }
            }
            13 => {
                let (name, width) = self.any();
                self.make(&format!("comb.parity {name} : i{width}"), 1);
            }
            14 => {
                let (name, width) = self.any();
                let times = 1 + u32::try_from(self.below(4)).expect("small");
                if width * times <= 300 {
                    self.make(
                        &format!("comb.replicate {name} : (i{width}) -> i{}", width * times),
                        width * times,
                    );
                }
            }
            15 | 16 => self.aggregate(),
            _ => {
                self.constant(width);
            }
        }
    }

    fn circuit(&mut self, name: &str, is_rich: bool) -> String {
        // The stimulus is a xorshift register (G. Marsaglia, 2003).
        let n_registers = 2 + self.below(10);
        let widths: Vec<u32> = (0..n_registers).map(|_| self.width()).collect();
        self.values.push(("%noise".to_owned(), 64));
        for (register, width) in widths.iter().enumerate() {
            self.values.push((format!("%r{register}"), *width));
        }
        let clocks = self.clocks(is_rich);
        let state = self.declare_state();
        let memory = (self.below(2) == 0).then(|| {
            let (depth, width) = (2 + self.below(20), self.width());
            let address = depth.next_power_of_two().trailing_zeros();
            (depth, width, address)
        });
        if let Some((depth, width, address)) = memory {
            self.line(&format!(
                "%memory = seq.hlmem @memory %clock, %reset : <{depth}xi{width}>"
            ));
            let ty = format!("!seq.hlmem<{depth}xi{width}>");
            let at = self.of(address);
            let enable = self.of(1);
            self.make(
                &format!("seq.read %memory[{at}] rden {enable} {{latency = 1}} : {ty}"),
                width,
            );
        }
        for _ in 0..5 + self.below(60) {
            self.operation();
        }
        if let Some((depth, width, address)) = memory {
            let (at, data, enable) = (self.of(address), self.of(width), self.of(1));
            let ty = format!("!seq.hlmem<{depth}xi{width}>");
            self.line(&format!(
                "seq.write %memory[{at}] {data} wren {enable} {{latency = 1}} : {ty}"
            ));
        }
        for (register, width) in widths.iter().enumerate() {
            let next = self.of(*width);
            let mut with = String::new();
            let mut kind = "seq.compreg";
            if self.below(2) == 0 {
                kind = "seq.compreg.ce";
                with = format!(", {}", self.of(1));
            }
            if self.below(2) == 0 {
                let value = self.constant(*width);
                let reset = match self.below(3) {
                    0 => self.of(1),
                    _ => "%reset".to_owned(),
                };
                with += &format!(" reset {reset}, {value}");
            }
            let clock = clocks[self.below(clocks.len())].clone();
            self.line(&format!(
                "%r{register} = {kind} {next}, {clock}{with} : i{width}"
            ));
        }
        let mut shown: Vec<(String, u32)> = (0..)
            .zip(&widths)
            .map(|(register, width): (usize, _)| (format!("%r{register}"), *width))
            .collect();
        shown.extend(self.connect_state(&state, &clocks, is_rich));
        self.stimulus();
        self.sum(&shown);
        format!(
            "  hw.module @{name}(in %clock : !seq.clock, in %slow : !seq.clock, in %reset : i1, out sum : i64) {{\n{}    hw.output %sum : i64\n  }}\n",
            self.text
        )
    }

    fn stimulus(&mut self) {
        let seed = self.random.next_u64() >> 2 | 1;
        for line in [
            format!("%seed = hw.constant {seed} : i64"),
            "%by13 = hw.constant 13 : i64".to_owned(),
            "%by7 = hw.constant 7 : i64".to_owned(),
            "%by17 = hw.constant 17 : i64".to_owned(),
            "%x0 = comb.shl %noise, %by13 : i64".to_owned(),
            "%x1 = comb.xor %noise, %x0 : i64".to_owned(),
            "%x2 = comb.shru %x1, %by7 : i64".to_owned(),
            "%x3 = comb.xor %x1, %x2 : i64".to_owned(),
            "%x4 = comb.shl %x3, %by17 : i64".to_owned(),
            "%x5 = comb.xor %x3, %x4 : i64".to_owned(),
            "%noise = seq.compreg %x5, %clock reset %reset, %seed : i64".to_owned(),
        ] {
            self.line(&line);
        }
    }

    /// Creates a register that depends on all other registers.
    fn sum(&mut self, shown: &[(String, u32)]) {
        self.line("%high = comb.extract %sum from 63 : (i64) -> i1");
        self.line("%rest = comb.extract %sum from 0 : (i64) -> i63");
        self.line("%turned = comb.concat %rest, %high : i63, i1");
        let mut last = "%turned".to_owned();
        let mut serial = 0;
        for (name, width) in shown {
            for low in (0..*width).step_by(64) {
                let n = (width - low).min(64);
                self.line(&format!(
                    "%p{serial} = comb.extract {name} from {low} : (i{width}) -> i{n}"
                ));
                let mut part = format!("%p{serial}");
                if n < 64 {
                    self.line(&format!("%z{serial} = hw.constant {}", constant(64 - n, 0)));
                    self.line(&format!(
                        "%w{serial} = comb.concat %z{serial}, %p{serial} : i{}, i{n}",
                        64 - n
                    ));
                    part = format!("%w{serial}");
                }
                self.line(&format!("%s{serial} = comb.xor {last}, {part} : i64"));
                // Values are shifted by different amounts, so that equal ones do not cancel out.
                self.line(&format!(
                    "%l{serial} = comb.extract %s{serial} from 5 : (i64) -> i59"
                ));
                self.line(&format!(
                    "%m{serial} = comb.extract %s{serial} from 0 : (i64) -> i5"
                ));
                self.line(&format!(
                    "%t{serial} = comb.concat %m{serial}, %l{serial} : i5, i59"
                ));
                last = format!("%t{serial}");
                serial += 1;
            }
        }
        self.line("%none = hw.constant 0 : i64");
        self.line(&format!(
            "%sum = seq.compreg {last}, %clock reset %reset, %none : i64"
        ));
    }
}
