//! The script language: who does what and when, and what models, rooms and stores do about it.

use settings::Settings;
use vocabulary::{AuthorKind, Moment, OutsideTool, PersonId, RoomId, ShareEnd, ShareSource, Span};

use super::cue::{Cue, read_cue};
use super::operator::operator;
use super::rooms::{DEFAULT_ROOM, room, told};
use super::voice::{of_denizen, voice};
use super::words::Words;
use crate::deed::Deed;
use crate::platform::{DENIZEN, Person, Say};
use crate::screens::ScreenDeed;
use crate::toolbox::tool;

/// More repetitions than this are a slip of the pen.
const REPEATS_MAX: u64 = 1_000;

#[derive(Debug)]
pub(super) struct Script {
    pub deeds: Vec<(Moment, Deed<Cue>)>,
    pub seed: u64,
    /// When it is over, where that is said.
    pub end: Option<Moment>,
}

/// Reads a script; every line that is wrong is told.
pub(super) fn read(lines: &[(usize, &str)]) -> Result<Script, Vec<(usize, String)>> {
    let mut reader = Reader {
        script: Script {
            deeds: Vec::new(),
            seed: 1,
            end: None,
        },
        prelude: Vec::new(),
        now: Moment::default(),
    };
    let mut wrong = Vec::new();
    for (number, line) in lines {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(what) = reader.line(line) {
            wrong.push((*number, format!("{what}, in: {line}")));
        }
    }
    if wrong.is_empty() {
        let mut script = reader.script;
        script.deeds.splice(0..0, reader.prelude);
        Ok(script)
    } else {
        Err(wrong)
    }
}

struct Reader {
    script: Script,
    prelude: Vec<(Moment, Deed<Cue>)>,
    now: Moment,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = Words::of(line);
        let time = words.moment();
        if let Some(time) = time {
            if time.at < self.now {
                return Err("expected a time that is not before the line above".to_owned());
            }
            self.now = time.at;
        }
        if words.eat("wait") {
            self.now = self.now + words.expect_span()?;
            return words.expect_end();
        }
        if words.eat("dice seed") {
            self.script.seed = words.expect_number()?;
            return words.expect_end();
        }
        if words.eat("the end") {
            self.script.end = Some(self.now);
            return words.expect_end();
        }
        if words.eat("every") {
            return self.every(words);
        }
        match deed(words)? {
            // Without a time, what models and stores will do is known from the beginning, in the order of the script.
            cue @ Deed::Cue(_) if time.is_none() => self.prelude.push((Moment::default(), cue)),
            deed => self.script.deeds.push((self.now, deed)),
        }
        Ok(())
    }

    /// `every 5s: alice says "turn {n}" until turn 61`, or `until frame 61`; the first comes after the first pause.
    fn every(&mut self, mut words: Words<'_>) -> Result<(), String> {
        let pause = words
            .take()
            .and_then(|word| super::words::span(word.strip_suffix(':')?));
        let pause = pause.ok_or("expected `every 5s:` with a time and a colon")?;
        let rest = words.rest();
        let end = rest
            .rsplit_once(" until turn ")
            .or_else(|| rest.rsplit_once(" until frame "));
        let (statement, count) = match end {
            Some((statement, count)) => (statement, count.trim().parse::<u64>().ok()),
            None => (rest, None),
        };
        let count = count.filter(|count| (1..=REPEATS_MAX).contains(count));
        let count = count.ok_or_else(|| {
            format!("expected `until turn N` or `until frame N` at the end, N from 1 to {REPEATS_MAX}")
        })?;
        for n in 1..=count {
            self.now = self.now + pause;
            let statement = statement.replace("{n}", &n.to_string());
            let deed = deed(Words::of(&statement))?;
            self.script.deeds.push((self.now, deed));
        }
        Ok(())
    }
}

