//! One request as it can be written for one model now: with what is known of the model, what it was found to refuse, and
//! what the operator wants. When a server refuses something more, it is written again.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use runtime::ports::{Prepared, Wire};
use settings::{Effort, StructuredOutput};
use vocabulary::{AttachmentId, ContentPart, ModelRequest, OutputShape};

use crate::catalogue::{Abilities, Api, Catalogue, Known, ModelEntry, Provider};
use crate::narrowing::Piece;
use crate::nearby::Paces;
use crate::overfull::Overfull;
use crate::pictures::{Pictures, Shrunk};
use crate::quirks::Quirks;
use crate::refused::{Parameter, STREAM};
use crate::served::{Served, ServedModels, estimated_tokens, room_within};
use crate::sight::is_about_a_picture;
use crate::thought::{Found, Thought, ThoughtQuestion};
use crate::trouble::Feature;
use crate::wire::{self, Manner};

/// All that decides how a request is written.
#[derive(Clone)]
pub(crate) struct Writing<'a> {
    pub(crate) request: &'a ModelRequest,
    pub(crate) pictures: &'a BTreeMap<AttachmentId, Bytes>,
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    pub(crate) base_url: &'a str,
    pub(crate) typed: StructuredOutput,
    pub(crate) effort: Effort,
    pub(crate) around: Surroundings<'a>,
    /// The last answer had no room left for words, whatever is remembered of the model.
    pub(crate) needs_room: bool,
    /// Pictures that are left out of this question, because one of them may be what is refused.
    pub(crate) left_out: Vec<AttachmentId>,
    /// What else is, because nobody says what is refused.
    pub(crate) spared: Vec<Piece>,
}

/// What is the same for every request of this process.
#[derive(Clone)]
pub(crate) struct Surroundings<'a> {
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) quirks: &'a Quirks,
    pub(crate) shrunk: &'a Shrunk,
    pub(crate) served: &'a ServedModels,
    pub(crate) paces: &'a Paces,
}

impl Surroundings<'_> {
    /// What a server says of a model; how much it reads, no more than it was found to.
    pub(crate) fn served_of(&self, base_url: &str, model: &str) -> Served {
        let served = self.served.of(base_url, model);
        match self.quirks.reads(base_url, model) {
            Some(found) => served.found_to_read(found),
            None => served,
        }
    }
}

/// A request, ready to go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Written {
    pub(crate) url: String,
    pub(crate) wire: Wire,
    pub(crate) body: Bytes,
    /// Tokens that the answer may have, thoughts included; none where the server was told no limit.
    pub(crate) cap: Option<u32>,
    /// The answer is asked for in pieces.
    pub(crate) streams: bool,
}

/// The parts of a question that a model may not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) tools: bool,
    pub(crate) schema: bool,
    pub(crate) pictures: bool,
}

impl<'a> Writing<'a> {
    /// What was prepared, to be written again.
    pub(crate) fn of_prepared(
        request: &'a ModelRequest,
        prepared: &'a Prepared,
        provider: Provider,
        around: Surroundings<'a>,
    ) -> Self {
        Self {
            request,
            pictures: &prepared.pictures,
            provider,
            model: &prepared.model,
            base_url: &prepared.base_url,
            typed: prepared.typed,
            effort: prepared.effort,
            around,
            needs_room: false,
            left_out: Vec::new(),
            spared: Vec::new(),
        }
    }

    pub(crate) fn write(&self) -> Written {
        let entry = self.entry();
        let manner = self.manner(&entry);
        let pictures = self.shown(&entry);
        let refused = self.refused();
        Written {
            url: wire::url(manner.wire, self.base_url, self.model, wire::streams(&refused)),
            wire: manner.wire,
            body: wire::body(self.request, &pictures, manner, &refused),
            streams: wire::streams(&refused),
            cap: wire::is_capped(manner.wire, &refused).then(|| self.cap()),
        }
    }

    /// What was written at first, to be written again without what is refused of it.
    pub(crate) fn as_prepared(&self, prepared: &Prepared) -> Written {
        let refused = self.refused();
        Written {
            url: prepared.url.clone(),
            wire: prepared.wire,
            body: prepared.body.clone(),
            streams: wire::streams(&refused),
            cap: wire::is_capped(prepared.wire, &refused).then(|| self.cap()),
        }
    }

    /// Tokens that an answer is allowed, thoughts included.
    pub(crate) fn cap(&self) -> u32 {
        let room = self.manner(&self.entry()).thought.room;
        self.request.max_output_tokens.saturating_add(room)
    }

    /// Room for thoughts, within what the model writes at most and the server reads.
    fn room(&self, entry: &ModelEntry, wanted: u32) -> u32 {
        let asked = self.request.max_output_tokens;
        let most = entry
            .output_tokens_max
            .map(|most| u32::try_from(most).unwrap_or(u32::MAX));
        let within = self
            .served()
            .window
            .map(|window| room_within(window, self.request));
        let left = most.map(|most| most.saturating_sub(asked));
        left.into_iter().chain(within).fold(wanted, u32::min)
    }

