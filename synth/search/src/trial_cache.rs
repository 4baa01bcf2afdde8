//! Memoisation of the results of trial compilations, by fingerprint of the module.
//!
//! Searches are nested: margins try spacings for each path period, copies try spacings of their own, and a spacing that changes
//! nothing gives the same module again. Only trials are cached, since the final circuit is made once.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use sluice_ir::{Body, Diagnostics, Module, RegionId, ValueId};

/// Maximum total bytes of cached fingerprints; later results are not cached. A module takes a few times as much.
const MAX_BYTES: usize = 64 << 20;

/// The passes that were run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `coalesce`.
    Flatten,
    /// The passes after `coalesce`.
    Prepare,
    /// The passes after `coalesce`, without rewriting.
    Sketch,
    /// `schedule`, with the two path periods in ns as float bits.
    Schedule([u64; 2]),
}

impl Stage {
    /// Returns the stage that schedules with these path periods.
    pub fn schedule(periods_ns: [f64; 2]) -> Self {
        Self::Schedule(periods_ns.map(f64::to_bits))
    }
}

/// Modules with their trial results, shared by threads. The cache changes no result, only the run time. All entries belong to one
/// context and one configuration.
#[derive(Default)]
pub struct Known {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Results by stage and fingerprint of the input module.
    outcomes: BTreeMap<(Stage, Fingerprint), Arc<Outcome>>,
    n_bytes: usize,
}

struct Outcome {
    module: Module,
    found: Diagnostics,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known").finish_non_exhaustive()
    }
}

impl Known {
    /// Runs `run` on a module, or returns the cached result. `run` must depend on nothing but the stage and the module.
    pub fn run(
        &self,
        stage: Stage,
        module: &mut Module,
        found: &mut Diagnostics,
        run: impl FnOnce(&mut Module, &mut Diagnostics),
    ) {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (stage, Fingerprint::of(module));
        let known = lock().outcomes.get(&key).map(Arc::clone);
        if let Some(outcome) = known {
            *module = outcome.module.clone();
            found.append(outcome.found.clone());
            return;
        }
        let mut own = Diagnostics::new();
        run(module, &mut own);
        let outcome = Outcome {
            module: module.clone(),
            found: own.clone(),
        };
        found.append(own);
        let mut kept = lock();
        if kept.n_bytes + key.1.bytes.len() <= MAX_BYTES {
            kept.n_bytes += key.1.bytes.len();
            kept.outcomes.insert(key, Arc::new(outcome));
        }
    }
}

/// The complete state of a module that a pass can see. Every pass treats two modules of one context with equal fingerprints the
/// same, including the ids of new operations.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fingerprint {
    bytes: Vec<u8>,
}

impl Fingerprint {
    fn of(module: &Module) -> Self {
        let mut fingerprint = Self { bytes: Vec::new() };
        // The top-level operation is in no block.
        let top = module.operation;
        (top, module.body.attributes(top)).hash(&mut fingerprint);
        fingerprint.body(module.inner());
        fingerprint
    }

    fn body(&mut self, body: &Body) {
        let capacities = [
            body.operation_capacity(),
            body.value_capacity(),
            body.block_capacity(),
            body.region_capacity(),
        ];
        capacities.hash(self);
        for region in body.top_regions() {
            region.hash(self);
            body.blocks(region).hash(self);
        }
        for op in body.walk_all() {
            let place = (op, body.parent_block(op), body.name(op), body.location(op));
            place.hash(self);
            body.attributes(op).hash(self);
            body.unregistered_properties(op).hash(self);
            body.successors(op).hash(self);
            self.write_usize(body.n_operands(op));
            for operand in body.operands(op) {
                operand.hash(self);
            }
            body.results(op).hash(self);
            for result in body.results(op) {
                self.value(body, *result);
            }
            body.regions(op).hash(self);
            let is_isolated = body.is_isolated(op);
            is_isolated.hash(self);
            if is_isolated {
                self.body(body.inner(op));
                continue;
            }
            for region in body.regions(op) {
                self.region(body, *region);
            }
        }
        for region in body.top_regions() {
            self.region(body, region);
        }
    }

    fn region(&mut self, body: &Body, region: RegionId) {
        for block in body.blocks(region) {
            (*block, body.arguments(*block)).hash(self);
            for argument in body.arguments(*block) {
                self.value(body, *argument);
                body.value_location(*argument).hash(self);
            }
        }
        body.blocks(region).len().hash(self);
    }

    /// Adds a value with its uses; passes may see the order of the uses.
    fn value(&mut self, body: &Body, value: ValueId) {
        (body.ty(value), body.value_name(value)).hash(self);
        let mut n_uses = 0;
        for used in body.uses(value) {
            used.hash(self);
            n_uses += 1;
        }
        self.write_usize(n_uses);
    }
}

/// Collects the bytes that would be hashed.
impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use sluice_ir::text::parse_module;
    use sluice_ir::{Context, Diagnostics, Module, View};

    use super::Fingerprint;

    const LOOP: &str = "func.func @f(%a: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    affine.store %x, %a[%i] : memref<4xi32>
  }
  return
}";

    fn read(context: &Context, text: &str) -> Module {
        let mut found = Diagnostics::new();
        parse_module(context, text, "f.mlir", &mut found).expect("the text is right")
    }

    #[test]
    fn equal_modules_have_one_fingerprint_and_others_another() {
        let context = sluice_kernel::compiled::context(&sluice_ir::limits::Limits::default());
        let module = read(&context, LOOP);
        let own = Fingerprint::of(&module).bytes;
        assert!(own == Fingerprint::of(&module.clone()).bytes);
        for (this, other) in [("to 4 {", "to 3 {"), ("%x, %a[%i]", "%x, %a[3 - %i]")] {
            let changed = read(&context, &LOOP.replace(this, other));
            assert!(own != Fingerprint::of(&changed).bytes);
        }
        let mut marked = module.clone();
        let function = marked.top_level_operations()[0];
        let body = marked.inner_mut().inner_mut(function);
        let is_loop = |op: &_| View::new(&context, body, *op).name() == "affine.for";
        let op = body.walk_all().into_iter().find(is_loop);
        let yes = context.bool_attribute(true);
        body.set_attribute(op.expect("there is a loop"), context.name("sluice.x"), yes);
        assert!(own != Fingerprint::of(&marked).bytes);
    }
}
