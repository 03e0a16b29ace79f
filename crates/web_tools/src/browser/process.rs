//! One browser process with a profile of its own. It is ended with everything it has started, and its profile is
//! removed, however whoever wanted it comes to an end.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;
use tokio::net::unix::pipe;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::flags::flags;
use super::memory::started_in;

/// The folder of the profile within that of the browse.
const PROFILE: &str = "p";
const PROFILE_PREFIX: &str = "denizen-browser-";
/// No browse takes nearly as long: a profile that old was left behind by a process that was ended in the middle.
const PROFILE_LEFT_AFTER: Duration = Duration::from_secs(3_600);
/// Removing a profile is tried so often: a process that was ended may still be closing files.
const REMOVAL_TRIES: u32 = 50;
const REMOVAL_TRY_AFTER: Duration = Duration::from_millis(20);

/// The browser wants its commands on descriptor 3 and answers on 4; a shell puts the pipes there, and steps aside.
const HAND_OVER: &str = r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// A running browser. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    running: Option<(Child, TempDir, OwnedSemaphorePermit)>,
    group: Pid,
}

/// The pipes of a browser.
#[derive(Debug)]
pub(super) struct Pipes {
    pub commands: pipe::Sender,
    pub answers: pipe::Receiver,
    pub complaints: pipe::Receiver,
}

impl Process {
    /// Starts a browser; `turn` is given back when it is gone and its profile is removed.
    pub(super) fn start(
        program: &Path,
        proxy: SocketAddr,
        turn: OwnedSemaphorePermit,
    ) -> io::Result<(Self, Pipes)> {
        remove_left_behind();
        let profile = tempfile::Builder::new().prefix(PROFILE_PREFIX).tempdir()?;
        let home = profile.path();
        set_preferences(home)?;
        let mut child = Command::new("/bin/sh")
            .args(["-c", HAND_OVER, "sh"])
            .arg(program)
            .args(flags(&home.join(PROFILE), proxy))
            .arg("about:blank")
            // Nothing of Denizen's environment: there are keys in it.
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8")
            .env("HOME", home)
            .env("TMPDIR", home)
            .env("XDG_CONFIG_HOME", home)
            .env("XDG_CACHE_HOME", home)
            .env("XDG_RUNTIME_DIR", home)
            // There is no desktop to talk to.
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
            .env("DBUS_SYSTEM_BUS_ADDRESS", "disabled:")
            .current_dir(home)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let group = Pid::from_child(&child);
        let taken = "the pipe was asked for";
        let stdin = child.stdin.take().expect(taken);
        let stdout = child.stdout.take().expect(taken);
        let stderr = child.stderr.take().expect(taken);
        let process = Self {
            running: Some((child, profile, turn)),
            group,
        };
        let pipes = Pipes {
            commands: pipe::Sender::from_owned_fd(stdin.into())?,
            answers: pipe::Receiver::from_owned_fd(stdout.into())?,
            complaints: pipe::Receiver::from_owned_fd(stderr.into())?,
        };
        Ok((process, pipes))
    }

    /// The process group of the browser and all it has started.
    pub(super) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Ends it, and waits until nothing is left of it.
    pub(super) async fn end(mut self) {
        if let Some(gone) = self.let_go() {
            let _ = gone.await;
        }
    }

    fn let_go(&mut self) -> Option<oneshot::Receiver<()>> {
        let (mut child, profile, turn) = self.running.take()?;
        let group = self.group;
        let _ = kill_process_group(group, Signal::KILL);
        let (sender, gone) = oneshot::channel();
        // A thread of its own: this happens in `drop` too, where nobody can wait.
        std::thread::spawn(move || {
            let _ = child.wait();
            for _ in 0..REMOVAL_TRIES {
                // Once more: one that was just being started has joined the group since, and some leave it.
                let nobody_left = kill_process_group(group, Signal::KILL).is_err();
                for process in started_in(profile.path()).into_iter().filter_map(Pid::from_raw) {
                    let _ = kill_process(process, Signal::KILL);
                }
                if nobody_left && fs::remove_dir_all(profile.path()).is_ok() {
                    break;
                }
                std::thread::sleep(REMOVAL_TRY_AFTER);
            }
            drop(profile);
            drop(turn);
            let _ = sender.send(());
        });
        Some(gone)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// What a profile has to say from its first moment on; there are no flags for it.
fn set_preferences(home: &Path) -> io::Result<()> {
    let preferences = serde_json::json!({
        // Calls between browsers would go past the proxy.
        "webrtc": {
            "ip_handling_policy": "disable_non_proxied_udp",
            "multiple_routes_enabled": false,
            "nonproxied_udp_enabled": false,
        },
        // Nothing is fetched because it might be wanted next.
        "net": { "network_prediction_options": 2 },
        "safebrowsing": { "enabled": false },
        "download_restrictions": 3,
    });
    let folder = home.join(PROFILE).join("Default");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Preferences"), preferences.to_string())
}

/// Removes the profiles of processes that were ended before they could do so themselves.
fn remove_left_behind() {
    let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
        return;
    };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PROFILE_PREFIX);
        let changed = entry.metadata().and_then(|found| found.modified());
        let age = changed
            .ok()
            .and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if ours && age.is_some_and(|age| age > PROFILE_LEFT_AFTER) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
