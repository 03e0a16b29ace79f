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
    /// What else there is on this machine.
    pub options: Vec<SpeechOption>,
}

/// Something that could be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechOption {
    /// As the settings name it.
    pub engine: &'static str,
    pub ready: bool,
    /// Where it is, or what to do to have it.
    pub detail: String,
}

impl SpeechOption {
    pub(crate) fn there(engine: &'static str, detail: impl Into<String>) -> Self {
        Self {
            engine,
            ready: true,
            detail: detail.into(),
        }
    }

    pub(crate) fn missing(engine: &'static str, detail: impl Into<String>) -> Self {
        Self {
            engine,
            ready: false,
            detail: detail.into(),
        }
    }
}

impl SpeechStatus {
    pub(crate) fn ready(engine: String, detail: String, options: Vec<SpeechOption>) -> Self {
        Self {
            ready: true,
            as_chosen: true,
            engine,
            detail,
            last_fault: None,
            options,
        }
    }

    pub(crate) fn makeshift(engine: String, detail: String, options: Vec<SpeechOption>) -> Self {
        Self {
            as_chosen: false,
            ..Self::ready(engine, detail, options)
        }
    }

    pub(crate) fn missing(detail: String, options: Vec<SpeechOption>) -> Self {
        Self {
            detail,
            options,
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

    pub(crate) fn status(self, engine: String, options: Vec<SpeechOption>) -> SpeechStatus {
        match self.is_makeshift {
            true => SpeechStatus::makeshift(engine, self.detail, options),
            false => SpeechStatus::ready(engine, self.detail, options),
        }
    }
}
