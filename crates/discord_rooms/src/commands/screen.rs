//! `/denizen watch`: bots do not get to see what people stream on Discord, so whoever wants to show something gets a link to
//! a page of Denizen's own.

use runtime::screens::NewShare;
use vocabulary::ShareSource;

use super::Used;
use super::place;
use super::quiet::shown_time;
use crate::names;
use crate::wording::Phrase;

/// Somebody wants to show a screen.
pub(super) struct ScreenAsker<'a>(pub &'a Used);

impl ScreenAsker<'_> {
    pub async fn watch(&self) -> String {
        let used = self.0;
        let Some(channel) = used.channel() else {
            return used.say(Phrase::NoChannel);
        };
        let Some(public) = used.inside.public() else {
            return used.say(Phrase::WatchNoAddress);
        };
        // Whoever is in a call with it shows it there, where it can be talked about.
        let call = used.interaction.guild.and_then(|guild| {
            let there = used.inside.calls.channel_in(guild)?;
            let world = used.inside.world();
            let mut states = world.voices_of(guild);
            let own = states.find(|state| state.user == used.interaction.user.id)?;
            (own.channel == Some(there)).then_some(there)
        });
        // What is seen of a screen belongs to a room, and whether that is private has to be known before.
        let shown_in = call.unwrap_or(channel);
        if let Err(why) = place::enter(used, shown_in).await {
            return why;
        }
        let author = used.author();
        let invited = used.handle.screens().invite(NewShare {
            room: names::room(shown_in),
            person: author.id,
            name: author.name,
            source: ShareSource::SharePage,
        });
        match invited {
            Ok(link) => {
                let community = used.handle.community();
                let page = format!("{public}/share?community={community}#{}", link.token);
                let aloud = match call {
                    Some(_) => used.say(Phrase::CommentsAloud),
                    None => String::new(),
                };
                let with = [
                    ("link", format!("<{page}>")),
                    ("until", shown_time(link.expires_at)),
                    ("channel", format!("<#{shown_in}>")),
                    ("aloud", aloud),
                ];
                let with: Vec<(&str, &str)> =
                    with.iter().map(|(name, text)| (*name, text.as_str())).collect();
                used.tell(Phrase::WatchHere, &with)
            }
            Err(refused) => used.tell(Phrase::NotNow, &[("error", &refused.to_string())]),
        }
    }
}
