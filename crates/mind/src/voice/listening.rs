//! Who wants to be listened to: chosen in one room of a community, and good in all of them.

use vocabulary::PersonId;

use super::{Voice, VoiceContext, thoughts, want};
use crate::effect::RoomWish;
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// Somebody does not want to be listened to, or does again; whether that is news.
pub(crate) fn listening_chosen(
    voice: &mut Voice,
    person: &PersonId,
    listen: bool,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> bool {
    if !voice.people.choose(person, listen) {
        return false;
    }
    let event = JournalEvent::VoiceListeningChosen {
        person: person.clone(),
        listen,
    };
    step.ledger.write(Scope::room(context.room), event);
    step.unlistened.choose(person, listen);
    do_as_chosen(voice, person, listen, context, step);
    true
}

/// Does as somebody chose in another room; whether that is news.
pub(crate) fn heed(
    voice: &mut Voice,
    person: &PersonId,
    listen: bool,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) -> bool {
    let is_news = voice.people.choose(person, listen);
    if is_news {
        do_as_chosen(voice, person, listen, context, step);
    }
    is_news
}

fn do_as_chosen(
    voice: &mut Voice,
    person: &PersonId,
    listen: bool,
    context: &mut VoiceContext<'_>,
    step: &mut StepContext<'_>,
) {
    let wish = RoomWish::Listen {
        person: person.clone(),
        listen,
    };
    want(context.room, wish, step);
    if !listen {
        voice.drop_utterances(&|utterance| utterance.person == *person, context, step);
        thoughts::unwanted(voice, context, step);
    }
}

/// Knows what was chosen in other rooms before anything is heard here.
pub(crate) fn learn_choices(voice: &mut Voice, step: &StepContext<'_>) {
    for person in step.unlistened.iter() {
        voice.people.choose(person, false);
    }
}
