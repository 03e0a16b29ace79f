//! What the gates of text and voice decided, in words: why, and what weighed most where a message calls nobody.

use mind::JournalEvent;
use mind::addressing::cues::CueKind;
use mind::addressing::{AddressScore, WeighedCue};

use crate::voice::addressing;
use crate::words::{admission, span};

/// What the gate of text rooms said; none for other lines.
pub(crate) fn text_gate(event: &JournalEvent) -> Option<String> {
    let JournalEvent::AdmissionDecided {
        reason,
        address,
        rule,
        eagerness,
        score,
        ..
    } = event
    else {
        return None;
    };
    let decided = admission(*reason, *address, rule, *eagerness);
    Some(scored(decided, score.as_ref()))
}

/// What the gate of voice said; none for other lines.
pub(crate) fn voice_gate(event: &JournalEvent) -> Option<String> {
    let JournalEvent::VoiceTurnAddressing {
        allow,
        reason,
        retry_after,
        llm_response,
        score,
        ..
    } = event
    else {
        return None;
    };
    let verdict = match (allow, retry_after) {
        (true, _) => "An answer is attempted".to_owned(),
        (false, Some(wait)) => format!("It is looked at again in {}", span(*wait)),
        (false, None) => "No answer is attempted".to_owned(),
    };
    let said = llm_response
        .as_ref()
        .map_or(String::new(), |said| format!(" The classifier said: {said}"));
    let decided = format!("{verdict}, because {}.{said}", addressing(*reason));
    Some(scored(decided, score.as_ref()))
}

/// What the gate said, and what was weighed for it.
fn scored(decided: String, score: Option<&AddressScore>) -> String {
    let Some(score) = score else {
        return decided;
    };
    let side = |speaks_for: bool| -> Vec<&'static str> {
        let cues = score.cues.iter().filter(|cue| cue.speaks_for == speaks_for);
        cues.map(|WeighedCue { cue, .. }| words(*cue)).collect()
    };
    let sides = [("for it", side(true)), ("against it", side(false))];
    let said: Vec<String> = (sides.into_iter())
        .filter(|(_, cues)| !cues.is_empty())
        .map(|(which, cues)| format!("{which}: {}", cues.join(", ")))
        .collect();
    let weighed = match said.is_empty() {
        true => String::new(),
        false => format!("; what weighed most {}", said.join("; ")),
    };
    format!(
        "{decided} That it was meant for Denizen scores {} of 100, and {} is enough (addressing.scoreThreshold){weighed}.",
        score.score, score.least
    )
}

fn words(cue: CueKind) -> &'static str {
    match cue {
        CueKind::Rule => "whom plain rules take it to be for",
        CueKind::Names => "who is named in it",
        CueKind::Form => "how it is written",
        CueKind::AuthorsLast => "whom its author last spoke to",
        CueKind::ToDenizen => "how lately its author spoke to Denizen",
        CueKind::FromDenizen => "how lately Denizen spoke to its author",
        CueKind::WithOthers => "how its author talks with others",
        CueKind::DenizensLast => "how lately Denizen spoke, and to whom",
        CueKind::SinceDenizen => "who has spoken since Denizen",
        CueKind::Before => "what was said right before",
        CueKind::Waiting => "who waits for an answer of its author's",
        CueKind::Words => "the words it shares with what was said",
        CueKind::Crowd => "how many people talk there",
        CueKind::Question => "whether a question is open",
        CueKind::Habits => "how often people there name whom they talk to",
        CueKind::Named => "who named whom, and how long ago",
        CueKind::LastLines => "how the lines before of Denizen's and of its author's began",
    }
}
