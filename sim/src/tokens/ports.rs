//! The reader of the memories of a graph: their ports, and the contents of tables.

use sluice_dialects::sluice::STREAM;
use sluice_dialects::{handshake, sluice};
use sluice_ir::limits::Limit;
use sluice_ir::{Attribute, AttributeKind, Context, Location, Type, TypeKind, View};

use super::graph::{Data, Kind, Memory, Parameter, Pending};
use super::reading::{Reader, resized};
use super::words::n_limbs;

impl<'a> Reader<'a> {
    /// Returns the number of words of a memory type and the width of a word in bits.
    pub(super) fn memory_type(&mut self, ty: Type, location: Location) -> Option<(usize, u32)> {
        let found = match ty.kind(self.context) {
            TypeKind::MemRef { shape, element, .. } => match (&shape[..], element) {
                ([Some(n)], element)
                    if *n <= self.context.limits.of(Limit::SimulatedWords) && *n > 0 =>
                {
                    element
                        .integer_width_bits(self.context)
                        .filter(|_| element.is_signless_integer(self.context))
                        .zip(usize::try_from(*n).ok())
                }
                _ => None,
            },
            _ => None,
        };
        if found.is_none() {
            self.error(location, "a memory is a `memref<NxiW>`");
        }
        found.map(|(width_bits, n_words)| (n_words, width_bits))
    }

    pub(super) fn load(&mut self, view: View<'a>, name: &str, inputs: &[usize], outputs: &[usize]) {
        let ([address, answer, order], [data, asked]) = (inputs, outputs) else {
            return self.error(view.location(), "a load has one address");
        };
        let ask = Kind::Join(Data::Copies(vec![0]));
        self.node(
            name,
            view.location(),
            ask,
            vec![*address, *order],
            vec![*asked],
        );
        let answers = Kind::Join(Data::Copies(vec![0]));
        self.node(name, view.location(), answers, vec![*answer], vec![*data]);
    }

    pub(super) fn store(
        &mut self,
        view: View<'a>,
        name: &str,
        inputs: &[usize],
        outputs: &[usize],
    ) {
        let ([_, _, _], [_, _]) = (inputs, outputs) else {
            return self.error(view.location(), "a store has one address");
        };
        // Operands are address, data, order; results are data and address.
        let kind = Kind::Join(Data::Copies(vec![1, 0]));
        self.node(
            name,
            view.location(),
            kind,
            inputs.to_vec(),
            outputs.to_vec(),
        );
    }

    pub(super) fn memory(&mut self, view: View<'a>, name: &str) {
        let location = view.location();
        let is_argument = view.name() == handshake::ExternalMemory::NAME;
        let ty = match is_argument {
            true => Some(view.ty(view.operand(0))),
            false => view
                .attribute("memRefType")
                .and_then(|a| a.as_type(self.context)),
        };
        let Some(ty) = ty else {
            return self.error(location, "a memory has a type");
        };
        let Some((n_words, width_bits)) = self.memory_type(ty, location) else {
            return;
        };
        let memory = self.graph.memories.len();
        if is_argument && !self.bind(view, memory) {
            return self.error(location, "a memory argument is used by one `extmemory`");
        }
        let initial = match view.attribute(sluice::VALUES) {
            None => None,
            Some(values) => match words(self.context, values, n_words, width_bits) {
                Some(words) if !is_argument => Some(words),
                _ => {
                    let message = format!(
                        "`sluice.values` are {n_words} integers of {width_bits} bits, of a memory that is no argument"
                    );
                    return self.error(location, message);
                }
            },
        };
        self.graph.memories.push(Memory {
            id: view.attribute("id").and_then(|a| a.as_i64(self.context)),
            n_words,
            width_bits,
            initial,
            is_stream: is_argument && view.attribute(STREAM).is_some(),
            pending: Vec::new(),
        });
        let channels = (
            self.known(view.operands().skip(usize::from(is_argument))),
            self.known(view.results().iter().copied()),
        );
        let (Some(inputs), Some(outputs)) = channels else {
            return;
        };
        let count = |name: &str| {
            let count = view.attribute(name).and_then(|a| a.as_i64(self.context));
            count.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
        };
        let (loads, stores) = (count("ldCount"), count("stCount"));
        if inputs.len() != 2 * stores + loads || outputs.len() != 2 * loads + stores {
            return self.error(location, "the ports of a memory do not fit its counts");
        }
        if !self.fits(&inputs, &outputs, (loads, stores), (n_words, width_bits)) {
            let message = format!(
                "the ports of a memory of {n_words} words of {width_bits} bits have addresses of {} bits",
                address_bits(n_words)
            );
            return self.error(location, message);
        }
        for store in 0..stores {
            let port = inputs[2 * store..2 * store + 2].to_vec();
            let done = vec![outputs[loads + store]];
            let name = format!("{name}.store{store}");
            self.node(&name, location, Kind::Store(memory), port, done);
        }
        for load in 0..loads {
            let answers = vec![outputs[load], outputs[loads + stores + load]];
            let name = format!("{name}.load{load}");
            let address = vec![inputs[2 * stores + load]];
            self.node(&name, location, Kind::Load(memory), address, answers);
        }
    }

