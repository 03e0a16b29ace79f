//! Stands beside the page while it is open: lets through what is needed to read it, and knows how far it has got.

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::wire::{Event, Wire};

/// Navigations of the page by itself or by scripts; redirects of a server are the browser's to count.
const NAVIGATIONS_MAX: u32 = 5;

/// What is asked about before it is loaded. Nothing of the others is needed to read a page.
const LOOKED_AT: [&str; 5] = ["Document", "Image", "Media", "Font", "Ping"];

/// How far the page has got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Which document is there; another one with every navigation.
    pub loader: String,
    pub loaded: bool,
    /// Nothing has been loading for half a second.
    pub quiet: bool,
    pub navigations: u32,
    /// The address that was wanted last.
    pub wanted: String,
    /// The address that could not be had, when the browser shows an error of its own.
    pub unreachable: Option<String>,
    /// Why the page was not let go elsewhere.
    pub stopped: Option<String>,
    pub crashed: bool,
}

/// The page that is looked after.
#[derive(Debug)]
pub(super) struct Guard {
    pub wire: Wire,
    pub session: String,
    /// The target, and its frame at the top: they have one name.
    pub target: String,
    pub context: String,
    pub progress: watch::Sender<Progress>,
}

/// What has to be switched on for a guard to see what it looks at.
pub(super) fn interception() -> Value {
    let pattern = |kind: &str| json!({ "urlPattern": "*", "resourceType": kind, "requestStage": "Request" });
    json!({ "patterns": LOOKED_AT.map(pattern) })
}

impl Guard {
    pub(super) async fn stand(self, mut events: mpsc::Receiver<Event>) {
        while let Some(event) = events.recv().await {
            self.look_at(&event.method, &event.params).await;
        }
        self.progress.send_modify(|progress| progress.crashed = true);
    }

    async fn look_at(&self, method: &str, params: &Value) {
        match method {
            "Fetch.requestPaused" => self.decide(params).await,
            "Page.lifecycleEvent" if params["frameId"] == *self.target => self.advance(params),
            "Page.frameNavigated" if params["frame"]["id"] == *self.target => {
                let unreachable = params["frame"]["unreachableUrl"].as_str().map(str::to_owned);
                self.progress
                    .send_modify(|progress| progress.unreachable = unreachable);
            }
            "Page.javascriptDialogOpening" => {
                let dismiss = json!({ "accept": false });
                self.tell("Page.handleJavaScriptDialog", dismiss).await;
            }
            "Target.targetCreated" => {
                let info = &params["targetInfo"];
                let another = info["targetId"] != *self.target && info["type"] == "page";
                if another && info["browserContextId"] == *self.context {
                    let close = json!({ "targetId": info["targetId"] });
                    self.wire.tell(None, "Target.closeTarget", close).await;
                }
            }
            "Target.targetCrashed" | "Target.targetDestroyed" if params["targetId"] == *self.target => {
                self.progress.send_modify(|progress| progress.crashed = true);
            }
            _ => {}
        }
    }

    fn advance(&self, params: &Value) {
        let loader = params["loaderId"].as_str().unwrap_or_default();
        self.progress.send_modify(|progress| {
            if progress.loader != loader {
                progress.loader = loader.to_owned();
                (progress.loaded, progress.quiet) = (false, false);
            }
            match params["name"].as_str() {
                Some("load") => progress.loaded = true,
                // Pages that hold a line open to their server are quiet with it.
                Some("networkAlmostIdle" | "networkIdle") => progress.quiet = true,
                _ => {}
            }
        });
    }

    async fn decide(&self, params: &Value) {
        let refusal = match params["resourceType"].as_str() {
            // The text of a page does not have that of the frames in it.
            Some("Document") if params["frameId"] != *self.target => Some("BlockedByClient"),
            Some("Document") if self.may_go(params) => None,
            Some("Document") => Some("Aborted"),
            Some(kind) if LOOKED_AT.contains(&kind) => Some("BlockedByClient"),
            _ => None,
        };
        let request = params["requestId"].clone();
        match refusal {
            Some(reason) => {
                let fail = json!({ "requestId": request, "errorReason": reason });
                self.tell("Fetch.failRequest", fail).await;
            }
            None => {
                self.tell("Fetch.continueRequest", json!({ "requestId": request }))
                    .await
            }
        }
    }

    /// Whether the page may go to an address; counts it.
    fn may_go(&self, params: &Value) -> bool {
        let address = params["request"]["url"].as_str().unwrap_or_default();
        let redirected = params.get("redirectedRequestId").is_some();
        let on_the_web = address.starts_with("http://") || address.starts_with("https://");
        let mut may = on_the_web;
        self.progress.send_modify(|progress| {
            if !on_the_web {
                progress.stopped = Some("it wanted to go to something that is not on the web".to_owned());
                return;
            }
            progress.navigations += u32::from(!redirected);
            if progress.navigations > NAVIGATIONS_MAX {
                progress.stopped = Some(format!("it wanted to go on more than {NAVIGATIONS_MAX} times"));
                may = false;
                return;
            }
            progress.wanted = address.to_owned();
        });
        may
    }

    async fn tell(&self, method: &str, params: Value) {
        self.wire.tell(Some(&self.session), method, params).await;
    }
}
