//! Values in time: on a wire while they are computed, in registers for the rest of their lifetime.

use std::collections::BTreeMap;

use sluice_ir::bits::Bits;
use sluice_ir::{ValueId, View};
use sluice_netlist::circuit::{Circuit, RegisterOptions};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::source::{integer_width, value_name};

use crate::frame::{Frame, FrameId};

/// The location of a value of the function.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    /// A constant.
    Constant(Bits),
    /// In a register that holds it as long as any operation may read it.
    Held(ValueId),
    /// On a wire from virtual time `first` to `last` of `frame`, in a register chain afterwards.
    Timed {
        frame: FrameId,
        first: u32,
        last: u32,
    },
    /// The argument of a pipelined loop: `init` in the first iteration, later `yielded` of the previous iteration.
    Carried {
        frame: FrameId,
        init: ValueId,
        yielded: ValueId,
    },
}

/// All values of one function.
pub(crate) struct Values {
    definitions: Vec<Option<Definition>>,
    /// Placeholder or wire of a timed value.
    wires: BTreeMap<ValueId, ValueId>,
    connected: BTreeMap<ValueId, bool>,
    chains: BTreeMap<(ValueId, u32), ValueId>,
    held: BTreeMap<ValueId, ValueId>,
    /// Registers that hold the latest available value of a pipelined loop.
    latest: BTreeMap<ValueId, ValueId>,
    /// Initial contents of the registers after a yielded value, before the first iteration computes it.
    initial: BTreeMap<ValueId, Bits>,
    aliases: BTreeMap<ValueId, ValueId>,
    pub(crate) frames: Vec<Frame>,
}

impl Values {
    pub(crate) fn new(n_values: usize) -> Self {
        Self {
            definitions: vec![None; n_values],
            wires: BTreeMap::new(),
            connected: BTreeMap::new(),
            chains: BTreeMap::new(),
            held: BTreeMap::new(),
            latest: BTreeMap::new(),
            initial: BTreeMap::new(),
            aliases: BTreeMap::new(),
            frames: Vec::new(),
        }
    }

    pub(crate) fn define(&mut self, value: ValueId, definition: Definition) {
        self.definitions[value.index()] = Some(definition);
    }

    /// Makes `alias` another name of `value`.
    pub(crate) fn alias(&mut self, alias: ValueId, value: ValueId) {
        let value = self.aliases.get(&value).copied().unwrap_or(value);
        self.aliases.insert(alias, value);
    }

    /// Declares that a loop starts with `init` in place of `yielded`. If it is a constant, the registers after the value are
    /// initialised to it, and a reader needs no selection.
    pub(crate) fn initialise(&mut self, init: ValueId, yielded: ValueId) {
        if let Some(Definition::Constant(bits)) = &self.definitions[init.index()] {
            let bits = bits.clone();
            self.initial.entry(yielded).or_insert(bits);
        }
    }

    pub(crate) fn definition(&self, view: View<'_>, value: ValueId) -> Built<&Definition> {
        self.definitions[value.index()]
            .as_ref()
            .ok_or_else(|| broken(view, "uses a value that has no place in time"))
    }

    /// Connects the wire of a timed value.
    pub(crate) fn drive(&mut self, circuit: &mut Circuit<'_>, value: ValueId, net: ValueId) {
        self.connected.insert(value, true);
        if let Some(stand_in) = self.wires.insert(value, net) {
            circuit.connect(stand_in, net);
        }
    }

    /// Returns a value that was read but never driven, if there is one.
    pub(crate) fn undriven(&self) -> Option<ValueId> {
        self.wires
            .keys()
            .find(|value| !self.connected.contains_key(value))
            .copied()
    }

    fn wire(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
    ) -> Built<ValueId> {
        if let Some(net) = self.wires.get(&value) {
            return Ok(*net);
        }
        let width_bits = integer_width(view, value)?;
        let net = circuit.wire(width_bits);
        self.wires.insert(value, net);
        Ok(net)
    }

