//! Splitting of operations that are too wide for the clock.

use std::collections::BTreeSet;

use sluice_config::Style;
use sluice_dialects::sluice::FLATTEN;
use sluice_dialects::{
    func, scf,
    synthesis_form::{guarded_division, is_division},
};
use sluice_ir::passes::named;
use sluice_ir::{Context, Diagnostics, Location, Module, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::error::MissingOrTooSlow;
use sluice_transform::Splitting;

use crate::setting::Setting;

/// Maximum number of adders, or of partial products, of a multiplication that may start in every cycle; above that it is computed
/// bit by bit.
const MAX_ADDERS: usize = 160;

/// The same limit in an elastic circuit, in which each of them has its own handshake.
const MAX_ELASTIC_ADDERS: usize = 40;

/// Maximum number of operations, including pure bit moves, into which one operation is split in an elastic circuit; above that,
/// they get a static schedule.
const MAX_TOKENS: usize = 2000;

/// Runs the pass that splits operations that do not fit the clock.
pub fn split(
    setting: &Setting<'_>,
    context: &Context,
    module: &mut Module,
    found: &mut Diagnostics,
) {
    let device = setting.device;
    let fits = |class, width_bits| fits(setting, class, width_bits);
    let usable_ns = device.usable_period_ns(setting.paths.path_ns);
    let begins = |width_bits: u32| device.choice_delay_ns(width_bits) <= usable_ns;
    let is_elastic = setting.config.style == Style::Elastic;
    let mut in_tables = Vec::new();
    for function in named(context, module, func::Func::NAME) {
        let name = View::new(context, module.inner(), function).symbol_name();
        // All other functions get a static schedule.
        let has_tokens = is_elastic && name == Some(setting.top);
        let body = module.inner_mut().inner_mut(function);
        sluice_transform::split_extremes(context, body, &|width_bits| {
            !fits(OperatorClass::MinimumMaximum, width_bits)
        });
        let splitting = Splitting {
            fits: &fits,
            begins: &begins,
            max_adders: match has_tokens {
                true => MAX_ELASTIC_ADDERS,
                false => MAX_ADDERS,
            },
            max_tokens: has_tokens.then_some(MAX_TOKENS),
        };
        in_tables.extend(sluice_transform::split_wide(context, body, &splitting));
    }
    warn_of_products(setting, &in_tables, found);
}

/// Returns whether an operation of a class and a width fits the clock.
fn fits(setting: &Setting<'_>, class: OperatorClass, width_bits: u32) -> bool {
    let (device, period_ns) = (setting.device, setting.clock_period_ns);
    device.implementation(class, width_bits, period_ns).is_ok()
}

/// Returns whether a module has divisions.
pub(crate) fn has_divisions(context: &Context, module: &Module) -> bool {
    let functions = named(context, module, func::Func::NAME).into_iter();
    let mut bodies = functions.map(|function| module.inner().inner(function));
    bodies.any(|body| {
        let mut all = body.walk_all().into_iter();
        all.any(|op| is_division(View::new(context, body, op)))
    })
}

/// Returns the locations of divisions under a condition that no divider fits into the clock.
pub(crate) fn whole_divisions(
    context: &Context,
    module: &Module,
    setting: &Setting<'_>,
) -> BTreeSet<Location> {
    let is_whole = |view: &View<'_>| {
        let class = OperatorClass::of(*view);
        let width = view.ty(view.result(0)).integer_width_bits(context);
        let is_too_wide = |(class, width_bits)| !fits(setting, class, width_bits);
        class.zip(width).is_some_and(is_too_wide)
    };
    let mut places = BTreeSet::new();
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner().inner(function);
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            let guarded = guarded_division(view).map(|division| view.at(division));
            places.extend(guarded.filter(is_whole).map(View::location));
        }
    }
    places
}

/// Keeps the loops of nests apart if they hold divisions at the given locations and have no directive; returns whether there were
/// any.
pub(crate) fn keep_apart(
    context: &Context,
    module: &mut Module,
    places: &BTreeSet<Location>,
) -> bool {
    let mut is_changed = false;
    if places.is_empty() {
        return false;
    }
    let name = context.name(FLATTEN);
    for function in named(context, module, func::Func::NAME) {
        let body = module.inner_mut().inner_mut(function);
        for op in body.walk_all() {
            let is_loop = View::new(context, body, op).name() == scf::For::NAME;
            let mut inside = body.walk(op).into_iter();
            let is_division = |op| is_division(View::new(context, body, op));
            let holds = is_loop
                && body.attribute(op, name).is_none()
                && inside.any(|op| is_division(op) && places.contains(&body.location(op)));
            if holds {
                body.set_attribute(op, name, context.bool_attribute(false));
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Warns about products that no multiplier fits into the clock, with a clock that would fit one.
fn warn_of_products(setting: &Setting<'_>, in_tables: &[(Location, u32)], found: &mut Diagnostics) {
    let Some((place, width)) = in_tables.first() else {
        return;
    };
    let (device, period_ns) = (setting.device, setting.clock_period_ns);
    let others = match in_tables.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let message = format!(
        "no multiplier of `{}` fits the clock period of {period_ns} ns: this product of {width} bits is made of sums in look-up tables{others}",
        device.name
    );
    let warning = found.warning(*place, message);
    let way = device.implementation(OperatorClass::Multiply, *width, period_ns);
    if let Err(MissingOrTooSlow::TooSlow {
        min_clock_period_ns,
        ..
    }) = way
    {
        warning.hint(format!(
            "multipliers fit at {:.1} ns and above",
            (min_clock_period_ns * 10.0).ceil() / 10.0
        ));
    }
}