fn deed(mut words: Words<'_>) -> Result<Deed<Cue>, String> {
    if let Some(cue) = read_cue(&mut words)? {
        words.expect_end()?;
        return Ok(Deed::Cue(cue));
    }
    if words.eat("settings set") {
        let (key, value) = words
            .rest()
            .split_once('=')
            .ok_or("expected `settings set key=value`")?;
        let knob = Settings::knob(key.trim()).map_err(|error| error.to_string())?;
        let value = knob
            .parse_typed(value.trim())
            .map_err(|error| error.to_string())?;
        return Ok(Deed::Set { key: knob.key, value });
    }
    if words.eat("note by") {
        let shared_by = capitalised(words.take().unwrap_or_default());
        let text = words.expect_quoted()?;
        let room = room(&mut words)?;
        return Ok(Deed::Note {
            room,
            shared_by,
            text,
        });
    }
    if let Some(deed) = of_denizen(&mut words)? {
        return Ok(deed);
    }
    if let Some(deed) = operator(&mut words)? {
        words.expect_end()?;
        return Ok(deed);
    }
    if words.eat("tools") {
        return tools(words).map(|tools| Deed::Capabilities {
            tools,
            media: Vec::new(),
        });
    }
    if let Some(deed) = told(&mut words)? {
        return Ok(deed);
    }
    if words.eat("restart after") {
        let down_for: Span = words.expect_span()?;
        let repeats = if words.eat("and hear the last") {
            let count = words.expect_number()? as usize;
            words.eat("messages again");
            count
        } else {
            0
        };
        words.expect_end()?;
        return Ok(Deed::Restart { down_for, repeats });
    }
    let kind = if words.eat("bot") {
        AuthorKind::OtherBot
    } else {
        AuthorKind::Person
    };
    let name = words.take().unwrap_or_default();
    personal(name, kind, words)
}

fn personal(name: &str, kind: AuthorKind, mut words: Words<'_>) -> Result<Deed<Cue>, String> {
    let (name, owns) = match name.strip_suffix("'s") {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_lowercase()) {
        return Err(format!(
            "expected somebody's name in small letters, or a word of the script language, found {name:?}"
        ));
    }
    let person = Person {
        kind,
        ..Person::named(&capitalised(name))
    };
    let id = person.id.clone();
    let mut say = Say {
        room: RoomId::from(DEFAULT_ROOM),
        person,
        text: String::new(),
        replies_to: None,
        mentions: Vec::new(),
        picture: None,
        spoken: false,
    };
    for (told, missed) in [("arrives again", false), ("was missed", true)] {
        if owns && words.eat(&format!("last message {told}")) {
            let room = room(&mut words)?;
            return Ok(Deed::RepeatLast {
                room,
                person: id,
                missed,
            });
        }
    }
    if owns && words.eat("last message is tried again") {
        let room = room(&mut words)?;
        return Ok(Deed::ReplyAgain { room, person: id });
    }
    if let Some(deed) = voice(&mut words)? {
        let (room, person) = (room(&mut words)?, say.person);
        return Ok(Deed::Voice { room, person, deed });
    }
    if let Some(deed) = screen(&mut words, owns)? {
        let name = capitalised(name);
        let room = room(&mut words)?;
        return Ok(Deed::Screen {
            room,
            person: id,
            name,
            deed,
        });
    }
    let mut missed = None;
    match words.take().unwrap_or_default() {
        "said" => {
            missed = Some(words.expect_span()?);
            if !words.eat("ago") {
                return Err("expected `said 30m ago \"words\"`".to_owned());
            }
        }
        "says" => say.spoken = words.eat("aloud"),
        "reacts" => {
            let emoji = words.take().unwrap_or_default().to_owned();
            return reaction(&mut words, "to", id, emoji, true);
        }
        "takes" => {
            let emoji = words.take().unwrap_or_default().to_owned();
            return reaction(&mut words, "back from", id, emoji, false);
        }
        "mentions" => say.mentions = vec![who(&mut words)?],
        "replies" if words.eat("to") => say.replies_to = Some(who(&mut words)?),
        "edits" if words.eat("last") => {
            let text = words.expect_quoted()?;
            let room = room(&mut words)?;
            return Ok(Deed::EditLast {
                room,
                person: id,
                text,
            });
        }
        "deletes" if words.eat("last") => {
            let room = room(&mut words)?;
            return Ok(Deed::DeleteLast { room, person: id });
        }
        verb @ ("starts" | "stops") if words.eat("typing") => {
            let (room, typing) = (room(&mut words)?, verb == "starts");
            return Ok(Deed::Typing {
                room,
                person: id,
                typing,
            });
        }
        verb => {
            return Err(format!(
                "expected says, said 30m ago, mentions, replies to, edits last, deletes last, starts typing, stops typing, reacts, takes back, shares a screen, stops sharing, or something of somebody's screen or share, found {verb:?}"
            ));
        }
    }
    say.text = words.expect_quoted()?;
    if words.eat("with picture") {
        say.picture = Some(words.expect_quoted()?);
    }
    say.room = room(&mut words)?;
    Ok(match missed {
        Some(ago) => Deed::Missed(say, ago),
        None => Deed::Say(say),
    })
}

