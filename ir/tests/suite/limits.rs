//! The page of limits is what their table says.

use std::path::Path;

#[test]
fn page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/LIMITS.md");
    let page = sluice_ir::limits::page();
    if std::fs::read_to_string(&path).unwrap_or_default() == page {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_EXPECT").is_some(),
        "{} differs from the table\n\
         repeat: cargo test -p sluice-ir --test suite limits\n\
         accept: UPDATE_EXPECT=1 cargo test -p sluice-ir --test suite limits",
        path.display()
    );
    std::fs::write(&path, page).expect("the page can be written");
}
