//! The models that are taken where an operator names none: chosen from what the providers list, by the preferences of
//! the catalogue, and chosen anew when one of them ends.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures_util::future::join_all;
use runtime::ports::ModelMove;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::Models;
use crate::catalogue::{Catalogue, Provider, today};
use crate::choosing::{choose, why_not};
use crate::discover::Server;
use crate::gone::GoneModels;
use crate::kept_choice::KeptChoice;
use crate::keys::Keys;
use crate::lists::{ListFault, ListProblem, ListedModel, ModelList, list};
use crate::resolve::home;
use vocabulary::ModelRole;

/// A list that is younger than this is not asked for again, unless a model of it is said not to exist.
pub(crate) const LIST_IS_FRESH: Duration = Duration::from_secs(24 * 3_600);
/// The same where somebody wants it looked at again.
pub(crate) const LIST_IS_NEW: Duration = Duration::from_secs(60);
/// The same where a model of it is said not to exist.
const LIST_IS_DOUBTED: Duration = Duration::from_secs(5);
/// A list that could not be had is asked for again after this.
const LIST_FAILED_PAUSE: Duration = Duration::from_secs(600);
/// How long a provider may take to list its models; Denizen does not start before.
const LIST_PATIENCE: Duration = Duration::from_secs(5);
/// Moves that are remembered for communities that have not heard of them.
const MOVES_MAX: usize = 64;
/// Servers whose first model is remembered.
const SERVERS_MAX: usize = 256;

/// Where the lists come from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) keys: &'a Keys,
    pub(crate) models: &'a Models,
}

/// What is known of the models to take by default. Shared by all communities of a process.
#[derive(Debug)]
pub(crate) struct Defaults {
    state: Mutex<State>,
    moved: watch::Sender<u64>,
    /// Of two looks at the same time, the later must not ask again.
    looking: tokio::sync::Mutex<()>,
    /// Where the choice is kept across restarts.
    kept_in: Option<PathBuf>,
}

/// What was found and chosen.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) lists: BTreeMap<Provider, Looked>,
    chosen: BTreeMap<(Provider, ModelRole), Chosen>,
    /// Models that a provider has said not to know.
    pub(crate) unknown: GoneModels,
    /// The first model that a server listed, by its address.
    served: BTreeMap<String, String>,
    moves: Vec<(DefaultOf, ModelMove)>,
    /// Moves that were let go.
    moves_before: u64,
}

/// Whose default a model is, and for what; a server is told from others by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DefaultOf {
    pub(crate) provider: Provider,
    pub(crate) role: ModelRole,
    pub(crate) base_url: String,
}

/// A look at a provider's list.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(crate) at: Instant,
    /// Nothing came of it, although a list may be known from before.
    pub(crate) in_vain: bool,
    /// For a reason for which no question is answered either.
    pub(crate) shut_out: Option<ListProblem>,
    pub(crate) list: Result<Arc<ModelList>, String>,
}

/// A default, and why it is this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) model: String,
    pub(crate) because: String,
}

impl State {
    fn add_move(&mut self, of: DefaultOf, told: ModelMove) {
        if self.moves.len() >= MOVES_MAX {
            self.moves.remove(0);
            self.moves_before += 1;
        }
        self.moves.push((of, told));
    }
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            moved: watch::Sender::new(0),
            looking: tokio::sync::Mutex::new(()),
            kept_in: None,
        }
    }
}

impl Defaults {
    /// Goes on with what the last process had chosen, and keeps what this one does.
    pub(crate) fn kept_in(path: PathBuf) -> Self {
        let kept = KeptChoice::read(&path);
        let mut state = State {
            served: kept.served,
            unknown: GoneModels::of_kept(kept.gone),
            ..State::default()
        };
        for (provider, roles) in kept.chosen {
            let Some(provider) = Provider::from_name(&provider) else {
                continue;
            };
            for role in ModelRole::ALL {
                if let Some(model) = roles.get(role.name()) {
                    let because = "it was chosen before".to_owned();
                    let model = model.clone();
                    state.chosen.insert((provider, role), Chosen { model, because });
                }
            }
        }
        Self {
            state: Mutex::new(state),
            kept_in: Some(path),
            ..Self::default()
        }
    }

