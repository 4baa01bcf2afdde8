//! Lowers calls of statically scheduled circuits: one run at a time, with one token of all operands in and one of all results
//! out.
//!
//! A scheduled circuit has ports of the memories passed to it, and cannot wait for them. So a call waits for every earlier access
//! that may touch the same memories, like any compound operation. Of calls that share a memory, one runs at a time.

use sluice_dialects::sluice::{CIRCUIT, LATENCY, MEMORIES};
use sluice_dialects::{
    func, handshake,
    interface::{ArgumentPorts, Interface},
    sluice,
};
use sluice_ir::bits::Bits;
use sluice_ir::passes::named;
use sluice_ir::{
    Attribute, Context, Module, NewOperation, OperationId, Type, TypeKind, ValueId, View,
};

use super::domains::DomainId;
use super::order::Scope;
use super::{Lowered, Lowering, refused};

/// Returns the type of a call's result token: the result type, a tuple of several, or `none`.
fn token_type(context: &Context, results: &[Type]) -> Type {
    match results {
        [] => context.none_type(),
        [one] => *one,
        _ => context.ty(TypeKind::Tuple(results.to_vec().into())),
    }
}

/// Declares a function that has a circuit: a `handshake.func` without a graph.
pub(super) fn declare_circuit(
    context: &Context,
    module: &mut Module,
    function: OperationId,
) -> Lowered<()> {
    let view = View::new(context, module.inner(), function);
    let ty = view.attribute("function_type");
    let ty = ty.and_then(|a| a.as_type(context));
    let Some(TypeKind::Function { inputs, results }) = ty.map(|ty| ty.kind(context)) else {
        return Err(refused(view, "a function has a function type"));
    };
    let is_memory = |ty: &&Type| matches!(ty.kind(context), TypeKind::MemRef { .. });
    let mut inputs: Vec<Type> = inputs.iter().filter(|ty| !is_memory(ty)).copied().collect();
    inputs.push(context.none_type());
    let results = [token_type(context, results)];
    let names = |prefix: &str, n: usize| {
        let names: Vec<Attribute> = (0..n)
            .map(|i| context.string_attribute(&format!("{prefix}{i}")))
            .collect();
        context.array_attribute(&names)
    };
    let attribute = |name: &str, value: Attribute| (context.name(name), value);
    let mut attributes = vec![
        attribute(
            "function_type",
            context.type_attribute(context.function_type(&inputs, &results)),
        ),
        attribute("argNames", names("in", inputs.len())),
        attribute("resNames", names("out", 1)),
        attribute("sym_visibility", context.string_attribute("private")),
    ];
    let kept = ["sym_name", CIRCUIT, LATENCY].map(|name| (name, view.attribute(name)));
    attributes.extend(
        kept.iter()
            .filter_map(|(name, value)| Some(attribute(name, (*value)?))),
    );
    let mut new = NewOperation::new(
        context.operation_name(handshake::Func::NAME),
        view.location(),
    );
    new.attributes = attributes;
    new.n_regions = 1;
    let inner = module.inner_mut();
    let made = inner.create(context, new);
    inner.insert_before(function, made);
    inner.erase(function);
    Ok(())
}

