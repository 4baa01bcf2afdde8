//! Tests of the declared keys: their defaults and shapes must match the reader.

use crate::{About, Applies, Config, Shape, is_path, kernel_keys};

fn read(text: &str) -> Result<Config, String> {
    Config::from_yaml(text, "kernel.yaml").map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        all.join("\n")
    })
}

/// Returns a key with its value, inside the given mappings.
fn nested(path: &[&str], name: &str, value: &str) -> String {
    let inner = format!("{name}: {value}");
    path.iter()
        .rev()
        .fold(inner, |inner, key| format!("{key}: {{{inner}}}"))
}

/// Returns a configuration with a value, and other keys that its key requires.
fn around(path: &[&str], about: &About, value: &str) -> String {
    let mut text = nested(path, about.name, value);
    if path.is_empty() && about.name == "parallel" {
        text += "\nlimits: {multiply: 1}";
    }
    match path.is_empty() && about.name == "style" {
        true => text,
        false => format!("style: elastic\n{text}\n"),
    }
}

/// Calls `visit` for each key with the mappings that contain it.
fn each(keys: &[&'static About], path: &[&'static str], visit: &mut dyn FnMut(&[&str], &About)) {
    for about in keys {
        visit(path, about);
        each_under(&about.shape, &[path, &[about.name]].concat(), visit);
    }
}

fn each_under(shape: &Shape, path: &[&'static str], visit: &mut dyn FnMut(&[&str], &About)) {
    match shape {
        Shape::Keys(keys) => each(&keys(), path, visit),
        Shape::Names(_, inner) => each_under(inner, &[path, &["x"]].concat(), visit),
        Shape::Either(shapes) => {
            for shape in *shapes {
                each_under(shape, path, visit);
            }
        }
        _ => {}
    }
}

#[test]
fn a_default_means_the_same_as_no_key() {
    let mut n_defaults = 0;
    each(&kernel_keys(), &[], &mut |path, about| {
        // For a loop or memory, a default that is written differs from a key that is omitted.
        if about.default.is_empty() || path.contains(&"x") {
            return;
        }
        n_defaults += 1;
        let style = match about.applies {
            Applies::ElasticOnly => "style: elastic\n",
            _ => "",
        };
        let without = read(style).expect("an empty configuration");
        let key = nested(path, about.name, about.default);
        assert_eq!(
            read(&format!("{style}{key}\n")).as_ref(),
            Ok(&without),
            "`{key}`"
        );
    });
    assert!(n_defaults > 20, "{n_defaults} keys have a default");
}

/// Returns valid values of a shape, as YAML: the smallest and the largest, each word.
fn fitting(shape: &Shape) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match shape {
        Shape::Flag => vec!["true".to_owned(), "false".to_owned()],
        Shape::Text => vec!["word".to_owned()],
        Shape::Words(all) => words(all),
        Shape::WordsOf(all) => words(&all()),
        Shape::Above(_, most) => vec!["0.5".to_owned(), most.to_string()],
        Shape::Number(least, most) => vec![least.to_string(), most.to_string()],
        Shape::Whole(least, most) => vec![least.to_string(), most.to_string()],
        Shape::List(item) => fitting(item)
            .iter()
            .map(|one| format!("[{one}, {one}]"))
            .collect(),
        Shape::Names(_, value) => fitting(value)
            .iter()
            .map(|one| format!("{{x: {one}}}"))
            .collect(),
        Shape::Table(_, names, value) => {
            let first = fitting(value).remove(0);
            names()
                .iter()
                .map(|name| format!("{{{name}: {first}}}"))
                .collect()
        }
        Shape::Keys(_) => vec!["{}".to_owned()],
        // There are no files here.
        Shape::File(_) => Vec::new(),
        Shape::Either(shapes) => shapes.iter().flat_map(fitting).collect(),
    }
}

/// Returns invalid values of a shape, as YAML: other kinds, and numbers just outside the range.
fn unfitting(shape: &Shape) -> Vec<String> {
    let all = [
        "[[1]]",
        "{{a: 1}: 1}",
        "-1",
        "1.5",
        "nonsense",
        "true",
        "99999999999999999999",
    ];
    let value = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).ok();
    let all = all.into_iter().map(str::to_owned);
    let all = all.chain(match shape {
        Shape::Above(least, most) => vec![least.to_string(), (most * 2.0).to_string()],
        Shape::Number(_, most) => vec![(most + 1.0).to_string()],
        Shape::Whole(least, most) => {
            let below = least.checked_sub(1).map(|below| below.to_string());
            let above = most.checked_add(1).map(|above| above.to_string());
            below.into_iter().chain(above).collect()
        }
        _ => Vec::new(),
    });
    all.filter(|text| value(text).is_none_or(|value| !fits(shape, &value)))
        .collect()
}

fn fits(shape: &Shape, value: &serde_yaml::Value) -> bool {
    match shape {
        Shape::Flag => value.is_bool(),
        Shape::Text => value.is_string(),
        Shape::File(_) => value.as_str().is_some_and(is_path),
        Shape::Words(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Shape::WordsOf(words) => value.as_str().is_some_and(|word| words().contains(&word)),
        Shape::Above(least, most) => value.as_f64().is_some_and(|n| n > *least && n <= *most),
        Shape::Number(least, most) => value.as_f64().is_some_and(|n| n >= *least && n <= *most),
        Shape::Whole(least, most) => value.as_u64().is_some_and(|n| n >= *least && n <= *most),
        Shape::List(item) => {
            let items = value.as_sequence();
            items.is_some_and(|items| items.iter().all(|one| fits(item, one)))
        }
        Shape::Names(..) | Shape::Table(..) | Shape::Keys(_) => value.is_mapping(),
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(shape, value)),
    }
}

#[test]
fn the_reader_takes_what_a_shape_says_and_nothing_else() {
    let (mut n_taken, mut n_refused, mut wrong) = (0, 0, Vec::new());
    each(&kernel_keys(), &[], &mut |path, about| {
        // Kinds and ports of storage depend on each other; each limit of `tool_limits` has its own bounds.
        let is_alone =
            path.first() != Some(&"storage") && !["storage", "tool_limits"].contains(&about.name);
        for value in fitting(&about.shape).iter().filter(|_| is_alone) {
            let text = around(path, about, value);
            n_taken += 1;
            if let Err(why) = read(&text) {
                wrong.push(format!("{text}{why}"));
            }
        }
        for value in unfitting(&about.shape) {
            let text = around(path, about, &value);
            n_refused += 1;
            if read(&text).is_ok() {
                wrong.push(format!("taken: {text}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_taken > 60 && n_refused > 100, "{n_taken}, {n_refused}");
}
