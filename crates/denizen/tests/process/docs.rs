//! The pages of the manual that come from declarations.

use std::path::Path;

use crate::support::{Home, path};

#[test]
fn the_generated_pages_of_the_manual_are_current() {
    let home = Home::new();
    let folder = home.file("manual");
    std::fs::create_dir(&folder).expect("the folder can be made");
    home.run(&["docs", path(&folder)]).succeeded();
    for page in ["settings.md", "events.md"] {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../docs")
            .join(page);
        let kept = std::fs::read_to_string(&kept).expect("the page is there");
        let now = std::fs::read_to_string(folder.join(page)).expect("the page was written");
        assert!(kept == now, "docs/{page} is out of date. Run `make docs`");
    }
}
