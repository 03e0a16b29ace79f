//! Cues of a longer view: who named whom, how people there speak, how the last lines began, whose words are taken up.

use vocabulary::{PersonId, WallTime};

use super::cues::{Cue, Cues};
use super::echo::Echo;
use super::exchange::Exchange;
use super::habits::{Habits, When};
use super::reading::Past;
use super::talk::Ago;
use super::trace::{Traced, minute_of};
use super::word_trail::Likeness;

impl Cues {
    pub(super) fn of_exchange(&mut self, exchange: &Exchange<'_>, author: &PersonId, denizen: &PersonId) {
        self.set(Cue::NamedDenizenCount, exchange.author_named_denizen);
        self.set(Cue::NamedByDenizenCount, exchange.denizen_named_author);
        self.set(Cue::NamedOthersCount, exchange.author_named_others);
        self.set(Cue::NamedByOthersCount, exchange.others_named_author);
        self.set(Cue::NamedLast, exchange.named_last);
        self.set(Cue::HabitRoom, exchange.naming_lines);
        self.set(Cue::DenizenNamedSince, exchange.others_named_denizen);
        self.set(Cue::OwnNames, names(exchange.own_last, author));
        self.set(Cue::OwnToNames, names(exchange.own_to_author, author));
        let before = exchange.before;
        let before_names = before.map_or(0, |line| {
            u64::from(!line.calls.is_empty())
                + u64::from(line.calls.contains(author))
                + 2 * u64::from(line.calls.contains(denizen))
        });
        self.set(Cue::BeforeNames, before_names);
        self.set(Cue::BeforeLength, before.map_or(0, |line| line.look.length));
        self.of_last_lines(exchange);
    }

    fn of_last_lines(&mut self, exchange: &Exchange<'_>) {
        if let Some(own) = exchange.own_last {
            self.set(Cue::OwnBegins, own.look.begins + 1);
            self.set(Cue::OwnLength, own.look.length);
            self.set(Cue::OwnThanks, own.look.thanks);
        }
        if let Some(own) = exchange.own_to_author {
            self.set(Cue::OwnToBegins, own.look.begins + 1);
            self.set(Cue::OwnToLength, own.look.length);
            self.set(Cue::OwnToAsks, own.asks);
        }
        if let Some(last) = exchange.author_last {
            self.set(Cue::AuthorBegins, last.look.begins + 1);
            self.set(Cue::AuthorLength, last.look.length);
        }
    }

    pub(super) fn of_habits(&mut self, past: Past<'_>, author: &PersonId, denizen: &PersonId, at: WallTime) {
        let none = Habits::default();
        let of = |person| past.roster.person(person).map_or(&none, |person| &person.habits);
        let (theirs, own) = (of(author), of(denizen));
        self.set(Cue::HabitAuthor, theirs.said.share());
        self.set(Cue::HabitAuthorLines, theirs.said.lines);
        self.set(Cue::HabitToDenizen, theirs.to_denizen.share());
        self.set(Cue::HabitToDenizenLines, theirs.to_denizen.lines);
        self.set(Cue::NamedDenizenEver, theirs.to_denizen.naming);
        self.set(Cue::HabitFromDenizen, theirs.from_denizen.share());
        self.set(Cue::HabitFromDenizenLines, theirs.from_denizen.lines);
        self.set(Cue::NamedByDenizenEver, theirs.from_denizen.naming);
        self.set(Cue::HabitDenizen, own.said.share());
        let ago = |when: Option<When>| {
            let minutes = |when: When| u64::try_from(minute_of(at).saturating_sub(when.minute));
            when.map_or(Ago::NEVER, |when| Ago {
                lines: past.line.saturating_sub(when.line).min(Ago::MOST),
                minutes: minutes(when).unwrap_or_default().min(Ago::MOST),
            })
        };
        self.ago(
            Cue::NamedDenizenLines,
            Cue::NamedDenizenMinutes,
            Some(ago(theirs.named_denizen)),
        );
        self.ago(
            Cue::NamedByDenizenLines,
            Cue::NamedByDenizenMinutes,
            Some(ago(theirs.named_by_denizen)),
        );
        self.ago(
            Cue::NamedOthersLines,
            Cue::NamedOthersMinutes,
            Some(ago(theirs.named_others)),
        );
        self.ago(
            Cue::NamedByOthersLines,
            Cue::NamedByOthersMinutes,
            Some(ago(theirs.named_by_others)),
        );
        self.set(Cue::DenizenNamedLines, ago(own.named_by_others).lines);
    }

    pub(super) fn of_echo(&mut self, echo: &Echo, likeness: &Likeness) {
        self.set(Cue::LikeOwnBest, likeness.own_best);
        self.set(Cue::LikeOwnBestLines, likeness.own_best_lines);
        self.set(Cue::LikeOwnAll, likeness.own_all);
        self.set(Cue::LikeOwnToLast, echo.own_to_author_last);
        self.set(Cue::LikeOwnTo, echo.own_to_author);
        self.set(Cue::LikeAuthor, echo.author);
        self.set(Cue::LikeAuthorTo, echo.author_to);
        self.set(Cue::LikeLine, echo.others);
        self.set(Cue::LikeLineLines, echo.others_lines);
        self.set(Cue::LikeLineTo, echo.others_to);
        self.set(Cue::LikeToDenizen, echo.to_denizen);
        self.set(Cue::LikeBestBy, echo.best_by);
        self.set(Cue::LikeShare, echo.share);
        self.set(Cue::RareWords, echo.rare);
        self.set(Cue::TopicWords, echo.topics);
    }
}

/// Whether a line names nobody, others or somebody; 0 is for where there is none.
fn names(line: Option<&Traced>, person: &PersonId) -> u64 {
    line.map_or(0, |line| {
        match (line.calls.is_empty(), line.calls.contains(person)) {
            (true, _) => 1,
            (false, false) => 2,
            (false, true) => 3,
        }
    })
}