    /// Whether thoughts can take all the room there is, so that it is asked once more with more of it: where it thinks at
    /// all, or nobody knows whether it does.
    pub(crate) fn may_run_out_of_room(&self) -> bool {
        let entry = self.entry();
        let is_stranger = self.provider == Provider::Compatible || entry.is_guessed();
        is_stranger || self.manner(&entry).thought.room > 0
    }

    /// Whether it is given more room than others, because an answer of its had none left.
    pub(crate) fn has_more_room(&self) -> bool {
        self.needs_room || !self.takes(Feature::ShortThought)
    }

    /// Whether it is given room to think before it speaks.
    pub(crate) fn thinks(&self) -> bool {
        self.manner(&self.entry()).thought.room > 0
    }

    /// Which parts of the question the model is given, as things are known now.
    pub(crate) fn given(&self) -> Given {
        let entry = self.entry();
        let manner = self.manner(&entry);
        Given {
            tools: manner.tools,
            schema: manner.structured,
            pictures: self.shown(&entry).has_any(),
        }
    }

    /// What the model is shown of the pictures.
    fn shown(&self, entry: &ModelEntry) -> Pictures {
        match self.takes(Feature::Pictures) && !entry.abilities.pictures.is_empty() {
            true => Pictures::for_model(self.pictures, &entry.abilities, self.around.shrunk, |id| {
                // What makes no sense without its picture is not asked without it.
                let is_the_point = is_about_a_picture(self.request.purpose);
                self.left_out.contains(id) || (!is_the_point && self.is_unreadable(id))
            }),
            false => Pictures::default(),
        }
    }

    /// Whether the question has pictures at all.
    pub(crate) fn has_pictures(&self) -> bool {
        let mut parts = self.request.turns.iter().flat_map(|turn| &turn.parts);
        parts.any(|part| matches!(part, ContentPart::Image { id, .. } if self.pictures.contains_key(id)))
    }

    /// The wire that it goes by, as things are known now.
    pub(crate) fn door(&self) -> Wire {
        self.wire(&self.entry())
    }

    /// What the server itself says of the model, and what was found of it.
    pub(crate) fn served(&self) -> Served {
        self.around.served_of(self.base_url, self.model)
    }

    /// The model does not read all of what was written.
    pub(crate) fn note_overfull(&self, overfull: Overfull, written: &Written) {
        let answer = written.cap.unwrap_or(self.request.max_output_tokens);
        let sent = estimated_tokens(self.request) + u64::from(answer);
        if let Some(found) = overfull.lesson(sent, self.has_pictures()) {
            let quirks = self.around.quirks;
            quirks.note_reads(self.base_url, self.model, found);
        }
    }

    /// Whether the model is not known to refuse this.
    pub(crate) fn takes(&self, feature: Feature) -> bool {
        if feature == Feature::Pictures && self.served().sees == Some(false) {
            return false;
        }
        if self.spared.contains(&Piece::Feature(feature)) {
            return false;
        }
        self.around
            .quirks
            .takes(self.base_url, self.model, self.request, feature)
    }

    /// The model refuses this; it is left out from now on.
    pub(crate) fn remember(&self, feature: Feature) {
        self.around
            .quirks
            .remember(self.base_url, self.model, self.request, feature);
    }

    /// The parameters that the model does not take.
    pub(crate) fn refused(&self) -> Vec<Parameter> {
        let mut refused = self.around.quirks.refused(self.base_url, self.model);
        refused.extend(self.spared.iter().filter_map(|piece| match piece {
            Piece::Parameter(parameter) => Some(parameter.clone()),
            Piece::Feature(_) => None,
        }));
        refused
    }

    /// The same question without these.
    pub(crate) fn sparing(&self, pieces: &[Piece]) -> Self {
        Self {
            spared: pieces.to_vec(),
            ..self.clone()
        }
    }

    /// Whether it is written with such a thing now.
    pub(crate) fn gives(&self, piece: &Piece) -> bool {
        let mut spared = self.spared.clone();
        spared.push(piece.clone());
        let (with, without) = (self.write(), self.sparing(&spared).write());
        (with.url, with.body) != (without.url, without.body)
    }

