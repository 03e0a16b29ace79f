//! What a service says when it says no, and what a person can do about it.

use fetching::service::{Complaint, key_remedy, wait_wanted};
use reqwest::StatusCode;

use super::service::Service;
use crate::trouble::{Trouble, one_line};

const MONEY: &[&str] = &["insufficient_quota", "billing", "quota_exceeded", "payment"];

/// Codes of a service that does not have a model or a voice.
const LACKING: &[&str] = &[
    "model_not_found",
    "invalid_model",
    "unsupported_model",
    "deprecated",
    "voice_not_found",
];

/// A refusal as trouble.
pub(crate) fn trouble(
    service: &Service,
    status: StatusCode,
    retry_after: Option<&str>,
    body: &[u8],
) -> Trouble {
    let lacks = matches!(status.as_u16(), 402 | 404 | 410) || read(service, body).is_about(LACKING);
    Trouble {
        lacks,
        ..told(service, status, retry_after, body)
    }
}

fn told(service: &Service, status: StatusCode, retry_after: Option<&str>, body: &[u8]) -> Trouble {
    let who = &service.who;
    let report = read(service, body);
    let words = report.words();
    let remedy = key_remedy(service.variable, service.key().is_some());
    if report.is_about(MONEY) {
        return Trouble::lasting(format!(
            "{who} says that the account's money or quota is used up{words}. Look at the account's billing there, or choose another provider"
        ));
    }
    match status.as_u16() {
        // Its own words may quote a part of the key.
        401 => Trouble::lasting(format!("{who} did not accept the key. {remedy}")),
        403 => Trouble::lasting(format!("{who} does not allow it{words}. {remedy}")),
        404 | 405 | 410 => Trouble::lasting(format!(
            "{who} does not have it ({status}){words}. Check {} and {}",
            service.url_knob(),
            service.purpose.model_knob()
        )),
        413 => Trouble::lasting(format!(
            "{who} finds the sound too long{words}. Choose another model"
        )),
        429 => Trouble::passing(format!("{who} is asked too often{}", wait_wanted(retry_after))),
        300..=399 => Trouble::lasting(format!(
            "{who} answers with a redirect ({status}), which is not followed. Set {} to the address it leads to",
            service.url_knob()
        )),
        500..=599 => Trouble::passing(format!("{who} has trouble of its own ({status}){words}")),
        _ => Trouble::lasting(format!(
            "{who} declined it ({status}){words}. Check {}",
            service.purpose.model_knob()
        )),
    }
}

/// OpenAI has `error.message`, ElevenLabs `detail.message`, servers in Python `detail`, some `error` alone.
fn read(service: &Service, body: &[u8]) -> Complaint {
    Complaint::read(body, &["error", "detail"]).with_words(|message| one_line(&service.without_key(message)))
}
