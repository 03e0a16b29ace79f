//! A post may have a picture, a clip or a GIF. If it cannot be had, the words go out without it.

use settings::Settings;
use vocabulary::{MediaId, MediaKind, MediaOrder, MediaOutcome, Moment, Span};

use super::run::{Draft, Run, Stage};
use super::view::{MediaMeter, Meter};
use super::{Ambient, Around, DAY};
use crate::effect::Effect;
use crate::journal::JournalEvent;
use crate::reasons::InitiativeSkip;
use crate::step_context::{Capabilities, StepContext};

/// The shell gives up at the deadline; the mind a little later.
const DEADLINE_GRACE: Span = Span::seconds(5);

impl Ambient {
    /// Has the picture made that a draft wants, if it may have one.
    pub(super) fn picture(
        &mut self,
        mut run: Run,
        draft: Draft,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Some(wish) = draft.media.clone() else {
            return self.send(run, draft, around, step);
        };
        if run.trial {
            let refusal = self.media_refusal(wish.kind, step.moment(), step.settings, step.outside);
            let words = match refusal {
                Some(why) => format!("it wants a {}, and would not get it: {why}", wish.kind.noun()),
                None => format!("a {} would be made: {}", wish.kind.noun(), wish.prompt),
            };
            run.step(step.now().wall, "media", words, None);
            return self.send(run, draft, around, step);
        }
        let (kind, now) = (wish.kind, step.moment());
        if let Some(why) = self.media_refusal(kind, now, step.settings, step.outside) {
            run.stage = making(MediaId(0), kind, now, now, draft);
            return self.media_failed(run, &why, true, around, step);
        }
        self.media.retain(|(at, _)| now.since(*at) < DAY);
        self.media.push((now, kind));
        let media = step.counters.media.take_next();
        let deadline = Span::seconds(step.settings.media.timeout_seconds);
        let model = model(kind, step.settings).unwrap_or_default().to_owned();
        run.stage = making(media, kind, now, now + deadline + DEADLINE_GRACE, draft);
        let event = JournalEvent::AmbientMediaWanted {
            media,
            kind,
            model: model.clone(),
        };
        run.cause = step.ledger.write(run.scope(), event);
        run.step(step.now().wall, "media", format!("wants a {}", kind.noun()), None);
        step.ledger.want(Effect::MakeMedia(MediaOrder {
            media,
            wish,
            model,
            deadline,
        }));
        self.run = Some(run);
    }

    pub fn media_ended(
        &mut self,
        media: MediaId,
        outcome: MediaOutcome,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let waits = |run: &mut Run| matches!(run.stage, Stage::Making { media: open, .. } if open == media);
        let Some(mut run) = self.run.take_if(waits) else {
            return;
        };
        let (attachment, provider, cost) = match outcome {
            MediaOutcome::Failed { detail, refused } => {
                return self.media_failed(run, &detail, refused, around, step);
            }
            MediaOutcome::Made {
                attachment,
                provider,
                cost_micro_dollars,
            } => (attachment, provider, cost_micro_dollars),
        };
        let Stage::Making {
            kind,
            started,
            mut draft,
            ..
        } = run.stage.clone()
        else {
            return;
        };
        if let Some(cost) = cost {
            self.spending.paid(run.turn, cost, step.moment());
        }
        let event = JournalEvent::AmbientMediaMade {
            media,
            kind,
            provider,
            bytes: attachment.bytes,
            cost_micro_dollars: cost,
            took: step.moment().since(started),
        };
        run.cause = step.ledger.write(run.scope(), event);
        run.step(
            step.now().wall,
            "media",
            format!("the {} is there", kind.noun()),
            None,
        );
        draft.attachments.push(attachment);
        self.send(run, draft, around, step);
    }

