use super::*;

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn announced(text: &str) -> Result<(IpAddr, Option<RangeInclusive<u16>>), BadAddress> {
    let reach = Reach::of(LOOPBACK, Some(text))?;
    Ok((reach.announced.expect("it was given"), reach.ports))
}

#[test]
fn an_address_is_announced_with_or_without_ports() {
    let (v4, v6): (IpAddr, IpAddr) = ("203.0.113.7".parse().unwrap(), "2001:db8::7".parse().unwrap());
    assert_eq!(announced("203.0.113.7"), Ok((v4, None)));
    assert_eq!(
        announced(" 203.0.113.7:40000-40015 "),
        Ok((v4, Some(40000..=40015)))
    );
    assert_eq!(announced("203.0.113.7:40000"), Ok((v4, Some(40000..=40000))));
    assert_eq!(announced("2001:db8::7"), Ok((v6, None)));
    assert_eq!(announced("[2001:db8::7]:40000"), Ok((v6, Some(40000..=40000))));
}

#[test]
fn what_is_no_address_is_refused_by_its_name_and_value() {
    for text in [
        "denizen.example",
        "0.0.0.0",
        "203.0.113.7:",
        "203.0.113.7:9-8",
        "203.0.113.7:0",
        "224.0.0.1",
        "1.2.3.4:99999",
    ] {
        let refused = announced(text).expect_err(text).to_string();
        assert!(
            refused.contains(text) && refused.contains("DENIZEN_WHIP_ADDRESS"),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn a_socket_on_loopback_is_told_by_every_address_of_the_machine_and_hears_this_machine_alone() {
    for nothing in [None, Some(""), Some("  ")] {
        let reach = Reach::of(LOOPBACK, nothing).expect("nothing is fine");
        let doorstep = reach.open().await.expect("a socket");
        let port = doorstep.socket.local_addr().unwrap().port();
        // Firefox never sends to loopback, and others do.
        assert_eq!(doorstep.addresses[0], SocketAddr::new(LOOPBACK, port));
        for own in &doorstep.addresses {
            assert!(doorstep.hears(own.ip()), "{own}");
        }
        for other in ["203.0.113.7", "2001:db8::7"] {
            assert!(!doorstep.hears(other.parse().unwrap()), "{other}");
        }
    }
}

#[tokio::test]
async fn where_an_address_is_announced_others_come_in_although_the_server_is_on_loopback() {
    let reach = Reach::of(LOOPBACK, Some("203.0.113.7")).unwrap();
    let doorstep = reach.open().await.expect("a socket");
    assert!(doorstep.socket.local_addr().unwrap().ip().is_unspecified());
    assert!(doorstep.hears("198.51.100.9".parse().unwrap()));
    let at_home = Reach::of(LOOPBACK, Some("127.0.0.1")).unwrap().open().await;
    assert!(
        at_home
            .expect("a socket")
            .socket
            .local_addr()
            .unwrap()
            .ip()
            .is_loopback()
    );
}

#[tokio::test]
async fn a_socket_takes_the_first_free_port_of_those_that_were_given_and_announces_the_address() {
    let taken = UdpSocket::bind((LOOPBACK, 0)).await.expect("a socket");
    let port = taken.local_addr().unwrap().port();
    let full = Reach::of(LOOPBACK, Some(&format!("203.0.113.7:{port}"))).unwrap();
    assert!(full.open().await.is_err());
    drop(taken);
    let doorstep = full.open().await.expect("the port is free now");
    assert_eq!(
        doorstep.addresses,
        [SocketAddr::new("203.0.113.7".parse().unwrap(), port)]
    );
}

#[tokio::test]
async fn a_socket_that_listens_everywhere_speaks_both_families_where_there_are_both() {
    let everywhere = Reach::of(IpAddr::V6(Ipv6Addr::UNSPECIFIED), None).unwrap();
    // A machine without IPv6 has no such socket, and nothing to test.
    let Ok(doorstep) = everywhere.open().await else {
        return;
    };
    let other = UdpSocket::bind((LOOPBACK, 0)).await.expect("a socket");
    let port = doorstep.socket.local_addr().unwrap().port();
    other.send_to(b"hello", (LOOPBACK, port)).await.expect("sent");
    let mut buffer = [0; 16];
    let (length, source) = doorstep.receive(&mut buffer).await.expect("received");
    assert_eq!(
        (&buffer[..length], source),
        (&b"hello"[..], other.local_addr().unwrap())
    );
    assert!(doorstep.address_towards(source).is_ipv4());
    doorstep.send(b"well", source).await;
    let (length, _) = other.recv_from(&mut buffer).await.expect("received");
    assert_eq!(&buffer[..length], b"well");
}
