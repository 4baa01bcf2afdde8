//! `sluice report`

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use sluice_ir::Exact;
use sluice_kernel::compiled::Compiled;
use sluice_report::comparison::Comparison;
use sluice_report::page::{More, page};
use sluice_report::stalls::Stalls;
use sluice_report::traffic::{Traffic, is_elastic};
use sluice_techmap::estimate::{self, Estimate};
use sluice_verify::check::{latency_cycles, simulate, watch};
use sluice_verify::circuit::Observe;
use sluice_verify::data::Case;

use super::kernel::{Data, Kernel, graph};
use crate::files::write_file;
use crate::output::{Done, error_text, input, print, read};
use crate::processes::Patience;
use crate::tools::Tools;

/// Arguments of `report`.
#[derive(Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(super) kernel: Kernel,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Write an HTML page to this file instead of printing text; the page needs no other files
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Compare with another report: the JSON of `--json`, or `NAME.report.json` of `compile`
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Run Yosys and nextpnr for the device, and compare their results with the estimate
    #[arg(long)]
    compare_synthesis: bool,
    /// Folder with Yosys and nextpnr; default: they are found on the search path
    #[arg(long, value_name = "DIR", requires = "compare_synthesis")]
    tools: Option<PathBuf>,
    #[command(flatten)]
    patience: Patience,
}

impl Report {
    pub(crate) fn run(self) -> Done<()> {
        // A missing tool is reported before any long work starts.
        let config = self.kernel.configuration()?;
        let tools = self
            .compare_synthesis
            .then(|| Tools::find(&config.device, self.tools.as_deref(), self.patience))
            .transpose()?;
        let before = self.before()?;
        let source = self.kernel.source()?;
        if let Some(graph) = graph(&self.kernel, &source, None)? {
            error_text(&graph.warnings);
            let (mut text, mut json) = (graph.report(), graph.report_json());
            if let Some(tools) = &tools {
                let verilog = graph.circuit.verilog()?;
                let of = (verilog.as_str(), graph.circuit.verilog_name());
                compare(tools, graph.estimate.as_ref(), of, &mut text, &mut json)?;
            }
            let comparison = self.compared(before.as_ref(), &mut text, &mut json)?;
            return self.say(&text, &json, || graph.report_html(comparison.as_ref()));
        }
        let compiled = self.kernel.compile_text(&source, &config)?;
        error_text(&compiled.warnings);
        let mut json = sluice_report::to_json(&compiled);
        let mut text = sluice_report::text(&compiled);
        let data = Data::beside();
        let is_run = is_elastic(&compiled) || self.html.is_some();
        let cases = match is_run && data.file(&self.kernel.kernel)?.is_some() {
            true => data.cases(&self.kernel, &compiled)?,
            false => Vec::new(),
        };
        let mut traffic = None;
        if is_elastic(&compiled) && !cases.is_empty() {
            let found = Traffic::of(&compiled, &cases).map_err(input)?;
            text.push_str(&found.text());
            json["network"]["traffic"] = found.to_json();
            traffic = Some(found);
        }
        if let Some(tools) = &tools {
            let expected = compiled.estimate();
            let of = (compiled.verilog.as_str(), compiled.verilog_name());
            compare(tools, expected.as_ref(), of, &mut text, &mut json)?;
        }
        let stalls = self.html.as_ref().and_then(|_| stalls(&compiled, &cases));
        let comparison = self.compared(before.as_ref(), &mut text, &mut json)?;
        let more = More {
            comparison: comparison.as_ref(),
            traffic: traffic.as_ref(),
            stalls: stalls.as_ref(),
        };
        self.say(&text, &json, || page(&compiled, more))
    }

    /// Returns the report to compare with.
    fn before(&self) -> Done<Option<Value>> {
        let Some(path) = &self.compare else {
            return Ok(None);
        };
        let text = read(path, &self.kernel.limits())?;
        let found = serde_json::from_str(&text);
        let found = found.map_err(|why| input(format!("{}: error: {why}", path.display())));
        found.map(Some)
    }

    /// Adds the comparison with another report to text and JSON.
    fn compared(
        &self,
        before: Option<&Value>,
        text: &mut String,
        json: &mut Value,
    ) -> Done<Option<Comparison>> {
        let (Some(before), Some(path)) = (before, &self.compare) else {
            return Ok(None);
        };
        let found = Comparison::of(before, json)
            .map_err(|why| input(format!("{}: error: {why}", path.display())))?;
        text.push_str(&found.text());
        json["comparison"] = found.to_json();
        Ok(Some(found))
    }

    /// Prints the report in the requested form, or writes its page.
    fn say(&self, text: &str, json: &Value, page: impl FnOnce() -> String) -> Done<()> {
        if let Some(path) = &self.html {
            if self.compare_synthesis {
                print(text);
            }
            return write_file(path, page().as_bytes());
        }
        match self.json {
            true => print(&(serde_json::to_string_pretty(json).unwrap_or_default() + "\n")),
            false => print(text),
        }
        Ok(())
    }
}

/// Largest number of cycles of all data sets that are recorded for a page.
const MAX_RECORDED_CYCLES: u64 = 200_000;

/// Returns the use of cycles of the first data sets, as many as are recorded. If a run fails, a note gives the reason.
fn stalls(compiled: &Compiled, cases: &[Case]) -> Option<Stalls> {
    let mut found = Stalls::default();
    // A schedule says before a run how long it takes.
    let known = latency_cycles(compiled);
    if known.is_some_and(|cycles| cycles > Exact::from(MAX_RECORDED_CYCLES)) {
        return None;
    }
    for case in cases {
        let looked = simulate(compiled, case).and_then(|ran| {
            if found.n_cycles + ran.cycles > MAX_RECORDED_CYCLES {
                return Ok(false);
            }
            let (_, mut simulator) = watch(compiled, case, Observe::Signals)?;
            found.look(compiled, case, &mut simulator, ran.cycles)?;
            Ok(true)
        });
        match looked {
            Ok(true) => {}
            Ok(false) => break,
            Err(why) => {
                error_text(&format!(
                    "note: the page does not show the use of cycles: {why}\n"
                ));
                return None;
            }
        }
    }
    Some(found).filter(|found| found.n_cycles > 0)
}

/// Adds the synthesis results of the tools for a Verilog text with the given top module.
fn compare(
    tools: &Tools,
    expected: Option<&Estimate>,
    (verilog, top): (&str, String),
    text: &mut String,
    json: &mut Value,
) -> Done<()> {
    let Some(expected) = expected else {
        return Err(input("error: the circuit has no estimate"));
    };
    let found = tools.synthesise(verilog, &top)?;
    text.push_str(&estimate::comparison_text(expected, &found));
    json["synthesis"] = estimate::comparison_json(expected, &found);
    Ok(())
}
