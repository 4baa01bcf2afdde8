//! Units of float operations: the data path of an operation, optimised and scheduled once, alone.
//!
//! A unit takes operands in every cycle. In a schedule a float operation is one operation with the latency of its unit, so the
//! problem stays small and its explanations name operations of the source.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sluice_config::Config;
use sluice_dialects::sluice::{
    Float, IS_UNIT, PATH_PERIOD_NS, START, UNIT, constant_word, float_key,
};
use sluice_dialects::{func, hw, scf, sluice};
use sluice_ir::algebra::FloatOp;
use sluice_ir::diagnostics::Severity;
use sluice_ir::passes::named;
use sluice_ir::text::parse_module;
use sluice_ir::{
    AttributeKind, Body, Builder, Context, Diagnostics, Module, NewOperation, OperationId, ValueId,
    View,
};
use sluice_schedule::kernel::{UnitTiming, schedule_seen};
use sluice_schedule::problem::{Problem, Schedule};
use sluice_transform::{Expansion, expand_floats};

use crate::function_config::for_function;
use crate::schedule_options::schedule_options;
use crate::setting::{PathPeriods, Setting, manager};

/// Units of operations; the reason if there is none for the period.
#[derive(Default)]
pub struct FloatUnits(Mutex<BTreeMap<UnitKey, Found>>);

/// A unit, or the reason why there is none.
type Found = Result<Arc<Unit>, String>;

/// The text of [`float_key`], and the bits of the period of the paths and of the clock period in ns.
type UnitKey = (String, u64, u64);

/// The scheduled data path of one operation: the only function of the module.
struct Unit {
    module: Module,
    function: OperationId,
    timing: UnitTiming,
    /// Cycles from an operand to the same operand of the next operation, if that is the result or, in the first one, another value.
    turn_cycles: u32,
}

impl FloatUnits {
    /// Returns the unit of an operation for the periods of the setting.
    fn get(&self, context: &Context, setting: &Setting<'_>, view: View<'_>) -> Found {
        let key = float_key(view).ok_or("not a float operation")?;
        let periods = (setting.paths.path_ns, setting.clock_period_ns);
        let key = (key, periods.0.to_bits(), periods.1.to_bits());
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let unit = unit(context, setting, view).map(Arc::new);
        lock().insert(key, unit.clone());
        unit
    }
}

/// Returns the timing of the unit of every float operation in a module, by [`float_key`].
pub fn timings(
    context: &Context,
    module: &Module,
    setting: &Setting<'_>,
) -> BTreeMap<String, Result<UnitTiming, String>> {
    let mut timings = BTreeMap::new();
    let name = context.operation_name(Float::NAME);
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        for op in body.walk_all() {
            if body.name(op) != name {
                continue;
            }
            let view = View::new(context, body, op);
            if let Some(key) = float_key(view)
                && !timings.contains_key(&key)
            {
                let unit = setting.float_units.get(context, setting, view);
                timings.insert(key, unit.map(|unit| unit.timing));
            }
        }
    }
    timings
}

/// Returns the cycles after which the unit of an operation can take its own result as an operand; `None` if it has no unit.
pub fn turn_cycles(context: &Context, setting: &Setting<'_>, view: View<'_>) -> Option<u32> {
    let unit = setting.float_units.get(context, setting, view).ok()?;
    Some(unit.turn_cycles)
}

