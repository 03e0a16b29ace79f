//! What a process has taken so far: of the processor and of the disk.

use std::time::Duration;

use crate::process::{Server, client};

/// Figures since the process began; with [`Taken::since`], of a while.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    pub user: Duration,
    pub system: Duration,
    /// How often it was waited for the disk, by the count of the store; none where an older program does not count it.
    pub waits: Option<u64>,
    pub commits: Option<u64>,
    /// Calls that write, to files and to sockets.
    pub write_calls: u64,
    /// Bytes that went to the disk.
    pub written: u64,
}

impl Taken {
    pub async fn by(server: &Server) -> anyhow::Result<Self> {
        let (user, system) = server.processor_times()?;
        let told = client()?.get(format!("{}/metrics", server.url)).send().await?;
        let told = told.text().await?;
        let figure = |name: &str| {
            let mut lines = told.lines().filter_map(|line| line.strip_prefix(name));
            lines.find_map(|value| value.trim().parse::<u64>().ok())
        };
        let (write_calls, written) = server.writes()?;
        Ok(Self {
            user,
            system,
            waits: figure("denizen_storage_waits_total"),
            commits: figure("denizen_storage_commits_total"),
            write_calls,
            written,
        })
    }

    /// Milliseconds of the processor that one of so many replies took.
    pub fn processor_ms_of(&self, replies: usize) -> f64 {
        (self.user + self.system).as_secs_f64() * 1e3 / replies.max(1) as f64
    }

    pub fn since(self, before: Self) -> Self {
        let between = |now: Option<u64>, then: Option<u64>| Some(now? - then?);
        Self {
            user: self.user.saturating_sub(before.user),
            system: self.system.saturating_sub(before.system),
            waits: between(self.waits, before.waits),
            commits: between(self.commits, before.commits),
            write_calls: self.write_calls - before.write_calls,
            written: self.written.saturating_sub(before.written),
        }
    }
}
