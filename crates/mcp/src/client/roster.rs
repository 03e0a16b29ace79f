//! Who stands in `mcp.json`: read whenever it changes, started and stopped accordingly.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::config::{self, Document, Entry};
use super::file::{Seen, WatchedFile};
use super::link::Link;
use super::reconnecting;
use super::servers::{Environment, ReconnectPace};

/// What is known of the file and its servers.
pub(crate) struct Roster {
    pub(crate) changes: Arc<watch::Sender<u64>>,
    members: Mutex<BTreeMap<String, Member>>,
    /// What is wrong with the file.
    problem: Mutex<Option<String>>,
}

/// One entry of the file.
pub(crate) struct Member {
    /// As it stands in the file; another text is another server.
    words: Value,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    Kept {
        link: Arc<Link>,
        stop: CancellationToken,
    },
    Disabled,
    Refused(String),
}

impl Roster {
    pub(crate) fn new() -> Self {
        Self {
            changes: Arc::new(watch::Sender::new(0)),
            members: Mutex::default(),
            problem: Mutex::default(),
        }
    }

    pub(crate) fn members(&self) -> MutexGuard<'_, BTreeMap<String, Member>> {
        self.members
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn problem(&self) -> MutexGuard<'_, Option<String>> {
        self.problem
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Reads the file whenever it changes, and starts and stops what it names.
pub(crate) struct Reader {
    roster: Arc<Roster>,
    file: WatchedFile,
    environment: Environment,
    pace: ReconnectPace,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Reader {
    pub(crate) fn new(
        roster: Arc<Roster>,
        file: PathBuf,
        environment: Environment,
        pace: ReconnectPace,
        stop: CancellationToken,
        tasks: TaskTracker,
    ) -> Self {
        Self {
            roster,
            file: WatchedFile::new(file),
            environment,
            pace,
            stop,
            tasks,
        }
    }

    pub(crate) async fn watch(&mut self) {
        loop {
            tokio::select! {
                () = tokio::time::sleep(self.pace.polling) => self.look(),
                () = self.stop.cancelled() => return,
            }
        }
    }

    pub(crate) fn look(&mut self) {
        let read = match self.file.look() {
            None => return,
            Some(Seen::Nothing) => Ok(Document::default()),
            Some(Seen::Unreadable(why)) => Err(why),
            Some(Seen::Text(text)) => config::read(&text, &*self.environment),
        };
        match read {
            Ok(document) => {
                *self.roster.problem() = document.remark.clone();
                self.apply(document);
            }
            Err(why) => {
                tracing::warn!("mcp.json cannot be used: {why}");
                *self.roster.problem() = Some(format!(
                    "mcp.json cannot be used: {why}. The servers of before stay; it is read again when it changes"
                ));
            }
        }
    }

    fn apply(&self, mut document: Document) {
        let mut members = self.roster.members();
        let before = members.len();
        // What stands in the file as before is left alone.
        members.retain(|name, member| {
            let stays = document
                .servers
                .get(name)
                .is_some_and(|(words, _)| *words == member.words);
            if stays {
                document.servers.remove(name);
            } else if let Kind::Kept { stop, .. } = &member.kind {
                stop.cancel();
            }
            stays
        });
        let gone = members.len() < before;
        for (name, (words, entry)) in document.servers {
            members.insert(
                name,
                Member {
                    words,
                    kind: self.begin(entry),
                },
            );
        }
        drop(members);
        if gone {
            self.roster.changes.send_modify(|generation| *generation += 1);
        }
    }

    fn begin(&self, entry: Entry) -> Kind {
        match entry {
            Entry::Disabled => Kind::Disabled,
            Entry::Refused(why) => {
                tracing::warn!("{why}");
                Kind::Refused(why)
            }
            Entry::Wanted(config) => {
                let link = Arc::new(Link::new(*config, self.roster.changes.clone()));
                let stop = self.stop.child_token();
                self.tasks
                    .spawn(reconnecting::keep(link.clone(), self.pace, stop.clone()));
                Kind::Kept { link, stop }
            }
        }
    }
}
