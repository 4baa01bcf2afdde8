//! `sluice report`

use std::path::PathBuf;

use clap::Args;
use sluice_flow::traffic::{Traffic, is_elastic};
use sluice_flow::{estimate, report};

use super::kernel::{Data, Kernel, graph};
use super::sim::{asked, only_for};
use crate::output::{Done, error_text, input, print, read, write_file};
use crate::tools::Tools;

/// Arguments of `report`.
#[derive(Args)]
pub(crate) struct Report {
    #[command(flatten)]
    kernel: Kernel,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Write one self-contained HTML page to this file instead of printing
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// Run Yosys and nextpnr for the device and hold the estimate against what they find
    #[arg(long)]
    compare_synthesis: bool,
    /// Where the tools are, instead of the search path
    #[arg(long, value_name = "DIR", requires = "compare_synthesis")]
    tools: Option<PathBuf>,
}

impl Report {
    pub(crate) fn run(self) -> Done<()> {
        // What is missing is said before anything takes time.
        let config = self.kernel.configuration()?;
        let tools = self
            .compare_synthesis
            .then(|| Tools::find(&config.device, self.tools.as_deref()))
            .transpose()?;
        let path = &self.kernel.kernel;
        let source = read(path)?;
        if let Some(graph) = graph(&self.kernel, &source, None)? {
            let of_kernels = asked(&[
                ("--json", self.json),
                ("--html", self.html.is_some()),
                ("--compare-synthesis", self.compare_synthesis),
            ]);
            only_for(path, "a kernel", &of_kernels)?;
            error_text(&graph.warnings);
            print(&graph.report());
            return Ok(());
        }
        let compiled = self.kernel.compile_text(&source, &config)?;
        error_text(&compiled.warnings);
        let mut json = report::to_json(&compiled);
        let mut text = report::text(&compiled);
        let data = Data::beside();
        if is_elastic(&compiled) && data.file(&self.kernel.kernel)?.is_some() {
            let cases = data.cases(&self.kernel.kernel, &compiled)?;
            let traffic = Traffic::of(&compiled, &cases).map_err(input)?;
            text.push_str(&traffic.text());
            json["network"]["traffic"] = traffic.to_json();
        }
        if let Some(tools) = &tools {
            let Some(expected) = estimate::estimate(&compiled) else {
                return Err(input("error: the circuit has no estimate"));
            };
            let found = tools.synthesise(&compiled.verilog, &compiled.top)?;
            text.push_str(&estimate::comparison_text(&expected, &found));
            json["synthesis"] = estimate::comparison_json(&expected, &found);
        }
        if let Some(path) = &self.html {
            if tools.is_some() {
                print(&text);
            }
            return write_file(path, report::html::html(&compiled).as_bytes());
        }
        if self.json {
            print(&(serde_json::to_string_pretty(&json).unwrap_or_default() + "\n"));
        } else {
            print(&text);
        }
        Ok(())
    }
}
