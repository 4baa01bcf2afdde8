//! Independent checks of the binding: they share no code with the binder.

use sluice_ir::View;
use sluice_netlist::error::{Built, broken};

use crate::units::Units;

/// Checks slot by slot that no two operations of one unit are busy in the same cycle.
pub(crate) fn units_do_not_collide(view: View<'_>, units: &Units) -> Built<()> {
    for unit in units.all() {
        let mut busy = Vec::new();
        for known in unit.uses.iter().filter(|known| known.alone) {
            let mut others = unit.uses.iter();
            if others.any(|other| other.frame == known.frame && other.result != known.result) {
                return Err(broken(
                    view,
                    format!("{:?} is shared with a guarded operation", unit.kind),
                ));
            }
        }
        for known in &unit.uses {
            for cycle in known.start..known.start + known.occupancy_cycles {
                let slot = known.ii.map_or(cycle, |ii| cycle % ii);
                if busy.contains(&(known.frame, slot)) {
                    return Err(broken(
                        view,
                        format!("two operations need {:?} at time {slot}", unit.kind),
                    ));
                }
                busy.push((known.frame, slot));
            }
        }
    }
    Ok(())
}
