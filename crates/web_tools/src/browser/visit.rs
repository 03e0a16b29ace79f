//! One visit of one page: there, wait until it has shown what it has to show, look.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use super::guard::{Guard, Progress, interception};
use super::proxy::Budget;
use super::trouble;
use super::wire::{Event, Fault, Wire};

/// How long the browser may take to answer a plain command.
const COMMAND_TIME: Duration = Duration::from_secs(10);
/// How long a page's own scripts may keep a look at it waiting.
const LOOK_TIME: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// A page that has loaded and does not become quiet is looked at all the same.
const UNQUIET_TIME: Duration = Duration::from_secs(3);

const SEE: &str = include_str!("seen.js");

/// Ways past the proxy and past the end of the page are taken away from its scripts; flags close them, too.
const TAKE_AWAY: &str = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', \
    'SharedWorker']) delete globalThis[name]; delete Navigator.prototype.serviceWorker; \
    globalThis.open = () => null;";

/// What was seen of a page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Seen {
    pub title: String,
    pub url: String,
    pub language: String,
    pub status: u16,
    /// What a person sees.
    pub text: String,
    /// The rendered page; empty where it is too large.
    pub html: String,
    /// Words and address.
    pub links: Vec<(String, String)>,
    /// What has to be said about it.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// A page of a browser.
#[derive(Debug)]
pub(super) struct Visit {
    wire: Wire,
    session: String,
    target: String,
    progress: watch::Receiver<Progress>,
    budget: Arc<Budget>,
    /// The document before the first navigation.
    blank: String,
    /// A script kept everybody waiting, and was ended.
    scripts_ended: AtomicBool,
    _guard: AbortOnDropHandle<()>,
}

impl Visit {
    /// Opens an empty page with nothing but the way to the web.
    pub(super) async fn open(
        wire: Wire,
        events: mpsc::Receiver<Event>,
        budget: Arc<Budget>,
    ) -> Result<Self, String> {
        let browser = async |method: &str, params: Value| wire.call(None, method, params, COMMAND_TIME).await;
        let context = browser("Target.createBrowserContext", json!({ "disposeOnDetach": true })).await?;
        let context = text(&context["browserContextId"]);
        let denied = json!({ "behavior": "deny", "browserContextId": context });
        browser("Browser.setDownloadBehavior", denied).await?;
        // Nothing is granted, and so everything is rejected without a question.
        let granted = json!({ "permissions": [], "browserContextId": context });
        browser("Browser.grantPermissions", granted).await?;
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        let target = text(&browser("Target.createTarget", blank).await?["targetId"]);
        let attach = json!({ "targetId": target, "flatten": true });
        let session = text(&browser("Target.attachToTarget", attach).await?["sessionId"]);

        let (sender, progress) = watch::channel(Progress::default());
        let guard = Guard {
            wire: wire.clone(),
            session: session.clone(),
            target: target.clone(),
            context,
            progress: sender,
        };
        let guard = AbortOnDropHandle::new(tokio::spawn(guard.stand(events)));
        let mut visit = Self {
            wire: wire.clone(),
            session,
            target,
            progress,
            budget,
            blank: String::new(),
            scripts_ended: AtomicBool::new(false),
            _guard: guard,
        };
        browser("Target.setDiscoverTargets", json!({ "discover": true })).await?;
        visit.call("Fetch.enable", interception()).await?;
        visit.call("Page.enable", json!({})).await?;
        visit
            .call("Page.setLifecycleEventsEnabled", json!({ "enabled": true }))
            .await?;
        let script = json!({ "source": TAKE_AWAY, "runImmediately": true });
        visit
            .call("Page.addScriptToEvaluateOnNewDocument", script)
            .await?;
        let tree = visit.call("Page.getFrameTree", json!({})).await?;
        visit.blank = text(&tree["frameTree"]["frame"]["loaderId"]);
        Ok(visit)
    }

    /// Goes to an address and says what is to be seen there at `until` at the latest.
    pub(super) async fn see(
        mut self,
        address: &Url,
        wait_for: Option<&str>,
        until: Instant,
    ) -> Result<Seen, String> {
        let remarks = match timeout_at(until, self.go(address)).await {
            Ok(gone) => {
                gone?;
                self.settle(wait_for, until).await?
            }
            Err(_) => return Err(trouble::late(address)),
        };
        let mut seen: Seen = serde_json::from_value(self.look(SEE).await?)
            .map_err(|_| format!("what {address} shows could not be read"))?;
        let on_the_web = seen.url.starts_with("http://") || seen.url.starts_with("https://");
        if !on_the_web {
            return Err(trouble::unreached(
                address,
                "ERR_ABORTED",
                &self.progress.borrow().wanted,
                &self.budget,
            ));
        }
        seen.remarks = remarks;
        if self.scripts_ended.load(Ordering::Relaxed) {
            seen.remarks
                .push("a script of the page did not end and was stopped".to_owned());
        }
        Ok(seen)
    }

