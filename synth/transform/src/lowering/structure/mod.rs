//! `lift-cf-to-scf`: blocks and branches between them become conditionals and loops.
//!
//! Source: Bahmann, Reissmann, Jahre, Meyer, "Perfect Reconstructability of Control Flow from Demand Dependence Graphs", TACO 2015,
//! section 4, for any graph: first each strongly connected component gets one way in, round and out, then what is without cycles
//! becomes conditionals; where ways part and meet otherwise, a variable says which one is meant.
//! Differs: a loop tests in its middle, behind the last way out, and not always at its end; of several entries one heads the loop,
//! and edges to the others stay; values pass through variables, so that there are no arguments that nobody needs.
//!
//! * [`graph`] reads the blocks: what branches pass on is assigned to variables on edges.
//! * [`live`] says on each edge which values are forgotten.
//! * [`components`] asks petgraph for components, order and dominators of parts of the graph.
//! * [`loops`] makes a node of each cycle, [`branches`] a sequence of steps of what is left.
//! * [`tree`] holds these steps, and says which variables are live where; [`set`] is a set of them.
//! * [`emit`] writes them with scf.

mod branches;
mod components;
mod emit;
mod graph;
mod live;
mod loops;
mod set;
mod tree;

use sluice_ir::{Body, Context, Diagnostics, Location, RegionId};

/// Conditionals and loops in each other; text may be nested 200 levels deep, some of which stand around.
const MOST_LEVELS: u32 = 150;

/// Why a region stays as it is.
#[derive(Debug)]
struct Refusal {
    location: Location,
    message: String,
    note: Option<(Location, String)>,
}

impl Refusal {
    fn new(location: Location, message: impl Into<String>) -> Self {
        Self {
            location,
            message: message.into(),
            note: None,
        }
    }

    fn too_deep(location: Location) -> Self {
        let message = format!(
            "structured, this control flow would be nested more than {MOST_LEVELS} levels deep"
        );
        Self::new(location, message)
    }
}

/// Makes one block of every region with several: `cf.br`, `cf.cond_br` and `cf.switch` become `scf.if`, `scf.index_switch` and
/// `scf.while`. Nothing is executed twice that was executed once, or the other way round.
///
/// Any graph is structured: loops with several entries, latches and exits, several returns, blocks that are never reached. A loop
/// that nothing leaves becomes an `scf.while` whose condition is true. A value that is nowhere defined on a way is 0, marked with
/// [`ANY`](sluice_dialects::sluice::ANY); `ub.poison`, if its type is no integer, index or float.
///
/// # Errors
/// In `diagnostics`, with the region left as it is: terminators of other dialects that choose between blocks, different
/// operations that leave a region, a region that nothing leaves, and more than 150 levels.
pub fn lift_cf_to_scf(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let nested = body.walk_all();
    let nested = nested
        .into_iter()
        .flat_map(|op| match body.is_isolated(op) {
            true => Vec::new(),
            false => body.regions(op).to_vec(),
        });
    let regions: Vec<RegionId> = body.top_regions().chain(nested).collect();
    // Inner ones first: they move with the operations around them.
    for region in regions.into_iter().rev() {
        if body.blocks(region).len() > 1 {
            lift(context, body, region, diagnostics);
        }
    }
}

/// Makes one block of a region, or says why it stays as it is.
pub(crate) fn lift(
    context: &Context,
    body: &mut Body,
    region: RegionId,
    diagnostics: &mut Diagnostics,
) {
    if let Err(refusal) = lift_region(context, body, region) {
        let found = diagnostics.error(refusal.location, refusal.message);
        found.notes.extend(refusal.note);
    }
}

fn lift_region(context: &Context, body: &mut Body, region: RegionId) -> Result<(), Refusal> {
    let mut flow = graph::read(context, body, region)?;
    let members = std::mem::take(&mut flow.members);
    let steps = loops::steps(&mut flow.graph, &members, flow.entry, flow.exit)?;
    emit::emit(context, body, region, &flow, &steps);
    Ok(())
}
