//! What a line that calls nobody tells about whom it is for, beside what was said before it: small numbers, and no word.

use serde::{Deserialize, Serialize};
use vocabulary::PersonId;

use super::echo::Echo;
use super::exchange::Exchange;
use super::look::Look;
use super::naming::Naming;
use super::reading::{Manner, Past, Reading};
use super::roster::Call;
use super::talk::{Ago, Talk};
use super::trace::Trace;
use super::word_trail::slots;
use super::{Heard, Identity};

/// What a cue is about: `why` names the three that weighed most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CueKind {
    /// Whom the plain rules take it to be for.
    Rule,
    /// Who is named in it.
    Names,
    /// Whether it asks, and how long it is.
    Form,
    /// Whom its author last spoke to, and how long ago.
    AuthorsLast,
    /// How lately and how often its author spoke to Denizen.
    ToDenizen,
    /// How lately and how often Denizen spoke to its author.
    FromDenizen,
    /// How lately and how often its author and others spoke to each other.
    WithOthers,
    /// How long ago Denizen spoke, and to whom.
    DenizensLast,
    /// Who has spoken since Denizen did.
    SinceDenizen,
    /// The lines right before it.
    Before,
    /// Who waits for an answer of its author's.
    Waiting,
    /// Words that it shares with what Denizen said, or with what others said.
    Words,
    /// How many people talk there, and how fast.
    Crowd,
    /// Whether a question waits for an answer.
    Question,
    /// How often people there name whom they talk to.
    Habits,
    /// Who has named whom outright, and how long ago.
    Named,
    /// How the last lines of Denizen's and of its author's began.
    LastLines,
}

macro_rules! cues {
    ($($cue:ident $name:literal $kind:ident,)+) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Cue { $($cue,)+ }

        /// How many there are.
        pub const COUNT: usize = [$(Cue::$cue,)+].len();

        /// What each is called, in order, for the table that is learnt from.
        pub const NAMES: [&str; COUNT] = [$($name,)+];

        /// What each is about, in order.
        pub(super) const KINDS: [CueKind; COUNT] = [$(CueKind::$kind,)+];
    };
}

