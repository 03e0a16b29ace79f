//! Requests as routes see them, and what comes of them, errors in Discord's words.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::ids::Id;

/// A file of a form.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The number in `files[3]`.
    pub number: u64,
    pub name: String,
    pub kind: String,
    pub bytes: Bytes,
}

#[derive(Clone, Debug, Default)]
pub struct Call {
    pub method: String,
    pub path: Vec<String>,
    pub query: BTreeMap<String, String>,
    pub body: Value,
    pub files: Vec<Upload>,
    /// Who asks; 0 where nobody has to.
    pub me: Id,
}

impl Call {
    /// A request that only has a body, from somebody.
    pub fn with(me: Id, body: Value) -> Self {
        Self {
            me,
            body,
            ..Self::default()
        }
    }

    pub fn asked(&self, key: &str) -> Option<&str> {
        self.query.get(key).map(String::as_str)
    }

    pub fn asked_id(&self, key: &str) -> Option<Id> {
        self.asked(key)?.parse().ok()
    }

    pub fn wants(&self, key: &str) -> bool {
        matches!(self.asked(key), Some("true" | "True" | "1"))
    }

    /// How many are asked for, within what the route allows.
    pub fn limit(&self, usual: usize, most: usize) -> Result<usize, Failure> {
        let Some(limit) = self.asked("limit") else {
            return Ok(usual);
        };
        let limit = limit.parse().unwrap_or(0);
        if (1..=most).contains(&limit) {
            return Ok(limit);
        }
        Err(Failure::form(
            "limit",
            "NUMBER_TYPE_MAX",
            "int value should be within the limits of this route.",
        ))
    }
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Option<Value>,
}

pub type Answered = Result<Answer, Failure>;

pub fn done(body: Value) -> Answered {
    Ok(Answer {
        status: 200,
        body: Some(body),
    })
}

pub fn made(body: Value) -> Answered {
    Ok(Answer {
        status: 201,
        body: Some(body),
    })
}

pub fn nothing() -> Answered {
    Ok(Answer {
        status: 204,
        body: None,
    })
}

/// An error as Discord tells it.
#[derive(Clone, Debug)]
pub struct Failure {
    pub status: u16,
    pub code: u64,
    pub message: &'static str,
    pub errors: Option<Value>,
}

macro_rules! failures {
    ($($name:ident = $status:literal $code:literal $message:literal;)*) => {
        impl Failure {
            $(pub const $name: Self = Self { status: $status, code: $code, message: $message, errors: None };)*
        }
    };
}

failures! {
    UNAUTHORIZED = 401 0 "401: Unauthorized";
    NO_ROUTE = 404 0 "404: Not Found";
    NO_METHOD = 405 0 "405: Method Not Allowed";
    INVALID_FORM = 400 50035 "Invalid Form Body";
    UNKNOWN_CHANNEL = 404 10003 "Unknown Channel";
    UNKNOWN_GUILD = 404 10004 "Unknown Guild";
    UNKNOWN_MEMBER = 404 10007 "Unknown Member";
    UNKNOWN_MESSAGE = 404 10008 "Unknown Message";
    UNKNOWN_ROLE = 404 10011 "Unknown Role";
    UNKNOWN_USER = 404 10013 "Unknown User";
    UNKNOWN_EMOJI = 400 10014 "Unknown Emoji";
    UNKNOWN_WEBHOOK = 404 10015 "Unknown Webhook";
    UNKNOWN_BAN = 404 10026 "Unknown Ban";
    UNKNOWN_STICKER = 404 10060 "Unknown sticker";
    UNKNOWN_INTERACTION = 404 10062 "Unknown interaction";
    UNKNOWN_COMMAND = 404 10063 "Unknown application command";
    UNKNOWN_VOICE_STATE = 404 10065 "Unknown Voice State";
    TOO_MANY_PINS = 400 30003 "Maximum number of pins reached (250)";
    TOO_MANY_REACTIONS = 400 30010 "Maximum number of reactions reached (20)";
    INTERACTION_ANSWERED = 400 40060 "Interaction has already been acknowledged.";
    MISSING_ACCESS = 403 50001 "Missing Access";
    DIRECT_ONLY = 403 50003 "Cannot execute action on a DM channel";
    NOT_THE_AUTHOR = 403 50005 "Cannot edit a message authored by another user";
    EMPTY_MESSAGE = 400 50006 "Cannot send an empty message";
    CANNOT_SEND_TO_USER = 403 50007 "Cannot send messages to this user";
    NON_TEXT_CHANNEL = 400 50008 "Cannot send messages in a non-text channel";
    MISSING_PERMISSIONS = 403 50013 "Missing Permissions";
    BULK_AMOUNT = 400 50016 "Provided too few or too many messages to delete. Must provide at least 2 and fewer than 100 messages to delete.";
    WRONG_CHANNEL_TYPE = 400 50024 "Cannot execute action on this channel type";
    THREAD_ARCHIVED = 400 50083 "Thread is archived";
    THREAD_LOCKED = 403 160_005 "Thread is locked";
    THREAD_THERE = 400 160_004 "A thread has already been created for this message";
    NOT_JSON = 400 50109 "The request body contains invalid JSON.";
    SLOW_MODE = 429 20016 "This action cannot be performed due to slowmode rate limit.";
}

impl Failure {
    /// A field of the body that does not fit.
    pub fn form(field: &str, code: &str, message: &str) -> Self {
        let errors = json!({field: {"_errors": [{"code": code, "message": message}]}});
        Self {
            status: 400,
            code: 50035,
            message: "Invalid Form Body",
            errors: Some(errors),
        }
    }

    pub fn body(&self) -> Value {
        let mut body = json!({"message": self.message, "code": self.code});
        if let Some(errors) = &self.errors {
            body["errors"] = errors.clone();
        }
        if self.status == 429 {
            body["retry_after"] = json!(1.0);
            body["global"] = json!(false);
        }
        body
    }
}
