//! Random nests with a division before an inner loop, as in matrix factorisations. Interpreter and cycle simulator agree, with
//! the division one iteration ahead or not, and for every step in which its quotient is stored.

use rayon::prelude::*;
use sluice_config::Config;
use sluice_flow::pipeline::compile;
use sluice_kernel::compiled::Failure;
use sluice_testbenches::random_check::run;
use sluice_testbenches::sweep;
use sluice_verify::data::Random;

/// Number of nests in the gate; a sweep multiplies it.
const N_NESTS: u64 = 6;

fn one_of<'a>(random: &mut Random, all: &[&'a str]) -> &'a str {
    let n = u64::try_from(all.len()).expect("few");
    all[usize::try_from(random.next_u64() % n).expect("few")]
}

/// Returns a nest; no divisor is 0 or -1.
fn kernel(seed: u64) -> String {
    let mut random = Random::new(seed);
    let r = &mut random;
    let size = one_of(r, &["3", "4", "5", "6"]);
    let ty = one_of(r, &["i8", "i16", "i32"]);
    let division = one_of(
        r,
        &["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"],
    );
    let update = one_of(r, &["arith.subi", "arith.addi", "arith.xori"]);
    let behind_k = "affine_map<(k) -> (k + 1)>(%k)";
    let rows = one_of(r, &[behind_k, behind_k, "0"]);
    let columns = one_of(r, &[rows, "0", "affine_map<(k) -> (k)>(%k)"]);
    let dividend = one_of(r, &["%A[%i, %k]", "%B[%i, %k]", "%A[%k, %i]"]);
    let divisor = one_of(r, &["%A[%k, %k]", "%B[%k, %i]", "%B[%k, %k]"]);
    let factor = one_of(r, &["%A[%k, %j]", "%B[%k, %j]", "%B[%j, %i]"]);
    let array = format!("memref<{size}x{size}x{ty}>");
    let in_front = format!(
        "    affine.for %c = 0 to {size} {{
      %v = affine.load %B[%k, %c] : {array}
      %u = arith.addi %v, %one : {ty}
      affine.store %u, %A[%c, %k] : {array}
    }}
"
    );
    let in_front = one_of(r, &[&in_front, "", ""]);
    let stored = format!("      affine.store %q, %A[%i, %k] : {array}\n");
    let stored = one_of(r, &[&stored, &stored, &stored, ""]);
    let behind = format!(
        "      %z = affine.load %A[%i, 0] : {array}
      %w = arith.addi %z, %q : {ty}
      affine.store %w, %B[%i, 0] : {array}
"
    );
    let behind = one_of(r, &[&behind, "", ""]);
    format!(
        "func.func @nest{seed}(%A: {array}, %B: {array}) {{
  %one = arith.constant 1 : {ty}
  %mask = arith.constant 31 : {ty}
  affine.for %k = 0 to {size} {{
{in_front}    affine.for %i = {rows} to {size} {{
      %x = affine.load {dividend} : {array}
      %y = affine.load {divisor} : {array}
      %low = arith.andi %y, %mask : {ty}
      %d = arith.ori %low, %one : {ty}
      %q = {division} %x, %d : {ty}
{stored}      affine.for %j = {columns} to {size} {{
        %old = affine.load %A[%i, %j] : {array}
        %f = affine.load {factor} : {array}
        %p = arith.muli %q, %f : {ty}
        %new = {update} %old, %p : {ty}
        affine.store %new, %A[%i, %j] : {array}
      }}
{behind}    }}
  }}
  return
}}
"
    )
}

