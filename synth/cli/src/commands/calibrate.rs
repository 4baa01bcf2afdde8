//! `sluice calibrate`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use sluice_flow::calibration::{
    Case, Figures, Grid, PathFigures, TARGETS, Target, built_in_text, cases, check, device_file,
    sections_from_kernels,
};
use sluice_ir::limits::Limits;

use crate::files::write_file;
use crate::limiting::{Limiting, pool};
use crate::output::{Done, error, input, print};
use crate::processes::Patience;
use crate::tools::Tools;

/// Arguments of `calibrate`.
#[derive(Args)]
pub(crate) struct Calibrate {
    /// Device to measure: `ecp5` or `ice40`; Sluice runs Yosys and nextpnr for it
    #[arg(long)]
    device: String,
    /// Device file to write; default: a file named after the device
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Folder with Yosys and nextpnr; default: they are found on the search path
    #[arg(long, value_name = "DIR")]
    tools: Option<PathBuf>,
    /// Measure only a few bit widths, for a quick trial
    #[arg(long)]
    quick: bool,
    /// File with the figures that are already measured; default: a file beside the device file that ends in `.measured.csv`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Number of modules that are placed at the same time
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
    #[command(flatten)]
    pub(super) limiting: Limiting,
    #[command(flatten)]
    patience: Patience,
}

impl Calibrate {
    pub(crate) fn run(self) -> Done<()> {
        let Some(target) = Target::of_name(&self.device) else {
            let names: Vec<String> = TARGETS
                .iter()
                .map(|target| format!("`{}`", target.name))
                .collect();
            return Err(input(format!(
                "error: `{}` cannot be calibrated: {} are the devices whose tools are run",
                self.device,
                names.join(" and ")
            )));
        };
        let limits = self.limiting.limits();
        let out = self
            .out
            .unwrap_or_else(|| PathBuf::from(format!("{}.yaml", target.name)));
        let grid = if self.quick { Grid::Quick } else { Grid::Full };
        let record = self
            .record
            .unwrap_or_else(|| out.with_extension("measured.csv"));
        let mut known = read_record(&record, &limits)?;
        let wanted = cases(target, grid);
        let missing: Vec<Case> = wanted
            .iter()
            .filter(|case| {
                known
                    .get(&case.name)
                    .is_none_or(|(text, _)| *text != hash(&case.verilog))
            })
            .cloned()
            .collect();
        if !missing.is_empty() {
            // The tools are needed only if something was not measured yet.
            let tools = Tools::find(target.name, self.tools.as_deref(), self.patience)?;
            let versions = tools.versions()?;
            known = measure(
                &tools, &versions, &missing, known, &record, self.jobs, &limits,
            )?;
        }
        let figures = known
            .into_iter()
            .map(|(name, (_, figures))| (name, figures))
            .collect();
        let kept = sections_from_kernels(built_in_text(&self.device).unwrap_or_default());
        let text = device_file(target, grid, figures, &kept)
            .map_err(|why| input(format!("error: {why}")))?;
        check(&text, &out.display().to_string()).map_err(input)?;
        write_file(&out, text.as_bytes())?;
        print(&format!(
            "wrote {}: {} modules, {} measured now\n",
            out.display(),
            wanted.len(),
            missing.len()
        ));
        Ok(())
    }
}

/// For each case, the hash of its text and its figures.
type Known = BTreeMap<String, (String, Figures)>;

