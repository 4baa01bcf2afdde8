//! `sluice report`

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use sluice_report::traffic::{Traffic, is_elastic};
use sluice_techmap::estimate::{self, Estimate};

use super::kernel::{Data, Kernel, graph};
use crate::files::write_file;
use crate::output::{Done, error_text, input, print};
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
        let source = self.kernel.source()?;
        if let Some(graph) = graph(&self.kernel, &source, None)? {
            error_text(&graph.warnings);
            let (mut text, mut json) = (graph.report(), graph.report_json());
            if let Some(tools) = &tools {
                let verilog = graph.circuit.verilog()?;
                let of = (verilog.as_str(), graph.circuit.verilog_name());
                compare(tools, graph.estimate.as_ref(), of, &mut text, &mut json)?;
            }
            return self.say(&text, &json, || graph.report_html());
        }
        let compiled = self.kernel.compile_text(&source, &config)?;
        error_text(&compiled.warnings);
        let mut json = sluice_report::to_json(&compiled);
        let mut text = sluice_report::text(&compiled);
        let data = Data::beside();
        let mut traffic = None;
        if is_elastic(&compiled) && data.file(&self.kernel.kernel)?.is_some() {
            let cases = data.cases(&self.kernel, &compiled)?;
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
        self.say(&text, &json, || {
            sluice_report::html::html(&compiled, traffic.as_ref())
        })
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
