//! Bodies before and after rewriting: the same values, never more expensive, recurrences never longer.
#![allow(clippy::unwrap_used)] // A test may panic.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sluice_ir::bits::Bits;
use sluice_ir::{BlockId, Body, Builder, Context, Location, OperationId, ValueDefinition, ValueId};
use sluice_rewrite::{
    Cache, GenericCost, RewriteOptions, RewriteReport, evaluate_operation, rewrite,
};

fn context() -> Context {
    let mut context = Context::new(&[]);
    context.allow_unregistered = true;
    context
}

/// A body under construction: one block of one region.
struct Kernel<'a> {
    context: &'a Context,
    body: Body,
    block: BlockId,
}

impl<'a> Kernel<'a> {
    fn new(context: &'a Context) -> Self {
        let mut body = Body::new();
        let region = body.add_top_region();
        let block = body.append_block(region);
        Self {
            context,
            body,
            block,
        }
    }

    fn argument(&mut self, width: u32) -> ValueId {
        let ty = self.context.integer_type(width);
        self.body.add_argument(self.block, ty, Location::UNKNOWN)
    }

    fn op(&mut self, name: &str, operands: &[ValueId], width: u32) -> ValueId {
        let (name, predicate) = match name.split_once(' ') {
            Some((name, predicate)) => (name, Some(predicate.parse().unwrap())),
            None => (name, None),
        };
        let predicate = predicate.map(|p| ("predicate", self.context.i64_attribute(p)));
        let ty = self.context.integer_type(width);
        let mut builder =
            Builder::at_end(self.context, &mut self.body, self.block, Location::UNKNOWN);
        let op = builder.operation(
            &format!("arith.{name}"),
            operands,
            &[ty],
            predicate.as_slice(),
        );
        self.body.result(op, 0)
    }

    fn constant(&mut self, width: u32, value: i64) -> ValueId {
        let ty = self.context.integer_type(width);
        let value = self
            .context
            .integer_attribute(ty, Bits::from_i64(width, value));
        let mut builder =
            Builder::at_end(self.context, &mut self.body, self.block, Location::UNKNOWN);
        let op = builder.operation("arith.constant", &[], &[ty], &[("value", value)]);
        self.body.result(op, 0)
    }

    fn end(&mut self, name: &str, operands: &[ValueId]) {
        let mut builder =
            Builder::at_end(self.context, &mut self.body, self.block, Location::UNKNOWN);
        builder.operation(name, operands, &[], &[]);
    }

    fn rewrite(&mut self) -> RewriteReport {
        self.rewrite_with(&RewriteOptions::default())
    }

    /// Rewrites with a value of 0 for delays.
    fn rewrite_for_area(&mut self) -> RewriteReport {
        self.rewrite_with(&RewriteOptions {
            area_per_ns: 0.0,
            recurrence_area_per_ns: 0.0,
            ..RewriteOptions::default()
        })
    }

    fn rewrite_with(&mut self, options: &RewriteOptions) -> RewriteReport {
        let cache = Cache::default();
        rewrite(self.context, &mut self.body, &GenericCost, options, &cache)
    }

    /// Builds one of two sums of read values, selected by `decides`. One adder after the selection would be enough, but `decides`
    /// would then pass through it.
    fn chosen_sum(&mut self, decides: ValueId) -> ValueId {
        let [x, y, z] = [(); 3].map(|()| self.op("test.read", &[], 16));
        let less = self.op("cmpi 6", &[decides, x], 1);
        let sums = [self.op("addi", &[x, y], 16), self.op("addi", &[x, z], 16)];
        self.op("select", &[less, sums[0], sums[1]], 16)
    }

    fn count(&self, name: &str) -> usize {
        let names = self.names();
        names.iter().filter(|known| *known == name).count()
    }

    /// Returns the operations of the block without their prefix, without constants.
    fn names(&self) -> Vec<String> {
        let names = self
            .body
            .operations(self.block)
            .map(|op| self.context.operation_text(self.body.name(op)));
        names
            .filter(|name| *name != "arith.constant")
            .map(|name| name.replace("arith.", ""))
            .collect()
    }
}

