//! What a server meant by its error: by its status, its codes and the field it names, and where it has no code for it,
//! by its words, as OpenAI, Anthropic, Google, OpenRouter, Groq, Ollama, llama.cpp, LM Studio and vLLM put it.

use vocabulary::AskFailureKind;

use crate::catalogue::Provider;
use crate::elsewhere::is_elsewhere;
use crate::error_body::ErrorReport;
use crate::no_tools::refuses_tools;
use crate::refused::{Parameter, Refused, STREAM};
use crate::trouble::Feature;

/// An error, to be made sense of.
pub(crate) struct Heard<'a> {
    provider: Provider,
    pub(crate) status: Option<u16>,
    report: &'a ErrorReport,
    /// All that it said, codes and names of fields too; the name of the model may hold any word, and is left out.
    words: String,
    names_model: bool,
}

impl<'a> Heard<'a> {
    /// What somebody said who was asked for a model.
    pub(crate) fn of(
        (provider, model): (Provider, &str),
        status: Option<u16>,
        report: &'a ErrorReport,
    ) -> Self {
        let words = complaint(&report.words()).to_owned();
        let model = model.to_lowercase();
        let names_model = model.len() >= MODEL_NAME_MIN && words.contains(&model);
        Self {
            provider,
            status: status.or_else(|| status_of(report)),
            report,
            words: match names_model {
                true => words.replace(&model, "…"),
                false => words,
            },
            names_model,
        }
    }

    pub(crate) fn kind(&self) -> AskFailureKind {
        let is_about_request = self.status != Some(429);
        if self.is_spent() {
            AskFailureKind::QuotaSpent
        } else if is_about_request && self.says(CANNOT_SEE) {
            AskFailureKind::Unavailable
        } else if self.refuses_one_picture() {
            AskFailureKind::Rejected
        } else if self.status == Some(413) || (is_about_request && self.says(CONTEXT_TOO_LONG)) {
            AskFailureKind::ContextTooLong
        } else if self.asks_to_slow_down() {
            AskFailureKind::RateLimited
        } else if self.is_client_error() && (self.has_code(DECLINED_CODES) || self.says(DECLINED)) {
            AskFailureKind::Refused
        } else if self.is_client_error() && is_elsewhere(self.status, self.report) {
            AskFailureKind::RegionRefused
        } else if self.is_unknown_model() {
            AskFailureKind::UnknownModel
        } else if self.is_bad_key() {
            AskFailureKind::KeyRefused
        } else {
            match self.status {
                // What is not implemented does not pass by itself.
                Some(501 | 505) => AskFailureKind::Rejected,
                Some(408 | 425) | Some(500..) | None => AskFailureKind::ServerError,
                Some(_) => AskFailureKind::Rejected,
            }
        }
    }

    /// We ask too much. A server that is not up to it for now (503, 529) has trouble of its own, whatever words it has.
    fn asks_to_slow_down(&self) -> bool {
        let has_trouble = self.status.is_some_and(|status| status >= 500);
        self.status == Some(429)
            || self.has_code(SLOW_DOWN)
            || (!has_trouble && !self.is_overloaded() && self.says(TOO_MANY))
    }

    /// Everybody asks it too much, so that asking less does not help.
    pub(crate) fn is_overloaded(&self) -> bool {
        let is_ours = self.status.is_some_and(|status| status < 500);
        self.status == Some(529) || self.has_code(OVERLOADED) || (!is_ours && self.says(&["overloaded"]))
    }

    /// What of the request it stumbled over, so that leaving it out helps.
    pub(crate) fn refuses(&self, kind: AskFailureKind) -> Option<Feature> {
        match kind {
            AskFailureKind::Unavailable => Some(Feature::Pictures),
            AskFailureKind::Rejected | AskFailureKind::ServerError => self.stumbled_over(),
            _ => None,
        }
    }

    /// Parameters that leaving out helps.
    pub(crate) fn refused_parameters(&self, kind: AskFailureKind) -> Vec<Parameter> {
        let is_about_request = matches!(kind, AskFailureKind::Rejected | AskFailureKind::ServerError);
        if !is_about_request || !self.is_about_a_part() {
            return Vec::new();
        }
        let typed = Refused::typed(self.report);
        match typed == Refused::default() {
            true => self.refused_in_words(),
            false => typed.parameters,
        }
    }

    fn refused_in_words(&self) -> Vec<Parameter> {
        Refused::in_words(&self.complaint()).parameters
    }

