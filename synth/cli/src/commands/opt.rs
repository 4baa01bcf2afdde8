//! `sluice opt`

use std::path::PathBuf;

use clap::Args;
use sluice_flow::pipeline;

use super::kernel::read_config;
use crate::output::{Done, input, print, read};

/// Arguments of `opt`.
#[derive(Args)]
pub(crate) struct Opt {
    /// A module, MLIR text
    #[arg(required_unless_present = "list")]
    module: Option<PathBuf>,
    /// Passes by name, in this order
    #[arg(long = "pass", value_name = "NAME")]
    passes: Vec<String>,
    /// Print the module after each pass
    #[arg(long)]
    print_after_each: bool,
    /// Configuration of the passes, YAML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the generic form
    #[arg(long)]
    generic: bool,
    /// Keep the names of values, where mlir-opt would number them
    #[arg(long)]
    source_names: bool,
    /// List the passes
    #[arg(long)]
    list: bool,
}

impl Opt {
    pub(crate) fn run(self) -> Done<()> {
        if self.list {
            for (name, reason) in pipeline::pass_names() {
                print(&format!("{name:16} {reason}\n"));
            }
            return Ok(());
        }
        let Some(module) = self.module else {
            return Ok(());
        };
        let config = read_config(self.config.as_deref(), &module)?;
        let source = read(&module)?;
        let file = module.display().to_string();
        let mut stages = String::new();
        let text = pipeline::optimise(
            &source,
            &file,
            &self.passes,
            &config,
            self.generic,
            self.source_names,
            &mut |name, text| {
                if self.print_after_each {
                    stages += &format!("// after {name}\n{text}\n");
                }
            },
        )
        .map_err(|failure| match failure {
            pipeline::Failure::Input(message) => input(message),
            internal => internal.into(),
        })?;
        print(if self.print_after_each {
            &stages
        } else {
            &text
        });
        Ok(())
    }
}
