//! Reads instances of `ssp` as scheduling problems.

use std::collections::BTreeMap;

use sluice_dialects::{
    builtin, sluice, ssp,
    ssp::{property, resolve},
};
use sluice_ir::types::FloatKind;
use sluice_ir::{
    Attribute, AttributeKind, Body, Context, Location, Module, OperationId as IrOperation,
    TypeKind, ValueId, View,
};

use crate::problem::{
    Dependence, DependenceKind, Initiation, Operation, OperationId, Problem, Resource, ResourceId,
    Schedule,
};

/// Values that the file does not contain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SspOptions {
    /// Clock period in ns, for instances with delays.
    pub clock_period_ns: Option<f64>,
}

/// An instance as a problem, with its start times if it has any.
#[derive(Clone, Debug, PartialEq)]
pub struct SspInstance {
    /// The path to the instance: the modules around it except the outermost, then the instance itself.
    pub path: Vec<IrOperation>,
    /// Source location of the instance.
    pub location: Location,
    /// The problem. First come the operations of the graph in their order, then operations that hold further units for them.
    pub problem: Problem,
    /// Number of operations of the graph.
    pub n_operations: usize,
    /// The operations of the graph, in the body of the instance.
    pub graph: Vec<IrOperation>,
    /// Start times, if every operation has one.
    pub schedule: Option<Schedule>,
    /// Start of each operation of the graph within its cycle, in ns, if the file gives it.
    pub in_cycle_ns: Vec<Option<f64>>,
}

/// A reason why an instance is not a problem that can be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Source location of the fault.
    pub location: Location,
    /// Text of the message.
    pub message: String,
}

/// Returns all instances of a verified module.
///
/// # Errors
///
/// All faults.
pub fn instances(
    context: &Context,
    module: &Module,
    options: SspOptions,
) -> Result<Vec<SspInstance>, Vec<ReadError>> {
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let top = module.view(context);
    collect(top, &[], options, &mut found, &mut errors);
    if errors.is_empty() {
        Ok(found)
    } else {
        Err(errors)
    }
}

fn collect(
    around: View<'_>,
    path: &[IrOperation],
    options: SspOptions,
    found: &mut Vec<SspInstance>,
    errors: &mut Vec<ReadError>,
) {
    for child in children(around) {
        let path: Vec<IrOperation> = path.iter().copied().chain([child.id]).collect();
        match child.name() {
            ssp::Instance::NAME => {
                let mut reader = Reader {
                    context: child.context,
                    instance: child,
                    around,
                    options,
                    errors: Vec::new(),
                    resources: Vec::new(),
                };
                let instance = reader.read();
                if reader.errors.is_empty() {
                    found.extend(instance.map(|instance| SspInstance { path, ..instance }));
                } else {
                    errors.append(&mut reader.errors);
                }
            }
            builtin::Module::NAME => collect(child, &path, options, found, errors),
            _ => {}
        }
    }
}

fn children<'a>(view: View<'a>) -> impl Iterator<Item = View<'a>> {
    let body = view.inner();
    let block = view.entry_block(0);
    let operations = block.into_iter().flat_map(|block| body.operations(block));
    operations.map(move |op| View::new(view.context, body, op))
}

struct Reader<'a> {
    context: &'a Context,
    instance: View<'a>,
    around: View<'a>,
    options: SspOptions,
    errors: Vec<ReadError>,
    /// Resources of the problem with their declarations.
    resources: Vec<(&'a Body, IrOperation, ResourceId)>,
}

/// Properties of an operator type in the file.
#[derive(Clone)]
struct OperatorType {
    name: String,
    latency: u32,
    incoming_ns: f64,
    outgoing_ns: f64,
}

impl<'a> Reader<'a> {
    fn error(&mut self, view: View<'_>, message: impl Into<String>) {
        self.errors.push(ReadError {
            location: view.location(),
            message: message.into(),
        });
    }

    fn number(&self, attribute: Option<Attribute>) -> Option<u32> {
        let value = attribute?.as_i64(self.context)?;
        u32::try_from(value).ok()
    }

    fn float(&self, attribute: Option<Attribute>) -> Option<f64> {
        let attribute = attribute?;
        match attribute.kind(self.context) {
            AttributeKind::Float { ty, bits } => match ty.kind(self.context) {
                TypeKind::Float(FloatKind::F64) => Some(f64::from_bits(bits.to_u64()?)),
                TypeKind::Float(FloatKind::F32) => {
                    let bits = u32::try_from(bits.to_u64()?).ok()?;
                    // The shortest decimal that rounds to the single-precision number.
                    f32::from_bits(bits).to_string().parse().ok()
                }
                _ => None,
            },
            AttributeKind::Integer { .. } => attribute.as_i64(self.context).map(|n| n as f64),
            _ => None,
        }
    }