/// Returns the operands of every operation that is not arithmetic; results of these operations are numbered inputs.
fn run(context: &Context, body: &Body, block: BlockId, inputs: &[Bits]) -> Vec<Vec<Bits>> {
    let mut values: BTreeMap<ValueId, Bits> = BTreeMap::new();
    let mut seen = Vec::new();
    for (argument, input) in body.arguments(block).iter().zip(inputs) {
        values.insert(
            *argument,
            input.trunc(body.ty(*argument).integer_width_bits(context).unwrap()),
        );
    }
    for op in body.operations(block) {
        let operands: Vec<Bits> = body
            .operands(op)
            .map(|value| values[&value].clone())
            .collect();
        if let Some(value) = evaluate_operation(context, body, op, &operands) {
            values.insert(body.result(op, 0), value);
            continue;
        }
        for (number, result) in body.results(op).iter().enumerate() {
            let width = body.ty(*result).integer_width_bits(context).unwrap();
            values.insert(
                *result,
                inputs[(seen.len() + number) % inputs.len()].trunc(width),
            );
        }
        seen.push(operands);
    }
    seen
}

fn check_uses(context: &Context, body: &Body, block: BlockId) {
    let order: BTreeMap<OperationId, usize> = body
        .operations(block)
        .enumerate()
        .map(|(i, op)| (op, i))
        .collect();
    for (op, position) in &order {
        for operand in body.operands(*op) {
            if let ValueDefinition::Result { operation, .. } = body.value_definition(operand) {
                assert!(
                    order[&operation] < *position,
                    "{} comes before its operand",
                    context.operation_text(body.name(*op))
                );
            }
        }
    }
}

const INTERESTING: [i64; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, -1, -2, 31];

/// Builds an expression from a stream of numbers.
fn random_body<'a>(context: &'a Context, code: &[u32]) -> Kernel<'a> {
    let mut kernel = Kernel::new(context);
    let widths = [1, 3, 8, 8, 16, 5];
    let mut values: Vec<(ValueId, u32)> = widths
        .iter()
        .map(|width| (kernel.argument(*width), *width))
        .collect();
    for chunk in code.chunks_exact(4) {
        let [what, a, b, c] = chunk else {
            unreachable!("chunks are exact")
        };
        let pick = |number: u32| values[usize::try_from(number).unwrap() % values.len()];
        let like = |width: u32, number: u32| {
            let same: Vec<ValueId> = values
                .iter()
                .filter(|(_, w)| *w == width)
                .map(|(v, _)| *v)
                .collect();
            same[usize::try_from(number).unwrap() % same.len()]
        };
        let (x, width) = pick(*a);
        let y = like(width, *b);
        let names = [
            "addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
            "addi", "subi", "muli",
        ];
        let made = match what % 20 {
            number @ 0..=12 => (
                kernel.op(names[usize::try_from(number).unwrap()], &[x, y], width),
                width,
            ),
            13 => {
                let name = ["shli", "shrui", "shrsi"][usize::try_from(b % 3).unwrap()];
                let amount = kernel.constant(width, i64::from(c % width));
                (kernel.op(name, &[x, amount], width), width)
            }
            14 => (kernel.op(&format!("cmpi {}", c % 10), &[x, y], 1), 1),
            15 => {
                let condition = like(1, *c);
                (kernel.op("select", &[condition, x, y], width), width)
            }
            16 if width < 16 => {
                let to = [8u32, 16][usize::try_from(c % 2).unwrap()].max(width + 1);
                (
                    kernel.op(if b % 2 == 0 { "extui" } else { "extsi" }, &[x], to),
                    to,
                )
            }
            17 if width > 3 => {
                let to = [1, 3, width - 1][usize::try_from(c % 3).unwrap()].min(width - 1);
                (kernel.op("trunci", &[x], to), to)
            }
            18 => {
                let ty = context.integer_type(width);
                let mut builder =
                    Builder::at_end(context, &mut kernel.body, kernel.block, Location::UNKNOWN);
                let op = builder.operation("test.read", &[x], &[ty], &[]);
                (kernel.body.result(op, 0), width)
            }
            _ => {
                let value = INTERESTING[usize::try_from(*c).unwrap() % INTERESTING.len()];
                (kernel.constant(width, value), width)
            }
        };
        values.push(made);
        if made.1 > 1 && what % 3 == 0 {
            let value = INTERESTING[usize::try_from(*c).unwrap() % INTERESTING.len()];
            let constant = kernel.constant(made.1, value);
            values.push((constant, made.1));
        }
    }
    let last: Vec<ValueId> = values
        .iter()
        .rev()
        .take(3)
        .map(|(value, _)| *value)
        .collect();
    kernel.end("test.end", &last);
    kernel
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn meaning_stays_and_cost_never_grows(
        code in prop::collection::vec(any::<u32>(), 4..100),
        inputs in prop::collection::vec(prop::array::uniform8(any::<u64>()), 12),
    ) {
        let context = context();
        let mut kernel = random_body(&context, &code);
        let before = kernel.body.clone();
        let report = kernel.rewrite();
        check_uses(&context, &kernel.body, kernel.block);
        for row in inputs {
            let inputs: Vec<Bits> = row.iter().map(|value| Bits::from_u64(64, *value)).collect();
            let expected = run(&context, &before, kernel.block, &inputs);
            prop_assert_eq!(expected, run(&context, &kernel.body, kernel.block, &inputs));
        }
        // An iteration that starts below the limit may end above it.
        prop_assert!(report.n_graph_nodes <= 2 * RewriteOptions::default().node_limit, "{report:?}");
        let weight = RewriteOptions::default().area_per_ns;
        let price_before = report.area_before + weight * report.critical_path_before_ns;
        let price_after = report.area_after + weight * report.critical_path_after_ns;
        prop_assert!(price_after <= price_before + 1e-6, "{report:?}");
    }
}

