//! What is known of providers and their models: prices, lengths, abilities, when they end, and which are preferred.
//! It comes from a data file that is built in and that an operator's own file overrides, model by model.

mod age;
mod cost;
mod current;
mod entry;
mod facts;
mod line_of;
mod provider;
mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use thiserror::Error;
use vocabulary::ModelRole;

pub(crate) use current::CurrentCatalogue;
pub use entry::{Abilities, Api, Known, ModelEntry, PriceSource, Prices, Rates, Thinking};
use facts::{Ends, Facts};
pub(crate) use provider::LOOPBACK_PORTS;
pub use provider::{OFFLINE_MODEL, Provider};
pub use read::CatalogueRemark;

const BUILT_IN: &str = include_str!("../../catalogue.toml");

/// A catalogue larger than this is something else.
pub const CATALOGUE_BYTES_MAX: usize = 1 << 20;

/// Why an operator's catalogue cannot be used at all.
#[derive(Debug, Error)]
pub enum CatalogueError {
    #[error(
        "the catalogue {path} cannot be read: {detail}. Correct that, or remove it: one that is built in remains"
    )]
    Unreadable { path: PathBuf, detail: String },
    #[error(
        "the catalogue {path} is not TOML: {detail}. Correct that, or remove it: one that is built in remains"
    )]
    NotToml { path: PathBuf, detail: String },
}

/// What is known of one provider's models.
#[derive(Clone, Debug, Default, PartialEq)]
struct Shelf {
    main: Vec<String>,
    small: Vec<String>,
    default: Facts,
    families: BTreeMap<String, Facts>,
    models: BTreeMap<String, Facts>,
}

/// Everything that is known of models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    /// When the built-in one was looked up.
    pub date: Date,
    /// The operator's own, if there is one.
    pub own: Option<OwnCatalogue>,
    shelves: BTreeMap<Provider, Shelf>,
}

/// An operator's catalogue that was laid over the built-in one.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnCatalogue {
    pub path: PathBuf,
    pub date: Option<Date>,
    /// What of it was left out, and why.
    pub remarks: Vec<CatalogueRemark>,
}

impl Catalogue {
    /// The one that is built in.
    pub fn built_in() -> Self {
        let written = read::read(BUILT_IN, false).expect("a test reads the built-in catalogue");
        Self {
            date: written.date.unwrap_or_default(),
            own: None,
            shelves: written.shelves.into_iter().collect(),
        }
    }

    /// With an operator's file laid over it; a file that is not there changes nothing.
    pub fn with_file(path: &Path) -> Result<Self, CatalogueError> {
        let unreadable = |detail: String| CatalogueError::Unreadable {
            path: path.to_owned(),
            detail,
        };
        match std::fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::built_in()),
            Err(error) => return Err(unreadable(error.to_string())),
            Ok(metadata) if !metadata.is_file() || metadata.len() > CATALOGUE_BYTES_MAX as u64 => {
                return Err(unreadable(format!(
                    "it is not a file of at most {CATALOGUE_BYTES_MAX} bytes"
                )));
            }
            Ok(_) => {}
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        Self::with_text(&text, path)
    }

    /// With an operator's words laid over it.
    pub fn with_text(text: &str, path: &Path) -> Result<Self, CatalogueError> {
        let written = read::read(text, true).map_err(|detail| CatalogueError::NotToml {
            path: path.to_owned(),
            detail,
        })?;
        let mut catalogue = Self::built_in();
        for (provider, own) in written.shelves {
            catalogue.shelves.entry(provider).or_default().overridden_by(own);
        }
        catalogue.own = Some(OwnCatalogue {
            path: path.to_owned(),
            date: written.date,
            remarks: written.remarks,
        });
        Ok(catalogue)
    }

    /// Whether an operator's own catalogue says nothing at all of models.
    pub fn says_nothing(&self) -> bool {
        self.shelves == Self::built_in().shelves
    }

    /// What is known of a model today.
    pub fn entry(&self, provider: Provider, model: &str) -> ModelEntry {
        self.entry_on(provider, model, today())
    }

    /// What is known of a model on a day. Never fails: what is not listed is guessed, and says so.
    pub fn entry_on(&self, provider: Provider, model: &str, today: Date) -> ModelEntry {
        let model = model.trim().trim_start_matches("models/");
        let nothing = Shelf::default();
        let shelf = self.shelves.get(&provider).unwrap_or(&nothing);
        let (facts, known) = shelf.facts(model);
        let (prices, price_source) = self.price(provider, shelf, model, &facts, today);
        ModelEntry {
            provider,
            model: model.to_owned(),
            known,
            prices,
            price_source,
            context_tokens: facts.context,
            output_tokens_max: facts.output_max,
            retires: match facts.retires {
                Some(Ends::On(date)) => Some(date),
                Some(Ends::Never) | None => None,
            },
            successor: facts.successor.clone(),
            closed: facts.closed.unwrap_or(false),
            abilities: abilities(&facts),
            set_by_operator: facts.set_by_operator.iter().copied().collect(),
        }
    }

    /// The models that are preferred for a role, most wanted first.
    pub fn preferred(&self, provider: Provider, role: ModelRole) -> &[String] {
        let shelf = self.shelves.get(&provider);
        shelf.map_or(&[], |shelf| match role {
            ModelRole::Main => &shelf.main,
            ModelRole::Small => &shelf.small,
        })
    }

    /// The ids that are listed for a provider.
    pub fn models(&self, provider: Provider) -> impl Iterator<Item = &str> {
        let shelf = self.shelves.get(&provider);
        shelf
            .into_iter()
            .flat_map(|shelf| shelf.models.keys().map(String::as_str))
    }

    /// The model taken where none is named: the first that is preferred and has not ended. A compatible server's own
    /// list decides for that one.
    pub fn default_model(&self, provider: Provider, role: ModelRole, today: Date) -> Option<&str> {
        if provider == Provider::Offline {
            return Some(OFFLINE_MODEL);
        }
        let preferred = self.preferred(provider, role);
        let usable = preferred.iter().find(|model| {
            let entry = self.entry_on(provider, model, today);
            !entry.is_retired(today) && !entry.closed
        });
        usable.or_else(|| preferred.first()).map(String::as_str)
    }
}

