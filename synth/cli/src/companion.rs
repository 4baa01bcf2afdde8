//! A Verilator model that runs in lock-step with the cycle simulator: every output is compared in every cycle.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sluice_kernel::compiled::Compiled;
use sluice_rtl_out::lockstep::{Lockstep, lockstep, port_bytes};
use sluice_sim::testbench::Watch;
use sluice_verify::circuit::{Bits, Circuit, CycleSimulator, Memory, Settings, ports};

use crate::files::{FileName, write_file};
use crate::models::{Model, Models};
use crate::output::{Done, Stop, fault, hexadecimal, input};
use crate::pipes::{Pipes, Silence};
use crate::processes::{spawn_written, wait};

/// Bytes of a batch. The simulator computes the next batch while the model computes this one.
const BATCH_BYTES: usize = 1 << 20;

/// Maximum number of cycles of a batch.
const BATCH_CYCLES: usize = 1 << 13;

/// A running model, with the pending comparison.
pub(crate) struct Companion {
    child: Child,
    pipes: Pipes,
    model: Model,
    images: Option<Images>,
    top: String,
    /// Names and widths of the outputs.
    outputs: Vec<(String, u32)>,
    output_bytes: usize,
    batch_cycles: u32,
    now: Batch,
    /// The batch that the model is computing.
    asked: Option<Batch>,
    /// The first difference, or the reason why the model stopped.
    found: Option<String>,
    /// The data set of that difference.
    found_in: Option<usize>,
    n_cycles: u64,
    data_set: Option<usize>,
}

/// Memories that are initialised from files in the working directory of the model.
struct Images {
    folder: tempfile::TempDir,
    /// The indices of the memories.
    memories: Vec<usize>,
}

impl Images {
    fn new(memories: &BTreeSet<usize>) -> Done<Self> {
        let folder = tempfile::tempdir();
        let folder = folder.map_err(|why| input(format!("error: no temporary folder: {why}")))?;
        Ok(Self {
            folder,
            memories: memories.iter().copied().collect(),
        })
    }

    /// Writes the contents of a simulator's memories to the files.
    fn write(&self, simulator: &CycleSimulator) -> Result<(), String> {
        for (number, memory) in self.memories.iter().enumerate() {
            let mut text = String::new();
            for word in simulator.contents(*memory) {
                text += &word.to_hex_string();
                text.push('\n');
            }
            let path = FileName::numbered("memory_", number, ".hex").within(self.folder.path());
            write_file(&path, text.as_bytes()).map_err(|stop| stop.message)?;
        }
        Ok(())
    }
}

/// A difference between a model and the simulator, or the reason why the model stopped.
pub(crate) struct Parted {
    /// The data set in which it occurred.
    pub(crate) data_set: Option<usize>,
    pub(crate) message: String,
}

impl From<Parted> for Stop {
    fn from(parted: Parted) -> Self {
        input(parted.message)
    }
}

/// Some consecutive cycles.
#[derive(Default)]
struct Batch {
    inputs: Vec<u8>,
    outputs: Vec<u8>,
    n_cycles: u32,
    first_cycle: u64,
    data_set: Option<usize>,
}

impl Companion {
    /// Starts a companion for the circuit of a kernel.
    pub(crate) fn of_kernel(models: &Models, compiled: &Compiled) -> Done<Self> {
        let (context, circuit) = (&compiled.context, &compiled.circuit);
        let simulator =
            CycleSimulator::of_kernel(context, circuit, &compiled.interface, &Settings::default())
                .map_err(|found| input(found.to_text(context)))?;
        let top = &compiled.interface.module;
        let verilog = &compiled.verilog;
        let around = lockstep(context, circuit, top, verilog, &ports(&simulator), &[]);
        let around = around.ok_or_else(fault)?;
        let model = models.model(&compiled.verilog, &around, true)?;
        Self::start(model, &around, top, &simulator, None)
    }

