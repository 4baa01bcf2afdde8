//! `sluice explore`

mod cache;
mod job;
mod run;
mod slurm;
mod synthesis;
mod task;

use std::path::{Path, PathBuf};

use clap::Args;
use sluice_config::{Config, render};
use sluice_flow::explore::{
    Exploration, Inputs, KernelNames, Outcome, Point, PointResult, Space, Suggestion, csv, json,
    page, suggest, table,
};
use sluice_ir::limits::Limits;

use super::kernel::{Data, read_config};
use crate::files::{FileName, make_folder, write_all, write_file};
use crate::limiting::{Limiting, config_files, pool};
use crate::output::{self, Done, Stop, error_text, fault, input, print, read};
use crate::processes::Patience;
use crate::tools::Tools;
use cache::Cache;
pub(crate) use task::ExploreTask;

/// Arguments of `explore`.
#[derive(Args)]
pub(crate) struct Explore {
    /// File with the kernel, MLIR text
    kernel: PathBuf,
    /// File with the space to explore, YAML; default: Sluice chooses a space for the kernel
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Maximum number of points in a space that Sluice chooses
    #[arg(long, value_name = "N", default_value_t = 64, conflicts_with = "config",
        value_parser = clap::value_parser!(u32).range(1..))]
    points: u32,
    /// Print the space that Sluice chooses; you can edit it and pass it with --config
    #[arg(long, conflicts_with = "config")]
    print_space: bool,
    /// Folder for the results; points that it already holds are not compiled again
    #[arg(short, long, default_value = "sluice-explore", value_name = "DIR")]
    output: PathBuf,
    /// Also write all points to this file as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also write all points to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write an HTML page with plots to this file; the page needs no other files
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Exit with code 0 even if points failed, but not if all failed; in a space that Sluice chooses points may always fail
    #[arg(long)]
    allow_failures: bool,
    /// Where the points are compiled: on this machine, or by job arrays of Slurm, as the key `slurm` of the space says
    #[arg(long, value_enum, default_value_t = Engine::Local)]
    engine: Engine,
    /// Submit the job and end; the same command without this option waits for the job and shows the results
    #[arg(long)]
    detach: bool,
    /// Number of threads; default: number of cores
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Folder with Yosys and nextpnr for the key `synthesis`; default: they are found on the search path
    #[arg(long, value_name = "DIR", requires = "config")]
    tools: Option<PathBuf>,
    #[command(flatten)]
    patience: Patience,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

/// The processes that compile points.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    Local,
    Slurm,
}

impl Explore {
    pub(crate) fn run(self) -> Done<()> {
        if self.detach && self.engine == Engine::Local {
            return Err(input("error: `--detach` needs `--engine slurm`"));
        }
        let limits = self.limiting.limits();
        // Errors of the configuration beside the kernel are reported at their places in that file.
        let base_config = read_config(None, &self.kernel, &limits)?;
        let limits = base_config.tool_limits.clone();
        let beside = self.kernel.with_extension("yaml");
        let base = match beside.exists() {
            true => output::read_config(&beside, &limits)?,
            false => String::new(),
        };
        let source = read(&self.kernel, &limits)?;
        let file = self.kernel.display().to_string();
        let names = KernelNames::read(&source, &file, &limits)?;
        let Some(space) = self.space((&base, &base_config), &names, &limits)? else {
            return Ok(());
        };
        if !space.varies("top") {
            let top = names.top(&base_config);
            top.map_err(|why| input(format!("{file}: error: {why}")))?;
        }
        let tools = synthesis::tools(&space, self.tools.as_deref(), self.patience)?;
        let data = self.data(&limits)?;
        let points = space.points(&limits).map_err(input)?;
        let inputs = Inputs {
            source,
            file,
            data,
            points,
            limits: limits.clone(),
        };
        let folder = self.output.join("points");
        make_folder(&folder)?;
        let cache = Cache::open(folder);
        let found = match self.engine {
            Engine::Local => run::run(&pool(self.threads, &limits)?, inputs, &cache).map(Some)?,
            Engine::Slurm => {
                let cluster = slurm::Cluster {
                    slurm: &space.slurm,
                    output: &self.output,
                    patience: self.patience,
                };
                cluster.run(inputs, &cache, self.detach)?
            }
        };
        let Some((inputs, results)) = found else {
            return Ok(());
        };
        let data = inputs.data.as_ref().map(|(_, name)| name.as_str());
        let names = (inputs.file.as_str(), data);
        let exploration = Exploration::new(names, &inputs.points, &results, &space.goals);
        self.write(&exploration)?;
        let verdict = self.verdict(&exploration, &inputs.points, &results);
        let is_whole = exploration.n_done() == inputs.points.len();
        if is_whole && !tools.is_empty() {
            self.synthesise(&tools, &inputs, &exploration)?;
        }
        verdict
    }