    /// The model to take where none is named; before anybody looked, what the catalogue prefers today.
    pub(crate) fn model(&self, provider: Provider, role: ModelRole, catalogue: &Catalogue) -> Chosen {
        let state = self.state();
        let looked = state.lists.contains_key(&provider);
        match state.chosen.get(&(provider, role)) {
            Some(chosen) if looked => chosen.clone(),
            _ => choose(&state, provider, role, catalogue, today()),
        }
    }

    /// What a provider's list says of a model: nothing known, not there, or this.
    pub(crate) fn listed(&self, provider: Provider, model: &str) -> Option<Option<ListedModel>> {
        let state = self.state();
        let list = state.lists.get(&provider)?.list.as_ref().ok()?;
        Some(list.get(model))
    }

    /// How a look at a provider's list ended.
    pub(crate) fn look(&self, provider: Provider) -> Option<Result<usize, String>> {
        let state = self.state();
        let looked = state.lists.get(&provider)?;
        Some(match &looked.list {
            Ok(list) => Ok(list.ids().count()),
            Err(problem) => Err(problem.clone()),
        })
    }

    /// The ids that a provider lists.
    pub(crate) fn ids(&self, provider: Provider) -> Vec<String> {
        let state = self.state();
        let list = state
            .lists
            .get(&provider)
            .and_then(|looked| looked.list.as_ref().ok());
        list.into_iter()
            .flat_map(|list| list.ids())
            .map(str::to_owned)
            .collect()
    }

    /// Asks every provider there is a key for, unless its list is younger than this, and chooses.
    pub(crate) async fn refresh(&self, sources: Sources<'_>, fresh_for: Duration) {
        let _looking = self.looking.lock().await;
        let providers = Provider::WITH_KEYS
            .into_iter()
            .filter(|provider| sources.keys.has(*provider) && !self.is_fresh(*provider, fresh_for));
        let lists = join_all(providers.map(|provider| async move {
            let found = match home(provider, sources.keys) {
                Ok(base_url) => {
                    let key = sources.keys.expose(provider);
                    let clients = sources.models.clients_of(provider);
                    let found = list(clients, provider, &base_url, key, LIST_PATIENCE).await;
                    found.map_err(|problem| ListProblem {
                        words: sources.keys.scrubbed(provider, &problem.words),
                        ..problem
                    })
                }
                Err(failure) => Err(ListProblem::new(ListFault::NoList, failure.detail)),
            };
            (provider, found)
        }))
        .await;
        for (provider, found) in lists {
            if let Err(problem) = &found {
                tracing::info!(%provider, problem = problem.words, "its list of models could not be had; the catalogue decides");
            }
            let mut state = self.state();
            let had = state
                .lists
                .get(&provider)
                .is_some_and(|looked| looked.list.is_ok());
            // An old list is better than none.
            let in_vain = found.is_err();
            let refusal = found.as_ref().err().filter(|problem| problem.shuts_out());
            let shut_out = refusal.cloned();
            if let Ok(list) = &found {
                state.unknown.heard(provider, list);
            }
            if !in_vain || !had {
                let list = found.map(Arc::new).map_err(|problem| problem.words);
                state.lists.insert(
                    provider,
                    Looked {
                        at: Instant::now(),
                        in_vain,
                        shut_out,
                        list,
                    },
                );
            } else if let Some(looked) = state.lists.get_mut(&provider) {
                looked.at = Instant::now();
                looked.in_vain = true;
                looked.shut_out = shut_out;
            }
        }
        self.choose_all(sources);
    }

    fn is_fresh(&self, provider: Provider, fresh_for: Duration) -> bool {
        let state = self.state();
        state.lists.get(&provider).is_some_and(|looked| {
            let fresh_for = match looked.in_vain {
                false => fresh_for,
                true => fresh_for.min(LIST_FAILED_PAUSE),
            };
            looked.at.elapsed() < fresh_for
        })
    }

    /// A provider says that it does not know a model that was taken by default: its list is looked at again, and another
    /// is chosen. Says whether there is another.
    pub(crate) async fn is_unknown(&self, provider: Provider, model: &str, sources: Sources<'_>) -> bool {
        {
            let mut state = self.state();
            let looked = state.lists.get(&provider);
            let list = looked.and_then(|looked| looked.list.as_ref().ok());
            // Where no list is known, it is taken to have it: that it has it later is then no news.
            let listed = list.is_none_or(|list| list.get(model).is_some());
            state.unknown.add(provider, model, listed, today());
        }
        self.refresh(sources, LIST_IS_DOUBTED).await;
        let state = self.state();
        let chosen = state.chosen.iter().filter(|((of, _), _)| *of == provider);
        let mut models = chosen.map(|(_, chosen)| chosen.model.as_str());
        !models.any(|chosen| chosen == model)
    }

