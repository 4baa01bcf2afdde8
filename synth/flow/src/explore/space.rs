//! The points of a design space: one value for each axis, on top of the kernel's configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_yaml::{Mapping, Value};
use sluice_config::{Config, ConfigError, Files, Part, Reader, is_path, read_device};
use sluice_ir::limits::{Limit, Limits};
use sluice_ir::suggestion::did_you_mean;

use super::goals::{Goals, read_constraints, read_objectives};
use super::names::KernelNames;
use super::point::{DeviceFiles, Point, config, put, shown, yaml};
use super::slurm::Slurm;

/// The axes of a space, on top of the kernel's configuration, and the objectives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    file: String,
    base: Mapping,
    axes: Vec<Axis>,
    device_files: DeviceFiles,
    /// Objectives and constraints.
    pub goals: Goals,
    /// Devices whose best points are synthesised and placed.
    pub synthesis: Vec<String>,
    /// How jobs are submitted.
    pub slurm: Slurm,
}

/// One entry of the configuration, with the values it takes.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    /// Name in tables.
    name: String,
    /// Where its key is in the file.
    at: Vec<usize>,
    /// Keys of the configuration, outermost first.
    path: Vec<String>,
    /// Values of the entry; null removes the entry.
    values: Vec<Value>,
    /// Whether the values are in a list.
    is_list: bool,
}

const KEYS: &[&str] = &[
    "device",
    "clock_period_ns",
    "unroll",
    "ii",
    "limits",
    "vary",
    "objectives",
    "constraints",
    "synthesis",
    "slurm",
];

impl Axis {
    /// Whether a refusal speaks of the key, not of its value.
    fn is_named_in(&self, refusal: &Refusal) -> bool {
        let name = self.path.get(1).map(|name| format!("`{name}`"));
        let is_name = name.is_some_and(|name| refusal.message.contains(&name));
        refusal.message.starts_with("unknown key") || (refusal.is_of_kernel && is_name)
    }

    /// Where a value is in the file.
    fn place(&self, value: usize) -> Vec<usize> {
        let item = self.is_list.then_some(value);
        self.at.iter().copied().chain(item).collect()
    }
}

impl Space {
    /// Reads a space. `base` is the text of the kernel's configuration; the names in values are compared with those of a kernel, if there is
    /// one.
    ///
    /// # Errors
    /// Everything that is wrong with it, values that the configuration would refuse included.
    pub fn from_yaml(
        text: &str,
        file: &str,
        base: &str,
        names: Option<&KernelNames>,
    ) -> Result<Self, Vec<ConfigError>> {
        Self::with_files(text, file, (base, ""), names, &mut |_| {
            Err("files are not read here".to_owned())
        })
    }

