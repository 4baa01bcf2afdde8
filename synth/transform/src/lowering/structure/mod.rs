//! `lift-cf-to-scf`: converts blocks and branches to structured conditionals and loops.
//!
//! Source: Bahmann, Reissmann, Jahre, Meyer, "Perfect Reconstructability of Control Flow from Demand Dependence Graphs", TACO
//! 2015, section 4, for any graph. First, each strongly connected component gets one entry, one back edge and one exit. Then the
//! remaining acyclic graph becomes conditionals. If paths split and merge in another way, a variable records the path. Differs: a
//! loop tests in its middle, after its last exit edge, and not always at its end. One of several entries becomes the loop header,
//! and edges to the others stay. Values pass through variables, so that no unused arguments arise.
//!
//! * [`graph`] reads the blocks: branch operands are assigned to variables on edges.
//! * [`live`] records on each edge which values are dropped.
//! * [`components`] computes components, order and dominators of parts of the graph with petgraph.
//! * [`loops`] replaces each cycle by a node; [`branches`] converts the remaining graph to a sequence of steps.
//! * [`tree`] holds these steps and computes which variables are live where; [`set`] is a set of variables.
//! * [`emit`] writes the steps as scf operations.

mod branches;
mod components;
mod emit;
mod graph;
mod live;
mod loops;
mod set;
mod tree;

use sluice_ir::{Body, Context, Diagnostics, Location, RegionId};

/// Maximum nesting of conditionals and loops; text may be nested 200 levels deep, and some levels enclose the region.
const MAX_LEVELS: u32 = 150;

/// Why a region is not structured.
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
            "structured, this control flow would be nested more than {MAX_LEVELS} levels deep"
        );
        Self::new(location, message)
    }
}

/// Structures every region with several blocks into one block: `cf.br`, `cf.cond_br` and `cf.switch` become `scf.if`,
/// `scf.index_switch` and `scf.while`. Every operation executes as often as before.
///
/// Any graph is structured: loops with several entries, latches and exits, several returns, unreachable blocks. A loop without
/// exit becomes an `scf.while` whose condition is true. A value that is undefined on a path is 0, marked with
/// [`ANY`](sluice_dialects::sluice::ANY); it is `ub.poison` if its type is no integer, index or float.
///
/// # Errors
/// In `diagnostics`, with the region left unchanged: multi-way terminators of other dialects, different operations that leave a
/// region, a region without exit, and more than 150 levels.
pub fn lift_cf_to_scf(context: &Context, body: &mut Body, diagnostics: &mut Diagnostics) {
    let nested = body.walk_all();
    let nested = nested
        .into_iter()
        .flat_map(|op| match body.is_isolated(op) {
            true => Vec::new(),
            false => body.regions(op).to_vec(),
        });
    let regions: Vec<RegionId> = body.top_regions().chain(nested).collect();
    // Inner ones first: they move with the operations that contain them.
    for region in regions.into_iter().rev() {
        if body.blocks(region).len() > 1 {
            lift(context, body, region, diagnostics);
        }
    }
}

/// Structures a region into one block, or returns why it is left unchanged.
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
