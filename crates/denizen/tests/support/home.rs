//! A data folder of its own, and the real program run on it without anything of this machine's environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ModelServer, Process, TOKEN, eventually};

/// Where one test's program lives.
pub struct Home {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Settings that make a room quick, with this server as its model. It remembers nothing: what memory asks and writes down
/// in the background would come between.
pub fn quick(model: &ModelServer) -> Value {
    json!({
        "llm.provider": "compatible",
        "llm.compatibleBaseUrl": model.base_url,
        "llm.model": "test-model",
        "activity.replyCoalesceWindowSeconds": 0,
        "activity.minSecondsBetweenMessages": 0,
        "activity.maxMessagesPerHour": 1000,
        "activity.retryDelaySeconds": 0.1,
        "memory.enabled": false,
    })
}

impl Home {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
            environment: Vec::new(),
        }
    }

    /// A home whose room is quick and asks this server.
    pub fn quick(model: &ModelServer) -> Self {
        let home = Self::new();
        home.configure(&quick(model));
        home
    }

    /// The same with a memory.
    pub fn remembering(model: &ModelServer) -> Self {
        let home = Self::new();
        let mut settings = quick(model);
        settings["memory.enabled"] = json!(true);
        home.configure(&settings);
        home
    }

    pub fn with_env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A place for a file beside the data folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, on this data folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_denizen"));
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("DENIZEN_DATA", self.data())
            .env("DENIZEN_TOKEN", TOKEN)
            .envs(self.environment.iter().cloned())
            .current_dir(self.folder.path())
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Finished {
        let output = self.command(arguments).output().expect("the program starts");
        Finished {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("its output is text"),
            err: String::from_utf8(output.stderr).expect("its errors are text"),
        }
    }

    /// Saves a whole settings document.
    pub fn configure(&self, document: &Value) {
        let file = self.file("settings.json");
        std::fs::write(&file, document.to_string()).expect("the folder can be written to");
        self.run(&["settings", "migrate", path(&file)]).succeeded();
    }

    /// Sets what is only set on the machine, and waits until the running room has taken it up.
    pub async fn set(&self, process: &Process, key: &str, value: &str) {
        self.run(&["settings", "set", key, value]).succeeded();
        let version = process.get("/api/settings").await["version"].clone();
        eventually("the setting is in force", async || {
            let journal = process.journal().await;
            let changed =
                |line: &Value| line["name"] == "settings_changed" && line["data"]["version"] == version;
            journal.iter().any(changed).then_some(())
        })
        .await;
    }

    /// Starts the room on a free port and waits until it is open.
    pub async fn start(&self) -> Process {
        self.start_with(&[]).await
    }

    pub async fn start_with(&self, arguments: &[&str]) -> Process {
        let mut all = vec!["run", "--port", "0"];
        all.extend(arguments);
        Process::start(self.command(&all)).await
    }

    /// The newest recording, or the one that holds an input, as a file.
    pub fn recording(&self, name: &str, holding: Option<u64>) -> PathBuf {
        let file = self.file(name);
        let holding = holding.map(|seq| seq.to_string());
        let mut arguments = vec!["recording", "--out", path(&file)];
        arguments.extend(holding.iter().flat_map(|seq| ["--holding", seq.as_str()]));
        self.run(&arguments).succeeded();
        file
    }

    /// Every stretch that was recorded, oldest first.
    pub fn recordings(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut holding = None;
        loop {
            let file = self.recording(&format!("stretch-{}.ndjson", files.len()), holding);
            let text = std::fs::read_to_string(&file).expect("the recording is text");
            let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
            let first = header["recording"]["segment"]["firstInput"]
                .as_u64()
                .expect("the number of its first input");
            files.insert(0, file);
            if first <= 1 {
                return files;
            }
            holding = Some(first - 1);
        }
    }
}

impl Finished {
    /// What it printed; it must have gone well.
    #[track_caller]
    pub fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.out
    }

    /// What it said went wrong; it must have failed in the way commands do.
    #[track_caller]
    pub fn failed(self) -> String {
        assert_eq!(self.code, Some(1), "{self:#?}");
        assert!(self.err.starts_with("denizen: "), "{self:#?}");
        self.err
    }
}

/// A path as an argument.
pub fn path(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}
