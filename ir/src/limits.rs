//! Limits: the greatest accepted amount of each thing; Sluice stops with an error above it.
//!
//! One row per limit, in [`TABLE`]. The command line creates the [`Limits`] of a run; context and configuration pass them on.

use std::fmt::{self, Write as _};

use crate::suggestion::did_you_mean;
use crate::watch::Watch;

/// A row of [`TABLE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Limit {
    /// See its row.
    FileBytes,
    /// See its row.
    ConfigBytes,
    /// See its row.
    NumberDigits,
    /// See its row.
    NestingLevels,
    /// See its row.
    AliasBytes,
    /// See its row.
    MessageChars,
    /// See its row.
    Errors,
    /// See its row.
    MemoryWords,
    /// See its row.
    SimulatedWords,
    /// See its row.
    Operations,
    /// See its row.
    Instances,
    /// See its row.
    ElaboratedOperations,
    /// See its row.
    UnrolledOperations,
    /// See its row.
    WidthBits,
    /// See its row.
    StreamIterations,
    /// See its row.
    FifoSlots,
    /// See its row.
    StreamWords,
    /// See its row.
    ExplorePoints,
    /// See its row.
    Threads,
    /// See its row.
    CompileSeconds,
    /// See its row.
    ReferenceOperations,
    /// See its row.
    SimulatedCycles,
    /// See its row.
    UntilCycles,
    /// See its row.
    IdleCycles,
    /// See its row.
    SequenceCycles,
    /// See its row.
    DataSets,
    /// See its row.
    AssertionCycles,
    /// See its row.
    AssertionLevels,
}

/// The properties of a limit.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The limit.
    pub limit: Limit,
    /// Name on the command line and in configurations.
    pub name: &'static str,
    /// Default value.
    pub default: u64,
    /// Greatest allowed value.
    pub most: u64,
    /// Unit of the value.
    pub unit: &'static str,
    /// The thing that is counted.
    pub what: &'static str,
    /// The place where the count is compared.
    pub met: &'static str,
}

