//! What a realtime service tells, whichever it is: a closed list, of which what nobody here needs is [`ServiceEvent::Other`].

use vocabulary::Span;

/// Something that came over the wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ServiceEvent {
    /// It is there, and may be told how the session is to be.
    Greeted,
    /// The session is as it was asked for: words and sound may go.
    Ready,
    /// What was committed last is this item.
    Committed {
        item: String,
    },
    /// More words of an item; where a service has no items, of the clip under way. `whole`: all so far, not only what is new.
    Partial {
        item: Option<String>,
        text: String,
        whole: bool,
    },
    /// The words of an item are final; none: they are what the pieces before were.
    Transcript {
        item: Option<String>,
        text: Option<String>,
        usage: Usage,
    },
    TranscriptFailed {
        item: Option<String>,
        fault: ServiceFault,
    },
    /// It begins to say something; `number` is what it was asked for under, where it tells that.
    Began {
        response: String,
        number: Option<u64>,
    },
    /// Something stands in its memory now.
    Remembered {
        item: String,
    },
    Sound {
        response: Option<String>,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
    },
    /// Words of what it says.
    Said {
        response: Option<String>,
        text: String,
    },
    Ended {
        response: Option<String>,
        outcome: ResponseOutcome,
        usage: Usage,
    },
    /// The session can be taken up again by this; none: not just now.
    Resumable {
        handle: Option<String>,
    },
    /// It ends the connection soon.
    GoingAway {
        left: Span,
    },
    /// So little may still be asked for; it is more after this time.
    Limits {
        remaining: u64,
        resets_in: Option<Span>,
    },
    Fault(ServiceFault),
    Other,
}

/// How something that was to be said ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResponseOutcome {
    Whole,
    Cancelled,
    Failed(ServiceFault),
}

/// What a service says it used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Usage {
    pub(crate) text_in: u64,
    pub(crate) sound_in: u64,
    pub(crate) text_out: u64,
    pub(crate) sound_out: u64,
    /// Of sound, where it counts by time.
    pub(crate) seconds: Option<f64>,
}

/// What kind of trouble it is: what becomes of the connection and of what was asked depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The key is none that it takes, or may not do this.
    Key,
    /// Nothing is left to pay with.
    Quota,
    /// Too much in too short a time.
    Busy,
    /// It was asked for something that it does not do.
    Refused,
    /// The session is over because it was long; a new one can begin at once.
    SessionOver,
    /// There was too little sound to make words of.
    NoSound,
    /// What was asked has no subject any more, such as to stop something that has ended.
    Moot,
    /// Anything that may pass.
    Passing,
}

/// Trouble, in the service's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServiceFault {
    pub(crate) kind: FaultKind,
    pub(crate) detail: String,
    /// What to wait for before it is asked again, where it says so.
    pub(crate) wait: Option<Span>,
}

impl ServiceFault {
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            wait: None,
        }
    }

    /// Whether somebody has to do something about it.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self.kind, FaultKind::Key | FaultKind::Quota | FaultKind::Refused)
    }
}
