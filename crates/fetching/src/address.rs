//! Which addresses are public: everything that reaches this machine, its network or nobody is named and refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Why an address is not to be talked to; none: it is a public one.
pub fn refusal_of(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => refusal_of_v4(address),
        IpAddr::V6(address) => refusal_of_v6(address),
    }
}

fn refusal_of_v4(address: Ipv4Addr) -> Option<&'static str> {
    V4_NETS
        .iter()
        .find(|(net, _)| net.contains(&address))
        .map(|(_, why)| *why)
}

fn refusal_of_v6(address: Ipv6Addr) -> Option<&'static str> {
    // Gateways turn these back into the IPv4 address inside, which is the one that counts then.
    if let Some(inside) = embedded_v4(address) {
        return refusal_of_v4(inside)
            .map(|_| "an IPv6 address that leads to an IPv4 address that is not public");
    }
    if let Some((_, why)) = V6_NETS.iter().find(|(net, _)| net.contains(&address)) {
        return Some(why);
    }
    // Only 2000::/3 has been given out; whatever is elsewhere is nobody's or a neighbour's.
    match GIVEN_OUT.contains(&address) {
        true => None,
        false => Some("an address that is not a public one"),
    }
}

/// The IPv4 address inside one of 6to4 (2002::/16) or NAT64 (64:ff9b::/96).
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let octets = address.octets();
    if SIX_TO_FOUR.contains(&address) {
        return Some(Ipv4Addr::new(octets[2], octets[3], octets[4], octets[5]));
    }
    if NAT64.contains(&address) {
        return Some(Ipv4Addr::new(octets[12], octets[13], octets[14], octets[15]));
    }
    None
}

const V4_NETS: [(Ipv4Net, &str); 17] = [
    (v4(0, 0, 0, 0, 8), "an unspecified address"),
    (v4(10, 0, 0, 0, 8), PRIVATE),
    (v4(100, 64, 0, 0, 10), "an address of a provider's inner network"),
    (v4(127, 0, 0, 0, 8), LOOPBACK),
    // Azure answers questions of its own machines here, although the address looks public.
    (v4(168, 63, 129, 16, 32), "a cloud provider's inner service"),
    (v4(169, 254, 0, 0, 16), LINK_LOCAL),
    (v4(172, 16, 0, 0, 12), PRIVATE),
    (v4(192, 0, 0, 0, 24), "an address reserved for protocols"),
    (v4(192, 0, 2, 0, 24), DOCUMENTATION),
    (v4(192, 88, 99, 0, 24), "an address of a relay that is no more"),
    (v4(192, 168, 0, 0, 16), PRIVATE),
    (v4(198, 18, 0, 0, 15), BENCHMARK),
    (v4(198, 51, 100, 0, 24), DOCUMENTATION),
    (v4(203, 0, 113, 0, 24), DOCUMENTATION),
    (v4(224, 0, 0, 0, 4), MULTICAST),
    (v4(255, 255, 255, 255, 32), "the broadcast address"),
    (v4(240, 0, 0, 0, 4), "a reserved address"),
];

const V6_NETS: [(Ipv6Net, &str); 16] = [
    (v6([0; 8], 128), "an unspecified address"),
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), LOOPBACK),
    (
        v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96),
        "an IPv4 address written as IPv6",
    ),
    (v6([0; 8], 96), "an IPv4 address written as IPv6"),
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), PRIVATE),
    (
        v6([0x100, 0, 0, 0, 0, 0, 0, 0], 64),
        "an address that discards what it is sent",
    ),
    (
        v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32),
        "a Teredo address, which leads to an IPv4 address",
    ),
    (v6([0x2001, 2, 0, 0, 0, 0, 0, 0], 48), BENCHMARK),
    (v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), DOCUMENTATION),
    (
        v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
        "an address reserved for protocols",
    ),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), DOCUMENTATION),
    (
        v6([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16),
        "an address of a provider's inner network",
    ),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), PRIVATE),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), LINK_LOCAL),
    (v6([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10), PRIVATE),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), MULTICAST),
];

const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16);
const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);
const GIVEN_OUT: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

const LOOPBACK: &str = "this machine's own address";
const PRIVATE: &str = "a private address";
const LINK_LOCAL: &str = "a link-local address";
const DOCUMENTATION: &str = "an address reserved for documentation";
const BENCHMARK: &str = "an address reserved for benchmarks";
const MULTICAST: &str = "a multicast address";

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(s: [u16; 8], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(
        Ipv6Addr::new(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]),
        prefix,
    )
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
