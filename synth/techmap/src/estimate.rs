//! The estimate of a circuit's resources and clock after synthesis, with intervals, and its comparison with actual results.

use std::fmt::Write;

use serde_json::{Value, json};
use sluice_oplib::device::Device;
use sluice_oplib::mapping::Expected;

use crate::Mapped;

/// Expected resources and clock of a whole circuit. Each interval contains the result in nine of ten cases.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Look-up tables, with carry cells.
    pub lut: Expected,
    /// Flip-flops.
    pub ff: Expected,
    /// Multiplier blocks.
    pub dsp: Expected,
    /// Block memories.
    pub bram: Expected,
    /// Maximum clock frequency in MHz; `None` if no path runs between registers.
    pub fmax_mhz: Option<Expected>,
    /// The figures of the model, before correction factors.
    pub mapped: Mapped,
}

/// Returns the estimate for a mapped circuit.
pub fn of_mapped(mapped: &Mapped, device: &Device) -> Estimate {
    let factors = &device.factors;
    let period = factors.period.expect(mapped.period_ns);
    let mhz = |period_ns: f64| 1000.0 / period_ns;
    Estimate {
        lut: factors.lut.expect(mapped.area.lut),
        ff: factors.ff.expect(mapped.area.ff),
        dsp: factors.dsp.expect(mapped.area.dsp),
        bram: factors.bram.expect(mapped.area.bram),
        fmax_mhz: (period.value > 0.0).then(|| Expected {
            value: mhz(period.value),
            low: mhz(period.high),
            high: mhz(period.low),
        }),
        mapped: mapped.clone(),
    }
}

/// The results of synthesis and placement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Synthesis {
    /// The tools and their versions.
    pub tools: String,
    /// Look-up table cells.
    pub lut: f64,
    /// Flip-flops.
    pub ff: f64,
    /// Multiplier blocks.
    pub dsp: f64,
    /// Block memories.
    pub bram: f64,
    /// Maximum clock frequency in MHz.
    pub fmax_mhz: Option<f64>,
}

/// One quantity: estimate and actual result.
struct Row {
    name: &'static str,
    expected: Expected,
    found: Option<f64>,
    is_cells: bool,
}

impl Row {
    /// Returns the relative error of the estimate; `None` without an actual result.
    fn error(&self) -> Option<f64> {
        let found = self.found.filter(|found| *found > 0.0)?;
        Some(self.expected.value / found - 1.0)
    }

    fn holds(&self) -> Option<bool> {
        let found = self.found?;
        Some(if self.is_cells {
            self.expected.holds_cells(found)
        } else {
            self.expected.holds(found)
        })
    }
}

fn rows(estimate: &Estimate, found: Option<&Synthesis>) -> Vec<Row> {
    let row = |name, expected, found| Row {
        name,
        expected,
        found,
        is_cells: true,
    };
    let mut rows = vec![
        row("LUT", estimate.lut, found.map(|found| found.lut)),
        row("FF", estimate.ff, found.map(|found| found.ff)),
        row("DSP", estimate.dsp, found.map(|found| found.dsp)),
        row("BRAM", estimate.bram, found.map(|found| found.bram)),
    ];
    rows.extend(estimate.fmax_mhz.map(|expected| Row {
        name: "Fmax MHz",
        expected,
        found: found.and_then(|found| found.fmax_mhz),
        is_cells: false,
    }));
    rows
}

/// Formats the estimate in one line.
pub fn brief(estimate: &Estimate) -> String {
    let cells = [
        (estimate.lut, "LUT"),
        (estimate.ff, "FF"),
        (estimate.dsp, "DSP"),
        (estimate.bram, "BRAM"),
    ]
    .map(|(expected, name)| format!("{:.0} {name}", expected.value));
    let mut text = format!("about {}", cells.join(", "));
    if let Some(fmax) = estimate.fmax_mhz {
        let _ = write!(text, ", {:.0} MHz", fmax.value);
    }
    text
}

/// Formats the estimate for a terminal.
pub fn text(estimate: &Estimate) -> String {
    let mut text =
        "\narea and clock expected after synthesis and placement; memories of arguments are not counted\n".to_owned();
    let _ = writeln!(text, "  {:10} {:>9}  90 % of results", "figure", "expected");
    for row in rows(estimate, None) {
        let e = row.expected;
        let _ = writeln!(
            text,
            "  {:10} {:9.0}  {:.0} to {:.0}",
            row.name, e.value, e.low, e.high
        );
    }
    if let Some((from, to)) = &estimate.mapped.path {
        let _ = writeln!(text, "  longest path: from `{from}` to `{to}`");
    }
    text
}

/// Formats the estimate as JSON.
pub fn to_json(estimate: &Estimate) -> Value {
    let figure = |e: Expected| json!({"value": e.value, "low": e.low, "high": e.high});
    let mapped = &estimate.mapped;
    json!({
        "lut": figure(estimate.lut),
        "ff": figure(estimate.ff),
        "dsp": figure(estimate.dsp),
        "bram": figure(estimate.bram),
        "fmax_mhz": estimate.fmax_mhz.map(figure),
        "mapped": {"lut": mapped.area.lut, "ff": mapped.area.ff, "dsp": mapped.area.dsp, "bram": mapped.area.bram,
            "tables": mapped.tables, "chains": mapped.chains, "chain_bits": mapped.chain_bits, "period_ns": mapped.period_ns},
        "longest_path": mapped.path,
    })
}

/// Formats the comparison of estimate and result for a terminal.
pub fn comparison_text(estimate: &Estimate, found: &Synthesis) -> String {
    let mut text = format!("\nestimate against {}\n", found.tools);
    let _ = writeln!(
        text,
        "  {:10} {:>9} {:>9} {:>8}  {:19} inside",
        "figure", "estimate", "result", "error", "90 % of results"
    );
    for row in rows(estimate, Some(found)) {
        let e = row.expected;
        let result = row
            .found
            .map_or_else(|| "-".to_owned(), |found| format!("{found:.0}"));
        let error = row.error().map_or_else(
            || "-".to_owned(),
            |error| format!("{:+.1} %", 100.0 * error),
        );
        let interval = format!("{:.0} to {:.0}", e.low, e.high);
        let inside = match row.holds() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        let _ = writeln!(
            text,
            "  {:10} {:9.0} {result:>9} {error:>8}  {interval:19} {inside}",
            row.name, e.value
        );
    }
    text
}

/// Formats the comparison of estimate and result as JSON.
pub fn comparison_json(estimate: &Estimate, found: &Synthesis) -> Value {
    let figures: serde_json::Map<String, Value> = rows(estimate, Some(found))
        .into_iter()
        .map(|row| {
            let e = row.expected;
            let name = row.name.to_lowercase().replace(' ', "_");
            let figure = json!({"estimate": e.value, "low": e.low, "high": e.high, "result": row.found,
                "relative_error": row.error(), "inside": row.holds()});
            (name, figure)
        })
        .collect();
    json!({"tools": found.tools, "figures": figures})
}
