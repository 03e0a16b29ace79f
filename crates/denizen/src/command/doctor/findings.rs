//! What a check of the set-up found, and how it is marked.

use providers::{Finding, Trial};

use super::super::colour::Colour;

/// How a finding is marked: in order, worth knowing, or broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Good,
    /// Nothing is broken, and there is something to be done.
    Noted,
    Broken,
}

impl Mark {
    pub(super) fn of(finding: &Finding) -> Self {
        match (finding.ok, &finding.remedy) {
            (false, _) => Mark::Broken,
            (true, Some(_)) => Mark::Noted,
            (true, None) => Mark::Good,
        }
    }

    pub(super) fn of_trial(trial: &Trial) -> Self {
        match (trial.works, trial.is_broken()) {
            (true, _) => Mark::Good,
            (false, false) => Mark::Noted,
            (false, true) => Mark::Broken,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Mark::Good => "ok",
            Mark::Noted => "note",
            Mark::Broken => "problem",
        }
    }

    pub(super) fn shown(self, colour: Colour) -> String {
        match self {
            Mark::Good => colour.good("ok "),
            Mark::Noted => colour.changed("!  "),
            Mark::Broken => colour.bad("!! "),
        }
    }
}

pub(super) fn good(what: &str, detail: String) -> Finding {
    Finding {
        what: what.to_owned(),
        ok: true,
        detail,
        remedy: None,
    }
}

/// Nothing is broken, and there is something to be done.
pub(super) fn noted(what: &str, detail: String, remedy: &str) -> Finding {
    Finding {
        remedy: Some(remedy.to_owned()),
        ..good(what, detail)
    }
}

pub(super) fn bad(what: &str, detail: String, remedy: &str) -> Finding {
    Finding {
        what: what.to_owned(),
        ok: false,
        detail,
        remedy: Some(remedy.to_owned()),
    }
}