    /// Returns the net of `value` for an operation of `frame` at virtual time `u`; `view` is the reader, for errors.
    pub(crate) fn read(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
        u: u32,
    ) -> Built<ValueId> {
        let value = self.aliases.get(&value).copied().unwrap_or(value);
        match self.definition(view, value)?.clone() {
            Definition::Constant(bits) => Ok(circuit.constant(bits)),
            Definition::Held(net) => Ok(net),
            Definition::Timed {
                frame: home,
                first,
                last,
            } if home == frame => self.read_timed(circuit, view, value, home, (first, last), u),
            Definition::Timed {
                frame: home, last, ..
            } => {
                // An earlier block of the same function: the value is held since the token of that block passed.
                if self.frames[home.0].parent.is_none() && self.outermost(frame) != home {
                    return self.hold(circuit, view, value);
                }
                let start = self.compound_start(view, home, frame)?;
                if last > start {
                    return Err(broken(
                        view,
                        format!(
                            "reads a value of time {last} inside a compound that starts at {start}"
                        ),
                    ));
                }
                self.hold(circuit, view, value)
            }
            Definition::Carried {
                frame: home,
                init,
                yielded,
            } => {
                if home != frame {
                    return Err(broken(
                        view,
                        "reads the argument of a pipelined loop outside its body",
                    ));
                }
                let ii = self.frames[home.0].ii.ok_or_else(|| {
                    broken(
                        view,
                        "the arguments of a sequential loop must be in registers",
                    )
                })?;
                if self.is_preset(init, yielded, u + ii) {
                    return self.read(circuit, view, yielded, home, u + ii);
                }
                let init = self.read(circuit, view, init, home, 0)?;
                let carried = self.read(circuit, view, yielded, home, u + ii)?;
                let first = self.frames[home.0].first(circuit, u);
                Ok(circuit.mux(first, init, carried))
            }
        }
    }

    /// Reads as [`Values::read`] does, for a reader that may take an argument's value of up to `iterations` earlier: the latest
    /// one available by then.
    pub(crate) fn read_unchanged(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
        u: u32,
        iterations: u32,
    ) -> Built<ValueId> {
        let Some((yielded, last, ii)) = self.carried(view, value, frame)? else {
            return self.read(circuit, view, value, frame, u);
        };
        let back = (1..=iterations).find(|back| u + back * ii > last);
        match back {
            None | Some(1) => self.read(circuit, view, value, frame, u),
            Some(back) => self.read(circuit, view, yielded, frame, u + back * ii),
        }
    }

    /// Returns, for an argument of a pipelined loop, the value yielded for it, the last time at which that value is on its wire,
    /// and the II.
    fn carried(
        &self,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
    ) -> Built<Option<(ValueId, u32, u32)>> {
        let value = self.aliases.get(&value).copied().unwrap_or(value);
        let Definition::Carried { yielded, .. } = *self.definition(view, value)? else {
            return Ok(None);
        };
        let found = (self.definition(view, yielded)?, self.frames[frame.0].ii);
        Ok(match found {
            (Definition::Timed { last, .. }, Some(ii)) => Some((yielded, *last, ii)),
            _ => None,
        })
    }

    /// Reads as [`Values::read`] does, for a reader that may take an argument's value of earlier iterations: if this iteration's
    /// value is not available yet, the latest one that is, or the initial value of the loop.
    pub(crate) fn read_stale(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        frame: FrameId,
        u: u32,
    ) -> Built<ValueId> {
        match self.carried(view, value, frame)? {
            Some((yielded, last, ii)) if u + ii <= last => {
                self.latest(circuit, view, yielded, (frame, last))
            }
            _ => self.read(circuit, view, value, frame, u),
        }
    }

    /// Returns the register that holds a value of a pipelined loop from the cycle after it is computed; before that it holds the
    /// initial value.
    fn latest(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        (frame, last): (FrameId, u32),
    ) -> Built<ValueId> {
        if let Some(net) = self.latest.get(&value) {
            return Ok(*net);
        }
        let bits = self.initial.get(&value).cloned();
        let bits = bits.ok_or_else(|| broken(view, "reads what has no value at first"))?;
        let data = self.wire(circuit, view, value)?;
        let frame = &mut self.frames[frame.0];
        let enable = Some(frame.token(circuit, last));
        let entry = frame.first_entry.expect("only loops start with a value");
        let net = circuit.register(
            data,
            RegisterOptions {
                enable,
                reset: None,
                preset: Some((entry, bits)),
                name: &format!("{}_latest", value_name(view, value)),
            },
        );
        self.latest.insert(value, net);
        Ok(net)
    }

