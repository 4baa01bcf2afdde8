//! The attributes of one operation; most operations have none or one, which needs no separate allocation.

use crate::ids::{Attribute, Name};

type Entry = (Name, Attribute);

/// Attributes in the order in which they were set.
///
/// Invariant: 16 bytes.
#[derive(Clone, Debug)]
pub(super) enum Attributes {
    /// One or none.
    Few(Option<Entry>),
    /// Two or more, or fewer after removals.
    Several(Box<[Entry]>),
}

impl Default for Attributes {
    fn default() -> Self {
        Self::Few(None)
    }
}

impl From<Vec<Entry>> for Attributes {
    fn from(all: Vec<Entry>) -> Self {
        match all[..] {
            [] => Self::Few(None),
            [only] => Self::Few(Some(only)),
            _ => Self::Several(all.into()),
        }
    }
}

impl Attributes {
    #[inline]
    pub(super) fn as_slice(&self) -> &[Entry] {
        match self {
            Self::Few(entry) => entry.as_slice(),
            Self::Several(all) => all,
        }
    }

    pub(super) fn set(&mut self, name: Name, attribute: Attribute) {
        let entries = match self {
            Self::Few(entry) => entry.as_mut_slice(),
            Self::Several(all) => all,
        };
        if let Some(entry) = entries.iter_mut().find(|(known, _)| *known == name) {
            entry.1 = attribute;
            return;
        }
        let mut all = entries.to_vec();
        all.push((name, attribute));
        *self = all.into();
    }

    pub(super) fn remove(&mut self, name: Name) -> Option<Attribute> {
        let mut all = self.as_slice().to_vec();
        let position = all.iter().position(|(known, _)| *known == name)?;
        let (_, removed) = all.remove(position);
        *self = all.into();
        Some(removed)
    }
}
