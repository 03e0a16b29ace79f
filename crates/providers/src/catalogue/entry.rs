//! What is known of one model.

use jiff::civil::Date;

use super::Provider;

/// What is known of a model. Nothing in it is ever missing for lack of an entry: what is not listed is guessed from
/// its family, then from its provider, and says so.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelEntry {
    pub provider: Provider,
    pub model: String,
    pub known: Known,
    /// None only where nobody can say: a stranger's server with a model of no known family.
    pub prices: Option<Prices>,
    pub price_source: PriceSource,
    pub context_tokens: Option<u64>,
    pub output_tokens_max: Option<u64>,
    /// From this day on it answers nobody.
    pub retires: Option<Date>,
    /// The one to take instead.
    pub successor: Option<String>,
    /// New users are refused.
    pub closed: bool,
    pub abilities: Abilities,
    /// The keys that an operator's own catalogue has set.
    pub set_by_operator: Vec<&'static str>,
}

impl ModelEntry {
    /// Whether its abilities are those of relatives.
    pub fn is_guessed(&self) -> bool {
        matches!(self.known, Known::Family(_) | Known::Provider)
    }

    /// Whether it has ended by a day.
    pub fn is_retired(&self, today: Date) -> bool {
        self.retires.is_some_and(|end| end <= today)
    }

    /// Days until it ends; none where no end is known, nought once it has ended.
    pub fn days_left(&self, today: Date) -> Option<i64> {
        let end = self.retires?;
        let days = (end - today).get_days();
        Some(i64::from(days).max(0))
    }
}

/// How a model came to be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// By its own id.
    Listed,
    /// As a dated release of this model.
    Release(String),
    /// By the beginning of its name.
    Family(String),
    /// Only by whose it is.
    Provider,
}

/// Dollars per million tokens, which is the same number as micro-dollars per token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    pub input: f64,
    pub cached_input: f64,
    pub cache_write: f64,
    pub output: f64,
}

/// What a model costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    pub rates: Rates,
    /// Prompts of more tokens than this cost this, from their first token on.
    pub long_prompt: Option<(u64, Rates)>,
}

impl Prices {
    /// What a prompt of some length is charged at.
    pub fn rates_for(&self, prompt_tokens: u64) -> Rates {
        match self.long_prompt {
            Some((over, rates)) if prompt_tokens > over => rates,
            _ => self.rates,
        }
    }
}

/// Where a price comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceSource {
    /// It was looked up.
    Listed,
    /// The catalogue says that it is a guess.
    Guessed,
    /// There is none: it is taken for as dear as this one, the dearest of its family or provider.
    DearestOf(String),
    /// A stranger's server has a model of this name: it is taken for what its maker asks.
    MakersPrice(Provider),
    /// It runs on this machine.
    Free,
    /// Nobody can say.
    Unknown,
}

impl PriceSource {
    /// Whether a cost that was worked out from it is a guess.
    pub fn is_assumed(&self) -> bool {
        !matches!(self, PriceSource::Listed | PriceSource::Free)
    }
}

/// What a model can do, as far as is known before it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abilities {
    pub api: Api,
    pub tools: bool,
    /// Answers bound to a JSON schema.
    pub schema: bool,
    /// The same beside tools.
    pub schema_with_tools: bool,
    /// Media types of pictures; none where it cannot see.
    pub pictures: Vec<String>,
    pub picture_bytes_max: Option<u64>,
    pub temperature: bool,
    /// The words it takes for how long to think, the least first; none where it takes none.
    pub effort: Vec<String>,
    pub thinking: Thinking,
}

impl Abilities {
    /// Whether it takes pictures of a kind.
    pub fn sees(&self, media_type: &str) -> bool {
        self.pictures.iter().any(|known| known == media_type)
    }
}

/// Whether a model thinks before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    None,
    /// Only where asked for.
    Optional,
    /// Unless told not to.
    Default,
    Always,
}

impl Thinking {
    pub(super) const NAMES: [(&'static str, Thinking); 4] = [
        ("none", Thinking::None),
        ("optional", Thinking::Optional),
        ("default", Thinking::Default),
        ("always", Thinking::Always),
    ];

    /// The name as the catalogue writes it.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, thinking)| *thinking == self);
        named.map_or("none", |(name, _)| name)
    }
}

/// Which of a provider's interfaces a model is asked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// OpenAI's chat completions, and whoever speaks like them.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Gemini's generateContent.
    Generate,
}

impl Api {
    pub(super) const NAMES: [(&'static str, Api); 4] = [
        ("chat", Api::Chat),
        ("responses", Api::Responses),
        ("messages", Api::Messages),
        ("generate", Api::Generate),
    ];

    /// The name as the catalogue writes it.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, api)| *api == self);
        named.map_or("chat", |(name, _)| name)
    }
}
