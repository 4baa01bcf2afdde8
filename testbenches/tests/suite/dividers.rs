//! The dividers that binding builds, tested alone: every latency of every kind, all operands of small widths, random operands of
//! large widths.

use sluice_config::Config;
use sluice_dialects::context;
use sluice_dialects::interface::Interface;
use sluice_flow::pipeline::compile;
use sluice_ir::View;
use sluice_ir::bits::Bits;
use sluice_kernel::compiled::{Compiled, Failure, text};
use sluice_sim::cycle::{CycleSimulator, Settings};
use sluice_sim::interpreter::Argument;
use sluice_sim::testbench::run;
use sluice_testbenches::passes::{after_passes, parsed, scheduled_division};
use sluice_testbenches::random_check;
use sluice_verify::data::Random;

/// Returns the latencies of a width for the possible numbers of quotient bits per cycle: one cycle to load, then the steps; and
/// one further latency.
fn latencies(width: u32) -> Vec<u32> {
    let mut all: Vec<u32> = [1, 2, 3, 4, 6]
        .map(|bits| 1 + width.saturating_sub(2).div_ceil(bits))
        .to_vec();
    // One more register at the output.
    all.push(all[0] + 1);
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the expected result: that of `arith` where it is defined; for a divisor of 0 all ones or the dividend, before the
/// signs are applied.
fn answer(operation: &str, a: &Bits, b: &Bits) -> Bits {
    let width = a.width();
    let magnitude = |x: &Bits| if x.sign_bit() { x.neg() } else { x.clone() };
    let signed = operation.ends_with("si");
    let (x, y) = match signed {
        true => (magnitude(a), magnitude(b)),
        false => (a.clone(), b.clone()),
    };
    let (quotient, remainder) = match x.udiv(&y) {
        Some(quotient) => {
            let remainder = x.sub(&quotient.mul(&y));
            (quotient, remainder)
        }
        None => (Bits::ones(width), x),
    };
    let (result, negative) = match operation.starts_with("div") {
        true => (quotient, a.sign_bit() != b.sign_bit()),
        false => (remainder, a.sign_bit()),
    };
    if signed && negative {
        result.neg()
    } else {
        result
    }
}

fn check(operation: &str, width: u32, pairs: &[(Bits, Bits)]) {
    for latency in latencies(width) {
        let text = scheduled_division(operation, width, latency);
        let bound = after_passes(&text, &["bind", "tidy-circuit"]);
        let context = context();
        let circuit = parsed(&context, &bound);
        let top = circuit
            .lookup_symbol(&context, "f")
            .expect("the function became a module");
        let attribute = View::new(&context, circuit.inner(), top)
            .attribute("sluice.interface")
            .expect("the module says its interface");
        let interface =
            Interface::from_attribute(&context, "f", attribute).expect("the interface can be read");
        let mut simulator =
            CycleSimulator::of_kernel(&context, &circuit, &interface, &Settings::default())
                .unwrap_or_else(|found| panic!("{}", found.to_text(&context)));
        for (a, b) in pairs {
            let arguments = [Argument::Scalar(a.clone()), Argument::Scalar(b.clone())];
            let outcome = run(&mut simulator, &interface, &arguments, 1000)
                .unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(
                outcome.results[0],
                answer(operation, a, b),
                "{operation} of {a} by {b} at {width} bits in {latency} cycles"
            );
            assert_eq!(
                outcome.cycles,
                u64::from(latency) + 2,
                "{operation} {width}"
            );
        }
    }
}

const OPERATIONS: [&str; 4] = ["divui", "divsi", "remui", "remsi"];

#[test]
fn all_operands_of_small_widths() {
    for width in 1..=5 {
        let words = || (0..1u64 << width).map(|x| Bits::from_u64(width, x));
        let pairs: Vec<(Bits, Bits)> = words()
            .flat_map(|a| words().map(move |b| (a.clone(), b)))
            .collect();
        for operation in OPERATIONS {
            check(operation, width, &pairs);
        }
    }
}

#[test]
fn edges_and_random_operands_of_large_widths() {
    let mut random = Random::new(23);
    for width in [6, 7, 8, 9, 16, 31, 32, 33, 34, 35, 64] {
        let mut edges = vec![
            Bits::ones(width),
            Bits::signed_min(width),
            Bits::signed_max(width),
        ];
        for n in 0..4 {
            edges.push(Bits::from_u64(width, n));
            edges.push(Bits::from_u64(width, n).neg());
        }
        let mut pairs: Vec<(Bits, Bits)> = edges
            .iter()
            .flat_map(|a| edges.iter().map(move |b| (a.clone(), b.clone())))
            .collect();
        for _ in 0..20 {
            let mut word = || {
                let shift = u32::try_from(random.next_u64() % u64::from(width)).expect("few bits");
                let word = Bits::from_limbs(width, &[random.next_u64(), random.next_u64()]);
                match random.next_u64() % 2 {
                    0 => word.lshr_by(shift),
                    _ => word.lshr_by(shift).neg(),
                }
            };
            let (a, b) = (word(), word());
            // Operands near a multiple of the divisor expose a digit that is off by one.
            let multiple = a.udiv(&b).unwrap_or(Bits::zero(width)).mul(&b);
            let below = multiple.sub(&Bits::from_u64(width, 1));
            pairs.extend([(a, b.clone()), (multiple, b.clone()), (below, b)]);
        }
        for operation in OPERATIONS {
            check(operation, width, &pairs);
        }
    }
}

/// A loop of two divisions that depend neither on each other nor on earlier iterations.
const INDEPENDENT: &str = "
func.func @both(%A: memref<24xi16>, %B: memref<24xi16>, %Q: memref<24xi16>, %R: memref<24xi16>) {
  %one = arith.constant 1 : i16
  %mask = arith.constant 0x3fff : i16
  affine.for %i = 0 to 24 {
    %a = affine.load %A[%i] : memref<24xi16>
    %b = affine.load %B[%i] : memref<24xi16>
    %positive = arith.andi %b, %mask : i16
    %divisor = arith.ori %positive, %one : i16
    %q = arith.divsi %a, %divisor : i16
    affine.store %q, %Q[%i] : memref<24xi16>
    %r = arith.remui %a, %divisor : i16
    affine.store %r, %R[%i] : memref<24xi16>
  }
  return
}
";

/// Compiles a kernel for speed alone; interpreter and cycle simulator must agree.
fn checked(source: &str, limits: &str) -> Compiled {
    let config = format!("device: ecp5\nclock_period_ns: 9.0\narea_weight: 0\n{limits}\n");
    let config = Config::from_yaml(&config, "kernel.yaml").expect("a configuration");
    let compiled = match compile(source, "kernel.mlir", &config) {
        Ok(compiled) => compiled,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    };
    for seed in 0..5 {
        random_check::run(&compiled, seed)
            .unwrap_or_else(|found| panic!("{:?}: {}", found.kind, found.fact));
    }
    compiled
}

#[test]
fn dividers_take_turns() {
    // 16 bits at three bits per cycle take 6 cycles; with n interleaved units the loop can start an iteration every 6 / n cycles.
    for (limits, ii) in [
        ("", 1),
        ("limits: {divide_signed: 1}", 6),
        ("limits: {divide_signed: 2, remainder_unsigned: 3}", 3),
        ("limits: {divide_signed: 3, remainder_unsigned: 3}", 2),
    ] {
        let compiled = checked(INDEPENDENT, limits);
        let scheduled = text(&compiled.context, &compiled.scheduled);
        assert!(
            scheduled.contains(&format!("sluice.ii = {ii} : i64")),
            "II {ii} with `{limits}` in\n{scheduled}"
        );
    }
}

/// Divisions by a loop-invariant divisor, then divisions that depend on each other and have different divisors.
const ONE_DIVISOR: &str = "
func.func @scaled(%A: memref<24xi16>, %B: memref<24xi16>, %Q: memref<24xi16>, %R: memref<24xi16>) {
  %one = arith.constant 1 : i16
  affine.for %j = 0 to 3 {
    %b = affine.load %B[%j] : memref<24xi16>
    %divisor = arith.ori %b, %one : i16
    affine.for %i = 0 to 24 {
      %a = affine.load %A[%i] : memref<24xi16>
      %q = arith.divui %a, %divisor : i16
      affine.store %q, %Q[%i] : memref<24xi16>
    }
  }
  %zero = arith.constant 0 : i16
  %last = affine.for %i = 0 to 24 iter_args(%rest = %zero) -> (i16) {
    %a = affine.load %A[%i] : memref<24xi16>
    %b = affine.load %B[%i] : memref<24xi16>
    %divisor = arith.ori %b, %one : i16
    %sum = arith.addi %a, %rest : i16
    %r = arith.divui %sum, %divisor : i16
    affine.store %r, %R[%i] : memref<24xi16>
    affine.yield %r : i16
  }
  return
}
";

#[test]
fn a_divisor_from_outside_is_held_once() {
    let compiled = checked(ONE_DIVISOR, "");
    let verilog = &compiled.verilog;
    let unit = format!("module {}__divu_16", compiled.top);
    assert_eq!(verilog.matches(&unit).count(), 1, "one unit in\n{verilog}");
    let has = |register: &str| verilog.contains(&format!(" {register};"));
    assert!(
        has("rest_1") && has("divisor_3") && !has("divisor_3_1"),
        "several rests and one divisor in\n{verilog}"
    );
}
