//! The running program: started, watched, stopped gently or at once.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::sync::mpsc;

use super::{PATIENCE, TOKEN, eventually};

/// A room that is open.
pub struct Process {
    child: Child,
    pub url: String,
    /// Shows the token of administrators.
    pub client: Client,
    /// The link that it printed for whoever started it.
    pub link: String,
    errors: Arc<Mutex<String>>,
}

impl Process {
    pub async fn start(mut command: Command) -> Self {
        fetching::service::install_tls();
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let errors = gather(child.stderr.take().expect("a pipe"));
        let mut said = lines(child.stdout.take().expect("a pipe"));
        // Made before anything can go wrong, so that the child never outlives a failed test.
        let mut process = Self {
            child,
            url: String::new(),
            link: String::new(),
            client: knowing(TOKEN),
            errors,
        };
        let greeting = tokio::time::timeout(PATIENCE, said.recv())
            .await
            .expect("it says where it is")
            .unwrap_or_default();
        let Some((_, url)) = greeting.split_once(" is in the room: ") else {
            let _ = process.child.wait();
            panic!("it did not come up; it said {greeting:?} and {}", process.log());
        };
        process.url = url.trim_end_matches('/').to_owned();
        let line = tokio::time::timeout(PATIENCE, said.recv()).await;
        let line = line.expect("it goes on").unwrap_or_default();
        let link = line.trim().strip_prefix("open it with ");
        process.link = link
            .and_then(|link| link.split(' ').next())
            .unwrap_or_default()
            .to_owned();
        process
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is ours to wait for");
    }

    /// Asks it to end, as a service manager does, and waits until it has.
    pub async fn terminate(&mut self) -> ExitStatus {
        let asked = Command::new("sh")
            .args(["-c", "kill -TERM \"$0\"", &self.child.id().to_string()])
            .status()
            .expect("there is a shell");
        assert!(asked.success());
        eventually("the process ends after SIGTERM", async || {
            self.child.try_wait().expect("it is ours to wait for")
        })
        .await
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has written to its log so far.
    pub fn log(&self) -> String {
        self.errors.lock().expect("not poisoned").clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- log of {}\n{}", self.url, self.log());
        }
    }
}

/// Somebody who shows a token with every call that shows no other.
pub fn knowing(token: &str) -> Client {
    let bearer = HeaderValue::from_str(&format!("Bearer {token}")).expect("tokens are plain");
    let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
    let built = Client::builder().default_headers(headers).build();
    built.expect("a client")
}

fn lines(from: impl Read + Send + 'static) -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            // Read on even if nobody listens, or the program would wait for us.
            let _ = sender.send(line);
        }
    });
    receiver
}

fn gather(from: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let gathered = Arc::new(Mutex::new(String::new()));
    let into = gathered.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let mut into = into.lock().expect("not poisoned");
            into.push_str(&line);
            into.push('\n');
        }
    });
    gathered
}
