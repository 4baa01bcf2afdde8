//! The inputs of an exploration, and their form as files, from which another process compiles some of the points.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use sluice_ir::limits::Limits;

use super::point::Point;
use super::result::Task;

/// The inputs that all points share, and the points.
pub struct Inputs {
    /// The text of the kernel.
    pub source: String,
    /// File name of the kernel.
    pub file: String,
    /// Text and name of the data file.
    pub data: Option<(String, String)>,
    /// The points.
    pub points: Vec<Point>,
    /// The limits of every compilation.
    pub limits: Limits,
}

impl Inputs {
    /// The task of each point.
    pub fn task(&self) -> Task<'_> {
        let data = self.data.as_ref();
        Task {
            source: &self.source,
            file: &self.file,
            data: data.map(|(text, name)| (text.as_str(), name.as_str())),
        }
    }

    /// Returns the text of a file with everything but the points. `program` tells the builds of Sluice apart.
    pub fn shared_text(&self, program: &str) -> String {
        let device_files: BTreeMap<&String, &String> = self
            .points
            .first()
            .map(|point| point.device_files.iter().collect())
            .unwrap_or_default();
        let data = self.data.as_ref().map(|(text, name)| json!([text, name]));
        text_of(&json!({
            "program": program, "source": self.source, "file": self.file, "data": data,
            "limits": self.limits.set_texts(), "device_files": device_files,
        }))
    }

    /// Returns the text of a file with the points at some positions.
    pub fn points_text(&self, points: &[usize], range: Range<usize>) -> String {
        let points = points[range].iter().map(|i| self.points[*i].to_json());
        text_of(&Json::Array(points.collect()))
    }

    /// Reads the two files back.
    ///
    /// # Errors
    /// Another build of Sluice wrote them, or they are damaged.
    pub fn of_texts(shared: &str, points: &str, program: &str) -> Result<Self, String> {
        let read = |text: &str| serde_json::from_str::<Json>(text).ok();
        let damaged = "the files of the job are damaged";
        let (shared, points) = read(shared).zip(read(points)).ok_or(damaged)?;
        if shared["program"] != program {
            return Err("another build of Sluice submitted the job; submit it again".to_owned());
        }
        Self::of_json(&shared, &points).ok_or_else(|| damaged.to_owned())
    }

    fn of_json(shared: &Json, points: &Json) -> Option<Self> {
        let text = |value: &Json| Some(value.as_str()?.to_owned());
        let device_files = shared.get("device_files")?.as_object()?.iter();
        let device_files: Option<BTreeMap<_, _>> = device_files
            .map(|(name, device)| Some((name.clone(), text(device)?)))
            .collect();
        let device_files = Arc::new(device_files?);
        let mut limits = Limits::default();
        for limit in shared.get("limits")?.as_array()? {
            limits.set_text(limit.as_str()?).ok()?;
        }
        let points = points.as_array()?.iter();
        Some(Self {
            source: text(shared.get("source")?)?,
            file: text(shared.get("file")?)?,
            data: match shared.get("data")? {
                Json::Null => None,
                data => Some((text(data.get(0)?)?, text(data.get(1)?)?)),
            },
            points: points
                .map(|point| Point::of_json(point, &device_files))
                .collect::<Option<_>>()?,
            limits,
        })
    }
}

fn text_of(value: &Json) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
