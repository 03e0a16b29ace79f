//! Operators and the machine in the script language.

use vocabulary::MediaKind;

use super::cue::Cue;
use super::thinking::source;
use super::words::Words;
use crate::ambient::tool_out_there;
use crate::deed::Deed;

/// What an operator or the machine does; none where the line is about something else.
pub(super) fn operator(words: &mut Words<'_>) -> Result<Option<Deed<Cue>>, String> {
    Ok(Some(match () {
        () if words.eat("think now") => Deed::ThinkNow,
        () if words.eat("models are tried again") => Deed::TryModels,
        () if words.eat("the model of replies answers elsewhere") => Deed::ReplyModelAnswered,
        () if words.eat("the thought is dropped") => Deed::DropThought,
        () if words.eat("source dropped") => Deed::DropSource(source(words.take().unwrap_or_default())?),
        () if words.eat("the machine sleeps") => Deed::Sleep(words.expect_span()?),
        () if words.eat("models read") => {
            let tokens = words.expect_number()?;
            if !words.eat("tokens") {
                return Err("expected `tokens` behind the number".to_owned());
            }
            Deed::ModelsRead(tokens)
        }
        () if words.eat("models are in the house") => Deed::ModelsNearby,
        () if words.eat("out there is nothing") => Deed::Capabilities {
            tools: Vec::new(),
            media: Vec::new(),
        },
        () if words.eat("out there are") => {
            let (mut tools, mut media) = (Vec::new(), Vec::new());
            while let Some(word) = words.take() {
                match MediaKind::ALL.into_iter().find(|kind| kind.name() == word) {
                    Some(kind) => media.push(kind),
                    None => tools.push(tool_out_there(word)),
                }
            }
            Deed::Capabilities { tools, media }
        }
        () => return Ok(None),
    }))
}
