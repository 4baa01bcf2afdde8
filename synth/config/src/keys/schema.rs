//! The JSON schema of `kernel.yaml`, for editors that complete and check YAML.

use serde_json::{Map, Value, json};

use super::kernel_keys;
use crate::key::{About, Shape};

impl Shape {
    fn schema(&self) -> Value {
        match self {
            Self::Flag => json!({"type": "boolean"}),
            Self::Text => json!({"type": "string"}),
            Self::File(_) => json!({"type": "string", "pattern": r"[/\\]|\.ya?ml$"}),
            Self::Words(words) => of_words(words),
            Self::WordsOf(words) => of_words(&words()),
            Self::Above(least, most) => {
                json!({"type": "number", "exclusiveMinimum": least, "maximum": most})
            }
            Self::Number(least, most) => {
                json!({"type": "number", "minimum": least, "maximum": most})
            }
            Self::Whole(least, most) => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Self::List(item) => json!({"type": "array", "items": item.schema()}),
            Self::Names(_, value) => {
                json!({"type": "object", "additionalProperties": value.schema()})
            }
            Self::Table(_, names, value) => {
                let names = names().into_iter();
                let all: Map<String, Value> = names
                    .map(|name| (name.to_owned(), value.schema()))
                    .collect();
                object(all)
            }
            Self::Keys(keys) => of_keys(&keys()),
            Self::Either(shapes) => {
                let all: Vec<Value> = shapes.iter().map(Self::schema).collect();
                json!({"anyOf": all})
            }
        }
    }
}

fn of_words(words: &[&str]) -> Value {
    json!({"enum": words})
}

fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn of_keys(keys: &[&About]) -> Value {
    let all = keys.iter().map(|about| {
        let mut schema = about.shape.schema();
        let unit = match about.unit {
            "" => String::new(),
            unit => format!(" Unit: {unit}."),
        };
        schema["description"] = json!(format!("{}{unit}", about.meaning));
        let default = serde_yaml::from_str::<Value>(about.default);
        if let Ok(default) = default
            && !about.default.is_empty()
        {
            schema["default"] = default;
        }
        (about.name.to_owned(), schema)
    });
    object(all.collect())
}

/// Returns the schema as JSON, with one line for each value.
pub fn schema() -> String {
    let mut schema = of_keys(&kernel_keys());
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Configuration of a kernel for Sluice");
    let mut text = serde_json::to_string_pretty(&schema).expect("keys are texts");
    text.push('\n');
    text
}