    /// Starts a companion for a circuit. Memories with these indices, and those that are initialised from files, start with the
    /// contents they have in the simulator.
    pub(crate) fn of_circuit(
        models: &Models,
        circuit: &Circuit,
        simulator: &CycleSimulator,
        images: &BTreeSet<usize>,
    ) -> Done<Self> {
        let verilog = circuit.verilog_without_images()?;
        let all: Vec<&Memory> = simulator.memories().collect();
        let filled = (0..all.len()).filter(|number| all[*number].is_filled);
        let images = &images
            .iter()
            .copied()
            .chain(filled)
            .collect::<BTreeSet<usize>>();
        let names: Vec<&str> = images.iter().map(|n| all[*n].name.as_str()).collect();
        let around = circuit.lockstep(&verilog, simulator, &names);
        let around = around.ok_or_else(|| match images.is_empty() {
            true => fault(),
            false => {
                let names = names.join("`, `");
                input(format!("error: `{names}`: not all of them are memories of the Verilog: those of queues are none"))
            }
        })?;
        let model = models.model(&verilog, &around, false)?;
        let images = match images.is_empty() {
            true => None,
            false => Some(Images::new(images)?),
        };
        Self::start(model, &around, &circuit.top, simulator, images)
    }

    fn start(
        model: Model,
        around: &Lockstep,
        top: &str,
        simulator: &CycleSimulator,
        images: Option<Images>,
    ) -> Done<Self> {
        let failed = |why: &dyn std::fmt::Display| {
            input(format!("{}: error: {why}", model.program.display()))
        };
        let mut command = Command::new(&model.program);
        if let Some(images) = &images {
            command.current_dir(images.folder.path());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = spawn_written(&mut command).map_err(|why| failed(&why))?;
        let pipes = Pipes::of(&mut child).ok_or_else(|| failed(&"it has no pipes"))?;
        let outputs = simulator.outputs();
        let outputs = outputs.map(|port| (port.name.clone(), port.width_bits));
        let bytes = (around.input_bytes + around.output_bytes).max(1);
        let batch_cycles = (BATCH_BYTES / bytes).clamp(1, BATCH_CYCLES);
        Ok(Self {
            child,
            pipes,
            model,
            images,
            top: top.to_owned(),
            outputs: outputs.collect(),
            output_bytes: around.output_bytes,
            batch_cycles: u32::try_from(batch_cycles).expect("clamped"),
            now: Batch::default(),
            asked: None,
            found: None,
            found_in: None,
            n_cycles: 0,
            data_set: None,
        })
    }

    /// Returns the number of compared outputs.
    pub(crate) fn n_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Compares the remaining cycles, and ends the model.
    pub(crate) fn finish(mut self) -> Result<(), Parted> {
        let compared = self.exchange().and_then(|()| self.compare());
        // The model ends when its input ends; its exit code has no meaning for the circuit.
        drop(self.pipes);
        let is_over = wait(&mut self.child, self.model.answers_within);
        if !matches!(is_over, Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        match self.found.or(compared.err()) {
            Some(message) => Err(Parted {
                data_set: self.found_in,
                message,
            }),
            None => Ok(()),
        }
    }

    /// Sends the current batch, after the previous one was compared.
    fn exchange(&mut self) -> Result<(), String> {
        self.compare()?;
        let batch = std::mem::take(&mut self.now);
        if batch.n_cycles == 0 {
            return Ok(());
        }
        let mut request = batch.n_cycles.to_le_bytes().to_vec();
        request.extend(&batch.inputs);
        self.pipes.ask(request);
        self.asked = Some(batch);
        Ok(())
    }

    /// Compares the results of the last batch.
    fn compare(&mut self) -> Result<(), String> {
        if let Some(found) = &self.found {
            return Err(found.clone());
        }
        let Some(batch) = self.asked.take() else {
            return Ok(());
        };
        let mut theirs = vec![0; batch.outputs.len()];
        let answered = self.pipes.answer(&mut theirs, self.model.answers_within);
        answered.map_err(|silence| self.broken(&silence))?;
        if theirs == batch.outputs {
            return Ok(());
        }
        let found = self.difference(&batch, &theirs);
        self.found = Some(found.clone());
        self.found_in = batch.data_set;
        Err(found)
    }

    /// Describes why the model stopped: how it ended, or that it takes too long; ends it in any case.
    fn broken(&mut self, silence: &Silence) -> String {
        // A program that has closed its pipe is about to end.
        let status = match silence {
            Silence::Ended => wait(&mut self.child, Duration::from_secs(2)),
            Silence::TooLate => Ok(None),
        };
        let how = match (silence, status) {
            (_, Ok(Some(status))) => format!("ended early, {status}"),
            (Silence::Ended, _) => "closed its output early".to_owned(),
            (Silence::TooLate, _) => {
                let seconds = self.model.answers_within.as_secs();
                format!(
                    "gave no answer within {seconds} s and was stopped; `--tool-timeout SECONDS` gives it more"
                )
            }
        };
        let _ = self.child.kill();
        let _ = self.child.wait();
        let found = format!("error: Verilator's model {how}");
        self.found = Some(found.clone());
        found
    }

    /// Describes the first difference.
    fn difference(&self, batch: &Batch, theirs: &[u8]) -> String {
        let size = self.output_bytes.max(1);
        let mut records = batch.outputs.chunks(size).zip(theirs.chunks(size));
        let cycle = records.position(|(ours, theirs)| ours != theirs);
        let at = cycle.unwrap_or(0) * size;
        let (ours, theirs) = (&batch.outputs[at..], &theirs[at..]);
        let mut differing = Vec::new();
        let mut first = 0;
        for (name, width_bits) in &self.outputs {
            let end = first + port_bytes(*width_bits);
            if ours[first..end] != theirs[first..end] {
                let value = |bytes: &[u8]| hexadecimal(&word(bytes, *width_bits));
                differing.push((name, value(&ours[first..end]), value(&theirs[first..end])));
            }
            first = end;
        }
        let cycle = batch.first_cycle + u64::try_from(cycle.unwrap_or(0)).unwrap_or(0);
        let place = match batch.data_set {
            Some(number) => format!("data set {number}, cycle {cycle}"),
            None => format!("cycle {cycle}"),
        };
        let Some(((name, ours, theirs), others)) = differing.split_first() else {
            return format!("{place}: what follows the ports of @{} differs", self.top);
        };
        let mut text = format!(
            "{place}: port `{name}` of @{} is {ours} in the cycle simulation, {theirs} under Verilator",
            self.top
        );
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|(name, _, _)| name.as_str()).collect();
            text += &format!("; `{}` differ too", names.join("`, `"));
        }
        if self.model.is_optimised {
            text += "\nhint: `--unoptimised` leaves out Verilator's own optimisations of constants, wide words and graphs, of which some are wrong in some of its versions";
        }
        text
    }
}

