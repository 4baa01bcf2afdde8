//! The names of a kernel that a configuration may use, found in the text alone.

use sluice_dialects::{affine, func, memref, scf};

use crate::names::{Kind, Names};

/// A group of names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    Functions,
    Loops,
    Arguments,
    Memories,
}

/// The groups of names that the value of a key holds, or under which it has entries.
pub(crate) const NAMED: &[(&str, &[Group])] = &[
    ("top", &[Group::Functions]),
    ("keep", &[Group::Functions]),
    ("loops", &[Group::Loops]),
    ("interchange", &[Group::Loops]),
    ("banks", &[Group::Arguments, Group::Memories]),
    ("storage", &[Group::Memories]),
    ("sizes", &[Group::Arguments]),
    ("streams", &[Group::Arguments]),
    ("depths", &[Group::Memories]),
];

/// Loops that take directives. Each has the name of the first value of its body, which follows the name of the operation.
const LOOPS: [&str; 6] = [
    affine::For::NAME,
    affine::Parallel::NAME,
    scf::For::NAME,
    scf::Forall::NAME,
    scf::Parallel::NAME,
    scf::While::NAME,
];

/// Operations whose result is a local memory or a table.
const MEMORIES: [&str; 3] = [
    memref::Alloc::NAME,
    memref::Alloca::NAME,
    memref::GetGlobal::NAME,
];

/// Returns the names of some groups in the text of a kernel, each with the line that defines it.
pub(crate) fn names_in<'t>(text: &'t str, groups: &[Group]) -> Vec<(&'t str, &'t str)> {
    let names = Names::new(text);
    let mut found: Vec<(&str, &str)> = Vec::new();
    for name in names.all.iter().filter(|name| name.is_definition) {
        let before = text.get(..name.start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let before = text.get(line_start..name.start).unwrap_or_default();
        let after = text.get(name.end..).unwrap_or_default();
        let after = after.lines().next().unwrap_or_default();
        let word = text.get(name.start + 1..name.end).unwrap_or_default();
        let is_in = |group: &Group| match (group, name.kind) {
            (Group::Functions, Kind::Symbol) => {
                before.contains(func::Func::NAME) || before.trim_start().starts_with("func ")
            }
            (Group::Loops, Kind::Value) => {
                let header = before.trim_end_matches([' ', '(']);
                let header = header.strip_suffix(" unsigned").unwrap_or(header);
                LOOPS.iter().any(|op| header.ends_with(op))
            }
            (Group::Arguments, Kind::Value) => {
                let ty = after.trim_start_matches([' ', ':']);
                let is_array = ["memref<", "tensor<"]
                    .iter()
                    .any(|kind| ty.starts_with(kind));
                is_array && !before.contains(" = ")
            }
            (Group::Memories, Kind::Value) => MEMORIES.iter().any(|op| {
                let value = after.trim_start_matches([' ', '=']);
                let rest = value.strip_prefix(op);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            }),
            _ => false,
        };
        let line = text.get(line_start..).unwrap_or_default();
        let line = line.lines().next().unwrap_or_default().trim();
        if groups.iter().any(is_in) && !found.iter().any(|(known, _)| *known == word) {
            found.push((word, line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_config::{About, Shape, kernel_keys};

    #[test]
    fn names_are_found_by_their_groups() {
        let text = "func.func @f(%A: memref<4xi8>, %n: i32,\n  %B: memref<?xi8>) {\n  %m = memref.alloc() : memref<4xi8>\n  %r = affine.for %i = 0 to 4 iter_args(%s = %n) -> i32 {\n    scf.for %j = %a to %b step %c {\n    }\n    %w = scf.while (%x = %n, %y = %n) : (i32, i32) -> i32 {\n    }\n    scf.parallel (%k, %l) = (%a, %a) to (%b, %b) step (%c, %c) {\n    }\n  }\n}\n";
        let of = |group| -> Vec<&str> {
            let found = names_in(text, &[group]).into_iter();
            found.map(|(name, _)| name).collect()
        };
        assert_eq!(of(Group::Functions), ["f"]);
        assert_eq!(of(Group::Arguments), ["A", "B"]);
        assert_eq!(of(Group::Memories), ["m"]);
        assert_eq!(of(Group::Loops), ["i", "j", "x", "k"]);
    }

    #[test]
    fn every_key_with_names_of_the_kernel_has_its_groups() {
        fn has_names(shape: &Shape) -> bool {
            match shape {
                Shape::Names(..) => true,
                Shape::Either(shapes) => shapes.iter().any(has_names),
                Shape::List(item) => matches!(**item, Shape::Text),
                _ => false,
            }
        }
        let keys = kernel_keys();
        let with_names = keys
            .iter()
            .filter(|about: &&&About| has_names(&about.shape));
        for about in with_names {
            let is_known = NAMED.iter().any(|(key, _)| *key == about.name);
            assert!(is_known, "`{}` is not in the table", about.name);
        }
    }
}
