//! A real process: how soon it is healthy, and how much memory it takes before and after a long conversation.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// Messages written at the same time; the room is one, the writers are several.
const WRITERS: usize = 16;
/// One message in so many addresses Denizen.
const ADDRESSED_EVERY: usize = 100;

pub fn run(messages: usize) -> anyhow::Result<()> {
    providers::install_tls();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(messages))
}

async fn measure(messages: usize) -> anyhow::Result<()> {
    let data = std::env::temp_dir().join(format!("denizen-bench-{}", std::process::id()));
    let mut starts = Vec::new();
    for _ in 0..5 {
        let (server, took) = start(&data).await?;
        drop(server);
        starts.push(took);
    }
    starts.sort();
    println!(
        "start-up to healthy: {} ms (median of {})",
        starts[starts.len() / 2].as_millis(),
        starts.len()
    );
    let (server, _) = start(&data).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let idle = server.resident_kib()?;
    let began = Instant::now();
    write_messages(&server.url, messages).await?;
    let took = began.elapsed();
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("resident memory idle: {:.1} MB", idle as f64 / 1_024.0);
    println!(
        "resident memory after {messages} messages: {:.1} MB",
        server.resident_kib()? as f64 / 1_024.0
    );
    println!(
        "messages accepted and on disk: {:.0} a second ({WRITERS} writers)",
        messages as f64 / took.as_secs_f64()
    );
    drop(server);
    std::fs::remove_dir_all(&data).ok();
    Ok(())
}

struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn resident_kib(&self) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .context("no VmRSS in /proc")?;
        Ok(line
            .split_whitespace()
            .nth(1)
            .context("no number after VmRSS")?
            .parse()?)
    }
}

async fn start(data: &std::path::Path) -> anyhow::Result<(Server, Duration)> {
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("http://127.0.0.1:{port}");
    let began = Instant::now();
    let child = Command::new(std::env::current_exe()?)
        .args(["run", "--port", &port.to_string(), "--data"])
        .arg(data)
        .env("DENIZEN_LOG", "error")
        .stdout(Stdio::null())
        .spawn()?;
    let server = Server { child, url };
    let client = reqwest::Client::new();
    while began.elapsed() < Duration::from_secs(20) {
        let health = client.get(format!("{}/api/health", server.url)).send().await;
        if health.is_ok_and(|answer| answer.status().is_success()) {
            return Ok((server, began.elapsed()));
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    bail!("the process was not healthy within 20 seconds")
}

async fn write_messages(url: &str, messages: usize) -> anyhow::Result<()> {
    let client = reqwest::Client::new();
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