    /// Reads a space whose configurations may name device files. `files` returns the text of a path. `base` is the text of the kernel's
    /// configuration and the name of its file.
    ///
    /// # Errors
    /// Every error of the space and of the device files.
    pub fn with_files(
        text: &str,
        file: &str,
        (base, base_file): (&str, &str),
        names: Option<&KernelNames>,
        files: Files<'_>,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut space = Self {
            file: file.to_owned(),
            base: serde_yaml::from_str(base).unwrap_or_default(),
            ..Self::default()
        };
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (at, (key, value)) in mapping.iter().enumerate() {
                space.entry(&mut reader, at, key.as_str().unwrap_or_default(), value);
            }
            space.read_device_files(&mut reader, base_file, files);
            space.refuse_repeated(&mut reader);
            if let Some(at) = mapping
                .keys()
                .position(|key| key.as_str() == Some("synthesis"))
            {
                space.read_synthesis(&mut reader, at, &mapping["synthesis"]);
            }
            for axis in &space.axes {
                space.check(axis, names, &mut reader);
            }
            // The column order of tables does not depend on the order in the file.
            let place = |axis: &Axis| KEYS.iter().position(|key| axis.name.starts_with(key));
            space
                .axes
                .sort_by_key(|axis| (place(axis).unwrap_or(KEYS.len()), axis.name.clone()));
        }
        if reader.errors.is_empty() {
            Ok(space)
        } else {
            reader
                .errors
                .sort_by_key(|error| (error.line, error.column));
            Err(reader.errors)
        }
    }

    fn entry(&mut self, reader: &mut Reader<'_>, at: usize, key: &str, value: &Value) {
        match key {
            "device" | "clock_period_ns" => {
                return self.add(key.to_owned(), vec![at], &[key], value);
            }
            "objectives" => {
                self.goals.objectives = read_objectives(reader, at, value);
                return;
            }
            "constraints" => {
                self.goals.constraints = read_constraints(reader, at, value);
                return;
            }
            "slurm" => {
                self.slurm = Slurm::read(reader, at, value);
                return;
            }
            // It is read once the devices are known.
            "synthesis" => return,
            key if !KEYS.contains(&key) => return,
            _ => {}
        }
        let Some(table) = value.as_mapping() else {
            let message = format!("`{key}` maps names to lists of values");
            return reader.error_at_entry(&[at], Part::Value, message);
        };
        for (i, (name, values)) in table.iter().enumerate() {
            let Some(name) = name.as_str() else {
                let message = format!("`{key}` maps names to lists of values");
                reader.error_at_entry(&[at, i], Part::Key, message);
                continue;
            };
            let bare = name.trim_start_matches('%');
            let (column, place) = (format!("{key}.{bare}"), vec![at, i]);
            match key {
                "limits" => self.add(column, place, &["limits", bare], values),
                "vary" => {
                    let path: Vec<&str> = name.split('.').collect();
                    self.add(name.replace('%', ""), place, &path, values);
                }
                directive => self.add(column, place, &["loops", bare, directive], values),
            }
        }
    }

    /// The devices of the points.
    fn devices(&self) -> Vec<String> {
        let axis = self.axes.iter().find(|axis| axis.path == ["device"]);
        let own = self.base.get("device").and_then(Value::as_str);
        let own = own.map_or_else(|| Config::default().device, str::to_owned);
        axis.map_or_else(|| vec![own], |axis| axis.values.iter().map(shown).collect())
    }

    /// Reads `synthesis`, entry `at` of the file: a device, or a list of them.
    fn read_synthesis(&mut self, reader: &mut Reader<'_>, at: usize, value: &Value) {
        let devices = self.devices();
        let known: Vec<&str> = devices.iter().map(String::as_str).collect();
        let (names, is_list) = match value {
            Value::Sequence(names) => (names.clone(), true),
            one => (vec![one.clone()], false),
        };
        for (i, name) in names.iter().enumerate() {
            let place: Vec<usize> = [at].into_iter().chain(is_list.then_some(i)).collect();
            match name.as_str() {
                Some(name) if known.contains(&name) => self.synthesis.push(name.to_owned()),
                Some(name) => {
                    let hint = did_you_mean(name, &known);
                    let message = format!("no point is of a device `{name}`; {hint}");
                    reader.error_at_entry(&place, Part::Value, message);
                }
                None => {
                    let message = "`synthesis` is a device of the points, or a list of devices";
                    reader.error_at_entry(&place, Part::Value, message);
                }
            }
        }
    }

    fn add(&mut self, name: String, at: Vec<usize>, path: &[&str], values: &Value) {
        let (values, is_list) = match values {
            Value::Sequence(all) => (all.clone(), true),
            one => (vec![one.clone()], false),
        };
        let path = path
            .iter()
            .map(|key| key.trim_start_matches('%').to_owned());
        self.axes.push(Axis {
            name,
            at,
            path: path.collect(),
            values,
            is_list,
        });
    }

    /// Reads the device files that the configuration and the axes name. Their paths become relative to the current folder.
    fn read_device_files(&mut self, reader: &mut Reader<'_>, base_file: &str, files: Files<'_>) {
        let mut texts = BTreeMap::new();
        let mut read = |reader: &mut Reader<'_>, at: &[usize], value: &mut Value, path: String| {
            match files(&path) {
                Ok(text) => {
                    if let Err(wrong) = read_device(&text, &path) {
                        reader.errors.extend(wrong);
                    }
                    texts.insert(path.clone(), text);
                }
                Err(why) => {
                    let message = format!("the device file `{path}` cannot be read: {why}");
                    reader.error_at_entry(at, Part::Value, message);
                }
            }
            *value = Value::String(path);
        };
        if let Some(value) = self.base.get_mut("device")
            && let Some(device) = value.as_str().filter(|device| is_path(device))
        {
            let path = Reader::new("", base_file).beside(device);
            read(reader, &[], value, path);
        }
        for axis in self.axes.iter_mut().filter(|axis| axis.path == ["device"]) {
            for number in 0..axis.values.len() {
                let at = axis.place(number);
                let value = &mut axis.values[number];
                if let Some(device) = value.as_str().filter(|device| is_path(device)) {
                    let path = reader.beside(device);
                    read(reader, &at, value, path);
                }
            }
        }
        self.device_files = Arc::new(texts);
    }

    /// Reports entries that two axes set, and values that an axis has twice.
    fn refuse_repeated(&self, reader: &mut Reader<'_>) {
        for (i, axis) in self.axes.iter().enumerate() {
            let sets_same = |other: &&Axis| {
                other.path.starts_with(&axis.path) || axis.path.starts_with(&other.path)
            };
            if let Some(other) = self.axes[..i].iter().find(sets_same) {
                let message = format!(
                    "`{}` and `{}` set the same entry of the configuration: leave one of them out",
                    other.name, axis.name
                );
                reader.error_at_entry(&axis.at, Part::Key, message);
            }
            for (n, value) in axis.values.iter().enumerate() {
                if axis.values[..n].contains(value) {
                    let message = format!("`{}` is in the list twice", shown(value));
                    reader.error_at_entry(&axis.place(n), Part::Value, message);
                }
            }
            if axis.values.is_empty() {
                let message = "the list has no values: leave the key out, or name some";
                reader.error_at_entry(&axis.at, Part::Value, message);
            }
        }
    }

    /// Reports every value of an axis that the configuration or the kernel refuses: what is wrong with it there and not without it.
    fn check(&self, axis: &Axis, names: Option<&KernelNames>, reader: &mut Reader<'_>) {
        let others = self.axes.iter().filter(|other| other.path != axis.path);
        let without = self.first_point(others);
        let known = self.refusals(&without, names);
        let refused: Vec<Vec<Refusal>> = axis
            .values
            .iter()
            .map(|value| {
                let mut all = without.clone();
                put(&mut all, &axis.path, value);
                let mut found = self.refusals(&all, names);
                found.retain(|refusal| !known.contains(refusal));
                found
            })
            .collect();
        // An error of the name occurs with every value, and is reported once.
        let set = || {
            refused
                .iter()
                .zip(&axis.values)
                .filter(|(_, v)| !v.is_null())
        };
        let is_of_key = |refusal: &&Refusal| {
            let is_always = set().all(|(found, _)| found.contains(refusal));
            is_always && (axis.is_named_in(refusal) || set().count() > 1)
        };
        let first = set().next().map_or(&[][..], |(found, _)| found);
        let of_key: Vec<&Refusal> = first.iter().filter(is_of_key).collect();
        for refusal in &of_key {
            reader.error_at_entry(&axis.at, Part::Key, refusal.message.clone());
        }
        for (n, (found, value)) in refused.iter().zip(&axis.values).enumerate() {
            for refusal in found.iter().filter(|refusal| !of_key.contains(refusal)) {
                let message = format!("`{}` does not fit: {}", shown(value), refusal.message);
                reader.error_at_entry(&axis.place(n), Part::Value, message);
            }
        }
    }

    /// The configuration with the first value of each of some axes that can be had alone: a fault of one axis hides none of another.
    fn first_point<'a>(&self, axes: impl Iterator<Item = &'a Axis>) -> Mapping {
        let known = self.refusals(&self.base, None);
        let mut all = self.base.clone();
        for axis in axes {
            let is_sound = |value: &&Value| {
                let mut alone = self.base.clone();
                put(&mut alone, &axis.path, value);
                let found = self.refusals(&alone, None);
                found.iter().all(|refusal| known.contains(refusal))
            };
            if let Some(value) = axis.values.iter().find(is_sound) {
                put(&mut all, &axis.path, value);
            }
        }
        all
    }

    /// Returns why a configuration is refused. Errors in device files are reported when the files are read.
    fn refusals(&self, all: &Mapping, names: Option<&KernelNames>) -> Vec<Refusal> {
        let (messages, is_of_kernel): (Vec<String>, bool) =
            match config(&yaml(all), &self.device_files) {
                Err(errors) => {
                    let here = errors.into_iter().filter(|error| error.file.is_empty());
                    (here.map(|error| error.message).collect(), false)
                }
                Ok(config) => (
                    names.map_or_else(Vec::new, |names| names.problems(&config)),
                    true,
                ),
            };
        let refusal = |message| Refusal {
            message,
            is_of_kernel,
        };
        messages.into_iter().map(refusal).collect()
    }

    /// Whether the points differ in the key of the configuration.
    pub fn varies(&self, key: &str) -> bool {
        self.axes
            .iter()
            .any(|axis| axis.path.first().is_some_and(|first| first == key))
    }

    /// Every combination.
    ///
    /// # Errors
    /// Too many combinations.
    pub fn points(&self, limits: &Limits) -> Result<Vec<Point>, String> {
        let counts = self.axes.iter().map(|axis| axis.values.len() as u128);
        let n_points = counts.fold(1, u128::saturating_mul);
        let checked = limits.check(Limit::ExplorePoints, n_points);
        checked.map_err(|excess| {
            let axes = self.axes.iter();
            let axes = axes.map(|axis| format!("{} values of {}", axis.values.len(), axis.name));
            let axes: Vec<_> = axes.collect();
            format!("{}: error: {} make {excess}", self.file, axes.join(", "))
        })?;
        let mut points = vec![(Vec::new(), self.base.clone())];
        for axis in &self.axes {
            points = points
                .into_iter()
                .flat_map(|(settings, all)| {
                    axis.values.iter().map(move |value| {
                        let (mut settings, mut all) = (settings.clone(), all.clone());
                        settings.push((axis.name.clone(), shown(value)));
                        put(&mut all, &axis.path, value);
                        (settings, all)
                    })
                })
                .collect();
        }
        let point = |(settings, all): (Vec<_>, Mapping)| {
            let device = all.get("device").and_then(Value::as_str);
            Point {
                settings,
                device: device.map_or_else(|| Config::default().device, str::to_owned),
                configuration: yaml(&all),
                device_files: Arc::clone(&self.device_files),
            }
        };
        Ok(points.into_iter().map(point).collect())
    }
}

/// Why a configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    message: String,
    /// Whether the kernel lacks what the configuration names.
    is_of_kernel: bool,
}