    /// Returns true if the register that is read for a carried value at time `u` of the previous iteration initially holds
    /// `init`.
    fn is_preset(&self, init: ValueId, yielded: ValueId, u: u32) -> bool {
        let Some(Definition::Constant(init)) = &self.definitions[init.index()] else {
            return false;
        };
        matches!(self.definitions[yielded.index()], Some(Definition::Timed { last, .. }) if u > last)
            && self.initial.get(&yielded) == Some(init)
    }

    /// Returns the frame of the function's block that contains `frame`.
    fn outermost(&self, frame: FrameId) -> FrameId {
        let mut current = frame;
        while let Some((parent, _)) = self.frames[current.0].parent {
            current = parent;
        }
        current
    }

    /// Returns the start time in `home` of the compound operation that contains `inner`.
    fn compound_start(&self, view: View<'_>, home: FrameId, inner: FrameId) -> Built<u32> {
        let mut current = inner;
        while let Some((parent, start)) = self.frames[current.0].parent {
            if parent == home {
                return Ok(start);
            }
            current = parent;
        }
        Err(broken(
            view,
            "reads a value of a block that is not around it",
        ))
    }

    fn read_timed(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        home: FrameId,
        (first, last): (u32, u32),
        u: u32,
    ) -> Built<ValueId> {
        if u < first {
            return Err(broken(
                view,
                format!("reads at time {u} what is made at time {first}"),
            ));
        }
        if u <= last {
            return self.wire(circuit, view, value);
        }
        match self.frames[home.0].ii {
            None => self.hold(circuit, view, value),
            Some(ii) => self.chain(circuit, view, value, (u - last - 1) / ii),
        }
    }

    /// Returns register `k` of the shift register chain after a value of a pipelined loop.
    fn chain(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
        k: u32,
    ) -> Built<ValueId> {
        if let Some(net) = self.chains.get(&(value, k)) {
            return Ok(*net);
        }
        let Definition::Timed { frame, last, .. } = self.definition(view, value)?.clone() else {
            return Err(broken(view, "only timed values are registered"));
        };
        let ii = self.frames[frame.0].ii.unwrap_or(1);
        let data = match k {
            0 => self.wire(circuit, view, value)?,
            _ => self.chain(circuit, view, value, k - 1)?,
        };
        // With an II of 1 the chain shifts in every cycle, and the data between tokens is never read.
        let enable = (ii > 1).then(|| self.frames[frame.0].token(circuit, last + k * ii));
        // The initial value in register k is read from `last + 1 + (k - 1) * ii` of the first iteration on. If the chain shifts
        // in every cycle, it arrives there from register 0.
        let preset = self.initial.get(&value).cloned();
        let preset = preset.filter(|_| k == 0 || ii > 1).map(|bits| {
            let set_at = (last + k * ii).checked_sub(ii);
            let frame = &mut self.frames[frame.0];
            let signal = match set_at {
                Some(t) => frame.first(circuit, t),
                None => frame.first_entry.expect("only loops start with a value"),
            };
            (signal, bits)
        });
        let name = format!("{}_r{k}", value_name(view, value));
        let net = circuit.register(
            data,
            RegisterOptions {
                enable,
                reset: None,
                preset,
                name: &name,
            },
        );
        self.chains.insert((value, k), net);
        Ok(net)
    }

    /// Returns the register that keeps a value until its block computes it again.
    pub(crate) fn hold(
        &mut self,
        circuit: &mut Circuit<'_>,
        view: View<'_>,
        value: ValueId,
    ) -> Built<ValueId> {
        if let Some(net) = self.held.get(&value) {
            return Ok(*net);
        }
        let Definition::Timed { frame, last, .. } = self.definition(view, value)?.clone() else {
            return Err(broken(view, "only timed values are registered"));
        };
        let data = self.wire(circuit, view, value)?;
        let enable = Some(self.frames[frame.0].token(circuit, last));
        let name = format!("{}_r", value_name(view, value));
        let net = circuit.register(
            data,
            RegisterOptions {
                enable,
                reset: None,
                preset: None,
                name: &name,
            },
        );
        self.held.insert(value, net);
        Ok(net)
    }
}
