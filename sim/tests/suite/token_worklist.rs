//! Runs that evaluate only the changed operations have the same results as runs that evaluate all.

use std::fs;

use sluice_ir::bits::Bits;
use sluice_ir::{Context, Module, TypeKind, View};
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::TokenSimulator;

use crate::token_files::{files, function, parsed};

/// The most cycles of each run.
const MAX_CYCLES: u64 = 100;

/// Runs of each file with random arguments.
const N_RUNS: u64 = 16;

/// Returns the number of words of each argument, and whether it is a memory.
fn sizes(context: &Context, module: &Module) -> Vec<(usize, bool)> {
    let view = View::new(context, module.inner(), module.top_level_operations()[0]);
    let body = view.inner();
    let block = view.entry_block(0).expect("a body");
    let sizes = body.arguments(block).iter().filter_map(|argument| {
        let ty = body.ty(*argument);
        match ty.kind(context) {
            TypeKind::MemRef { shape, .. } => {
                let extents = shape.iter().map(|extent| extent.expect("a known size"));
                let n_words: u64 = extents.product();
                Some((usize::try_from(n_words).expect("a size"), true))
            }
            _ => ty.width_bits(context).map(|_| (1, false)),
        }
    });
    sizes.collect()
}

#[test]
fn operations_that_are_left_out_give_what_they_gave() {
    let mut n_cycles = 0;
    let mut state = 7_u64;
    let mut draw = |width_bits: u32| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let word = Bits::from_u64(32, state >> 32);
        match width_bits > 32 {
            true => word.zext(width_bits),
            false => word.trunc(width_bits),
        }
    };
    for file in files() {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file.display().to_string();
        let context = sluice_dialects::context();
        let module = parsed(&context, &text, &name);
        let (top, widths_bits) = function(&context, &module);
        let sizes = sizes(&context, &module);
        let new = || TokenSimulator::new(&context, &module, &top).expect("a graph");
        let (mut some, mut all) = (new(), new());
        all.looks_at_all = true;
        if some.check_timing().is_err() {
            continue;
        }
        for run in 0..N_RUNS {
            let arguments = widths_bits.iter().zip(&sizes);
            let arguments: Vec<Argument> = arguments
                .map(|(width_bits, (n_words, is_memory))| match is_memory {
                    true => Argument::Memory((0..*n_words).map(|_| draw(*width_bits)).collect()),
                    false => Argument::Scalar(draw(*width_bits)),
                })
                .collect();
            let (one, recorded) = some.run_recorded(&arguments, MAX_CYCLES);
            let (other, in_full) = all.run_recorded(&arguments, MAX_CYCLES);
            assert_eq!(one, other, "{name}, run {run}");
            assert_eq!(recorded.n_cycles(), in_full.n_cycles(), "{name}, run {run}");
            for cycle in 1..=recorded.n_cycles() {
                for channel in 0..some.channels().len() {
                    assert_eq!(
                        recorded.at(cycle, channel),
                        in_full.at(cycle, channel),
                        "{name}, run {run}: channel {channel} in cycle {cycle}"
                    );
                }
            }
            n_cycles += recorded.n_cycles();
        }
    }
    assert!(n_cycles > 2000, "{n_cycles} cycles");
}
