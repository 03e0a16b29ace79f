use super::refusal_of;
use url::{Host, Url};

fn refusal(address: &str) -> Option<&'static str> {
    refusal_of(address.parse().expect("an address"))
}

#[test]
fn public_addresses_are_not_refused() {
    for address in [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "203.0.112.255",
        "223.255.255.255",
        "2606:4700:4700::1111",
        "2a00:1450:4001::1",
        "2001:4860:4860::8888",
        "64:ff9b::808:808",
        "2002:808:808::1",
    ] {
        assert_eq!(refusal(address), None, "{address}");
    }
}

#[test]
fn every_address_that_is_not_public_is_refused() {
    for address in [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::8.8.8.8",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:2::1",
        "2001:10::1",
        "5f00::1",
        "4000::1",
        "::2:0:0:1",
        // 6to4 and NAT64 with a private address inside.
        "2002:7f00:1::1",
        "2002:a00:1::",
        "2002:c0a8:101::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
    ] {
        assert!(refusal(address).is_some(), "{address}");
    }
}

#[test]
fn odd_spellings_of_an_address_are_the_address() {
    for spelling in [
        "http://127.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0/",
        "http://127.0.0.1./",
        "http://127.000.000.001/",
        "http://①②⑦.⓪.⓪.①/",
        "http://１２７.０.０.１/",
        "http://0x7F.0X0.0.1/",
        "http://127%2e0%2e0%2e1/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://127。0。0。1/",
    ] {
        let url = Url::parse(spelling).expect(spelling);
        let address = match url.host() {
            Some(Host::Ipv4(address)) => address.into(),
            Some(Host::Ipv6(address)) => address.into(),
            other => panic!("{spelling} is {other:?}"),
        };
        assert!(refusal_of(address).is_some(), "{spelling}");
    }
}
