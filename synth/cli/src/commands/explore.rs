//! `sluice explore`

use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use sluice_config::render;
use sluice_flow::explore::{Point, PointResult, Space, evaluate, pareto, table};
use sluice_ir::limits::Limits;

use super::kernel::read_config;
use crate::clock::with_time;
use crate::files::{FileName, make_folder, write_all};
use crate::limiting::{Limiting, pool};
use crate::output::{self, Done, input, print, read};

/// Arguments of `explore`.
#[derive(Args)]
pub(crate) struct Explore {
    /// The kernel, MLIR text
    kernel: PathBuf,
    /// The ranges to explore
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Folder for the results; points that are there already are not compiled again
    #[arg(short, long, default_value = "sluice-explore", value_name = "DIR")]
    output: PathBuf,
    /// Threads; all cores if not said
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    pub(super) limiting: Limiting,
}

impl Explore {
    pub(crate) fn run(self) -> Done<()> {
        // Errors of the configuration beside the kernel are reported with their positions.
        let limits = self.limiting.limits();
        let limits = read_config(None, &self.kernel, &limits)?.tool_limits;
        let beside = self.kernel.with_extension("yaml");
        let base = match beside.exists() {
            true => output::read_config(&beside, &limits)?,
            false => String::new(),
        };
        let text = output::read_config(&self.config, &limits)?;
        let space = Space::from_yaml(&text, &self.config.display().to_string(), &base)
            .map_err(|errors| input(render(&errors)))?;
        let source = read(&self.kernel, &limits)?;
        let file = self.kernel.display().to_string();
        let points: Vec<Point> = space.points(&limits).map_err(input)?;
        let folder = self.output.join("points");
        make_folder(&folder)?;
        let bar = ProgressBar::new(u64::try_from(points.len()).unwrap_or(0));
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} points, {eta} left") {
            bar.set_style(style);
        }
        // The progress bar is only visible on a terminal.
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let pool = pool(self.threads, &limits)?;
        let results: Vec<Done<PointResult>> = pool.install(|| {
            points
                .par_iter()
                .map(|point| {
                    let name = FileName::of_key(point.key(&source), ".json");
                    let known = output::read_config(&name.within(&folder), &limits).ok();
                    let result = match known.and_then(|text| PointResult::from_json(point, &text)) {
                        Some(result) => result,
                        None => {
                            let result = evaluate_timed(&source, &file, point, &limits);
                            write_all(&folder, &[(name, result.to_json())])?;
                            result
                        }
                    };
                    bar.inc(1);
                    Ok(result)
                })
                .collect()
        });
        bar.finish_and_clear();
        let results: Vec<PointResult> = results.into_iter().collect::<Done<_>>()?;
        let front = pareto(&results);
        let files = [
            (
                FileName::fixed("points.csv"),
                sluice_flow::explore::csv(&results, &front),
            ),
            (
                FileName::fixed("points.json"),
                sluice_flow::explore::json(&results, &front),
            ),
            (FileName::fixed("table.txt"), table(&results, &front)),
        ];
        write_all(&self.output, &files)?;
        print(&files[2].1);
        Ok(())
    }
}

/// Compiles one point, with the time limit of one compilation.
fn evaluate_timed(source: &str, file: &str, point: &Point, limits: &Limits) -> PointResult {
    with_time(limits, false, |limits| {
        evaluate(source, file, point, limits)
    })
}
