//! Comparison of the accesses of a graph at outside memory ports with those of its circuit.

use sluice_dialects::interface::ArgumentPorts;
use sluice_dialects::sluice;
use sluice_dialects::sluice::MEMORIES;
use sluice_ir::bits::Bits;
use sluice_ir::{TypeKind, View};
use sluice_kernel::compiled::Compiled;
use sluice_sim::cycle::{CycleSimulator, SignalKind};
use sluice_sim::tokens::Channel;

use super::Seen;

/// A read port or a write port.
#[derive(Debug)]
pub(super) struct MemoryPort {
    name: String,
    /// The channels of its accesses: the address, and the data for a write.
    users: Vec<(usize, Option<usize>)>,
    enable: usize,
    /// The `id` of the memory, and whether the port writes.
    pub(super) called: (i64, bool),
    /// Absent for streams.
    address: Option<usize>,
    data: Option<usize>,
}

impl MemoryPort {
    /// Returns the difference between the accesses of circuit and graph in a cycle, if there is one.
    pub(super) fn difference(
        &self,
        seen: &[Seen],
        is_called: bool,
        circuit: &CycleSimulator,
    ) -> Option<String> {
        let asks = |channel: usize| seen[channel].is_valid && seen[channel].is_ready;
        let user = self.users.iter().find(|(address, _)| asks(*address));
        let is_enabled = circuit.limbs(self.enable) != [0];
        let is_wanted = user.is_some() || is_called;
        if is_wanted != is_enabled || user.is_some() && is_called {
            let (graph, circuit) = (u8::from(is_wanted), u8::from(is_enabled));
            return Some(format!(
                "`{}` is {graph} in the graph, {circuit} in the circuit",
                self.name
            ));
        }
        let (address, data) = user?;
        let mut pairs: Vec<(usize, usize)> = self
            .address
            .map(|port| (port, *address))
            .into_iter()
            .collect();
        pairs.extend(self.data.zip(*data));
        pairs.into_iter().find_map(|(port, channel)| {
            let wanted = seen[channel].data.as_ref()?;
            let found = circuit.limbs(port);
            (found != wanted.limbs()).then(|| {
                let found = Bits::from_limbs(wanted.width(), found);
                format!(
                    "where `{}` is 1, the graph has {wanted} and the circuit {found}",
                    self.name
                )
            })
        })
    }
}

/// Returns all ports of memories among the arguments.
///
/// # Errors
/// Ports that the circuit does not have.
pub(super) fn read_ports(
    compiled: &Compiled,
    channels: &[Channel],
    circuit: &CycleSimulator,
) -> Result<Vec<MemoryPort>, String> {
    let context = &compiled.context;
    let graph = compiled.scheduled.lookup_symbol(context, &compiled.top);
    let graph = graph.ok_or("there is no graph")?;
    let graph = View::new(context, compiled.scheduled.inner(), graph);
    let body = graph.inner();
    let block = graph.entry_block(0).ok_or("the graph is empty")?;
    let arguments = body.arguments(block).iter().copied();
    let memories: Vec<_> = arguments
        .filter(|argument| matches!(body.ty(*argument).kind(context), TypeKind::MemRef { .. }))
        .collect();
    let names = compiled.interface.arguments.iter();
    let names: Vec<String> = names
        .flat_map(ArgumentPorts::memories)
        .map(|memory| memory.name)
        .collect();
    let port = |name: String| {
        let mut signals = circuit.signals();
        let index =
            signals.position(|signal| signal.kind == SignalKind::Output && signal.path() == name);
        index.ok_or_else(|| format!("the circuit has no port `{name}`"))
    };
    let calls = |id: i64, writes: bool| {
        let suffix = if writes { "_wen" } else { "_ren" };
        let is_passed = |view: View<'_>| {
            let ids = view.attribute(MEMORIES).and_then(|a| a.as_array(context));
            let mut ids = ids.unwrap_or_default().iter();
            ids.any(|passed| passed.as_i64(context) == Some(id))
        };
        let mut all = body.operations(block);
        all.any(|op| is_passed(View::new(context, body, op)))
            .then_some(suffix)
    };
    let mut found = Vec::new();
    for op in body.operations(block) {
        let view = View::new(context, body, op);
        if view.name() != "handshake.extmemory" {
            continue;
        }
        let place = memories
            .iter()
            .position(|memory| *memory == view.operand(0));
        let name = place.and_then(|place| names.get(place));
        let name = name.ok_or("a memory that is no argument")?;
        let count = |name: &str| {
            let count = view.attribute(name).and_then(|a| a.as_i64(context));
            count.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
        };
        let (n_loads, n_stores) = (count("ldCount"), count("stCount"));
        let channel = |operand: usize| {
            let value = view.operand(1 + operand);
            let place = channels.iter().position(|channel| channel.value == value);
            place.ok_or("an address is no channel")
        };
        // A stream that never stalls transfers a word whenever the circuit allows it.
        let is_stream = view.attribute(sluice::STREAM).is_some();
        let name_of = |of_memory: &str, of_stream: &str| match is_stream {
            true => format!("{name}{of_stream}"),
            false => format!("{name}{of_memory}"),
        };
        let id = view.attribute("id").and_then(|a| a.as_i64(context));
        let id = id.ok_or("a memory without a number")?;
        // A call need not both read and write a memory.
        let has = |writes: bool| {
            calls(id, writes).is_some_and(|suffix| port(format!("{name}{suffix}")).is_ok())
        };
        if n_loads > 0 || has(false) {
            let users = 0..n_loads;
            let users = users.map(|load| Ok::<_, &str>((channel(2 * n_stores + load)?, None)));
            found.push(MemoryPort {
                name: name_of("_ren", "_ready"),
                users: users.collect::<Result<_, _>>()?,
                enable: port(name_of("_ren", "_ready"))?,
                called: (id, false),
                address: match is_stream {
                    true => None,
                    false => Some(port(format!("{name}_raddr"))?),
                },
                data: None,
            });
        }
        if n_stores > 0 || has(true) {
            let users = 0..n_stores;
            let users = users
                .map(|store| Ok::<_, &str>((channel(2 * store + 1)?, Some(channel(2 * store)?))));
            found.push(MemoryPort {
                name: name_of("_wen", "_valid"),
                users: users.collect::<Result<_, _>>()?,
                enable: port(name_of("_wen", "_valid"))?,
                called: (id, true),
                address: match is_stream {
                    true => None,
                    false => Some(port(format!("{name}_waddr"))?),
                },
                data: Some(port(name_of("_wdata", ""))?),
            });
        }
    }
    Ok(found)
}