/// Builds the unit of an operation.
///
/// A sum that is an operand of the next one must come back in as few cycles as possible. So there is a second schedule, of a loop
/// whose results are its next operands: it divides the path evenly, where the first one fills every cycle but the last. It is also used
/// where the first one leaves no time for the selection of an operand that a loop carries.
///
/// # Errors
/// The reason why its data path does not meet the clock.
fn unit(context: &Context, setting: &Setting<'_>, view: View<'_>) -> Result<Unit, String> {
    let has_constants = view
        .operands()
        .any(|operand| constant_word(view, operand).is_some());
    let config = Config {
        parallel: false,
        limits: BTreeMap::new(),
        // Operators are written as their circuits; only constant operands leave something to rewrite.
        rewrite: setting.config.rewrite && has_constants,
        ..for_function(setting.config, NAME)
    };
    let setting = Setting {
        config: &config,
        top: NAME,
        is_trial: false,
        is_sketch: false,
        paths: PathPeriods {
            choice_ns: setting.paths.path_ns,
            ..setting.paths
        },
        ..setting.clone()
    };
    let operation = Operation::of(view).ok_or("not a float operation")?;
    let mut plain = straight_line(context, &setting, &operation)?;
    let usable_ns = setting.device.usable_period_ns(setting.paths.path_ns);
    let choice_ns = setting.device.choice_delay_ns(operation.result_bits);
    // The next operand is selected from the result and an initial value.
    let turn = |timing: &UnitTiming| {
        let path_ns = timing.output_delay_ns + choice_ns + timing.input_delay_ns;
        timing.latency_cycles + u32::from(path_ns > usable_ns)
    };
    plain.turn_cycles = turn(&plain.timing);
    let has_room = plain.timing.input_delay_ns + choice_ns <= usable_ns;
    let accumulates = !has_constants
        && plain.timing.latency_cycles > 0
        && matches!(operation.op, FloatOp::Add | FloatOp::Mul | FloatOp::Fma);
    if has_room && !accumulates {
        return Ok(plain);
    }
    let looped = of_loop(context, &setting, &operation, accumulates, choice_ns).map(|mut unit| {
        unit.turn_cycles = turn(&unit.timing);
        unit
    });
    let better = looped.filter(|unit| !has_room || unit.turn_cycles < plain.turn_cycles);
    Ok(better.unwrap_or(plain))
}

/// Name of the function of a unit while it is made.
const NAME: &str = "unit";

/// A float operation on its own.
struct Operation {
    op: FloatOp,
    /// The operation as text, with `%x0`, `%x1`, ... as operands and `%r` as its result; constants before it.
    text: String,
    /// Number and width in bits of each operand that is not constant.
    arguments: Vec<(usize, u32)>,
    result_bits: u32,
}