#[test]
fn the_same_body_gives_the_same_result() {
    let context = context();
    let code: Vec<u32> = (0..200u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 7)
        .collect();
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut kernel = random_body(&context, &code);
            let report = kernel.rewrite();
            let shape: Vec<_> = kernel
                .body
                .operations(kernel.block)
                .map(|op| {
                    (
                        kernel.body.name(op),
                        kernel.body.operands(op).collect::<Vec<_>>(),
                    )
                })
                .collect();
            (format!("{report:?}"), shape)
        })
        .collect();
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
}

/// A small body and the expected operations after rewriting.
type Case = (
    &'static str,
    fn(&mut Kernel<'_>) -> ValueId,
    &'static [&'static str],
);

const CASES: &[Case] = &[
    (
        "times eight is a shift",
        |k| {
            let (x, c) = (k.argument(16), k.constant(16, 8));
            k.op("muli", &[x, c], 16)
        },
        &["shli"],
    ),
    (
        "times seven is a shift and a difference",
        |k| {
            let (x, c) = (k.argument(16), k.constant(16, 7));
            k.op("muli", &[x, c], 16)
        },
        &["shli", "subi"],
    ),
    (
        "a chain of sums becomes a tree",
        |k| {
            let x: Vec<ValueId> = (0..4).map(|_| k.argument(16)).collect();
            let a = k.op("addi", &[x[0], x[1]], 16);
            let b = k.op("addi", &[a, x[2]], 16);
            k.op("addi", &[b, x[3]], 16)
        },
        &["addi", "addi", "addi"],
    ),
    (
        "a comparison of extended values is narrow",
        |k| {
            let (x, y) = (k.argument(8), k.argument(8));
            let (x, y) = (k.op("extsi", &[x], 32), k.op("extsi", &[y], 32));
            k.op("cmpi 4", &[x, y], 1)
        },
        &["cmpi"],
    ),
    (
        "a product of extended values is narrow",
        |k| {
            let (x, y) = (k.argument(8), k.argument(8));
            let (x, y) = (k.op("extsi", &[x], 32), k.op("extsi", &[y], 32));
            k.op("muli", &[x, y], 32)
        },
        &["extsi", "extsi", "muli", "extsi"],
    ),
    (
        "a common factor is taken out",
        |k| {
            let (x, y, z) = (k.argument(16), k.argument(16), k.argument(16));
            let (a, b) = (k.op("muli", &[x, y], 16), k.op("muli", &[x, z], 16));
            k.op("addi", &[a, b], 16)
        },
        &["addi", "muli"],
    ),
    (
        "one adder serves both branches",
        |k| {
            let (c, x, y, z) = (
                k.argument(1),
                k.argument(16),
                k.argument(16),
                k.argument(16),
            );
            let (a, b) = (k.op("addi", &[x, y], 16), k.op("addi", &[x, z], 16));
            k.op("select", &[c, a, b], 16)
        },
        &["select", "addi"],
    ),
    (
        "disjoint bits are joined without carry",
        |k| {
            let (x, y) = (k.argument(8), k.argument(8));
            let (x, y, c) = (
                k.op("extui", &[x], 16),
                k.op("extui", &[y], 16),
                k.constant(16, 8),
            );
            let x = k.op("shli", &[x, c], 16);
            k.op("addi", &[x, y], 16)
        },
        &["extui", "extui", "shli", "ori"],
    ),
    (
        "a remainder by mask of known bits vanishes",
        |k| {
            let x = k.argument(4);
            let (x, m) = (k.op("extui", &[x], 16), k.constant(16, 255));
            k.op("andi", &[x, m], 16)
        },
        &["extui"],
    ),
    (
        "not of not less is less",
        |k| {
            let (x, y, one) = (k.argument(8), k.argument(8), k.constant(1, 1));
            let less = k.op("cmpi 2", &[x, y], 1);
            let not = k.op("xori", &[less, one], 1);
            k.op("xori", &[not, one], 1)
        },
        &["cmpi"],
    ),
    (
        "a selected minimum is a comparison and a selection or a minimum",
        |k| {
            let (x, y) = (k.argument(8), k.argument(8));
            let less = k.op("cmpi 6", &[x, y], 1);
            k.op("select", &[less, x, y], 8)
        },
        &["minui"],
    ),
    (
        "a sign test is a bit",
        |k| {
            let (x, zero) = (k.argument(32), k.constant(32, 0));
            k.op("cmpi 2", &[x, zero], 1)
        },
        &["shrui", "trunci"],
    ),
];

