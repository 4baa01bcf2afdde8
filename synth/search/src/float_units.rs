//! Units of float operations: the data path of an operation, optimised and scheduled once, alone.
//!
//! A unit takes operands in every cycle. In a schedule a float operation is one operation with the latency of its unit, so the
//! problem stays small and its explanations name operations of the source.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sluice_config::{Config, Speculate, Style, Use};
use sluice_dialects::sluice::{Float, IS_UNIT, PATH_PERIOD_NS, UNIT, constant_word, float_key};
use sluice_dialects::{func, hw, sluice};
use sluice_ir::passes::named;
use sluice_ir::text::parse_module;
use sluice_ir::{
    AttributeKind, Context, Diagnostics, Module, OperationId,
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

/// Adds the units of the float operations of a scheduled module as functions, and names them on the operations.
pub fn add(context: &Context, module: &mut Module, setting: &Setting<'_>) {
    // The schedule says for which period its paths are.
    let period = module.view(context).attribute(PATH_PERIOD_NS);
    let path_ns = period.and_then(|period| match period.kind(context) {
        AttributeKind::Float { bits, .. } => bits.to_u64().map(f64::from_bits),
        _ => None,
    });
    let mut setting = setting.clone();
    setting.paths.path_ns = path_ns.unwrap_or(setting.clock_period_ns);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        let mut used = Vec::new();
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.name() == Float::NAME
                && let Some(key) = float_key(view)
                && let Some(unit) = setting.float_units.get(context, &setting, view)
            {
                used.push((op, key, unit, unit_name(view)));
            }
        }
        for (op, key, unit, wished) in used {
            let name = names.get(&key).cloned().unwrap_or_else(|| {
                let name = format!("{wished}_l{}", unit.timing.latency_cycles);
                let numbered = (2..).map(|n| format!("{name}_{n}"));
                let mut all = std::iter::once(name.clone()).chain(numbered);
                let is_free = |name: &String| module.lookup_symbol(context, name).is_none();
                let name = all.find(is_free).expect("there are more numbers than functions");
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
    inner.set_attribute(made, context.name("sym_name"), context.string_attribute(name));
    inner.set_attribute(made, context.name(IS_UNIT), context.unit_attribute());
}
