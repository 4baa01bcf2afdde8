//! Compilation of a kernel for its editor, with a small budget.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sluice_config::{Config, render};
use sluice_flow::pipeline::compile_circuit;
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::watch::Watch;
use sluice_kernel::compiled::{self, Failure};
use sluice_lsp::{Compilation, Compiled, Figures, LoopFigures};
use sluice_report::loops::loop_figures;

use super::errands::path_of;
use crate::clock::with_time;
use crate::commands::kernel::{Data, read_config};
use crate::faults::caught;
use crate::limiting::{config_files, pool};
use crate::output::{self, Done, fault, input};

/// Seconds after which searches among alternatives end.
const BUDGET_S: u64 = 2;

/// The name of the limit of this time.
const TIME_LIMIT: &str = "compile_seconds";

/// Threads of a compilation. The others stay free for the editor.
const N_THREADS: usize = 1;

/// Maximum number of loops whose figures are shown at one line.
const MAX_IN_LINE: usize = 3;

/// A handle that ends a running compilation early.
#[derive(Clone, Default)]
pub(super) struct Canceller(Arc<Mutex<Cancelling>>);

#[derive(Default)]
struct Cancelling {
    watch: Option<Watch>,
    is_cancelled: bool,
}

impl Canceller {
    /// Ends the searches of the compilation.
    pub(super) fn cancel(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.is_cancelled = true;
        if let Some(watch) = &held.watch {
            watch.ring();
        }
    }

    fn watch(&self, watch: &Watch) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_cancelled {
            watch.ring();
        }
        held.watch = Some(watch.clone());
    }
}

/// Compiles a kernel.
pub(super) fn run(work: Compilation, canceller: &Canceller, limits: &Limits) -> Compiled {
    let path = path_of(work.uri.as_str()).unwrap_or_else(|| PathBuf::from("untitled.mlir"));
    let file = path.display().to_string();
    let outcome =
        caught(|| compile(&work, &path, canceller, limits)).unwrap_or_else(|| Err(fault()));
    let (messages, figures) = match outcome {
        Ok((messages, figures)) => (messages, Some(figures)),
        Err(stop) => (stop.message, None),
    };
    Compiled {
        compilation: work,
        file,
        messages,
        figures,
    }
}

fn compile(
    work: &Compilation,
    path: &Path,
    canceller: &Canceller,
    limits: &Limits,
) -> Done<(String, Figures)> {
    let config = configuration(work.configuration.as_deref(), path, limits)?;
    let file = path.display().to_string();
    let pool = pool(Some(N_THREADS), limits)?;
    let compiled = with_time(&config.tool_limits, false, |limits| {
        canceller.watch(&limits.watch);
        let config = Config {
            tool_limits: limits.clone(),
            ..config.clone()
        };
        pool.install(|| {
            let compiled = compile_circuit(&work.text, &file, &config)?;
            // The estimate belongs to the work of the pool.
            compiled.mapped();
            Ok::<_, Failure>(compiled)
        })
    })?;
    // The time of an editor's compilation is no matter of the user's limit.
    let cut = format!("{file}: warning: the time for compiling was up");
    let lines = compiled.warnings.lines();
    let (cuts, kept): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with(&cut));
    let messages: String = kept.iter().map(|line| format!("{line}\n")).collect();
    Ok((messages, figures(work, &compiled, !cuts.is_empty())))
}

/// Returns the configuration of a kernel: the given text, or that of the file beside the kernel.
fn configuration(text: Option<&str>, kernel: &Path, limits: &Limits) -> Done<Config> {
    let mut config = match text {
        Some(text) => {
            let file = kernel.with_extension("yaml").display().to_string();
            let config = Config::with_files(text, &file, &mut config_files(limits));
            config.map_err(|errors| input(render(&errors)))?
        }
        None => read_config(None, kernel, limits)?,
    };
    config.tool_limits.overrule(limits);
    let seconds = config.tool_limits.of(Limit::CompileSeconds);
    if seconds == 0 || seconds > BUDGET_S {
        config
            .tool_limits
            .set(TIME_LIMIT, BUDGET_S)
            .map_err(input)?;
    }
    if let Ok(Some(data)) = Data::beside().file(kernel) {
        config.profile = Some(output::read_config(&data, limits)?);
    }
    Ok(config)
}

fn figures(work: &Compilation, compiled: &compiled::Compiled, is_cut: bool) -> Figures {
    let all = sluice_report::summary(compiled);
    let summary = all.lines().next().unwrap_or_default();
    let summary = summary.strip_prefix(&format!("@{} ", compiled.top));
    let mut summary = summary.unwrap_or_default().to_owned();
    if is_cut {
        let _ = write!(summary, "; `sluice compile` searches longer");
    }
    let lines: Vec<&str> = work.text.lines().collect();
    let mut loops: Vec<LoopFigures> = Vec::new();
    for one in loop_figures(compiled) {
        let line = one.place.rsplit_once(':');
        let Some(line) = line.and_then(|(_, line)| line.parse::<u32>().ok()) else {
            continue;
        };
        let number = usize::try_from(line).unwrap_or(usize::MAX);
        let text = lines.get(number.saturating_sub(1));
        let text = text.copied().unwrap_or_default();
        // A flattened nest is one loop with the names of all.
        let own = format!("%{} ", one.name);
        let mut label = match one.name.is_empty() || text.contains(&own) {
            true => String::new(),
            false => format!("{}: ", one.name),
        };
        label += &match one.ii {
            Some(ii) => format!("II {ii}"),
            None => "sequential".to_owned(),
        };
        if let Some(n) = one.trip_count {
            let _ = write!(label, ", {n} iterations");
        }
        match one.cycles {
            Some(cycles) => {
                let _ = write!(label, ", {cycles} cycles");
            }
            None => label += ", cycles depend on the data",
        }
        add(&mut loops, line, label, one.bound);
    }
    Figures {
        top: compiled.top.clone(),
        summary,
        loops,
    }
}

/// Adds the figures of a loop; copies of a loop share a line.
fn add(loops: &mut Vec<LoopFigures>, line: u32, label: String, detail: String) {
    let Some(known) = loops.iter_mut().find(|known| known.line == line) else {
        loops.push(LoopFigures {
            line,
            label,
            detail,
        });
        return;
    };
    let n_shown = known.label.split("; ").count();
    match n_shown.cmp(&MAX_IN_LINE) {
        std::cmp::Ordering::Less => known.label += &format!("; {label}"),
        std::cmp::Ordering::Equal => known.label += "; ...",
        std::cmp::Ordering::Greater => {}
    }
    known.detail += &format!("\n{detail}");
}
