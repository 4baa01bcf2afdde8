//! Text for terminals, and the checksum of text.

use std::borrow::Cow;

use sluice_ir::checksum::checksum;
use sluice_ir::printable::{printable, printable_lines};

#[test]
fn unsafe_characters_become_escapes() {
    assert_eq!(
        printable("a\u{1b}[2J\nb\tc\u{7f}\u{85}\u{202e}d"),
        "a\\u001b[2J\\u000ab\\u0009c\\u007f\\u0085\\u202ed"
    );
    assert_eq!(
        printable_lines("a\r\nb\tc\0\u{2067}"),
        "a\\u000d\nb\tc\\u0000\\u2067"
    );
    for plain in ["", "größe 名 @a.b$c \\ \"", "e\u{301}"] {
        assert!(matches!(printable(plain), Cow::Borrowed(_)), "{plain}");
    }
}

#[test]
fn known_values() {
    // From the web page of the authors of FNV.
    assert_eq!(checksum([]), 0xcbf2_9ce4_8422_2325);
    assert_eq!(checksum(*b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(checksum(*b"foobar"), 0x8594_4171_f739_67e8);
}
