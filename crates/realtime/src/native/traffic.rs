//! What goes into a conversation and what comes out of it.

use std::sync::Arc;

use runtime::ports::{NativeInstructions, NativeKnown};
use vocabulary::{Span, ToolCall, ToolResult};

use crate::command::Command;
use crate::event::{ServiceFault, Usage};
use crate::session::Lost;
use crate::wire::Reading;

/// Something that happens.
#[derive(Clone, Debug)]
pub(crate) enum NativeInput {
    Instruct(Arc<NativeInstructions>),
    Tell(String),
    /// Sound of people, at the rate that the service takes; who it is.
    Hear {
        clip: u64,
        who: String,
        samples: Arc<[i16]>,
        heard: Span,
    },
    /// The words of a clip, where they are had elsewhere; none: nobody understood it.
    Understood {
        clip: u64,
        words: Option<String>,
    },
    Results(Vec<ToolResult>),
    Answer {
        number: u64,
        hint: String,
    },
    /// The answer that is under way or was last is over: so much of it was heard.
    Stop {
        heard: Span,
    },
    /// Nobody waits for this answer any more.
    LetGo {
        number: u64,
    },
    BeginAnew,
    Opened {
        generation: u64,
    },
    Told {
        generation: u64,
        reading: Reading,
    },
    Gone {
        generation: u64,
        fault: ServiceFault,
    },
    Tick,
}

/// Something to be done or told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NativeOutput {
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
        rate: u32,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
    },
    Words {
        number: u64,
        words: String,
    },
    Call {
        number: u64,
        call: ToolCall,
    },
    Over {
        number: u64,
        result: Result<Usage, Lost>,
    },
    /// It took this for an answer that goes on.
    Spent(Usage),
    Known(NativeKnown),
    Standing {
        works: bool,
        detail: String,
    },
}
