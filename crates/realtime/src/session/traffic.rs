//! What goes into a session and what comes out of it.

use std::sync::Arc;

use vocabulary::Span;

use crate::command::Command;
use crate::event::{FaultKind, ServiceFault, Usage};
use crate::wire::Reading;

/// Something that happens.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// The words of this clip are wanted; at the rate that the service takes.
    Hear {
        clip: u64,
        samples: Arc<[i16]>,
    },
    Unhear {
        clip: u64,
    },
    Say {
        number: u64,
        text: String,
    },
    Unsay {
        number: u64,
    },
    /// Words will come soon: a connection is made ready.
    Warm,
    Opened {
        generation: u64,
    },
    Told {
        generation: u64,
        reading: Reading,
    },
    /// It could not be opened, or is gone.
    Gone {
        generation: u64,
        fault: ServiceFault,
    },
    /// Time has passed.
    Tick,
}

/// Something to be done or told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Output {
    Open {
        generation: u64,
    },
    Close {
        generation: u64,
    },
    Send(Command),
    Heard {
        clip: u64,
        result: Result<(String, Usage), Lost>,
    },
    Sound {
        number: u64,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
    },
    Said {
        number: u64,
        result: Result<Usage, Lost>,
    },
    /// The service said something else than it was given.
    Departed {
        number: u64,
    },
    /// It hears and speaks, or does not for now.
    Standing {
        works: bool,
        detail: String,
    },
}

/// Why nothing came of a clip or a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lost {
    pub(crate) fault: ServiceFault,
    pub(crate) is_late: bool,
    /// What it took all the same.
    pub(crate) spent: Usage,
}

impl Lost {
    pub(crate) fn of(fault: ServiceFault) -> Self {
        Self {
            fault,
            is_late: false,
            spent: Usage::default(),
        }
    }

    pub(crate) fn late(what: &str, time: Span) -> Self {
        let detail = format!("{what} took longer than {} s", time.0 / 1_000);
        Self {
            fault: ServiceFault::new(FaultKind::Passing, detail),
            is_late: true,
            spent: Usage::default(),
        }
    }
}
