//! The points of a design space: one value for each axis, on top of the kernel's configuration.

use serde_yaml::{Mapping, Value};
use sluice_config::{Config, ConfigError, Reader};
use sluice_ir::limits::{Limit, Limits};

/// The axes of an exploration, and the kernel's configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    base: Mapping,
    axes: Vec<Axis>,
}

/// One entry of the configuration, with the values it takes.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    /// Name in tables.
    name: String,
    /// Position in the file: the key of the section, and the key of the entry in it.
    section: String,
    key: String,
    /// Keys of the configuration, outermost first.
    path: Vec<String>,
    /// Values of the entry; null removes the entry.
    values: Vec<Value>,
}

/// One point: a value for each axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The values as text, with the names of their axes, in order.
    pub settings: Vec<(String, String)>,
    /// The whole configuration as YAML.
    configuration: String,
}

const KEYS: &[&str] = &[
    "device",
    "clock_period_ns",
    "unroll",
    "ii",
    "limits",
    "vary",
];

impl Space {
    /// Reads the axes; `base` is the text of the kernel's configuration.
    ///
    /// # Errors
    /// Every error of the axes, including values that the configuration refuses.
    pub fn from_yaml(text: &str, file: &str, base: &str) -> Result<Self, Vec<ConfigError>> {
        let mut reader = Reader::new(text, file);
        let mut space = Self {
            base: serde_yaml::from_str(base).unwrap_or_default(),
            axes: Vec::new(),
        };
        if let Some(mapping) = reader.mapping() {
            reader.unknown_keys(&mapping, KEYS);
            for (key, value) in &mapping {
                space.entry(&mut reader, key.as_str().unwrap_or_default(), value);
            }
            // The column order of tables does not depend on the order in the file.
            let place = |axis: &Axis| KEYS.iter().position(|key| axis.name.starts_with(key));
            space
                .axes
                .sort_by_key(|axis| (place(axis).unwrap_or(KEYS.len()), axis.name.clone()));
            space.check(&mut reader);
        }
        if reader.errors.is_empty() {
            Ok(space)
        } else {
            Err(reader.errors)
        }
    }

    fn entry(&mut self, reader: &mut Reader<'_>, key: &str, value: &Value) {
        if matches!(key, "device" | "clock_period_ns") {
            return self.add(key.to_owned(), (key, key), &[key], value);
        }
        if !KEYS.contains(&key) {
            return;
        }
        let Some(table) = value.as_mapping() else {
            return reader.error(key, format!("`{key}` maps names to lists of values"));
        };
        for (name, values) in table {
            let Some(name) = name.as_str() else {
                reader.error(key, format!("`{key}` maps names to lists of values"));
                continue;
            };
            let bare = name.trim_start_matches('%');
            let column = format!("{key}.{bare}");
            match key {
                "limits" => self.add(column, (key, name), &["limits", bare], values),
                "vary" => {
                    let path: Vec<&str> = name.split('.').collect();
                    self.add(name.replace('%', ""), (key, name), &path, values);
                }
                directive => self.add(column, (key, name), &["loops", bare, directive], values),
            }
        }
    }

    fn add(&mut self, name: String, (section, key): (&str, &str), path: &[&str], values: &Value) {
        let values = match values {
            Value::Sequence(all) => all.clone(),
            one => vec![one.clone()],
        };
        let path = path
            .iter()
            .map(|key| key.trim_start_matches('%').to_owned());
        self.axes.push(Axis {
            name,
            section: section.to_owned(),
            key: key.to_owned(),
            path: path.collect(),
            values,
        });
    }

    /// Reports every value that the configuration refuses: errors that do not occur without the value.
    fn check(&self, reader: &mut Reader<'_>) {
        for axis in &self.axes {
            let key = axis.key.as_str();
            reader.look_from_nth(&axis.section, 0);
            if axis.values.is_empty() {
                reader.error(
                    key,
                    format!("`{key}` has no values: leave it out, or name some"),
                );
            }
            let others = || self.axes.iter().filter(|other| other.path != axis.path);
            let without = problems(&self.first_point(others()));
            for value in &axis.values {
                let mut all = self.first_point(others());
                put(&mut all, &axis.path, value);
                for problem in problems(&all) {
                    if !without.contains(&problem) {
                        reader.error(key, format!("`{}` does not fit: {problem}", shown(value)));
                    }
                }
            }
        }
    }

    fn first_point<'a>(&self, axes: impl Iterator<Item = &'a Axis>) -> Mapping {
        let mut all = self.base.clone();
        for axis in axes {
            if let Some(value) = axis.values.first() {
                put(&mut all, &axis.path, value);
            }
        }
        all
    }

    /// Returns every combination of values.
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
            format!("error: {} make {excess}", axes.join(", "))
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
        let point = |(settings, all): (Vec<_>, Mapping)| Point {
            settings,
            configuration: yaml(&all),
        };
        Ok(points.into_iter().map(point).collect())
    }
}

impl Point {
    /// Returns the configuration of this point.
    ///
    /// # Errors
    /// Values that do not fit together.
    pub(super) fn config(&self) -> Result<Config, String> {
        Config::from_yaml(&self.configuration, "").map_err(|errors| {
            let all: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            all.join("; ")
        })
    }

    /// Returns all that a result depends on besides the kernel.
    pub(super) fn configuration(&self) -> &str {
        &self.configuration
    }
}

fn yaml(all: &Mapping) -> String {
    serde_yaml::to_string(all).unwrap_or_default()
}

fn problems(all: &Mapping) -> Vec<String> {
    let found = Config::from_yaml(&yaml(all), "").err().unwrap_or_default();
    found.into_iter().map(|error| error.message).collect()
}

/// Formats a value on one line.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        value => serde_json::to_string(value).unwrap_or_default(),
    }
}

/// Sets the value at a path; null removes it.
fn put(all: &mut Mapping, path: &[String], value: &Value) {
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
