//! The manual page `docs/settings.md`, generated from the declarations.

use std::fmt::Write;

use crate::catalogue::Settings;
use crate::guarded::only_on_the_machine;
use crate::knob::Unit;

/// The whole page as Markdown.
pub fn manual() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the declarations in `crates/settings`; `make docs` writes it anew. Set a value on the\n\
         settings page, or with `denizen settings set KEY VALUE`; `denizen settings reset KEY` takes it back to its default.\n\
         What is marked *on the machine only* names a program, a library or an address that is given keys: it is changed by\n\
         command line or file, and never over HTTP.\n",
    );
    let mut section = "";
    for knob in Settings::knobs() {
        if knob.section != section {
            section = knob.section;
            let _ = write!(
                page,
                "\n## {section}\n\n{}\n\n| key | default | takes | what it does |\n|---|---|---|---|\n",
                knob.section_doc
            );
        }
        let unit = match knob.unit {
            Unit::None => String::new(),
            unit => format!(" ({})", format!("{unit:?}").to_lowercase()),
        };
        let former = match knob.former {
            [] => String::new(),
            former => format!(" Formerly `{}`.", former.join("`, `")),
        };
        let guarded = only_on_the_machine(&knob.key).map_or("", |_| " *On the machine only.*");
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {}{unit} | {}{former}{guarded} |",
            knob.key,
            knob.default,
            knob.limits.wanted(),
            knob.doc
        );
    }
    page
}
