//! The storage of a local memory or table: kind of cell and ports, for schedules, circuits and reports.

use sluice_ir::{Attribute, Body, Context, OperationId, ValueId, View};

use crate::sluice::STORAGE;

/// The kind of cell that holds the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StorageKind {
    /// A register per word: read without a clock, any number of accesses per cycle.
    Registers,
    /// Look-up tables as memory: read without a clock, one write port.
    LutRam,
    /// Block memory: reads take a cycle.
    BlockRam,
    /// A table of constants.
    Rom,
}

impl StorageKind {
    /// All kinds, in the order in which errors list them.
    pub const ALL: [Self; 4] = [Self::Registers, Self::LutRam, Self::BlockRam, Self::Rom];

    /// Returns the name in configurations and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Registers => "registers",
            Self::LutRam => "lut_ram",
            Self::BlockRam => "block_ram",
            Self::Rom => "rom",
        }
    }

    /// Returns the kind with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The ports of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ports {
    /// `reads` read ports and one write port. Each read port after the first costs a copy of the contents.
    Separate {
        /// Number of read ports, at least 1.
        reads: u32,
    },
    /// Two ports, each of which reads or writes in a cycle.
    TrueDual,
    /// A port for each access.
    Each,
}

impl Ports {
    /// Returns the ports as text, for reports.
    pub fn describe(self) -> String {
        match self {
            Self::Separate { reads } => format!("{reads} read, 1 write"),
            Self::TrueDual => "2, each reads or writes".to_owned(),
            Self::Each => "one for each access".to_owned(),
        }
    }
}

/// The storage of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The kind of cell.
    pub kind: StorageKind,
    /// The ports.
    pub ports: Ports,
}

/// The name of [`Ports::TrueDual`] in configurations.
pub const TRUE_DUAL: &str = "true_dual";

impl Storage {
    /// Reads a storage attribute; `None` if it is not valid.
    pub fn of_attribute(context: &Context, attribute: Attribute) -> Option<Self> {
        let entries = attribute.as_dictionary(context)?;
        let get = |name: &str| {
            let mut entries = entries.iter();
            entries.find(|(key, _)| context.text(*key) == name)
        };
        let kind = StorageKind::of_name(get("kind")?.1.as_str(context)?)?;
        let reads = get("reads").and_then(|(_, reads)| reads.as_i64(context));
        let reads = u32::try_from(reads.unwrap_or(1)).ok()?.max(1);
        let dual = get("ports").and_then(|(_, ports)| ports.as_str(context)) == Some(TRUE_DUAL);
        let ports = match kind {
            StorageKind::Registers => Ports::Each,
            _ if dual => Ports::TrueDual,
            _ => Ports::Separate { reads },
        };
        Some(Self { kind, ports })
    }

    /// Returns the storage as an attribute.
    pub fn to_attribute(self, context: &Context) -> Attribute {
        let kind = context.string_attribute(self.kind.name());
        let mut entries = vec![(context.name("kind"), kind)];
        match self.ports {
            Ports::Separate { reads: 1 } | Ports::Each => {}
            Ports::Separate { reads } => {
                let reads = context.i64_attribute(i64::from(reads));
                entries.push((context.name("reads"), reads));
            }
            Ports::TrueDual => {
                let ports = context.string_attribute(TRUE_DUAL);
                entries.push((context.name("ports"), ports));
            }
        }
        context.dictionary_attribute(&entries)
    }

    /// Returns true if the data of a read is available in the same cycle.
    pub fn reads_without_clock(self) -> bool {
        match self.kind {
            StorageKind::Registers | StorageKind::LutRam => true,
            StorageKind::BlockRam | StorageKind::Rom => false,
        }
    }
}

/// Returns the storage of the memory that an operation creates, if it is specified.
pub fn storage(view: View<'_>) -> Option<Storage> {
    Storage::of_attribute(view.context, view.attribute(STORAGE)?)
}

/// Returns the storage of a memory; `None` for arguments and if it is not specified.
pub fn storage_of(context: &Context, body: &Body, memory: ValueId) -> Option<Storage> {
    let made = body.defining_operation(memory)?;
    storage(View::new(context, body, made))
}

/// Returns the loads, the stores and the other users, such as calls, of a memory in a body.
pub fn accesses(
    context: &Context,
    body: &Body,
    memory: ValueId,
) -> (Vec<OperationId>, Vec<OperationId>, Vec<OperationId>) {
    let (mut loads, mut stores, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut users: Vec<OperationId> = body.uses(memory).map(|(user, _)| user).collect();
    users.sort_unstable();
    for user in users {
        match View::new(context, body, user).name() {
            "memref.load" => loads.push(user),
            "memref.store" => stores.push(user),
            _ => others.push(user),
        }
    }
    (loads, stores, others)
}

/// Returns the address of a load or store, if it is a constant.
pub fn constant_address(access: View<'_>) -> Option<u64> {
    let index = match access.name() {
        "memref.load" => access.operands().nth(1)?,
        "memref.store" => access.operands().nth(2)?,
        _ => return None,
    };
    let made = access.at(access.body.defining_operation(index)?);
    let constant = match made.name() {
        "arith.index_castui" => access.at(access.body.defining_operation(made.operand(0))?),
        _ => made,
    };
    if constant.name() != "arith.constant" {
        return None;
    }
    constant
        .attribute("value")?
        .integer(access.context)?
        .to_u64()
}
