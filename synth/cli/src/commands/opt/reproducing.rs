//! Reproducers of runs that fail: files with the module and the pipeline.

use std::path::{Path, PathBuf};

use clap::Args;
use sluice_flow::opt::{Answer, Reproducer};
use sluice_ir::watch::Watch;

use crate::faults::caught;
use crate::files::write_file;
use crate::output::{Done, Stop, command_line, fault};

/// Which reproducers are written and read.
#[derive(Args)]
#[command(next_help_heading = "Reproducers")]
pub(super) struct Reproducing {
    /// If a pass fails, write the module as it was before the passes, with the pipeline, to this file
    #[arg(long = "mlir-pass-pipeline-crash-reproducer", value_name = "FILE")]
    crash: Option<PathBuf>,
    /// Write the module as it was before the pass that failed, with this pass only
    #[arg(
        long = "mlir-pass-pipeline-local-reproducer",
        requires = "crash",
        conflicts_with = "always"
    )]
    is_local: bool,
    /// Write the module as it was before the passes, with the pipeline, to this file, also if no pass fails
    #[arg(long = "mlir-generate-reproducer", value_name = "FILE")]
    always: Option<PathBuf>,
    /// Run the pipeline that the file holds, before the other passes
    #[arg(long)]
    pub(super) run_reproducer: bool,
}

impl Reproducing {
    /// Returns the kind of reproducer to make.
    pub(super) fn wanted(&self) -> Option<Reproducer> {
        match (&self.crash, &self.always) {
            (Some(_), _) if self.is_local => Some(Reproducer::LastPass),
            (None, None) => None,
            (Some(_), _) | (None, Some(_)) => Some(Reproducer::AllPasses),
        }
    }

    /// Runs with a function that receives reproducers, and writes the files.
    ///
    /// # Errors
    /// A panic of a pass, or a file that cannot be written although no pass failed.
    pub(super) fn run(
        &self,
        watch: &Watch,
        run: impl FnOnce(&mut dyn FnMut(&str)) -> Answer,
    ) -> Done<Answer> {
        // The last one counts: of the part of the file, or of the pass, that the run was at.
        let mut last = None;
        let answer = caught(|| run(&mut |text| last = Some(text.to_owned())));
        let failed = match &answer {
            Some(answer) => answer.failed_pass.map(str::to_owned),
            None => Some(watch.stage()),
        };
        let mut notes = String::new();
        if let (Some(path), Some(last)) = (&self.always, &last) {
            match (write_file(path, last.as_bytes()), &answer) {
                (Ok(()), _) => {}
                (Err(stop), Some(answer)) if !answer.failed => return Err(stop),
                (Err(stop), _) => notes += &(stop.message + "\n"),
            }
        }
        if let (Some(path), Some(pass), Some(last)) = (&self.crash, failed, &last) {
            notes += &match write_file(path, last.as_bytes()) {
                Ok(()) => note(path, &pass),
                Err(stop) => stop.message + "\n",
            };
        }
        match answer {
            Some(answer) => Ok(Answer {
                messages: answer.messages + &notes,
                ..answer
            }),
            None => Err(Stop {
                message: notes + &fault().message,
                ..fault()
            }),
        }
    }
}

fn note(path: &Path, pass: &str) -> String {
    let line = command_line("opt", path, []);
    format!(
        "{}: note: the module and the pipeline are in this file, since pass `{pass}` failed; to repeat it: {line} --run-reproducer\n",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use sluice_ir::limits::Limits;

    use super::*;
    use crate::output::read;

    fn reproducing(folder: &Path) -> Reproducing {
        Reproducing {
            crash: Some(folder.join("crash.mlir")),
            is_local: false,
            always: None,
            run_reproducer: false,
        }
    }

    #[test]
    fn a_panic_leaves_a_reproducer() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let watch = Watch::default();
        let stop = reproducing(folder.path()).run(&watch, |reproducer| {
            reproducer("module {}\n");
            watch.enter("narrow");
            panic!("a pass has a fault");
        });
        let stop = stop.expect_err("a panic is an error");
        assert_eq!(stop.code, 70);
        assert!(
            stop.message.contains("since pass `narrow` failed"),
            "{}",
            stop.message
        );
        let written = read(&folder.path().join("crash.mlir"), &Limits::default());
        assert_eq!(written.ok().as_deref(), Some("module {}\n"));
    }

    #[test]
    fn a_run_without_a_failure_leaves_none() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let answer = reproducing(folder.path()).run(&Watch::default(), |reproducer| {
            reproducer("module {}\n");
            Answer::default()
        });
        assert!(answer.is_ok());
        assert!(!folder.path().join("crash.mlir").exists());
    }
}
