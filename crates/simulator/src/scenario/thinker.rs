//! The part of a scenario's director that thinks, reads feeds and makes pictures.

use std::collections::VecDeque;

use mind::{Gather, RecallQuery, Recollection};
use vocabulary::{
    Attachment, AttachmentId, FeedHarvest, FeedItem, MediaKind, MediaOrder, MediaOutcome, Record,
    SourceReport, Span,
};

use super::cue::{Act, USUAL};
use super::thinking::{Look, Make, ThoughtCue};
use crate::platform::DENIZEN;

#[derive(Debug, Default)]
pub(super) struct Thinker {
    acts: VecDeque<(Span, Act)>,
    always: Option<(Span, Act)>,
    known: VecDeque<Recollection>,
    feed: Vec<FeedItem>,
    looking: VecDeque<Look>,
    making: VecDeque<Make>,
}

impl Thinker {
    pub fn cue(&mut self, cue: ThoughtCue) {
        match cue {
            ThoughtCue::Thinker(after, act) => self.acts.push_back((after, act)),
            ThoughtCue::ThinkerAlways(after, act) => self.always = Some((after, act)),
            ThoughtCue::Knows(found) => self.known.push_back(found),
            ThoughtCue::Feed(item) => self.feed.push(item),
            ThoughtCue::Looking(look) => self.looking.push_back(look),
            ThoughtCue::Making(make) => self.making.push_back(make),
        }
    }

    pub fn act(&mut self) -> (Span, Act) {
        let said = self.acts.pop_front().or_else(|| self.always.clone());
        let nothing = r#"{"action": "drop", "reason": "nothing comes to mind"}"#;
        said.unwrap_or_else(|| (USUAL, Act::Writes(vec![nothing.to_owned()])))
    }

    /// What is known for a thought; none where somebody else asks.
    pub fn recall(&mut self, query: &RecallQuery) -> Option<Recollection> {
        let thinks = query.gems_only && query.people.iter().any(|person| person.as_str() == DENIZEN);
        thinks.then(|| {
            let mut found = self.known.pop_front().unwrap_or_default();
            // What stands is brought along; the rest only where there are words that it could fit.
            let gems = found.facts.iter().filter_map(|fact| match &fact.record {
                Record::Gem(gem) if gem.is_ageless() => Some(gem.as_ref().clone()),
                Record::Gem(_) | Record::Turn(_) => None,
            });
            found.lasting = gems.take(query.max_lasting).collect();
            if query.words.trim().is_empty() {
                found.facts.clear();
            }
            found
        })
    }

    pub fn gather(&mut self, gather: &Gather) -> Vec<(Span, FeedHarvest)> {
        let look = self.looking.pop_front().unwrap_or(Look::Takes(Span::ZERO));
        let fails = matches!(look, Look::Fails);
        let mut found = FeedHarvest::default();
        for source in &gather.wish.sources {
            let items: Vec<FeedItem> = match fails {
                true => Vec::new(),
                false => self
                    .feed
                    .iter()
                    .filter(|item| item.source == *source)
                    .cloned()
                    .collect(),
            };
            found.reports.push(SourceReport {
                source: source.clone(),
                items: items.len(),
                fresh: items.len(),
                unchanged: false,
                failure: fails.then(|| "the server is down".to_owned()),
            });
            found.items.extend(items);
        }
        match look {
            Look::Takes(after) => vec![(after, found)],
            Look::Fails => vec![(Span::ZERO, found)],
            Look::Never => Vec::new(),
        }
    }

    pub fn make(&mut self, order: &MediaOrder) -> Vec<(Span, MediaOutcome)> {
        let (mime, name) = match order.wish.kind {
            MediaKind::Image => ("image/png", "picture.png"),
            MediaKind::Video => ("video/mp4", "clip.mp4"),
            MediaKind::Gif => ("image/gif", "found.gif"),
        };
        let failed = |detail: &str, refused| MediaOutcome::Failed {
            detail: detail.to_owned(),
            refused,
        };
        match self.making.pop_front().unwrap_or(Make::Takes(USUAL, None)) {
            Make::Takes(after, cost_micro_dollars) => {
                let attachment = Attachment {
                    id: AttachmentId::new(format!("made-{}", order.media.0)),
                    mime: mime.to_owned(),
                    name: name.to_owned(),
                    bytes: 30_000,
                    description: String::new(),
                };
                let outcome = MediaOutcome::Made {
                    attachment,
                    provider: "simulated".to_owned(),
                    cost_micro_dollars,
                };
                vec![(after, outcome)]
            }
            Make::Fails => vec![(USUAL, failed("the maker is down", false))],
            Make::Refused => vec![(USUAL, failed("the maker will not make that", true))],
            Make::Never => Vec::new(),
        }
    }
}