cues! {
    Rule "rule" Rule,
    Named "named" Names,
    OthersNamed "others_named" Names,
    OthersSpokenOf "others_spoken_of" Names,
    Asks "asks" Form,
    Length "length" Form,
    Begins "begins" Form,
    SaysYou "says_you" Form,
    SaysMe "says_me" Form,
    AuthorLines "author_lines" AuthorsLast,
    AuthorMinutes "author_minutes" AuthorsLast,
    AuthorTo "author_to" AuthorsLast,
    AuthorCount "author_count" AuthorsLast,
    AuthorKnown "author_known" AuthorsLast,
    AuthorPartners "author_partners" AuthorsLast,
    ToDenizenLines "to_denizen_lines" ToDenizen,
    ToDenizenMinutes "to_denizen_minutes" ToDenizen,
    ToDenizenCount "to_denizen_count" ToDenizen,
    FromDenizenLines "from_denizen_lines" FromDenizen,
    FromDenizenMinutes "from_denizen_minutes" FromDenizen,
    FromDenizenCount "from_denizen_count" FromDenizen,
    FromDenizenUnanswered "from_denizen_unanswered" FromDenizen,
    ToOthersLines "to_others_lines" WithOthers,
    ToOthersMinutes "to_others_minutes" WithOthers,
    ToOthersCount "to_others_count" WithOthers,
    FromOthersLines "from_others_lines" WithOthers,
    FromOthersMinutes "from_others_minutes" WithOthers,
    FromOthersCount "from_others_count" WithOthers,
    FromOthersAfter "from_others_after" WithOthers,
    OwnLines "own_lines" DenizensLast,
    OwnMinutes "own_minutes" DenizensLast,
    OwnTo "own_to" DenizensLast,
    OwnCount "own_count" DenizensLast,
    OwnCountNear "own_count_near" DenizensLast,
    OwnToOthersCount "own_to_others_count" DenizensLast,
    OwnPartners "own_partners" DenizensLast,
    SincePeople "since_people" SinceDenizen,
    SinceLines "since_lines" SinceDenizen,
    SinceAuthor "since_author" SinceDenizen,
    SinceToDenizen "since_to_denizen" SinceDenizen,
    BeforeBy "before_by" Before,
    BeforeTo "before_to" Before,
    BeforeAsks "before_asks" Before,
    SecondBeforeBy "second_before_by" Before,
    WaitingCount "waiting_count" Waiting,
    WaitingDenizen "waiting_denizen" Waiting,
    WaitingOthersAsked "waiting_others_asked" Waiting,
    LikeOwn "like_own" Words,
    LikeOwnRare "like_own_rare" Words,
    LikeOthers "like_others" Words,
    LikeOthersLines "like_others_lines" Words,
    LikeBefore "like_before" Words,
    CrowdPeople "crowd_people" Crowd,
    CrowdMinutes "crowd_minutes" Crowd,
    OwnQuestion "own_question" Question,
    OwnAsked "own_asked" Question,
    RoomQuestionLines "room_question_lines" Question,
    RoomQuestions "room_questions" Question,
    Thanks "thanks" Form,
    HabitAuthor "habit_author" Habits,
    HabitAuthorLines "habit_author_lines" Habits,
    HabitToDenizen "habit_to_denizen" Habits,
    HabitToDenizenLines "habit_to_denizen_lines" Habits,
    HabitFromDenizen "habit_from_denizen" Habits,
    HabitFromDenizenLines "habit_from_denizen_lines" Habits,
    HabitDenizen "habit_denizen" Habits,
    HabitRoom "habit_room" Habits,
    NamedDenizenLines "named_denizen_lines" Named,
    NamedDenizenMinutes "named_denizen_minutes" Named,
    NamedDenizenCount "named_denizen_count" Named,
    NamedDenizenEver "named_denizen_ever" Named,
    NamedByDenizenLines "named_by_denizen_lines" Named,
    NamedByDenizenMinutes "named_by_denizen_minutes" Named,
    NamedByDenizenCount "named_by_denizen_count" Named,
    NamedByDenizenEver "named_by_denizen_ever" Named,
    NamedOthersLines "named_others_lines" Named,
    NamedOthersMinutes "named_others_minutes" Named,
    NamedOthersCount "named_others_count" Named,
    NamedByOthersLines "named_by_others_lines" Named,
    NamedByOthersMinutes "named_by_others_minutes" Named,
    NamedByOthersCount "named_by_others_count" Named,
    NamedLast "named_last" Named,
    OwnNames "own_names" Named,
    OwnToNames "own_to_names" Named,
    BeforeNames "before_names" Named,
    DenizenNamedLines "denizen_named_lines" Named,
    DenizenNamedSince "denizen_named_since" Named,
    OwnBegins "own_begins" LastLines,
    OwnLength "own_length" LastLines,
    OwnThanks "own_thanks" LastLines,
    OwnToBegins "own_to_begins" LastLines,
    OwnToLength "own_to_length" LastLines,
    OwnToAsks "own_to_asks" LastLines,
    AuthorBegins "author_begins" LastLines,
    AuthorLength "author_length" LastLines,
    BeforeLength "before_length" Before,
    LikeOwnBest "like_own_best" Words,
    LikeOwnBestLines "like_own_best_lines" Words,
    LikeOwnAll "like_own_all" Words,
    LikeOwnToLast "like_own_to_last" Words,
    LikeOwnTo "like_own_to" Words,
    LikeAuthor "like_author" Words,
    LikeAuthorTo "like_author_to" Words,
    LikeLine "like_line" Words,
    LikeLineLines "like_line_lines" Words,
    LikeLineTo "like_line_to" Words,
    LikeToDenizen "like_to_denizen" Words,
    LikeBestBy "like_best_by" Words,
    LikeShare "like_share" Words,
    RareWords "rare_words" Words,
    TopicWords "topic_words" Words,
}

/// Everything that is looked at, in small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cues([u8; COUNT]);