    /// The request without these parameters, too, which are left out from now on; none where it has none of them.
    pub(crate) fn without(&self, parameters: &[Parameter], before: &Written) -> Option<Written> {
        // Without a name nothing was refused by it, however else the request would be written by now.
        if parameters.is_empty() {
            return None;
        }
        let quirks = self.around.quirks;
        let known = self.refused();
        let new = parameters.iter().filter(|parameter| !known.contains(parameter));
        let (caps, others): (Vec<&Parameter>, Vec<&Parameter>) = new.partition(|new| new.is_cap());
        let note = |parameter| quirks.note_refused(self.base_url, self.model, parameter);
        let forget = |parameter| quirks.forget_refused(self.base_url, self.model, parameter);
        others.iter().for_each(|parameter| note(parameter));
        // A limit goes by one of two names: the one that is sent is refused, and the other one may be taken.
        let with_cap = self.write();
        for cap in caps {
            note(cap);
            if self.write().body != with_cap.body {
                break;
            }
            forget(cap);
        }
        let lighter = self.write();
        if (&lighter.url, &lighter.body) != (&before.url, &before.body) {
            return Some(lighter);
        }
        others.into_iter().for_each(forget);
        None
    }

    /// An answer in one piece was refused as well, so that it was not the pieces.
    pub(crate) fn ask_for_pieces(&self) {
        let quirks = self.around.quirks;
        let refused = self.refused();
        for parameter in refused.iter().filter(|parameter| parameter.name() == STREAM) {
            quirks.forget_refused(self.base_url, self.model, parameter);
        }
    }

    /// Whether a picture was found to be one that the model does not take.
    pub(crate) fn is_unreadable(&self, picture: &AttachmentId) -> bool {
        self.around
            .quirks
            .is_unreadable(self.base_url, self.model, picture)
    }

    /// That was wrong.
    pub(crate) fn forget(&self, feature: Feature) {
        self.around
            .quirks
            .forget(self.base_url, self.model, self.request, feature);
    }

    fn manner(&self, entry: &ModelEntry) -> Manner<'a> {
        let abilities = &entry.abilities;
        let served = self.served();
        let tools = !self.request.tools.is_empty()
            && abilities.tools
            && served.tools != Some(false)
            && self.takes(Feature::Tools);
        let found = Found {
            no_effort: !self.takes(Feature::Effort),
            no_switch: !self.takes(Feature::ThinkingSwitch),
            no_thought: tools && !self.takes(Feature::ThoughtWithTools),
            thinks: served.thinks == Some(true) || !self.takes(Feature::Thoughtlessness),
            needs_room: self.has_more_room(),
        };
        let mut thought = Thought::of(ThoughtQuestion {
            provider: self.provider,
            model: self.model,
            thinking: abilities.thinking,
            words: &abilities.effort,
            wanted: self.effort,
            found,
        });
        thought.room = self.room(entry, thought.room);
        Manner {
            provider: self.provider,
            wire: self.wire(entry),
            model: self.model,
            structured: self.structured(abilities, tools),
            temperature: abilities.temperature && self.takes(Feature::Temperature),
            tools,
            thought,
            signs_thoughts: self.provider == Provider::Gemini && !abilities.effort.is_empty(),
            names_cache: self.provider == Provider::OpenAi && entry.known != Known::Provider,
        }
    }

    /// What is known of the model. One that nobody knows behind somebody else's door is asked as everybody asks.
    fn entry(&self) -> ModelEntry {
        let mut entry = self.around.catalogue.entry(self.provider, self.model);
        let is_stranger = entry.known == Known::Provider && self.provider.home() != Some(self.base_url);
        if self.provider == Provider::OpenAi && is_stranger {
            let usual = self
                .around
                .catalogue
                .entry(Provider::Compatible, self.model)
                .abilities;
            entry.abilities = Abilities {
                schema_with_tools: entry.abilities.schema_with_tools,
                ..usual
            };
        }
        entry
    }

    fn wire(&self, entry: &ModelEntry) -> Wire {
        match (self.provider, entry.abilities.api) {
            (Provider::Offline, _) => Wire::Offline,
            (Provider::Compatible, _) => Wire::OpenAiChat,
            (_, Api::Messages) => Wire::AnthropicMessages,
            (_, Api::Generate) => Wire::Gemini,
            (_, Api::Chat) if self.takes(Feature::ChatCompletions) => Wire::OpenAiChat,
            (_, Api::Chat) => Wire::OpenAiResponses,
            (_, Api::Responses) if !self.takes(Feature::ChatCompletions) => Wire::OpenAiResponses,
            (_, Api::Responses) if !self.takes(Feature::Responses) => Wire::OpenAiChat,
            (_, Api::Responses) => Wire::OpenAiResponses,
        }
    }

    fn structured(&self, abilities: &Abilities, tools: bool) -> bool {
        let is_possible = matches!(self.request.output, OutputShape::Json { .. })
            && self.provider != Provider::Offline
            && abilities.schema
            && (abilities.schema_with_tools || !tools);
        is_possible
            && match self.typed {
                StructuredOutput::On => true,
                StructuredOutput::Off => false,
                StructuredOutput::Auto => self.takes(Feature::StructuredOutput),
            }
    }
}
