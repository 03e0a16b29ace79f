//! Looks for the browser of this very test among the processes of the machine.

use std::fs;
use std::path::PathBuf;

/// A browser that was seen running.
#[derive(Clone, Debug)]
pub struct Sighting {
    group: u32,
    profile: PathBuf,
}

impl Sighting {
    /// The browser that this process has started.
    pub fn now() -> Option<Self> {
        let own = std::process::id();
        processes().into_iter().find_map(|process| {
            let (parent, group) = parent_and_group(process)?;
            let command = fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
            let profile = command
                .split(['\0', ' '])
                .find_map(|word| word.strip_prefix("--user-data-dir="))?;
            (parent == own).then(|| Self {
                group,
                profile: profile.into(),
            })
        })
    }

    /// The command line it was started with.
    pub fn command(&self) -> String {
        let command = fs::read_to_string(format!("/proc/{}/cmdline", self.group)).unwrap_or_default();
        command.replace('\0', "\n")
    }

    /// What is left of it: processes that still run, and files. Those that have ended and wait for their parent
    /// to notice are gone.
    pub fn left(&self) -> Vec<String> {
        let runs = |process: &u32| {
            let group = parent_and_group(*process).map(|(_, group)| group);
            let mentions = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            group == Some(self.group) || mentions.contains(&*self.home().to_string_lossy())
        };
        let mut left: Vec<String> = processes()
            .into_iter()
            .filter(runs)
            .map(|process| format!("process {process}"))
            .collect();
        if self.home().exists() {
            left.push(self.home().display().to_string());
        }
        left
    }

    fn home(&self) -> PathBuf {
        self.profile
            .parent()
            .expect("a folder around the profile")
            .to_owned()
    }
}

fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("a Linux");
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// None for a process that has ended.
fn parent_and_group(process: u32) -> Option<(u32, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace();
    if fields.next()? == "Z" {
        return None;
    }
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}
