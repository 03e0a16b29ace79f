//! The manual page `docs/settings.md`, generated from the declarations.

use std::fmt::Write;

use crate::catalogue::Settings;
use crate::knob::Unit;

/// The whole page as Markdown.
pub fn manual() -> String {
    let mut page = String::from(
        "# Settings\n\nGenerated from the declarations in `crates/settings`; `make docs` writes it anew. Set a value on the\n\
         settings page, or with `denizen settings set KEY VALUE`; `denizen settings reset KEY` takes it back to its default.\n",
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
        let _ = writeln!(
            page,
            "| `{}` | `{}` | {}{unit} | {}{former} |",
            knob.key,
            knob.default,
            knob.limits.wanted(),
            knob.doc
        );
    }
    page
}
