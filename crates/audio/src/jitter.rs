//! Packets of one speaker in the order in which they were sent, as evenly as they were spoken.
//!
//! Packets arrive late, twice, in another order or never. A small delay, which grows where the network is uneven and
//! shrinks again where it is not, gives most of them time; of what is still missing the caller is told, to make it up.
//! Times are samples at 48,000 a second: a packet's own as RTP has it, and the caller's clock for when it arrived.

mod spread;
mod unwrap;

use std::collections::BTreeMap;

use self::spread::Spread;
use self::unwrap::{Sequence, Unwrapped};
use crate::{FRAME, RATE, codec};

/// The least and the most delay, in samples: 40 and 120 ms.
const DELAY_LEAST: u64 = RATE as u64 / 1_000 * 40;
const DELAY_MOST: u64 = RATE as u64 / 1_000 * 120;
/// Beyond the delay so much may wait before something is left out; silence goes first.
const WAITING_SPARE: u64 = RATE as u64 / 1_000 * 80;
const WAITING_MOST: u64 = RATE as u64 / 1_000 * 300;
/// Packets held at most, whatever they say of themselves.
const PACKETS_MAX: usize = 64;
/// A hole longer than this is not filled: 200 ms.
const HOLE_MOST: u64 = RATE as u64 / 5;
/// With nothing at hand so many frames are made up, and then it is silence.
const MADE_UP: u32 = 3;
/// A packet of so few bytes holds no sound.
const SILENT_BYTES: usize = 8;

/// One packet of a voice, as RTP carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoicePacket {
    /// Counts packets, and wraps.
    pub sequence: u16,
    /// When it was spoken, in samples at 48,000 a second; wraps.
    pub timestamp: u32,
    /// Opus.
    pub payload: Vec<u8>,
}

/// What became of a packet that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It waits for its turn.
    Taken,
    /// Its turn was over.
    Late,
    /// It was here before.
    Duplicate,
    /// Its numbers are far from those before; if the next one continues them, the stream has begun anew.
    OutOfLine,
    /// It is the first of a stream that has begun anew; what was waiting is gone.
    Restarted,
    /// It is no Opus packet.
    Damaged,
}

/// What comes next for the decoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Playout {
    /// A packet.
    Packet(Vec<u8>),
    /// So many samples are lost; the packet after them, where it is here, may carry some of them.
    Lost { samples: usize, next: Option<Vec<u8>> },
    /// Nothing is said for so many samples: nothing was sent, or not yet.
    Silence { samples: usize },
}

/// What happened so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JitterCounts {
    pub taken: u64,
    pub late: u64,
    pub duplicate: u64,
    pub out_of_line: u64,
    pub damaged: u64,
    /// Frames that were told as lost.
    pub lost: u64,
    /// Packets that were left out because too many waited.
    pub left_out: u64,
    pub restarts: u64,
}

/// Puts the packets of one speaker in order.
#[derive(Debug, Default)]
pub struct JitterBuffer {
    numbers: Option<Numbers>,
    /// By their time.
    waiting: BTreeMap<u64, Waiting>,
    state: State,
    spread: Spread,
    counts: JitterCounts,
}

#[derive(Debug)]
struct Numbers {
    sequence: Sequence,
    timestamp: Unwrapped<32>,
}

#[derive(Clone, Debug)]
struct Waiting {
    sequence: u64,
    samples: u64,
    arrived: u64,
    payload: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing is played; when packets come, they wait for the delay first.
    #[default]
    Paused,
    /// This time comes next, after a packet of this number; so many frames were made up since.
    Playing { time: u64, sequence: u64, made_up: u32 },
}

impl JitterBuffer {
    /// For one speaker.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a packet that arrived at this time of the caller's clock.
    pub fn push(&mut self, packet: VoicePacket, now: u64) -> Arrival {
        let arrival = self.arrive(packet, now);
        let counter = match arrival {
            Arrival::Taken => &mut self.counts.taken,
            Arrival::Late => &mut self.counts.late,
            Arrival::Duplicate => &mut self.counts.duplicate,
            Arrival::OutOfLine => &mut self.counts.out_of_line,
            Arrival::Damaged => &mut self.counts.damaged,
            Arrival::Restarted => {
                self.counts.taken += 1;
                &mut self.counts.restarts
            }
        };
        *counter += 1;
        arrival
    }

    /// What comes next. To be asked whenever less than a frame of sound is left: a packet may be longer than one.
    pub fn pull(&mut self, now: u64) -> Playout {
        if self.state == State::Paused {
            self.begin(now);
        }
        let State::Playing { .. } = self.state else {
            return Playout::Silence { samples: FRAME };
        };
        self.drop_what_is_over();
        self.leave_out();
        self.play()
    }

    /// The delay that packets are given now, in samples.
    pub fn delay(&self) -> u64 {
        (self.spread.lateness() + FRAME as u64).clamp(DELAY_LEAST, DELAY_MOST)
    }

    /// What happened so far.
    pub fn counts(&self) -> JitterCounts {
        self.counts
    }

    /// Begins anew; counts stay.
    pub fn reset(&mut self) {
        *self = Self {
            counts: self.counts,
            ..Self::default()
        };
    }

