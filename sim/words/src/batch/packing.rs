//! Packing of machines: how many share a vector, which code they use, and how their words are laid out.

use super::Form;
use crate::native::lanes::pays;
use crate::native::vectors::{Cycle, InstructionSet, Lanes, Layout};
use crate::native::{N_LANES, NO_HALVES, NO_VECTORS, Native, Width};
use crate::plan::Step;
use crate::program::Program;

/// The way in which machines share a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// The fastest one: in AVX vectors if this computer has them, otherwise in 128-bit vectors if that takes fewer instructions.
    Auto,
    /// Sixteen machines in AVX-512 vectors; only for programs in which no word of more than 32 bits is read.
    Sixteen,
    /// Eight machines in AVX-512 vectors.
    Vectors,
    /// Eight machines in AVX2 vectors, which are half as long.
    Halves,
    /// Four machines in the lanes of 128-bit vectors.
    Lanes,
    /// One machine after the other.
    Alone,
}

/// The steps of cycles without outputs, and the steps of outputs, each with its program.
pub(super) type Prepared = [(Program, Vec<Step>); 2];

impl Packing {
    /// Returns whether this computer supports the packing.
    pub fn is_there(self) -> bool {
        self.in_vectors().is_none_or(|(set, _)| set.is_there())
    }

    fn in_vectors(self) -> Option<(InstructionSet, Lanes)> {
        match self {
            Self::Sixteen => Some((InstructionSet::Avx512, Lanes::Sixteen)),
            Self::Vectors => Some((InstructionSet::Avx512, Lanes::Eight)),
            Self::Halves => Some((InstructionSet::Avx2, Lanes::Eight)),
            Self::Auto | Self::Lanes | Self::Alone => None,
        }
    }

    /// Returns the packings to try for this number of machines and threads, the fastest first.
    fn candidates(self, parts: &Prepared, n_machines: usize, n_threads: usize) -> Vec<Self> {
        let n_turns = |lanes: Lanes| n_machines.div_ceil(lanes.n()).div_ceil(n_threads.max(1));
        let is_shorter = || n_turns(Lanes::Sixteen) < n_turns(Lanes::Eight);
        match self {
            // Each machine has a core of its own.
            Self::Auto if n_machines <= n_threads => vec![Self::Alone],
            Self::Auto if Self::Sixteen.is_there() && is_shorter() => {
                vec![Self::Sixteen, Self::Vectors]
            }
            Self::Auto if Self::Vectors.is_there() => vec![Self::Vectors],
            Self::Auto if Self::Halves.is_there() => vec![Self::Halves],
            Self::Auto if pays(&parts[0].0, &parts[0].1) => vec![Self::Lanes],
            Self::Auto => vec![Self::Alone],
            packing => vec![packing],
        }
    }

    /// Returns the layout and the code for this number of machines and threads.
    ///
    /// # Errors
    /// The machine code cannot be generated on this computer, or not with this packing.
    pub(super) fn code(
        self,
        program: &Program,
        parts: &Prepared,
        n_machines: usize,
        n_threads: usize,
    ) -> Result<(Form, [Native; 2]), String> {
        let candidates = self.candidates(parts, n_machines, n_threads);
        let (last, others) = candidates.split_last().expect("there is one at least");
        let mut made = others
            .iter()
            .filter_map(|packing| packing.own_code(program, parts).ok());
        match made.next() {
            Some(made) => Ok(made),
            None => last.own_code(program, parts),
        }
    }

    fn own_code(self, program: &Program, parts: &Prepared) -> Result<(Form, [Native; 2]), String> {
        let Some((set, lanes)) = self.in_vectors() else {
            let width = match self {
                // The code reads the low half of a word as its first bytes, which needs little-endian order.
                Self::Lanes if cfg!(target_endian = "little") => Width::Lanes,
                _ => Width::Scalar,
            };
            let [updates, outputs] = parts
                .each_ref()
                .map(|(program, steps)| Native::new(program, steps, &[], None, width));
            let n_lanes = match width {
                Width::Scalar => 1,
                Width::Lanes => N_LANES,
            };
            return Ok((Form::Words(n_lanes), [updates?, outputs?]));
        };
        if !set.is_there() {
            return Err(match set {
                InstructionSet::Avx512 => NO_VECTORS.to_owned(),
                InstructionSet::Avx2 => NO_HALVES.to_owned(),
            });
        }
        let layout = Layout::of_group(program, lanes);
        let cycles = parts
            .each_ref()
            .map(|(program, steps)| Cycle::new(set, program, steps, &[], layout.clone()));
        if lanes == Lanes::Sixteen && !cycles.iter().all(Cycle::is_narrow) {
            return Err("words of more than 32 bits are read".to_owned());
        }
        let [updates, outputs] = [0, 1].map(|part| {
            let (program, _) = &parts[part];
            Native::in_vectors(program, &cycles[part], None)
        });
        Ok((Form::Vectors(layout), [updates?, outputs?]))
    }
}
