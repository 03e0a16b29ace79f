//! What has come of an answer, and how much of it was heard.

use vocabulary::Span;

use crate::command::Command;

/// How far an answer is.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// Under which names it stands at the service, and how many samples of each have come.
    pub(super) items: Vec<(String, u64)>,
    pub(super) samples: u64,
    pub(super) words: String,
    pub(super) characters: usize,
}

impl Spoken {
    /// Sound has come: its marks, counted from the beginning of the answer.
    pub(super) fn take(&mut self, samples: usize, marks: Vec<(f64, usize)>, rate: u32) -> Vec<(f64, usize)> {
        let (before, from) = (self.samples as f64 / f64::from(rate), self.characters);
        let marks: Vec<_> = marks
            .into_iter()
            .map(|(seconds, characters)| (before + seconds, from + characters))
            .collect();
        self.characters = marks.last().map_or(from, |(_, characters)| *characters);
        self.samples += samples as u64;
        if let Some((_, of_item)) = self.items.last_mut() {
            *of_item += samples as u64;
        }
        marks
    }

    /// What the service is told where so many samples were heard; `was_over`: nothing more comes of it.
    pub(super) fn cut(&self, heard: u64, rate: u32, was_over: bool) -> Vec<Command> {
        let mut commands = Vec::new();
        let mut from = 0;
        for (item, samples) in &self.items {
            let of_item = heard.saturating_sub(from).min(*samples);
            from += samples;
            match of_item {
                0 => commands.push(Command::Forget { item: item.clone() }),
                all if all == *samples && was_over => {}
                part => commands.push(Command::Truncate {
                    item: item.clone(),
                    heard: Span(part * 1_000 / u64::from(rate.max(1))),
                }),
            }
        }
        commands
    }

    /// The words that were heard, about: as many of them as of the sound, up to the end of a word.
    pub(super) fn heard_words(&self, heard: u64) -> String {
        let (words, samples) = (self.words.as_str(), self.samples);
        if samples == 0 || heard == 0 {
            return String::new();
        }
        let all = words.chars().count() as u64;
        let wanted = (u128::from(all) * u128::from(heard.min(samples)) / u128::from(samples)) as usize;
        if wanted as u64 >= all {
            return words.to_owned();
        }
        let cut: String = words.chars().take(wanted).collect();
        match cut.rfind(char::is_whitespace) {
            Some(at) => cut[..at].to_owned(),
            None => String::new(),
        }
    }
}
