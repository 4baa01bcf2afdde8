//! Detects the format of an input text by parsing it, so that words in comments and strings do not count.

use sluice_dialects::{builtin, func, handshake, hw, ssp};
use sluice_ir::limits::Limits;
use sluice_ir::passes::named;
use sluice_ir::text::parse_module;
use sluice_ir::{Context, Diagnostics, Module, View};

use crate::compiled;

/// The format of an input text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// YAML.
    Yaml,
    /// MLIR with `ssp` instances: scheduling problems.
    Problems,
    /// MLIR with functions: a kernel.
    Kernel,
    /// MLIR with dataflow graphs and no functions.
    Graph,
    /// MLIR with circuits, but no functions and no dataflow graphs.
    Circuit,
    /// MLIR without any of these, or invalid text.
    Other,
}

/// The operations that identify each format, in order of priority.
const KINDS: [(&str, InputKind); 4] = [
    (ssp::Instance::NAME, InputKind::Problems),
    (func::Func::NAME, InputKind::Kernel),
    (handshake::Func::NAME, InputKind::Graph),
    (hw::Module::NAME, InputKind::Circuit),
];

impl InputKind {
    /// Returns the format of a text. If the text cannot be parsed, operation names in it decide, so that the parser of that
    /// format reports the error.
    pub fn of(source: &str, file: &str) -> Self {
        if is_yaml(source) {
            return Self::Yaml;
        }
        let mentioned = KINDS.iter().filter(|(op, _)| source.contains(op));
        let mentioned: Vec<Self> = mentioned.map(|(_, kind)| *kind).collect();
        if mentioned.is_empty() {
            return Self::Other;
        }
        let context = compiled::context(&Limits::default());
        let module = parse_module(&context, source, file, &mut Diagnostics::new());
        module.map_or_else(
            || mentioned.first().copied().unwrap_or(Self::Other),
            |module| Self::of_module(&context, &module),
        )
    }

    /// Returns the format of a parsed module.
    pub fn of_module(context: &Context, module: &Module) -> Self {
        let has = |op: &str| match op {
            // Scheduling problems may be in nested modules.
            ssp::Instance::NAME => has_problems(module.view(context)),
            _ => !named(context, module, op).is_empty(),
        };
        let found = KINDS.iter().find(|(op, _)| has(op));
        found.map_or(Self::Other, |(_, kind)| *kind)
    }
}

fn has_problems(module: View<'_>) -> bool {
    let (context, body) = (module.context, module.inner());
    let all = module.entry_block(0).into_iter();
    all.flat_map(|block| body.operations(block)).any(|op| {
        let view = View::new(context, body, op);
        match view.name() {
            ssp::Instance::NAME => true,
            builtin::Module::NAME => has_problems(view),
            _ => false,
        }
    })
}

/// Returns true if a text looks like YAML: the first line that is not a comment is a key with a colon, a list item, or a mapping
/// in braces. No MLIR text begins like this.
pub fn is_yaml(source: &str) -> bool {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines = source.lines().map(str::trim);
    // A line that starts with `#` is a YAML comment or an MLIR attribute alias.
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#']));
    let Some(first) = lines.find(|line| !line.starts_with("//")) else {
        return false;
    };
    let begins = |with: &str| first.starts_with(with);
    if begins("---") || begins("%YAML") || begins("- ") || begins("[") {
        return true;
    }
    if begins("{") {
        return !begins("{-#");
    }
    let is_word = |c: char| c.is_alphanumeric() || "_-. \"'".contains(c);
    let key = first.trim_start_matches(is_word);
    let is_key = key.len() < first.len();
    is_key
        && key
            .strip_prefix(':')
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_comments_and_strings_decide_nothing() {
        let kernel = "func.func @f(%a: i32) -> i32 { return %a : i32 }";
        let circuit = "hw.module @f(in %a : i32, out b : i32) { hw.output %a : i32 }";
        for (source, kind) in [
            (kernel.to_owned(), InputKind::Kernel),
            (
                format!("// ssp.instance hw.module\n{kernel}"),
                InputKind::Kernel,
            ),
            (
                kernel.replace("{ return", "attributes {t = \"ssp.instance\"} { return"),
                InputKind::Kernel,
            ),
            (circuit.to_owned(), InputKind::Circuit),
            (format!("{circuit} // func.func"), InputKind::Circuit),
            (format!("{circuit}\n{kernel}"), InputKind::Kernel),
            ("// func.func ssp.instance".to_owned(), InputKind::Other),
            (
                "# ssp.instance\nname: a # func.func".to_owned(),
                InputKind::Yaml,
            ),
            (
                "#map = affine_map<(d0) -> (d0)>\nmodule { func.func private @f() }".to_owned(),
                InputKind::Kernel,
            ),
            (
                "ssp.instance @a of \"Problem\" {".to_owned(),
                InputKind::Problems,
            ),
            (
                "module @m { ssp.instance @a of \"Problem\" { library {} graph {} } }".to_owned(),
                InputKind::Problems,
            ),
            (String::new(), InputKind::Other),
        ] {
            assert_eq!(InputKind::of(&source, "a.mlir"), kind, "{source}");
        }
    }

    #[test]
    fn yaml_is_told_by_its_form() {
        for (text, expected) in [
            ("\u{feff}# c\n\nname: x", true),
            ("// c\n---\n", true),
            ("{name: x}", true),
            ("\"a b\":\n  - c", true),
            ("- name: x", true),
            ("{-#\n#-}", false),
            ("module {}", false),
            ("a::b", false),
            ("\"func.func\"() ({", false),
            ("!t = i32", false),
            ("", false),
        ] {
            assert_eq!(is_yaml(text), expected, "{text}");
        }
    }
}
