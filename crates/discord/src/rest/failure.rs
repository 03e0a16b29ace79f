//! Why a request failed: a kind for programs, and a sentence for a person that says what to do.

use serde_json::Value;
use thiserror::Error;
use vocabulary::Span;
use vocabulary::text::plain_line;

use super::limiter::RequestRefusal;

/// Words of the server that go into a sentence of ours.
const WORDS_MAX: usize = 200;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestFault {
    /// The bot's token is not one, or not any more.
    TokenRefused,
    /// The bot cannot see the channel or server.
    MissingAccess,
    /// The bot sees it and may not do this there.
    MissingPermission,
    /// The person takes no direct messages from the bot.
    DirectMessagesClosed,
    UnknownChannel,
    UnknownMessage,
    /// Something else that is not there (any more): a server, a member, an emoji.
    Unknown,
    /// An interaction that was answered, or whose time is over.
    InteractionOver,
    /// A thread that is archived or locked.
    ThreadClosed,
    TooLong,
    /// A file, or all of them together.
    TooLarge,
    /// Moderation of the server holds it back.
    Blocked,
    /// Any other thing the server will not take.
    Rejected,
    /// Discord wants this done less often than the deadline allows.
    Limited,
    /// Denizen stopped by itself, before Discord bars its address.
    TooManyRefused,
    /// The server has a fault of its own.
    ServerFault,
    /// Nothing came back: no connection, or none in time.
    Unreachable,
    /// Something came back that is no answer.
    Unreadable,
}

/// A request that failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{detail}")]
pub struct RestFailure {
    pub fault: RestFault,
    /// For a person, with the remedy.
    pub detail: String,
}

impl RestFailure {
    pub(super) fn new(fault: RestFault, deed: &str, why: &str) -> Self {
        Self {
            fault,
            detail: format!("{deed} failed: {why}"),
        }
    }

    /// Whether the same may work later without anybody doing anything.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self.fault,
            RestFault::Limited
                | RestFault::TooManyRefused
                | RestFault::ServerFault
                | RestFault::Unreachable
                | RestFault::Unreadable
        )
    }

    /// What the limiter would not let go.
    pub(super) fn of_refusal(refusal: RequestRefusal, deed: &str) -> Self {
        match refusal {
            RequestRefusal::TokenRefused => Self::new(RestFault::TokenRefused, deed, TOKEN),
            RequestRefusal::TooManyRefused { wait } => Self::new(
                RestFault::TooManyRefused,
                deed,
                &format!(
                    "Discord refused so many requests lately that it would soon bar this address; nothing is sent for {}. \
                     Look in the log for what is refused: most often a permission is missing",
                    seconds(wait)
                ),
            ),
            RequestRefusal::Overdue { wait } if wait > Span::ZERO => Self::new(
                RestFault::Limited,
                deed,
                &format!("Discord allows no more of this for {}", seconds(wait)),
            ),
            RequestRefusal::Overdue { .. } | RequestRefusal::TriedEnough => Self::new(
                RestFault::Limited,
                deed,
                "Discord allows so few of these at a time that its turn did not come",
            ),
        }
    }

    /// Of an answer that is no success. `by_bot`: the bot's token went with it.
    pub(super) fn of_answer(status: u16, body: &[u8], by_bot: bool, deed: &str) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let code = match &body["code"] {
            Value::String(text) => text.parse().unwrap_or_default(),
            code => code.as_u64().unwrap_or_default(),
        };
        let fault = fault_of(status, code, by_bot, &body["errors"]);
        let said = said(&body);
        let why = match remedy(fault) {
            Some(remedy) if said.is_empty() => remedy.to_owned(),
            Some(remedy) => format!("{remedy} (the server says: {said})"),
            None if said.is_empty() => format!("the server answered {status}"),
            None => format!("the server answered {status}: {said}"),
        };
        Self::new(fault, deed, &why)
    }
}

const TOKEN: &str = "Discord does not take the bot's token. Make a new one in the developer portal (Bot, Reset Token) and \
                     give it to `denizen setup discord`";

