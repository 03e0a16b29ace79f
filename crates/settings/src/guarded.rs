//! Settings that only whoever has the machine may change: they name programs, libraries and folders of code that
//! Denizen runs, or addresses that are given keys and conversations. Whoever reaches the HTTP API, with whatever role,
//! could otherwise run a program as Denizen's user, or have keys sent to them.

use crate::knob::SettingError;

const RUNS_A_PROGRAM: &str = "it names a program that is run as Denizen's own user";
const LOADS_A_LIBRARY: &str = "it names a folder from which a library and models are loaded into Denizen";
const IS_GIVEN_A_KEY: &str = "it names an address that is given a key";
const IS_GIVEN_WHAT_IS_SAID: &str = "it names an address that is given what is said in the rooms, and a key";
const IS_GIVEN_MEMORY: &str = "it names an address that is given everything that is remembered, and a key";
const OPENS_THE_NETWORK: &str = "it lets tools reach machines on your own network";

const IS_GIVEN_VOICES: &str = "it names an address that is given what is said aloud, and a key";
const IS_GIVEN_WHAT_IT_SAYS: &str = "it names an address that is given what Denizen says, and a key";
const IS_PLAYED: &str = "it names a folder of files that are played to people";

const GUARDED: [(&str, &str); 23] = [
    ("llm.compatibleBaseUrl", IS_GIVEN_WHAT_IS_SAID),
    ("media.gifUrl", IS_GIVEN_A_KEY),
    ("media.imageUrl", IS_GIVEN_A_KEY),
    ("media.videoUrl", IS_GIVEN_A_KEY),
    ("memory.embedding.path", LOADS_A_LIBRARY),
    ("memory.embedding.url", IS_GIVEN_MEMORY),
    ("memory.reranker.path", LOADS_A_LIBRARY),
    ("memory.store.qdrantUrl", IS_GIVEN_MEMORY),
    ("memory.store.redisUrl", IS_GIVEN_MEMORY),
    ("tools.allowedPrivateHosts", OPENS_THE_NETWORK),
    ("tools.browserPath", RUNS_A_PROGRAM),
    ("tools.searchUrl", IS_GIVEN_A_KEY),
    ("voice.elevenLabsRealtime.baseUrl", IS_GIVEN_VOICES),
    ("voice.geminiRealtime.baseUrl", IS_GIVEN_VOICES),
    ("voice.openaiRealtime.baseUrl", IS_GIVEN_VOICES),
    ("voice.soundsPath", IS_PLAYED),
    ("voice.streamWatch.textReaderPath", LOADS_A_LIBRARY),
    ("voice.sttPipeline.endOfTurnPath", LOADS_A_LIBRARY),
    ("voice.sttPipeline.transcriptionPath", LOADS_A_LIBRARY),
    ("voice.sttPipeline.transcriptionUrl", IS_GIVEN_VOICES),
    ("voice.sttPipeline.ttsPath", RUNS_A_PROGRAM),
    ("voice.sttPipeline.ttsUrl", IS_GIVEN_WHAT_IT_SAYS),
    ("voice.xaiRealtime.baseUrl", IS_GIVEN_VOICES),
];

/// Why a setting can only be changed on the machine, by command line or file; none if it can be changed anywhere.
pub fn only_on_the_machine(key: &str) -> Option<&'static str> {
    let found = GUARDED.iter().find(|(guarded, _)| *guarded == key);
    found.map(|(_, reason)| *reason)
}

/// What whoever tries to change such a setting from elsewhere is told.
pub fn refused_from_afar(key: &str) -> Option<SettingError> {
    only_on_the_machine(key).map(|reason| SettingError {
        key: key.to_owned(),
        problem: format!("{reason}, so it is changed only where Denizen runs"),
        remedy: format!("Use `denizen settings set {key} VALUE` there, or `denizen settings migrate FILE`"),
    })
}

#[cfg(test)]
mod tests {
    use super::{GUARDED, only_on_the_machine};
    use crate::catalogue::Settings;

    /// Names that say what is dangerous about a setting, in lower case.
    const TELLING: [&str; 12] = [
        "path", "url", "uri", "command", "program", "binary", "folder", "file", "library", "endpoint",
        "hosts", "server",
    ];
    /// Settings that sound so and are not, each with the reason.
    const HARMLESS: [(&str, &str); 2] = [
        (
            "initiative.discovery.xBridgeUrl",
            "it is fetched like any page of the web, by the same rules, and given no key",
        ),
        (
            "llm.profile",
            "it ends like a file and chooses between three prompts",
        ),
    ];

    #[test]
    fn whatever_names_a_program_a_library_or_an_address_is_guarded_or_said_to_be_harmless() {
        for knob in Settings::knobs() {
            let name = knob.key.rsplit('.').next().unwrap_or_default().to_lowercase();
            let tells = TELLING.iter().any(|ending| name.ends_with(ending));
            let harmless = HARMLESS.iter().any(|(key, _)| *key == knob.key);
            assert!(
                !tells || harmless || only_on_the_machine(&knob.key).is_some(),
                "{}: may it be changed from afar? Put it on one of the two lists",
                knob.key
            );
        }
    }

    #[test]
    fn what_is_guarded_is_there() {
        for (key, _) in GUARDED.iter().chain(&HARMLESS) {
            assert!(Settings::knob(key).is_ok(), "{key}");
        }
    }
}
