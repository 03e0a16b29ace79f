//! Who writes: a name people give themselves, which must not pass for Denizen's.

use settings::IdentitySettings;
use vocabulary::{Author, AuthorKind, CommunityId, PersonId, names};

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
    if names::stray(given).is_some() {
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
    let own = || std::iter::once(&identity.name).chain(&identity.aliases);
    if person == *denizen || own().any(|own| names::is_same(own, &name)) {
        return refuse(format!("“{name}” is Denizen's own name here."));
    }
    if let Some(own) = own().find(|own| names::passes_for(&name, own, names::Care::Own)) {
        return refuse(format!(
            "“{name}” looks like “{own}”, which is Denizen's own name here."
        ));
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
