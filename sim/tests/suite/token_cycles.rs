//! Tests of the results for single cycles and channels: recordings, statistics, time-outs.

use sluice_ir::bits::Bits;
use sluice_sim::interpreter::Argument;
use sluice_sim::tokens::{ChannelStatistics, TokenError, TokenSimulator};

use crate::token_files::parsed;

const COUNT: &str = include_str!("../tokens/count.mlir");
const GCD: &str = include_str!("../tokens/gcd.mlir");
const FULL_QUEUE: &str = include_str!("../tokens/full_queue.mlir");

fn scalar(value: i64) -> Argument {
    Argument::Scalar(Bits::from_i64(8, value))
}

fn channel(simulator: &TokenSimulator<'_>, name: &str) -> usize {
    let mut channels = simulator.channels().iter();
    channels
        .position(|channel| channel.name == name)
        .expect(name)
}

#[test]
fn a_recording_has_every_channel_in_every_cycle() {
    let context = sluice_dialects::context();
    let module = parsed(&context, COUNT, "count.mlir");
    let mut simulator = TokenSimulator::new(&context, &module, "count").expect("a graph");
    let (outcome, recording) = simulator.run_recorded(&[scalar(5)], 100);
    assert_eq!(outcome.expect("it ends").outcome.cycles, 7);
    assert_eq!(recording.n_cycles(), 6);
    let (i, out) = (channel(&simulator, "i"), channel(&simulator, "i_out"));
    for cycle in 1..=6 {
        let value = i64::try_from(cycle).expect("a small number") - 1;
        let token = Some(vec![Bits::from_i64(8, value)]);
        assert_eq!(
            recording.at(cycle, i),
            Some((true, true, token)),
            "cycle {cycle}"
        );
        let (valid, _, token) = recording.at(cycle, out).expect("a cycle of the run");
        assert_eq!(
            (valid, token.is_some()),
            (cycle == 6, cycle == 6),
            "cycle {cycle}"
        );
    }
    assert_eq!((recording.at(0, i), recording.at(7, i)), (None, None));
}

/// The contents of a memory before a call are not those that the call gets, so the load is an error.
#[test]
fn a_load_that_nothing_of_the_call_asks_for_is_an_error() {
    const EARLY: &str = "
        handshake.func @early(%m: memref<4xi8>, %start: none) -> (i8, none) {
          %always = source
          %at = constant %always {value = 2 : i2} : i2
          %whenever = source
          %word, %asked = load [%at] %port#0, %whenever : i2, i8
          %port:2 = extmemory[ld = 1, st = 0] (%m : memref<4xi8>) (%asked) {id = 0 : i32} : (i2) -> (i8, none)
          sink %port#1 : none
          return %word, %start : i8, none
        }";
    let context = sluice_dialects::context();
    let module = parsed(&context, EARLY, "early.mlir");
    let mut simulator = TokenSimulator::new(&context, &module, "early").expect("a graph");
    let words = (0..4).map(|word| Bits::from_i64(8, word)).collect();
    let why = simulator.run(&[Argument::Memory(words)], 100).err();
    let why = why.expect("it loads before it starts").to_string();
    assert!(why.contains("is accessed before `start`"), "{why}");
}

#[test]
fn statistics_count_tokens_and_waiting() {
    let context = sluice_dialects::context();
    let module = parsed(&context, GCD, "gcd.mlir");
    let mut simulator = TokenSimulator::new(&context, &module, "gcd").expect("a graph");
    simulator
        .run(&[scalar(12), scalar(18)], 100)
        .expect("it ends");
    // In 16 cycles, iterations start in cycles 1, 6, 11 and 16, when the remainder is available. The other number is available 4
    // cycles earlier. The start token waits from cycle 1 on.
    let counted = |name: &str| simulator.statistics().channels[channel(&simulator, name)];
    let counts = |n_tokens, stalled_cycles, starved_cycles| ChannelStatistics {
        n_tokens,
        stalled_cycles,
        starved_cycles,
    };
    assert_eq!(counted("x"), counts(4, 12, 0));
    assert_eq!(counted("start"), counts(1, 15, 0));
    assert_eq!(counted("x_out"), counts(1, 0, 15));
    assert_eq!(counted("rest"), counts(3, 0, 13));
}

#[test]
fn statistics_say_how_full_buffers_were() {
    let context = sluice_dialects::context();
    let module = parsed(&context, FULL_QUEUE, "full_queue.mlir");
    let mut simulator = TokenSimulator::new(&context, &module, "full_queue").expect("a graph");
    let most = |simulator: &TokenSimulator<'_>| {
        let buffers = simulator.statistics().buffers.iter();
        let kept = buffers.clone().find(|buffer| buffer.name == "kept");
        kept.expect("the queue").most_tokens
    };
    simulator.run(&[scalar(1)], 100).expect("it ends");
    assert_eq!(most(&simulator), 1);
    let error = simulator.run(&[scalar(3)], 100).expect_err("a deadlock");
    assert_eq!(most(&simulator), 2);
    let TokenError::Deadlock(deadlock) = error else {
        panic!("{error}");
    };
    let diagnostics = deadlock.to_diagnostics();
    let text = diagnostics.to_text(&context);
    assert!(text.contains("full_queue.mlir:35"), "{text}");
}

#[test]
fn a_run_that_takes_too_long_is_given_up() {
    let context = sluice_dialects::context();
    let module = parsed(&context, COUNT, "count.mlir");
    let mut simulator = TokenSimulator::new(&context, &module, "count").expect("a graph");
    assert_eq!(
        simulator.run(&[scalar(5)], 6),
        Err(TokenError::TimeOut { n_cycles: 6 })
    );
    assert!(simulator.run(&[scalar(5)], 7).is_ok());
    simulator.firing_limit = 10;
    assert_eq!(
        simulator.run_untimed(&[scalar(5)]),
        Err(TokenError::Endless { n_firings: 10 })
    );
    assert!(matches!(
        simulator.run(&[], 7),
        Err(TokenError::Arguments(_))
    ));
}
