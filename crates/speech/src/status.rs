//! What there is to hear and to speak with, for the page and the doctor.

/// How an ear or a mouth stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeechStatus {
    /// It can be used, if only by a makeshift.
    pub ready: bool,
    /// It is what was chosen, and not a makeshift.
    pub as_chosen: bool,
    /// Whose ears or voice; empty where there is none.
    pub engine: String,
    /// For a person: what is used, or what is missing and what to do.
    pub detail: String,
    /// What went wrong last, where something did.
    pub last_fault: Option<String>,
}

impl SpeechStatus {
    pub(crate) fn ready(engine: String, detail: String) -> Self {
        Self {
            ready: true,
            as_chosen: true,
            engine,
            detail,
            last_fault: None,
        }
    }

    pub(crate) fn makeshift(engine: String, detail: String) -> Self {
        Self {
            as_chosen: false,
            ..Self::ready(engine, detail)
        }
    }

    pub(crate) fn missing(detail: String) -> Self {
        Self {
            detail,
            ..Self::default()
        }
    }

    pub(crate) fn with_engine(mut self, engine: String) -> Self {
        self.engine = engine;
        self
    }

    pub(crate) fn with_last_fault(mut self, fault: Option<String>) -> Self {
        self.last_fault = fault;
        self
    }
}

/// What is used, and what was named before it and cannot be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Description {
    pub(crate) detail: String,
    is_makeshift: bool,
}

impl From<String> for Description {
    fn from(detail: String) -> Self {
        Self {
            detail,
            is_makeshift: false,
        }
    }
}

impl Description {
    /// With what is wrong with those that were named before it.
    pub(crate) fn instead_of(self, passed_over: &[String]) -> Self {
        match passed_over.is_empty() {
            true => self,
            false => Self {
                detail: format!("{}. Not used: {}", self.detail, passed_over.join("; ")),
                is_makeshift: true,
            },
        }
    }

    pub(crate) fn status(self, engine: String) -> SpeechStatus {
        match self.is_makeshift {
            true => SpeechStatus::makeshift(engine, self.detail),
            false => SpeechStatus::ready(engine, self.detail),
        }
    }
}
