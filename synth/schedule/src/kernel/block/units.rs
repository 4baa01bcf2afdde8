//! Operations on units that are worth sharing: their unit, the multiplexers of its operands, and the common form of a limited
//! class.
//! Units of different width, or with and without input registers, cannot replace one another. If the user allows fewer units of a
//! class than a function has operations, all these operations use units of one [`Form`], so that the limit counts units of the
//! circuit, not of each block and width.
//! circuit, not of each block and width.

use std::collections::{BTreeMap, BTreeSet};

use sluice_dialects::{
    arith, sluice,
    synthesis_form::{interleaved_units, iterations_between},
};
use sluice_ir::{BlockId, Body, Context, OperationId, View};
use sluice_oplib::class::OperatorClass;
use sluice_oplib::device::Device;
use sluice_oplib::error::MissingOrTooSlow;
use sluice_oplib::implementation::{Implementation, Selection};

use super::super::extract::{class_of, is_access, is_compound, is_constant, is_guard};
use super::Builder;
use crate::problem::Operation;

/// The common shape of the units of a limited class in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Width of the widest operation: narrower ones use its low bits.
    pub(crate) width_bits: u32,
    /// True if a register is between the operand multiplexers and the unit; `None` while each operation may choose for itself.
    pub(crate) registered: Option<bool>,
}

/// The forms of the limited classes of which a function has more operations than allowed units.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms(BTreeMap<OperatorClass, Form>);

impl Forms {
    /// Computes the forms of a function in synthesis form; `limits` maps class names to numbers of units.
    pub(crate) fn of(context: &Context, body: &Body, limits: &BTreeMap<String, u32>) -> Self {
        let mut widths: BTreeMap<OperatorClass, Vec<u32>> = BTreeMap::new();
        if !limits.is_empty() {
            for op in body.walk_all() {
                if let Some((class, width_bits)) = shared(View::new(context, body, op)) {
                    widths.entry(class).or_default().push(width_bits);
                }
            }
        }
        let limited = widths.into_iter().filter_map(|(class, widths)| {
            let limit = *limits.get(class.name())?;
            let width_bits = widths.iter().copied().max()?;
            let is_short = widths.len() > usize::try_from(limit).unwrap_or(usize::MAX);
            let form = Form {
                width_bits,
                registered: None,
            };
            is_short.then_some((class, form))
        });
        Self(limited.collect())
    }

    /// Returns the form of a class, if its operations share one.
    pub(crate) fn get(&self, class: OperatorClass) -> Option<Form> {
        self.0.get(&class).copied()
    }

    /// Returns true if no class has a form.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns these forms with the input registers that a scheduled function has.
    pub(crate) fn as_scheduled(&self, context: &Context, body: &Body) -> Self {
        let mut forms = self.clone();
        for form in forms.0.values_mut() {
            form.registered = Some(false);
        }
        if forms.is_empty() {
            return forms;
        }
        for op in body.walk_all() {
            let view = View::new(context, body, op);
            if view.attribute(sluice::REGISTERED_OPERANDS).is_some()
                && let Some((class, _)) = shared(view)
                && let Some(form) = forms.0.get_mut(&class)
            {
                form.registered = Some(true);
            }
        }
        forms
    }

    /// Returns these forms with or without input registers at all units of the given classes.
    pub(crate) fn with_registers(&self, classes: &BTreeSet<OperatorClass>, all: bool) -> Self {
        let mut forms = self.clone();
        for class in classes {
            if let Some(form) = forms.0.get_mut(class) {
                form.registered = Some(all);
            }
        }
        forms
    }
}

/// Returns class and width of an operation that may share a unit; a product with a constant uses no unit.
fn shared(view: View<'_>) -> Option<(OperatorClass, u32)> {
    if view.results().len() != 1 {
        return None;
    }
    let (class, width_bits) = class_of(view).filter(|(class, _)| class.is_worth_sharing())?;
    let constant = || {
        let mut operands = view.operands();
        operands.any(|v| is_constant(view.context, view.body, v))
    };
    (class != OperatorClass::Multiply || !constant()).then_some((class, width_bits))
}

/// The requirements of an operation on its unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnitNeeds {
    /// True if its operands are registered at the inputs of the unit.
    pub(crate) registered: bool,
    /// Width of the unit, where it is wider than the operation.
    pub(crate) wider_bits: Option<u32>,
    /// The class, if its units are limited and have one form.
    pub(crate) limited: Option<OperatorClass>,
    /// Width of the unit, and the operations of its kind; `None` if the user limits the units: then more operations share each than
    /// the clock may allow.
    pub(crate) sharing: Option<(u32, Alike)>,
}