    /// Its sentence alone.
    fn complaint(&self) -> String {
        complaint(&self.report.message.to_lowercase()).to_owned()
    }

    /// It gives no answers in pieces, or not with something that a reply is better off with.
    fn refuses_pieces(&self) -> bool {
        self.refused_in_words()
            .iter()
            .any(|parameter| parameter.name() == STREAM)
    }

    fn is_about_a_part(&self) -> bool {
        matches!(self.status, Some(400 | 404 | 405 | 422 | 500 | 501))
    }

    fn stumbled_over(&self) -> Option<Feature> {
        if !self.is_about_a_part() {
            return None;
        }
        let named = Refused::typed(self.report);
        let is_named = named != Refused::default();
        Some(match () {
            () if self.refuses_one_picture() => Feature::OnePicture,
            () if self.provider == Provider::OpenAi && self.says(&["v1/responses"]) => {
                Feature::ChatCompletions
            }
            () if is_named => return named.feature,
            () if self.refuses_pieces() => return None,
            () if refuses_tools(&self.complaint()) => Feature::Tools,
            () if self.says(EFFORT) => Feature::Effort,
            () if self.says(STRUCTURED_OUTPUT) => Feature::StructuredOutput,
            () if self.says(THINKING) => Feature::ThinkingSwitch,
            () if self.status != Some(500) && self.says(&["temperature"]) => Feature::Temperature,
            () => return None,
        })
    }

    /// A quota of which there is no more today.
    pub(crate) fn is_day_quota(&self) -> bool {
        self.report.quotas.iter().any(|quota| quota.contains("perday"))
    }

    /// There is nothing at the address; a model that is not known is something else.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.status, Some(404 | 405)) && !self.is_unknown_model() && !self.says(&["model"])
    }

    /// The provider has no such model, or not for this key: by the code for it. Anthropic and Google have one for whatever
    /// is not there, and at the address that questions go to nothing else can be missing than the model. Servers of one's
    /// own name the field or the model, or only say so.
    fn is_unknown_model(&self) -> bool {
        if !self.is_client_error() {
            return false;
        }
        if self.has_code(UNKNOWN_MODEL) {
            return true;
        }
        self.status == Some(404)
            && match self.provider {
                Provider::Anthropic => self.has_code(&["not_found_error"]),
                Provider::Gemini => self.has_code(&["not_found"]),
                Provider::OpenAi | Provider::Compatible => {
                    let is_about_model = self.report.param == "model" || self.names_model;
                    let says_so = self.says(&["model"]) && self.says(NOT_THERE);
                    (is_about_model || says_so) && self.stumbled_over().is_none()
                }
                Provider::Offline => false,
            }
    }

    pub(crate) fn is_bad_key(&self) -> bool {
        matches!(self.status, Some(401 | 403)) || (self.is_client_error() && self.says(BAD_KEY))
    }

    fn is_spent(&self) -> bool {
        self.status == Some(402) || self.has_code(SPENT) || self.is_day_quota() || self.says(SPENT_WORDS)
    }

    /// It names nothing, or the size of the whole, and a picture may be what is behind it.
    pub(crate) fn may_be_a_picture(&self, kind: AskFailureKind) -> bool {
        match self.status {
            Some(400 | 413 | 415 | 422) => {
                matches!(kind, AskFailureKind::Rejected | AskFailureKind::ContextTooLong)
                    && !self.is_bad_key()
            }
            Some(500 | 501) => self.says(&["image", "picture"]),
            _ => false,
        }
    }

    fn refuses_one_picture(&self) -> bool {
        self.has_code(BAD_PICTURE) || (self.is_client_error() && self.says(BAD_PICTURE_WORDS))
    }

    fn is_client_error(&self) -> bool {
        self.status.is_none_or(|status| (400..500).contains(&status))
    }

    fn has_code(&self, codes: &[&str]) -> bool {
        self.report.has_code(codes)
    }

    fn says(&self, needles: &[&str]) -> bool {
        needles.iter().any(|needle| self.words.contains(needle))
    }
}

/// The status that an error in the midst of a stream stands for, by the type that its provider gives it: HTTP's own was
/// said before.
fn status_of(report: &ErrorReport) -> Option<u16> {
    let is = |codes: &[&str]| report.has_code(codes);
    Some(match () {
        () if is(&["authentication_error", "unauthenticated"]) => 401,
        () if is(&["permission_error", "permission_denied"]) => 403,
        () if is(&["not_found_error", "not_found"]) => 404,
        () if is(&["request_too_large"]) => 413,
        () if is(&["invalid_request_error", "invalid_argument", "failed_precondition"]) => 400,
        () if is(&["unavailable"]) => 503,
        () if is(OVERLOADED) => 529,
        () if is(&["timeout_error", "deadline_exceeded"]) => 504,
        () if is(&["api_error", "internal", "server_error"]) => 500,
        () => return None,
    })
}

