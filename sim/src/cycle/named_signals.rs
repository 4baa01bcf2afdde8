//! The named signals of a design, for waves and assertions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sluice_dialects::sluice::{BLOCK, FRAME, OPERATION, TIME};
use sluice_dialects::{hw, seq};
use sluice_ir::algebra::{Algebra, TermId};
use sluice_ir::{Context, OperationId, ValueDefinition, ValueId, View};

use crate::cycle::Port;
use crate::cycle::elaborator::{Elaborator, Net, Scope};
use crate::cycle::flat::Origin;
use crate::cycle::signals::{Signal, SignalKind, SourcePlace, Token};

/// Returns the signal of an output of the top module.
pub(crate) fn output(port: &Port, term: TermId) -> Signal {
    Signal {
        scope: Vec::new(),
        name: port.name.clone(),
        width_bits: port.width_bits,
        kind: SignalKind::Output,
        place: None,
        token: None,
        term,
    }
}

/// A named value of an instance.
pub(crate) struct Named<'a> {
    /// The instances around it, from the outside in.
    pub(crate) scope: Vec<String>,
    pub(crate) name: String,
    pub(crate) kind: SignalKind,
    /// The operation that defines it, unless it is an input.
    pub(crate) operation: Option<View<'a>>,
}

/// Returns the name of a value of an instance, if it has one. `path` has the instances around it, each followed by a point;
/// `children` are the operations that are instances.
pub(crate) fn named<'a>(
    context: &'a Context,
    module: View<'a>,
    path: &str,
    children: &BTreeMap<OperationId, usize>,
    value: ValueId,
) -> Option<Named<'a>> {
    let body = module.inner();
    let mut scope: Vec<String> = path.split_terminator('.').map(str::to_owned).collect();
    let named = || body.value_name(value).map(|name| context.text(name));
    let (name, kind, operation) = match body.value_definition(value) {
        ValueDefinition::Argument { .. } => (named()?.to_owned(), SignalKind::Input, None),
        ValueDefinition::Result { operation, index } => {
            let view = View::new(context, body, operation);
            let text = |name| view.attribute(name)?.as_str(context);
            if children.contains_key(&operation) {
                scope.push(text("instanceName").unwrap_or("instance").to_owned());
                let ports = view.attribute("resultNames")?.as_array(context)?;
                let port = ports.get(index as usize)?.as_str(context)?;
                (port.to_owned(), SignalKind::Output, Some(view))
            } else if view.name() == hw::Constant::NAME {
                return None;
            } else if seq::is_register(view.name()) {
                let name = text("name").filter(|name| !name.is_empty());
                (
                    name.or_else(named)?.to_owned(),
                    SignalKind::Register,
                    Some(view),
                )
            } else {
                (named()?.to_owned(), SignalKind::Wire, Some(view))
            }
        }
    };
    // A number is not a name.
    let is_number = name.starts_with(|first: char| first.is_ascii_digit());
    (!is_number).then_some(Named {
        scope,
        name,
        kind,
        operation,
    })
}

/// Returns the signal of a named value.
pub(crate) fn signal(
    context: &Context,
    module: View<'_>,
    named: Named<'_>,
    (term, width_bits): (TermId, u32),
) -> Signal {
    let op = named.operation;
    let token = op.and_then(|view| {
        let number = |name| usize::try_from(view.attribute(name)?.as_i64(context)?).ok();
        Some(Token {
            module: module.symbol_name().unwrap_or_default().to_owned(),
            frame: view.attribute(FRAME)?.as_str(context)?.to_owned(),
            time: u32::try_from(number(TIME)?).ok()?,
            operation: number(OPERATION),
            block: number(BLOCK)?,
        })
    });
    Signal {
        scope: named.scope,
        name: named.name,
        width_bits,
        kind: named.kind,
        place: op.and_then(|view| SourcePlace::of(context, view)),
        token,
        term,
    }
}

/// Makes names unique in each scope. A port and the register or wire with the same name and value become one signal; other
/// signals with a name in use get a suffix.
pub(crate) fn with_own_names(signals: Vec<Signal>) -> Vec<Signal> {
    let mut found: Vec<Signal> = Vec::new();
    let mut known: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    for mut signal in signals {
        let wanted = signal.name.clone();
        let mut n_tries = 0u32;
        let before = loop {
            let key = (signal.scope.clone(), signal.name.clone());
            let Some(before) = known.get(&key).copied() else {
                known.insert(key, found.len());
                break None;
            };
            if found[before].term == signal.term {
                break Some(before);
            }
            n_tries += 1;
            signal.name = match (signal.kind, n_tries) {
                (SignalKind::Register, 1) => format!("{wanted}_reg"),
                (SignalKind::Wire, 1) => format!("{wanted}_wire"),
                _ => format!("{wanted}_{n_tries}"),
            };
        };
        match before {
            Some(before) => {
                let port = &mut found[before];
                port.place = port.place.take().or(signal.place);
                port.token = port.token.take().or(signal.token);
            }
            None => found.push(signal),
        }
    }
    found
}

impl Elaborator<'_> {
    /// Returns every value with a name, instance after instance, sorted by kind.
    pub(crate) fn signals(&self, outputs: &[(Port, TermId)]) -> Vec<Signal> {
        let mut found: Vec<Signal> = outputs
            .iter()
            .map(|(port, term)| output(port, *term))
            .collect();
        for ((scope, value), net) in &self.nets {
            let Net::Term(term) = net else { continue };
            let of = (*term, self.terms.width(term));
            let Scope {
                module,
                path,
                children,
                ..
            } = &self.scopes[*scope];
            let named = named(self.context, *module, path, children, *value);
            found.extend(named.map(|named| signal(self.context, *module, named, of)));
        }
        found.sort_by(|a, b| (&a.scope, a.kind).cmp(&(&b.scope, b.kind)));
        with_own_names(found)
    }

    /// Returns the origin of each term in the source: the first named value, else the first operation.
    pub(crate) fn origins(&self, signals: &[Signal]) -> FxHashMap<TermId, Origin> {
        let mut found: FxHashMap<TermId, Origin> = FxHashMap::default();
        for ((scope, value), net) in &self.nets {
            let Net::Term(term) = net else { continue };
            let body = self.scopes[*scope].module.inner();
            let op = body.defining_operation(*value);
            let view = op.map(|op| View::new(self.context, body, op));
            if view.is_some_and(|view| view.name() == hw::Instance::NAME) {
                continue;
            }
            found.entry(*term).or_insert_with(|| Origin {
                name: None,
                operation: view.map_or_else(String::new, |view| view.name().to_owned()),
                place: view.and_then(|view| SourcePlace::of(self.context, view)),
            });
        }
        // A register is a better origin than a port.
        let mut signals: Vec<&Signal> = signals.iter().collect();
        signals.sort_by_key(|signal| std::cmp::Reverse(signal.kind.min(SignalKind::Register)));
        for signal in signals {
            if let Some(origin) = found.get_mut(&signal.term) {
                origin.name.get_or_insert_with(|| signal.path());
            }
        }
        found
    }
}
