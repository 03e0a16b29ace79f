//! What connections cost a real process: memory while many are open, and time on a new one beside a kept one.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;

use crate::process::{Program, Server, TOKEN, start};

#[derive(Debug, Args)]
pub struct Options {
    /// Connections that are open at once, each after a request.
    #[arg(long, default_value_t = 400, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=500))]
    connections: usize,
    /// Requests whose time is taken.
    #[arg(long, default_value_t = 500, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    requests: usize,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    let data = std::env::temp_dir().join(format!("denizen-bench-connections-{}", std::process::id()));
    let starting = start_now(options, &data);
    let measured = starting.and_then(|server| measure(&server, options));
    std::fs::remove_dir_all(&data).ok();
    measured
}

fn start_now(options: &Options, data: &std::path::Path) -> anyhow::Result<Server> {
    let program = options.program.path()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (server, _) = runtime.block_on(start(&program, data))?;
    Ok(server)
}

fn measure(server: &Server, options: &Options) -> anyhow::Result<()> {
    let address: SocketAddr = server.url.trim_start_matches("http://").parse()?;
    // What the first requests allocate once is no connection's.
    for _ in 0..20 {
        ask(&mut TcpStream::connect(address)?)?;
    }
    settle();
    let before = server.resident_kib()?;
    let mut open = Vec::with_capacity(options.connections);
    for _ in 0..options.connections {
        let mut connection = TcpStream::connect(address)?;
        ask(&mut connection)?;
        open.push(connection);
    }
    settle();
    let while_open = server.resident_kib()?;
    drop(open);
    settle();
    let after = server.resident_kib()?;
    let each = while_open.saturating_sub(before) as f64 / options.connections as f64;
    println!(
        "{} open connections: {each:.1} kB each ({:.1} MB before, {:.1} MB while open, {:.1} MB after they were closed)",
        options.connections,
        before as f64 / 1_024.0,
        while_open as f64 / 1_024.0,
        after as f64 / 1_024.0,
    );
    let on_new = median(options.requests, || ask(&mut TcpStream::connect(address)?))?;
    let mut kept = TcpStream::connect(address)?;
    let on_kept = median(options.requests, || ask(&mut kept))?;
    println!(
        "a request on a new connection: {:.2} ms; on a kept one: {:.2} ms (medians of {})",
        on_new.as_secs_f64() * 1e3,
        on_kept.as_secs_f64() * 1e3,
        options.requests
    );
    Ok(())
}

fn settle() {
    std::thread::sleep(Duration::from_secs(1));
}

fn median(requests: usize, mut request: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let mut times = Vec::with_capacity(requests);
    for _ in 0..requests {
        let began = Instant::now();
        request()?;
        times.push(began.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// Asks for the rooms, and reads the whole answer.
fn ask(connection: &mut TcpStream) -> anyhow::Result<()> {
    connection.set_nodelay(true)?;
    write!(
        connection,
        "GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    let mut piece = [0; 4_096];
    loop {
        let count = connection.read(&mut piece)?;
        ensure!(count > 0, "the connection was closed before the answer was whole");
        answer.extend_from_slice(&piece[..count]);
        if let Some(length) = whole_length(&answer)?
            && answer.len() >= length
        {
            ensure!(answer.starts_with(b"HTTP/1.1 200"), "the answer is no success");
            return Ok(());
        }
    }
}

/// How long the answer is, once its head is there.
fn whole_length(answer: &[u8]) -> anyhow::Result<Option<usize>> {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&answer[..end])?.to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .context("the answer does not say how long it is")?;
    Ok(Some(end + 4 + length.trim().parse::<usize>()?))
}
