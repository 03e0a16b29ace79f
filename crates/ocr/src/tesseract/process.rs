//! A program that is fed and listened to, and does not outlive whoever waits for it.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// A table of a full screen has about a hundred kilobytes.
const OUTPUT_BYTES_MAX: u64 = 4 << 20;
/// What a program says when it fails; more is not read.
const COMPLAINT_BYTES_MAX: u64 = 4 << 10;
const COMPLAINT_CHARS_MAX: usize = 200;
/// From the end of its words to its own end, a program takes about a millisecond.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(2);

/// A program under way. Dropping it ends the program.
#[derive(Debug)]
pub(super) struct Run {
    child: Arc<Mutex<Child>>,
    output: oneshot::Receiver<Result<String, String>>,
}

impl Run {
    /// Starts a program and feeds it; `turn` is given back when it is over. Errors are for a person.
    pub(super) fn start(
        program: &Path,
        arguments: &[&str],
        input: Vec<u8>,
        turn: OwnedSemaphorePermit,
    ) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(arguments)
            // A room has other work for the machine.
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|problem| {
                format!(
                    "{} cannot be started: {problem}. Install tesseract, or choose another voice.streamWatch.textReader",
                    program.display()
                )
            })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // Three pipes and three threads: whichever fills up first, nobody waits for the other.
        std::thread::spawn(move || {
            // A program that has heard enough hangs up; what it says then tells why.
            let _ = stdin.map(|mut stdin| stdin.write_all(&input));
        });
        let complaining = std::thread::spawn(move || {
            let mut said = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = (&mut stderr).take(COMPLAINT_BYTES_MAX).read_to_end(&mut said);
                // The rest must not stand in the pipe either.
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&said).into_owned()
        });
        let child = Arc::new(Mutex::new(child));
        let (sender, output) = oneshot::channel();
        let watched = child.clone();
        std::thread::spawn(move || {
            let mut table = Vec::new();
            let read = stdout.map(|stdout| stdout.take(OUTPUT_BYTES_MAX + 1).read_to_end(&mut table));
            if table.len() as u64 > OUTPUT_BYTES_MAX {
                end(&watched);
            }
            let ended = wait(&watched);
            let complaint = complaining.join().unwrap_or_default();
            let outcome = match (read, ended) {
                _ if table.len() as u64 > OUTPUT_BYTES_MAX => Err("it does not stop talking".to_owned()),
                (Some(Ok(_)), Ok(status)) if status.success() => {
                    String::from_utf8(table).map_err(|_| "what it says is no text".to_owned())
                }
                (_, Ok(status)) => Err(format!("it failed ({status}){}", told(&complaint))),
                (_, Err(problem)) => Err(format!("it was lost: {problem}")),
            };
            // Before anybody hears of it, the next one may come.
            drop(turn);
            let _ = sender.send(outcome);
        });
        Ok(Self { child, output })
    }

    /// What it printed, once it is over.
    pub(super) async fn output(mut self) -> Result<String, String> {
        (&mut self.output)
            .await
            .unwrap_or_else(|_| Err("it was lost".to_owned()))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        end(&self.child);
    }
}

fn end(child: &Mutex<Child>) {
    let _ = child.lock().unwrap_or_else(PoisonError::into_inner).kill();
}

/// Waits until the program is over, in small steps: in between, it can be ended.
fn wait(child: &Mutex<Child>) -> std::io::Result<ExitStatus> {
    loop {
        let ended = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait()?;
        match ended {
            Some(status) => return Ok(status),
            None => std::thread::sleep(LOOK_AGAIN_AFTER),
        }
    }
}

fn told(complaint: &str) -> String {
    let words = complaint.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = words.chars().take(COMPLAINT_CHARS_MAX).collect();
    match short.trim_end_matches('.') {
        "" => String::new(),
        short => format!(": {short}"),
    }
}