/// Numbers of operations of one class and width in a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alike {
    /// How many share one unit, as far as blocks share units, which are never active together.
    pub(crate) per_unit: u32,
    /// All of them.
    pub(crate) all: u32,
}

impl UnitNeeds {
    /// Returns the most operations that may share the unit if its operands may arrive this much later; `None` if all may.
    pub(crate) fn max_sharers(&self, device: &Device, slack_ns: f64) -> Option<u32> {
        let (width_bits, alike) = self.sharing?;
        let n_counted = alike.per_unit;
        let choice_ns = |n_inputs: u32| {
            let mux = device.mux(Selection::among(n_inputs), n_inputs, width_bits);
            mux.map_or(0.0, |mux| mux.input_delay_ns)
        };
        let allowed_ns = choice_ns(n_counted) + slack_ns + TOLERANCE_NS;
        let more = (1..u32::BITS).map(|bits| 1 << bits);
        let more = more
            .filter(|n| *n > n_counted)
            .take_while(|n| choice_ns(*n) <= allowed_ns);
        let most = more.last().unwrap_or(n_counted).max(1);
        Some(most).filter(|most| *most < alike.all)
    }
}

/// Delays of rows and sums of them are compared with this tolerance in ns.
const TOLERANCE_NS: f64 = 1e-6;

impl<'a> Builder<'a> {
    /// Returns the limit in ns for the delay of a unit together with its operand multiplexers.
    fn max_together_ns(&self) -> f64 {
        let choice_ns = self.device.usable_period_ns(self.options.choice_period_ns);
        choice_ns.min(self.problem.clock_period_ns)
    }

    /// Returns the delay of a selection whose result an operation reads, 0 if it reads none.
    fn selected_ns(&self, op: OperationId, width_bits: u32) -> f64 {
        let selects = |value| {
            let maker = self.body.defining_operation(value);
            maker.is_some_and(|maker| self.view(maker).name() == arith::Select::NAME)
        };
        if self.view(op).operands().any(selects) {
            self.device.choice_delay_ns(width_bits)
        } else {
            0.0
        }
    }

    /// Returns the number of operations of this kind.
    fn alike(&self, class: OperatorClass, width_bits: u32) -> Alike {
        let takes_any = self.forms.get(class).is_some();
        self.alike_where(class.name(), |view| {
            !view.results().is_empty()
                && OperatorClass::of_operation(view.name(), None) == Some(class)
                && class_of(view).is_some_and(|(_, bits)| takes_any || bits == width_bits)
                && !view
                    .operands()
                    .any(|v| is_constant(self.context, self.body, v))
        })
    }

