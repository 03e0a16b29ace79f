use super::{LookupFault, NameTable, public_addresses};
use std::net::IpAddr;

fn table() -> NameTable {
    let address = |text: &str| text.parse::<IpAddr>().expect("an address");
    NameTable::default()
        .with(
            "mixed.test",
            &[address("10.0.0.7"), address("9.9.9.9"), address("::1")],
        )
        .with("inner.test", &[address("192.168.1.5"), address("127.0.0.1")])
        .with("nothing.test", &[])
}

#[tokio::test]
async fn a_name_keeps_only_its_public_addresses() {
    let found = public_addresses(&table(), "mixed.test")
        .await
        .expect("one is public");
    assert_eq!(found, ["9.9.9.9".parse::<IpAddr>().expect("an address")]);
}

#[tokio::test]
async fn a_name_without_public_addresses_is_refused_with_the_first_of_them_and_the_remedy() {
    let fault = public_addresses(&table(), "inner.test")
        .await
        .expect_err("none is public");
    assert_eq!(
        fault.to_string(),
        "inner.test is at 192.168.1.5, a private address; add inner.test to tools.allowedPrivateHosts if it may be reached"
    );
}

#[tokio::test]
async fn a_name_that_nobody_knows_has_no_address() {
    for host in ["nothing.test", "absent.test"] {
        let fault = public_addresses(&table(), host).await.expect_err("it has none");
        assert!(matches!(fault, LookupFault::Unknown { .. }), "{fault:?}");
    }
}
