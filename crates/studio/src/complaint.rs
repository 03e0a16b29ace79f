//! What a service says when it says no, and what a person can do about it.

use fetching::service::{Complaint, key_remedy, wait_wanted};
use reqwest::StatusCode;
use runtime::ports::MediaFault;
use serde_json::Value;

use crate::fault::{failed, one_line, refused};
use crate::service::{Api, Service};

const CONTENT: &[&str] = &["moderation", "content_policy", "content_filter", "safety"];
const MONEY: &[&str] = &["insufficient_quota", "billing"];

/// A refusal as a fault.
pub(crate) fn fault(
    service: &Service,
    status: StatusCode,
    retry_after: Option<&str>,
    body: &[u8],
) -> MediaFault {
    let report = shown(service, Complaint::read(body, &["error", "meta"]));
    let who = &service.who;
    let words = report.words();
    let remedy = key_remedy(service.variable, service.key().is_some());
    if report.is_about(CONTENT) {
        return refused(format!("{who} declined it{words}"));
    }
    if report.is_about(MONEY) {
        return failed(format!(
            "{who} says that the account's money or quota is used up{words}"
        ));
    }
    match status.as_u16() {
        // Its own words quote a part of the key.
        401 => failed(format!("{who} did not accept the key. {remedy}")),
        403 => failed(format!("{who} does not allow it{words}. {remedy}")),
        404 | 410 => failed(format!(
            "{who} does not have it ({status}){words}. {}",
            absent_remedy(service)
        )),
        429 => failed(format!("{who} is asked too often{}", wait_wanted(retry_after))),
        400 | 422 => refused(format!("{who} declined it{words}")),
        300..=399 => failed(format!(
            "{who} answers with a redirect ({status}), which is not followed. Set the address it leads to"
        )),
        500..=599 => failed(format!("{who} has trouble of its own ({status}){words}")),
        _ => failed(format!("{who} answered {status}{words}")),
    }
}

/// The same for a job that was taken and then failed.
pub(crate) fn job_fault(service: &Service, error: &Value) -> MediaFault {
    let report = shown(service, Complaint::of(error));
    let who = &service.who;
    match report.is_about(CONTENT) {
        true => refused(format!("{who} declined it{}", report.words())),
        false => failed(format!("{who} could not make it{}", report.words())),
    }
}

fn shown(service: &Service, complaint: Complaint) -> Complaint {
    complaint.with_words(|message| one_line(&service.without_key(message)))
}

fn absent_remedy(service: &Service) -> &'static str {
    match (service.api, service.is_own) {
        (Api::OpenAi, true) => {
            "Check the address in media.imageUrl or media.videoUrl, and the names of models in initiative.discovery"
        }
        (Api::OpenAi, false) => {
            "Check the names of models in initiative.discovery. Its API for clips was to end in September 2026: media.videoUrl takes another server that speaks it"
        }
        (Api::Giphy, _) => "Check media.gifUrl",
        (Api::Tenor, true) => "Check media.gifUrl",
        (Api::Tenor, false) => {
            "Its API was to end in June 2026: use giphy, or set media.gifUrl to a server that speaks it, such as https://api.klipy.com"
        }
    }
}