    /// Chooses by what is known of models now, and says that there is news either way.
    pub(crate) fn choose_anew(&self, sources: Sources<'_>) {
        // Whoever has not looked yet has chosen nothing that could be replaced.
        if !self.state().lists.is_empty() {
            self.choose_all(sources);
        }
        self.moved.send_modify(|_| {});
    }

    fn choose_all(&self, sources: Sources<'_>) {
        let catalogue = sources.models.catalogue();
        let mut state = self.state();
        let today = today();
        let mut moved = false;
        for provider in Provider::WITH_KEYS
            .into_iter()
            .filter(|provider| sources.keys.has(*provider))
        {
            for role in ModelRole::ALL {
                let chosen = choose(&state, provider, role, &catalogue, today);
                let before = state.chosen.insert((provider, role), chosen.clone());
                let Some(before) = before.filter(|before| before.model != chosen.model) else {
                    continue;
                };
                let because = why_not(&state, provider, &before.model, &catalogue, today);
                tracing::warn!(%provider, role = role.name(), from = before.model, to = chosen.model, because, "the default model is another one now");
                let told = ModelMove {
                    provider: provider.name().to_owned(),
                    role: role.name().to_owned(),
                    from: before.model,
                    to: chosen.model,
                    because,
                };
                let of = DefaultOf {
                    provider,
                    role,
                    base_url: String::new(),
                };
                state.add_move(of, told);
                moved = true;
            }
        }
        self.settle(state, moved);
    }

    /// A server has listed its models, of which the first is taken where none is named.
    pub(crate) fn serves(&self, server: &Server) {
        let Some(first) = server.models.first() else {
            return;
        };
        let mut state = self.state();
        if state.served.len() >= SERVERS_MAX && !state.served.contains_key(&server.base_url) {
            state.served.clear();
        }
        let before = state.served.insert(server.base_url.clone(), first.clone());
        let before = before.filter(|before| before != first);
        let moved = before.is_some();
        if let Some(from) = before {
            let address = &server.base_url;
            let because = match server.models.contains(&from) {
                true => format!("{address} lists another one first now"),
                false if server.refused.contains(&from) => format!("{address} lists it and does not have it"),
                false => format!("{address} does not list it any more"),
            };
            tracing::warn!(from, to = first, because, "the default model is another one now");
            let of = DefaultOf {
                provider: Provider::Compatible,
                role: ModelRole::Main,
                base_url: server.base_url.clone(),
            };
            let told = ModelMove {
                provider: Provider::Compatible.name().to_owned(),
                role: ModelRole::Main.name().to_owned(),
                from,
                to: first.clone(),
                because,
            };
            state.add_move(of, told);
        }
        self.settle(state, moved);
    }

    /// Keeps what was chosen, and says so where something has moved.
    fn settle(&self, state: MutexGuard<'_, State>, moved: bool) {
        let count = state.moves_before + state.moves.len() as u64;
        self.keep(&state);
        drop(state);
        if moved {
            self.moved.send_replace(count);
        }
    }

    pub(crate) fn keep(&self, state: &State) {
        let Some(path) = &self.kept_in else { return };
        let mut kept = KeptChoice::default();
        for ((provider, role), chosen) in &state.chosen {
            let roles = kept.chosen.entry(provider.name().to_owned()).or_default();
            roles.insert(role.name().to_owned(), chosen.model.clone());
        }
        kept.served.clone_from(&state.served);
        kept.gone = state.unknown.kept();
        kept.write(path);
    }

    /// Says when there is another move.
    pub(crate) fn moved(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// Moves after the first so many that concern somebody, and how many there are now.
    pub(crate) fn moves_since(&self, seen: u64, concerned: &[DefaultOf]) -> (u64, Vec<ModelMove>) {
        let state = self.state();
        let skip = usize::try_from(seen.saturating_sub(state.moves_before)).unwrap_or(usize::MAX);
        let count = state.moves_before + state.moves.len() as u64;
        let moves = state.moves.iter().skip(skip);
        let moves = moves.filter(|(of, _)| concerned.contains(of));
        (count, moves.map(|(_, told)| told.clone()).collect())
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock can panic")
    }
}
