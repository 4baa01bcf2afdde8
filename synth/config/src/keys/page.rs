//! Documentation of the keys: a Markdown page, and a text for a terminal.

use std::fmt::Write as _;

use super::kernel_keys;
use crate::key::{About, MAX_COUNT, Shape};

impl Shape {
    /// Describes the allowed values, with code in back quotes.
    pub fn text(&self) -> String {
        match self {
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Text => "a word".to_owned(),
            Self::File(what) => format!("the path of a {what}"),
            Self::Words(words) => quoted(words),
            Self::WordsOf(words) => quoted(&words()),
            Self::Above(least, most) => format!("a number above {least}, up to {most}"),
            Self::Number(least, most) => format!("a number from {least} to {most}"),
            Self::Whole(least, MAX_COUNT | u64::MAX) => format!("a whole number from {least}"),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::List(item) => match **item {
                Self::Text => "a list of words".to_owned(),
                _ => format!("a list, each {}", item.text()),
            },
            Self::Names(what, value) => format!("names of {what}, each with {}", value.text()),
            Self::Table(what, names, value) => {
                let (names, value) = (names(), value.text());
                match names.len() > MAX_NAMES {
                    true => format!("{what}, each with {value}"),
                    false => format!("{what}, each with {value}: {}", quoted(&names)),
                }
            }
            Self::Keys(_) => "keys of its own, below".to_owned(),
            Self::Either(shapes) => {
                let shapes: Vec<String> = shapes.iter().map(Self::text).collect();
                shapes.join("; or ")
            }
        }
    }

    /// Returns the keys of mappings inside the shape.
    fn keys(&self) -> Vec<&'static About> {
        match self {
            Self::Keys(keys) => keys(),
            Self::List(inner) | Self::Names(_, inner) | Self::Table(.., inner) => inner.keys(),
            // A list and a single value have the same keys.
            Self::Either(shapes) => {
                let mut all = shapes.iter().map(Self::keys);
                all.find(|keys| !keys.is_empty()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// Maximum number of names that are listed; larger tables have a page of their own.
const MAX_NAMES: usize = 12;

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn rows(text: &mut String, keys: &[&About]) {
    *text += "\n| key | value | default | unit | circuits | meaning |\n|---|---|---|---|---|---|\n";
    for about in keys {
        let default = match about.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let (name, value, unit) = (about.name, about.shape.text(), about.unit);
        let (applies, meaning) = (about.applies.text(), about.meaning);
        let _ = writeln!(
            text,
            "| `{name}` | {value} | {default} | {unit} | {applies} | {meaning} |"
        );
    }
}

/// Returns the documentation page.
pub fn page() -> String {
    let mut text = "\
# Configuration keys

The file `kernel.yaml` beside a kernel, or the one that `--config` names, holds these keys. All may be left out. An unknown
key is an error that suggests the right one. `sluice keys` prints this list.

Editors complete and check the file with the JSON schema that `sluice keys --schema` prints. For the YAML language server
save it and begin `kernel.yaml` with the line:

```yaml
# yaml-language-server: $schema=kernel.schema.json
```

A key without a default changes nothing where it is left out. The column \"circuits\" says which ones a key is for: `static`
ones follow a schedule, `elastic` ones run on tokens, given graphs are functions of the dialect `handshake`.

## Kernel
"
    .to_owned();
    let keys = kernel_keys();
    rows(&mut text, &keys);
    for about in &keys {
        let inner = about.shape.keys();
        if !inner.is_empty() {
            let _ = write!(text, "\n## Keys under `{}`\n", about.name);
            rows(&mut text, &inner);
        }
    }
    text
}

fn lines(text: &mut String, keys: &[&About], indent: &str) {
    for about in keys {
        let unit = match about.unit {
            "" => String::new(),
            unit => format!(", {unit}"),
        };
        let default = match about.default {
            "" => String::new(),
            default => format!(" (default {default})"),
        };
        let value = about.shape.text().replace('`', "");
        let _ = writeln!(text, "{indent}{}: {value}{unit}{default}", about.name);
        let _ = writeln!(text, "{indent}    {}", about.meaning.replace('`', ""));
        lines(text, &about.shape.keys(), &format!("{indent}    "));
    }
}

/// Returns all keys as text for a terminal.
pub fn to_text() -> String {
    let mut text = String::new();
    lines(&mut text, &kernel_keys(), "");
    text
}