/// Measures the missing cases. Writes the record after each module, so that an interrupted run can continue.
fn measure(
    tools: &Tools,
    versions: &str,
    missing: &[Case],
    known: Known,
    record: &Path,
    n_jobs: usize,
    limits: &Limits,
) -> Done<Known> {
    let bar = ProgressBar::new(missing.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    let known = Mutex::new(known);
    let today = today();
    let pool = pool(Some(n_jobs.max(1)), limits)?;
    let one = |case: &Case| -> Done<()> {
        let placed = tools.place_alone(&case.verilog, "t")?;
        let paths = placed.paths.into_iter().map(|path| PathFigures {
            from: path.from,
            to: path.to,
            clock_to_output_ns: path.clock_to_output_ns,
            routing_ns: path.routing_ns,
            logic_ns: path.logic_ns,
            setup_ns: path.setup_ns,
        });
        let figures = Figures {
            paths: paths.collect(),
            lut: placed.lut,
            ff: placed.ff,
            dsp: placed.dsp,
            bram: placed.bram,
            source: format!("{versions}, {today}"),
        };
        let mut known = known
            .lock()
            .map_err(|_| input("error: a measurement failed"))?;
        known.insert(case.name.clone(), (hash(&case.verilog), figures));
        write_file(record, record_text(&known).as_bytes())?;
        bar.set_message(case.name.clone());
        bar.inc(1);
        Ok(())
    };
    let outcome = pool.install(|| missing.par_iter().with_max_len(1).try_for_each(one));
    bar.finish_and_clear();
    if outcome.is_err() {
        error(&format!(
            "note: what was measured is in {}; the same command goes on from there\n",
            record.display()
        ));
    }
    outcome?;
    known
        .into_inner()
        .map_err(|_| input("error: a measurement failed"))
}

/// The columns of a record. It has a row for each pair of clocks of each module.
const COLUMNS: [&str; 14] = [
    "case",
    "text_hash",
    "tools",
    "date",
    "from",
    "to",
    "clk-to-q",
    "routing",
    "logic",
    "setup",
    "lut",
    "ff",
    "dsp",
    "bram",
];

/// Returns the first digits of the SHA-256 hash of a module's text.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn record_text(known: &Known) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for (name, (hash, figures)) in known {
        let (tools, date) = figures
            .source
            .rsplit_once(", ")
            .unwrap_or((&figures.source, ""));
        for path in &figures.paths {
            let _ = writeln!(
                text,
                "{name},{hash},{tools},{date},{},{},{:.3},{:.3},{:.3},{:.3},{},{},{},{}",
                path.from,
                path.to,
                path.clock_to_output_ns,
                path.routing_ns,
                path.logic_ns,
                path.setup_ns,
                figures.lut,
                figures.ff,
                figures.dsp,
                figures.bram
            );
        }
    }
    text
}

fn read_record(path: &Path, limits: &Limits) -> Done<Known> {
    let mut known = Known::new();
    if !path.exists() {
        return Ok(known);
    }
    let text = crate::output::read_config(path, limits)?;
    for (line_idx, line) in text.lines().enumerate().skip(1) {
        let row = || {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |idx: usize| cells.get(idx)?.parse::<f64>().ok();
            let count = |idx: usize| cells.get(idx)?.parse::<u32>().ok();
            let word = |idx: usize| cells.get(idx).map(|cell| (*cell).to_owned());
            let path = PathFigures {
                from: word(4)?,
                to: word(5)?,
                clock_to_output_ns: number(6)?,
                routing_ns: number(7)?,
                logic_ns: number(8)?,
                setup_ns: number(9)?,
            };
            let figures = Figures {
                paths: Vec::new(),
                lut: count(10)?,
                ff: count(11)?,
                dsp: count(12)?,
                bram: count(13)?,
                source: format!("{}, {}", word(2)?, word(3)?),
            };
            Some((word(0)?, word(1)?, path, figures))
        };
        let Some((name, hash, timed, figures)) = row() else {
            return Err(input(format!(
                "{}:{}: error: a row of {} figures is expected; remove the file to measure anew",
                path.display(),
                line_idx + 1,
                COLUMNS.len()
            )));
        };
        let entry = known
            .entry(name)
            .or_insert_with(|| (hash.clone(), figures.clone()));
        // If a module has changed since, the last figures count.
        if entry.0 != hash {
            *entry = (hash, figures);
        }
        entry.1.paths.push(timed);
    }
    Ok(known)
}

/// Returns today's date in UTC, as year-month-day.
///
/// Source: H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = since.map_or(0, |since| since.as_secs() / 86_400) + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
