//! What a service says when it says no, and what a person can do about it.

use reqwest::StatusCode;
use serde_json::Value;

use super::service::Service;
use crate::trouble::{Trouble, one_line};

/// A refusal as trouble.
pub(crate) fn trouble(
    service: &Service,
    status: StatusCode,
    retry_after: Option<&str>,
    body: &[u8],
) -> Trouble {
    let who = &service.who;
    let report = Report::read(service, body);
    let words = report.words();
    if report.is_about_money() {
        return Trouble::lasting(format!(
            "{who} says that the account's money or quota is used up{words}"
        ));
    }
    match status.as_u16() {
        // Its own words may quote a part of the key.
        401 => Trouble::lasting(format!("{who} did not accept the key. {}", key_remedy(service))),
        403 => Trouble::lasting(format!("{who} does not allow it{words}. {}", key_remedy(service))),
        404 | 405 | 410 => Trouble::lasting(format!(
            "{who} does not have it ({status}){words}. Check {} and {}",
            service.url_knob(),
            service.purpose.model_knob()
        )),
        413 => Trouble::lasting(format!("{who} finds the sound too long{words}")),
        429 => Trouble::passing(format!("{who} is asked too often{}", wait(retry_after))),
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

#[derive(Default)]
struct Report {
    codes: String,
    message: String,
}

impl Report {
    /// OpenAI has `error.message`, ElevenLabs `detail.message`, servers in Python `detail`, some `error` alone.
    fn read(service: &Service, body: &[u8]) -> Self {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            // A page of a proxy; nobody wants to read that in a message.
            return Self::default();
        };
        let error = [&value["error"], &value["detail"]]
            .into_iter()
            .find(|error| !error.is_null())
            .unwrap_or(&value);
        // A list of what does not fit: the first is enough.
        let error = error.get(0).unwrap_or(error);
        let mut report = Self::default();
        for key in ["code", "type", "status"] {
            if let Some(code) = error[key].as_str() {
                report.codes.push_str(&code.to_lowercase());
                report.codes.push(' ');
            }
        }
        let message = ["message", "msg", "detail"]
            .iter()
            .find_map(|key| error[*key].as_str())
            .or_else(|| error.as_str());
        report.message = one_line(&service.without_key(message.unwrap_or_default()));
        report
    }

    fn words(&self) -> String {
        match self.message.is_empty() {
            true => String::new(),
            false => format!(": {}", self.message.trim_end_matches('.')),
        }
    }

    fn is_about_money(&self) -> bool {
        let signs = ["insufficient_quota", "billing", "quota_exceeded", "payment"];
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

fn wait(retry_after: Option<&str>) -> String {
    match retry_after.and_then(|text| text.trim().parse::<u64>().ok()) {
        Some(seconds) => format!("; it wants to be left alone for {seconds} s"),
        None => "; try again later, or less often".to_owned(),
    }
}
