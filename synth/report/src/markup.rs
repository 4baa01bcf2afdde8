//! Pieces of markup that several parts of a page share.

use sluice_ir::printable::printable_lines;

/// How a figure is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It follows from the schedule, which is checked.
    Proved,
    /// It was counted in simulated runs.
    Measured,
    /// It is from the tables of the device.
    Estimated,
}

impl Origin {
    /// Returns the mark beside a figure or a title.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Proved => " <span class=\"how proved\">proved</span>",
            Self::Measured => " <span class=\"how measured\">measured</span>",
            Self::Estimated => " <span class=\"how estimated\">estimated</span>",
        }
    }
}

/// Escapes a text for pages and quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in printable_lines(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Shortens the file path in a location to the file name.
pub(crate) fn file_of(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}
