//! One short question to a server beside those for answers, such as which models it has: bounded, with the key where it
//! belongs, and the ways in which it comes to nothing told in the same words.

use std::fmt;

use reqwest::RequestBuilder;
use settings::ModelKeys;
use vocabulary::AskFailureKind;

use crate::attempt::{authorised, bounded};
use crate::catalogue::Provider;
use crate::error_body::ErrorReport;
use crate::heard::Heard;
use crate::trouble::Party;

/// More of a refusal than this is not looked at.
const REFUSAL_BYTES_MAX: usize = 16 << 10;

/// Why nothing came of it.
#[derive(Debug)]
pub(crate) enum Unheard {
    Unreached,
    Broken,
    /// Its status, and what it said.
    Refused(u16, Vec<u8>),
}

/// Asks, and reads at most so many bytes of the answer.
pub(crate) async fn ask_aside(
    request: RequestBuilder,
    (provider, url, key): (Provider, &str, Option<&str>),
    bytes_max: usize,
) -> Result<Vec<u8>, Unheard> {
    let party = Party {
        provider,
        model: "",
        url,
        key,
        keys: ModelKeys::default(),
    };
    let sent = authorised(request, party).send().await;
    let response = sent.map_err(|error| match error.is_connect() {
        true => Unheard::Unreached,
        false => Unheard::Broken,
    })?;
    let status = response.status();
    if !status.is_success() {
        let said = bounded(response, REFUSAL_BYTES_MAX).await;
        return Err(Unheard::Refused(status.as_u16(), said));
    }
    Ok(bounded(response, bytes_max).await)
}

impl Unheard {
    /// As what a question would fail. A key that may ask and may not list is good all the same.
    pub(crate) fn kind(&self, provider: Provider) -> Option<AskFailureKind> {
        let Unheard::Refused(status, said) = self else {
            return None;
        };
        let report = ErrorReport::from_body(said);
        let may_not_list = ["scope", "insufficient permission"];
        let words = report.words();
        let kind = Heard::of((provider, ""), Some(*status), &report).kind();
        let is_good =
            kind == AskFailureKind::KeyRefused && may_not_list.iter().any(|word| words.contains(word));
        (!is_good).then_some(kind)
    }
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unheard::Unreached => f.write_str("it cannot be reached"),
            Unheard::Broken => f.write_str("the connection broke"),
            Unheard::Refused(status, _) => write!(f, "it answers with status {status}"),
        }
    }
}