#[test]
fn small_bodies_become_what_they_should() {
    for (what, build, expected) in CASES {
        let context = context();
        let mut kernel = Kernel::new(&context);
        let result = build(&mut kernel);
        kernel.end("test.end", &[result]);
        let before = kernel.body.clone();
        let report = kernel.rewrite();
        assert_eq!(report.n_rewritten_blocks, 1, "{what}");
        let mut names = kernel.names();
        assert_eq!(names.pop().as_deref(), Some("test.end"), "{what}");
        assert_eq!(names, *expected, "{what}");
        for seed in 0..64u64 {
            let inputs: Vec<Bits> = (1..8)
                .map(|i| {
                    Bits::from_u64(
                        64,
                        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i * 9),
                    )
                })
                .collect();
            let expected = run(&context, &before, kernel.block, &inputs);
            assert_eq!(
                expected,
                run(&context, &kernel.body, kernel.block, &inputs),
                "{what}"
            );
        }
    }
}

#[test]
fn names_of_values_that_survive_stay() {
    let context = context();
    let mut kernel = Kernel::new(&context);
    let (x, c) = (kernel.argument(16), kernel.constant(16, 8));
    let kept = kernel.op("addi", &[x, x], 16);
    let product = kernel.op("muli", &[kept, c], 16);
    let y = kernel.argument(16);
    let sum = kernel.op("addi", &[product, y], 16);
    kernel
        .body
        .set_value_name(product, Some(context.name("scaled")));
    kernel.body.set_value_name(sum, Some(context.name("sum")));
    kernel.end("test.end", &[product, sum]);
    assert_eq!(kernel.rewrite().n_rewritten_blocks, 1);
    let end = kernel.body.last_operation(kernel.block).unwrap();
    let names: Vec<_> = kernel
        .body
        .operands(end)
        .map(|v| kernel.body.value_name(v).map(|n| context.text(n)))
        .collect();
    assert_eq!(names, [Some("scaled"), Some("sum")]);
}

/// Builds `scf.for` with one carried value; returns also the loop body.
fn loop_kernel<'a>(context: &'a Context, width: u32) -> (Kernel<'a>, OperationId, [ValueId; 2]) {
    let mut kernel = Kernel::new(context);
    let ty = context.integer_type(width);
    let (bound, start) = (kernel.argument(width), kernel.argument(width));
    let mut builder = Builder::at_end(context, &mut kernel.body, kernel.block, Location::UNKNOWN);
    let op = builder.operation("scf.for", &[bound, bound, bound, start], &[ty], &[]);
    let region = kernel.body.add_region(op);
    let inner = kernel.body.append_block(region);
    let result = kernel.body.result(op, 0);
    kernel.end("func.return", &[result]);
    kernel.block = inner;
    let arguments = [kernel.argument(width), kernel.argument(width)];
    (kernel, op, arguments)
}

#[test]
fn sums_move_away_from_the_recurrence() {
    let context = context();
    let (mut kernel, _, [index, carried]) = loop_kernel(&context, 16);
    let c = kernel.constant(16, 3);
    let a = kernel.op("addi", &[carried, index], 16);
    let b = kernel.op("addi", &[a, c], 16);
    kernel.end("scf.yield", &[b]);
    let report = kernel.rewrite();
    assert!(
        report.recurrence_after_ns < report.recurrence_before_ns,
        "{report:?}"
    );
}