impl Shelf {
    fn overridden_by(&mut self, own: Shelf) {
        if !own.main.is_empty() {
            self.main = own.main;
        }
        if !own.small.is_empty() {
            self.small = own.small;
        }
        self.default.overridden_by(&own.default);
        for (id, facts) in own.families {
            self.families.entry(id).or_default().overridden_by(&facts);
        }
        for (id, facts) in own.models {
            self.models.entry(id).or_default().overridden_by(&facts);
        }
    }

    /// The families of a model, the widest first.
    fn families<'a>(&'a self, model: &'a str) -> impl DoubleEndedIterator<Item = (&'a String, &'a Facts)> {
        // In order of their names, of two beginnings of one word the shorter comes first.
        self.families
            .iter()
            .filter(move |(beginning, _)| model.starts_with(beginning.as_str()))
    }

    fn facts(&self, model: &str) -> (Facts, Known) {
        let mut facts = self.default.clone();
        let mut known = Known::Provider;
        for (family, own) in self.families(model) {
            facts = own.over(&facts);
            known = Known::Family(family.clone());
        }
        let release_of = self
            .models
            .iter()
            .filter(|(listed, _)| *listed != model && is_version_of(model, listed))
            .max_by_key(|(listed, _)| listed.len());
        if let Some((listed, own)) = release_of {
            facts = own.over(&facts);
            known = Known::Release(listed.clone());
        }
        if let Some(own) = self.models.get(model) {
            match release_of {
                // A release that is listed for itself differs from its model in what is said of it, and else not.
                Some(_) => facts.overridden_by(own),
                None => facts = own.over(&facts),
            }
            known = Known::Listed;
        }
        (facts, known)
    }
}

fn abilities(facts: &Facts) -> Abilities {
    Abilities {
        api: facts.api.unwrap_or(Api::Chat),
        tools: facts.tools.unwrap_or(false),
        schema: facts.schema.unwrap_or(false),
        schema_with_tools: facts.schema_with_tools.unwrap_or(false),
        pictures: facts.pictures.clone().unwrap_or_default(),
        picture_bytes_max: facts.picture_bytes_max,
        temperature: facts.temperature.unwrap_or(false),
        effort: facts.effort.clone().unwrap_or_default(),
        thinking: facts.thinking.unwrap_or(Thinking::None),
    }
}

/// Today, where this machine is.
pub(crate) fn today() -> Date {
    jiff::Zoned::now().date()
}

/// Whether `model` is the listed one or a dated release of it (`gpt-4.1-mini-2025-04-14`), not a sibling.
pub(crate) fn is_version_of(model: &str, listed: &str) -> bool {
    let Some(rest) = model.strip_prefix(listed) else {
        return false;
    };
    // Four digits and more begin a date; one or two would make `claude-sonnet-4-6` a release of `claude-sonnet-4`.
    let mut parts = rest.split('-').skip(1);
    let dated = parts
        .next()
        .is_some_and(|year| year.len() >= 4 && rest.starts_with('-'))
        && rest.chars().all(|c| c == '-' || c.is_ascii_digit());
    rest.is_empty() || rest == "-latest" || dated
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
