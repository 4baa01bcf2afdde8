//! The results shipped with the examples equal those that `mlir-cpu-runner-19` computes: of every second one in the gate, of all
//! in a sweep.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_yaml::Value;
use sluice_testbenches::oracle::{self, Argument, Case, Element, Limbs, Signature};
use sluice_testbenches::sweep;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    function: String,
    #[serde(default)]
    random: BTreeMap<String, Range>,
    cases: Vec<DataCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    min: i64,
    max: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataCase {
    inputs: BTreeMap<String, Value>,
    outputs: BTreeMap<String, Value>,
}

#[test]
fn examples_agree_with_oracle() {
    if !oracle::available() {
        assert!(
            !oracle::required(),
            "`mlir-opt-19` or `mlir-cpu-runner-19` is missing: install `mlir-19-tools`"
        );
        // Written directly to the error stream, because the test runner captures printed output.
        writeln!(
            std::io::stderr(),
            "SKIPPED examples_agree_with_oracle: no `mlir-opt-19` and `mlir-cpu-runner-19`"
        )
        .expect("stderr is open");
        return;
    }
    let mut folders = example_folders("examples");
    assert!(folders.len() >= 15, "only {} examples found", folders.len());
    folders.extend(example_folders("examples/polybench"));
    folders.extend(example_folders("examples/peers"));
    folders.extend(example_folders("examples/irregular"));
    let errors: Vec<String> = sweep::every_nth(2, &folders)
        .into_iter()
        .filter_map(|folder| check(folder).map_err(|error| place(folder, &error)).err())
        .collect();
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn example_folders(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace().join(folder))
        .expect("the examples are part of the repository");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.join("kernel.mlir").is_file())
        .collect();
    folders.sort();
    folders
}

fn place(folder: &Path, error: &str) -> String {
    let name = folder
        .strip_prefix(workspace())
        .expect("examples are in the workspace");
    format!("{}/data.yaml: {error}", name.display())
}

fn check(folder: &Path) -> Result<(), String> {
    let kernel =
        std::fs::read_to_string(folder.join("kernel.mlir")).map_err(|error| error.to_string())?;
    let text =
        std::fs::read_to_string(folder.join("data.yaml")).map_err(|error| error.to_string())?;
    let data: Data = serde_yaml::from_str(&text).map_err(|error| error.to_string())?;
    let (names, signature) = signature(&kernel, &data.function)?;
    for (name, range) in &data.random {
        if !names.contains(name) || range.min > range.max {
            return Err(format!("`random` has no proper range for `{name}`"));
        }
    }
    let cases = data
        .cases
        .iter()
        .map(|case| inputs(case, &names, &signature))
        .collect::<Result<Vec<_>, _>>()?;
    let answers = oracle::run(&kernel, &data.function, &signature, &cases)?;
    for (case_idx, ((case, given), answer)) in
        data.cases.iter().zip(&cases).zip(&answers).enumerate()
    {
        compare(case, given, answer, &names, &signature)
            .map_err(|error| format!("case {case_idx}: {error}"))?;
    }
    Ok(())
}

fn inputs(case: &DataCase, names: &[String], signature: &Signature) -> Result<Case, String> {
    if let Some(unknown) = case.inputs.keys().find(|key| !names.contains(key)) {
        return Err(format!("the kernel has no argument `{unknown}`"));
    }
    let arguments = names
        .iter()
        .zip(&signature.arguments)
        .map(|(name, argument)| {
            let value = case
                .inputs
                .get(name)
                .ok_or_else(|| format!("no input for `{name}`"))?;
            elements(value, argument.element())
        });
    Ok(Case {
        arguments: arguments.collect::<Result<_, String>>()?,
    })
}

