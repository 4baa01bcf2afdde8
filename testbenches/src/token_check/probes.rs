//! The nets of a circuit that are signals of channels, as its attributes tell, and their values.

use sluice_dialects::sluice;
use sluice_ir::bits::Bits;
use sluice_ir::{Attribute, Context, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{CycleSimulator, Observe, Settings};

/// A signal of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signal {
    Valid,
    Ready,
    Data,
}

const SIGNALS: [(Signal, &str); 3] = [
    (Signal::Valid, sluice::VALID),
    (Signal::Ready, sluice::READY),
    (Signal::Data, sluice::DATA),
];

/// The source of the value of a net.
#[derive(Clone, Debug)]
pub(super) enum Net {
    Constant(Bits),
    /// A signal of the simulator.
    Signal(usize),
}

impl Net {
    pub(super) fn is(&self, wanted: &Bits, circuit: &CycleSimulator) -> bool {
        match self {
            Self::Constant(value) => value == wanted,
            Self::Signal(index) => circuit.limbs(*index) == wanted.limbs(),
        }
    }

    pub(super) fn value(&self, width_bits: u32, circuit: &CycleSimulator) -> Bits {
        match self {
            Self::Constant(value) => value.clone(),
            Self::Signal(index) => Bits::from_limbs(width_bits, circuit.limbs(*index)),
        }
    }
}

/// A net that is a signal of a channel.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) channel: usize,
    pub(super) signal: Signal,
    pub(super) net: Net,
}

/// All nets of a circuit that are signals of channels.
pub(super) struct Probes {
    pub(super) all: Vec<Probe>,
}

impl Probes {
    /// Returns the nets, and a simulator that observes them: of the same circuit, in which each of them has a name.
    ///
    /// # Errors
    /// The reason why the circuit cannot be simulated.
    pub(super) fn new(compiled: &Compiled) -> Result<(Self, CycleSimulator), String> {
        let context = &compiled.context;
        let mut circuit = compiled.circuit.clone();
        let op = circuit.lookup_symbol(context, &compiled.interface.module);
        let op = op.ok_or("there is no module of the kernel")?;
        let body = circuit.inner_mut().inner_mut(op);
        let mut found: Vec<(usize, Signal, Result<Bits, String>)> = Vec::new();
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let mut channels = Vec::new();
            for (signal, attribute) in SIGNALS {
                let numbers = numbers(context, view.attribute(attribute));
                channels.extend(numbers.into_iter().map(|channel| (channel, signal)));
            }
            if channels.is_empty() {
                continue;
            }
            let constant = view.attribute("value");
            let constant = constant.filter(|_| view.name() == "hw.constant");
            let net = match constant.and_then(|value| value.integer(context)) {
                Some(value) => Ok(value.clone()),
                // The output of a unit is observed at its uses.
                None if view.name() == "hw.instance" => continue,
                None => {
                    let name = format!("probe_{}", found.len());
                    let result = view.result(0);
                    body.set_value_name(result, Some(context.name(&name)));
                    let attribute = context.name("name");
                    if body.attribute_named(context, op, "name").is_some() {
                        body.set_attribute(op, attribute, context.string_attribute(&name));
                    }
                    Err(name)
                }
            };
            found.extend(
                channels
                    .into_iter()
                    .map(|(channel, signal)| (channel, signal, net.clone())),
            );
        }
        let settings = Settings {
            observe: Observe::Signals,
            ..Settings::default()
        };
        let simulator =
            CycleSimulator::of_kernel(context, &circuit, &compiled.interface, &settings)
                .map_err(|errors| errors.to_text(context))?;
        let paths: Vec<String> = simulator.signals().map(|signal| signal.path()).collect();
        let mut all = Vec::new();
        for (channel, signal, net) in found {
            let net = match net {
                Ok(value) => Net::Constant(value),
                Err(name) => {
                    let index = paths.iter().position(|path| *path == name);
                    match index {
                        Some(index) => Net::Signal(index),
                        // It is an input of the circuit of a call, which does not use it.
                        None if !compiled.callees.is_empty() => continue,
                        None => return Err(format!("`{name}` cannot be seen")),
                    }
                }
            };
            all.push(Probe {
                channel,
                signal,
                net,
            });
        }
        Ok((Self { all }, simulator))
    }
}

fn numbers(context: &Context, attribute: Option<Attribute>) -> Vec<usize> {
    let all = attribute
        .and_then(|a| a.as_array(context))
        .unwrap_or_default();
    let numbers = all.iter().filter_map(|number| number.as_i64(context));
    numbers
        .filter_map(|number| usize::try_from(number).ok())
        .collect()
}
