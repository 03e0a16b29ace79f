//! Recordings of an older schema, stepped by the mind as it is now: the same journal, but for lines that were added or
//! mended on purpose. Each of those has a row in `docs/decisions/house-rebuilt.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use runtime::ports::Recording;
use runtime::{recording, replay};
use serde_json::Value;

use crate::files;

/// What changed in the journal when a schema was left behind.
struct Changes {
    /// The schema that was left behind: its recordings and all older ones show this.
    after: u32,
    /// Lines that are written since: by name, and where it has several, by the purpose of the question or the message.
    added: &'static [(&'static str, &'static [&'static str])],
    /// Names of lines that are not written any more.
    gone: &'static [&'static str],
    /// Fields of lines that were mended, and are not compared: the name of the line, and the field of its data.
    mended: &'static [(&'static str, &'static str)],
    /// Lines that tell of something decided otherwise since. At the moment of the first one that differs the recording
    /// and this version part: what follows are answers to questions that are not asked any more.
    decided: &'static [&'static str],
}

const CHANGES: &[Changes] = &[
    Changes {
        after: 1,
        added: &[
            ("ask_started", ASKED_SILENTLY),
            ("ask_completed", ASKED_SILENTLY),
            ("ask_failed", ASKED_SILENTLY),
            // A thought that the process took with it.
            ("ask_failed", &["ambient_thought"]),
            ("ask_cancelled", &[]),
            ("text_delivery_started", &[NOTICE]),
            ("text_delivery_failed", &[NOTICE]),
            ("sent_message", &[NOTICE]),
            ("voice_context_outgrown", &[]),
        ],
        gone: &[],
        mended: &[
            ("ask_cancelled", "why"),
            ("process_restarted", "deliveriesRepeated"),
            ("ask_failed", "inputTokens"),
            ("ask_failed", "outputTokens"),
            ("ask_failed", "costMicroDollars"),
            ("voice_context_compaction_failed", "detail"),
            ("memory_extraction_failed", "detail"),
            ("stream_watch_note_failed", "detail"),
        ],
        decided: &[],
    },
    Changes {
        after: 2,
        added: &[],
        gone: &[],
        mended: &[
            ("process_restarted", "deliveriesRepeated"),
            ("ask_failed", "inputTokens"),
            ("ask_failed", "outputTokens"),
            ("ask_failed", "costMicroDollars"),
        ],
        decided: &[],
    },
    Changes {
        after: 3,
        added: &[],
        gone: &[],
        mended: &[
            ("text_admission_decided", "rule"),
            ("text_message_queued", "behindReply"),
            ("ask_started", "promptCharacters"),
            // A question of background work knows how often it was asked before.
            ("ask_started", "attempt"),
            ("ask_completed", "cachedTokens"),
            ("text_turn_ended", "llm1Ms"),
            ("text_turn_ended", "followupMs"),
            // What was looked up lately stands in prompts now, and makes them longer.
            ("memory_extraction_started", "contextShare"),
        ],
        decided: &[
            // What an edit adds or takes away; names inside addresses; who is spoken of; a command that is asked back.
            "text_admission_decided",
            "text_command_held",
            // Who is owed a reply goes first.
            "text_turn_opened",
            // One change is one look, and looks go by what is usual on the screen.
            "stream_watch_note_started",
            "stream_watch_commentary_started",
            "stream_watch_commentary_deferred",
            "stream_watch_commentary_skipped",
            // Thoughts mind the room, look for standing wishes everywhere, and know which channels exist.
            "ambient_tick_decided",
            "ambient_run_gathered",
            "ambient_channels_unknown",
            "initiative_skip",
            // A model that took its time is asked once more; one that fails is left alone for longer; small talk makes no gems.
            "ask_failed",
            "spending_refused",
            "model_rest_begun",
            "memory_extraction_failed",
            "memory_extraction_completed",
            "memory_extraction_skipped",
            "stream_watch_note_failed",
            "voice_context_compaction_failed",
        ],
    },
    Changes {
        after: 4,
        // That a model had to be waited for on behalf of somebody else.
        added: &[
            ("text_reply_held_up", &[]),
            // Every run that begins ends with a line.
            ("memory_extraction_dropped", &[]),
        ],
        gone: &[],
        mended: &[
            // Where an answer was cut, and why a model is left alone.
            ("ask_completed", "cutAt"),
            ("model_rest_begun", "why"),
            // What a room is told of a model that rests has other words.
            ("text_delivery_started", "characters"),
            // How likely a line that calls nobody is meant for it.
            ("text_admission_decided", "score"),
            ("voice_turn_addressing", "score"),
            // Whoever only speaks of Denizen is told apart: a small model may leave that unanswered.
            ("text_admission_decided", "rule"),
            // Pictures and clips that failed count against the day, and the refusal says so.
            ("ambient_media_failed", "detail"),
            // What was edited while its gems were stored is counted.
            ("memory_gems_stored", "changed"),
            // What changes from reply to reply stands at the end of a prompt, in a few other words, of which some tell how to
            // react: where a window is full, another section gives way.
            ("ask_started", "promptCharacters"),
            ("ask_started", "sectionsDropped"),
            ("memory_extraction_started", "contextShare"),
            // A budget that never had room for one question is not called used up.
            ("memory_extraction_failed", "detail"),
            // The time that the process was away is nobody's.
            ("ambient_run_ended", "took"),
            ("stream_watch_ended", "lasted"),
            ("stream_watch_share_ended", "lasted"),
            ("text_turn_ended", "took"),
        ],
        decided: &[
            // A model that asked for long patience is tried again after minutes.
            "model_rest_begun",
            // What was promised to be forgotten comes before everything else.
            "process_restarted",
            // Patterns know more ways to say that something is over, and whom somebody speaks to; and they are asked at once
            // where a model reads too little for the question.
            "memory_extraction_completed",
            // What was edited while it was read stays in line.
            "memory_gems_stored",
            // An answer that was cut is said only as far as its sentences are whole.
            "reply_skipped",
            "text_turn_ended",
            // Whoever called Denizen hears why no answer comes, in a message that has a turn of its own.
            "text_delivery_started",
        ],
    },
];
/// How long a whole question waits for more by its author.
const WHOLE_QUESTIONS: &str = "activity.replyCompleteSeconds";
/// Whether a line that calls nobody is weighed.
const WEIGHED: &str = "addressing.scoreEnabled";
/// The purpose of a message that answers none, and is no post of a thought.
const NOTICE: &str = "notice";
/// Purposes of questions that the journal of schema 1 did not tell of.
const ASKED_SILENTLY: &[&str] = &[
    "gem_extraction",
    "context_compaction",
    "screen_note",
    "screen_commentary",
];
/// Differences that are shown of one recording.
const SHOWN_MAX: usize = 12;

