//! The token of a share: whoever knows it may bring frames in.

use std::hint::black_box;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use vocabulary::ShareId;

const TOKEN_BYTES: usize = 18;
const SHARE_ID_BYTES: usize = 8;

/// What is kept of a token. It has no `Debug`, is never written anywhere, and is only ever compared.
pub(super) struct Token([u8; TOKEN_BYTES]);

impl Token {
    /// A new one, and how it is told to whoever will share.
    pub fn draw() -> (Self, String) {
        let bytes = random::<TOKEN_BYTES>();
        (Self(bytes), URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Whether somebody knows it. Takes as long for a nearly right token as for a wrong one.
    pub fn is(&self, said: &Said) -> bool {
        let differing = self
            .0
            .iter()
            .zip(&said.0)
            .fold(0_u8, |differing, (ours, theirs)| differing | (ours ^ theirs));
        black_box(differing) == 0
    }
}

/// A token that somebody says, in the right shape.
pub(super) struct Said([u8; TOKEN_BYTES]);

impl Said {
    pub fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

/// An id that no share had before, in this process or an earlier one.
pub(super) fn new_share_id() -> ShareId {
    let bytes = random::<SHARE_ID_BYTES>();
    ShareId::new(format!("{:016x}", u64::from_be_bytes(bytes)))
}

fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("an operating system that this runs on gives random bytes");
    bytes
}