    /// Text and name of the data file beside the kernel.
    fn data(&self, limits: &Limits) -> Done<Option<(String, String)>> {
        let path = Data::beside().file(&self.kernel)?;
        let read = |path: PathBuf| {
            let text = output::read_config(&path, limits)?;
            Ok((text, path.display().to_string()))
        };
        path.map(read).transpose()
    }

    /// Holds the estimates of the best points against what the tools find.
    fn synthesise(
        &self,
        tools: &[(String, Tools)],
        inputs: &Inputs,
        exploration: &Exploration<'_>,
    ) -> Done<()> {
        let (text, json) = synthesis::compare(tools, inputs, exploration)?;
        let json = serde_json::to_string_pretty(&json).unwrap_or_default() + "\n";
        let files = [
            (FileName::fixed("synthesis.txt"), text),
            (FileName::fixed("synthesis.json"), json),
        ];
        write_all(&self.output, &files)
    }

    /// The space that is explored; nothing where it is only printed.
    fn space(
        &self,
        (base, config): (&str, &Config),
        names: &KernelNames,
        limits: &Limits,
    ) -> Done<Option<Space>> {
        let read = |text: &str, file: &Path| {
            let beside = self.kernel.with_extension("yaml").display().to_string();
            let (file, base) = (file.display().to_string(), (base, beside.as_str()));
            let files = &mut config_files(limits);
            let space = Space::with_files(text, &file, base, Some(names), files);
            space.map_err(|errors| input(render(&errors)))
        };
        if let Some(path) = &self.config {
            let text = output::read_config(path, limits)?;
            return read(&text, path).map(Some);
        }
        let failed = |why| input(format!("{}: error: {why}", self.kernel.display()));
        let Suggestion { yaml, sentences } =
            suggest(names, config, u128::from(self.points)).map_err(failed)?;
        if self.print_space {
            print(&yaml);
            return Ok(None);
        }
        print(&sentences);
        read(&yaml, Path::new("chosen space")).map(Some)
    }

    /// Prints and writes what was found: the table first, which no disk can be too full for.
    fn write(&self, exploration: &Exploration<'_>) -> Done<()> {
        let (csv, json, table) = (csv(exploration), json(exploration), table(exploration));
        print(&table);
        for (path, text) in [(&self.csv, &csv), (&self.json, &json)] {
            if let Some(path) = path {
                write_file(path, text.as_bytes())?;
            }
        }
        if let Some(path) = &self.html {
            let again = format!("sluice compile {}", self.kernel.display());
            write_file(path, page(exploration, &again).as_bytes())?;
        }
        let files = [
            (FileName::fixed("points.csv"), csv),
            (FileName::fixed("points.json"), json),
            (FileName::fixed("table.txt"), table),
        ];
        write_all(&self.output, &files)
    }

    /// Whether the exploration is a success.
    fn verdict(
        &self,
        exploration: &Exploration<'_>,
        points: &[Point],
        results: &[Option<PointResult>],
    ) -> Done<()> {
        let (n_done, n_failed) = (exploration.n_done(), exploration.n_failed());
        if exploration.n_internal() > 0 {
            return Err(fault());
        }
        if n_done < points.len() {
            return Err(Stop {
                code: 130,
                message: "error: interrupted; the same command goes on from here".to_owned(),
            });
        }
        if n_failed == 0 {
            return Ok(());
        }
        if n_failed == n_done {
            let first = results
                .iter()
                .flatten()
                .find_map(|result| match &result.outcome {
                    Outcome::Failed { reason, .. } => Some(reason.as_str()),
                    Outcome::Circuit(_) => None,
                });
            let first = first.unwrap_or_default();
            let message = format!("error: no point has a circuit; the first: {first}");
            return Err(input(message));
        }
        if self.allow_failures || self.config.is_none() {
            return Ok(());
        }
        Err(input(format!(
            "error: {n_failed} of {n_done} points failed, with the reasons above; `--allow-failures` accepts that"
        )))
    }
}

/// Says how many points were known before.
fn note_known(n_known: usize, n_all: usize) {
    if n_known > 0 {
        error_text(&format!(
            "note: {n_known} of {n_all} points were compiled before\n"
        ));
    }
}