impl Watch for Companion {
    fn data_set(&mut self, number: usize) -> Result<(), String> {
        self.exchange()?;
        self.data_set = Some(number);
        Ok(())
    }

    fn begin(&mut self, simulator: &CycleSimulator) -> Result<(), String> {
        self.exchange()?;
        self.n_cycles = 0;
        if self.images.is_some() {
            // When the model has answered, it has read the previous files.
            self.compare()?;
        }
        if let Some(images) = &self.images {
            images.write(simulator)?;
        }
        self.pipes.ask(0_u32.to_le_bytes().to_vec());
        Ok(())
    }

    fn cycle(&mut self, simulator: &mut CycleSimulator) -> Result<(), String> {
        if self.now.n_cycles == 0 {
            self.now.first_cycle = self.n_cycles;
            self.now.data_set = self.data_set;
        }
        simulator.append_inputs(&mut self.now.inputs);
        simulator.run_cycle();
        simulator.append_outputs(&mut self.now.outputs);
        self.now.n_cycles += 1;
        self.n_cycles += 1;
        if self.now.n_cycles == self.batch_cycles {
            self.exchange()?;
        }
        Ok(())
    }
}

fn word(bytes: &[u8], width_bits: u32) -> Bits {
    let limbs: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut whole = [0; 8];
            whole[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(whole)
        })
        .collect();
    Bits::from_limbs(width_bits, &limbs)
}