    fn read(&mut self) -> Option<SspInstance> {
        let instance = self.instance;
        let context = self.context;
        let all = instance.attribute("sspProperties");
        let class = instance.attribute("problemName");
        let class = class.and_then(|class| class.as_str(context)).unwrap_or("");
        let graph = children(instance).find(|child| child.name() == ssp::Graph::NAME)?;
        let ii = self.number(property(context, all, "ssp.II"));
        let mut problem = Problem {
            name: instance.symbol_name().unwrap_or("instance").to_owned(),
            clock_period_ns: 0.0,
            operations: Vec::new(),
            dependences: Vec::new(),
            resources: Vec::new(),
            initiation: Initiation::Once,
        };
        let operations: Vec<View<'a>> = children(graph).collect();
        let mut starts = Vec::new();
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        let mut values: BTreeMap<ValueId, usize> = BTreeMap::new();
        for (index, view) in operations.iter().enumerate() {
            if let Some(name) = view.symbol_name() {
                names.insert(name, index);
            }
            for result in view.results() {
                values.insert(*result, index);
            }
        }
        for library in children(instance).filter(|child| child.name() == ssp::Resource::NAME) {
            for declared in children(library) {
                self.resource(declared, &mut problem);
            }
        }
        self.latencies(instance);
        let (mut further, mut in_cycle_ns) = (Vec::new(), Vec::new());
        for (index, view) in operations.iter().enumerate() {
            let (operation, more) = self.operation(*view, index, &mut problem);
            problem.operations.push(operation);
            further.extend(more.into_iter().map(|resource| (index, resource)));
            let all = view.attribute("sspProperties");
            starts.push(self.number(property(context, all, "ssp.t")));
            in_cycle_ns.push(self.float(property(context, all, "ssp.z")));
        }
        self.dependences(&operations, &names, &values, &mut problem);
        let n_operations = problem.operations.len();
        for (of, resource) in further {
            let id = OperationId::from_index(problem.operations.len());
            let first = OperationId::from_index(of);
            let mut also = Operation::combinational(
                format!(
                    "{} on {}",
                    problem.operations[of].name,
                    problem.resource(resource).name
                ),
                "",
                0.0,
            );
            also.resource = Some(resource);
            also.width_bits = 0;
            also.occupancy_cycles = problem.operations[of].occupancy_cycles;
            problem.operations.push(also);
            problem.dependences.push(Dependence::order(first, id, 0, 0));
            problem.dependences.push(Dependence::order(id, first, 0, 0));
            starts.push(starts[of]);
        }
        self.initiation(class, ii, &mut problem);
        self.clock(class, &mut problem);
        let start: Option<Vec<u32>> = starts.into_iter().collect();
        let is_loop = problem.initiation != Initiation::Once;
        let schedule = start
            .filter(|start| !start.is_empty() && (ii.is_some() || !is_loop))
            .map(|start| Schedule {
                length_cycles: start
                    .iter()
                    .zip(&problem.operations)
                    .map(|(start, operation)| start.saturating_add(operation.span_cycles()))
                    .max()
                    .unwrap_or(0),
                unit: vec![None; start.len()],
                ii: ii.filter(|_| is_loop),
                start,
            });
        Some(SspInstance {
            path: Vec::new(),
            location: instance.location(),
            problem,
            n_operations,
            graph: operations.iter().map(|view| view.id).collect(),
            schedule,
            in_cycle_ns,
        })
    }

    /// Reports operator types of the instance without a latency.
    fn latencies(&mut self, instance: View<'a>) {
        for library in children(instance).filter(|child| child.name() == ssp::Library::NAME) {
            for declared in children(library) {
                self.latency(declared);
            }
        }
    }