/// Every limit, from reading to compiling to running. The first rows apply before a configuration is read.
pub const TABLE: &[Row] = &[
    Row {
        limit: Limit::FileBytes,
        name: "file_bytes",
        default: 1 << 28,
        most: u32::MAX as u64,
        unit: "bytes",
        what: "Length of a file with a module, or with words of a memory",
        met: "every reader, also of pipes and devices",
    },
    Row {
        limit: Limit::ConfigBytes,
        name: "config_bytes",
        default: 1 << 24,
        most: u32::MAX as u64,
        unit: "bytes",
        what: "Length of a file in YAML or JSON",
        met: "readers of configurations, data and scheduling problems",
    },
    Row {
        limit: Limit::NumberDigits,
        name: "number_digits",
        default: 20_000,
        most: 6_000_000,
        unit: "digits",
        what: "Digits of a number: the time to read one grows with their square",
        met: "readers of text and data",
    },
    Row {
        limit: Limit::NestingLevels,
        name: "nesting_levels",
        default: 200,
        most: 1000,
        unit: "levels",
        what: "Regions, types, attributes, expressions and locations inside each other",
        met: "readers of text and bytecode",
    },
    Row {
        limit: Limit::AliasBytes,
        name: "alias_bytes",
        default: 1 << 24,
        most: 1 << 40,
        unit: "bytes",
        what: "Bytes by which an alias, with the aliases in it written out, is longer than its file: aliases that use others twice double with each",
        met: "readers of text",
    },
    Row {
        limit: Limit::MessageChars,
        name: "message_chars",
        default: 2000,
        most: 1 << 24,
        unit: "characters",
        what: "Length of a line of a message; the middle of a longer one is left out",
        met: "everything that is written to standard error",
    },
    Row {
        limit: Limit::Errors,
        name: "errors",
        default: 100,
        most: 1 << 24,
        unit: "errors",
        what: "Errors of a file that are printed; the number of others follows",
        met: "reports of errors",
    },
    Row {
        limit: Limit::MemoryWords,
        name: "memory_words",
        default: 1 << 31,
        most: 1 << 31,
        unit: "words",
        what: "Words of a memory that becomes a circuit",
        met: "the check before compilation",
    },
    Row {
        limit: Limit::SimulatedWords,
        name: "simulated_words",
        default: 1 << 24,
        most: 1 << 31,
        unit: "words of 64 bits",
        what: "Room for the memories of a kernel or circuit that runs",
        met: "interpreter, cycle and token simulator, images of memories",
    },
    Row {
        limit: Limit::Operations,
        name: "operations",
        default: 1_000_000,
        most: 1 << 31,
        unit: "operations",
        what: "Operations after functions were inlined, loops unrolled and modules flattened",
        met: "passes that copy operations, before they do",
    },
    Row {
        limit: Limit::Instances,
        name: "instances",
        default: 1_000_000,
        most: 1 << 31,
        unit: "instances",
        what: "Instances of modules in the hierarchy below the top, copies counted",
        met: "elaboration of circuits, before it starts",
    },
    Row {
        limit: Limit::ElaboratedOperations,
        name: "elaborated_operations",
        default: 4_000_000,
        most: 1 << 31,
        unit: "operations",
        what: "Operations of a circuit after all instances became part of the top",
        met: "elaboration of circuits, before it starts",
    },
    Row {
        limit: Limit::UnrolledOperations,
        name: "unrolled_operations",
        default: 20_000,
        most: 1 << 31,
        unit: "operations",
        what: "Operations of one loop after it was unrolled, jammed or peeled",
        met: "passes that copy loops, before they do",
    },
    Row {
        limit: Limit::WidthBits,
        name: "width_bits",
        default: 1 << 18,
        most: (1 << 24) - 1,
        unit: "bits",
        what: "Width of a value of a circuit",
        met: "checks of circuits before they are simulated or written",
    },
    Row {
        limit: Limit::StreamIterations,
        name: "stream_iterations",
        default: 1 << 21,
        most: 1 << 24,
        unit: "iterations",
        what: "Iterations of a loop that are followed to see the order of its accesses to a stream or FIFO",
        met: "the pass `streams`",
    },
    Row {
        limit: Limit::FifoSlots,
        name: "fifo_slots",
        default: 1 << 21,
        most: 1 << 24,
        unit: "slots",
        what: "Slots of a FIFO of an elastic circuit",
        met: "the pass `streams`, circuits of dataflow graphs",
    },
    Row {
        limit: Limit::StreamWords,
        name: "stream_words",
        default: 1 << 24,
        most: 1 << 31,
        unit: "words",
        what: "Words of a stream that a data file names",
        met: "readers of data files",
    },
    Row {
        limit: Limit::ExplorePoints,
        name: "explore_points",
        default: 100_000,
        most: 1 << 31,
        unit: "points",
        what: "Points of an exploration: the product of its ranges",
        met: "`sluice explore`, before points are made",
    },
    Row {
        limit: Limit::Threads,
        name: "threads",
        default: 256,
        most: 4096,
        unit: "threads",
        what: "Threads of a command; `--threads` and `--jobs` above it are refused",
        met: "commands that work in parallel",
    },
    Row {
        limit: Limit::CompileSeconds,
        name: "compile_seconds",
        default: 60,
        most: 1 << 31,
        unit: "seconds",
        what: "Time of a compilation, of the clock and of the processor, after which no more alternatives are tried; the best so far is kept. 0 is no limit",
        met: "searches among alternatives",
    },
    Row {
        limit: Limit::ReferenceOperations,
        name: "reference_operations",
        default: 100_000_000,
        most: 1 << 50,
        unit: "operations",
        what: "Operations that the interpreter runs of a data set",
        met: "checks against the interpreter",
    },
    Row {
        limit: Limit::SimulatedCycles,
        name: "simulated_cycles",
        default: 50_000_000,
        most: 1 << 50,
        unit: "cycles",
        what: "Cycles of a data set whose end is not predicted",
        met: "simulation of kernels",
    },
    Row {
        limit: Limit::UntilCycles,
        name: "until_cycles",
        default: 1_000_000,
        most: 1 << 50,
        unit: "cycles",
        what: "Cycles in which the output of `--until` must come, where `--cycles` is not given",
        met: "simulation of circuits",
    },
    Row {
        limit: Limit::IdleCycles,
        name: "idle_cycles",
        default: 1_000_000,
        most: 1 << 32,
        unit: "cycles",
        what: "Idle cycles between data sets",
        met: "`--idle` and data files",
    },
    Row {
        limit: Limit::SequenceCycles,
        name: "sequence_cycles",
        default: u32::MAX as u64,
        most: 1 << 50,
        unit: "cycles",
        what: "Cycles of a test sequence, and the greatest number of one",
        met: "data files of circuits",
    },
    Row {
        limit: Limit::DataSets,
        name: "data_sets",
        default: 1_000_000,
        most: 1 << 31,
        unit: "data sets",
        what: "Random data sets or runs of a command",
        met: "`--random`, `--batch`",
    },
    Row {
        limit: Limit::AssertionCycles,
        name: "assertion_cycles",
        default: 1_000_000,
        most: 1 << 24,
        unit: "cycles",
        what: "Cycles over which an assertion looks",
        met: "readers of assertions",
    },
    Row {
        limit: Limit::AssertionLevels,
        name: "assertion_levels",
        default: 100,
        most: 1000,
        unit: "levels",
        what: "Parentheses and operators of an assertion inside each other",
        met: "readers of assertions",
    },
];