    /// Returns whether the channels at the ports of a memory have the required widths.
    fn fits(
        &self,
        inputs: &[usize],
        outputs: &[usize],
        (loads, stores): (usize, usize),
        (n_words, width_bits): (usize, u32),
    ) -> bool {
        let width = |channel: &usize| self.graph.layouts[*channel].width_bits();
        let is_address = |channel| width(channel) == Some(address_bits(n_words));
        let is_data = |channel| width(channel) == Some(width_bits);
        let (writes, addresses) = inputs.split_at(2 * stores);
        writes
            .chunks(2)
            .all(|pair| is_data(&pair[0]) && is_address(&pair[1]))
            && addresses.iter().all(is_address)
            && outputs[..loads].iter().all(is_data)
            && outputs[loads..]
                .iter()
                .all(|channel| width(channel).is_none())
    }

    /// Connects a memory of the graph with the argument that it stands for.
    fn bind(&mut self, view: View<'a>, number: usize) -> bool {
        let body = self.function.inner();
        let argument = view.operand(0);
        let Some(block) = self.function.entry_block(0) else {
            return false;
        };
        let position = body.arguments(block).iter().position(|a| *a == argument);
        let parameter = position.and_then(|i| self.graph.parameters.get_mut(i));
        match parameter {
            Some(Parameter::Memory { memory, .. }) if memory.is_none() => {
                *memory = Some(number);
                true
            }
            _ => false,
        }
    }

    /// Finds the stores whose addresses wait in a queue for their data.
    pub(super) fn find_pending(&mut self) {
        for output in self.graph.pending.clone() {
            let queue = self.graph.producers[output];
            let access = &self.graph.nodes[self.graph.consumers[output]];
            let address = access.outputs.get(1).copied();
            let store = address.map(|channel| self.graph.consumers[channel]);
            let kind = store.map(|store| &self.graph.nodes[store].kind);
            let (Some(store), Some(Kind::Store(memory))) = (store, kind) else {
                let location = self.graph.nodes[queue].location;
                self.error(location, "expected a store after the waiting addresses");
                continue;
            };
            let pending = Pending {
                queue,
                input: self.graph.nodes[queue].inputs[0],
                output,
                data: access.inputs[1],
                store,
            };
            let memory = *memory;
            self.graph.memories[memory].pending.push(pending);
        }
    }

    /// Checks that each port of a memory belongs to one store, or to one load that also takes the answer. Then data and address
    /// arrive together.
    pub(super) fn check_ports(&mut self) {
        let graph = &self.graph;
        let mut wrong = Vec::new();
        for (number, node) in graph.nodes.iter().enumerate() {
            let from = |input: usize| graph.producers[node.inputs[input]];
            let is_whole = match node.kind {
                Kind::Store(_) => {
                    let store = &graph.nodes[from(0)];
                    from(0) == from(1) && store.inputs.len() == 3 && store.outputs == node.inputs
                }
                Kind::Load(_) => {
                    let (ask, answer) = (from(0), graph.consumers[node.outputs[0]]);
                    answer == ask + 1 && graph.nodes[answer].name == graph.nodes[ask].name
                }
                _ => continue,
            };
            if !is_whole {
                wrong.push(number);
            }
        }
        for node in wrong {
            let location = self.graph.nodes[node].location;
            let name = self.graph.nodes[node].name.clone();
            let message = format!("port `{name}` does not belong to one `load` or `store`");
            self.error(location, message);
        }
    }
}

/// Returns the width of an address of a memory in bits.
fn address_bits(n_words: usize) -> u32 {
    (usize::BITS - n_words.saturating_sub(1).leading_zeros()).max(1)
}

/// Returns the words of a memory as limbs, one word after the other.
fn words(
    context: &Context,
    values: Attribute,
    n_words: usize,
    width_bits: u32,
) -> Option<Vec<u64>> {
    let values = values.as_array(context)?;
    let mut words = Vec::with_capacity(n_words * n_limbs(width_bits));
    for value in values {
        match value.kind(context) {
            AttributeKind::Integer { value, .. } => {
                words.extend(resized(value, width_bits)?.limbs());
            }
            _ => return None,
        }
    }
    (values.len() == n_words).then_some(words)
}