impl Operation {
    fn of(view: View<'_>) -> Option<Self> {
        let (op, format) = view.with_site(sluice::float_operation)?;
        let mut text = String::new();
        let (mut arguments, mut operands, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for (i, operand) in view.operands().enumerate() {
            let width = view.ty(operand).integer_width_bits(view.context)?;
            match constant_word(view, operand) {
                Some(word) => {
                    let value = word.to_signed_string();
                    text += &format!("  %x{i} = arith.constant {value} : i{width}\n");
                }
                None => arguments.push((i, width)),
            }
            operands.push(format!("%x{i}"));
            types.push(format!("i{width}"));
        }
        let result_bits = op.result_width(format);
        text += &format!(
            "  %r = sluice.float {:?} {}({}) : ({}) -> i{result_bits}\n",
            sluice::function_name(op),
            format.keyword(),
            operands.join(", "),
            types.join(", "),
        );
        Some(Self {
            op,
            text,
            arguments,
            result_bits,
        })
    }

    /// Returns the text of a function of the operands with this body.
    fn function(&self, body: &str) -> String {
        let arguments = self.arguments.iter();
        let arguments: Vec<String> = arguments
            .map(|(i, width)| format!("%x{i}: i{width}"))
            .collect();
        let (arguments, result_bits) = (arguments.join(", "), self.result_bits);
        format!("func.func @{NAME}({arguments}) -> i{result_bits} {{\n{body}}}\n")
    }
}

/// A scheduled module with one function, and its problems with their schedules.
struct Scheduled {
    module: Module,
    function: OperationId,
    solved: Vec<(Problem, Schedule)>,
}

/// Brings a function with float operations into the scheduled form.
///
/// # Errors
/// The first error of a pass or of the scheduler.
fn scheduled(context: &Context, setting: &Setting<'_>, text: &str) -> Result<Scheduled, String> {
    let first = |found: &Diagnostics| {
        let mut errors = found.all.iter();
        let error = errors.find(|one| one.severity == Severity::Error);
        error.map_or_else(String::new, |error| error.message.clone())
    };
    let mut found = Diagnostics::new();
    let module = parse_module(context, text, NAME, &mut found);
    let mut module = module.ok_or_else(|| first(&found))?;
    let function = module.lookup_symbol(context, NAME);
    let function = function.expect("the text has the function");
    expand_floats(
        context,
        module.inner_mut().inner_mut(function),
        Expansion::All,
    );
    let steps = &setting.order.passes[setting.order.position_of("narrow")..];
    manager(steps, setting).run(context, &mut module, &mut found, &mut |_, _| {});
    if found.has_errors() {
        return Err(first(&found));
    }
    let options = schedule_options(setting);
    let mut solved = Vec::new();
    let mut seen = |problem: &Problem, schedule: &Schedule| {
        solved.push((problem.clone(), schedule.clone()));
    };
    schedule_seen(context, &mut module, setting.device, &options, &mut seen)
        .map_err(|found| first(&found))?;
    Ok(Scheduled {
        module,
        function,
        solved,
    })
}

/// Schedules an operation as a function.
fn straight_line(
    context: &Context,
    setting: &Setting<'_>,
    operation: &Operation,
) -> Result<Unit, String> {
    let body = format!(
        "{}  return %r : i{}\n",
        operation.text, operation.result_bits
    );
    let made = scheduled(context, setting, &operation.function(&body))?;
    let (problem, schedule) = made.solved.last().ok_or("there is nothing to schedule")?;
    Ok(Unit {
        timing: UnitTiming::of_block(problem, schedule),
        turn_cycles: 0,
        module: made.module,
        function: made.function,
    })
}

/// Schedules an operation as the body of a loop that carries its operands. If it `accumulates`, its result is every operand of the next
/// iteration. `choice_ns` is the delay of the selection between the result and the initial value, which the loop has and the unit does not
/// have.
fn of_loop(
    context: &Context,
    setting: &Setting<'_>,
    operation: &Operation,
    accumulates: bool,
    choice_ns: f64,
) -> Option<Unit> {
    let bits = operation.result_bits;
    let each = |text: &dyn Fn(usize) -> String| -> String {
        let all = operation.arguments.iter().map(|(i, _)| text(*i));
        all.collect::<Vec<_>>().join(", ")
    };
    let widths = operation.arguments.iter().map(|(_, width)| width);
    let types: Vec<String> = widths.map(|width| format!("i{width}")).collect();
    let types = types.join(", ");
    let next = match accumulates {
        true => each(&|_| "%r".to_owned()),
        false => each(&|i| format!("%next{i}")),
    };
    let body = format!(
        "  %first = arith.constant 0 : i8\n  %end = arith.constant 100 : i8\n  %step = arith.constant 1 : i8\n  \
         %none = arith.constant 0 : i{bits}\n  \
         %all:{} = scf.for %i = %first to %end step %step iter_args(%result = %none, {}) -> (i{bits}, {types}) : i8 {{\n{}  \
         scf.yield %r, {next} : i{bits}, {types}\n  }}\n  \
         return %all#0 : i{bits}\n",
        operation.arguments.len() + 1,
        each(&|i| format!("%x{i} = %initial{i}")),
        operation.text,
    );
    let both = |(i, width): &(usize, u32)| format!("%initial{i}: i{width}, %next{i}: i{width}");
    let arguments: Vec<String> = operation.arguments.iter().map(both).collect();
    let arguments = arguments.join(", ");
    let text = format!("func.func @{NAME}({arguments}) -> i{bits} {{\n{body}}}\n");
    let made = scheduled(context, setting, &text).ok()?;
    let (problem, schedule) = made
        .solved
        .iter()
        .find(|(_, schedule)| schedule.ii.is_some())?;
    let mut timing = UnitTiming::of_block(problem, schedule);
    timing.input_delay_ns = (timing.input_delay_ns - choice_ns).max(0.0);
    let first_cycle = UnitTiming::first_cycle(schedule);
    let (module, function) = body_of_loop(
        context,
        &made,
        operation,
        first_cycle,
        timing.latency_cycles,
    )?;
    Some(Unit {
        module,
        function,
        timing,
        turn_cycles: 0,
    })
}

/// Returns the body of the loop of a scheduled function as a function of its own, with times from `first_cycle` on; its result is there
/// `latency_cycles` later.
fn body_of_loop(
    context: &Context,
    made: &Scheduled,
    operation: &Operation,
    first_cycle: u32,
    latency_cycles: u32,
) -> Option<(Module, OperationId)> {
    let source = made.module.inner().inner(made.function);
    let views = source.walk_all().into_iter();
    let mut views = views.map(|op| View::new(context, source, op));
    let around = views.find(|view| view.name() == scf::For::NAME)?;
    let entry = around.entry_block(0)?;
    let bits = operation.result_bits;
    let empty = format!("  %none = arith.constant 0 : i{bits}\n  return %none : i{bits}\n");
    let text = operation.function(&empty);
    let mut module = parse_module(context, &text, NAME, &mut Diagnostics::new())?;
    let function = module.lookup_symbol(context, NAME)?;
    let body = module.inner_mut().inner_mut(function);
    let region = body.top_regions().next()?;
    let block = *body.blocks(region).first()?;
    let end = body.last_operation(block)?;
    let outer = source.parent_block(around.id)?;
    // Of each operand, the function takes an initial value and a next one.
    let initial = source.arguments(outer).iter().step_by(2).copied();
    let mut values: BTreeMap<ValueId, ValueId> =
        initial.zip(body.arguments(block).to_vec()).collect();
    // Before the loop there are constants, and an operand of which few bits count gets its width.
    for before in source.operations(outer).take_while(|op| *op != around.id) {
        let part = View::new(context, source, before);
        let made = copy(context, body, end, part, &mut values);
        if let Some(made) = made.filter(|_| part.attribute(START).is_some()) {
            body.set_attribute(made, context.name(START), context.i64_attribute(0));
        }
    }
    // The counter is the first argument of the body, and the result the second; bounds and step are the first operands.
    let carried = source.arguments(entry).iter().skip(2);
    for (argument, initial) in carried.zip(around.operands().skip(4)) {
        values.insert(*argument, *values.get(&initial)?);
    }
    for inner in source.operations(entry) {
        let part = View::new(context, source, inner);
        if part.name() == scf::Yield::NAME {
            values.insert(around.result(0), *values.get(&part.operand(0))?);
            break;
        }
        // Operations that hand on the next operands need values from outside, which the unit does not have.
        let Some(made) = copy(context, body, end, part, &mut values) else {
            continue;
        };
        if let Some(start) = part.attribute(START).and_then(|a| a.as_i64(context)) {
            let time = context.i64_attribute(start - i64::from(first_cycle));
            body.set_attribute(made, context.name(START), time);
        }
    }
    // After the loop, a result that fits fewer bits gets its width back.
    let mut after = source.next(around.id);
    while let Some(op) = after {
        let part = View::new(context, source, op);
        if part.name() == func::Return::NAME {
            let result = *values.get(&part.operand(0))?;
            body.set_operands(end, &[result]);
            return Some((module, function));
        }
        if let Some(made) = copy(context, body, end, part, &mut values) {
            let time = context.i64_attribute(i64::from(latency_cycles));
            body.set_attribute(made, context.name(START), time);
        }
        after = source.next(op);
    }
    None
}

/// Copies an operation without regions before another one.
fn copy(
    context: &Context,
    body: &mut Body,
    before: OperationId,
    from: View<'_>,
    values: &mut BTreeMap<ValueId, ValueId>,
) -> Option<OperationId> {
    if !from.regions().is_empty() {
        return None;
    }
    let mut new = NewOperation::new(context.operation_name(from.name()), from.location());
    for operand in from.operands() {
        new.operands.push(*values.get(&operand)?);
    }
    new.result_types = from.result_types().collect();
    new.attributes = from.attributes().to_vec();
    let made = Builder::before(context, body, before).create(new);
    for (old, result) in from.results().iter().zip(body.results(made).to_vec()) {
        values.insert(*old, result);
    }
    Some(made)
}

/// Returns the setting with the period for which the paths of a scheduled module are.
fn as_scheduled<'a>(context: &Context, module: &Module, setting: &Setting<'a>) -> Setting<'a> {
    let period = module.view(context).attribute(PATH_PERIOD_NS);
    let path_ns = period.and_then(|period| match period.kind(context) {
        AttributeKind::Float { bits, .. } => bits.to_u64().map(f64::from_bits),
        _ => None,
    });
    let mut setting = setting.clone();
    setting.paths.path_ns = path_ns.unwrap_or(setting.clock_period_ns);
    setting
}

