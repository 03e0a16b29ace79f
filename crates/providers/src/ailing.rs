//! What is wrong with one model in use, told once, whatever it is asked for: it has ended or soon will, it is not there, or it
//! said nothing when it was asked last.

use runtime::ports::ModelWarning;
use settings::Settings;
use vocabulary::AskPurpose;

use crate::Models;
use crate::catalogue::{Provider, today};
use crate::exchange::room_advice;
use crate::purposes::Wanted;
use crate::resolve::Target;

/// The end of a model is told this many days before it comes.
const TOLD_DAYS_BEFORE: i64 = 60;

/// A model that is not there, or soon will not be.
#[derive(Debug)]
pub(crate) struct Ailing {
    model: String,
    /// What is said of it.
    problem: String,
    remedy: Remedy,
    broken: bool,
    /// It is named by settings; else it is taken because nobody named one.
    named: bool,
    successor: Option<String>,
    keys: Vec<&'static str>,
    purposes: Vec<&'static str>,
}

/// What helps.
#[derive(Clone, Copy, Debug)]
enum Remedy {
    /// Another model; this is said of one that is chosen without being named.
    Another(&'static str),
    /// Words of its own.
    Told(&'static str),
}

impl Ailing {
    /// What is wrong with the model that is asked for a purpose, and which setting names it.
    pub(crate) fn of(
        models: &Models,
        (wanted, key): (&Wanted, &'static str),
        target: &Target,
    ) -> Option<Self> {
        let (provider, model) = (target.provider, target.model.as_str());
        if matches!(provider, Provider::Offline | Provider::Compatible) {
            return None;
        }
        let today = today();
        let entry = models.catalogue().entry_on(provider, model, today);
        let listed = models.defaults.listed(provider, model);
        let ends = listed.flatten().and_then(|listed| listed.ends).or(entry.retires);
        let is_there = listed.flatten().is_some_and(|listed| !listed.is_over(today));
        let (broken, problem, remedy) = match (ends, listed) {
            (None, Some(Some(listed))) if listed.gone => {
                (true, format!("{provider} has shut down"), Remedy::Another(""))
            }
            (Some(end), _) if end <= today && !is_there => (
                true,
                format!("{provider} shut down on {end}"),
                Remedy::Another(""),
            ),
            (_, Some(None)) if provider.home() == Some(target.base_url.as_str()) => {
                let missing = format!("is not among the models that {provider} lists for this key");
                (true, missing, Remedy::Another(""))
            }
            // A gateway has names of its own, as Azure has those of deployments.
            (_, Some(None)) => (
                false,
                format!("is not among the models that are listed at {}", target.base_url),
                Remedy::Told("Nothing is to be done if it answers: a gateway need not list it"),
            ),
            (Some(end), _) if i64::from((end - today).get_days()) <= TOLD_DAYS_BEFORE => {
                (false, format!("ends on {end}"), Remedy::Another(" by itself"))
            }
            (_, None) if entry.closed => {
                let closed = format!("is closed to new users of {provider}");
                (false, closed, Remedy::Another(""))
            }
            _ => return None,
        };
        Some(Self {
            model: model.to_owned(),
            problem,
            remedy,
            broken,
            named: !wanted.choice.model.trim().is_empty(),
            successor: entry.successor,
            keys: vec![key],
            purposes: vec![wanted.purpose.words()],
        })
    }

    /// Whether it is the same trouble, for something else.
    pub(crate) fn is_the_same(&self, other: &Self) -> bool {
        (&self.model, &self.problem, self.named) == (&other.model, &other.problem, other.named)
    }

    /// It is asked for that, too.
    pub(crate) fn serves(&mut self, other: Self) {
        add(&mut self.keys, other.keys);
        add(&mut self.purposes, other.purposes);
    }

    pub(crate) fn told(self) -> ModelWarning {
        let Self { model, problem, .. } = &self;
        let keys = self.keys.join(" and ");
        let (are, them) = match self.keys.len() {
            1 => ("is", "it"),
            _ => ("are", "them"),
        };
        let who = match self.named {
            true => format!("{keys} {are} set to `{model}`, which"),
            false => format!("`{model}`, the default for {},", self.purposes.join(", ")),
        };
        let remedy = match (self.remedy, &self.successor, self.named) {
            (Remedy::Told(words), ..) => words.to_owned(),
            (Remedy::Another(how), Some(successor), true) => {
                format!("Set {keys} to {successor}, or reset {them} to have one chosen{how}")
            }
            (Remedy::Another(how), None, true) => {
                format!("Set {keys} to another model, or reset {them} to have one chosen{how}")
            }
            (Remedy::Another(_), _, false) => "Another is chosen as soon as there is one".to_owned(),
        };
        ModelWarning {
            text: format!("{who} {problem}. {remedy}"),
            broken: self.broken,
        }
    }
}

/// A model that used up what it may write and said nothing when it was asked last.
#[derive(Debug)]
pub(crate) struct Mute {
    pub(crate) model: String,
    tokens: Vec<String>,
    purposes: Vec<&'static str>,
    advice: Vec<String>,
}

impl Mute {
    /// Where it was asked for such a purpose.
    pub(crate) fn of(
        models: &Models,
        purpose: AskPurpose,
        target: &Target,
        settings: &Settings,
    ) -> Option<Self> {
        let quirks = models.surroundings().quirks;
        let tokens = quirks.mute(&target.base_url, &target.model, purpose)?;
        let keys = settings.keys_for(purpose);
        let allowed = u32::try_from(settings.llm.max_output_tokens).ok();
        Some(Self {
            model: target.model.clone(),
            tokens: vec![tokens.to_string()],
            purposes: vec![purpose.words()],
            advice: vec![room_advice(keys, settings.effort.of(purpose), allowed)],
        })
    }

    /// It was asked for that, too.
    pub(crate) fn serves(&mut self, other: Self) {
        add(&mut self.tokens, other.tokens);
        add(&mut self.purposes, other.purposes);
        add(&mut self.advice, other.advice);
    }

    pub(crate) fn told(self) -> ModelWarning {
        ModelWarning {
            text: format!(
                "`{}`, the model for {}, used all {} tokens that it may write without a word to say when it was asked last. {}",
                self.model,
                self.purposes.join(", "),
                self.tokens.join(" or "),
                self.advice.join(". ")
            ),
            broken: true,
        }
    }
}

fn add<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}