/// Compares all shipped results, and checks that no other memory has changed.
fn compare(
    case: &DataCase,
    given: &Case,
    answer: &oracle::Answer,
    names: &[String],
    signature: &Signature,
) -> Result<(), String> {
    let mut expected = case.outputs.clone();
    let mut memories = answer.memories.iter();
    for ((name, argument), initial) in names.iter().zip(&signature.arguments).zip(&given.arguments)
    {
        if let Argument::Scalar(_) = argument {
            continue;
        }
        let found = memories.next().expect("one memory per memref argument");
        match expected.remove(name) {
            Some(value) => same(
                name,
                &elements(&value, argument.element())?,
                found,
                argument.element(),
            )?,
            None => same(name, initial, found, argument.element())?,
        }
    }
    for (result_idx, (element, found)) in signature.results.iter().zip(&answer.results).enumerate()
    {
        let name = format!("result{result_idx}");
        let value = expected
            .remove(&name)
            .ok_or_else(|| format!("no output for `{name}`"))?;
        same(
            &name,
            &elements(&value, *element)?,
            std::slice::from_ref(found),
            *element,
        )?;
    }
    match expected.keys().next() {
        None => Ok(()),
        Some(unknown) => Err(format!("the kernel has no output `{unknown}`")),
    }
}

fn same(name: &str, expected: &[Limbs], found: &[Limbs], element: Element) -> Result<(), String> {
    if expected.len() != found.len() {
        return Err(format!(
            "`{name}` has {} elements, {} are expected",
            found.len(),
            expected.len()
        ));
    }
    match (0..found.len()).find(|&element_idx| expected[element_idx] != found[element_idx]) {
        None => Ok(()),
        Some(element_idx) => {
            let decimal = |values: &[Limbs]| {
                oracle::limbs_to_decimal(&values[element_idx], element.width_bits())
            };
            Err(format!(
                "`{name}` element {element_idx}: expected {}, found {}",
                decimal(expected),
                decimal(found)
            ))
        }
    }
}

fn elements(value: &Value, element: Element) -> Result<Vec<Limbs>, String> {
    let one = |value: &Value| {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.clone(),
            Value::Null
            | Value::Bool(_)
            | Value::Sequence(_)
            | Value::Mapping(_)
            | Value::Tagged(_) => {
                return Err(format!("{value:?} is no number"));
            }
        };
        oracle::limbs_from_decimal(&text, element.width_bits())
    };
    match value {
        Value::Sequence(values) => values.iter().map(one).collect(),
        scalar => Ok(vec![one(scalar)?]),
    }
}

/// Reads names and types of a function from its text, without using the parser that other tests test.
fn signature(kernel: &str, function: &str) -> Result<(Vec<String>, Signature), String> {
    let start = format!("func.func @{function}(");
    let (_, rest) = kernel
        .split_once(&start)
        .ok_or_else(|| format!("no function `{function}`"))?;
    let (arguments, rest) = rest
        .split_once(')')
        .ok_or("the list of arguments does not end")?;
    let (results, _) = rest.split_once('{').ok_or("the function has no body")?;
    let mut names = Vec::new();
    let mut signature = Signature {
        arguments: Vec::new(),
        results: Vec::new(),
    };
    for argument in arguments
        .split(',')
        .map(str::trim)
        .filter(|argument| !argument.is_empty())
    {
        let (name, type_text) = argument.split_once(':').ok_or("an argument has no type")?;
        names.push(name.trim().trim_start_matches('%').to_string());
        signature.arguments.push(argument_type(type_text.trim())?);
    }
    let results = results
        .trim()
        .trim_start_matches("->")
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')');
    for result in results
        .split(',')
        .map(str::trim)
        .filter(|result| !result.is_empty())
    {
        signature.results.push(element_type(result)?);
    }
    Ok((names, signature))
}

fn argument_type(text: &str) -> Result<Argument, String> {
    let Some(inner) = text
        .strip_prefix("memref<")
        .and_then(|inner| inner.strip_suffix('>'))
    else {
        return Ok(Argument::Scalar(element_type(text)?));
    };
    let mut parts: Vec<&str> = inner.split('x').collect();
    let element = element_type(parts.pop().ok_or("a memory without a type")?)?;
    let shape = parts
        .iter()
        .map(|part| part.parse().map_err(|_| format!("`{part}` is no extent")));
    Ok(Argument::Memref {
        shape: shape.collect::<Result<_, _>>()?,
        element,
    })
}

fn element_type(text: &str) -> Result<Element, String> {
    match text.strip_prefix('i').and_then(|width| width.parse().ok()) {
        Some(width_bits) => Ok(Element::Integer { width_bits }),
        None => Err(format!("`{text}` is no integer type")),
    }
}