fn remedy(fault: RestFault) -> Option<&'static str> {
    Some(match fault {
        RestFault::TokenRefused => TOKEN,
        RestFault::MissingAccess => {
            "the bot cannot see this channel. Give its role the permission View Channel there, or invite it to the server"
        }
        RestFault::MissingPermission => {
            "the bot's role lacks a permission here. Compare its permissions in the channel's settings with those that \
             `denizen doctor` lists"
        }
        RestFault::DirectMessagesClosed => {
            "this person takes no direct messages from the bot. They can allow direct messages in the server's privacy \
             settings, or unblock it"
        }
        RestFault::UnknownChannel => "there is no such channel any more",
        RestFault::UnknownMessage => "there is no such message any more",
        RestFault::InteractionOver => {
            "the command was answered already, or its time is over: three seconds for the first answer, fifteen minutes \
             for the others"
        }
        RestFault::ThreadClosed => {
            "the thread is archived or locked. Somebody who may manage threads can open it again"
        }
        RestFault::TooLong => "the text is longer than Discord takes",
        RestFault::TooLarge => "the files are larger than Discord takes here",
        RestFault::Blocked => "a rule of the server's moderation holds this message back",
        RestFault::ServerFault => "the server has a fault of its own; it is tried again later",
        _ => return None,
    })
}

fn fault_of(status: u16, code: u64, by_bot: bool, errors: &Value) -> RestFault {
    match code {
        10_003 => return RestFault::UnknownChannel,
        10_008 => return RestFault::UnknownMessage,
        10_015 | 10_062 | 40_060 | 50_027 => return RestFault::InteractionOver,
        10_001..=10_999 => return RestFault::Unknown,
        50_001 => return RestFault::MissingAccess,
        50_013 | 160_002 => return RestFault::MissingPermission,
        50_007 | 50_278 => return RestFault::DirectMessagesClosed,
        50_083 | 160_005 => return RestFault::ThreadClosed,
        40_005 | 50_045 => return RestFault::TooLarge,
        200_000 | 240_000 => return RestFault::Blocked,
        20_016 | 20_022 | 20_028 | 40_062 => return RestFault::Limited,
        50_035 if mentions(errors, "BASE_TYPE_MAX_LENGTH") => return RestFault::TooLong,
        _ => {}
    }
    match status {
        401 if by_bot => RestFault::TokenRefused,
        401 => RestFault::InteractionOver,
        403 => RestFault::MissingPermission,
        404 => RestFault::Unknown,
        413 => RestFault::TooLarge,
        429 => RestFault::Limited,
        500.. => RestFault::ServerFault,
        _ => RestFault::Rejected,
    }
}

/// Whether a code stands anywhere in a tree of errors.
fn mentions(errors: &Value, code: &str) -> bool {
    first_error(errors, &mut |error| error["code"] == code).is_some()
}

/// The first error of a tree that is wanted. The tree is as deep as what was sent, and the reader of JSON has an end to that.
fn first_error<'a>(errors: &'a Value, wanted: &mut dyn FnMut(&Value) -> bool) -> Option<&'a Value> {
    match errors {
        Value::Object(fields) => {
            let own = fields.get("_errors").and_then(Value::as_array);
            let own = own.and_then(|own| own.iter().find(|error| wanted(error)));
            own.or_else(|| fields.values().find_map(|value| first_error(value, wanted)))
        }
        Value::Array(items) => items.iter().find_map(|value| first_error(value, wanted)),
        _ => None,
    }
}

/// The server's own words, on one line.
fn said(body: &Value) -> String {
    let message = body["message"].as_str().unwrap_or_default();
    let inner = first_error(&body["errors"], &mut |_| true).and_then(|error| error["message"].as_str());
    let words = match inner {
        Some(inner) => format!("{message}; {inner}"),
        None => message.to_owned(),
    };
    plain_line(&words, WORDS_MAX)
}

fn seconds(wait: Span) -> String {
    format!("{} s", wait.0.div_ceil(1_000))
}

#[cfg(test)]
#[path = "failure_tests.rs"]
mod tests;
