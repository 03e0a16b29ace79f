//! What is told to a service, in its order: at once, or where it answers whatever it is told, when it is to answer.

use vocabulary::{Moment, ToolResult};

use super::answers::Wanted;
use super::{Act, HeldClip, NativeOutput, NativeSession, TOGETHER, WORDS_WITHIN};
use crate::command::{AnswerPrompt, Command, Held};

impl NativeSession {
    /// What can be told now is told, in its order.
    pub(super) fn tell_all(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        let before = out.len();
        if !self.is_told {
            self.is_told = true;
            let being = self.being.clone();
            out.push(NativeOutput::Send(Command::Instruct { being }));
        }
        // What has to be sent once more comes first.
        self.send_clips(now, out);
        match self.brief.holds() {
            true => self.tell_held(now, out),
            false => self.tell_on(now, out),
        }
        if out.len() > before || self.is_busy() {
            self.connection.used(now);
        }
    }

    fn send_clips(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        let commands = self.ears.send(now, &self.brief);
        out.extend(commands.into_iter().map(NativeOutput::Send));
    }

    fn tell_on(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        while let Some(act) = self.waiting.pop_front() {
            match act {
                Act::Tell(text) => self.tell_words(text, out),
                Act::Clip(clip) => {
                    let samples = clip.samples.clone().unwrap_or_default();
                    let line = (line_of(clip.clip), says(&clip.who));
                    self.ears.take_after(clip.clip, Some(line), samples);
                    self.lengths.push((clip.clip, clip.heard));
                    self.ledger.hear(clip.clip, &clip.who, None, clip.heard);
                    self.send_clips(now, out);
                }
                Act::Results(results) => {
                    let (known, unknown) = self.known_results(results);
                    if !known.is_empty() {
                        known
                            .iter()
                            .for_each(|result| self.ledger.tell(&in_words(result)));
                        out.push(NativeOutput::Send(Command::Results { results: known }));
                    }
                    unknown
                        .iter()
                        .for_each(|result| self.tell_words(in_words(result), out));
                }
                Act::Answer(wanted) if self.answers.is_free(false) => {
                    let prompt = AnswerPrompt {
                        hint: wanted.hint.clone(),
                        being: self.being.clone(),
                        ..AnswerPrompt::default()
                    };
                    self.ask(now, wanted, prompt, out);
                }
                // It has to finish with what it was to stop first.
                Act::Answer(_) => return self.waiting.push_front(act),
            }
        }
    }

    /// Where the service answers whatever it is told, it is told everything when it is to answer.
    fn tell_held(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        let Some(place) = self.waiting.iter().position(|act| matches!(act, Act::Answer(_))) else {
            return;
        };
        let is_late = |since: Moment| since + WORDS_WITHIN <= now;
        let lacks_words = self.brief.is_deaf() && self.unworded().is_some_and(|since| !is_late(since));
        if lacks_words || !self.answers.is_free(self.brief.interrupts_itself()) {
            return;
        }
        let rest = self.waiting.split_off(place + 1);
        let before = std::mem::replace(&mut self.waiting, rest);
        let newest = before.iter().rev().find_map(|act| match act {
            Act::Clip(clip) => Some(clip.clip),
            _ => None,
        });
        let mut prompt = AnswerPrompt {
            being: self.being.clone(),
            ..AnswerPrompt::default()
        };
        let mut asked = None;
        for act in before {
            match act {
                Act::Tell(text) => {
                    self.ledger.tell(&text);
                    prompt.held.push(Held::Words(text));
                }
                Act::Clip(clip) => prompt.held.extend(self.held(clip, newest)),
                Act::Results(results) => {
                    let (known, unknown) = self.known_results(results);
                    unknown
                        .iter()
                        .for_each(|result| prompt.held.push(Held::Words(in_words(result))));
                    for result in known.iter().chain(&unknown) {
                        self.ledger.tell(&in_words(result));
                    }
                    prompt.results.extend(known);
                }
                Act::Answer(wanted) => asked = Some(wanted),
            }
        }
        // What its calls came to goes alone: all else waits for the next answer.
        if !prompt.results.is_empty() {
            for held in std::mem::take(&mut prompt.held).into_iter().rev() {
                let (Held::Words(words) | Held::Clip { line: words, .. }) = held;
                self.waiting.push_front(Act::Tell(words));
            }
        }
        if let Some(wanted) = asked {
            prompt.hint.clone_from(&wanted.hint);
            self.ask(now, wanted, prompt, out);
        }
    }

    /// The newest clip, and one that nobody has understood, is heard; the others are read.
    fn held(&mut self, clip: HeldClip, newest: Option<u64>) -> Option<Held> {
        let words = clip.words.clone().flatten();
        self.ledger
            .hear(clip.clip, &clip.who, words.as_deref(), clip.heard);
        let is_heard = newest == Some(clip.clip) || words.is_none();
        match (clip.samples, words) {
            (Some(samples), _) if is_heard && !self.brief.is_deaf() => Some(Held::Clip {
                line: says(&clip.who),
                samples,
            }),
            (_, Some(words)) => Some(Held::Words(format!("{}: {words}", clip.who))),
            (_, None) => None,
        }
    }

    fn ask(&mut self, now: Moment, wanted: Wanted, prompt: AnswerPrompt, out: &mut Vec<NativeOutput>) {
        let number = wanted.number;
        self.answers.ask(now, wanted);
        out.push(NativeOutput::Send(Command::Answer { number, prompt }));
    }

    fn tell_words(&mut self, text: String, out: &mut Vec<NativeOutput>) {
        self.ledger.tell(&text);
        let item = self.ledger.name();
        out.push(NativeOutput::Send(Command::Tell { item, text }));
    }

    /// Results of calls that the service waits for, and of those that it knows nothing of any more.
    fn known_results(&mut self, results: Vec<ToolResult>) -> (Vec<ToolResult>, Vec<ToolResult>) {
        let calls = std::mem::take(&mut self.calls);
        let (known, unknown): (Vec<ToolResult>, Vec<ToolResult>) = results
            .into_iter()
            .partition(|result| calls.contains(&result.call_id));
        self.calls = calls;
        let given = |call: &String| known.iter().any(|result: &ToolResult| result.call_id == *call);
        self.calls.retain(|call| !given(call));
        (known, unknown)
    }
}

/// What is told before the sound of somebody, or of several at once.
fn says(who: &str) -> String {
    match who.contains(TOGETHER) {
        true => format!("{who} say at once:"),
        false => format!("{who} says:"),
    }
}

/// The name of the line that says who speaks in a clip.
pub(super) fn line_of(clip: u64) -> String {
    format!("denizen_who_{clip}")
}

pub(super) fn in_words(result: &ToolResult) -> String {
    match result.failed {
        true => format!("({} failed: {})", result.name, result.text),
        false => format!("({} gave: {})", result.name, result.text),
    }
}