#[test]
fn a_cheaper_form_with_a_deeper_recurrence_is_refused() {
    for (carried_decides, n_rewritten) in [(true, 0), (false, 1)] {
        let context = context();
        let (mut kernel, _, [index, carried]) = loop_kernel(&context, 16);
        let decides = if carried_decides { carried } else { index };
        let chosen = kernel.chosen_sum(decides);
        kernel.end("scf.yield", &[chosen]);
        let report = kernel.rewrite_for_area();
        assert_eq!(report.n_rewritten_blocks, n_rewritten, "{report:?}");
        assert!(
            report.recurrence_after_ns <= report.recurrence_before_ns + 1e-9,
            "{report:?}"
        );
    }
}

#[test]
fn what_is_beside_a_recurrence_is_rewritten_where_that_must_stay() {
    let context = context();
    let (mut kernel, _, [index, carried]) = loop_kernel(&context, 16);
    let eight = kernel.constant(16, 8);
    let scaled = kernel.op("muli", &[index, eight], 16);
    kernel.end("test.use", &[scaled]);
    let chosen = kernel.chosen_sum(carried);
    kernel.end("scf.yield", &[chosen]);
    let report = kernel.rewrite_for_area();
    let counts = ["muli", "shli", "addi"].map(|name| kernel.count(name));
    assert_eq!(counts, [0, 1, 2], "{:?} {report:?}", kernel.names());
    assert!(
        report.recurrence_after_ns <= report.recurrence_before_ns + 1e-9,
        "{report:?}"
    );
}

#[test]
fn a_path_between_recurrences_may_get_longer() {
    let context = context();
    let (mut kernel, _, [_, counter]) = loop_kernel(&context, 16);
    let sum = kernel.argument(16);
    let one = kernel.constant(16, 1);
    let next = kernel.op("addi", &[counter, one], 16);
    // With one adder there is a path from the counter to the sum, but none back.
    let chosen = kernel.chosen_sum(counter);
    let new = kernel.op("xori", &[sum, chosen], 16);
    kernel.end("scf.yield", &[next, new]);
    let report = kernel.rewrite_for_area();
    assert_eq!(kernel.count("addi"), 2, "{:?} {report:?}", kernel.names());
}

#[test]
fn a_loop_never_passes_an_argument_on_directly() {
    let context = context();
    let (mut kernel, _, [index, _]) = loop_kernel(&context, 16);
    let zero = kernel.constant(16, 0);
    let same = kernel.op("addi", &[index, zero], 16);
    kernel.end("scf.yield", &[same]);
    assert_eq!(kernel.rewrite().n_rewritten_blocks, 1);
    assert_eq!(
        kernel.names(),
        ["builtin.unrealized_conversion_cast", "scf.yield"]
    );
}

#[test]
fn guards_stay_as_they_are() {
    let context = context();
    let (mut kernel, op, [index, _]) = loop_kernel(&context, 16);
    kernel
        .body
        .set_attribute(op, context.name("sluice.guard"), context.unit_attribute());
    let zero = kernel.constant(16, 0);
    let same = kernel.op("addi", &[index, zero], 16);
    kernel.end("scf.yield", &[same]);
    assert_eq!(kernel.rewrite().n_rewritten_blocks, 0);
    assert_eq!(kernel.names(), ["addi", "scf.yield"]);
}

#[test]
fn values_used_in_nested_blocks_are_made_before_them() {
    let context = context();
    let mut kernel = Kernel::new(&context);
    let (x, c) = (kernel.argument(16), kernel.constant(16, 8));
    let product = kernel.op("muli", &[x, c], 16);
    let mut builder = Builder::at_end(&context, &mut kernel.body, kernel.block, Location::UNKNOWN);
    let op = builder.operation("scf.if", &[], &[], &[]);
    let region = kernel.body.add_region(op);
    let inner = kernel.body.append_block(region);
    kernel.end("func.return", &[]);
    let outer = std::mem::replace(&mut kernel.block, inner);
    kernel.end("test.use", &[product]);
    kernel.block = outer;
    assert_eq!(kernel.rewrite().n_rewritten_blocks, 1);
    assert_eq!(kernel.names(), ["shli", "scf.if", "func.return"]);
    let user = kernel.body.first_operation(inner).unwrap();
    let made = kernel
        .body
        .defining_operation(kernel.body.operand(user, 0))
        .unwrap();
    assert_eq!(context.operation_text(kernel.body.name(made)), "arith.shli");
}
