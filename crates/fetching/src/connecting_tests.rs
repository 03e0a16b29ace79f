use super::connect_by;
use crate::{FetchPolicy, NameTable, connect};
use std::io::ErrorKind;
use std::sync::Arc;
use tokio::net::TcpListener;

fn allowing(entry: String) -> FetchPolicy {
    FetchPolicy {
        allowed_private_hosts: vec![entry],
    }
}

#[tokio::test]
async fn a_private_address_is_connected_to_only_where_it_is_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let table =
        Arc::new(NameTable::default().with("inner.test", &["127.0.0.1".parse().expect("an address")]));

    let refused = connect("127.0.0.1", port, &FetchPolicy::default())
        .await
        .expect_err("it is private");
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    assert_eq!(
        refused.to_string(),
        "127.0.0.1 is this machine's own address; add 127.0.0.1 to tools.allowedPrivateHosts if it may be reached"
    );
    let refused = connect_by(table.clone(), "inner.test", port, &FetchPolicy::default())
        .await
        .expect_err("private");
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    let elsewhere = allowing(format!("inner.test:{}", port ^ 1));
    assert!(
        connect_by(table.clone(), "inner.test", port, &elsewhere)
            .await
            .is_err()
    );

    let stream = connect_by(table, "inner.test", port, &allowing(format!("inner.test:{port}"))).await;
    assert_eq!(
        stream.expect("it is allowed").peer_addr().expect("a peer").port(),
        port
    );
    connect("127.0.0.1", port, &allowing("127.0.0.1".to_owned()))
        .await
        .expect("it is allowed");
}

#[tokio::test]
async fn odd_spellings_do_not_get_past_the_check() {
    for host in [
        "127.1",
        "0x7f.1",
        "2130706433",
        "localhost",
        "localhost.",
        "[::1]",
        "::ffff:127.0.0.1",
    ] {
        assert!(connect(host, 9, &FetchPolicy::default()).await.is_err(), "{host}");
        let fault = connect(host, 9, &FetchPolicy::default()).await.expect_err(host);
        let refused = [ErrorKind::PermissionDenied, ErrorKind::NotFound].contains(&fault.kind());
        assert!(refused, "{host}: {fault}");
    }
}
