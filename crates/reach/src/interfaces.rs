//! The addresses of this machine's interfaces.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// An answer does not name more addresses than these.
const MAX_ADDRESSES: usize = 16;

/// All addresses by which a socket that listens everywhere can be reached; loopback last.
pub(super) fn addresses(everywhere: IpAddr) -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = Vec::new();
    found.extend(towards("192.0.2.1:9", "0.0.0.0:0"));
    found.extend(read("/proc/net/fib_trie", ipv4_of_routes).map(IpAddr::V4));
    if everywhere.is_ipv6() {
        found.extend(towards("[2001:db8::1]:9", "[::]:0"));
        found.extend(read("/proc/net/if_inet6", ipv6_of_interfaces).map(IpAddr::V6));
    }
    found.push(IpAddr::V4(Ipv4Addr::LOCALHOST));
    bounded(found)
}

/// Each once, loopback last: however many there are, it is among them, for this machine itself comes in by it.
fn bounded(mut found: Vec<IpAddr>) -> Vec<IpAddr> {
    found.sort_by_key(IpAddr::is_loopback);
    let mut distinct: Vec<IpAddr> = Vec::new();
    for address in found {
        if !distinct.contains(&address) && !address.is_unspecified() {
            distinct.push(address);
        }
    }
    let outside = distinct.iter().filter(|address| !address.is_loopback()).count();
    let loopback = (distinct.len() - outside).min(MAX_ADDRESSES);
    let over = (outside + loopback).saturating_sub(MAX_ADDRESSES);
    distinct.drain(outside - over..outside);
    distinct.truncate(MAX_ADDRESSES);
    distinct
}

/// The address from which this machine would send to a place outside; nothing is sent to find out.
fn towards(outside: &str, from: &str) -> Option<IpAddr> {
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(outside).ok()?;
    socket.local_addr().ok().map(|own| own.ip())
}

/// What a file of the kernel tells, where there is such a file.
fn read<T>(path: &str, tell: fn(&str) -> Vec<T>) -> impl Iterator<Item = T> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    tell(&text).into_iter()
}

/// Addresses in the kernel's table of routes: a line with an address, then one that says it is this machine's own.
fn ipv4_of_routes(table: &str) -> Vec<Ipv4Addr> {
    let mut last: Option<Ipv4Addr> = None;
    let mut own = Vec::new();
    for line in table.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse().ok();
        } else if line == "/32 host LOCAL" {
            own.extend(last.take());
        }
    }
    own
}

/// Global addresses in the kernel's list of interfaces: the address in hexadecimal, then its scope in the fourth place.
fn ipv6_of_interfaces(list: &str) -> Vec<Ipv6Addr> {
    let global = list.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let address = u128::from_str_radix(fields.next()?, 16).ok()?;
        (fields.nth(2)? == "00").then_some(Ipv6Addr::from_bits(address))
    });
    global.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_addresses_are_read_out_of_the_tables_of_the_kernel() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 192.0.2.0\n        /24 link UNICAST\n     \
                     |-- 192.0.2.2\n        /32 host LOCAL\n     |-- 192.0.2.255\n        /32 link BROADCAST\n";
        assert_eq!(ipv4_of_routes(table), [Ipv4Addr::new(192, 0, 2, 2)]);
        let list = "fe800000000000000000000000000001 02 40 20 80 eth0\n\
                    20010db8000000000000000000000007 02 40 00 80 eth0\n\
                    00000000000000000000000000000001 01 80 10 80 lo\nnonsense\n";
        let expected: Ipv6Addr = "2001:db8::7".parse().expect("an address");
        assert_eq!(ipv6_of_interfaces(list), [expected]);
    }

    #[test]
    fn every_machine_can_be_reached_from_itself_and_that_comes_last() {
        let addresses = addresses(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        assert!(addresses.iter().any(IpAddr::is_loopback));
        assert!(addresses.is_sorted_by_key(IpAddr::is_loopback));
        assert!(addresses.iter().all(IpAddr::is_ipv4));
    }

    #[test]
    fn loopback_is_among_them_however_many_interfaces_a_machine_has() {
        let of_containers = (0..40).map(|number| IpAddr::V4(Ipv4Addr::new(172, 17, number, 1)));
        let mut found: Vec<IpAddr> = of_containers.collect();
        found.push(IpAddr::V6(Ipv6Addr::LOCALHOST));
        found.push(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let told = bounded(found.clone());
        assert_eq!(told.len(), MAX_ADDRESSES);
        assert_eq!(told[..14], found[..14]);
        assert_eq!(told[14..], found[40..]);
    }
}
