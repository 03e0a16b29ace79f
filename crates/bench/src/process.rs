//! A real process: how soon it is healthy, and how much memory it takes before and after a long conversation.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};

/// Messages written at the same time; the room is one, the writers are several.
const WRITERS: usize = 16;
/// One message in so many addresses Denizen.
const ADDRESSED_EVERY: usize = 100;

/// Linux tells the time of other processes in hundredths of a second, whatever its own clock does.
const TICK_MILLISECONDS: u64 = 10;

/// A process that hosts a thousand communities reads all of them back first.
const HEALTHY_WITHIN: Duration = Duration::from_secs(120);

/// What the process that is measured asks for.
pub const TOKEN: &str = "a-token-for-the-bench-only-4c1e";

/// Somebody who knows the token.
pub fn client() -> anyhow::Result<reqwest::Client> {
    let bearer = HeaderValue::from_str(&format!("Bearer {TOKEN}"))?;
    let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
    Ok(reqwest::Client::builder().default_headers(headers).build()?)
}

/// The program that is measured.
#[derive(Debug, Args)]
pub struct Program {
    /// The program that is measured; the `denizen` beside this one if it is not given.
    #[arg(long, value_name = "PROGRAM")]
    denizen: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Options {
    /// Messages written to the room before memory is looked at again.
    #[arg(long, default_value_t = 10_000)]
    messages: usize,
    /// How often the process is started to see how soon it is healthy.
    #[arg(long, default_value_t = 5, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    starts: usize,
    #[command(flatten)]
    program: Program,
}

impl Program {
    /// Where it is.
    pub fn path(&self) -> anyhow::Result<PathBuf> {
        let program = match &self.denizen {
            Some(program) => program.clone(),
            None => std::env::current_exe()?.with_file_name("denizen"),
        };
        ensure!(
            program.exists(),
            "there is no {}: build it first (cargo build --package denizen), or name one with --denizen",
            program.display()
        );
        Ok(program)
    }
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(&options.program.path()?, options))
}

async fn measure(program: &Path, options: &Options) -> anyhow::Result<()> {
    let messages = options.messages;
    let data = std::env::temp_dir().join(format!("denizen-bench-{}", std::process::id()));
    let mut starts = Vec::new();
    for _ in 0..options.starts {
        let (server, took) = start(program, &data).await?;
        drop(server);
        starts.push(took);
    }
    starts.sort();
    println!(
        "start-up to healthy: {} ms (median of {})",
        starts[starts.len() / 2].as_millis(),
        starts.len()
    );
    let (server, _) = start(program, &data).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let idle = server.memory()?;
    let began = Instant::now();
    write_messages(&server.url, messages).await?;
    let took = began.elapsed();
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("resident memory idle: {idle}");
    println!("resident memory after {messages} messages: {}", server.memory()?);
    println!(
        "messages accepted and on disk: {:.0} a second ({WRITERS} writers)",
        messages as f64 / took.as_secs_f64()
    );
    drop(server);
    std::fs::remove_dir_all(&data).ok();
    Ok(())
}

/// A process that is measured.
pub struct Server {
    child: Child,
    pub url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// A process that tells where it can be asked.
    pub fn of(child: Child, url: String) -> Self {
        Self { child, url }
    }

    /// How much of the processor it has taken so far.
    pub fn processor_time(&self) -> anyhow::Result<Duration> {
        let (user, system) = self.processor_times()?;
        Ok(user + system)
    }

