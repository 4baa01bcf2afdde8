//! Checks that the pages in `docs/dialects` match the declarations.

use std::path::Path;

#[test]
fn pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/dialects");
    let accept = std::env::var_os("UPDATE_EXPECT").is_some();
    if accept {
        std::fs::create_dir_all(&folder).expect("the folder can be made");
    }
    let mut wrong = Vec::new();
    for dialect in sluice_dialects::all() {
        let page = sluice_ir::documentation::page(dialect);
        let path = folder.join(format!("{}.md", dialect.name));
        if std::fs::read_to_string(&path).unwrap_or_default() == page {
            continue;
        }
        if accept {
            std::fs::write(&path, page).expect("the page can be written");
        } else {
            wrong.push(path.display().to_string());
        }
    }
    assert!(
        wrong.is_empty(),
        "differ from the declarations: {wrong:?}\n\
         repeat: cargo test -p sluice-dialects --test suite documentation\n\
         accept: UPDATE_EXPECT=1 cargo test -p sluice-dialects --test suite documentation"
    );
}

#[test]
fn every_operation_says_what_it_does() {
    for dialect in sluice_dialects::all() {
        assert!(
            !dialect.summary.is_empty(),
            "`{}` has no summary",
            dialect.name
        );
        for definition in dialect.operations.iter().flat_map(|group| group.iter()) {
            assert!(
                !definition.summary.is_empty(),
                "`{}` has no summary",
                definition.name
            );
        }
    }
}
