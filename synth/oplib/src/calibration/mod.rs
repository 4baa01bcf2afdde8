//! Calibration: the modules to measure for a device file, and its rows from the measured figures. This module runs no tool.

mod divider;
mod modules;
mod rows;
mod target;
mod text;

use std::collections::BTreeMap;

pub use target::{TARGETS, Target};

/// The worst path between two clocks of a measured module.
#[derive(Clone, Debug, PartialEq)]
pub struct PathFigures {
    /// The clock edge of the first register, such as `posedge clk`.
    pub from: String,
    /// The clock edge of the last register.
    pub to: String,
    /// Clock to output of the first register, in ns.
    pub clock_to_output_ns: f64,
    /// Wires between the registers, in ns.
    pub routing_ns: f64,
    /// Cells between the registers, in ns.
    pub logic_ns: f64,
    /// Set-up time of the last register, in ns.
    pub setup_ns: f64,
}

/// The measured figures of one module.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The worst path of each pair of clocks.
    pub paths: Vec<PathFigures>,
    /// Look-up table cells, carries included.
    pub lut: u32,
    /// Flip-flops.
    pub ff: u32,
    /// Multiplier blocks.
    pub dsp: u32,
    /// Block memories.
    pub bram: u32,
    /// The tools and the date.
    pub source: String,
}

/// One module to measure; its top is `t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name, unique in a grid.
    pub name: String,
    /// Verilog text.
    pub verilog: String,
}

/// The number of widths to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// All widths.
    Full,
    /// Few widths: enough to check that the tools and the device file work.
    Quick,
}

/// Returns every module that the device file of a target needs.
pub fn cases(target: &Target, grid: Grid) -> Vec<Case> {
    let mut bench = Bench::default();
    // Without figures the rows are empty; only the requested modules matter.
    let _ = rows::device_lines(&mut bench, target, grid, "");
    bench.asked
}

/// Returns the device file of a target from the figures of all its cases; `kept` is the text of the sections that no module
/// determines.
///
/// # Errors
/// The name of a case without figures, or without a path between two clocks that it must have.
pub fn device_file(
    target: &Target,
    grid: Grid,
    figures: BTreeMap<String, Figures>,
    kept: &str,
) -> Result<String, String> {
    let mut bench = Bench {
        known: Some(figures),
        ..Bench::default()
    };
    let lines = rows::device_lines(&mut bench, target, grid, kept);
    match bench.missing {
        Some(missing) => Err(missing),
        None => Ok(lines.join("\n") + "\n"),
    }
}

/// Returns the text of a built-in device file between the keys `mapping` and `operators`: the sections that were measured with
/// kernels.
pub fn sections_from_kernels(device_text: &str) -> String {
    let lines = device_text.lines();
    let kept: Vec<&str> = lines
        .skip_while(|line| !line.starts_with("mapping:"))
        .take_while(|line| !line.starts_with("operators:"))
        .collect();
    kept.join("\n")
}

/// The figures by name, if they are known, and the requested modules.
#[derive(Default)]
struct Bench {
    known: Option<BTreeMap<String, Figures>>,
    asked: Vec<Case>,
    missing: Option<String>,
    sources: Vec<String>,
}

impl Bench {
    fn figures(&mut self, name: String, verilog: String) -> Measured {
        let found = self.known.as_ref().map(|known| known.get(&name).cloned());
        match &found {
            Some(None) => {
                self.missing
                    .get_or_insert(format!("`{name}` was not measured"));
            }
            Some(Some(figures)) if !self.sources.contains(&figures.source) => {
                self.sources.push(figures.source.clone());
            }
            Some(Some(_)) | None => {}
        }
        if !self.asked.iter().any(|case| case.name == name) {
            self.asked.push(Case {
                name: name.clone(),
                verilog,
            });
        }
        Measured {
            name,
            figures: found.flatten(),
        }
    }

    /// Returns the source of a row: the modules it was measured on; starts the next row.
    fn source(&mut self, what: &str) -> String {
        self.sources.sort();
        let sources = std::mem::take(&mut self.sources).join("; ");
        format!("measured: {what}; {sources}")
    }

    /// Returns the delay of the worst path between two clocks, without register times.
    fn path_ns(&mut self, of: &Measured, from: &str, to: &str) -> f64 {
        let Some(figures) = &of.figures else {
            return 0.0;
        };
        let found = figures
            .paths
            .iter()
            .filter(|path| {
                path.from == format!("posedge {from}") && path.to == format!("posedge {to}")
            })
            .map(|path| path.routing_ns + path.logic_ns)
            .max_by(f64::total_cmp);
        found.unwrap_or_else(|| {
            self.missing
                .get_or_insert(format!("`{}` has no path from `{from}` to `{to}`", of.name));
            0.0
        })
    }
}

/// A case with its figures, if there are any.
struct Measured {
    name: String,
    figures: Option<Figures>,
}

impl Measured {
    /// Returns the cells without the registers of the frame: look-up tables, flip-flops, multiplier blocks. Cells that hold
    /// constants are subtracted.
    fn cells(&self, target: &Target, frame_ff: u32) -> [f64; 3] {
        self.figures.as_ref().map_or([0.0; 3], |figures| {
            [
                f64::from(figures.lut.saturating_sub(target.constant_lut)),
                f64::from(figures.ff.saturating_sub(frame_ff)),
                f64::from(figures.dsp),
            ]
        })
    }
}
