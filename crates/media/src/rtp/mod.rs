//! Video in RTP packets: put in order, gaps noticed, and frames put together by whoever knows the codec.

mod sequencer;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

pub use sequencer::{MAX_HELD_PACKETS, MAX_WAIT};
use sequencer::{Sequenced, Sequencer};

/// One packet, its header read and its encryption gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    pub sequence: u16,
    pub timestamp: u32,
    /// The last packet of a frame.
    pub marker: bool,
    pub payload: Arc<[u8]>,
}

/// What came of the packets so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// A whole frame, as its decoder takes it.
    Frame(Vec<u8>),
    /// Something that later frames may refer to is not there: a key frame is wanted.
    Lost,
}

/// Puts the frames of one codec together, from packets in order.
pub trait Assemble {
    /// Takes the next packet.
    fn packet(&mut self, packet: &Packet, arrived: &mut VecDeque<Arrived>);

    /// Packets are missing between the last one and the next.
    fn gap(&mut self, arrived: &mut VecDeque<Arrived>);
}

/// Makes frames of packets. Holds a bounded number of packets, for a bounded time, and one frame of bounded size.
#[derive(Debug, Default)]
pub struct Depacketiser<Assembly> {
    sequencer: Sequencer,
    assembly: Assembly,
    arrived: VecDeque<Arrived>,
}

impl<Assembly: Assemble + Default> Depacketiser<Assembly> {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a packet that came at `now`, counted from any fixed moment; then [`Self::next`] until there is nothing.
    pub fn push(&mut self, packet: Packet, now: Duration) {
        self.sequencer.push(packet);
        self.advance(now);
    }

    /// Time has passed: packets are not waited for longer than [`MAX_WAIT`].
    pub fn advance(&mut self, now: Duration) {
        while let Some(sequenced) = self.sequencer.next(now) {
            match sequenced {
                Sequenced::Packet(packet) => self.assembly.packet(&packet, &mut self.arrived),
                Sequenced::Gap => self.assembly.gap(&mut self.arrived),
            }
        }
    }

    /// The next thing that has arrived.
    #[allow(
        clippy::should_implement_trait,
        reason = "what has arrived is not all there will be"
    )]
    pub fn next(&mut self) -> Option<Arrived> {
        self.arrived.pop_front()
    }
}
