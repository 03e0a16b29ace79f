//! Every way of saying no: a status, a stable code, and a message that tells a person what to do.

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use runtime::ports::StoreError;
use runtime::{NotAccepted, SettingsRefused};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Left on a response that refuses, for the journal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefusedAs(pub &'static str);

/// Every refusal looks like this.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: Problem,
}

/// What went wrong and what to do about it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Problem {
    /// A stable word for programs.
    #[schemars(example = &"empty_message")]
    code: &'static str,
    /// For a person, with the remedy.
    message: String,
    /// One item for each thing that is wrong, where there may be several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<Value>,
    /// With `stale_settings`: the newest version.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_version: Option<u64>,
}

/// A request that is refused or failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    problem: Problem,
    headers: Vec<(HeaderName, HeaderValue)>,
    journaled_already: bool,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            problem: Problem {
                code,
                message: message.into(),
                details: Vec::new(),
                newest_version: None,
            },
            headers: Vec::new(),
            journaled_already: false,
        }
    }

    /// The request cannot be understood.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The request is understood, and what it says will not do.
    pub fn unprocessable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// Too much at once: the same request may succeed in a moment.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Says what else can be done.
    pub fn with_remedy(mut self, remedy: &str) -> Self {
        self.problem.message = format!("{} {remedy}", self.problem.message);
        self
    }

    /// Whoever refused has journaled it, with more than is known here.
    pub fn journaled_already(mut self) -> Self {
        self.journaled_already = true;
        self
    }

    /// The code and the message, for those who are told otherwise than by a response.
    pub fn into_words(self) -> (&'static str, String) {
        (self.problem.code, self.problem.message)
    }

    /// Says what each thing is that is wrong.
    fn with_details(mut self, details: Vec<Value>) -> Self {
        self.problem.details = details;
        self
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        if self.status.is_server_error() && self.status != StatusCode::SERVICE_UNAVAILABLE {
            tracing::error!(
                code = self.problem.code,
                problem = self.problem.message,
                "a request failed"
            );
        }
        let code = self.problem.code;
        let mut response = (self.status, Json(ErrorBody { error: self.problem })).into_response();
        for (name, value) in self.headers {
            response.headers_mut().insert(name, value);
        }
        if !self.journaled_already {
            response.extensions_mut().insert(RefusedAs(code));
        }
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

impl From<NotAccepted> for Refusal {
    fn from(problem: NotAccepted) -> Self {
        match problem {
            NotAccepted::Busy => Self::busy(sentence(&problem.to_string())),
            NotAccepted::Stopping => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "stopping",
                sentence(&problem.to_string()),
            )
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("5")),
            NotAccepted::NotStored(_) => storage_failed(&problem.to_string()),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(problem: StoreError) -> Self {
        match problem {
            StoreError::StaleSettings { newest, .. } => {
                let etag = HeaderValue::from_str(&format!("\"{newest}\""))
                    .expect("digits and quotes make a header value");
                let mut stale = Self::new(
                    StatusCode::CONFLICT,
                    "stale_settings",
                    sentence(&problem.to_string()),
                )
                .with_details(vec![json!({ "newestVersion": newest })])
                .with_header(header::ETAG, etag);
                stale.problem.newest_version = Some(newest);
                stale
            }
            StoreError::Busy { .. } | StoreError::TooNew { .. } | StoreError::Failed { .. } => {
                storage_failed(&problem.to_string())
            }
        }
    }
}

impl From<SettingsRefused> for Refusal {
    fn from(problem: SettingsRefused) -> Self {
        match problem {
            SettingsRefused::Invalid(errors) => {
                let keys: Vec<&str> = errors.iter().map(|error| error.key.as_str()).collect();
                Self::unprocessable(
                    "invalid_settings",
                    format!(
                        "Nothing was changed, because of {}. The details say what each of them takes.",
                        keys.join(", ")
                    ),
                )
                .with_details(errors.iter().map(|error| json!(error)).collect())
            }
            SettingsRefused::Store(problem) => problem.into(),
            SettingsRefused::NotAccepted(NotAccepted::Busy) => Self::busy(
                "The settings are saved and in force, but so much is waiting that it could not be journaled. Read them again in a moment.",
            ),
            SettingsRefused::NotAccepted(problem) => problem.into(),
        }
    }
}

fn storage_failed(problem: &str) -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "storage_failed",
        format!(
            "{} Look at the disk of the data folder, then try again.",
            sentence(problem)
        ),
    )
}

/// With a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).chain(['.']).collect()
    })
}