    /// Reports an operator type without a latency, once.
    fn latency(&mut self, operator: View<'a>) {
        let all = operator.attribute("sspProperties");
        if self
            .number(property(self.context, all, "ssp.latency"))
            .is_some()
        {
            return;
        }
        let error = ReadError {
            location: operator.location(),
            message: format!(
                "operator type `@{}` has no latency: `latency<N>` says after how many cycles its result is there, 0 in the same cycle",
                operator.symbol_name().unwrap_or("")
            ),
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    fn initiation(&mut self, class: &str, ii: Option<u32>, problem: &mut Problem) {
        let crosses = problem
            .dependences
            .iter()
            .any(|dependence| dependence.distance > 0);
        let is_loop = match class {
            "CyclicProblem" | "ModuloProblem" | "ChainingCyclicProblem" => true,
            "Problem" | "SharedOperatorsProblem" | "ChainingProblem" => false,
            _ => crosses || ii.is_some(),
        };
        if crosses && !is_loop {
            let message = format!("a dependence has a distance, which `{class}` has not");
            self.error(self.instance, message);
        }
        if !is_loop {
            return;
        }
        let given = self.instance.attribute(sluice::INITIATION);
        let given = given.and_then(|given| given.as_array(self.context));
        let given: Vec<Option<u32>> = given
            .into_iter()
            .flatten()
            .map(|number| self.number(Some(*number)))
            .collect();
        problem.initiation = match given[..] {
            [Some(min_ii), Some(max_ii), Some(fixed)] => Initiation::Every {
                min_ii,
                max_ii: if max_ii == 0 { u32::MAX } else { max_ii },
                fixed: fixed != 0,
            },
            _ => Initiation::pipelined(),
        };
    }

    fn clock(&mut self, class: &str, problem: &mut Problem) {
        let worst = problem
            .operations
            .iter()
            .map(|operation| operation.input_delay_ns.max(operation.output_delay_ns))
            .fold(0.0, f64::max);
        let own = self.float(self.instance.attribute(sluice::CLOCK_PERIOD_NS));
        problem.clock_period_ns = match self.options.clock_period_ns.or(own) {
            Some(period) => period,
            None if worst == 0.0 => 1.0,
            None => {
                let message =
                    format!("`{class}` with delays needs a cycle time: `--cycle-time NS`");
                self.error(self.instance, message);
                1.0
            }
        };
    }

    /// Reads an operation, and the kinds of units it needs beyond the first.
    fn operation(
        &mut self,
        view: View<'a>,
        index: usize,
        problem: &mut Problem,
    ) -> (Operation, Vec<ResourceId>) {
        let context = self.context;
        let all = view.attribute("sspProperties");
        let operator = property(context, all, "ssp.opr").and_then(|reference| {
            resolve(
                self.instance,
                self.around,
                reference,
                ssp::OperatorType::NAME,
            )
        });
        if let Some(operator) = operator {
            self.latency(operator);
        }
        let of_type = operator.map(|operator| operator.attribute("sspProperties"));
        let of = |name: &str| of_type.and_then(|all| property(context, all, name));
        let mut known = OperatorType {
            name: operator
                .and_then(View::symbol_name)
                .unwrap_or("")
                .to_owned(),
            latency: self.number(of("ssp.latency")).unwrap_or(0),
            incoming_ns: self.float(of("ssp.incDelay")).unwrap_or(0.0),
            outgoing_ns: self.float(of("ssp.outDelay")).unwrap_or(0.0),
        };
        if known.latency == 0 {
            if known.incoming_ns != known.outgoing_ns && of("ssp.outDelay").is_some() {
                let message = format!(
                    "operator type `@{}` takes no cycle: its two delays must be equal",
                    known.name
                );
                self.error(view, message);
            }
            known.outgoing_ns = 0.0;
        }
        let mut resources: Vec<ResourceId> = Vec::new();
        let units = property(context, all, "ssp.rsrcs").and_then(|units| units.as_array(context));
        for unit in units.into_iter().flatten() {
            if let Some(unit) = resolve(self.instance, self.around, *unit, ssp::ResourceType::NAME)
            {
                resources.extend(self.resource(unit, problem));
            }
        }
        // Older files put the limit on the operator type itself.
        if units.is_none_or(<[Attribute]>::is_empty)
            && let Some(operator) = operator
        {
            resources.extend(self.resource(operator, problem));
        }
        resources.dedup();
        let name = view.attribute(sluice::NAME);
        let name = name
            .and_then(|name| name.as_str(context))
            .map(str::to_owned);
        let own_name = view.symbol_name().map(|name| format!("@{name}"));
        let name = name
            .or(own_name)
            .unwrap_or_else(|| format!("#{index}:@{}", known.name));
        let class = operator.and_then(|operator| operator.attribute(sluice::CLASS));
        let class = class
            .and_then(|class| class.as_str(context))
            .map(str::to_owned);
        let class = class.unwrap_or(known.name);
        let operation = Operation {
            name,
            class,
            latency_cycles: known.latency,
            input_delay_ns: known.incoming_ns,
            output_delay_ns: known.outgoing_ns,
            resource: resources.first().copied(),
            occupancy_cycles: self.number(view.attribute(sluice::OCCUPANCY)).unwrap_or(1),
            width_bits: self.number(view.attribute(sluice::WIDTH)).unwrap_or(1),
            earliest: self.number(view.attribute(sluice::EARLIEST)),
            latest: self.number(view.attribute(sluice::LATEST)),
        };
        (operation, resources.into_iter().skip(1).collect())
    }

    /// Returns the resource of the declaration `declared`, if it has a limit.
    fn resource(&mut self, declared: View<'a>, problem: &mut Problem) -> Option<ResourceId> {
        let context = self.context;
        let all = declared.attribute("sspProperties");
        let count = self
            .number(property(context, all, "ssp.limit"))
            .filter(|count| *count > 0)?;
        let name = declared.symbol_name().unwrap_or("");
        let same = |(body, id, _): &&(&Body, IrOperation, ResourceId)| {
            std::ptr::eq(*body, declared.body) && *id == declared.id
        };
        let known = self.resources.iter().find(same).map(|(_, _, id)| *id);
        Some(known.unwrap_or_else(|| {
            let id = ResourceId::from_index(problem.resources.len());
            let shown = declared.attribute(sluice::NAME);
            let shown = shown.and_then(|name| name.as_str(context));
            problem.resources.push(Resource {
                name: shown.map_or_else(|| format!("`@{name}`"), str::to_owned),
                count,
            });
            self.resources.push((declared.body, declared.id, id));
            id
        }))
    }

    fn dependences(
        &mut self,
        operations: &[View<'a>],
        names: &BTreeMap<&str, usize>,
        values: &BTreeMap<ValueId, usize>,
        problem: &mut Problem,
    ) {
        let context = self.context;
        for (to, view) in operations.iter().enumerate() {
            let n_operands = view.operands().len();
            let mut sources: Vec<Option<usize>> = view
                .operands()
                .map(|value| values.get(&value).copied())
                .collect();
            let mut distances: Vec<u32> = vec![0; n_operands];
            let edges = view
                .attribute("dependences")
                .and_then(|all| all.as_array(context));
            for edge in edges.into_iter().flatten() {
                let AttributeKind::Dialect { parameters, .. } = edge.kind(context) else {
                    continue;
                };
                let (mut source, mut properties) = (None, None);
                for part in parameters.iter().skip(1) {
                    match part.as_flat_symbol(context) {
                        Some(name) => source = names.get(name).copied(),
                        None => properties = Some(*part),
                    }
                }
                let distance = self
                    .number(property(context, properties, "ssp.dist"))
                    .unwrap_or(0);
                let index = parameters.first().and_then(|index| index.as_i64(context));
                let index = index.and_then(|index| usize::try_from(index).ok());
                match (source, index) {
                    (Some(source), _) => {
                        sources.push(Some(source));
                        distances.push(distance);
                    }
                    (None, Some(index)) if index < n_operands => distances[index] = distance,
                    _ => {}
                }
            }
            let truths = |name| view.attribute(name).and_then(|all| all.as_array(context));
            let (chained, forwarded) = (truths(sluice::CHAINED), truths(sluice::FORWARDED));
            for (position, (source, distance)) in sources.into_iter().zip(distances).enumerate() {
                let Some(from) = source else { continue };
                let is_chained = chained
                    .and_then(|all| all.get(position))
                    .is_none_or(|value| value.as_bool(context) != Some(false));
                let is_forwarded = forwarded
                    .and_then(|all| all.get(position))
                    .is_some_and(|value| value.as_bool(context) == Some(true));
                let latency = problem.operations[from].latency_cycles;
                // This problem class has no registers between iterations: a result of latency 0 is available at once. A reference
                // by name passes no value.
                let is_auxiliary = position >= n_operands;
                let kind = if (distance > 0 || is_auxiliary) && chained.is_none() {
                    DependenceKind::Order {
                        min_gap_cycles: i64::from(latency),
                    }
                } else {
                    DependenceKind::Data {
                        chained: is_chained,
                    }
                };
                problem.dependences.push(Dependence {
                    from: OperationId::from_index(from),
                    to: OperationId::from_index(to),
                    distance,
                    kind,
                    unchanged: false,
                    forwarded: is_forwarded,
                });
            }
            self.orders(*view, to, names, problem);
        }
    }

    /// Reads `sluice.orders = [["from", distance, gap], ...]`.
    fn orders(
        &mut self,
        view: View<'a>,
        to: usize,
        names: &BTreeMap<&str, usize>,
        problem: &mut Problem,
    ) {
        let context = self.context;
        let orders = view.attribute(sluice::ORDERS);
        let orders = orders.and_then(|all| all.as_array(context));
        for order in orders.into_iter().flatten() {
            let parts = order.as_array(context).unwrap_or_default();
            let found = match parts {
                [from, distance, gap] => from
                    .as_str(context)
                    .and_then(|name| names.get(name))
                    .zip(self.number(Some(*distance)))
                    .zip(gap.as_i64(context)),
                _ => None,
            };
            let Some(((from, distance), gap)) = found else {
                self.error(view, "`sluice.orders` holds `[\"from\", distance, gap]`");
                continue;
            };
            let from = OperationId::from_index(*from);
            let to = OperationId::from_index(to);
            problem
                .dependences
                .push(Dependence::order(from, to, distance, gap));
        }
    }
}
