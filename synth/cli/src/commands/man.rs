//! `sluice man`

use clap::Args;
use clap_mangen::Man;
use sluice_ir::suggestion::did_you_mean;

use crate::limiting::Limiting;
use crate::output::{Done, Stop, input, print};

/// Arguments of `man`.
#[derive(Args)]
pub(crate) struct ManPage {
    /// The command that the page is about; default: all commands in short
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl ManPage {
    pub(crate) fn run(self) -> Done<()> {
        let mut all = crate::command();
        all.build();
        let page = match &self.command {
            None => Man::new(all),
            Some(name) => {
                let found = all.find_subcommand(name).cloned();
                let found = found.ok_or_else(|| unknown(&all, name))?;
                let source = format!("sluice {}", env!("CARGO_PKG_VERSION"));
                let title = format!("sluice-{name}");
                Man::new(found).title(title).source(source)
            }
        };
        let mut text = Vec::new();
        let made = page.render(&mut text);
        made.map_err(|why| input(format!("error: man page: {why}")))?;
        print(&String::from_utf8_lossy(&text));
        Ok(())
    }
}

fn unknown(all: &clap::Command, name: &str) -> Stop {
    let shown = all
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let known: Vec<&str> = shown.map(clap::Command::get_name).collect();
    let hint = did_you_mean(name, &known);
    input(format!("error: no command `{name}`; {hint}"))
}
