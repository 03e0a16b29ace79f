//! Where WebRTC can reach this machine: the addresses that an answer names, and the sockets behind them.

mod interfaces;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::RangeInclusive;

use thiserror::Error;
use tokio::net::UdpSocket;

/// The environment variable with which an operator names the address by which others reach this machine.
pub const ADDRESS_VARIABLE: &str = "DENIZEN_WHIP_ADDRESS";

/// Where streams and voices arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// What sockets are bound to: where the HTTP server listens.
    bound: IpAddr,
    /// What others are told instead, where they reach this machine by another address.
    announced: Option<IpAddr>,
    /// Ports that a firewall lets through; any where there is none.
    ports: Option<RangeInclusive<u16>>,
}

/// An address that cannot be announced.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{ADDRESS_VARIABLE} is \"{0}\", which is neither an address (203.0.113.7 or 2001:db8::7) nor an address with a \
     port or ports (203.0.113.7:40000-40015, [2001:db8::7]:40000)"
)]
pub struct BadAddress(String);

/// A socket for one connection, and the addresses by which it is reached.
#[derive(Debug)]
pub struct Doorstep {
    pub socket: UdpSocket,
    /// Never empty.
    pub addresses: Vec<SocketAddr>,
    /// Only this machine itself is heard.
    is_private: bool,
}

impl Reach {
    /// They come in where the HTTP server listens; what an operator announces is the value of
    /// [`ADDRESS_VARIABLE`], if it is set.
    pub fn of(listening: IpAddr, announced: Option<&str>) -> Result<Self, BadAddress> {
        let text = announced.map(str::trim).filter(|text| !text.is_empty());
        let (announced, ports) = match text {
            None => (None, None),
            Some(text) => match parse(text) {
                Some((address, ports)) => (Some(address), ports),
                None => return Err(BadAddress(text.to_owned())),
            },
        };
        Ok(Self {
            bound: listening,
            announced,
            ports,
        })
    }

    /// Opens a socket for one connection.
    pub async fn open(&self) -> std::io::Result<Doorstep> {
        let socket = self.bind().await?;
        let port = socket.local_addr()?.port();
        let addresses = self.addresses().into_iter();
        let addresses: Vec<SocketAddr> = addresses.map(|address| SocketAddr::new(address, port)).collect();
        if addresses.is_empty() {
            let why = "this machine has no address that others could reach";
            return Err(std::io::Error::new(std::io::ErrorKind::AddrNotAvailable, why));
        }
        Ok(Doorstep {
            socket,
            addresses,
            is_private: self.is_private(),
        })
    }

    /// Whether only this machine is to come in: some browsers use its own address for that and never loopback.
    fn is_private(&self) -> bool {
        self.announced.is_none() && self.bound == IpAddr::V4(Ipv4Addr::LOCALHOST)
    }

    /// What sockets are bound to. Where the HTTP server is on loopback and others are to come in by an address, a proxy
    /// stands before the server, and only the sound comes by itself.
    fn place(&self) -> IpAddr {
        match self.announced {
            Some(IpAddr::V4(to)) if self.bound.is_loopback() && !to.is_loopback() => {
                Ipv4Addr::UNSPECIFIED.into()
            }
            Some(IpAddr::V6(to)) if self.bound.is_loopback() && !to.is_loopback() => {
                Ipv6Addr::UNSPECIFIED.into()
            }
            None if self.is_private() => Ipv4Addr::UNSPECIFIED.into(),
            _ => self.bound,
        }
    }

    async fn bind(&self) -> std::io::Result<UdpSocket> {
        let place = self.place();
        let Some(ports) = self.ports.clone() else {
            return UdpSocket::bind((place, 0)).await;
        };
        let mut last = std::io::Error::other("there is no port to bind");
        for port in ports {
            match UdpSocket::bind((place, port)).await {
                Ok(socket) => return Ok(socket),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn addresses(&self) -> Vec<IpAddr> {
        match self.announced {
            Some(announced) => vec![announced],
            None if self.is_private() => {
                let own = interfaces::addresses(self.place());
                let mut found = vec![self.bound];
                found.extend(own.into_iter().filter(|address| !address.is_loopback()));
                found
            }
            None if self.bound.is_unspecified() => interfaces::addresses(self.bound),
            None => vec![self.bound],
        }
    }
}

impl Doorstep {
    /// The address of ours that whoever sends from `source` sees: one of the same family.
    pub fn address_towards(&self, source: SocketAddr) -> SocketAddr {
        let same = self
            .addresses
            .iter()
            .find(|own| own.is_ipv4() == source.is_ipv4());
        *same.unwrap_or(&self.addresses[0])
    }

    pub async fn receive(&self, buffer: &mut [u8]) -> std::io::Result<(usize, SocketAddr)> {
        loop {
            let (length, source) = self.socket.recv_from(buffer).await?;
            // A socket of both families tells IPv4 addresses in their IPv6 form.
            let source = SocketAddr::new(source.ip().to_canonical(), source.port());
            if self.hears(source.ip()) {
                return Ok((length, source));
            }
        }
    }

    /// Whether what comes from there is taken in.
    fn hears(&self, source: IpAddr) -> bool {
        !self.is_private || source.is_loopback() || self.addresses.iter().any(|own| own.ip() == source)
    }

    /// Sends; what cannot be sent is dropped, and like any other loss it is mended above.
    pub async fn send(&self, bytes: &[u8], destination: SocketAddr) {
        let is_v6 = self.socket.local_addr().is_ok_and(|own| own.is_ipv6());
        let destination = match destination.ip() {
            IpAddr::V4(ip) if is_v6 => SocketAddr::new(IpAddr::V6(ip.to_ipv6_mapped()), destination.port()),
            _ => destination,
        };
        if let Err(error) = self.socket.send_to(bytes, destination).await {
            tracing::trace!(%error, "a datagram was not sent");
        }
    }
}

fn parse(text: &str) -> Option<(IpAddr, Option<RangeInclusive<u16>>)> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return usable(address).then_some((address, None));
    }
    let (address, ports) = text.rsplit_once(':')?;
    let address = match address
        .strip_prefix('[')
        .and_then(|address| address.strip_suffix(']'))
    {
        Some(address) => IpAddr::V6(address.parse::<Ipv6Addr>().ok()?),
        None => IpAddr::V4(address.parse::<Ipv4Addr>().ok()?),
    };
    let (first, last) = ports.split_once('-').unwrap_or((ports, ports));
    let (first, last) = (first.parse::<u16>().ok()?, last.parse::<u16>().ok()?);
    (usable(address) && 0 < first && first <= last).then_some((address, Some(first..=last)))
}

fn usable(address: IpAddr) -> bool {
    !address.is_unspecified() && !address.is_multicast()
}

#[cfg(test)]
mod reach_tests;
