//! Models that OpenAI has shut down: nobody is asked for what cannot come.

use crate::job::Job;

/// What an operator is told of a model that is gone from OpenAI's own address; none where it is not known to be.
pub(crate) fn ended(model: &str) -> Option<&'static str> {
    match model {
        // Not its siblings, which begin alike.
        "gpt-image-1" => Some(
            "OpenAI shut gpt-image-1 down on 2026-10-23: put gpt-image-2.5-flare or gpt-image-2.5-sunburst into initiative.discovery.allowedImageModels instead",
        ),
        "dall-e-2" | "dall-e-3" => Some(
            "OpenAI has withdrawn the DALL·E models: put gpt-image-2.5-flare into initiative.discovery.allowedImageModels instead",
        ),
        model if model.starts_with("sora") => Some(
            "OpenAI shut the Sora API down on 2026-09-24: name a server that speaks it in media.videoUrl, or take the model out of initiative.discovery.allowedVideoModels",
        ),
        _ => None,
    }
}

impl Job<'_> {
    /// The same for this job; a server of the operator's own may have what it likes.
    pub(crate) fn ended(&self) -> Option<&'static str> {
        match self.service.is_own {
            true => None,
            false => ended(self.model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ended;

    #[test]
    fn what_openai_has_shut_down_is_told_with_what_to_take_instead() {
        for model in ["gpt-image-1", "dall-e-3", "sora-2", "sora-2-pro"] {
            let told = ended(model).expect("it is gone");
            assert!(told.contains("initiative.discovery.allowed"), "{told}");
        }
        for model in ["gpt-image-1-mini", "gpt-image-1.5", "gpt-image-2.5-flare", "flux"] {
            assert_eq!(ended(model), None, "{model}");
        }
    }
}