    /// The same apart: by its own code, and by the system for it.
    pub fn processor_times(&self) -> anyhow::Result<(Duration, Duration)> {
        // A program's name may hold anything; what follows its bracket are numbers.
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, numbers) = stat.rsplit_once(')').context("no name in /proc")?;
        let numbers: Vec<&str> = numbers.split_whitespace().collect();
        let ticks = |place: usize| -> anyhow::Result<u64> {
            Ok(numbers.get(place).context("no times in /proc")?.parse()?)
        };
        let time = |place: usize| anyhow::Ok(Duration::from_millis(ticks(place)? * TICK_MILLISECONDS));
        Ok((time(11)?, time(12)?))
    }

    /// Its calls that write, and the bytes of them that go to the disk.
    pub fn writes(&self) -> anyhow::Result<(u64, u64)> {
        let io = std::fs::read_to_string(format!("/proc/{}/io", self.child.id()))?;
        let figure = |name: &str| {
            let value = io.lines().find_map(|line| line.strip_prefix(name));
            let value = value.with_context(|| format!("no {name} in /proc"))?;
            anyhow::Ok(value.trim().parse::<u64>()?)
        };
        Ok((figure("syscw:")?, figure("write_bytes:")?))
    }

    /// Asks it to end, and waits until it has: what it keeps is all in its files then.
    pub fn end(mut self) -> anyhow::Result<()> {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").arg(&id).status()?;
        ensure!(asked.success(), "the process {id} cannot be asked to end");
        self.child.wait()?;
        Ok(())
    }

    /// Its resident memory.
    pub fn resident_kib(&self) -> anyhow::Result<u64> {
        self.status("VmRSS:")
    }

    /// The same for people, with what of it is the process's own; the rest are pages of the program, which the system can
    /// let go of and read again.
    pub fn memory(&self) -> anyhow::Result<String> {
        let megabytes = |kib: u64| kib as f64 / 1_024.0;
        let (all, own) = (self.resident_kib()?, self.status("RssAnon:")?);
        Ok(format!(
            "{:.1} MB, {:.1} of its own",
            megabytes(all),
            megabytes(own)
        ))
    }

    pub fn threads(&self) -> anyhow::Result<u64> {
        self.status("Threads:")
    }

    pub fn open_files(&self) -> anyhow::Result<usize> {
        Ok(std::fs::read_dir(format!("/proc/{}/fd", self.child.id()))?.count())
    }

    fn status(&self, what: &str) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with(what));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        Ok(number.with_context(|| format!("no {what} in /proc"))?.parse()?)
    }
}

/// Gives a folder its settings, before a process runs on it.
pub fn settle_settings(program: &Path, data: &Path, settings: &serde_json::Value) -> anyhow::Result<()> {
    std::fs::create_dir_all(data)?;
    let file = data.join("bench-settings.json");
    std::fs::write(&file, settings.to_string())?;
    let done = Command::new(program)
        .args(["settings", "migrate"])
        .arg(&file)
        .env("DENIZEN_DATA", data)
        .output()?;
    ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}

/// Starts a process on a free port, and says how long it took until it was healthy.
pub async fn start(program: &Path, data: &Path) -> anyhow::Result<(Server, Duration)> {
    start_with(program, data, &[]).await
}

/// The same with more in its environment.
pub async fn start_with(
    program: &Path,
    data: &Path,
    environment: &[(&str, &str)],
) -> anyhow::Result<(Server, Duration)> {
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("http://127.0.0.1:{port}");
    let began = Instant::now();
    let child = Command::new(program)
        .args(["run", "--port", &port.to_string(), "--data"])
        .arg(data)
        .env("DENIZEN_LOG", "error")
        .env("DENIZEN_TOKEN", TOKEN)
        .envs(environment.iter().copied())
        .stdout(Stdio::null())
        .spawn()?;
    let server = Server { child, url };
    let client = client()?;
    while began.elapsed() < HEALTHY_WITHIN {
        let health = client.get(format!("{}/api/health", server.url)).send().await;
        if health.is_ok_and(|answer| answer.status().is_success()) {
            return Ok((server, began.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    bail!(
        "the process was not healthy within {} seconds",
        HEALTHY_WITHIN.as_secs()
    )
}

async fn write_messages(url: &str, messages: usize) -> anyhow::Result<()> {
    let client = client()?;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (client, url) = (client.clone(), format!("{url}/api/rooms/lounge/messages"));
        writers.spawn(async move {
            for count in (writer..messages).step_by(WRITERS) {
                let to = if count % ADDRESSED_EVERY == 0 { "Denizen, " } else { "" };
                let body = format!(
                    r#"{{"author": "Person{}", "text": "{to}this is message {count} about the release and the flaky test"}}"#,
                    count % 7
                );
                loop {
                    let request = client.post(&url).header("content-type", "application/json").body(body.clone());
                    match request.send().await?.status().as_u16() {
                        201 => break,
                        503 => tokio::time::sleep(Duration::from_millis(50)).await,
                        other => bail!("a message was answered with status {other}"),
                    }
                }
            }
            Ok(())
        });
    }
    while let Some(done) = writers.join_next().await {
        done??;
    }
    Ok(())
}
