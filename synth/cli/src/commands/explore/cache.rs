//! Points that were compiled before: a file each, called by the hash of everything that it depends on.

use std::path::PathBuf;

use sha2::{Digest as _, Sha256};
use sluice_flow::explore::{Inputs, Point, PointResult};

use crate::files::{FileName, write_all};
use crate::identity::identity;
use crate::limiting::{data_files, read_at_most};
use crate::output::{Done, error_text};
use sluice_ir::limits::Limit;

/// The files of points. Each is written under another name and renamed, so that several explorations may share a folder.
#[derive(Clone)]
pub(super) struct Cache {
    folder: PathBuf,
    /// Folder for results that another run may improve, because the time was up; otherwise they are not kept.
    cut: Option<PathBuf>,
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
        Self {
            folder,
            cut: None,
            identity,
        }
    }

    /// Returns the file name of a point.
    fn name(&self, inputs: &Inputs, point: &Point) -> Option<FileName> {
        let identity = self.identity.as_ref()?;
        let (data, data_file) = inputs
            .data
            .as_ref()
            .map_or(("", ""), |(text, name)| (text, name));
        let limits = format!("{:?}", inputs.limits);
        let mut hash = Sha256::new();
        for part in [
            identity.as_str(),
            &inputs.source,
            &inputs.file,
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

    /// Returns the same points with a folder for results that another run may improve.
    pub(super) fn with_cut(&self, cut: PathBuf) -> Self {
        Self {
            cut: Some(cut),
            ..self.clone()
        }
    }

    /// Returns the hash of the running program.
    pub(super) fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    /// Returns the name of the file of a point as text.
    pub(super) fn file_name(&self, inputs: &Inputs, point: &Point) -> Option<String> {
        Some(self.name(inputs, point)?.as_str().to_owned())
    }

    /// Returns the stored result of each point.
    pub(super) fn find_all(&self, inputs: &Inputs) -> Vec<Option<PointResult>> {
        let points = inputs.points.iter();
        points.map(|point| self.find(inputs, point)).collect()
    }

    /// Returns the stored result of a point; `None` if its file is damaged, or a file that its data names has changed.
    pub(super) fn find(&self, inputs: &Inputs, point: &Point) -> Option<PointResult> {
        let name = self.name(inputs, point)?;
        let folders = [Some(&self.folder), self.cut.as_ref()];
        let mut paths = folders
            .into_iter()
            .flatten()
            .map(|folder| name.within(folder));
        let path = paths.find(|path| path.is_file())?;
        let text = read_at_most(&path, &inputs.limits, Limit::ConfigBytes).ok()?;
        let text = String::from_utf8(text).ok()?;
        PointResult::from_json(&text, &mut data_files(&inputs.limits))
    }

    /// Keeps the result of a point.
    pub(super) fn keep(&self, inputs: &Inputs, point: &Point, result: &PointResult) -> Done<()> {
        let folder = match result.is_cut {
            false => Some(&self.folder),
            true => self.cut.as_ref(),
        };
        match (self.name(inputs, point), folder) {
            (Some(name), Some(folder)) => write_all(folder, &[(name, result.to_json())]),
            _ => Ok(()),
        }
    }
}
