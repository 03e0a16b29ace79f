//! An ask of the built-in model, within its deadline: the words come one by one, so that they can be seen coming.

use std::time::Duration;

use runtime::ports::{Delta, Prepared, RawResponse};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, Finish, ModelAnswer, ModelRequest, Span, Usage,
};

use super::{Eyes, compose, screen};
use crate::exchange::span;

const WORD_PAUSE: Duration = Duration::from_millis(4);

/// Answers without a network.
pub(crate) async fn run(
    request: &ModelRequest,
    prepared: &Prepared,
    eyes: &Eyes,
    deltas: &mpsc::Sender<Delta>,
    raw: &RawResponse,
) -> AskOutcome {
    let started = Instant::now();
    let deadline = Duration::from_millis(request.deadline.0);
    let mut first_text = None;
    let saying = async {
        let text = answer(request, prepared, eyes).await?;
        raw.push(text.as_bytes());
        for word in text.split_inclusive(' ') {
            sleep(WORD_PAUSE).await;
            first_text.get_or_insert_with(|| span(started.elapsed()));
            let _ = deltas.send(Delta(word.to_owned())).await;
        }
        Ok(text)
    };
    let text = match timeout(deadline, saying).await {
        Ok(Ok(text)) => text,
        Ok(Err(failure)) => return AskOutcome::Failed(failure),
        Err(_) => return AskOutcome::Failed(too_slow(prepared.keys.timeout, request.deadline)),
    };
    AskOutcome::Answered(ModelAnswer {
        provider: prepared.provider.clone(),
        model: prepared.model.clone(),
        text,
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage {
            cost_micro_dollars: Some(0),
            ..Usage::default()
        },
        first_text,
        took: span(started.elapsed()),
        tries: 1,
    })
}

async fn answer(request: &ModelRequest, prepared: &Prepared, eyes: &Eyes) -> Result<String, AskFailure> {
    let unable = |detail| Err(AskFailure::new(AskFailureKind::Unavailable, detail));
    match request.purpose {
        AskPurpose::ContextCompaction => unable(
            "the offline model writes no summaries; telling words are picked out of the conversation instead",
        ),
        AskPurpose::GemExtraction => {
            unable("the offline model makes no gems; they are picked out of the turns by patterns instead")
        }
        AskPurpose::ScreenNote => screen::note(request, prepared, eyes).await,
        AskPurpose::ScreenCommentary => Ok(screen::silence(request)),
        AskPurpose::AmbientThought | AskPurpose::VoiceThought => {
            unable("the offline model has no thoughts of its own; set up a model in the settings under llm")
        }
        AskPurpose::TextReply
        | AskPurpose::TextReplyFollowup
        | AskPurpose::AddressClassifier
        | AskPurpose::VoiceReply
        | AskPurpose::VoiceReplyFollowup
        | AskPurpose::VoiceReplyDecision => Ok(compose(request)),
    }
}

fn too_slow(key: Option<&str>, deadline: Span) -> AskFailure {
    let advice = key.map_or_else(String::new, |key| format!(". Raise {key}"));
    let detail = format!("the offline model was not done within {} ms{advice}", deadline.0);
    AskFailure::new(AskFailureKind::TimedOut, detail)
}