impl Cues {
    /// One of them, by its place.
    pub(super) fn value(&self, place: u8) -> u8 {
        self.0[usize::from(place)]
    }

    /// All of them, in the order of `NAMES`.
    pub fn values(&self) -> &[u8] {
        &self.0
    }

    #[cfg(test)]
    pub(super) fn from_values(values: [u8; COUNT]) -> Self {
        Self(values)
    }

    /// Looks at a line that has been read.
    pub(super) fn of(
        past: Past<'_>,
        trace: &Trace,
        heard: &Heard<'_>,
        identity: &Identity,
        reading: &Reading,
    ) -> Self {
        let (author, denizen) = (heard.author, &identity.id);
        let mut cues = Self([0; COUNT]);
        cues.of_line(reading, denizen);
        cues.of_talk(&Talk::of(trace, author, denizen, heard.at));
        let known = past.roster.person(author);
        cues.set(Cue::AuthorKnown, known.is_some());
        let calls = known.map_or(&[][..], |author| &author.calls);
        cues.of_calls(calls, past.line, denizen);
        let likeness = past.trail.likeness(author, denizen, &reading.words);
        cues.of_exchange(&Exchange::of(trace, author, denizen), author, denizen);
        cues.of_habits(past, author, denizen, heard.at);
        let said = slots(&reading.words);
        cues.of_echo(&Echo::of(trace, past.trail, &said, author, denizen), &likeness);
        cues.set(Cue::LikeOwn, likeness.own);
        cues.set(Cue::LikeOwnRare, likeness.own_rare);
        cues.set(Cue::LikeOthers, likeness.others);
        cues.set(Cue::LikeOthersLines, likeness.others_lines);
        cues.set(Cue::LikeBefore, likeness.before);
        cues
    }

    pub(super) fn set(&mut self, cue: Cue, value: impl Into<u64>) {
        self.0[cue as usize] = u8::try_from(value.into()).unwrap_or(u8::MAX);
    }

    fn count(&mut self, cue: Cue, count: usize) {
        self.set(cue, count as u64);
    }

    pub(super) fn ago(&mut self, lines: Cue, minutes: Cue, ago: Option<Ago>) {
        let ago = ago.unwrap_or(Ago::NEVER);
        self.set(lines, ago.lines);
        self.set(minutes, ago.minutes);
    }

    fn of_line(&mut self, reading: &Reading, denizen: &PersonId) {
        let is_for_denizen = reading.to.contains(denizen);
        let of_others = || reading.namings.iter().filter(|naming| naming.person != *denizen);
        self.set(Cue::Rule, code(reading.manner, is_for_denizen));
        let own = reading.namings.iter().filter(|naming| naming.person == *denizen);
        self.set(Cue::Named, own.map(named).max().unwrap_or_default());
        self.count(
            Cue::OthersNamed,
            of_others().filter(|naming| naming.meant).count(),
        );
        self.count(
            Cue::OthersSpokenOf,
            of_others().filter(|naming| naming.spoken_of).count(),
        );
        self.set(Cue::Asks, reading.words.asks());
        let look = Look::of(&reading.words);
        self.set(Cue::Length, look.length);
        self.set(Cue::Begins, look.begins);
        self.set(Cue::Thanks, look.thanks);
        self.set(Cue::SaysYou, reading.words.iter().any(|word| YOU.contains(&word)));
        self.set(Cue::SaysMe, reading.words.iter().any(|word| ME.contains(&word)));
    }

