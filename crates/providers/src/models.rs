//! The door of this crate: every provider behind the shell's `Language` port.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use fetching::service::ServiceClients;
use runtime::ports::{
    AskedBy, CatalogueNews, Delta, Language, LanguageStatus, ModelMove, Prepared, RawResponse, Wire,
};
use settings::Settings;
use tokio::sync::{mpsc, watch};
use vocabulary::{
    AskAllowance, AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, ModelChoice,
    ModelRequest, ReplyModel,
};

use crate::allowance;
use crate::catalogue::{Catalogue, CurrentCatalogue, Provider};
use crate::defaults::{Defaults, LIST_IS_FRESH, LIST_IS_NEW, Sources};
use crate::exchange::Exchange;
use crate::http;
use crate::keys::Keys;
use crate::nearby::Paces;
use crate::offline::{self, ChooseReader, Eyes};
use crate::options::Options;
use crate::pictures::Shrunk;
use crate::purposes;
use crate::quirks::Quirks;
use crate::resolve::{Nobody, Resolution, Target, Wish};
use crate::served::{ServedModels, insist_on_window};
use crate::servers::{self, SomeTime};
use crate::sight::{blind, insist_on_picture, is_about_a_picture, read_after_all, read_instead, reader};
use crate::small;
use crate::status::{status, tell_choice};
use crate::trouble::Feature;
use crate::writing::{Surroundings, Writing, Written};

/// Resolutions that are kept; more than a process has communities that want something of their own.
const RESOLUTIONS_KEPT_MAX: usize = 1_024;

/// What was worked out, by what was wanted.
pub(crate) type Resolutions = HashMap<Wish, Arc<Resolution>>;

/// All language models there are. Cheap to share behind an `Arc`.
#[derive(Debug)]
pub struct Models {
    pub(crate) keys: Keys,
    pub(crate) clients: ServiceClients,
    /// For providers whose requests carry headers of the operator's.
    clients_of: BTreeMap<Provider, ServiceClients>,
    pub(crate) options: Options,
    pub(crate) quirks: Quirks,
    shrunk: Shrunk,
    served: ServedModels,
    paces: Paces,
    pub(crate) eyes: Eyes,
    pub(crate) catalogue: CurrentCatalogue,
    pub(crate) defaults: Defaults,
    /// What was worked out, by what was wanted.
    resolutions: Mutex<Resolutions>,
    /// Addresses of servers that were found on this machine: whoever listens there need not be ours.
    found: Mutex<BTreeSet<String>>,
    /// When a server that was not there is looked for again.
    looked_in_vain: SomeTime,
    /// Of two looks around at the same time, the later must win.
    looking: tokio::sync::Mutex<()>,
}

impl Models {
    /// With the usual ports and pauses.
    pub fn new(keys: Keys) -> Self {
        Self::with_options(keys, Options::default())
    }