/// One recording of a golden file: what it is called, its text without the journal, and the journal.
struct Golden {
    title: String,
    text: String,
    journal: Vec<Value>,
}

fn recordings(text: &str) -> Vec<Golden> {
    let mut all: Vec<Golden> = Vec::new();
    for line in text.lines() {
        if line.starts_with("{\"recording\"") {
            let header: Value = serde_json::from_str(line).expect("a header is JSON");
            let title = header["recording"]["segment"]["version"].as_str();
            all.push(Golden {
                title: title.unwrap_or_default().to_owned(),
                text: String::new(),
                journal: Vec::new(),
            });
        }
        let golden = all.last_mut().expect("a file begins with a header");
        if line.starts_with("{\"journal\"") {
            let mut line: Value = serde_json::from_str(line).expect("a line is JSON");
            golden.journal.push(line["journal"].take());
        } else {
            golden.text.push_str(line);
            golden.text.push('\n');
        }
    }
    all
}

/// What changed in the journal since a schema was written.
fn since(schema: u32) -> impl Iterator<Item = &'static Changes> {
    CHANGES.iter().filter(move |changes| changes.after >= schema)
}

/// A line as it is compared: numbers of lines are left out, since a line that was added moves them.
fn compared(schema: u32, mut line: Value) -> (u64, String, String) {
    let moment = line["moment"].as_u64().unwrap_or_default();
    let name = line["name"].as_str().unwrap_or_default().to_owned();
    if let Some(fields) = line.as_object_mut() {
        fields.remove("seq");
        fields.remove("cause");
    }
    let mended = since(schema).flat_map(|changes| changes.mended);
    for (_, field) in mended.filter(|(of, _)| *of == name) {
        if let Some(data) = line["data"].as_object_mut() {
            data.remove(*field);
        }
    }
    (moment, name, line.to_string())
}