    fn of_talk(&mut self, talk: &Talk) {
        self.ago(Cue::AuthorLines, Cue::AuthorMinutes, talk.author_last);
        self.set(Cue::AuthorTo, talk.author_last_to);
        self.set(Cue::AuthorCount, talk.author_count);
        self.count(Cue::AuthorPartners, talk.author_partners.len());
        self.ago(Cue::ToDenizenLines, Cue::ToDenizenMinutes, talk.to_denizen);
        self.set(Cue::ToDenizenCount, talk.to_denizen_count);
        self.ago(Cue::FromDenizenLines, Cue::FromDenizenMinutes, talk.from_denizen);
        self.set(Cue::FromDenizenCount, talk.from_denizen_count);
        self.set(Cue::FromDenizenUnanswered, talk.from_denizen_unanswered);
        self.ago(Cue::ToOthersLines, Cue::ToOthersMinutes, talk.to_others);
        self.set(Cue::ToOthersCount, talk.to_others_count);
        self.ago(Cue::FromOthersLines, Cue::FromOthersMinutes, talk.from_others);
        self.set(Cue::FromOthersCount, talk.from_others_count);
        self.set(Cue::FromOthersAfter, talk.from_others_after);
        self.ago(Cue::OwnLines, Cue::OwnMinutes, talk.own_last);
        self.set(Cue::OwnTo, talk.own_last_to);
        self.set(Cue::OwnAsked, talk.own_last_asks);
        self.set(Cue::OwnCount, talk.own_count);
        self.set(Cue::OwnCountNear, talk.own_count_near);
        self.set(Cue::OwnToOthersCount, talk.own_to_others_count);
        self.count(Cue::OwnPartners, talk.own_partners.len());
        self.count(Cue::SincePeople, talk.since_people.len());
        self.set(Cue::SinceLines, talk.since_lines);
        self.set(Cue::SinceAuthor, talk.since_author);
        self.set(Cue::SinceToDenizen, talk.since_to_denizen);
        self.set(Cue::BeforeBy, talk.before_by[0]);
        self.set(Cue::SecondBeforeBy, talk.before_by[1]);
        self.set(Cue::BeforeTo, talk.before_to);
        self.set(Cue::BeforeAsks, talk.before_asks);
        self.count(Cue::CrowdPeople, talk.crowd_people.len());
        self.set(Cue::CrowdMinutes, talk.crowd_minutes);
        self.set(Cue::OwnQuestion, talk.own_question);
        self.set(
            Cue::RoomQuestionLines,
            talk.room_question.unwrap_or(Ago::NEVER).lines,
        );
        self.count(Cue::RoomQuestions, talk.room_askers.len());
    }

    fn of_calls(&mut self, calls: &[Call], line: u64, denizen: &PersonId) {
        let fresh = || {
            calls
                .iter()
                .filter(|call| line.saturating_sub(call.line) <= Ago::MOST)
        };
        let own = fresh().position(|call| call.by == *denizen);
        // Denizen last of those who wait, or others after it.
        let own = own.map_or(0, |place| fresh().count() - place);
        self.count(Cue::WaitingCount, fresh().count());
        self.count(Cue::WaitingDenizen, own);
        self.set(
            Cue::WaitingOthersAsked,
            fresh().any(|call| call.asked && call.by != *denizen),
        );
    }
}

/// The rule that spoke, as a number: those that speak for Denizen come last.
fn code(manner: Manner, is_for_denizen: bool) -> u64 {
    match (manner, is_for_denizen) {
        (Manner::Called, false) => 0,
        (Manner::Named, false) => 1,
        (Manner::SpeaksOf, _) => 2,
        (Manner::Answers, false) => 3,
        (Manner::CarriesOn, false) => 4,
        (Manner::PicksUpWord, false) => 5,
        (Manner::ForEverybody, _) => 6,
        (Manner::SpeaksOn, _) => 7,
        (Manner::NoTie, _) => 8,
        (Manner::PicksUpWord, true) => 9,
        (Manner::CarriesOn, true) => 10,
        (Manner::Answers, true) => 11,
        (Manner::Named, true) => 12,
        (Manner::Called, true) => 13,
    }
}

const YOU: [&str; 5] = ["you", "your", "u", "ur", "youre"];
const ME: [&str; 5] = ["i", "my", "me", "im", "ive"];
/// How somebody is named: as an ordinary word, spoken of, on the way, or called.
fn named(naming: &Naming) -> u64 {
    match naming {
        naming if naming.called => 4,
        naming if naming.meant && !naming.spoken_of => 3,
        naming if naming.meant => 2,
        _ => 1,
    }
}