    pub fn with_options(keys: Keys, options: Options) -> Self {
        Self {
            resolutions: Mutex::default(),
            found: Mutex::default(),
            clients_of: keys
                .with_headers()
                .map(|provider| (provider, keys.clients(provider)))
                .collect(),
            keys,
            clients: ServiceClients::default(),
            options,
            quirks: Quirks::default(),
            shrunk: Shrunk::default(),
            served: ServedModels::default(),
            paces: Paces::default(),
            eyes: Eyes::default(),
            catalogue: CurrentCatalogue::of(Catalogue::built_in()),
            defaults: Defaults::default(),
            looked_in_vain: SomeTime::default(),
            looking: tokio::sync::Mutex::new(()),
        }
    }

    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            catalogue: self.catalogue.get(),
            quirks: &self.quirks,
            shrunk: &self.shrunk,
            served: &self.served,
            paces: &self.paces,
        }
    }

    /// Has the text of screens read by whom this chooses, for notes of the built-in model.
    pub fn reading_with(mut self, choose: Box<ChooseReader>) -> Self {
        self.eyes = Eyes::chosen_by(choose);
        self
    }

    /// Has models known by this catalogue instead of the built-in one.
    pub fn knowing(mut self, catalogue: Catalogue) -> Self {
        self.catalogue = CurrentCatalogue::of(catalogue);
        self
    }

    /// Clients for requests to a provider.
    pub(crate) fn clients_of(&self, provider: Provider) -> &ServiceClients {
        self.clients_of.get(&provider).unwrap_or(&self.clients)
    }

    /// What a request to this address is sent with: a key and headers of the operator's go where they are meant for, and
    /// not to whatever listens on this machine.
    pub(crate) fn credentials(&self, provider: Provider, base_url: &str) -> (&ServiceClients, Option<&str>) {
        let found = self.found.lock().expect("no holder of this lock can panic");
        match provider == Provider::Compatible && found.contains(base_url) {
            true => (&self.clients, None),
            false => (self.clients_of(provider), self.keys.expose(provider)),
        }
    }

    /// The mark of what it is sent with.
    pub(crate) fn key_mark(&self, provider: Provider, base_url: &str) -> String {
        let found = self.found.lock().expect("no holder of this lock can panic");
        match provider == Provider::Compatible && found.contains(base_url) {
            true => String::new(),
            false => self.keys.mark(provider),
        }
    }

    /// Where lists of models come from.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            keys: &self.keys,
            models: self,
        }
    }

    /// What is known of what the settings want; before anybody looked around, what the keys say.
    pub(crate) fn resolution(&self, settings: &Settings) -> Arc<Resolution> {
        let wish = Wish::of(settings);
        let known = self.resolutions().get(&wish).cloned();
        known.unwrap_or_else(|| Arc::new(Resolution::at_first(&wish, &self.keys)))
    }

    pub(crate) fn resolutions(&self) -> MutexGuard<'_, Resolutions> {
        self.resolutions.lock().expect("no holder of this lock can panic")
    }

    async fn look(&self, settings: &Settings) {
        let wish = Wish::of(settings);
        let resolution = Resolution::new(&wish, &self.keys, &self.clients, &self.options).await;
        if let Some(address) = resolution.found() {
            let mut found = self.found.lock().expect("no holder of this lock can panic");
            found.insert(address.to_owned());
        }
        {
            let mut resolutions = self.resolutions();
            if resolutions.len() >= RESOLUTIONS_KEPT_MAX {
                resolutions.clear();
            }
            resolutions.insert(wish, Arc::new(resolution));
        }
        servers::look(self, settings).await;
    }

    /// Whom replies are asked of now.
    pub(crate) fn reply_target(&self, settings: &Settings) -> Result<Target, AskFailure> {
        let choice = self.resolution(settings).replies.clone();
        Ok(self.target(&choice, AskPurpose::TextReply, settings)?)
    }

    pub(crate) fn target(
        &self,
        choice: &ModelChoice,
        purpose: AskPurpose,
        settings: &Settings,
    ) -> Result<Target, Nobody> {
        self.resolution(settings).target(
            &self.keys,
            (&self.catalogue.get(), &self.defaults),
            choice,
            (purpose, settings),
        )
    }
}

#[async_trait]
impl Language for Models {
    fn prepare(
        &self,
        request: &ModelRequest,
        images: &BTreeMap<AttachmentId, Bytes>,
        settings: &Settings,
    ) -> Result<Prepared, AskFailure> {
        let resolution = self.resolution(settings);
        let target = resolution.target(
            &self.keys,
            (&self.catalogue.get(), &self.defaults),
            &request.choice,
            (request.purpose, settings),
        )?;
        insist_on_picture(request, images)?;
        let writing = Writing {
            request,
            pictures: images,
            provider: target.provider,
            model: &target.model,
            base_url: &target.base_url,
            typed: resolution.structured,
            effort: settings.effort.of(request.purpose),
            around: self.surroundings(),
            needs_room: false,
            left_out: Vec::new(),
            spared: Vec::new(),
        };
        if is_about_a_picture(request.purpose) && !writing.takes(Feature::Pictures) {
            let blind = || Err(blind(target.provider, &target.model, request.purpose));
            return read_instead(self, request, images, settings).unwrap_or_else(blind);
        }
        insist_on_window(request, writing.served())?;
        let Written { url, wire, body, .. } = writing.write();
        Ok(Prepared {
            provider: target.provider.name().to_owned(),
            wire,
            patience: http::patience(&target.base_url, settings),
            keys: purposes::keys_of(request, settings),
            url,
            body,
            typed: writing.typed,
            effort: writing.effort,
            pictures: images.clone(),
            reader: reader(self, target.provider, request.purpose, settings).filter(|_| !images.is_empty()),
            base_url: target.base_url,
            model: target.model,
            community: None,
        })
    }