/// A line that differs: when, what it is called, how it is summed up, and the line itself.
struct Difference {
    moment: u64,
    name: String,
    kind: String,
    line: String,
}

/// What differs, as lines for a person. The order within one moment does not count.
fn differences(schema: u32, then: Vec<Value>, now: Vec<Value>) -> Vec<Difference> {
    let mut counted: BTreeMap<(u64, String, String), i64> = BTreeMap::new();
    let is_thought = |line: &&Value| line["name"] == "ambient_run_started";
    let thoughts = then
        .iter()
        .filter(is_thought)
        .filter_map(|line| line["turn"].as_u64());
    let thoughts: BTreeSet<u64> = thoughts.collect();
    for line in then {
        *counted.entry(compared(schema, line)).or_default() += 1;
    }
    for line in now {
        *counted.entry(compared(schema, line)).or_default() -= 1;
    }
    let mut found = Vec::new();
    for ((moment, name, line), count) in counted {
        let read: Value = serde_json::from_str(&line).expect("it was written as JSON");
        let purpose = purpose_of(&read, &thoughts);
        let is_expected = match count {
            0 => true,
            1.. => since(schema).any(|changes| changes.gone.contains(&name.as_str())),
            _ => since(schema)
                .flat_map(|changes| changes.added)
                .any(|(added, purposes)| {
                    *added == name && (purposes.is_empty() || purposes.contains(&purpose))
                }),
        };
        if !is_expected {
            let sign = if count > 0 { '-' } else { '+' };
            found.push(Difference {
                moment,
                kind: format!("{sign} {name} {purpose}"),
                line: format!("{sign} {line}"),
                name,
            });
        }
    }
    found
}

/// What a line's question was asked for, or its message said for, as far as it tells.
fn purpose_of<'a>(line: &'a Value, thoughts: &BTreeSet<u64>) -> &'a str {
    let answered = match line["name"].as_str().unwrap_or_default() {
        // What was sent is told with its own id.
        "sent_message" => &line["data"]["triggerMessageIds"],
        "text_delivery_started" | "text_delivery_failed" => &line["messages"],
        _ => return line["data"]["purpose"].as_str().unwrap_or_default(),
    };
    let is_thought = line["turn"].as_u64().is_some_and(|turn| thoughts.contains(&turn));
    match answered.as_array().is_none_or(Vec::is_empty) && !is_thought {
        true => NOTICE,
        false => "",
    }
}

/// The moment from which on the answers of a recording of schema 1 belong to other questions: a summary is asked for
/// that was not asked for then.
fn parting(schema: u32, golden: &Golden, now: &[Value]) -> u64 {
    if schema > 1 {
        return u64::MAX;
    }
    let switched_on = golden.title.contains("Switched on midway");
    let parts = |line: &&Value| match line["name"].as_str() {
        Some("voice_context_outgrown") => true,
        Some("voice_context_compaction_started") => switched_on,
        _ => false,
    };
    let first = now.iter().find(parts);
    first.and_then(|line| line["moment"].as_u64()).unwrap_or(u64::MAX)
}

