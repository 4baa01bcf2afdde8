//! The errands of the language server: work that needs files.

use std::path::{Path, PathBuf};

use sluice_ir::limits::{Limit, Limits};
use sluice_lsp::{Errand, Report};

use crate::limiting::read_at_most;

/// Does an errand.
pub(super) fn run(errand: Errand, limits: &Limits) -> Report {
    match errand {
        Errand::Read(uri) => {
            let text = path_of(uri.as_str()).and_then(|path| read(&path, limits));
            Report::Read(uri, text)
        }
    }
}

/// Returns the text of a file, if it is one.
fn read(path: &Path, limits: &Limits) -> Option<String> {
    let data = read_at_most(path, limits, Limit::FileBytes).ok()?;
    String::from_utf8(data).ok()
}

/// Returns the path of a `file:` URI.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    // The host is empty or the own one.
    let path = path.get(path.find('/')?..)?;
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let high = rest.next().and_then(digit)?;
                let low = rest.next().and_then(digit)?;
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_uri() {
        for (uri, expected) in [
            ("file:///a/b.mlir", Some("/a/b.mlir")),
            (
                "file://localhost/a%20b/%C3%A9.mlir",
                Some("/a b/\u{e9}.mlir"),
            ),
            ("file:///a%2", None),
            ("file:///%ff", None),
            ("untitled:Untitled-1", None),
            ("file://", None),
        ] {
            assert_eq!(path_of(uri), expected.map(PathBuf::from), "{uri}");
        }
    }
}
