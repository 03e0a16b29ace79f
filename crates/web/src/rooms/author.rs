//! Who writes: a name people give themselves, which must not pass for Denizen's.

use settings::IdentitySettings;
use vocabulary::text::is_plain;
use vocabulary::{Author, AuthorKind, CommunityId, PersonId};

use crate::refusal::Refusal;
use crate::site::Shared;

const NAME_CHARS_MAX: usize = 40;

impl Shared {
    /// Makes an author of a name somebody gave, or says what is wrong with it.
    pub fn author(&self, given: &str) -> Result<Author, Refusal> {
        let handle = self.handle();
        let identity = &handle.in_force().settings.identity;
        author(given, handle.community(), handle.denizen(), identity)
    }
}

/// Makes an author of a name somebody gave, or says what is wrong with it.
pub(super) fn author(
    given: &str,
    community: &CommunityId,
    denizen: &PersonId,
    identity: &IdentitySettings,
) -> Result<Author, Refusal> {
    let name = given.split_whitespace().collect::<Vec<_>>().join(" ");
    let refuse = |problem: String| {
        Err(Refusal::unprocessable(
            "invalid_author",
            format!("{problem} Choose another name and try again."),
        ))
    };
    if given.chars().any(is_invisible) {
        return refuse("A name must not hold control or invisible characters.".into());
    }
    match name.chars().count() {
        0 => return refuse("A name is needed.".into()),
        length if length > NAME_CHARS_MAX => {
            return refuse(format!(
                "A name has at most {NAME_CHARS_MAX} characters; this one has {length}."
            ));
        }
        _ => {}
    }
    let person = person_id(&name, community);
    let denizens_own = std::iter::once(&identity.name)
        .chain(&identity.aliases)
        .any(|own| person_id(own, community) == person);
    if denizens_own || person == *denizen {
        return refuse(format!("“{name}” is Denizen's own name here."));
    }
    Ok(Author {
        id: person,
        name,
        kind: AuthorKind::Person,
    })
}

/// A person is their name, letter case aside; Alice of one community is not Alice of another.
pub(super) fn person_id(name: &str, community: &CommunityId) -> PersonId {
    PersonId::new(format!("{community}:{}", name.trim().to_lowercase()))
}

/// Characters that make two different names look the same. An emoji may be told to be one.
fn is_invisible(letter: char) -> bool {
    !is_plain(letter) && letter != '\u{fe0f}'
}
