//! Units of float operations: the data path of an operation, optimised and scheduled once, alone, then placed wherever a schedule
//! starts the operation.
//!
//! A unit takes operands in every cycle. In a schedule a float operation is one operation with the latency of its unit, so the
//! problem stays small and its explanations name operations of the source.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sluice_config::{Config, Speculate, Style, Use};
use sluice_dialects::sluice::{Float, LATENCY, PATH_PERIOD_NS, START, constant_word, float_key};
use sluice_dialects::{arith, func, sluice};
use sluice_ir::passes::named;
use sluice_ir::text::parse_module;
use sluice_ir::{
    AttributeKind, Body, Builder, Context, Diagnostics, Module, NewOperation, OperationId, ValueId,
    View,
};
use sluice_schedule::kernel::{UnitTiming, schedule_seen};
use sluice_transform::{Expansion, expand_floats};

use crate::schedule_options::schedule_options;
use crate::setting::{PathPeriods, Setting, manager};

/// Units by [`float_key`] and by the periods of the paths, in bits of ns; `None` if there is none for the period.
#[derive(Default)]
pub struct FloatUnits(Mutex<BTreeMap<(String, u64, u64), Option<Arc<Unit>>>>);

/// The scheduled data path of one operation: the only function of the module.
struct Unit {
    module: Module,
    function: OperationId,
    timing: UnitTiming,
}

impl FloatUnits {
    /// Returns the unit of an operation for the periods of the setting.
    fn get(&self, context: &Context, setting: &Setting<'_>, view: View<'_>) -> Option<Arc<Unit>> {
        let key = float_key(view)?;
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
) -> BTreeMap<String, UnitTiming> {
    let mut timings = BTreeMap::new();
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() != Float::NAME {
                continue;
            }
            if let Some(key) = float_key(view)
                && !timings.contains_key(&key)
                && let Some(unit) = setting.float_units.get(context, setting, view)
            {
                timings.insert(key, unit.timing);
            }
        }
    }
    timings
}

/// Returns whether a scheduled module has float operations on units.
pub fn has_units(context: &Context, module: &Module) -> bool {
    named(context, module, func::Func::NAME)
        .into_iter()
        .any(|function| {
            let body = module.inner().inner(function);
            let mut all = body.walk_all().into_iter();
            all.any(|op| View::new(context, body, op).name() == Float::NAME)
        })
}