    async fn send(
        &self,
        request: &ModelRequest,
        prepared: &Prepared,
        deltas: mpsc::Sender<Delta>,
        raw: RawResponse,
    ) -> AskOutcome {
        if prepared.wire == Wire::Offline {
            return offline::run(request, prepared, &self.eyes, &deltas, &raw).await;
        }
        let Some(provider) = Provider::from_name(&prepared.provider) else {
            let detail = format!(
                "`{}` is no provider; prepare the request again",
                prepared.provider
            );
            return AskOutcome::Failed(AskFailure::new(AskFailureKind::Rejected, detail));
        };
        let (clients, key) = self.credentials(provider, &prepared.base_url);
        for secret in self.keys.secrets(provider) {
            raw.hide(secret);
        }
        let exchange = Exchange {
            request,
            prepared,
            writing: Writing::of_prepared(request, prepared, provider, self.surroundings()),
            client: clients.for_address(&prepared.url),
            key,
            deltas: &deltas,
            raw: &raw,
            patience: prepared.patience,
            suspects: None,
            narrowing: None,
        };
        let mut outcome = exchange.run().await;
        if let Some(prepared) = read_after_all(request, prepared, &outcome) {
            return offline::run(request, &prepared, &self.eyes, &deltas, &raw).await;
        }
        match &mut outcome {
            AskOutcome::Failed(failure) => {
                failure.detail = self.keys.scrubbed(provider, &failure.detail);
            }
            AskOutcome::Answered(_) => {
                self.defaults.answered(provider, &prepared.model);
                servers::answered(self, &prepared.base_url, &prepared.model).await;
            }
        }
        outcome
    }

    async fn configure(&self, settings: &Settings) {
        let _looking = self.looking.lock().await;
        self.defaults.refresh(self.sources(), LIST_IS_NEW).await;
        self.look(settings).await;
        tell_choice(self, settings);
    }

    async fn detect(&self, settings: &Settings) {
        self.quirks.forget_all();
        self.defaults.try_all_again();
        self.defaults.refresh(self.sources(), Duration::ZERO).await;
        self.configure(settings).await;
    }

    async fn look_for(&self, choice: &ModelChoice, purpose: AskPurpose, settings: &Settings) -> bool {
        let target = self.target(choice, purpose, settings);
        let is_there = |target: &Target| target.provider != Provider::Offline || choice.provider != "auto";
        if target.as_ref().is_ok_and(is_there) || !self.looked_in_vain.is_due() {
            return false;
        }
        let _looking = self.looking.lock().await;
        self.look(settings).await;
        let found = self.target(choice, purpose, settings);
        let is_news = found.as_ref().is_ok_and(is_there);
        if is_news {
            tell_choice(self, settings);
        }
        is_news
    }

    async fn get_ready(&self, settings: &Settings) {
        let _looking = self.looking.lock().await;
        self.defaults.refresh(self.sources(), LIST_IS_FRESH).await;
        let is_known = self.resolutions().contains_key(&Wish::of(settings));
        if !is_known {
            self.look(settings).await;
            tell_choice(self, settings);
        }
    }

    async fn keep_up(&self) {
        self.defaults.refresh(self.sources(), LIST_IS_FRESH).await;
    }

    async fn moved_on(&self, request: &ModelRequest, prepared: &Prepared, outcome: &AskOutcome) -> bool {
        let is_unknown =
            matches!(outcome, AskOutcome::Failed(failure) if failure.kind == AskFailureKind::UnknownModel);
        is_unknown
            && request.choice.model.trim().is_empty()
            && servers::is_another_chosen(self, prepared).await
    }

    fn moved(&self) -> Option<watch::Receiver<u64>> {
        Some(self.defaults.moved())
    }

    fn moves_since(&self, seen: u64, settings: &Settings) -> (u64, Vec<ModelMove>) {
        self.defaults
            .moves_since(seen, &purposes::by_default(self, settings))
    }

    fn catalogue_since(&self, seen: u64) -> (u64, Vec<CatalogueNews>) {
        self.catalogue.news_since(seen)
    }

    fn lessons(&self) -> u64 {
        self.quirks.lessons() + self.served.lessons()
    }

    fn reply_model(&self, settings: &Settings) -> Option<ReplyModel> {
        small::reply_model(self, settings)
    }

    fn allowances(&self, settings: &Settings) -> BTreeMap<AskPurpose, AskAllowance> {
        allowance::allowances(self, settings)
    }

    fn asked_of(&self, purpose: AskPurpose, settings: &Settings) -> Option<ModelChoice> {
        purposes::asked_of(self, purpose, settings)
    }

    fn keys_heard_of(&self, settings: &Settings) -> BTreeMap<String, bool> {
        purposes::keys_heard_of(self, settings)
    }

    fn asked_by(&self, purpose: AskPurpose, settings: &Settings) -> Option<AskedBy> {
        purposes::asked_by(self, purpose, settings)
    }

    fn status(&self, settings: &Settings) -> LanguageStatus {
        status(self, settings)
    }
}