    async fn go(&mut self, address: &Url) -> Result<(), String> {
        let navigate = json!({ "url": address.as_str() });
        let going = self.wire.call(
            Some(&self.session),
            "Page.navigate",
            navigate,
            Duration::from_secs(120),
        );
        let gone = tokio::select! {
            gone = going => gone?,
            () = self.budget.spent() => return Err(trouble::too_much(address, &self.budget)),
        };
        match gone["errorText"].as_str() {
            Some(error) if !error.is_empty() => {
                let wanted = self.progress.borrow().wanted.clone();
                Err(trouble::unreached(address, error, &wanted, &self.budget))
            }
            _ => Ok(()),
        }
    }

    /// Waits until the page has shown what it has to show; says what has to be said about it.
    async fn settle(&mut self, wait_for: Option<&str>, until: Instant) -> Result<Vec<String>, String> {
        let probe = probe(wait_for);
        let mut remarks = Vec::new();
        let mut length_before = None;
        let mut there_since = Instant::now();
        let mut loader = String::new();
        loop {
            let progress = self.progress.borrow().clone();
            if progress.crashed {
                return Err("the page broke the browser. Try web_scrape, or another page".to_owned());
            }
            if let Some(unreachable) = &progress.unreachable {
                return Err(trouble::unreached_later(unreachable, &self.budget));
            }
            if loader != progress.loader {
                loader.clone_from(&progress.loader);
                (there_since, length_before) = (Instant::now(), None);
            }
            let overdue = Instant::now() >= until;
            if overdue || self.budget.is_spent() {
                let why = match overdue {
                    true => "the page was not finished when the time was over",
                    false => "the page was stopped: it loads too much",
                };
                remarks.push(format!("{why}; this is what it showed"));
                break;
            }
            let there = loader != self.blank && !loader.is_empty();
            let unquiet = progress.loaded && there_since.elapsed() > UNQUIET_TIME;
            if there && (progress.quiet || unquiet) {
                match self.look(&probe).await {
                    Ok(seen) if seen["found"] == true && length_before == seen["length"].as_u64() => break,
                    Ok(seen) => length_before = seen["length"].as_u64(),
                    // Another document has taken its place meanwhile.
                    Err(why) => tracing::debug!(%why, "the page could not be looked at"),
                }
            }
            tokio::select! {
                () = sleep(LOOK_EVERY) => {}
                () = tokio::time::sleep_until(until) => {}
            }
        }
        if let Some(wanted) = wait_for.filter(|_| !remarks.is_empty()) {
            let found = self.look(&probe).await.is_ok_and(|seen| seen["found"] == true);
            if !found {
                remarks.push(format!("\"{wanted}\" did not appear"));
            }
        }
        remarks.extend(
            self.progress
                .borrow()
                .stopped
                .iter()
                .map(|why| format!("the page was stopped: {why}")),
        );
        Ok(remarks)
    }

    /// Evaluates a script beside the page's own. One that runs forever is ended, once.
    async fn look(&self, script: &str) -> Result<Value, Fault> {
        match self.look_once(script).await {
            Err(Fault::Late(_)) => {
                self.scripts_ended.store(true, Ordering::Relaxed);
                self.wire
                    .tell(Some(&self.session), "Runtime.terminateExecution", json!({}))
                    .await;
                self.look_once(script).await
            }
            looked => looked,
        }
    }

    async fn look_once(&self, script: &str) -> Result<Value, Fault> {
        let world = json!({ "frameId": self.target, "worldName": "denizen", "grantUniveralAccess": false });
        let session = Some(self.session.as_str());
        let world = self
            .wire
            .call(session, "Page.createIsolatedWorld", world, LOOK_TIME)
            .await?;
        let evaluate = json!({
            "expression": script, "contextId": world["executionContextId"], "returnByValue": true, "silent": true,
        });
        let mut looked = self
            .wire
            .call(session, "Runtime.evaluate", evaluate, LOOK_TIME)
            .await?;
        match looked.get("exceptionDetails") {
            Some(_) => Err(Fault::Failed("the page cannot be looked at".to_owned())),
            None => Ok(looked["result"]["value"].take()),
        }
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value, Fault> {
        self.wire
            .call(Some(&self.session), method, params, COMMAND_TIME)
            .await
    }
}

/// Whether what is waited for is there, and how much text there is.
fn probe(wait_for: Option<&str>) -> String {
    let wanted = Value::from(wait_for.unwrap_or_default());
    format!(
        "(() => {{ const wanted = {wanted}; const text = (document.body ?? document.documentElement)?.innerText ?? ''; \
         const fits = () => {{ try {{ return document.querySelector(wanted) !== null; }} catch {{ return false; }} }}; \
         return {{ length: text.length, found: !wanted || text.includes(wanted) || fits() }}; }})()"
    )
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
