//! What a realtime service tells, whichever it is: a closed list, of which what nobody here needs is [`ServiceEvent::Other`].

use vocabulary::{Span, ToolCall};

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
    /// What it says next stands in its memory under this name.
    Voiced {
        response: Option<String>,
        item: String,
    },
    /// It wants something done.
    Called {
        response: Option<String>,
        call: ToolCall,
    },
    /// It does not wait for these calls any more.
    CallsDropped {
        ids: Vec<String>,
    },
    /// It goes on when it has what its calls came to.
    Paused {
        response: Option<String>,
        usage: Usage,
    },
    /// What it was saying is over because of something that it was sent.
    Interrupted,
    /// What follows is of the newest answer that it was asked for.
    Turned,
    /// Samples a second of what it will say.
    Rate {
        speaks_at: u32,
    },
    /// It wants to hear that somebody is there.
    Pinged {
        id: i64,
    },
    Ended {
        response: Option<String>,
        outcome: ResponseOutcome,
        usage: Usage,
    },
    /// It took this for something that goes on: it is on the bill of what ends next.
    Spent {
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

impl ServiceEvent {
    /// What it complains about, where it does.
    pub(crate) fn fault(&self) -> Option<&ServiceFault> {
        match self {
            Self::Fault(fault)
            | Self::Ended {
                outcome: ResponseOutcome::Failed(fault),
                ..
            } => Some(fault),
            _ => None,
        }
    }
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
    /// Of what went in, what it had read before and asks less for.
    pub(crate) text_cached: u64,
    pub(crate) sound_cached: u64,
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
    /// It has no such model, or not for this key.
    Model,
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
    /// What it was sent that it complains about, by the name that was given to that.
    pub(crate) about: Option<String>,
}

impl ServiceFault {
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            wait: None,
            about: None,
        }
    }

    /// Whether somebody has to do something about it.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::Key | FaultKind::Quota | FaultKind::Model | FaultKind::Refused
        )
    }
}

impl Usage {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            text_in: self.text_in.saturating_add(other.text_in),
            sound_in: self.sound_in.saturating_add(other.sound_in),
            text_out: self.text_out.saturating_add(other.text_out),
            sound_out: self.sound_out.saturating_add(other.sound_out),
            text_cached: self.text_cached.saturating_add(other.text_cached),
            sound_cached: self.sound_cached.saturating_add(other.sound_cached),
            seconds: match (self.seconds, other.seconds) {
                (None, None) => None,
                (one, other) => Some(one.unwrap_or(0.0) + other.unwrap_or(0.0)),
            },
        }
    }
}
