//! Runs passes on texts that tests write, and provides such a text.

use sluice_config::Config;
use sluice_flow::pipeline::optimise;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module};
use sluice_kernel::compiled::Failure;

/// Returns the text after these passes, with default settings.
///
/// # Panics
///
/// If the text has errors or a pass reports one.
#[must_use]
pub fn after_passes(text: &str, passes: &[&str]) -> String {
    let passes: Vec<String> = passes.iter().map(|pass| (*pass).to_owned()).collect();
    let config = Config::default();
    match optimise(
        text,
        "f.mlir",
        &passes,
        &config,
        false,
        false,
        &mut |_, _| {},
    ) {
        Ok(text) => text,
        Err(Failure::Input(why) | Failure::Internal(why)) => panic!("{why}"),
    }
}

/// Parses a text that must be valid.
///
/// # Panics
///
/// If it is not valid.
#[must_use]
pub fn parsed(context: &Context, text: &str) -> Module {
    let mut found = Diagnostics::new();
    parse_module(context, text, "f.mlir", &mut found)
        .unwrap_or_else(|| panic!("{}", found.to_text(context)))
}

/// Returns the scheduled form of one division: function `@f` with two operands.
#[must_use]
pub fn scheduled_division(operation: &str, width: u32, latency: u32) -> String {
    let depth = latency + 1;
    let cycles = depth + 1;
    format!(
        "module attributes {{sluice.clock_period_ns = 1.0e+01 : f64, sluice.device = \"generic\"}} {{
  func.func @f(%a: i{width}, %b: i{width}) -> i{width} attributes {{sluice.arguments = [
      {{name = \"a\", type = i{width}, width = {width} : i64}}, {{name = \"b\", type = i{width}, width = {width} : i64}}],
      sluice.cycles = {cycles} : i64, sluice.dependences = [], sluice.depth = {depth} : i64,
      sluice.results = [{{type = i{width}, width = {width} : i64}}]}} {{
    %q = arith.{operation} %a, %b {{sluice.latency = {latency} : i64, sluice.occupancy = {latency} : i64,
      sluice.start = 0 : i64}} : i{width}
    return %q : i{width}
  }}
}}"
    )
}