/// Words without what else a server would have taken, which is not what is wrong.
fn complaint(words: &str) -> &str {
    words.split_once(", expected").map_or(words, |(before, _)| before)
}

/// Nothing comes back by waiting a minute.
const SPENT: &[&str] = &[
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "enforced_spend_limit_reached",
    "access_terminated",
    "insufficient_credits",
];
/// Anthropic has no code of its own for an account of prepaid credit that is empty.
const SPENT_WORDS: &[&str] = &["credit balance is too low"];
/// A shorter name may stand in any word.
const MODEL_NAME_MIN: usize = 3;
/// OpenAI's and of whoever speaks like it, and Azure's.
const UNKNOWN_MODEL: &[&str] = &["model_not_found", "deploymentnotfound"];
/// Ollama, llama.cpp and vLLM of older times have no code of their own for a model that is not there.
const NOT_THERE: &[&str] = &["not found", "not exist"];
const SLOW_DOWN: &[&str] = &[
    "rate_limit_error",
    "rate_limit_exceeded",
    "ramp_limit_exceeded",
    "resource_exhausted",
    "slow_down",
];
const TOO_MANY: &[&str] = &["overloaded", "rate_limit", "too many requests"];
const OVERLOADED: &[&str] = &["overloaded_error"];
const DECLINED_CODES: &[&str] = &[
    "content_policy_violation",
    "content_filter",
    "invalid_prompt",
    "bio_policy",
    "misalignment_policy_violation",
    "image_content_policy_violation",
];
const DECLINED: &[&str] = &["content management policy", "usage policies", "safety system"];
const BAD_KEY: &[&str] = &[
    "api_key_invalid",
    "api key not valid",
    "invalid_api_key",
    "authentication_error",
];
const BAD_PICTURE: &[&str] = &[
    "invalid_image",
    "invalid_image_format",
    "invalid_base64_image",
    "invalid_image_url",
    "image_too_large",
    "image_too_small",
    "image_parse_error",
    "invalid_image_mode",
    "image_file_too_large",
    "unsupported_image_media_type",
    "empty_image_file",
    "failed_to_download_image",
];
const BAD_PICTURE_WORDS: &[&str] = &[
    "image.source",
    "could not process image",
    "unable to process input image",
    "unsupported mime type: image/",
    "unsupported image",
    "cannot identify image",
    "failed to load image",
    "failed to decode image",
    "invalid image",
    "image exceeds",
    "not represent a valid image",
];
const EFFORT: &[&str] = &[
    "reasoning_effort",
    "reasoning.effort",
    "output_config.effort",
    "thinking_level",
    "thinkinglevel",
    "thinking level",
    "think value",
];
const THINKING: &[&str] = &["thinking"];
pub(crate) const CONTEXT_TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "context length",
    "context window",
    "context limit",
    "context size",
    "maximum model length",
    "context is too long",
    "context too long",
    "exceeds the context",
    "exceeds context",
    "exceeds the model's context",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input too long",
    "request_too_large",
    "exceeds the maximum number of tokens",
    "too many tokens",
];
const CANNOT_SEE: &[&str] = &[
    "not support image",
    "n't support image",
    "not support vision",
    "not support multimodal",
    "image input is not supported",
    "image inputs are not supported",
    "images are not supported",
    "image content is not supported",
    "image_url is only supported by certain models",
    "unsupported content part type: \"image_url\"",
    "unknown variant `image_url`",
    "found that support image input",
    "image input modality is not enabled",
    "missing data required for image input",
    "at most 0 image",
    "not a multimodal model",
    "not compiled for multimodal",
    "not configured with a mmproj",
    ".content must be a string",
];
const STRUCTURED_OUTPUT: &[&str] = &[
    "response_format",
    "json_schema",
    "json schema",
    "output_config",
    "output_format",
    "text.format",
    "structured output",
    "structured_output",
    "responsejsonschema",
    "response_json_schema",
    "response_schema",
    "responsemimetype",
    "response_mime_type",
    "response mime type",
    "grammar",
    "guided",
];

#[cfg(test)]
#[path = "heard_tests.rs"]
mod tests;
