//! Output that nobody reads to its end.

use std::process::Stdio;

use crate::support::{Home, TOKEN, knowing};

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let home = Home::new();
    for arguments in [
        &["settings", "list"][..],
        &["settings", "schema"],
        &["simulate", "--hours", "1", "--quiet"],
    ] {
        let mut child = home
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), errors.as_ref()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[tokio::test]
async fn a_room_whose_greeting_nobody_reads_is_open_all_the_same() {
    let home = Home::new();
    let port = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        free.local_addr().expect("an address").port()
    };
    let mut child = home
        .command(&["run", "--port", &port.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    fetching::service::install_tls();
    let client = knowing(TOKEN);
    let health = format!("http://127.0.0.1:{port}/api/health");
    let opened = crate::support::eventually("the room is open", async || {
        if let Some(status) = child.try_wait().expect("it is ours to wait for") {
            return Some(Err(status));
        }
        client.get(&health).send().await.ok().map(Ok)
    })
    .await;
    let _ = child.kill();
    let _ = child.wait();
    assert!(opened.expect("it runs").status().is_success());
}