/// Returns a nest with a recurrence over orders: each iteration divides a sum by a result of the previous iteration, and its
/// updates of cells wait for the quotient. No divisor is 0 or -1.
fn recursion(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x0d1f);
    let r = &mut random;
    let size = one_of(r, &["3", "5", "6", "8"]);
    let ty = one_of(r, &["i8", "i16", "i32"]);
    let division = one_of(r, &["arith.divsi", "arith.divui", "arith.remsi"]);
    let array = format!("memref<{size}x{ty}>");
    let so_far = "affine_map<(k) -> (k)>(%k)";
    let [terms, made, copied] = [(); 3].map(|()| one_of(r, &[so_far, so_far, size]));
    let square = format!(
        "    %square = arith.muli %alpha, %alpha : {ty}
    %factor = arith.subi %one, %square : {ty}
    %next = arith.muli %factor, %beta : {ty}
"
    );
    let plain = format!("    %next = arith.xori %alpha, %beta : {ty}\n");
    let next = one_of(r, &[&square, &square, &plain]);
    let term = one_of(r, &["%y[%i]", "%y[%i]", "%r[%i]"]);
    let other = one_of(r, &["%y[%k - %i - 1]", "%y[%i]", "%r[%i]"]);
    let other = if made == size { "%y[%i]" } else { other };
    let to = one_of(r, &["%z", "%z", "%y"]);
    let copies = format!(
        "    affine.for %i = 0 to {copied} {{
      %c = affine.load %z[%i] : {array}
      affine.store %c, %y[%i] : {array}
    }}
"
    );
    let copies = one_of(r, &[&copies, &copies, ""]);
    let last = format!("    affine.store %q, %y[%k] : {array}\n");
    let last = one_of(r, &[&last, &last, ""]);
    let left = one_of(r, &["%q, %next", "%next, %q", "%q, %beta"]);
    format!(
        "func.func @nest{seed}(%r: {array}, %y: {array}, %z: {array}) {{
  %zero = arith.constant 0 : {ty}
  %one = arith.constant 1 : {ty}
  %mask = arith.constant 31 : {ty}
  %first = affine.load %r[0] : {array}
  %last:2 = affine.for %k = 1 to {size} iter_args(%alpha = %first, %beta = %one) -> ({ty}, {ty}) {{
{next}    %sum = affine.for %i = 0 to {terms} iter_args(%partial = %zero) -> ({ty}) {{
      %a = affine.load %r[%i] : {array}
      %b = affine.load {term} : {array}
      %p = arith.muli %a, %b : {ty}
      %s = arith.addi %partial, %p : {ty}
      affine.yield %s : {ty}
    }}
    %low = arith.andi %next, %mask : {ty}
    %d = arith.ori %low, %one : {ty}
    %q = {division} %sum, %d : {ty}
    affine.for %i = 0 to {made} {{
      %old = affine.load %y[%i] : {array}
      %x = affine.load {other} : {array}
      %p = arith.muli %q, %x : {ty}
      %new = arith.addi %old, %p : {ty}
      affine.store %new, {to}[%i] : {array}
    }}
{copies}{last}    affine.yield {left} : {ty}, {ty}
  }}
  return
}}
"
    )
}

fn check(seed: u64, kernel: impl Fn(u64) -> String) -> Result<(), String> {
    let source = kernel(seed);
    let config = "device: ecp5\nclock_period_ns: 10\nlimits: {multiply: 1}\n";
    let config =
        Config::from_yaml(config, "kernel.yaml").map_err(|errors| format!("{errors:?}"))?;
    let compiled = compile(&source, "kernel.mlir", &config);
    let compiled = compiled.map_err(|failure| match failure {
        Failure::Input(why) | Failure::Internal(why) => format!("seed {seed}: {why}\n{source}"),
    })?;
    match run(&compiled, seed) {
        Ok(_) => Ok(()),
        Err(found) => Err(format!(
            "seed {seed}: {:?}: {}\n{source}",
            found.kind, found.fact
        )),
    }
}

fn check_all(kernel: impl Fn(u64) -> String + Sync) {
    let n_nests = sweep::cases(N_NESTS);
    let wrong: Vec<String> = (0..n_nests)
        .into_par_iter()
        .filter_map(|seed| check(seed, &kernel).err())
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn divisions_between_loops_mean_the_same() {
    check_all(kernel);
}

#[test]
fn quotients_that_iterations_hand_on_mean_the_same() {
    check_all(recursion);
}
