//! A server that is a process of ours: started in a group of its own with little of our environment, and ended whole.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::plain;
use super::redaction::Secrets;

/// What a process gets of our environment. Not the keys of providers, which are none of its business.
const INHERITED: [&str; 15] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];

/// How long a process may take to leave after its input was closed.
const LEAVING: Duration = Duration::from_secs(2);

const STDERR_LINE_BYTES_MAX: usize = 2_000;

/// Lines of a process that go to the log; it may talk on, and is not listened to.
const STDERR_LINES_LOGGED_MAX: usize = 1_000;

const LAST_WORDS_LINES: usize = 3;

/// A process, with everything it started.
pub(crate) struct Process {
    child: Child,
    group: Option<u32>,
    last_words: LastWords,
}

/// The end of what a process said on standard error, with secrets taken out.
#[derive(Clone, Default)]
pub(crate) struct LastWords(Arc<Mutex<VecDeque<String>>>);

/// Starts it.
pub(crate) fn start(
    server: &str,
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    cwd: Option<&Path>,
    secrets: &Secrets,
) -> Result<(Process, ChildStdout, ChildStdin), String> {
    if let Some(folder) = cwd.filter(|folder| !folder.is_dir()) {
        return Err(format!("the folder {} (`cwd`) is not there", folder.display()));
    }
    let mut starting = Command::new(command);
    starting
        .args(args)
        .env_clear()
        .envs(
            INHERITED
                .iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .envs(env)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(folder) = cwd {
        starting.current_dir(folder);
    }
    #[cfg(unix)]
    starting.process_group(0);
    let mut child = starting
        .spawn()
        .map_err(|error| could_not_start(command, &error))?;
    let pipes = (child.stdout.take(), child.stdin.take(), child.stderr.take());
    let (Some(stdout), Some(stdin), Some(stderr)) = pipes else {
        return Err("its input and output cannot be had".to_owned());
    };
    let last_words = LastWords::default();
    tokio::spawn(listen(
        stderr,
        server.to_owned(),
        secrets.clone(),
        last_words.clone(),
    ));
    let process = Process {
        group: child.id(),
        child,
        last_words,
    };
    Ok((process, stdout, stdin))
}

impl Process {
    pub(crate) fn last_words(&self) -> LastWords {
        self.last_words.clone()
    }

    /// Waits a little for it to leave, and then ends it and all it started.
    pub(crate) async fn end(mut self) {
        let _ = tokio::time::timeout(LEAVING, self.child.wait()).await;
        self.kill_group();
        let _ = tokio::time::timeout(LEAVING, self.child.kill()).await;
    }

    fn kill_group(&mut self) {
        let Some(group) = self.group.take() else {
            return;
        };
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(group) {
            // An error means that nobody is left in it.
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(group),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
        #[cfg(not(unix))]
        let _ = group;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

impl LastWords {
    /// For a sentence about why it is not connected; empty where it said nothing.
    pub(crate) fn told(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match lines.is_empty() {
            true => String::new(),
            false => {
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                format!("; its last words: {}", plain::cut(&lines.join(" / "), 400))
            }
        }
    }

    fn add(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if lines.len() == LAST_WORDS_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }
}

fn could_not_start(command: &str, error: &std::io::Error) -> String {
    // The command stands in the file as it is here, unless a variable is in it.
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("the command {command} was not found. Install it, or write its full path as `command`")
        }
        std::io::ErrorKind::PermissionDenied => format!("the command {command} may not be run ({error})"),
        _ => format!("the command {command} could not be started: {error}"),
    }
}

/// Reads to the end, so that the process never waits for us, and keeps a bounded part of it.
async fn listen(mut stderr: impl AsyncRead + Unpin, server: String, secrets: Secrets, last_words: LastWords) {
    let mut buffer = [0_u8; 4_096];
    let mut line: Vec<u8> = Vec::new();
    let mut logged = 0;
    while let Ok(read) = stderr.read(&mut buffer).await {
        if read == 0 {
            break;
        }
        for byte in &buffer[..read] {
            match byte {
                b'\n' => take(&mut line, &server, &secrets, &last_words, &mut logged),
                byte if line.len() < STDERR_LINE_BYTES_MAX => line.push(*byte),
                _ => {}
            }
        }
    }
    take(&mut line, &server, &secrets, &last_words, &mut logged);
}

fn take(line: &mut Vec<u8>, server: &str, secrets: &Secrets, last_words: &LastWords, logged: &mut usize) {
    let text = secrets.hide(&plain::paragraph(
        &String::from_utf8_lossy(line),
        STDERR_LINE_BYTES_MAX,
    ));
    line.clear();
    if text.is_empty() {
        return;
    }
    if *logged < STDERR_LINES_LOGGED_MAX {
        *logged += 1;
        tracing::debug!(server, "{text}");
    }
    last_words.add(text);
}
