//! Random state besides plain registers: register chains, FIFOs, memories with masks, aggregates, derived clocks.

use crate::random_circuit::Maker;

/// An operation with state: its results are available from the start, its operands are chosen at the end.
pub(crate) struct State {
    /// Results with their widths.
    results: Vec<(String, u32)>,
    kind: Kind,
}

enum Kind {
    Firreg,
    Row(usize),
    Queue { depth: usize, latency: usize },
    Memory(Memory),
}

struct Memory {
    depth: usize,
    width: u32,
    mask: u32,
    read_latency: usize,
    /// Whether one port both reads and writes.
    is_both: bool,
}

impl Memory {
    fn ty(&self) -> String {
        let mask = match self.mask {
            0 => String::new(),
            mask => format!(", mask {mask}"),
        };
        format!("<{} x {}{mask}>", self.depth, self.width)
    }

    fn address_bits(&self) -> u32 {
        self.depth.next_power_of_two().trailing_zeros()
    }
}

impl Maker {
    /// Returns clocks derived from `%clock` and `%slow`; falling edges and levels are used only in rich circuits.
    pub(crate) fn clocks(&mut self, is_rich: bool) -> Vec<String> {
        let mut clocks = vec!["%clock".to_owned(), "%clock".to_owned(), "%slow".to_owned()];
        let n_kinds = if is_rich { 5 } else { 2 };
        for at in 0..self.below(4) {
            let of = clocks[self.below(clocks.len())].clone();
            let name = format!("%clock{at}");
            let what = match self.below(n_kinds) {
                0 => format!("seq.clock_gate {of}, {}", self.noise_bit()),
                1 => format!("seq.clock_div {of} by {}", self.below(4)),
                2 => format!("seq.clock_inv {of}"),
                3 => format!("seq.clock_mux %reset, {of}, %clock"),
                _ => format!("seq.to_clock {}", self.noise_bit()),
            };
            self.line(&format!("{name} = {what}"));
            clocks.push(name);
        }
        clocks
    }

    /// Returns a bit of a register that only `%reset` resets.
    fn noise_bit(&mut self) -> String {
        let at = self.below(64);
        self.make(&format!("comb.extract %noise from {at} : (i64) -> i1"), 1)
    }

    /// Creates operations with state, without their operands.
    pub(crate) fn declare_state(&mut self) -> Vec<State> {
        let mut all = Vec::new();
        for number in 0..self.below(5) {
            let width = self.width();
            let name = format!("%s{number}_");
            let (kind, results) = match self.below(5) {
                0 => (Kind::Firreg, vec![width]),
                1 => (Kind::Row(1 + self.below(4)), vec![width]),
                2 => {
                    let kind = Kind::Queue {
                        depth: 1 + self.below(6),
                        latency: self.below(3),
                    };
                    (kind, vec![width, 1, 1, 1, 1])
                }
                _ => {
                    let part = u32::try_from(1 + self.below(20)).expect("small");
                    let mask = u32::try_from(self.below(4)).expect("small");
                    let memory = Memory {
                        depth: 2 + self.below(20),
                        width: part * mask.max(1),
                        mask,
                        read_latency: self.below(3),
                        is_both: self.below(2) == 0,
                    };
                    let width = memory.width;
                    let results = if memory.read_latency > 0 {
                        vec![width]
                    } else {
                        vec![]
                    };
                    (Kind::Memory(memory), results)
                }
            };
            let results: Vec<(String, u32)> = results
                .into_iter()
                .enumerate()
                .map(|(at, width)| (format!("{name}{at}"), width))
                .collect();
            self.values.extend(results.clone());
            if let Kind::Memory(memory) = &kind {
                let ruw = ["undefined", "old", "new"][self.below(3)];
                let latency = 1 + self.below(2);
                self.line(&format!(
                    "{name}m = seq.firmem {}, {latency}, {ruw}, port_order : {}",
                    memory.read_latency,
                    memory.ty()
                ));
            }
            all.push(State { results, kind });
        }
        all
    }

    /// Returns a random clock.
    fn clock(&mut self, clocks: &[String]) -> String {
        clocks[self.below(clocks.len())].clone()
    }

    /// Creates the operands of the operations with state; returns their results.
    pub(crate) fn connect_state(
        &mut self,
        all: &[State],
        clocks: &[String],
        is_rich: bool,
    ) -> Vec<(String, u32)> {
        let mut shown = Vec::new();
        for (number, state) in all.iter().enumerate() {
            shown.extend(state.results.clone());
            let name = format!("%s{number}_");
            let clock = self.clock(clocks);
            let width = state.results.first().map_or(1, |(_, width)| *width);
            match &state.kind {
                Kind::Firreg => {
                    let (next, value) = (self.of(width), self.constant(width));
                    let reset = match (self.below(3), is_rich) {
                        (0, true) => format!(" reset async {}, {value}", self.noise_bit()),
                        (1, _) => format!(" reset sync {}, {value}", self.of(1)),
                        _ => String::new(),
                    };
                    let preset = if self.below(2) == 0 { " preset 1" } else { "" };
                    self.line(&format!(
                        "{name}0 = seq.firreg {next} clock {clock}{reset}{preset} : i{width}"
                    ));
                }
                Kind::Row(n) => {
                    let (next, enable, value) = (self.of(width), self.of(1), self.constant(width));
                    self.line(&format!(
                        "{name}0 = seq.shiftreg[{n}] {next}, {clock}, {enable} reset %reset, {value} : i{width}"
                    ));
                }
                Kind::Queue { depth, latency } => {
                    let (input, reads, writes) = (self.of(width), self.of(1), self.of(1));
                    let results: Vec<&str> = state
                        .results
                        .iter()
                        .map(|(name, _)| name.as_str())
                        .collect();
                    self.line(&format!(
                        "{} = seq.fifo depth {depth} rd_latency {latency} almost_full {depth} almost_empty 1 in {input} rdEn {reads} wrEn {writes} clk {clock} rst %reset : i{width}",
                        results.join(", ")
                    ));
                }
                Kind::Memory(memory) => shown.extend(self.ports(&name, memory, &clock, clocks)),
            }
        }
        shown
    }