impl<'a> Lowering<'a, '_> {
    /// Returns the called function and the ports of its circuit.
    ///
    /// # Errors
    /// A callee without a scheduled circuit.
    fn called(&self, view: View<'a>) -> Lowered<(View<'a>, Interface)> {
        let context = self.context;
        let callee = view.attribute("callee");
        let callee = callee.and_then(|callee| callee.as_flat_symbol(context));
        let inner = self.module.inner();
        let mut functions = named(context, self.module, func::Func::NAME)
            .into_iter()
            .chain(named(context, self.module, handshake::Func::NAME))
            .map(|op| View::new(context, inner, op));
        let function = functions.find(|f| f.symbol_name() == callee && callee.is_some());
        let found = function.and_then(|function| {
            let circuit = function.attribute(CIRCUIT)?.as_flat_symbol(context)?;
            let op = self.module.lookup_symbol(context, circuit)?;
            let interface = View::new(context, inner, op).attribute(sluice::INTERFACE)?;
            let interface = Interface::from_attribute(context, circuit, interface)?;
            Some((function, interface))
        });
        found.ok_or_else(|| {
            let name = callee.unwrap_or("callee");
            let message =
                format!("`@{name}` is called, and no schedule made a circuit of it in front");
            refused(view, message)
        })
    }

    /// Returns the memories that a call passes, with whether each is read and written.
    pub(super) fn passed(&self, view: View<'a>) -> Lowered<Vec<(ValueId, bool, bool)>> {
        let (_, interface) = self.called(view)?;
        let mut passed = Vec::new();
        if interface.arguments.len() != view.operands().len() {
            let message = format!(
                "`@{}` is passed an array in banks, which a circuit of its own has no ports for",
                interface.module
            );
            return Err(refused(view, message));
        }
        for (operand, ports) in view.operands().zip(&interface.arguments) {
            match ports {
                ArgumentPorts::Scalar { .. } => {}
                ArgumentPorts::Memory {
                    stream: false,
                    banks: None,
                    read,
                    write,
                    ..
                } => passed.push((operand, *read, *write)),
                ArgumentPorts::Memory { name, .. } => {
                    let message = format!("`{name}` of a callee is a stream or in banks");
                    return Err(refused(view, message));
                }
            }
        }
        Ok(passed)
    }

    /// Lowers a call in a domain.
    ///
    /// # Errors
    /// As [`Lowering::called`].
    pub(super) fn call(
        &mut self,
        domain: DomainId,
        view: View<'a>,
        scope: &mut Scope,
    ) -> Lowered<()> {
        let context = self.context;
        let (function, _) = self.called(view)?;
        let passed = self.passed(view)?;
        let mut tokens = self.wait(scope, view.id, domain);
        let is_memory = |value: &ValueId| passed.iter().any(|(memory, ..)| memory == value);
        let scalars: Vec<ValueId> = view.operands().filter(|x| !is_memory(x)).collect();
        let mut operands = self.values(domain, &scalars);
        let mut waited: Vec<ValueId> = tokens.values().copied().collect();
        waited.push(self.trigger(domain));
        operands.push(self.graph.join(&waited));

        let number = |n: usize| {
            let n = Bits::from_u64(32, n as u64);
            context.integer_attribute(context.integer_type(32), n)
        };
        let ids: Vec<Attribute> = passed
            .iter()
            .filter_map(|(memory, ..)| self.memories.keys().position(|known| known == memory))
            .map(number)
            .collect();
        let name = function.symbol_name().unwrap_or_default();
        let mut attributes = vec![
            ("module", context.symbol_attribute(name)),
            (MEMORIES, context.array_attribute(&ids)),
            (
                sluice::NAME,
                context.string_attribute(
                    function
                        .attribute(CIRCUIT)
                        .and_then(|a| a.as_flat_symbol(context))
                        .unwrap_or(name),
                ),
            ),
        ];
        let latency = function.attribute(LATENCY);
        attributes.extend(latency.map(|latency| (LATENCY, latency)));
        let results: Vec<Type> = view.result_types().collect();
        let ty = token_type(context, &results);
        let op = self
            .graph
            .operation(handshake::Instance::NAME, &operands, &[ty], &attributes);
        let token = self.graph.body.result(op, 0);
        let parts = match results.as_slice() {
            [] => Vec::new(),
            [_] => vec![token],
            _ => {
                let op = self
                    .graph
                    .operation(handshake::Unpack::NAME, &[token], &results, &[]);
                self.graph.body.results(op).to_vec()
            }
        };
        for (value, channel) in view.results().iter().zip(&parts) {
            self.define(domain, *value, *channel);
        }
        let done = match parts.first() {
            None => token,
            Some(part) => self.graph.join(&[*part]),
        };
        for token in tokens.values_mut() {
            *token = done;
        }
        self.done(scope, view.id, &tokens);
        Ok(())
    }
}