/// Returns the timing of the units of a scheduled module, by [`float_key`].
pub fn timings_of_schedule(
    context: &Context,
    module: &Module,
    setting: &Setting<'_>,
) -> BTreeMap<String, UnitTiming> {
    let timings = timings(context, module, &as_scheduled(context, module, setting));
    let timings = timings.into_iter();
    timings
        .filter_map(|(key, timing)| Some((key, timing.ok()?)))
        .collect()
}

/// Adds the units of the float operations of a scheduled module as functions, and names them on the operations.
pub fn add(context: &Context, module: &mut Module, setting: &Setting<'_>) {
    let setting = as_scheduled(context, module, setting);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let name = context.operation_name(Float::NAME);
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let mut used = Vec::new();
        for op in body.walk_all() {
            if body.name(op) != name {
                continue;
            }
            let view = View::new(context, body, op);
            if let Some(key) = float_key(view)
                && let Ok(unit) = setting.float_units.get(context, &setting, view)
            {
                used.push((op, key, unit, unit_name(view)));
            }
        }
        for (op, key, unit, base) in used {
            let name = names.get(&key).cloned().unwrap_or_else(|| {
                let name = format!("{base}_l{}", unit.timing.latency_cycles);
                let numbered = (2..).map(|n| format!("{name}_{n}"));
                let mut all = std::iter::once(name.clone()).chain(numbered);
                let is_free = |name: &String| module.lookup_symbol(context, name).is_none();
                let name = all
                    .find(is_free)
                    .expect("there are more numbers than functions");
                add_function(context, module, &unit, &name);
                names.insert(key, name.clone());
                name
            });
            let symbol = context.symbol_attribute(&name);
            let body = module.inner_mut().inner_mut(function);
            body.set_attribute(op, context.name(UNIT), symbol);
        }
    }
}

/// Returns a name such as `sluice_float_add_f32`.
fn unit_name(view: View<'_>) -> String {
    let operation = view.with_site(sluice::float_operation);
    let text = operation.map(|(op, format)| {
        let function = sluice::function_name(op).replace(' ', "_");
        format!("sluice_float_{function}_{}", format.keyword())
    });
    text.unwrap_or_default()
}

fn add_function(context: &Context, module: &mut Module, unit: &Unit, name: &str) {
    hw::copy_module(context, &unit.module, unit.function, module);
    let made = module.top_level_operations().last().copied();
    let made = made.expect("the function just added");
    let inner = module.inner_mut();
    inner.set_attribute(
        made,
        context.name("sym_name"),
        context.string_attribute(name),
    );
    inner.set_attribute(made, context.name(IS_UNIT), context.unit_attribute());
}
