//! `browser_browse`: a real browser without a window, walled in. One browse at a time, each in a browser of its own
//! that is gone afterwards.

mod find;
mod flags;
mod focus;
mod guard;
mod memory;
mod process;
mod proxy;
mod show;
mod trouble;
mod visit;
mod wire;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fetching::{FetchPolicy, Fetcher};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, interval, timeout_at};
use tokio_util::task::AbortOnDropHandle;

use crate::arguments::BrowseErrand;
pub(crate) use find::find;
use process::Process;
use proxy::{Limits, Proxy};
pub(crate) use show::{PageView, show};
pub(crate) use visit::Seen;
use visit::Visit;
use wire::Wire;

/// Browses that wait for the one that is under way.
const WAITING_MAX: usize = 2;
/// Kept of the time, to look at a page that is not finished and to end the browser.
const LAST_LOOK: Duration = Duration::from_secs(4);
/// Memory of a browser and all its processes.
const MEMORY_KILOBYTES_MAX: u64 = 1_500_000;
const MEMORY_LOOK_EVERY: Duration = Duration::from_millis(500);
const COMPLAINT_CHARS_MAX: usize = 200;

/// Whose turn it is to browse.
#[derive(Debug)]
pub(crate) struct Browsers {
    /// The one under way, and those that wait.
    places: Arc<Semaphore>,
    turn: Arc<Semaphore>,
}

impl Default for Browsers {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(1 + WAITING_MAX)),
            turn: Arc::new(Semaphore::new(1)),
        }
    }
}

impl Browsers {
    /// Opens a page in a fresh browser and says what is to be seen. When this is dropped, the browser ends, too.
    pub(crate) async fn browse(
        &self,
        program: &Path,
        errand: &BrowseErrand,
        way: (Fetcher, FetchPolicy),
        time: Duration,
    ) -> Result<Seen, String> {
        let end = Instant::now() + time;
        let _place = self.places.clone().try_acquire_owned().map_err(|_| {
            "the browser is busy, and others wait for it: try again in a minute, or use web_scrape".to_owned()
        })?;
        let turn = timeout_at(end, self.turn.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err("the browser was busy all the time: try again, or use web_scrape".to_owned());
        };
        // A short time is halved between the page and the last look at it.
        let left = end.saturating_duration_since(Instant::now());
        let until = end - LAST_LOOK.min(left / 2);
        match timeout_at(end, browse(program, errand, way, turn, until)).await {
            Ok(seen) => seen,
            Err(_) => Err(trouble::late(&errand.page.url)),
        }
    }
}

async fn browse(
    program: &Path,
    errand: &BrowseErrand,
    (fetcher, policy): (Fetcher, FetchPolicy),
    turn: OwnedSemaphorePermit,
    until: Instant,
) -> Result<Seen, String> {
    let proxy = Proxy::start(fetcher, policy, Limits::default())
        .await
        .map_err(|why| format!("the browser has no way to the network: {why}"))?;
    let (process, pipes) = Process::start(program, proxy.address, turn).map_err(|why| {
        format!(
            "{} cannot be started: {why}. Check tools.browserPath",
            program.display()
        )
    })?;
    let complaints = AbortOnDropHandle::new(tokio::spawn(wire::complaints(pipes.complaints)));
    let (wire, events) = Wire::new(pipes.commands, pipes.answers);
    let visiting = async {
        let visit = match Visit::open(wire, events, proxy.budget.clone()).await {
            Ok(visit) => visit,
            Err(why) => return Err(Trouble::Start(why)),
        };
        let seen = visit
            .see(&errand.page.url, errand.wait_for.as_deref(), until)
            .await;
        seen.map_err(Trouble::Page)
    };
    let outcome = tokio::select! {
        outcome = visiting => outcome,
        () = outgrow(process.group()) => Err(Trouble::Page(format!(
            "{} was stopped: it takes more than {} MB of memory. Try web_scrape or another page",
            errand.page.url,
            MEMORY_KILOBYTES_MAX / 1_000
        ))),
    };
    tracing::debug!(bytes = proxy.budget.bytes(), "a browse is over");
    process.end().await;
    match outcome {
        Ok(seen) => Ok(seen),
        Err(Trouble::Page(why)) => Err(why),
        // The browser is gone, and so this ends.
        Err(Trouble::Start(why)) => Err(not_started(program, &why, &complaints.await.unwrap_or_default())),
    }
}

enum Trouble {
    /// The browser itself does not work.
    Start(String),
    Page(String),
}

/// Ends when the browser has taken more memory than it may.
async fn outgrow(group: i32) {
    let mut looking = interval(MEMORY_LOOK_EVERY);
    loop {
        looking.tick().await;
        let used = tokio::task::spawn_blocking(move || memory::of_group(group)).await;
        if used.is_ok_and(|used| used > MEMORY_KILOBYTES_MAX) {
            return;
        }
    }
}

fn not_started(program: &Path, why: &str, complaint: &str) -> String {
    // The rest of what it complains about is about a desktop that is not there.
    let telling = complaint.lines().rfind(|line| {
        [
            "sandbox",
            "FATAL",
            "error while loading",
            "not found",
            "namespace",
        ]
        .iter()
        .any(|word| line.contains(word))
    });
    let told = match telling {
        Some(line) => format!(" ({})", crate::plain::line(line, COMPLAINT_CHARS_MAX)),
        None => String::new(),
    };
    format!(
        "{} does not work as a browser: {why}{told}. Try it by hand, or set tools.browserPath",
        program.display()
    )
}