/// The moment at which a recording and this version part on purpose, if the first difference is such a decision.
fn decided_otherwise(schema: u32, found: &[Difference]) -> Option<u64> {
    let first = found.first()?.moment;
    let mut at_once = found.iter().take_while(|difference| difference.moment == first);
    let is_decided = |difference: &Difference| {
        since(schema).any(|changes| changes.decided.contains(&difference.name.as_str()))
    };
    at_once.any(is_decided).then_some(first)
}

fn before(lines: Vec<Value>, moment: u64) -> Vec<Value> {
    let is_before = |line: &Value| line["moment"].as_u64().unwrap_or_default() < moment;
    lines.into_iter().filter(is_before).collect()
}

/// A whole question waited for more as long as anything else, and lines that call nobody were not weighed: with that it is
/// still so, and the rest is compared.
fn waiting_as_then(recording: &mut Recording) {
    let first = &mut recording.segment.settings;
    let later = recording.settings.iter_mut().map(|saved| &mut saved.document);
    for document in std::iter::once(first).chain(later) {
        if document.get(WHOLE_QUESTIONS).is_none() {
            document.set(WHOLE_QUESTIONS, Value::from(20));
        }
        if document.get(WEIGHED).is_none() {
            document.set(WEIGHED, Value::from(false));
        }
    }
}

fn check(schema: u32) {
    let mut problems = Vec::new();
    let (mut compared, mut written) = (0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (file, text) in files::all(schema, "recordings") {
        for golden in recordings(&text) {
            let mut read = recording::read(golden.text.as_bytes()).unwrap_or_else(|error| {
                panic!("{file}, {}: {error}", golden.title);
            });
            waiting_as_then(&mut read);
            let journal = replay::again(&read).unwrap_or_else(|error| panic!("{file}: {error}"));
            let lines = journal
                .iter()
                .map(|entry| serde_json::to_value(entry).expect("a line is plain data"));
            let now: Vec<Value> = lines.collect();
            let until = parting(schema, &golden, &now);
            let then = before(golden.journal, until);
            written += then.len();
            let mut found = differences(schema, then.clone(), before(now, until));
            let parted = decided_otherwise(schema, &found);
            if parted.is_some() {
                found.clear();
            }
            compared += before(then, parted.unwrap_or(u64::MAX)).len();
            for difference in &found {
                *kinds.entry(difference.kind.clone()).or_default() += 1;
            }
            if !found.is_empty() {
                let lines: Vec<&str> = found.iter().map(|difference| difference.line.as_str()).collect();
                let shown = lines[..lines.len().min(SHOWN_MAX)].join("\n  ");
                problems.push(format!(
                    "{file}, {}: {} lines differ:\n  {shown}",
                    golden.title,
                    found.len()
                ));
            }
        }
    }
    println!("schema {schema}: {compared} of {written} lines were compared");
    assert!(
        compared > 1_000,
        "only {compared} of {written} lines were compared"
    );
    let shown = problems.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(
        problems.is_empty(),
        "{} recordings of schema {schema} give another journal:\n{shown}\nin all: {kinds:#?}",
        problems.len()
    );
}

#[test]
fn recordings_of_every_schema_give_the_journal_they_gave_then() {
    for schema in files::schemas("recordings") {
        check(schema);
    }
}

#[test]
fn every_line_that_may_differ_is_explained() {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decisions/house-rebuilt.md");
    let record = std::fs::read_to_string(record).expect("the decision record can be read");
    for changes in CHANGES {
        let mended = changes.mended.iter().map(|(name, _)| name);
        let added = changes.added.iter().map(|(name, _)| name);
        for name in added.chain(changes.gone).chain(mended).chain(changes.decided) {
            assert!(
                record.contains(&format!("`{name}`")),
                "docs/decisions/house-rebuilt.md has no row for {name}"
            );
        }
    }
}
