//! Many connections: silent ones stop nobody, and an open one costs little.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::{Home, Live, Process, TOKEN};

/// What an open connection may cost at most, after a request.
const KIB_MAX: u64 = 64;

fn connect(process: &Process) -> TcpStream {
    let address = process.url.trim_start_matches("http://");
    TcpStream::connect(address).expect("it listens")
}

#[tokio::test]
async fn connections_that_send_nothing_stop_nobody() {
    let home = Home::new();
    let process = home.start().await;
    let silent: Vec<TcpStream> = (0..600).map(|_| connect(&process)).collect();
    assert_eq!(process.get("/api/health").await["status"], "ok");
    // Half a head is nothing yet.
    let mut speaking: Vec<TcpStream> = (0..600).map(|_| connect(&process)).collect();
    for connection in &mut speaking {
        // Some of them are closed already.
        let _ = connection.write_all(b"GET /api/health HTTP/1.1\r\nHost: loc");
    }
    assert_eq!(process.get("/api/health").await["status"], "ok");
    drop((silent, speaking));
}

#[tokio::test]
async fn who_is_listening_stays_while_silent_connections_come_and_go() {
    let home = Home::new();
    let process = home.start().await;
    let live = Live::open(&process).await;
    let _silent: Vec<TcpStream> = (0..600).map(|_| connect(&process)).collect();
    process.say("Alice", "Is anybody still listening?").await;
    live.wait_for("the message", |kind, _| kind == "message").await;
}

#[tokio::test]
async fn an_open_connection_costs_little_and_a_head_that_is_too_large_nothing() {
    let home = Home::new();
    let process = home.start().await;
    for _ in 0..20 {
        ask(&process);
    }
    let before = resident_kib(&process);
    let open: Vec<TcpStream> = (0..200).map(|_| ask(&process)).collect();
    let each = resident_kib(&process).saturating_sub(before) / 200;
    assert!(each < KIB_MAX, "an open connection takes {each} kB");
    drop(open);
    let mut large = connect(&process);
    let long = "x".repeat(200_000);
    let _ = write!(
        large,
        "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Long: {long}\r\n\r\n"
    );
    let mut answer = Vec::new();
    // It may be cut off while it is still sending.
    let _ = large.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    assert_eq!(process.get("/api/health").await["status"], "ok");
}

/// A connection that has asked something and stays open.
fn ask(process: &Process) -> TcpStream {
    let mut connection = connect(process);
    write!(
        connection,
        "GET /api/rooms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    )
    .expect("it is open");
    let mut answer = [0; 4_096];
    let count = connection.read(&mut answer).expect("it answers");
    assert!(count > 0);
    connection
}

fn resident_kib(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|number| number.parse().ok()).expect("a number")
}