/// The values of all limits in a run, and its [`Watch`].
#[derive(Clone, PartialEq, Eq)]
pub struct Limits {
    values: [u64; TABLE.len()],
    is_set: [bool; TABLE.len()],
    /// Receives the current stage of the work, and signals that the time is up.
    pub watch: Watch,
}

impl Default for Limits {
    fn default() -> Self {
        let mut values = [0; TABLE.len()];
        for row in TABLE {
            values[row.limit as usize] = row.default;
        }
        Self {
            values,
            is_set: [false; TABLE.len()],
            watch: Watch::default(),
        }
    }
}

/// Prints only values that differ from the default: the others change nothing.
impl fmt::Debug for Limits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = TABLE.iter().filter(|row| self.of(row.limit) != row.default);
        let set = set.map(|row| (row.name, self.of(row.limit)));
        out.debug_map().entries(set).finish()
    }
}

/// A count that exceeds its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// The limit.
    pub limit: Limit,
    /// Lower bound of the count.
    pub count: u128,
    /// The value of the limit.
    pub allowed: u64,
}

/// Prints `3000000 operations are more than the limit operations allows, 1000000; --limit operations=N raises it`.
impl fmt::Display for Excess {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.limit.row();
        let unit = row.unit;
        match self.count {
            // A count above 128 bits is not known exactly.
            u128::MAX => write!(out, "more {unit} than can be counted")?,
            count => write!(out, "{count} {unit}")?,
        }
        write!(out, ", but {}", self.hint())
    }
}

impl Excess {
    /// Returns a text that names the limit and says how to raise it.
    pub fn hint(&self) -> String {
        let row = self.limit.row();
        let (name, allowed) = (row.name, self.allowed);
        let raised = match allowed < row.most {
            true => format!("`--limit {name}=N` raises it, up to {}", row.most),
            false => "it cannot be raised".to_owned(),
        };
        format!("the limit `{name}` is {allowed}: {raised}")
    }
}

impl Limit {
    /// Returns the row of this limit.
    pub const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

impl Limits {
    /// Returns the value of a limit.
    pub fn of(&self, limit: Limit) -> u64 {
        self.values[limit as usize]
    }

    /// Returns the value as a size in memory.
    pub fn size(&self, limit: Limit) -> usize {
        usize::try_from(self.of(limit)).unwrap_or(usize::MAX)
    }

    /// Returns the value if it fits 32 bits, otherwise the greatest 32-bit number.
    pub fn small(&self, limit: Limit) -> u32 {
        u32::try_from(self.of(limit)).unwrap_or(u32::MAX)
    }

    /// Compares a count with its limit.
    ///
    /// # Errors
    /// The count exceeds the limit.
    pub fn check(&self, limit: Limit, count: impl TryInto<u128>) -> Result<(), Excess> {
        let count = count.try_into().unwrap_or(u128::MAX);
        let allowed = self.of(limit);
        match count <= u128::from(allowed) {
            true => Ok(()),
            false => Err(Excess {
                limit,
                count,
                allowed,
            }),
        }
    }

