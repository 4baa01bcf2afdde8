//! Points that were compiled before: a file each, called by the hash of everything that it depends on.

use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use sluice_flow::explore::{Point, PointResult};

use super::run::Shared;
use crate::files::{FileName, write_all};
use crate::identity::identity;
use crate::limiting::{data_files, read_at_most};
use crate::output::{Done, error_text};
use sluice_ir::limits::Limit;

/// The files of points. Each is written under another name and renamed, so that several explorations may share a folder.
pub(super) struct Cache {
    folder: PathBuf,
    /// Of the program that compiles.
    identity: Option<String>,
}

impl Cache {
    /// The points of a folder.
    pub(super) fn open(folder: PathBuf) -> Self {
        let identity = identity();
        if identity.is_none() {
            error_text(
                "note: the program cannot be read, so that points of other versions cannot be told apart: all are compiled\n",
            );
        }
        Self { folder, identity }
    }

    /// Returns the file name of a point.
    fn name(&self, shared: &Shared, point: &Point) -> Option<FileName> {
        let identity = self.identity.as_ref()?;
        let (data, data_file) = shared
            .data
            .as_ref()
            .map_or(("", ""), |(text, name)| (text, name));
        let limits = format!("{:?}", shared.limits);
        let mut hash = Sha256::new();
        for part in [
            identity.as_str(),
            &shared.source,
            &shared.file,
            data,
            data_file,
            &point.configuration,
            point.device_text(),
            &limits,
        ] {
            // With the lengths no two lists of parts are one text.
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        Some(FileName::of_digest(&hash.finalize()[..16], ".json"))
    }

    /// Returns the stored result of a point; `None` if its file is damaged, or a file that its data names has changed.
    pub(super) fn find(&self, shared: &Shared, point: &Point) -> Option<PointResult> {
        let path = self.name(shared, point)?.within(&self.folder);
        if !path.is_file() {
            return None;
        }
        let text = read_at_most(&path, &shared.limits, Limit::ConfigBytes).ok()?;
        let text = String::from_utf8(text).ok()?;
        PointResult::from_json(&text, &mut data_files(&shared.limits))
    }

    /// Keeps what came of a point, unless another run may find something else.
    pub(super) fn keep(&self, shared: &Shared, point: &Point, result: &PointResult) -> Done<()> {
        match self.name(shared, point) {
            Some(name) if !result.is_cut => write_all(&self.folder, &[(name, result.to_json())]),
            _ => Ok(()),
        }
    }
}
