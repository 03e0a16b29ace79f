//! What a server may have stumbled over, where it did not say what: left out for a while, and for good once the same comes
//! of it again. And questions that it takes in no form.

use jiff::{SignedDuration, Timestamp};
use vocabulary::{AskPurpose, AttachmentId, ModelRequest};

use super::{Quirks, Trait, key, refused, unreadable, what};
use crate::narrowing::Piece;

/// What may have had nothing to do with it is sent again after so long.
const DOUBTED_FOR: SignedDuration = SignedDuration::from_mins(10);
/// How it is named that it may have been that.
pub(super) const PERHAPS: &str = "perhaps ";
/// How it is named that nothing helped, for what it was asked.
pub(super) const IN_VAIN: &str = "any form of a question for ";

impl Quirks {
    /// The model may have stumbled over this picture, or over nothing that anybody knows: it is not shown to it for a
    /// while, and if it stumbles again then, that was it.
    pub(crate) fn note_doubtful(&self, base_url: &str, model: &str, picture: &AttachmentId) {
        self.doubt(key(base_url, model, &unreadable(picture)));
    }

    /// It has answered to this picture.
    pub(crate) fn forget_doubt(&self, base_url: &str, model: &str, picture: &AttachmentId) {
        self.drop_note(&perhaps(&key(base_url, model, &unreadable(picture))));
    }

    /// It answered once this was left out: so for a part of a question.
    pub(crate) fn note_doubtful_piece(
        &self,
        (base_url, model): (&str, &str),
        request: &ModelRequest,
        piece: &Piece,
    ) {
        self.doubt(key(base_url, model, &name(request, piece)));
    }

    /// It has answered to what this went along with.
    pub(crate) fn forget_doubtful_piece(
        &self,
        (base_url, model): (&str, &str),
        request: &ModelRequest,
        piece: &Piece,
    ) {
        self.drop_note(&perhaps(&key(base_url, model, &name(request, piece))));
    }

    /// Whether leaving it out has helped before, lately or not.
    pub(crate) fn was_doubted(
        &self,
        (base_url, model): (&str, &str),
        request: &ModelRequest,
        piece: &Piece,
    ) -> bool {
        self.is_known(&perhaps(&key(base_url, model, &name(request, piece))))
    }

    /// Nothing that can be left out of such a question has helped.
    pub(crate) fn note_in_vain(&self, base_url: &str, model: &str, purpose: AskPurpose) {
        self.note(key(base_url, model, &in_vain(purpose)));
    }

    /// It has taken one.
    pub(crate) fn forget_in_vain(&self, base_url: &str, model: &str, purpose: AskPurpose) {
        self.drop_note(&key(base_url, model, &in_vain(purpose)));
    }

    pub(crate) fn was_in_vain(&self, base_url: &str, model: &str, purpose: AskPurpose) -> bool {
        self.is_known(&key(base_url, model, &in_vain(purpose)))
    }

    fn doubt(&self, of: Trait) {
        let doubt = perhaps(&of);
        match self.is_known(&doubt) {
            true => {
                self.drop_note(&doubt);
                self.note(of);
            }
            false => self.note(doubt),
        }
    }

    /// Whether it is left out now.
    pub(super) fn is_left_out(&self, of: &Trait) -> bool {
        let doubted = self.found().get(&perhaps(of)).copied();
        doubted.is_some_and(is_doubt_new) || self.is_known(of)
    }
}

/// Whether what may have been it is still left out.
pub(super) fn is_doubt_new(since: Timestamp) -> bool {
    Timestamp::now().duration_since(since) < DOUBTED_FOR
}

fn perhaps(of: &Trait) -> Trait {
    key(&of.base_url, &of.model, &format!("{PERHAPS}{}", of.what))
}

fn in_vain(purpose: AskPurpose) -> String {
    format!("{IN_VAIN}{}", purpose.name())
}

fn name(request: &ModelRequest, piece: &Piece) -> String {
    match piece {
        Piece::Feature(feature) => what(request, *feature).to_owned(),
        Piece::Parameter(parameter) => refused(parameter),
    }
}