/// Builds the unit of an operation; `None` if its data path does not meet the clock.
fn unit(context: &Context, setting: &Setting<'_>, view: View<'_>) -> Option<Unit> {
    const NAME: &str = "unit";
    let mut module = alone(context, NAME, view)?;
    let function = module.lookup_symbol(context, NAME)?;
    let has_constants = view
        .operands()
        .any(|operand| constant_word(view, operand).is_some());
    let config = Config {
        top: Some(NAME.to_owned()),
        style: Style::Static,
        parallel: false,
        coarse_placing: None,
        limits: BTreeMap::new(),
        loops: BTreeMap::new(),
        banks: BTreeMap::new(),
        storage: BTreeMap::new(),
        keep: Vec::new(),
        streams: Vec::new(),
        depths: BTreeMap::new(),
        speculate: Speculate::Never,
        predict: Use::Never,
        // Operators are written as their circuits; only constant operands leave something to rewrite.
        rewrite: setting.config.rewrite && has_constants,
        ..setting.config.clone()
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
    expand_floats(
        context,
        module.inner_mut().inner_mut(function),
        Expansion::All,
    );
    let mut found = Diagnostics::new();
    let steps = &setting.order.passes[setting.order.position_of("narrow")..];
    manager(steps, &setting).run(context, &mut module, &mut found, &mut |_, _| {});
    if found.has_errors() {
        return None;
    }
    let options = schedule_options(&setting);
    let mut timing = None;
    let mut seen = |problem: &_, schedule: &_| {
        timing = Some(UnitTiming::of_block(problem, schedule));
    };
    schedule_seen(context, &mut module, setting.device, &options, &mut seen).ok()?;
    Some(Unit {
        module,
        function,
        timing: timing?,
    })
}

/// Returns a module with one function that computes what the operation does, with its constant operands.
fn alone(context: &Context, name: &str, view: View<'_>) -> Option<Module> {
    let (op, format) = view.with_site(sluice::float_operation)?;
    let mut constants = String::new();
    let mut arguments = Vec::new();
    let mut operands = Vec::new();
    let mut types = Vec::new();
    for (operand, i) in view.operands().zip(0..) {
        let width = view.ty(operand).integer_width_bits(context)?;
        match constant_word(view, operand) {
            Some(word) => {
                let value = word.to_signed_string();
                constants += &format!("  %x{i} = arith.constant {value} : i{width}\n");
            }
            None => arguments.push(format!("%x{i}: i{width}")),
        }
        operands.push(format!("%x{i}"));
        types.push(format!("i{width}"));
    }
    let result = format!("i{}", op.result_width(format));
    let text = format!(
        "func.func @{name}({}) -> {result} {{\n{constants}  %r = sluice.float {:?} {}({}) : ({}) -> {result}\n  return %r : {result}\n}}\n",
        arguments.join(", "),
        sluice::function_name(op),
        format.keyword(),
        operands.join(", "),
        types.join(", "),
    );
    parse_module(context, &text, name, &mut Diagnostics::new())
}

/// Replaces every float operation of a scheduled module by the operations of its unit, each at its time.
pub fn place(context: &Context, module: &mut Module, setting: &Setting<'_>) {
    // The schedule says for which period its paths are.
    let period = module.view(context).attribute(PATH_PERIOD_NS);
    let path_ns = period.and_then(|period| match period.kind(context) {
        AttributeKind::Float { bits, .. } => bits.to_u64().map(f64::from_bits),
        _ => None,
    });
    let mut setting = setting.clone();
    setting.paths.path_ns = path_ns.unwrap_or(setting.clock_period_ns);
    let setting = &setting;
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner_mut().inner_mut(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() != Float::NAME {
                continue;
            }
            if let Some(unit) = setting.float_units.get(context, setting, view) {
                place_one(context, body, op, &unit);
            }
        }
    }
}

fn place_one(context: &Context, body: &mut Body, op: OperationId, unit: &Unit) {
    let view = View::new(context, body, op);
    let start = view.attribute(START).and_then(|a| a.as_i64(context));
    let start = start.unwrap_or(0);
    let latency = view.attribute(LATENCY).and_then(|a| a.as_i64(context));
    debug_assert_eq!(
        latency.unwrap_or(0),
        i64::from(unit.timing.latency_cycles),
        "the unit is the one that was scheduled"
    );
    let source = unit.module.inner().inner(unit.function);
    let of_unit = View::new(context, unit.module.inner(), unit.function);
    let Some(entry) = of_unit.entry_block(0) else {
        return;
    };
    let variables = view
        .operands()
        .filter(|operand| constant_word(view, *operand).is_none());
    let mut values: BTreeMap<ValueId, ValueId> = source
        .arguments(entry)
        .iter()
        .copied()
        .zip(variables)
        .collect();
    let result = view.result(0);
    let name = body.value_name(result);
    let location = view.location();
    for inner in source.operations(entry) {
        let part = View::new(context, source, inner);
        if part.name() == func::Return::NAME {
            let value = values[&part.operand(0)];
            if body.value_name(value).is_none() {
                body.set_value_name(value, name);
            }
            body.replace_all_uses(result, value);
            continue;
        }
        let mut new = NewOperation::new(context.operation_name(part.name()), location);
        new.operands = part.operands().map(|operand| values[&operand]).collect();
        new.result_types = part.result_types().collect();
        new.attributes = part.attributes().to_vec();
        let made = Builder::before(context, body, op).create(new);
        for (old, result) in part.results().iter().zip(body.results(made).to_vec()) {
            values.insert(*old, result);
        }
        let at = part.attribute(START).and_then(|a| a.as_i64(context));
        if let Some(at) = at {
            let time = context.i64_attribute(start + at);
            body.set_attribute(made, context.name(START), time);
        }
        debug_assert!(
            at.is_some() || part.name() == arith::Constant::NAME,
            "everything but constants has a time"
        );
    }
    body.erase(op);
}