    /// There is no picture; the words go out all the same, if there are any.
    pub(super) fn media_failed(
        &mut self,
        mut run: Run,
        detail: &str,
        refused: bool,
        around: Around<'_>,
        step: &mut StepContext<'_>,
    ) {
        let Stage::Making { kind, draft, .. } = run.stage.clone() else {
            return;
        };
        let event = JournalEvent::AmbientMediaFailed {
            kind,
            detail: detail.to_owned(),
            refused,
        };
        run.cause = step.ledger.write(run.scope(), event);
        run.step(
            step.now().wall,
            "media",
            format!("no {}: {detail}", kind.noun()),
            None,
        );
        if draft.text.is_empty() {
            return self.skip(run, InitiativeSkip::MediaFailed, detail, Some(draft.ask), step);
        }
        self.send(run, draft, around, step);
    }

    /// What a model may wish for now.
    pub(super) fn media_on_offer(&self, step: &StepContext<'_>) -> Vec<MediaKind> {
        let can = |kind: &MediaKind| {
            self.media_refusal(*kind, step.moment(), step.settings, step.outside)
                .is_none()
        };
        MediaKind::ALL.into_iter().filter(can).collect()
    }

    /// Why a kind cannot be had now.
    fn media_refusal(
        &self,
        kind: MediaKind,
        now: Moment,
        settings: &Settings,
        outside: &Capabilities,
    ) -> Option<String> {
        let discovery = &settings.discovery;
        let (allowed, switch) = match kind {
            MediaKind::Image => (discovery.allow_image_posts, "allowImagePosts"),
            MediaKind::Video => (discovery.allow_video_posts, "allowVideoPosts"),
            MediaKind::Gif => (discovery.allow_reply_gifs, "allowReplyGifs"),
        };
        let meter = self.media_meter(kind, now, settings);
        if !allowed {
            Some(format!("initiative.discovery.{switch} is off"))
        } else if model(kind, settings).is_none() {
            Some(format!(
                "no model may make it: name one in initiative.discovery.allowed{}Models",
                if kind == MediaKind::Image {
                    "Image"
                } else {
                    "Video"
                }
            ))
        } else if !outside.media.contains(&kind) {
            Some(format!(
                "nobody makes it here: set media.{}Provider and its key",
                kind.name()
            ))
        } else if meter.used >= meter.limit {
            Some(format!("{} in 24 hours are allowed, and were had", meter.limit))
        } else {
            None
        }
    }

    fn media_meter(&self, kind: MediaKind, now: Moment, settings: &Settings) -> Meter {
        let discovery = &settings.discovery;
        let recent = || {
            let of_kind = self.media.iter().filter(move |(_, of)| *of == kind);
            of_kind.filter(move |(at, _)| now.since(*at) < DAY)
        };
        Meter {
            used: recent().count() as u64,
            limit: match kind {
                MediaKind::Image => discovery.max_images_per_day,
                MediaKind::Video => discovery.max_videos_per_day,
                MediaKind::Gif => discovery.max_gifs_per_day,
            },
            frees_in: recent().next().map(|(at, _)| Span(DAY.0 - now.since(*at).0)),
        }
    }

    pub(super) fn media_meters(
        &self,
        now: Moment,
        settings: &Settings,
        outside: &Capabilities,
    ) -> Vec<MediaMeter> {
        let meter = |kind| MediaMeter {
            kind,
            meter: self.media_meter(kind, now, settings),
            why_not: self
                .media_refusal(kind, now, settings, outside)
                .unwrap_or_default(),
        };
        MediaKind::ALL.into_iter().map(meter).collect()
    }
}

/// The model that makes a kind: the first that is allowed to. A GIF is found, and needs none.
fn model(kind: MediaKind, settings: &Settings) -> Option<&str> {
    let allowed = match kind {
        MediaKind::Image => &settings.discovery.allowed_image_models,
        MediaKind::Video => &settings.discovery.allowed_video_models,
        MediaKind::Gif => return Some(""),
    };
    allowed.first().map(String::as_str)
}

fn making(media: MediaId, kind: MediaKind, started: Moment, deadline: Moment, draft: Draft) -> Stage {
    Stage::Making {
        media,
        kind,
        started,
        deadline,
        draft,
    }
}
