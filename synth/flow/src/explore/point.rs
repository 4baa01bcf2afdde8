//! A point of a design space: its settings, and its whole configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use serde_yaml::{Mapping, Value};
use sluice_config::{Config, ConfigError};

/// Texts of device files by their paths. Points are compiled without access to files.
pub(super) type DeviceFiles = Arc<BTreeMap<String, String>>;

/// One point: a value for each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The values as text, with the names of their axes, in order.
    pub settings: Vec<(String, String)>,
    /// The device.
    pub device: String,
    /// The whole configuration, YAML.
    pub configuration: String,
    pub(super) device_files: DeviceFiles,
}

impl Point {
    /// Returns the configuration of this point.
    ///
    /// # Errors
    /// Values that do not fit together.
    pub(super) fn config(&self) -> Result<Config, String> {
        config(&self.configuration, &self.device_files).map_err(|errors| {
            let all: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            all.join("; ")
        })
    }

    /// Returns the text of the device file; empty for a built-in device.
    #[must_use]
    pub fn device_text(&self) -> &str {
        self.device_files
            .get(&self.device)
            .map_or("", String::as_str)
    }

    /// For a file, without the texts of device files.
    pub(super) fn to_json(&self) -> Json {
        let settings: Vec<_> = self.settings.iter().map(|(a, b)| json!([a, b])).collect();
        json!({"settings": settings, "device": self.device, "configuration": self.configuration})
    }

    /// Reads the output of [`Point::to_json`].
    pub(super) fn of_json(value: &Json, device_files: &DeviceFiles) -> Option<Self> {
        let text = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
        let setting = |pair: &Json| {
            let text = |i: usize| Some(pair.get(i)?.as_str()?.to_owned());
            Some((text(0)?, text(1)?))
        };
        let settings = value.get("settings")?.as_array()?.iter().map(setting);
        Some(Self {
            settings: settings.collect::<Option<_>>()?,
            device: text("device")?,
            configuration: text("configuration")?,
            device_files: Arc::clone(device_files),
        })
    }
}

/// Reads a configuration that names only device files that were read before.
pub(super) fn config(text: &str, device_files: &DeviceFiles) -> Result<Config, Vec<ConfigError>> {
    Config::with_files(text, "", &mut |path| {
        let text = device_files.get(path).cloned();
        text.ok_or_else(|| "it was not read".to_owned())
    })
}

pub(super) fn yaml(all: &Mapping) -> String {
    match all.is_empty() {
        true => String::new(),
        false => serde_yaml::to_string(all).unwrap_or_default(),
    }
}

/// A value on one line, as YAML.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Sequence(all) => {
            let all: Vec<String> = all.iter().map(shown).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Mapping(all) => {
            let entry =
                |(key, value): (&Value, &Value)| format!("{}: {}", shown(key), shown(value));
            let all: Vec<String> = all.iter().map(entry).collect();
            format!("{{{}}}", all.join(", "))
        }
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Tagged(tagged) => shown(&tagged.value),
    }
}

/// Sets the value at a path; null removes it.
pub(super) fn put(all: &mut Mapping, path: &[String], value: &Value) {
    let [key, inner @ ..] = path else { return };
    let is_key = |known: &&Value| {
        let known = known.as_str().unwrap_or_default();
        known.trim_start_matches('%') == key
    };
    let known = all.keys().find(is_key).cloned();
    let key = known.unwrap_or_else(|| Value::String(key.clone()));
    if inner.is_empty() {
        match value {
            Value::Null => all.remove(&key),
            value => all.insert(key, value.clone()),
        };
        return;
    }
    let entry = all.entry(key).or_insert(Value::Null);
    if !entry.is_mapping() {
        *entry = Value::Mapping(Mapping::new());
    }
    if let Value::Mapping(entry) = entry {
        put(entry, inner, value);
    }
}
