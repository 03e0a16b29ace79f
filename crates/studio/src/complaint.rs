//! What a service says when it says no, and what a person can do about it.

use reqwest::StatusCode;
use runtime::ports::MediaFault;
use serde_json::Value;

use crate::fault::{failed, one_line, refused};
use crate::service::{Api, Service};

/// A refusal as a fault.
pub(crate) fn fault(
    service: &Service,
    status: StatusCode,
    retry_after: Option<&str>,
    body: &[u8],
) -> MediaFault {
    let report = Report::read(service, body);
    let who = &service.who;
    let words = report.words();
    if report.is_about_content() {
        return refused(format!("{who} declined it{words}"));
    }
    if report.is_about_money() {
        return failed(format!(
            "{who} says that the account's money or quota is used up{words}"
        ));
    }
    match status.as_u16() {
        // Its own words quote a part of the key.
        401 => failed(format!("{who} did not accept the key. {}", key_remedy(service))),
        403 => failed(format!("{who} does not allow it{words}. {}", key_remedy(service))),
        404 | 410 => failed(format!(
            "{who} does not have it ({status}){words}. {}",
            absent_remedy(service)
        )),
        429 => failed(format!("{who} is asked too often{}", wait(retry_after))),
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
    let report = Report::from_error(service, error);
    let who = &service.who;
    match report.is_about_content() {
        true => refused(format!("{who} declined it{}", report.words())),
        false => failed(format!("{who} could not make it{}", report.words())),
    }
}

#[derive(Default)]
struct Report {
    codes: String,
    message: String,
}

impl Report {
    fn read(service: &Service, body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            // A page of a proxy; nobody wants to read that in a message.
            return Self::default();
        };
        let error = [&value["error"], &value["meta"]];
        let error = error.into_iter().find(|error| !error.is_null()).unwrap_or(&value);
        Self::from_error(service, error)
    }

    fn from_error(service: &Service, error: &Value) -> Self {
        let mut report = Self::default();
        if let Value::String(message) = error {
            report.message = message.clone();
        }
        for key in ["code", "type", "status"] {
            if let Some(code) = error[key].as_str() {
                report.codes.push_str(&code.to_lowercase());
                report.codes.push(' ');
            }
        }
        let message = ["message", "msg", "detail"]
            .iter()
            .find_map(|key| error[*key].as_str());
        if let Some(message) = message {
            report.message = message.to_owned();
        }
        report.message = one_line(&service.without_key(&report.message));
        report
    }

    fn words(&self) -> String {
        match self.message.is_empty() {
            true => String::new(),
            false => format!(": {}", self.message.trim_end_matches('.')),
        }
    }

    fn is_about_content(&self) -> bool {
        let signs = ["moderation", "content_policy", "content_filter", "safety"];
        signs.iter().any(|sign| self.codes.contains(sign))
    }

    fn is_about_money(&self) -> bool {
        let signs = ["insufficient_quota", "billing"];
        signs.iter().any(|sign| self.codes.contains(sign))
    }
}

fn key_remedy(service: &Service) -> String {
    let variable = service.variable;
    match service.key() {
        Some(_) => format!("Check {variable}, and start Denizen again after a change"),
        None => format!("Set {variable} and start Denizen again"),
    }
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

fn wait(retry_after: Option<&str>) -> String {
    match retry_after.and_then(|text| text.trim().parse::<u64>().ok()) {
        Some(seconds) => format!("; it wants to be left alone for {seconds} s"),
        None => "; try again later, or less often".to_owned(),
    }
}
