//! Tests every way to write a memory with every way to read it, through every pass that moves, removes, merges or forwards
//! accesses.
//!
//! Each pair is placed in functions of several shapes. If the interpreter knows all operations, the results before and after a
//! pass must be equal. Otherwise a read after a write must still come after it. A pass that handles only loads and stores must
//! reject the other operations.

use std::collections::BTreeSet;

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::{optimise, pass_names};
use sluice_ir::bits::Bits;
use sluice_ir::definition::{Effect, Traits};
use sluice_ir::effects::Effects;
use sluice_ir::text::parse_module;
use sluice_ir::{Body, Context, Diagnostics, Module, OperationId, ValueId, View};
use sluice_kernel::compiled::Failure;
use sluice_sim::interpreter::{Argument, Interpreter};

/// A piece of text that accesses cell 0 of `%m`; `$` is replaced by a unique number.
struct Form {
    text: &'static str,
    /// Whether the interpreter can run it.
    runs: bool,
}

const fn runs(text: &'static str) -> Form {
    Form { text, runs: true }
}

const fn only_read(text: &'static str) -> Form {
    Form { text, runs: false }
}

/// Writers: each of them changes cell 0 or may change it.
const WRITERS: &[Form] = &[
    runs("memref.store %y, %m[%c0] : memref<4xi32>"),
    runs("affine.store %y, %m[0] : memref<4xi32>"),
    runs("%w$ = memref.cast %m : memref<4xi32> to memref<?xi32>
          memref.store %y, %w$[%c0] : memref<?xi32>"),
    runs("%w$ = memref.memory_space_cast %m : memref<4xi32> to memref<4xi32, 1>
          memref.store %y, %w$[%c0] : memref<4xi32, 1>"),
    runs("%w$ = memref.assume_alignment %m, 4 : memref<4xi32>
          memref.store %y, %w$[%c0] : memref<4xi32>"),
    runs("%w$ = memref.distinct_objects %m : memref<4xi32>
          memref.store %y, %w$[%c0] : memref<4xi32>"),
    runs("%w$ = memref.subview %m[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
          memref.store %y, %w$[%c0] : memref<2xi32, strided<[1]>>"),
    runs("%w$ = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xi32> to memref<2x2xi32, strided<[2, 1]>>
          memref.store %y, %w$[%c0, %c0] : memref<2x2xi32, strided<[2, 1]>>"),
    runs("%w$ = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
          memref.store %y, %w$[%c0, %c0] : memref<2x2xi32>"),
    runs("%v$ = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
          %w$ = memref.collapse_shape %v$ [[0, 1]] : memref<2x2xi32> into memref<4xi32>
          memref.store %y, %w$[%c0] : memref<4xi32>"),
    runs("%v$ = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
          %w$ = memref.transpose %v$ (i, j) -> (j, i) : memref<2x2xi32> to memref<2x2xi32, strided<[1, 2]>>
          memref.store %y, %w$[%c0, %c0] : memref<2x2xi32, strided<[1, 2]>>"),
    only_read("%w$, %o$, %s$, %t$ = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index, index, index
          memref.store %y, %w$[] : memref<i32>"),
    only_read("%w$ = memref.reshape %m(%shape) : (memref<4xi32>, memref<1xindex>) -> memref<?xi32>
          memref.store %y, %w$[%c0] : memref<?xi32>"),
    only_read("%w$ = builtin.unrealized_conversion_cast %m : memref<4xi32> to memref<2x2xi32>
          memref.store %y, %w$[%c0, %c0] : memref<2x2xi32>"),
    runs("%w$ = arith.select %p, %m, %n : memref<4xi32>
          memref.store %y, %w$[%c0] : memref<4xi32>"),
    runs("%w$ = scf.if %p -> (memref<4xi32>) { scf.yield %m : memref<4xi32> } else { scf.yield %n : memref<4xi32> }
          memref.store %y, %w$[%c0] : memref<4xi32>"),
    runs("%w$ = scf.for %k$ = %c0 to %c2 step %c1 iter_args(%g$ = %m) -> (memref<4xi32>) {
            memref.store %y, %g$[%c0] : memref<4xi32>
            scf.yield %g$ : memref<4xi32>
          }"),
    runs("%w$ = memref.atomic_rmw addi %y, %m[%c0] : (i32, memref<4xi32>) -> i32"),
    runs("%w$ = memref.generic_atomic_rmw %m[%c0] : memref<4xi32> {
          ^bb0(%g$: i32):
            %h$ = arith.xori %g$, %y : i32
            memref.atomic_yield %h$ : i32
          }"),
    runs("memref.copy %n, %m : memref<4xi32> to memref<4xi32>"),
    runs("linalg.fill ins(%y : i32) outs(%m : memref<4xi32>)"),
    runs("linalg.add ins(%m, %n : memref<4xi32>, memref<4xi32>) outs(%m : memref<4xi32>)"),
    only_read("affine.vector_store %vector, %m[0] : memref<4xi32>, vector<2xi32>"),
    only_read("memref.dma_start %n[%c0], %m[%c0], %c2, %tag[%c0] : memref<4xi32>, memref<4xi32>, memref<1xi32>"),
    only_read("memref.dma_wait %tag[%c0], %c2 : memref<1xi32>"),
    only_read("affine.dma_start %n[%c0], %m[%c0], %tag[%c0], %c2 : memref<4xi32>, memref<4xi32>, memref<1xi32>"),
    only_read("affine.dma_wait %tag[%c0], %c2 : memref<1xi32>"),
    only_read("memref.dealloc %m : memref<4xi32>"),
    only_read("%w$ = memref.realloc %m : memref<4xi32> to memref<8xi32>"),
    runs("func.call @touch(%m, %y) : (memref<4xi32>, i32) -> ()"),
    only_read("func.call_indirect %callee(%m, %y) : (memref<4xi32>, i32) -> ()"),
    only_read("\"x.writes\"(%m) : (memref<4xi32>) -> ()"),
    only_read("\"x.writes_what_it_knows\"() : () -> ()"),
    only_read("\"x.region\"() ({ memref.store %y, %m[%c0] : memref<4xi32> }) : () -> ()"),
    runs("scf.if %p { memref.store %y, %m[%c0] : memref<4xi32> }"),
    runs("scf.for %k$ = %c0 to %c2 step %c1 { memref.store %y, %m[%c0] : memref<4xi32> }"),
    runs("%w$ = scf.while (%g$ = %p) : (i1) -> i1 { scf.condition(%g$) %g$ : i1 } do {
          ^bb0(%h$: i1):
            memref.store %y, %m[%c0] : memref<4xi32>
            scf.yield %false : i1
          }"),
    runs("scf.execute_region { memref.store %y, %m[%c0] : memref<4xi32> scf.yield }"),
    runs("scf.parallel (%k$) = (%c0) to (%c2) step (%c1) { memref.store %y, %m[%k$] : memref<4xi32> scf.reduce }"),
    runs("scf.forall (%k$) in (2) { memref.store %y, %m[%k$] : memref<4xi32> }"),
    runs("scf.index_switch %c1 case 1 { memref.store %y, %m[%c0] : memref<4xi32> scf.yield } default { scf.yield }"),
    runs("memref.alloca_scope { memref.store %y, %m[%c0] : memref<4xi32> }"),
    runs("affine.for %k$ = 0 to 2 { affine.store %y, %m[%k$] : memref<4xi32> }"),
    runs("affine.parallel (%k$) = (0) to (2) { affine.store %y, %m[%k$] : memref<4xi32> }"),
    runs("affine.if affine_set<(d0) : (d0 >= 0)>(%c0) { affine.store %y, %m[0] : memref<4xi32> }"),
    runs("scf.if %p { scf.for %k$ = %c0 to %c2 step %c1 { %w$ = memref.atomic_rmw addi %y, %m[%c0] : (i32, memref<4xi32>) -> i32 } }"),
];

/// Readers: each of them defines `%r$` as the contents of cell 0.
const READERS: &[Form] = &[
    runs("%r$ = memref.load %m[%c0] : memref<4xi32>"),
    runs("%r$ = affine.load %m[0] : memref<4xi32>"),
    runs("%q$ = memref.cast %m : memref<4xi32> to memref<?xi32>
          %r$ = memref.load %q$[%c0] : memref<?xi32>"),
    runs("%q$ = memref.subview %m[0] [1] [1] : memref<4xi32> to memref<1xi32, strided<[1]>>
          %r$ = memref.load %q$[%c0] : memref<1xi32, strided<[1]>>"),
    runs("%q$ = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
          %r$ = memref.load %q$[%c0, %c0] : memref<2x2xi32>"),
    runs("%q$ = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xi32> to memref<2x2xi32, strided<[2, 1]>>
          %r$ = memref.load %q$[%c0, %c0] : memref<2x2xi32, strided<[2, 1]>>"),
    runs("%q$ = arith.select %p, %m, %n : memref<4xi32>
          %r$ = memref.load %q$[%c0] : memref<4xi32>"),
    runs("%r$ = memref.atomic_rmw addi %zero, %m[%c0] : (i32, memref<4xi32>) -> i32"),
    runs("memref.copy %m, %t : memref<4xi32> to memref<4xi32>
          %r$ = memref.load %t[%c0] : memref<4xi32>"),
    runs("%r$ = func.call @get(%m) : (memref<4xi32>) -> i32"),
];

/// Functions around a pair.
const SHAPES: &[(&str, &str)] = &[
    (
        "straight",
        "memref.store %x, %m[%c0] : memref<4xi32>
         READ1
         WRITE2
         READ3
         return %r1, %r3 : i32, i32",
    ),
    (
        "loop",
        "memref.store %x, %m[%c0] : memref<4xi32>
         %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %x) -> (i32) {
           READ1
           %s = arith.addi %acc, %r1 : i32
           WRITE2
           scf.yield %s : i32
         }
         return %l, %x : i32, i32",
    ),
    (
        "while",
        "%l:2 = scf.while (%i = %c0, %acc = %x) : (index, i32) -> (index, i32) {
           READ1
           %s = arith.addi %acc, %r1 : i32
           %more = arith.cmpi ult, %i, %c2 : index
           scf.condition(%more) %i, %s : index, i32
         } do {
         ^bb0(%j: index, %t0: i32):
           WRITE2
           %next = arith.addi %j, %c1 : index
           scf.yield %next, %t0 : index, i32
         }
         return %l#1, %x : i32, i32",
    ),
    (
        "stores",
        "memref.store %x, %m[%c0] : memref<4xi32>
         READ1
         memref.store %y, %m[%c0] : memref<4xi32>
         WRITE2
         memref.store %x, %m[%c0] : memref<4xi32>
         return %r1, %x : i32, i32",
    ),
    (
        "stores_around",
        "memref.store %x, %m[%c0] : memref<4xi32>
         WRITE2
         memref.store %x, %m[%c0] : memref<4xi32>
         READ1
         return %r1, %x : i32, i32",
    ),
    (
        "branches",
        "%b = scf.if %p -> (i32) {
           WRITE2
           READ1
           scf.yield %r1 : i32
         } else {
           READ3
           scf.yield %r3 : i32
         }
         return %b, %x : i32, i32",
    ),
    (
        "ends_of_branches",
        "scf.if %p {
           memref.store %x, %m[%c0] : memref<4xi32>
           WRITE2
         } else {
           memref.store %y, %m[%c0] : memref<4xi32>
         }
         READ1
         return %r1, %x : i32, i32",
    ),
    (
        "fill",
        "scf.for %i = %c0 to %c4 step %c1 { memref.store %x, %m[%i] : memref<4xi32> }
         WRITE2
         scf.for %j = %c0 to %c2 step %c1 {
           scf.for %i = %c0 to %c4 step %c1 {
             %v = memref.load %m[%i] : memref<4xi32>
             %s = arith.addi %v, %y : i32
             memref.store %s, %m[%i] : memref<4xi32>
           }
         }
         READ1
         return %r1, %x : i32, i32",
    ),
    (
        "local",
        "%m = memref.alloca() : memref<4xi32>
         memref.store %x, %m[%c0] : memref<4xi32>
         READ1
         WRITE2
         READ3
         return %r1, %r3 : i32, i32",
    ),
];

/// Passes that move, remove, merge or forward accesses, or change their operands.
const MOVING: &[&str] = &[
    "affine-loop-coalescing",
    "affine-loop-fusion",
    "affine-loop-invariant-code-motion",
    "affine-loop-normalize",
    "affine-loop-tile",
    "affine-loop-unroll",
    "affine-loop-unroll-jam",
    "affine-parallelize",
    "affine-scalrep",
    "affine-simplify-structures",
    "annotate",
    "arith-expand",
    "balance",
    "bank",
    "bypass",
    "canonicalise",
    "canonicalize",
    "coalesce",
    "control-flow-sink",
    "copies",
    "convert-linalg-to-affine-loops",
    "convert-linalg-to-loops",
    "cse",
    "expand",
    "expand-meanings",
    "factor",
    "factors",
    "first-values",
    "flatten-memrefs",
    "fold-memref-alias-ops",
    "forward",
    "free-guards",
    "hoist-from-guards",
    "if-convert",
    "inline",
    "inline-callees",
    "int-range-optimizations",
    "jam",
    "licm",
    "lift-cf-to-scf",
    "loop-invariant-code-motion",
    "linalg-generalize-named-ops",
    "affine-to-scf",
    "lower-affine",
    "lower-linalg",
    "mem2reg",
    "merge-branches",
    "narrow",
    "normalise",
    "normalize-memrefs",
    "predict",
    "promote",
    "reassociate",
    "remove-dead-values",
    "restructure",
    "reuse",
    "rewrite",
    "sccp",
    "scf-for-loop-peeling",
    "scf-for-loop-range-folding",
    "scf-forall-to-for",
    "scf-forall-to-parallel",
    "scf-parallel-loop-fusion",
    "scf-parallel-loop-tiling",
    "share-accesses",
    "speculate",
    "split",
    "sroa",
    "symbol-dce",
    "tidy",
    "unroll",
    "uplift-while-to-for",
    "widen-addresses",
];

/// Passes that only analyse, run on circuits and dataflow graphs, or need the synthesis form.
const OTHERS: &[&str] = &[
    "bind",
    "check-bounds",
    "convert-elementwise-to-linalg",
    "directives",
    "flatten-modules",
    "handshake-to-hw",
    "inline-instances",
    "expand-floats",
    "float-units",
    "float-words",
    "legality",
    "lower-arcs",
    "lower-to-handshake",
    "materialise",
    "merge-equal-nets",
    "narrow-graphs",
    "one-shot-bufferize",
    "outline",
    "outline-operations",
    "place-buffers",
    "prove-deadlock-freedom",
    "queue-stores",
    "schedule",
    "schedule-callees",
    "share-units",
    "simplify-graphs",
    "specialise-modules",
    "split-values",
    "storage",
    "streams",
    "tidy-circuit",
    // Keeps the order of accesses; the test below finds loops only as operations.
    "convert-scf-to-cf",
    "print-op-stats",
    "strip-debuginfo",
    // Accesses go to a base buffer, which the interpreter does not know.
    "expand-strided-metadata",
];

/// Operations that write, free or may do anything, but do not concern memories in functions.
const NOT_OF_MEMORY: &[&str] = &[
    "affine.prefetch",
    "cf.assert",
    "memref.assume_alignment",
    "memref.prefetch",
];

const AROUND: &str = "
func.func private @touch(%m: memref<4xi32>, %y: i32) {
  %c0 = arith.constant 0 : index
  memref.store %y, %m[%c0] : memref<4xi32>
  return
}
func.func private @get(%m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %r = memref.load %m[%c0] : memref<4xi32>
  return %r : i32
}
";

/// Returns the text of a form with a unique number.
fn filled(form: &Form, number: &str) -> String {
    form.text.replace('$', number)
}

fn module_of(writer: &Form, reader: &Form) -> String {
    let mut text = AROUND.to_owned();
    for (name, shape) in SHAPES {
        let lines = shape.lines().map(|line| {
            let line = line.trim();
            if let Some(number) = line.strip_prefix("READ") {
                filled(reader, number)
            } else if let Some(number) = line.strip_prefix("WRITE") {
                filled(writer, number)
            } else {
                line.to_owned()
            }
        });
        let lines: Vec<String> = lines.collect();
        let memory = if *name == "local" { "%unused" } else { "%m" };
        text += &format!(
            "func.func @{name}({memory}: memref<4xi32>, %n: memref<4xi32>, %t: memref<4xi32>, %x: i32, %y: i32, %p: i1) -> (i32, i32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  {}
  {}
}}
",
            needed(writer),
            lines.join("\n  ")
        );
    }
    text
}

/// Returns the definitions that some writers need besides the memory.
fn needed(writer: &Form) -> String {
    let all = [
        (
            "%vector",
            "%vector = arith.constant dense<1> : vector<2xi32>",
        ),
        ("%shape", "%shape = memref.alloc() : memref<1xindex>"),
        ("%tag", "%tag = memref.alloc() : memref<1xi32>"),
        (
            "%callee",
            "%callee = func.constant @touch : (memref<4xi32>, i32) -> ()",
        ),
    ];
    let used = all.iter().filter(|(name, _)| writer.text.contains(name));
    used.map(|(_, text)| *text).collect::<Vec<_>>().join("\n  ")
}

fn parsed(context: &Context, text: &str) -> Module {
    let mut found = Diagnostics::new();
    parse_module(context, text, "f.mlir", &mut found)
        .unwrap_or_else(|| panic!("{}\n{text}", found.to_text(context)))
}

fn context() -> Context {
    let mut context = sluice_dialects::context();
    context.allow_unregistered = true;
    context.affine_restrictions = false;
    context
}

/// Returns the results of a function of a module, and the final memories.
fn outcome(context: &Context, module: &Module, name: &str, p: bool) -> String {
    let words = |first: u64| {
        let words = (0..4).map(|i| Bits::from_u64(32, first + i));
        Argument::Memory(words.collect())
    };
    let number = |value: u64| Argument::Scalar(Bits::from_u64(32, value));
    let flag = Argument::Scalar(Bits::from_u64(1, u64::from(p)));
    let arguments = [
        words(10),
        words(20),
        words(30),
        number(1_000),
        number(77),
        flag,
    ];
    let mut interpreter = Interpreter::new(context, module);
    match interpreter.run(name, &arguments) {
        Ok(outcome) => format!("{outcome:?}"),
        Err(why) => format!("{why}"),
    }
}

/// Checks that a value read after the write, or with it in a loop, is still read there; it is followed back from the returned
/// value.
fn order_is_kept(context: &Context, module: &Module, name: &str) -> Result<(), String> {
    let Some(function) = module.lookup_symbol(context, name) else {
        return Ok(());
    };
    let body = module.inner().inner(function);
    let all = body.walk_all();
    let returned = |at: usize| {
        let last = all.last().expect("a function returns");
        body.operand(*last, at)
    };
    let order = Order {
        context,
        body,
        all: &all,
    };
    let problem = match name {
        "straight" | "local" => !order.is_late(returned(1)),
        "fill" | "ends_of_branches" => !order.is_late(returned(0)),
        "branches" => {
            let choice = body.defining_operation(returned(0));
            let end = choice.and_then(|op| body.last_operation(body.entry_block(op, 0)?));
            // After if-conversion, one of the selected values is read after the write.
            let read = end.map_or(returned(0), |end| body.operand(end, 0));
            !order.is_late(read)
        }
        "loop" | "while" => {
            let mut sums = all.iter().filter(|op| {
                View::new(context, body, **op).name() == "arith.addi" && order.is_in_loop(**op)
            });
            !sums.any(|op| body.operands(*op).any(|value| order.is_read_in_loop(value)))
        }
        // The stored value shows whether the read is right.
        _ => false,
    };
    match problem {
        true => Err("what was read after the write is not".to_owned()),
        false => Ok(()),
    }
}

struct Order<'a> {
    context: &'a Context,
    body: &'a Body,
    all: &'a [OperationId],
}

impl Order<'_> {
    fn reads(&self, op: OperationId) -> bool {
        !Effects::of(self.context, self.body, op).reads.is_empty()
    }

    fn position(&self, op: OperationId) -> Option<usize> {
        self.all.iter().position(|other| *other == op)
    }

    /// Returns whether a value is read after all writes, or computed only from such values.
    fn is_late(&self, value: ValueId) -> bool {
        let Some(op) = self.body.defining_operation(value) else {
            return false;
        };
        if !self.reads(op) {
            return self.body.operands(op).any(|operand| self.is_late(operand));
        }
        let inside = self.body.walk(op);
        let mut others = self.all.iter().filter(|other| !inside.contains(other));
        !others.any(|other| {
            let writes = !Effects::own(self.context, self.body, *other)
                .writes
                .is_empty();
            writes && self.position(*other) > self.position(op)
        })
    }

    fn is_read_in_loop(&self, value: ValueId) -> bool {
        let Some(op) = self.body.defining_operation(value) else {
            return false;
        };
        if self.reads(op) {
            return self.is_in_loop(op);
        }
        let mut operands = self.body.operands(op);
        operands.any(|operand| self.is_read_in_loop(operand))
    }

    fn is_in_loop(&self, op: OperationId) -> bool {
        let mut around = self.body.parent_operation(op);
        while let Some(op) = around {
            if View::new(self.context, self.body, op).has(Traits::LOOP_LIKE) {
                return true;
            }
            around = self.body.parent_operation(op);
        }
        false
    }
}

/// Returns the fault of a pair after a pass; `None` if the pass rejects the module with a reason.
fn wrong_with(pass: &str, writer: &Form, reader: &Form, text: &str) -> Option<String> {
    let passes = [pass.to_owned()];
    let config = Config::default();
    let run = || {
        optimise(
            text,
            "f.mlir",
            &passes,
            &config,
            false,
            false,
            &mut |_, _| {},
        )
    };
    let Ok(run) = std::panic::catch_unwind(run) else {
        return Some(format!("the pass panics on\n{text}"));
    };
    let after = match run {
        Ok(after) => after,
        Err(Failure::Input(why)) => {
            // A function used as a value cannot be inlined; `legality` reports this.
            let refusals = [
                "expects what `",
                "may hold symbols",
                "reference to undefined function",
            ];
            let is_refused = refusals.iter().any(|refusal| why.contains(refusal));
            return (!is_refused).then_some(why);
        }
        Err(Failure::Internal(why)) => return Some(why),
    };
    let context = context();
    let (before, changed) = (parsed(&context, text), parsed(&context, &after));
    let found = SHAPES.iter().find_map(|(name, _)| {
        changed.lookup_symbol(&context, name)?;
        // An operation that does not name the function's local memory cannot access it.
        if *name == "local" && !writer.text.contains("%m") {
            return None;
        }
        // When an atomic access is split, its write comes after its read.
        let is_split = pass == "normalise" && reader.text.contains("atomic_rmw");
        if !writer.runs && is_split {
            return None;
        }
        if !writer.runs || !reader.runs {
            let kept = order_is_kept(&context, &changed, name);
            let problem = kept
                .err()
                .filter(|_| order_is_kept(&context, &before, name).is_ok());
            return problem.map(|why| format!("@{name}: {why}"));
        }
        [false, true].into_iter().find_map(|p| {
            let was = outcome(&context, &before, name, p);
            let is = outcome(&context, &changed, name, p);
            (was != is).then(|| format!("@{name}, p = {p}:\n{was}\n{is}"))
        })
    });
    found.map(|why| format!("{why}\n{after}"))
}

#[test]
fn what_is_written_is_read_after_every_pass() {
    let pairs: Vec<(&Form, &Form)> = WRITERS
        .iter()
        .flat_map(|writer| READERS.iter().map(move |reader| (writer, reader)))
        .collect();
    let mut wrong: Vec<String> = pairs
        .par_iter()
        .flat_map_iter(|(writer, reader)| {
            let text = module_of(writer, reader);
            MOVING.iter().filter_map(move |pass| {
                let why = wrong_with(pass, writer, reader, &text)?;
                Some(format!(
                    "--pass {pass}\n{}\n{}\n{why}",
                    writer.text, reader.text
                ))
            })
        })
        .collect();
    wrong.sort();
    let n_wrong = wrong.len();
    let mut seen = BTreeSet::new();
    wrong.retain(|why| seen.insert(why.lines().next().unwrap_or_default().to_owned()));
    assert!(
        wrong.is_empty(),
        "{n_wrong} wrong, the first of each pass:\n\n{}",
        wrong.join("\n\n")
    );
}

#[test]
fn the_interpreter_knows_what_it_is_said_to_know() {
    let context = context();
    for writer in WRITERS.iter().filter(|writer| writer.runs) {
        for reader in READERS {
            let module = parsed(&context, &module_of(writer, reader));
            for (name, _) in SHAPES {
                let given = outcome(&context, &module, name, true);
                assert!(
                    given.starts_with("Outcome"),
                    "@{name}: {given}\n{}\n{}",
                    writer.text,
                    reader.text
                );
            }
        }
    }
}

#[test]
fn every_pass_is_listed() {
    let listed: BTreeSet<&str> = MOVING.iter().chain(OTHERS).copied().collect();
    assert_eq!(
        listed.len(),
        MOVING.len() + OTHERS.len(),
        "a pass is in one list"
    );
    let passes: BTreeSet<&str> = pass_names().map(|(name, _)| name).collect();
    assert_eq!(
        passes, listed,
        "a new pass moves accesses, or it does not: put it into a list"
    );
}

#[test]
fn every_operation_that_may_write_is_a_writer() {
    let of_functions = [
        "affine", "arith", "cf", "func", "llvm", "math", "memref", "scf", "ub",
    ];
    let dialects = sluice_dialects::all().iter();
    let dialects = dialects.filter(|dialect| of_functions.contains(&dialect.name));
    let groups = dialects.flat_map(|dialect| dialect.operations.iter());
    let writes = |effect: &Effect| !matches!(effect, Effect::Read(_) | Effect::Allocate(_));
    let missing: Vec<&str> = groups
        .flat_map(|group| group.iter())
        .filter(|operation| operation.effects.iter().any(writes))
        .map(|operation| operation.name)
        .filter(|name| !NOT_OF_MEMORY.contains(name))
        .filter(|name| !WRITERS.iter().any(|writer| writer.text.contains(name)))
        .collect();
    assert!(missing.is_empty(), "no writer for {missing:?}");
}

#[test]
fn every_view_is_a_writer() {
    let groups = sluice_dialects::memref::DIALECT.operations.iter();
    let missing: Vec<&str> = groups
        .flat_map(|group| group.iter())
        .filter(|operation| operation.has(Traits::VIEW_LIKE))
        .map(|operation| operation.name)
        // The source of this view is a memory of bytes.
        .filter(|name| *name != "memref.view")
        .filter(|name| !WRITERS.iter().any(|writer| writer.text.contains(name)))
        .collect();
    assert!(missing.is_empty(), "no writer for {missing:?}");
}