    /// Creates the ports of a memory; returns the combinational read data.
    fn ports(
        &mut self,
        name: &str,
        memory: &Memory,
        clock: &str,
        clocks: &[String],
    ) -> Vec<(String, u32)> {
        let (ty, width) = (memory.ty(), memory.width);
        let (mask, mask_ty) = match memory.mask {
            0 => (String::new(), String::new()),
            bits => (format!(" mask {}", self.of(bits)), format!(", i{bits}")),
        };
        let (address, data) = (self.of(memory.address_bits()), self.of(width));
        let enable = self.of(1);
        // In Verilog, writes at the same time by different clocks have no order, so all ports use one clock.
        if memory.is_both {
            let mode = self.of(1);
            self.line(&format!(
                "{name}0 = seq.firmem.read_write_port {name}m[{address}] = {data} if {mode}, clock {clock} enable {enable}{mask} : {ty}{mask_ty}"
            ));
        } else {
            let (at, read_clock) = (self.of(memory.address_bits()), self.clock(clocks));
            let enabled = match self.below(2) {
                0 => format!(" enable {}", self.of(1)),
                _ => String::new(),
            };
            self.line(&format!(
                "{name}0 = seq.firmem.read_port {name}m[{at}], clock {read_clock}{enabled} : {ty}"
            ));
            self.line(&format!(
                "seq.firmem.write_port {name}m[{address}] = {data}, clock {clock} enable {enable}{mask} : {ty}{mask_ty}"
            ));
        }
        let (address, data) = (self.of(memory.address_bits()), self.of(width));
        let enable = self.of(1);
        self.line(&format!(
            "seq.firmem.write_port {name}m[{address}] = {data}, clock {clock} enable {enable} : {ty}"
        ));
        match memory.read_latency {
            0 => vec![(format!("{name}0"), width)],
            _ => Vec::new(),
        }
    }

    /// Creates an operation on arrays, structures, unions or enumerations.
    pub(crate) fn aggregate(&mut self) {
        let width = self.width().min(40);
        let n = 2 + self.below(5);
        let (array, index_bits) = (
            format!("!hw.array<{n}xi{width}>"),
            n.next_power_of_two().trailing_zeros(),
        );
        let whole = u32::try_from(n).expect("small") * width;
        let bits = self.of(whole);
        let of_array = self.cast(&bits, &format!("i{whole}"), &array);
        let index = self.of(index_bits);
        match self.below(6) {
            0 => {
                self.make(
                    &format!("hw.array_get {of_array}[{index}] : {array}, i{index_bits}"),
                    width,
                );
            }
            1 => {
                let slice = format!("!hw.array<1xi{width}>");
                let name = self.unlisted(&format!(
                    "hw.array_slice {of_array}[{index}] : ({array}) -> {slice}"
                ));
                let name = self.cast(&name, &slice, &format!("i{width}"));
                self.values.push((name, width));
            }
            2 => {
                let element = self.of(width);
                let name = self.unlisted(&format!(
                    "hw.array_inject {of_array}[{index}], {element} : {array}, i{index_bits}"
                ));
                let name = self.cast(&name, &array, &format!("i{whole}"));
                self.values.push((name, whole));
            }
            3 => {
                let ty = format!("!hw.struct<a: i{width}, none: i0, b: i3>");
                let (low, none) = (self.of(3), self.unlisted("hw.constant 0 : i0"));
                let high = self.of(width);
                let name =
                    self.unlisted(&format!("hw.struct_create ({high}, {none}, {low}) : {ty}"));
                let new = self.of(3);
                let name = self.unlisted(&format!("hw.struct_inject {name}[\"b\"], {new} : {ty}"));
                self.make(&format!("hw.struct_extract {name}[\"a\"] : {ty}"), width);
                let name = self.cast(&name, &ty, &format!("i{}", width + 3));
                self.values.push((name, width + 3));
            }
            4 => {
                let ty = format!("!hw.union<a: i{width}, b: i{} offset 1>", width + 5);
                let value = self.of(width);
                let name = self.unlisted(&format!("hw.union_create \"a\", {value} : {ty}"));
                self.make(&format!("hw.union_extract {name}[\"b\"] : {ty}"), width + 5);
            }
            _ => {
                let ty = "!hw.enum<A, B, C>";
                let (a, b) = (
                    self.unlisted(&format!("hw.enum.constant A : {ty}")),
                    self.unlisted(&format!("hw.enum.constant C : {ty}")),
                );
                let condition = self.of(1);
                let chosen = self.unlisted(&format!("comb.mux {condition}, {a}, {b} : {ty}"));
                self.make(&format!("hw.enum.cmp {chosen}, {b} : {ty}, {ty}"), 1);
            }
        }
    }

    fn cast(&mut self, name: &str, from: &str, to: &str) -> String {
        self.unlisted(&format!("hw.bitcast {name} : ({from}) -> {to}"))
    }
}