    fn arrive(&mut self, packet: VoicePacket, now: u64) -> Arrival {
        let Ok(samples) = codec::samples_of(&packet.payload) else {
            return Arrival::Damaged;
        };
        let numbers = self.numbers.get_or_insert_with(|| Numbers {
            sequence: Sequence::new(packet.sequence),
            timestamp: Unwrapped::new(u64::from(packet.timestamp)),
        });
        let mut arrival = Arrival::Taken;
        let sequence = match numbers.sequence.place(packet.sequence) {
            unwrap::Place::At(sequence) => sequence,
            unwrap::Place::OutOfLine => return Arrival::OutOfLine,
            unwrap::Place::Restarted(sequence) => {
                numbers.timestamp = Unwrapped::new(u64::from(packet.timestamp));
                self.waiting.clear();
                self.state = State::Paused;
                self.spread = Spread::default();
                arrival = Arrival::Restarted;
                sequence
            }
        };
        let time = numbers.timestamp.place(u64::from(packet.timestamp));
        if self
            .waiting
            .get(&time)
            .is_some_and(|waiting| waiting.sequence == sequence)
        {
            return Arrival::Duplicate;
        }
        let over = match self.state {
            State::Playing {
                time: next,
                sequence: last,
                ..
            } => (time < next).then_some(sequence == last),
            State::Paused => None,
        };
        // A packet that is too late says how late packets can be, too.
        self.spread.learn(time, now);
        if let Some(is_last) = over {
            return if is_last {
                Arrival::Duplicate
            } else {
                Arrival::Late
            };
        }
        self.waiting.insert(
            time,
            Waiting {
                sequence,
                samples: samples as u64,
                arrived: now,
                payload: packet.payload,
            },
        );
        if self.waiting.len() > PACKETS_MAX {
            self.waiting.pop_first();
            self.counts.left_out += 1;
        }
        arrival
    }

    /// Starts to play when the first packet has waited for long enough, or enough are waiting.
    fn begin(&mut self, now: u64) {
        let delay = self.delay();
        let Some((first, packet)) = self.waiting.first_key_value() else {
            return;
        };
        if now.saturating_sub(packet.arrived) >= delay || self.ahead_of(*first) >= delay {
            self.state = State::Playing {
                time: *first,
                sequence: packet.sequence.wrapping_sub(1),
                made_up: 0,
            };
        }
    }

    /// How much is waiting from a time on.
    fn ahead_of(&self, time: u64) -> u64 {
        let last = self.waiting.last_key_value();
        last.map_or(0, |(last, packet)| (last + packet.samples).saturating_sub(time))
    }

    /// Packets that overlap one which was played: only somebody's joke has them.
    fn drop_what_is_over(&mut self) {
        while let State::Playing { time, .. } = self.state {
            match self.waiting.first_entry() {
                Some(first) if *first.key() < time => {
                    first.remove();
                    self.counts.late += 1;
                }
                _ => return,
            }
        }
    }

    /// Leaves out what makes everything later than it need be.
    fn leave_out(&mut self) {
        let delay = self.delay();
        while let State::Playing { time, .. } = self.state {
            let ahead = self.ahead_of(time);
            let Some(first) = self.waiting.first_entry() else {
                return;
            };
            let is_silent = first.get().payload.len() <= SILENT_BYTES;
            let most = if is_silent {
                delay + WAITING_SPARE
            } else {
                WAITING_MOST
            };
            // One packet alone is never too many, however long it is; and a hole is not a packet.
            if ahead <= most
                || ahead.saturating_sub(first.get().samples) < delay
                || *first.key() > time + HOLE_MOST
            {
                return;
            }
            let (time, packet) = first.remove_entry();
            self.counts.left_out += 1;
            self.state = State::Playing {
                time: time + packet.samples,
                sequence: packet.sequence,
                made_up: 0,
            };
        }
    }

    fn play(&mut self) -> Playout {
        let State::Playing {
            time,
            sequence,
            made_up,
        } = self.state
        else {
            return Playout::Silence { samples: FRAME };
        };
        let has_delay = self.ahead_of(time) >= self.delay();
        let Some(first) = self.waiting.first_entry() else {
            return self.make_up(time, sequence, made_up);
        };
        let is_lost = first.get().sequence != sequence + 1;
        // Others have been later than this one may be: it gets more time, and with it all after it.
        if is_lost && *first.key() > time && !has_delay && made_up < MADE_UP {
            return self.make_up(time, sequence, made_up);
        }
        // What was made up while nothing was here has filled the beginning of a hole.
        let filled = if is_lost {
            u64::from(made_up) * FRAME as u64
        } else {
            0
        };
        let hole = first.key().saturating_sub(time).saturating_sub(filled);
        if hole == 0 || hole > HOLE_MOST {
            let (time, packet) = first.remove_entry();
            self.state = State::Playing {
                time: time + packet.samples,
                sequence: packet.sequence,
                made_up: 0,
            };
            return Playout::Packet(packet.payload);
        }
        let samples = hole.min(FRAME as u64);
        self.state = State::Playing {
            time: time + filled + samples,
            sequence,
            made_up: 0,
        };
        // Numbers without a hole: the speaker's program sent nothing because nothing was said.
        if !is_lost {
            return Playout::Silence {
                samples: samples as usize,
            };
        }
        self.counts.lost += 1;
        let next = (hole == samples).then(|| first.get().payload.clone());
        Playout::Lost {
            samples: samples as usize,
            next,
        }
    }

    /// Nothing is here: at first that is a loss, and after some frames a pause.
    fn make_up(&mut self, time: u64, sequence: u64, made_up: u32) -> Playout {
        if made_up == MADE_UP {
            self.state = State::Paused;
            return Playout::Silence { samples: FRAME };
        }
        self.state = State::Playing {
            // The time stands still: if the packet comes now, it is played, and all is a little later from then on.
            time,
            sequence,
            made_up: made_up + 1,
        };
        self.counts.lost += 1;
        Playout::Lost {
            samples: FRAME,
            next: None,
        }
    }
}

#[cfg(test)]
#[path = "jitter_tests.rs"]
mod tests;