    /// Returns the number of operations that can use the same unit, whose class is limited by this name.
    fn alike_where(&self, class: &str, is_alike: impl Fn(View<'a>) -> bool) -> Alike {
        let mut of_block: BTreeMap<Option<BlockId>, u32> = BTreeMap::new();
        for op in self.body.walk_all() {
            if is_alike(self.view(op)) {
                *of_block.entry(self.body.parent_block(op)).or_insert(0) += 1;
            }
        }
        let all: u32 = of_block.values().sum();
        let limit = self.options.limits.get(class).copied();
        let most = of_block.values().copied().max().unwrap_or(1);
        Alike {
            per_unit: all.div_ceil(limit.map_or(most, |limit| limit.min(most)).max(1)),
            all,
        }
    }

    /// Returns the unit that fits the path period; a unit that holds its operands for several cycles must fit the clock period
    /// instead.
    pub(super) fn implementation(
        &self,
        class: OperatorClass,
        width_bits: u32,
    ) -> Result<Implementation, MissingOrTooSlow> {
        let options = self.options;
        let of_clock = self
            .device
            .implementation(class, width_bits, options.clock_period_ns)?;
        if of_clock.occupancy_cycles > 1 {
            let usable_ns = self.problem.clock_period_ns;
            return Ok(Implementation {
                input_delay_ns: of_clock.input_delay_ns.min(usable_ns),
                output_delay_ns: of_clock.output_delay_ns.min(usable_ns),
                ..of_clock
            });
        }
        self.device
            .implementation(class, width_bits, options.path_period_ns)
    }

    /// Adds a float operation, whose unit is scheduled already.
    fn add_float_unit(&mut self, op: OperationId, view: View<'a>, name: String) {
        let timing = sluice::float_key(view).and_then(|key| self.options.float_units.get(&key));
        let class = sluice::float_class(view).unwrap_or_default();
        let timing = match timing {
            Some(Ok(timing)) => *timing,
            Some(Err(why)) => {
                let message = format!("a part of `{class}` does not fit the clock: {why}");
                self.diagnostics.error(view.location(), message);
                return;
            }
            None => unreachable!("every float operation has an entry"),
        };
        let mut operation = Operation::combinational(name, &class, timing.input_delay_ns);
        operation.latency_cycles = timing.latency_cycles;
        operation.output_delay_ns = timing.output_delay_ns;
        let width = view.ty(view.result(0)).integer_width_bits(self.context);
        operation.width_bits = width.unwrap_or(1);
        let limit = self.options.limits.get(&class).copied();
        if let Some(count) = limit {
            let format = view.with_site(sluice::float_operation);
            let format = format.map_or("", |(_, format)| format.keyword());
            operation.resource = Some(self.resource(format!("{class} units of {format}"), count));
        }
        let widths = view.operand_types();
        let widths = widths.filter_map(|ty| ty.integer_width_bits(self.context));
        let operand_bits = widths.max().unwrap_or(1);
        let key = sluice::float_key(view);
        let alike = self.alike_where(&class, |other| {
            other.name() == sluice::Float::NAME && sluice::float_key(other) == key
        });
        let n_inputs = alike.per_unit;
        let mux = self
            .device
            .mux(Selection::among(n_inputs), n_inputs, operand_bits);
        let choice_ns = mux.map_or(0.0, |mux| mux.input_delay_ns);
        let together_ns = operation.input_delay_ns + choice_ns;
        // All operations of a limited class decide alike, so that they can share units.
        let registered = choice_ns > 0.0 && together_ns > self.max_together_ns();
        if registered {
            if operation.latency_cycles == 0 {
                operation.output_delay_ns = operation.input_delay_ns;
            }
            operation.input_delay_ns = choice_ns.min(self.problem.clock_period_ns);
            operation.latency_cycles += 1;
        } else {
            operation.input_delay_ns = together_ns;
        }
        let needs = UnitNeeds {
            registered,
            wider_bits: None,
            limited: None,
            sharing: Some((operand_bits, alike)).filter(|_| limit.is_none()),
        };
        self.units.insert(op, needs);
        self.push(operation, Some(op), None);
    }

    /// Adds an operation, or a guard that contains one, with the costs of the operation.
    pub(super) fn add_operator(&mut self, op: OperationId, view: View<'a>, name: String) {
        if view.name() == sluice::Float::NAME {
            self.add_float_unit(op, view, name);
            return;
        }
        let Some((class, width_bits)) = class_of(view) else {
            let message = format!("`{}` has no operator class", view.name());
            self.diagnostics.error(view.location(), message);
            return;
        };
        let form = shared(view).and_then(|(class, _)| self.forms.get(class));
        let unit_bits = form.map_or(width_bits, |form| form.width_bits);
        let implementation = match self.implementation(class, unit_bits) {
            Ok(implementation) => implementation,
            Err(why) => {
                self.diagnostics
                    .error(view.location(), format!("`{}`: {why}", view.name()));
                return;
            }
        };
        let result_bits = view
            .ty(view.result(0))
            .integer_width_bits(self.context)
            .unwrap_or(1);
        let mut operation =
            Operation::combinational(name, class.name(), implementation.input_delay_ns);
        operation.latency_cycles = implementation.latency_cycles;
        operation.output_delay_ns = implementation.output_delay_ns;
        operation.width_bits = result_bits;
        // A unit that is used only once in n iterations may take n times as many cycles.
        operation.occupancy_cycles = implementation
            .occupancy_cycles
            .div_ceil(iterations_between(self.view(op)));
        // This also holds for units that take turns; a multiplexer selects among their results.
        let n_interleaved = interleaved_units(view);
        if n_interleaved > 1 {
            operation.occupancy_cycles = operation.occupancy_cycles.div_ceil(n_interleaved);
            let chosen = self
                .device
                .mux(Selection::OneHot, n_interleaved, result_bits);
            operation.output_delay_ns += chosen.map_or(0.0, |mux| mux.input_delay_ns);
        }
        let constant = view
            .operands()
            .any(|v| is_constant(self.context, self.body, v));
        if class.is_worth_sharing() && (implementation.occupancy_cycles > 1 || !constant) {
            // A unit that is busy for several cycles carries out one operation at a time. Without a limit each operation has its
            // own unit, so that the solver knows that an II below its occupancy is impossible.
            match self.options.limits.get(class.name()).copied() {
                Some(count) if n_interleaved == 1 => {
                    operation.resource =
                        Some(self.resource(format!("{} units", class.name()), count));
                }
                _ if implementation.occupancy_cycles > 1 => {
                    let number = self.problem.operations.len();
                    let units = match n_interleaved {
                        1 => "unit".to_owned(),
                        n => format!("{n} units in turn"),
                    };
                    let unit = format!(
                        "{} {units} of `{}` (o{number})",
                        class.name(),
                        operation.short_name()
                    );
                    operation.resource = Some(self.resource(unit, 1));
                }
                _ => {}
            }
            // Multiplexers select the operands of a shared unit; if both do not fit into a cycle, a register separates them.
            let known = self.per_unit.get(&(class, unit_bits)).copied();
            let alike = known.unwrap_or_else(|| self.alike(class, unit_bits));
            self.per_unit.insert((class, unit_bits), alike);
            let n_inputs = alike.per_unit;
            let chosen = self
                .device
                .mux(Selection::among(n_inputs), n_inputs, unit_bits);
            let choice_ns = chosen.map_or(0.0, |mux| mux.input_delay_ns);
            let together_ns = operation.input_delay_ns + choice_ns;
            let period_ns = self.problem.clock_period_ns;
            // If a selection is directly before the unit, the register comes after it too.
            let selected_ns = self.selected_ns(op, unit_bits);
            let wants =
                together_ns + selected_ns > self.max_together_ns() && choice_ns + selected_ns > 0.0;
            let registered = form.and_then(|form| form.registered).unwrap_or(wants);
            if registered {
                operation.input_delay_ns = choice_ns.min(period_ns.max(0.0));
                if operation.latency_cycles == 0 {
                    operation.output_delay_ns = implementation.input_delay_ns;
                }
                operation.latency_cycles += 1;
            } else if choice_ns > 0.0 {
                operation.input_delay_ns = together_ns;
            }
            let needs = UnitNeeds {
                registered,
                wider_bits: Some(unit_bits).filter(|bits| *bits > width_bits),
                limited: form.map(|_| class),
                sharing: Some((unit_bits, alike))
                    .filter(|_| !self.options.limits.contains_key(class.name())),
            };
            self.units.insert(op, needs);
        }
        let structure =
            (implementation.latency_cycles > 0).then(|| implementation.structure.name());
        let id = self.push(operation, Some(op), structure);
        debug_assert!(id.index() < self.problem.operations.len(), "just pushed");
    }

    /// Adds the delay of a multiplexer to each operation whose operand has another value in the first iteration.
    pub(super) fn select_initial_values(&mut self, order: &[OperationId]) {
        for op in order {
            let Some(id) = self.of_operation.get(op).copied() else {
                continue;
            };
            let view = self.view(*op);
            let is_operator = !is_compound(view) && !is_guard(view) && !is_access(view);
            let selects = is_operator && view.operands().any(|v| self.selects_initial(v));
            if selects || self.forwarded.iter().any(|(_, reader)| *reader == id) {
                // An address is an index, as wide as the integer it is cast from.
                let values = view.operands().map(|v| self.through_cast(v));
                let widths = values.map(|v| view.ty(v).integer_width_bits(self.context));
                let width_bits = widths.flatten().max().unwrap_or(1);
                let delay_ns = self.device.choice_delay_ns(width_bits);
                let max_ns = self.max_together_ns();
                let is_unit = class_of(view).is_some_and(|(class, _)| class.is_worth_sharing());
                let form = shared(view).and_then(|(class, _)| self.forms.get(class));
                let has_choice = form.is_some_and(|form| form.registered.is_some());
                let float_class = sluice::float_class(view);
                let is_float = float_class.is_some();
                let is_limited = float_class.is_some_and(|c| self.options.limits.contains_key(&c));
                let mut needs = self.units.get(op).copied().unwrap_or_default();
                let period_ns = self.problem.clock_period_ns;
                let operation = &mut self.problem.operations[id.index()];
                let together_ns = operation.input_delay_ns + delay_ns;
                if is_float && together_ns > max_ns && (needs.registered || is_limited) {
                    // Operations of a limited class all have a register or none. The estimate of the circuit tells a missed clock.
                    operation.input_delay_ns = together_ns.min(period_ns);
                    continue;
                }
                let is_unit = is_unit || is_float;
                if together_ns <= max_ns || !is_unit || needs.registered || has_choice {
                    operation.input_delay_ns = together_ns;
                    continue;
                }
                // Both do not fit into a cycle: add a register between them.
                if operation.latency_cycles == 0 {
                    operation.output_delay_ns = operation.input_delay_ns;
                }
                operation.input_delay_ns = delay_ns;
                operation.latency_cycles += 1;
                needs.registered = true;
                self.units.insert(*op, needs);
            }
        }
    }
}
