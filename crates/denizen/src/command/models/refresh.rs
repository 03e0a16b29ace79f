//! Takes a newer catalogue into the data folder: fetched, checked, and put in place in one move.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use providers::{CATALOGUE_BYTES_MAX, Catalogue, CatalogueRemark, fetch_catalogue};
use serde_json::{Value, json};

/// A catalogue that was taken.
pub struct Taken {
    from: String,
    path: PathBuf,
    date: Option<String>,
    left_out: Vec<CatalogueRemark>,
}

/// Fetches one, checks it and puts it in place. A wrong value refuses the whole: half a price list is worse than an old
/// one. Keys that are not known are left out and told.
pub async fn take(data: &Path, from: &str) -> anyhow::Result<Taken> {
    let text = match from.contains("://") {
        true => fetch_catalogue(from)
            .await
            .map_err(|problem| anyhow::anyhow!("{from} cannot be taken: {problem}"))?,
        false => read(Path::new(from))?,
    };
    let catalogue = Catalogue::with_text(&text, Path::new(from))?;
    let own = catalogue.own.as_ref();
    let remarks: Vec<CatalogueRemark> = own.map(|own| own.remarks.clone()).unwrap_or_default();
    let (left_out, wrong): (Vec<_>, Vec<_>) = remarks.into_iter().partition(|remark| remark.unknown_key);
    if !wrong.is_empty() {
        let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        bail!(
            "{from} is not taken, and what was there is kept:\n{}",
            wrong.join("\n")
        );
    }
    if catalogue.says_nothing() {
        bail!("{from} says nothing that is not known already; nothing was changed");
    }
    let path = data.join("catalogue.toml");
    put(data, &path, &text)?;
    Ok(Taken {
        from: from.to_owned(),
        date: own.and_then(|own| own.date).map(|date| date.to_string()),
        path,
        left_out,
    })
}

fn read(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    let length = std::fs::metadata(path)
        .with_context(|| format!("{shown} cannot be read"))?
        .len();
    if length > CATALOGUE_BYTES_MAX as u64 {
        bail!("{shown} has {length} bytes, and a catalogue at most {CATALOGUE_BYTES_MAX}");
    }
    std::fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))
}

/// In one move, so that whoever starts meanwhile reads the old one or the new one; the old one is kept beside it.
fn put(data: &Path, path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::create_dir_all(data).with_context(|| format!("{} cannot be made", data.display()))?;
    let fresh = data.join(".catalogue.toml.new");
    let written = (|| {
        let mut file = std::fs::File::create(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        if path.exists() {
            std::fs::copy(path, data.join("catalogue.toml.before"))?;
        }
        std::fs::rename(&fresh, path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    written.with_context(|| format!("{} cannot be written", path.display()))
}

impl Taken {
    pub fn told(&self) -> String {
        let date = self
            .date
            .as_ref()
            .map_or(String::new(), |date| format!(" of {date}"));
        let mut told = format!(
            "the catalogue{date} from {} is {} now; a Denizen that runs takes it within seconds\n",
            self.from,
            self.path.display()
        );
        for remark in &self.left_out {
            told.push_str(&format!("! {remark}\n"));
        }
        if let Some(other) = std::env::var_os(crate::catalogue::VARIABLE).filter(|other| !other.is_empty()) {
            told.push_str(&format!(
                "! {} names {}, which counts instead of it\n",
                crate::catalogue::VARIABLE,
                other.display()
            ));
        }
        told
    }

    pub fn as_json(&self) -> Value {
        let left_out: Vec<String> = self.left_out.iter().map(ToString::to_string).collect();
        json!({"from": self.from, "path": self.path, "date": self.date, "leftOut": left_out})
    }
}
