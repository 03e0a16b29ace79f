//! Ways in which servers that are not Discord's own write the same things.

use serde_json::{Value, json};

/// Which of them are on. Each is off on Discord itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variants {
    /// Times end in `Z`.
    pub times_in_z: bool,
    /// `public_flags` is a string.
    pub flags_as_text: bool,
    /// Fields that some leave out are left out, and `tts` is null.
    pub fields_missing: bool,
    /// Roles of members are objects, not ids.
    pub roles_as_objects: bool,
    /// Ids are numbers.
    pub ids_as_numbers: bool,
    pub resume_refused: bool,
    /// A bad token closes with 4000 and not with 4004.
    pub bad_token_is_4000: bool,
    /// The first event of a session has the number 0.
    pub numbered_from_zero: bool,
    /// Commands of applications are not known, or refused.
    pub no_commands: bool,
    /// `/gateway/bot` tells an address and nothing else.
    pub gateway_bare: bool,
}

/// What some servers do not send.
const LEFT_OUT: [&str; 8] = [
    "mentions",
    "pinned",
    "burst",
    "self_video",
    "mention_roles",
    "avatar_decoration_data",
    "components",
    "flags",
];

impl Variants {
    pub fn all() -> Self {
        Self {
            times_in_z: true,
            flags_as_text: true,
            fields_missing: true,
            roles_as_objects: true,
            ids_as_numbers: true,
            resume_refused: true,
            bad_token_is_4000: true,
            numbered_from_zero: true,
            no_commands: true,
            gateway_bare: true,
        }
    }

    /// Takes over a wish: true or false for each by name, `independent` for all of them.
    pub fn set(&mut self, wish: &Value) -> Result<(), String> {
        for (name, on) in wish.as_object().into_iter().flatten() {
            let on = on.as_bool().ok_or_else(|| format!("{name}: true or false"))?;
            let named = match name.as_str() {
                "independent" => {
                    *self = if on { Self::all() } else { Self::default() };
                    continue;
                }
                "times_in_z" => &mut self.times_in_z,
                "flags_as_text" => &mut self.flags_as_text,
                "fields_missing" => &mut self.fields_missing,
                "roles_as_objects" => &mut self.roles_as_objects,
                "ids_as_numbers" => &mut self.ids_as_numbers,
                "resume_refused" => &mut self.resume_refused,
                "bad_token_is_4000" => &mut self.bad_token_is_4000,
                "numbered_from_zero" => &mut self.numbered_from_zero,
                "no_commands" => &mut self.no_commands,
                "gateway_bare" => &mut self.gateway_bare,
                other => return Err(format!("{other:?} is no variant")),
            };
            *named = on;
        }
        Ok(())
    }

    pub fn told(&self) -> Value {
        json!({"times_in_z": self.times_in_z, "flags_as_text": self.flags_as_text, "fields_missing": self.fields_missing,
            "roles_as_objects": self.roles_as_objects, "ids_as_numbers": self.ids_as_numbers,
            "resume_refused": self.resume_refused, "bad_token_is_4000": self.bad_token_is_4000,
            "numbered_from_zero": self.numbered_from_zero, "no_commands": self.no_commands, "gateway_bare": self.gateway_bare})
    }

    fn bends(&self) -> bool {
        self.times_in_z
            || self.flags_as_text
            || self.fields_missing
            || self.roles_as_objects
            || self.ids_as_numbers
    }

    /// Writes what Discord would say as the variants that are on do.
    pub fn bend(&self, value: &mut Value) {
        if self.bends() {
            self.bend_within(value);
        }
    }

    fn bend_within(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.bend_within(item)),
            Value::Object(fields) => {
                if self.fields_missing {
                    fields.retain(|key, _| !LEFT_OUT.contains(&key.as_str()));
                    if fields.contains_key("tts") {
                        fields.insert("tts".to_owned(), Value::Null);
                    }
                }
                let of_a_member = fields.contains_key("joined_at");
                for (key, field) in fields {
                    self.bend_field(key, field, of_a_member);
                }
            }
            _ => {}
        }
    }

    fn bend_field(&self, key: &str, field: &mut Value, of_a_member: bool) {
        if self.flags_as_text && key == "public_flags" {
            *field = json!(field.to_string());
        }
        if self.times_in_z
            && let Some(plain) = field.as_str().and_then(|it| it.strip_suffix("+00:00"))
        {
            *field = json!(format!("{plain}Z"));
        }
        if self.roles_as_objects && key == "roles" && of_a_member {
            for role in field
                .as_array_mut()
                .into_iter()
                .flatten()
                .filter(|role| role.is_string())
            {
                *role = json!({"id": role});
            }
        }
        let is_id = key == "id" || key.ends_with("_id") && key != "session_id" && key != "custom_id";
        if self.ids_as_numbers
            && is_id
            && let Some(id) = field.as_str().and_then(|it| it.parse::<u64>().ok())
        {
            *field = json!(id);
        }
        self.bend_within(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variant_bends_what_it_is_named_for() {
        let plain = json!({"id": "5", "timestamp": "2020-01-01T00:00:00.000000+00:00", "tts": false, "pinned": false,
            "author": {"id": "6", "public_flags": 0}, "member": {"joined_at": null, "roles": ["7"]}, "session_id": "8"});
        let mut same = plain.clone();
        Variants::default().bend(&mut same);
        assert_eq!(same, plain);
        let mut bent = plain;
        Variants::all().bend(&mut bent);
        let expected = json!({"id": 5, "timestamp": "2020-01-01T00:00:00.000000Z", "tts": null,
            "author": {"id": 6, "public_flags": "0"}, "member": {"joined_at": null, "roles": [{"id": 7}]}, "session_id": "8"});
        assert_eq!(bent, expected);
    }

    #[test]
    fn an_unknown_variant_is_refused() {
        assert!(Variants::default().set(&json!({"upside_down": true})).is_err());
    }
}