    /// Returns the excess for a count that was not finished.
    pub fn excess(&self, limit: Limit) -> Excess {
        Excess {
            limit,
            count: u128::MAX,
            allowed: self.of(limit),
        }
    }

    /// Sets the value of a limit.
    ///
    /// # Errors
    /// There is no limit of this name, or the value is not valid for it.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        let Some(row) = TABLE.iter().find(|row| row.name == name) else {
            let known: Vec<_> = TABLE.iter().map(|row| row.name).collect();
            let hint = did_you_mean(name, &known);
            return Err(format!("unknown limit `{name}`; {hint}"));
        };
        let least = u64::from(row.default > 0 && row.limit != Limit::CompileSeconds);
        if !(least..=row.most).contains(&value) {
            return Err(format!(
                "the limit `{name}` is a number from {least} to {}",
                row.most
            ));
        }
        self.values[row.limit as usize] = value;
        self.is_set[row.limit as usize] = true;
        Ok(())
    }

    /// Overrides the limits that are set in `by`, and takes its watch.
    pub fn overrule(&mut self, by: &Self) {
        for row in TABLE.iter().filter(|row| by.is_set[row.limit as usize]) {
            self.values[row.limit as usize] = by.of(row.limit);
            self.is_set[row.limit as usize] = true;
        }
        self.watch = by.watch.clone();
    }

    /// Sets a limit from text of the form `NAME=VALUE`.
    ///
    /// # Errors
    /// Those of [`Limits::set`], or the text is not of this form.
    pub fn set_text(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("expected NAME=VALUE; `sluice limits` lists the names")?;
        let number = value.replace('_', "").parse();
        let number = number.map_err(|_| {
            format!("expected a whole number for `{name}`, with or without `_`, not `{value}`")
        })?;
        self.set(name, number)
    }

    /// Returns the limits that were set, each as the text that [`Limits::set_text`] takes.
    pub fn set_texts(&self) -> Vec<String> {
        let set = TABLE.iter().filter(|row| self.is_set[row.limit as usize]);
        set.map(|row| format!("{}={}", row.name, self.of(row.limit)))
            .collect()
    }

    /// Returns the table with the values of this run, for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for row in TABLE {
            let value = self.of(row.limit);
            let set = match value == row.default {
                true => String::new(),
                false => format!(" (default {})", row.default),
            };
            let (name, unit, what, met) = (row.name, row.unit, row.what, row.met);
            let _ = writeln!(text, "{name:21} {value:>12} {unit}{set}");
            let _ = writeln!(text, "    {what}.");
            let _ = writeln!(text, "    Checked by: {met}.");
        }
        text
    }
}

/// Returns the documentation page.
pub fn page() -> String {
    let mut text = "\
# Limits

Sluice stops with exit code 1 when an input needs more than a limit allows. The message names the limit.
`sluice limits` lists the values.

Raise one for a run, with any command:

```
sluice compile big.mlir --limit operations=5_000_000
```

Or in `kernel.yaml`, for everything that happens after this file is read:

```yaml
tool_limits: {operations: 5000000}
```

The command line has the last word.

| limit | default | most | unit | what is counted | checked by |
|---|---:|---:|---|---|---|
"
    .to_owned();
    for row in TABLE {
        let (name, default, most) = (row.name, row.default, row.most);
        let (unit, what, met) = (row.unit, row.what, row.met);
        let _ = writeln!(
            text,
            "| `{name}` | {default} | {most} | {unit} | {what} | {met} |"
        );
    }
    text
}

/// Returns a line without its middle part if it is longer than `most` characters.
pub fn shortened(line: &str, most: usize) -> std::borrow::Cow<'_, str> {
    // The number of bytes is at least the number of characters.
    if line.len() <= most {
        return line.into();
    }
    let n_chars = line.chars().count();
    if n_chars <= most {
        return line.into();
    }
    let n_last = most / 4;
    let at = |n: usize| line.char_indices().nth(n).map_or(line.len(), |(at, _)| at);
    let (first, last) = (&line[..at(most - n_last)], &line[at(n_chars - n_last)..]);
    let n_left_out = n_chars - most;
    format!("{first} ... [{n_left_out} characters] ... {last}").into()
}
