//! Circuits of units that are scheduled functions: a pipeline that takes operands in every cycle, without control.

use std::collections::BTreeSet;

use sluice_ir::{Module, View};
use sluice_netlist::error::{Built, broken};
use sluice_netlist::generators::UnitKind;
use sluice_netlist::kernel::{generate_unit_with, no_stand_in_left};

use crate::check;
use crate::function::FunctionBinder;
use crate::values::Definition;

/// Adds the module of a unit; its own units are added to `parts`.
///
/// # Errors
/// A function that is not straight-line code.
pub(crate) fn bind_unit<'a>(
    view: View<'a>,
    module: View<'a>,
    program: &mut Module,
    kind: &UnitKind,
    parts: &mut BTreeSet<UnitKind>,
) -> Built<()> {
    let (context, source) = (view.context, view.inner());
    let UnitKind::Float { latency_cycles, .. } = kind else {
        return Err(broken(view, "only float operations have scheduled units"));
    };
    let entry = view.entry_block(0);
    let entry = entry.ok_or_else(|| broken(view, "a unit has a body"))?;
    generate_unit_with(context, program, kind, |circuit, inputs| {
        let mut binder = FunctionBinder::new(view, module, circuit);
        for name in ["clock", "left", "right", "result"] {
            binder.circuit.unique_name(name);
        }
        // An interval of one cycle: every value moves on in every cycle.
        let frame = binder.open_frame("unit", None, Some(1), &[entry])?;
        binder.values.frames[frame.0].always_runs = true;
        let arguments = source.arguments(entry).to_vec();
        let mut nets = inputs.to_vec();
        if arguments.len() == 3 {
            let low_bits = binder.width(View::new(context, source, view.id), arguments[2])?;
            let both = nets[1];
            let high_bits = binder.circuit.width(both) - low_bits;
            nets[1] = binder.circuit.extract(both, low_bits, high_bits);
            nets.push(binder.circuit.extract(both, 0, low_bits));
        }
        for (argument, net) in arguments.iter().zip(nets) {
            let place = Definition::Timed {
                frame,
                first: 0,
                last: 0,
            };
            binder.values.define(*argument, place);
            binder.values.drive(&mut binder.circuit, *argument, net);
        }
        binder.lower_block(entry, frame, None)?;
        let last = source.last_operation(entry);
        let last = last.ok_or_else(|| broken(view, "a unit ends in a return"))?;
        let last = View::new(context, source, last);
        let result = binder.read(last, last.operand(0), frame, *latency_cycles)?;
        check::units_do_not_collide(view, &binder.units)?;
        binder.units.finish(&mut binder.circuit);
        parts.extend(binder.units.all().map(|unit| unit.kind.clone()));
        binder.circuit.output(&[result]);
        no_stand_in_left(view, binder.circuit.body)
    })
}
