//! `denizen docs`: writes the pages of the manual that come from declarations.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use mind::journal::event_docs;

pub fn run(folder: &Path) -> anyhow::Result<ExitCode> {
    for (name, page) in [("settings.md", settings::manual()), ("events.md", events())] {
        let path = folder.join(name);
        fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    // The pages' types come from the same declarations, where the pages are there at all.
    let contract = folder.join("../ui/src/api/contract.ts");
    if contract.parent().is_some_and(Path::is_dir) {
        let types = web::typescript(&web::description(env!("CARGO_PKG_VERSION")));
        fs::write(&contract, types).with_context(|| format!("cannot write {}", contract.display()))?;
        println!("{}", contract.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The manual page of journal events.
fn events() -> String {
    let mut page = String::from(
        "# Journal events\n\nGenerated from the declarations in `crates/mind/src/journal/event.rs`; `make docs` writes it anew. Every line\n\
         also has `seq`, `moment`, `wall`, `community`, and where they apply `room`, `turn`, `cause` (the line that led to it)\n\
         and `messages` (what it is about).\n\n| name | meaning | fields |\n|---|---|---|\n",
    );
    for event in event_docs() {
        let fields: Vec<String> = event
            .fields
            .iter()
            .map(|field| {
                format!(
                    "`{}`",
                    if event.verbatim_fields {
                        (*field).to_owned()
                    } else {
                        settings::camel_case(field)
                    }
                )
            })
            .collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            event.name,
            event.meaning,
            fields.join(", ")
        );
    }
    page
}
