//! A run on one part of a file: read, verify, transform, print.

use sluice_ir::text::{parse_module_with, print_module_to};
use sluice_ir::{Context, Diagnostics, Module, bytecode, verifier};
use sluice_passes::pipeline::Pipeline;

use crate::expected;
use crate::run_passes::Passes;

use super::instruments::Instruments;
use super::reproducer::{self, Settings};
use super::timing::Times;
use super::{Answer, Options, Outside, Reproducer, notes, round_trip};

/// The input of one part.
pub(super) enum Source {
    Text(String),
    Bytecode(Vec<u8>),
}

impl Source {
    /// Returns the text for excerpts in messages.
    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Bytecode(_) => "",
        }
    }
}

/// A run on one part of a file after the other.
pub(super) struct Part<'a, 'o> {
    pub(super) context: &'a Context,
    pub(super) options: &'a Options,
    pub(super) outside: &'a mut Outside<'o>,
    pub(super) times: &'a mut Times,
    pub(super) answer: &'a mut Answer,
}

/// The error of a step is in the diagnostics or in the answer.
struct Reported;

impl Part<'_, '_> {
    /// Runs on one part.
    pub(super) fn run(&mut self, mut source: Source, file: &str) {
        let mut diagnostics = Diagnostics::new();
        // If there is no output, the errors were reported.
        let _ = self.output(&mut source, file, &mut diagnostics);
        let text = source.text();
        let wrong = match self.options.verify_diagnostics {
            true => expected::compare(self.context, text, file, &diagnostics),
            false => diagnostics,
        };
        self.answer.failed |= wrong.has_errors();
        self.answer.messages += &wrong.render(self.context, &[(file, text)]);
    }

    /// Reports an error without a place.
    fn fail(&mut self, why: &str) -> Reported {
        self.answer.messages += why;
        self.answer.failed = true;
        Reported
    }

    /// Reads, transforms and prints a part, until there is an error.
    fn output(
        &mut self,
        source: &mut Source,
        file: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let began = (self.outside.seconds)();
        let module = self.read(source, file, diagnostics);
        self.times.parser += (self.outside.seconds)() - began;
        let mut module = module.ok_or(Reported)?;
        let is_quiet = diagnostics.all.is_empty()
            && !self.options.verify_diagnostics
            && self.options.target_version.is_none();
        if is_quiet && self.options.pipeline.is_empty() && !self.options.run_reproducer {
            // No diagnostic will quote the text any more; free it, since the next steps need as much memory again.
            *source = Source::Bytecode(Vec::new());
        }
        let done = self.transform(&mut module, file, diagnostics);
        if self.options.notes_operations && !self.options.verify_diagnostics {
            notes::add(self.context, &module, diagnostics);
        }
        done
    }

    /// Reads a part. The module may be invalid if there are errors.
    fn read(&self, source: &Source, file: &str, diagnostics: &mut Diagnostics) -> Option<Module> {
        let context = self.context;
        let module = match source {
            Source::Text(text) => {
                parse_module_with(context, text, file, self.options.parse, diagnostics)
            }
            Source::Bytecode(data) => {
                bytecode::read_with(context, data, file, self.options.parse, diagnostics)
            }
        }?;
        verifier::verify(context, &module, diagnostics);
        Some(module)
    }

    /// Runs the passes on a module and prints it.
    fn transform(
        &mut self,
        module: &mut Module,
        file: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Reported> {
        let (context, options) = (self.context, self.options);
        if diagnostics.has_errors() {
            return Err(Reported);
        }
        if options.verifies_round_trip {
            round_trip::check(context, module, options.parse)
                .map_err(|why| self.fail(&format!("{file}: error: {why}")))?;
        }
        let (pipeline, settings) = self.pipeline(module, file, diagnostics)?;
        for warning in options.dumps.missing(&pipeline) {
            // Once, not for each part.
            if !self.answer.messages.contains(&warning) {
                self.answer.messages += &format!("warning: {warning}\n");
            }
        }
        let failed = self.answer.failed_pass;
        if options.reproducer == Some(Reproducer::AllPasses) && failed.is_none() {
            let text = reproducer::of_pipeline(context, module, &pipeline, settings);
            (self.outside.reproducer)(&text);
        }
        let mut instruments =
            Instruments::new(context, options, settings, self.outside, self.times, failed);
        let ran = crate::run_passes::run(
            context,
            module,
            Passes {
                pipeline: &pipeline,
                verifies_each: settings.verifies_each,
            },
            &options.config,
            diagnostics,
            &mut instruments,
        );
        instruments.finish();
        let (stages, failed) = (std::mem::take(&mut instruments.stages), instruments.failed);
        self.answer.failed_pass = failed;
        ran.map_err(|why| self.fail(&why))?;
        if options.print_after_each {
            (self.outside.output)(stages.as_bytes());
            return Ok(());
        }
        if let Some(version) = options.target_version.filter(|_| !diagnostics.has_errors()) {
            sluice_transform::for_version(context, module, version, diagnostics);
        }
        if diagnostics.has_errors() {
            return Err(Reported);
        }
        let began = (self.outside.seconds)();
        let printed = self.print(module);
        self.times.output += (self.outside.seconds)() - began;
        printed
    }

    /// Returns the pipeline to run with its settings, and takes a reproducer out of the module.
    fn pipeline(
        &mut self,
        module: &mut Module,
        file: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Pipeline, Settings), Reported> {
        let mut settings = Settings {
            is_single_threaded: self.options.is_single_threaded,
            verifies_each: self.options.verifies_each,
        };
        let own = self.options.pipeline.clone();
        if !self.options.run_reproducer {
            return Ok((own, settings));
        }
        let found = reproducer::take(module, file).map_err(|why| self.fail(&why))?;
        let Some(found) = found else {
            let location = module.body.location(module.operation);
            diagnostics.warning(
                location,
                "there is no reproducer in this file: it has no resource `mlir_reproducer`",
            );
            return Ok((own, settings));
        };
        settings.verifies_each &= found.verifies_each.unwrap_or(true);
        let mut pipeline = found.pipeline;
        pipeline.elements.extend(own.elements);
        Ok((pipeline, settings))
    }

    fn print(&mut self, module: &Module) -> Result<(), Reported> {
        let (context, options) = (self.context, self.options);
        if let Some(how) = &options.bytecode {
            let data = bytecode::write(context, module, how)
                .map_err(|why| self.fail(&format!("error: {why}\n")))?;
            (self.outside.output)(&data);
            return Ok(());
        }
        print_module_to(context, module, &options.print, &mut |piece| {
            (self.outside.output)(piece.as_bytes());
        });
        // As in mlir-opt: the output ends with a line break, and aliases at the end have a line of their own.
        if !options.print.local_scope {
            (self.outside.output)(b"\n");
        }
        Ok(())
    }
}
