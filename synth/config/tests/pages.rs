//! Tests that the page and the schema in `docs` match the declared keys.

use std::path::Path;

use sluice_config::{page, schema};

#[test]
fn pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, text) in [
        ("CONFIGURATION.md", page()),
        ("kernel.schema.json", schema()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &text).expect("the documentation can be written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == text,
            "docs/{name} is out of date; accept: UPDATE_EXPECT=1 cargo test -p sluice-config"
        );
    }
}
