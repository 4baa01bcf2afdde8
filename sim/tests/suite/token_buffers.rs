//! Buffers change the timing of tokens but never their values: graphs with random buffers have the same results.

use sluice_ir::bits::Bits;
use sluice_ir::{AttributeKind, BlockId, Context, Module, NewOperation, ValueId, View};
use sluice_sim::tokens::TokenSimulator;

use crate::token_files::{MAX_CYCLES, arguments, files, function, parsed, tokens_stay};

/// Graphs with random buffers for each file.
const N_GRAPHS: u64 = 40;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % n
    }
}

/// Returns the values on which a buffer may be placed: all channels but the ones between a memory and its accesses.
fn places(context: &Context, module: &Module) -> (BlockId, Vec<ValueId>) {
    let function = View::new(context, module.inner(), module.top_level_operations()[0]);
    let body = function.inner();
    let block = function.entry_block(0).expect("a body");
    let mut places: Vec<ValueId> = body.arguments(block).to_vec();
    for op in body.operations(block) {
        let view = View::new(context, body, op);
        let from = match view.name() {
            "handshake.load" => 0..1,
            "handshake.store" => 0..0,
            "handshake.memory" | "handshake.extmemory" => {
                let loads = view.attribute("ldCount").and_then(|n| n.as_i64(context));
                let loads = usize::try_from(loads.expect("a count")).expect("a count");
                loads..view.results().len()
            }
            _ => 0..view.results().len(),
        };
        places.extend(&view.results()[from]);
    }
    let is_channel = |value: &ValueId| {
        let ty = body.ty(*value);
        ty == context.none_type() || ty.is_signless_integer(context)
    };
    places.retain(is_channel);
    (block, places)
}

/// Puts buffers of all kinds on a third of the channels.
fn buffer(context: &Context, module: &mut Module, random: &mut Random) {
    let (block, places) = places(context, module);
    let function = module.top_level_operations()[0];
    for value in places {
        if random.below(3) > 0 {
            continue;
        }
        let body = module.inner_mut().inner_mut(function);
        let (user, position) = body.uses(value).next().expect("each channel has a use");
        let slots = i64::try_from(1 + random.below(3)).expect("a small number");
        let kind = random.below(3);
        let slots = context.integer_attribute(context.integer_type(32), Bits::from_i64(32, slots));
        let queue = context.i64_attribute(i64::from(kind == 2));
        let kind_attribute = context.attribute(AttributeKind::Dialect {
            name: context.name("handshake.buffer_type_enum"),
            parameters: Box::new([queue]),
        });
        let mut new = NewOperation::new(
            context.operation_name("handshake.buffer"),
            body.value_location(value),
        );
        new.operands.push(value);
        new.result_types.push(body.ty(value));
        new.attributes.push((context.name("slots"), slots));
        new.attributes
            .push((context.name("bufferType"), kind_attribute));
        if kind == 1 {
            let cut = context.string_attribute("data");
            new.attributes.push((context.name("sluice.cut"), cut));
        }
        let op = body.create(context, new);
        let buffered = body.result(op, 0);
        body.prepend(block, op);
        body.set_operand(user, position, buffered);
    }
}

#[test]
fn buffers_anywhere_do_not_change_what_comes_out() {
    let mut n_runs = 0;
    for file in files() {
        let name = file
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&file).expect("a file");
        // The result of a merge depends on which token comes first, and the outputs of a lazy fork must be ready together.
        if text.contains("merge %") || text.contains(" lazy_fork ") {
            continue;
        }
        let context = sluice_dialects::context();
        let module = parsed(&context, &text, &name);
        let (function, widths_bits) = function(&context, &module);
        let runs = text.lines().filter_map(|line| line.strip_prefix("// run"));
        let runs: Vec<_> = runs.map(|given| arguments(given, &widths_bits)).collect();
        for seed in 0..N_GRAPHS {
            let mut buffered = parsed(&context, &text, &name);
            buffer(&context, &mut buffered, &mut Random(seed));
            let mut simulator = TokenSimulator::new(&context, &module, &function).expect("a graph");
            let mut other = TokenSimulator::new(&context, &buffered, &function)
                .unwrap_or_else(|found| panic!("{name}: {}", found.to_text(&context)));
            for arguments in &runs {
                let Ok(expected) = simulator.run(arguments, MAX_CYCLES) else {
                    continue;
                };
                let (found, recording) = other.run_recorded(arguments, 20 * MAX_CYCLES);
                tokens_stay(&recording, other.channels().len(), &name);
                let found = found.unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
                let counted = other.count_cycles(arguments, 20 * MAX_CYCLES);
                assert_eq!(counted, Ok(found.outcome.cycles), "{name}, seed {seed}");
                assert_eq!(
                    found.outcome.results, expected.outcome.results,
                    "{name}, seed {seed}"
                );
                assert_eq!(
                    found.outcome.memories, expected.outcome.memories,
                    "{name}, seed {seed}"
                );
                n_runs += 1;
            }
        }
    }
    assert!(n_runs > 500, "only {n_runs} runs");
}
