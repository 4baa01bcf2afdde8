//! The errands of the language server: work that needs files.

use std::path::{Path, PathBuf};

use sluice_ir::limits::{Limit, Limits};
use sluice_lsp::{Errand, Report, Uri};

use crate::limiting::read_at_most;

/// Does an errand.
pub(super) fn run(errand: Errand, limits: &Limits) -> Report {
    match errand {
        Errand::Read(uri) => {
            let text = path_of(uri.as_str()).and_then(|path| read(&path, limits));
            Report::Read(uri, text)
        }
        Errand::List(uri) => Report::List(list(uri.as_str(), limits)),
    }
}

/// Returns the text of a file, if it is one.
fn read(path: &Path, limits: &Limits) -> Option<String> {
    let data = read_at_most(path, limits, Limit::FileBytes).ok()?;
    String::from_utf8(data).ok()
}

/// Maximum number of kernels of the client's folders that are read.
const MAX_KERNELS: usize = 2000;

/// Maximum number of bytes of such a kernel: larger files are generated.
const MAX_KERNEL_BYTES: u64 = 1 << 20;

/// Maximum number of folders in one another.
const MAX_DEPTH: usize = 12;

/// Folders without sources.
const SKIPPED: [&str; 3] = ["target", "node_modules", "sluice-out"];

/// Returns the kernels in a folder, and in the folders in it, with their texts.
fn list(uri: &str, limits: &Limits) -> Vec<(Uri, String)> {
    let mut paths = Vec::new();
    if let Some(root) = path_of(uri) {
        collect(&root, 0, &mut paths);
    }
    let texts = paths.into_iter().filter_map(|path| {
        let size = path.metadata().ok()?.len();
        let text = (size <= MAX_KERNEL_BYTES).then(|| read(&path, limits))?;
        Some((uri_of(&path)?, text?))
    });
    texts.collect()
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if found.len() >= MAX_KERNELS {
            return;
        }
        // A link may lead back to a folder around it.
        if path.is_symlink() || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if depth < MAX_DEPTH && !SKIPPED.contains(&&*name) {
                collect(&path, depth + 1, found);
            }
        } else if name.ends_with(".mlir") {
            found.push(path);
        }
    }
}

/// Returns the `file:` URI of a path.
fn uri_of(path: &Path) -> Option<Uri> {
    let mut uri = "file://".to_owned();
    for byte in path.to_str()?.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri.parse().ok()
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
    fn a_path_has_a_uri_that_leads_back() {
        let path = Path::new("/a b/\u{e9}#%?.mlir");
        let uri = uri_of(path).expect("a URI");
        assert_eq!(path_of(uri.as_str()).as_deref(), Some(path));
    }

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