/// `to denizen's post [in #room]`, `back from denizen's post`.
fn reaction(
    words: &mut Words<'_>,
    preposition: &str,
    person: PersonId,
    emoji: String,
    added: bool,
) -> Result<Deed<Cue>, String> {
    if !words.eat(preposition) || !words.eat("denizen's post") {
        return Err(format!(
            "expected `{preposition} denizen's post` behind the reaction"
        ));
    }
    Ok(Deed::React {
        room: room(words)?,
        person,
        to: PersonId::from(DENIZEN),
        emoji,
        added,
    })
}

/// What somebody does with a screen; none where the line is about something else.
fn screen(words: &mut Words<'_>, owns: bool) -> Result<Option<ScreenDeed>, String> {
    Ok(Some(match () {
        () if owns && words.eat("screen scores") => {
            let word = words.take().unwrap_or_default();
            let score = word
                .parse()
                .map_err(|_| format!("expected a change score such as 0.012, found {word:?}"))?;
            ScreenDeed::Frame {
                score,
                scene_cut: false,
            }
        }
        () if owns && words.eat("screen stands still") => ScreenDeed::Frame {
            score: 0.0,
            scene_cut: false,
        },
        () if owns && words.eat("screen cuts") => ScreenDeed::Frame {
            score: 0.5,
            scene_cut: true,
        },
        () if owns && words.eat("screen is watched") => ScreenDeed::Choose,
        () if owns && words.eat("screen is not watched") => ScreenDeed::ChooseNobody,
        () if owns && words.eat("share is lost") => ScreenDeed::Stop(ShareEnd::Lost),
        () if words.eat("shares a screen") => ScreenDeed::Share(ShareSource::SharePage),
        () if words.eat("stops sharing") => ScreenDeed::Stop(ShareEnd::Stopped),
        () => return Ok(None),
    }))
}

fn who(words: &mut Words<'_>) -> Result<PersonId, String> {
    match words.take() {
        Some("denizen") => Ok(PersonId::from(DENIZEN)),
        Some(name) if !name.starts_with('"') => Ok(PersonId::from(name)),
        _ => Err("expected a name".to_owned()),
    }
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `web_search web_scrape wiki_read of wiki`, or `none`.
fn tools(mut words: Words<'_>) -> Result<Vec<OutsideTool>, String> {
    let mut tools = Vec::new();
    while let Some(name) = words.take().map(str::to_owned) {
        if name == "none" {
            continue;
        }
        let server = words
            .eat("of")
            .then(|| words.take().unwrap_or_default().to_owned());
        tools.push(tool(&name, server.as_deref()));
    }
    Ok(tools)
}
